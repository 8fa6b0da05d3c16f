//! A mean that weighs recent rewards more than old ones.

use super::{Backprop, Step};
use crate::game::{GameState, Rewards};
use crate::parameter::ParameterError;

/// Averages that forget: `Q ← Q + max(1/n, α) (r - Q)`. The first `1/α` rewards have equal weights; after
/// that, the older a reward, the less it counts.
///
/// **Use it** where the play below a node improves during the search: early rewards, from bad play, fade. A
/// mean that forgets never converges, so for long searches choose a small `α`.
///
/// **Parameter:** `alpha`, in (0, 1]. No value suits all games; 0.001 forgets rewards that are some thousands
/// of visits old. In texts of `ramure-lab`, it is 0.01, our guess. **Stores** 4 bytes per child.
///
/// **Source:** Sutton and Barto, *Reinforcement Learning*, 2nd edition, section 2.5, equation 2.5; the first
/// steps are those of an average, equation 2.3. For bandits that change, as the nodes of a tree do, Kocsis
/// and Szepesvári, *Discounted UCB*, 2006, also discount the counts, which this does not.
///
/// ```
/// use ramure::backpropagation::RecencyWeighted;
/// use ramure::prelude::*;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).backprop(Solver::new(RecencyWeighted::new(0.002)));
/// search.run(Budget::iterations(500))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RecencyWeighted {
    alpha: f32,
}

impl RecencyWeighted {
    /// Creates a mean that moves by the share `alpha`, in (0, 1], towards every reward.
    pub const fn new(alpha: f32) -> Self {
        RecencyWeighted { alpha }
    }
}

impl<G: GameState> Backprop<G> for RecencyWeighted {
    type Stats = f32; // the mean

    #[inline(always)]
    fn update(&self, step: impl Step<G, f32>, rewards: &mut Rewards) {
        // A damaged file may hold any number.
        let (reward, mean) = (rewards[step.chooser()], step.stats().clamp(0.0, 1.0));
        let mean = mean + (reward - mean) * (1.0 / step.visits() as f32).max(self.alpha);
        // Rounding may exceed the range slightly.
        let mean = mean.clamp(0.0, 1.0);
        step.set_stats(mean);
        step.record_with_mean(reward, mean);
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.alpha > 0.0 && self.alpha <= 1.0;
        ParameterError::unless(fits, "RecencyWeighted::alpha", f64::from(self.alpha), "in (0, 1]")
    }
}
