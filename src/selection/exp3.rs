//! Exponential weights, for rewards that an adversary may choose.

use super::{Choice, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;

/// Exp3: draws child `i` with the probability `p = (1 - γ) w / Σ w + γ / K`, where `w = exp(γ G / K)`, `G` is the sum
/// of the child's rewards, each divided by the probability with which it was drawn, and `K` the number of children.
///
/// **Use it** where rewards change with time or answer to what is played; where they do not, others are better. Judge it by its visits: they are what approaches an equilibrium.
/// **Parameter:** `gamma`, above 0 and at most 1, the share of the draws that are uniform; [`tuned`](Self::tuned) is
/// the paper's choice, and 0.1, the default, is about that for seven children and 800 iterations. `K` are the
/// children that may be chosen: when some are proven, the others share the probability. First-play urgency does not
/// apply. **Stores** 16 bytes per child, `G` and the probability of the latest draw. **Cost:** one exponential per
/// child and visit. **Source:** Auer, Cesa-Bianchi, Freund and Schapire, *The Nonstochastic Multiarmed Bandit
/// Problem*, 2002, figure 1.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Exp3;
/// let mut search = Mcts::new(ramure::games::Connect4::new()).tree_policy(Exp3::tuned(7, 1_000));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exp3 {
    gamma: f64,
}

impl Exp3 {
    /// With `gamma`, above 0 and at most 1.
    pub const fn new(gamma: f64) -> Self {
        Exp3 { gamma }
    }

    /// With `γ = min(1, sqrt(K ln K / ((e - 1) g)))` for `K` children and `g` rewards of at most 1, both at least 1:
    /// for this the paper's corollary 3.2 bounds the regret by `2.63 sqrt(g K ln K)`. One child alone has γ = 1.
    pub fn tuned(children: u32, iterations: u32) -> Self {
        let k = f64::from(children.max(1));
        let gamma = (k * math::ln64(k) / ((core::f64::consts::E - 1.0) * f64::from(iterations))).sqrt();
        Exp3::new(if gamma > 0.0 { gamma.min(1.0) } else { 1.0 })
    }
}

impl Default for Exp3 {
    fn default() -> Self {
        Exp3::new(0.1)
    }
}

impl<G: GameState> TreePolicy<G> for Exp3 {
    type Stats = (f64, f64); // G, and while an iteration is on its way the probability with which it came here
    const FIRST_PLAY: Option<FirstPlay> = None;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice {
        let (mut children, mut greatest) = (0, f64::NEG_INFINITY);
        for (_, child) in node.choices() {
            children += 1;
            greatest = greatest.max(child.stats().0);
        }
        let share = self.gamma / children as f64;
        // Over the greatest weight, so that none is too great for a number.
        let weight = |gain: f64| math::exp(share * (gain - greatest));
        let (mut sum, mut drawn) = (0.0, None);
        for (choice, child) in node.choices() {
            let weight = weight(child.stats().0);
            sum += weight;
            // Each takes the place of those before it with its share of the sum so far; in the end all have their
            // share.
            if rng.unit() * sum < weight {
                drawn = Some((choice, child));
            }
        }
        if rng.unit() < self.gamma {
            drawn = node.choices().nth(rng.below(children));
        }
        drawn.map_or(Choice::UNTRIED, |(choice, child)| {
            let gain = child.stats().0;
            node.set_stats(choice, (gain, (1.0 - self.gamma) * weight(gain) / sum + share));
            choice
        })
    }

    /// A child that was not drawn, such as an outcome of chance, has no probability, and gains nothing.
    #[inline(always)]
    fn update(&self, (gain, probability): (f64, f64), _: f32, reward: f32) -> (f64, f64) {
        (if probability > 0.0 { gain + f64::from(reward) / probability } else { gain }, 0.0)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.gamma > 0.0 && self.gamma <= 1.0;
        ParameterError::unless(fits, "Exp3::gamma", self.gamma, "above 0 and at most 1")
    }
}
