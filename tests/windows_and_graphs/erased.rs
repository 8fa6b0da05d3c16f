//! Evaluators whose types are hidden, so that one search loop serves all tests of evaluators.

use ramure::simulation::{Evaluate, Evaluator};
use ramure_games::Connect4;
use std::sync::Arc;

/// Any evaluator, on one thread.
pub type Boxed<'a> = Evaluate<Box<dyn Evaluator<Connect4> + 'a>>;

/// Any evaluator that threads share.
pub type Shared<'a> = Evaluate<Arc<dyn Evaluator<Connect4> + Send + Sync + 'a>>;

pub fn boxed<'a>(evaluator: impl Evaluator<Connect4> + 'a) -> Boxed<'a> {
    Evaluate::new(Box::new(evaluator))
}

pub fn shared<'a>(evaluator: impl Evaluator<Connect4> + Send + Sync + 'a) -> Shared<'a> {
    Evaluate::new(Arc::new(evaluator))
}
