//! UCB with the observed variance.

use super::{Choice, Event, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Moments;

/// UCB-V: `Q + sqrt(2 V E / n) + 3 c b E / n` with `E = ζ ln t`, where `V` is the observed variance of the
/// child's rewards and `b = 1` their range. `t` is `N` here.
///
/// **Use it** where rewards vary little compared with their range and there are many visits: the bonus then
/// falls as `1 / n` instead of `1 / sqrt(n)`. With few visits the last term exceeds any reward, and the
/// search tries all children alike.
///
/// **Parameters:** `zeta` and `c`, both from 0 to 1000. The defaults, 1.2 and 1, are the paper's example (its
/// theorem requires ζ above 1). They are large for the few visits of a node in a tree: tune `zeta`. Neither
/// takes [deviations](super::Exploration), because `V` has them already; if the rewards span less than
/// [0, 1], `c` is their range.
/// **Stores** 24 bytes per child: the sums of the rewards and of their squares, and the values derived from
/// them. The variance is accurate to 2e-7, and is always that of the rewards, even if the backpropagation
/// changes the mean.
///
/// **Source:** Audibert, Munos and Szepesvári, *Exploration–exploitation tradeoff using variance estimates in
/// multi-armed bandits*, 2009, the definition of the UCB-V policy.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::UcbV;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(UcbV::new(0.3, 0.5));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UcbV {
    zeta: f32,
    c: f32,
}

impl UcbV {
    /// Creates the policy with `zeta`, which scales all exploration, and `c`, the weight of the term that
    /// falls as `1 / n`. Both must be from 0 to 1000.
    pub const fn new(zeta: f32, c: f32) -> Self {
        UcbV { zeta, c }
    }
}

impl Default for UcbV {
    fn default() -> Self {
        UcbV::new(1.2, 1.0)
    }
}

impl<G: GameState> TreePolicy<G> for UcbV {
    type Stats = Moments;

    #[inline(always)]
    fn select(&self, node: impl Node<G, Self::Stats>, _: &mut Rng) -> Choice {
        let exploration = self.zeta * node.ln_visits();
        let (twice, rest) = (2.0 * exploration, 3.0 * self.c * exploration);
        node.argmax(|child| {
            let (rare, variance) = (child.stats().rarity, child.stats().variance);
            child.mean() + rare * ((twice * variance).sqrt() + rest * rare)
        })
    }

    #[inline(always)]
    fn update(&self, moments: Moments, visits: f32, reward: f32) -> Moments {
        moments.with(reward, visits)
    }

    #[inline(always)]
    fn notice(&self, moments: Moments, event: Event<Moments>) -> Moments {
        if let Event::Recounted(visits) = event { moments.recounted(visits) } else { moments }
    }

    fn check(&self) -> Result<(), ParameterError> {
        for (name, value) in [("UcbV::zeta", self.zeta), ("UcbV::c", self.c)] {
            ParameterError::unless_constant(name, value.into())?;
        }
        Ok(())
    }
}
