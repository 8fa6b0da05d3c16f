//! Late rewards count for more than early ones.

use super::{Backprop, Step};
use crate::game::{GameState, Rewards};
use crate::parameter::ParameterError;

/// Averages that forget: `Q ← Q + max(1/n, α) (r - Q)`, so that of the first `1/α` rewards all count alike, and then a reward
/// counts the less the older it is.
///
/// **Use it** where what is below a node gets better while it is searched: early rewards, of bad play, fade. A mean that
/// forgets never settles: for long searches choose a small `α`. **Parameter:** `alpha`, in (0, 1]; no value suits all games; 0.001
/// forgets what is some thousands of visits old. By text 0.01, a guess of ours. **Stores** 4 bytes per child. **Source:** Sutton and Barto, *Reinforcement Learning*, 2nd
/// edition, section 2.5, equation 2.5, with the first steps those of an average, equation 2.3; for bandits that change, as the nodes of a tree do,
/// Kocsis and Szepesvári, *Discounted UCB*, 2006, discount the counts as well, which this does not.
///
/// ```
/// use ramure::backpropagation::Recent;
/// use ramure::prelude::*;
/// let mut search = Mcts::new(ramure::games::Connect4::new()).backprop(Solver::new(Recent::new(0.002)));
/// search.run(Budget::iterations(500))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recent {
    alpha: f32,
}

impl Recent {
    /// Moves by the share `alpha`, in (0, 1], towards every reward.
    pub const fn new(alpha: f32) -> Self {
        Recent { alpha }
    }
}

impl<G: GameState> Backprop<G> for Recent {
    type Stats = f32; // the mean

    #[inline(always)]
    fn update(&self, step: impl Step<G, f32>, rewards: &mut Rewards) {
        let (reward, mean) = (rewards[step.chooser()], step.stats());
        let mean = mean + (reward - mean) * (1.0 / step.visits() as f32).max(self.alpha);
        // Rounding may leave the range by a bit.
        let mean = mean.clamp(0.0, 1.0);
        step.set_stats(mean);
        step.settle(reward, mean);
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.alpha > 0.0 && self.alpha <= 1.0;
        ParameterError::unless(fits, "Recent::alpha", f64::from(self.alpha), "in (0, 1]")
    }
}
