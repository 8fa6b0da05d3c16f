//! Thompson sampling with normal posteriors.

use super::{Choice, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;

/// Thompson sampling with Gaussian priors: draws for each child from the normal distribution with mean `W /
/// (n + 1)` and variance `σ² / (n + 1)`, where `W` is the sum of its rewards, and follows the child with the
/// greatest draw.
///
/// **Use it** as a cheaper [`Thompson`](super::Thompson). It explores more, because it assumes that rewards
/// have the standard deviation `σ`, while rewards in [0, 1] have at most 1/2. **Parameter:** `sigma`, above 0
/// and at most 1000; the default, 1, is the paper's. First-play urgency does not apply: an unvisited child
/// draws from the prior, which has mean 0. So `sigma` takes no [deviations](super::Exploration): the prior fits
/// rewards spread over [0, 1] only. **Stores** nothing. **Cost:** one normal draw per child and visit.
///
/// **Source:** Agrawal and Goyal, *Further Optimal Regret Bounds for Thompson Sampling*, 2013, algorithm 2,
/// which has no `σ`.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::GaussianThompson;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(GaussianThompson::new(0.5));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GaussianThompson {
    sigma: f64,
}

impl GaussianThompson {
    /// Creates the policy with `sigma`, above 0 and at most 1000, as the standard deviation of rewards.
    pub const fn new(sigma: f64) -> Self {
        GaussianThompson { sigma }
    }
}

impl Default for GaussianThompson {
    fn default() -> Self {
        GaussianThompson::new(1.0)
    }
}

impl<G: GameState> TreePolicy<G> for GaussianThompson {
    type Stats = ();
    const FIRST_PLAY: Option<FirstPlay> = None;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, ()>, rng: &mut Rng) -> Choice {
        let (mut best, mut greatest) = (Choice::UNTRIED, f64::NEG_INFINITY);
        for (choice, child) in node.choices() {
            let count = f64::from(child.visit_count()) + 1.0;
            let drawn = child.reward_sum() / count + self.sigma * math::normal(rng) / count.sqrt();
            if drawn > greatest {
                (best, greatest) = (choice, drawn);
            }
        }
        best
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.sigma > 0.0 && self.sigma <= 1000.0;
        ParameterError::unless(fits, "GaussianThompson::sigma", self.sigma, "above 0 and at most 1000")
    }
}
