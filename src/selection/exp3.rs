//! Exponential weights, for rewards that may be adversarial.

use super::{Choice, Event, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;

/// Exp3: draws child `i` with the probability `p = (1 - γ) w / Σ w + γ / K`, where `w = exp(γ G / K)`, `G` is
/// the sum of the child's rewards, each divided by the probability with which the child was drawn, and `K` is
/// the number of children.
///
/// **Use it** where rewards change over time or respond to what is played, as with simultaneous moves in
/// [`PlayerTrees`](crate::search::PlayerTrees); elsewhere other policies are better. Judge the result by the
/// [improved policy](TreePolicy::improved_policy): the shares of the visits, without the uniform part. It
/// approaches an equilibrium.
///
/// **Parameter:** `gamma`, above 0 and at most 1, the share of the draws that are uniform.
/// [`tuned`](Self::tuned) is the paper's choice; the default, 0.1, is about its value for seven children and
/// 800 iterations. `K` counts the children that may be chosen: when some are proven, the others share the
/// probability. First-play urgency does not apply.
///
/// **Stores** 16 bytes per child, `G` and the probability of the latest draw. **Cost:** one exponential per
/// child and visit. **Source:** Auer, Cesa-Bianchi, Freund and Schapire, *The Nonstochastic Multiarmed Bandit
/// Problem*, 2002, figure 1.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Exp3;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(Exp3::tuned(7, 1_000));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exp3 {
    gamma: f64,
}

impl Exp3 {
    /// Creates the policy with `gamma`, above 0 and at most 1.
    pub const fn new(gamma: f64) -> Self {
        Exp3 { gamma }
    }

    /// Creates the policy with `γ = min(1, sqrt(K ln K / ((e - 1) g)))` for `K` children and `g` rewards of
    /// at most 1, where `K` and `g` are at least 1. With this value the paper's corollary 3.2 bounds the
    /// regret by `2.63 sqrt(g K ln K)`. A single child gives γ = 1.
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

/// Returns the gain of a child. A damaged file may hold any number; differences of infinite gains are none.
#[inline(always)]
fn gain_of((gain, _): (f64, f64)) -> f64 {
    gain.clamp(f64::MIN, f64::MAX)
}

impl<G: GameState> TreePolicy<G> for Exp3 {
    type Stats = (f64, f64); // G, and during an iteration the probability of the draw that led here
    const FIRST_PLAY: Option<FirstPlay> = None;
    const SEES_UNVISITED: bool = true;

    fn skips_refuted(&self) -> bool {
        true
    }

    fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice {
        let (mut children, mut greatest) = (0, f64::NEG_INFINITY);
        for (_, child) in node.choices() {
            children += 1;
            greatest = greatest.max(gain_of(child.stats()));
        }
        let share = self.gamma / children as f64;
        // Relative to the greatest weight, to prevent overflow.
        let weight = |gain: f64| math::exp(share * (gain - greatest));
        let (mut sum, mut drawn) = (0.0, None);
        for (choice, child) in node.choices() {
            let weight = weight(gain_of(child.stats()));
            sum += weight;
            // Each child replaces those before it with its share of the sum so far, so in the end each is
            // drawn with its share of the whole sum.
            if rng.unit() * sum < weight {
                drawn = Some((choice, child));
            }
        }
        if rng.unit() < self.gamma {
            drawn = node.choices().nth(rng.below(children));
        }
        drawn.map_or(Choice::UNTRIED, |(choice, child)| {
            let gain = gain_of(child.stats());
            node.set_stats(choice, (gain, (1.0 - self.gamma) * weight(gain) / sum + share));
            choice
        })
    }

    /// A child that was not drawn, such as an outcome of chance, has no probability and gains nothing.
    #[inline(always)]
    fn update(&self, (gain, probability): (f64, f64), _: f32, reward: f32) -> (f64, f64) {
        (if probability > 0.0 { gain + f64::from(reward) / probability } else { gain }, 0.0)
    }

    /// The shares of the visits, without the uniform part: what is left of each above γ / K.
    fn improved_policy(&self, root: impl Node<G, Self::Stats>, _: &[Option<f32>]) -> Option<Vec<f32>> {
        let (mut children, mut visits) = (0, 0.0);
        for child in root.children() {
            children += 1;
            visits += child.visits();
        }
        let uniform = visits * self.gamma as f32 / children as f32;
        let left = |visits: f32| (visits - uniform).max(0.0);
        let sum: f32 = root.children().map(|child| left(child.visits())).sum();
        (sum > 0.0).then(|| root.children().map(|child| left(child.visits()) / sum).collect())
    }

    #[inline(always)]
    fn notice(&self, (gain, probability): (f64, f64), event: Event<(f64, f64)>) -> (f64, f64) {
        if let Event::Recalled((_, then)) = event { (gain, then) } else { (gain, probability) }
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.gamma > 0.0 && self.gamma <= 1.0;
        ParameterError::unless(fits, "Exp3::gamma", self.gamma, "above 0 and at most 1")
    }
}
