//! UCB with the variance that was observed.

use super::{Choice, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Moments;

/// UCB-V: `Q + sqrt(2 V E / n) + 3 c b E / n` with `E = ζ ln t`, where `V` is the observed variance of the child's
/// rewards and `b = 1` their range; `t` is `N` here.
///
/// **Use it** where rewards vary little beside their range and the visits are many: the bonus then falls as `1 / n`,
/// not as its root. With few visits the last term is greater than any reward, and the search tries all children
/// alike. **Parameters:** `zeta` and `c`, at least 0; 1.2 and 1, the defaults, are the paper's example (its theorem
/// wants ζ above 1), and much for the few visits of a node in a tree: tune `zeta`. **Stores** 24 bytes per child,
/// the sums of the rewards and of their squares, and what follows from them; the variance is true to 2e-7, and that of the rewards
/// also where the backpropagation makes something else of the mean. **Source:** Audibert, Munos and
/// Szepesvári, *Exploration–exploitation tradeoff using variance estimates in multi-armed bandits*, 2009, the
/// definition of the UCB-V policy.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::UcbV;
/// let mut search = Mcts::new(ramure::games::Connect4::new()).tree_policy(UcbV::new(0.3, 0.5));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UcbV {
    zeta: f32,
    c: f32,
}

impl UcbV {
    /// With `zeta`, which scales all exploration, and `c`, the weight of the term that falls as `1 / n`, both at
    /// least 0.
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
            let (rare, variance) = (child.stats().rarity(), child.stats().variance());
            child.mean() + rare * ((twice * variance).sqrt() + rest * rare)
        })
    }

    #[inline(always)]
    fn update(&self, moments: Moments, visits: f32, reward: f32) -> Moments {
        moments.with(reward, visits)
    }

    fn check(&self) -> Result<(), ParameterError> {
        for (name, value) in [("UcbV::zeta", self.zeta), ("UcbV::c", self.c)] {
            let fits = (0.0..f32::INFINITY).contains(&value);
            ParameterError::unless(fits, name, f64::from(value), "finite and at least 0")?;
        }
        Ok(())
    }
}
