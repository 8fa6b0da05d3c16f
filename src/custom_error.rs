//! Errors of your own, which the library passes on.

use core::error::Error;
use core::fmt;
use std::sync::Arc;

/// An error of your own: any error type, and any text, converts into it with `?` or `into`.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// An error of your own that the library passes on: the failure of an evaluator, a rollout policy or an
/// agent.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::{BoxError, Rewards};
/// use ramure::simulation::{Evaluate, Evaluator, Position};
///
/// struct Network { is_loaded: bool }
///
/// impl<G: GameState> Evaluator<G> for Network {
///     fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
///         if !self.is_loaded {
///             return Err("the weights are not loaded".into()); // or `?` on any error
///         }
///         batch.iter_mut().for_each(|position| position.set_value(Rewards::new(2, |_| 0.5)));
///         Ok(())
///     }
/// }
///
/// let network = Evaluate::new(Network { is_loaded: false });
/// let mut search = Mcts::new(ramure_games::Connect4::new()).rollout_policy(network);
/// match search.run(Budget::iterations(100)) {
///     Err(SearchError::Failed { error, .. }) => assert_eq!(error.to_string(), "the weights are not loaded"),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Clone)]
pub struct CustomError(Arc<dyn Error + Send + Sync>);

impl CustomError {
    /// Wraps `error`, which may be any error or a text.
    pub fn new(error: impl Into<BoxError>) -> Self {
        match error.into().downcast::<Shared>() {
            Ok(shared) => shared.0,
            Err(error) => CustomError(error.into()),
        }
    }

    /// Returns the error itself.
    pub fn get_ref(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl From<BoxError> for CustomError {
    fn from(error: BoxError) -> Self {
        CustomError::new(error)
    }
}

impl From<&str> for CustomError {
    fn from(error: &str) -> Self {
        CustomError::new(error)
    }
}

impl From<String> for CustomError {
    fn from(error: String) -> Self {
        CustomError::new(error)
    }
}

/// An error that several results have in common.
#[derive(Clone)]
pub(crate) struct Shared(pub CustomError);

impl Error for Shared {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.get_ref().source()
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returns `true` if one error is a clone of the other.
impl PartialEq for CustomError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for CustomError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::__sentence(self.get_ref(), f)
    }
}

impl fmt::Display for CustomError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
