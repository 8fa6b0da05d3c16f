//! Random lines of play.

use crate::attempts::{Attempts, Ended};
use crate::driver::Optimizer;
use ramure::Scored;

/// Flat Monte-Carlo sampling: plays random lines, and keeps the best. A pass is one line.
///
/// **Use it** as the baseline for other searches: the difference of the puzzle scores is the gain of their
/// algorithm. **Cost:** the rollouts.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::SameGame;
/// use ramure_puzzles::{FlatSampling, Optimization};
/// let best = Optimization::new(SameGame::random(7), FlatSampling).run(Budget::iterations(50))?;
/// assert_eq!(best.rollouts, 50);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct FlatSampling;

impl<G: Scored> Optimizer<G> for FlatSampling {
    fn pass(&self, attempts: &mut Attempts<'_, G>) -> Result<(), Ended> {
        attempts.rollout(&mut attempts.root().clone(), &mut Vec::new())?;
        Ok(())
    }
}
