//! Regret matching, for simultaneous moves.

use super::{Choice, Event, FirstPlay, Needs, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;

/// Regret matching: draws child `i` with the probability `(1 - γ) R⁺ / Σ R⁺ + γ / K`. `R⁺` is the child's
/// regret, or 0 if that is negative; `K` is the number of children. If no regret is above 0, all children are
/// equally likely.
///
/// The regret of a child is the sum, over the iterations, of what the child would have given more than the
/// chosen one. The search estimates it by the mean reward of the iterations in which the player chose this
/// child and the others chose what they chose now; if there were none, by the mean of the child; and a child
/// without visits gets no regret.
///
/// **Use it** with [`PlayerTrees`](crate::search::PlayerTrees) in games with simultaneous moves; it does not
/// compile elsewhere. Judge the result by the average strategy, which approaches an equilibrium in games of
/// two players with opposed interests. It is the [improved policy](TreePolicy::improved_policy) of the
/// reports, and what [`Mcts::strategy`](crate::Mcts::strategy) returns. It leaves the
/// uniform share γ out.
///
/// **Parameter:** `gamma`, above 0 and at most 1, the share of the draws that are uniform. The default,
/// 0.025, is the value for Goofspiel in the source. First-play urgency does not apply. **Stores** 16 bytes
/// per child. **Cost:** one pass over the siblings per node and iteration, and a look at one node for each.
///
/// **Source:** Lanctot, Lisý and Winands, *Monte Carlo Tree Search in Simultaneous Move Games with
/// Applications to Goofspiel*, 2014, section 3.3; Hart and Mas-Colell, *A Simple Adaptive Procedure Leading
/// to Correlated Equilibrium*, 2000.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RegretMatching {
    gamma: f64,
}

impl RegretMatching {
    /// Creates the policy with `gamma`, above 0 and at most 1.
    pub const fn new(gamma: f64) -> Self {
        RegretMatching { gamma }
    }
}

impl Default for RegretMatching {
    fn default() -> Self {
        RegretMatching::new(0.025)
    }
}

/// Returns the part of a regret above 0. A damaged file may hold any number; the sum must stay finite.
#[inline(always)]
fn positive(regret: f64) -> f64 {
    regret.clamp(0.0, 1e300)
}

impl<G: GameState> TreePolicy<G> for RegretMatching {
    type Stats = (f64, f64); // the regret, and the sum of the probabilities so far
    const FIRST_PLAY: Option<FirstPlay> = None;
    const SEES_UNVISITED: bool = true;
    const NEEDS: Needs = Needs::PlayerTrees;

    fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice {
        let (mut children, mut sum) = (0, 0.0);
        for (_, child) in node.choices() {
            children += 1;
            sum += positive(child.stats().0);
        }
        let uniform = 1.0 / children as f64;
        let mut drawn = Choice::UNTRIED;
        let mut left = rng.unit();
        for (choice, child) in node.choices() {
            let (regret, total) = child.stats();
            let probability = if sum > 0.0 { positive(regret) / sum } else { uniform };
            node.set_stats(choice, (regret, total + probability));
            // The sum of the probabilities may be a rounding error below 1. Then it is the last child.
            if left >= 0.0 {
                drawn = choice;
            }
            left -= (1.0 - self.gamma) * probability + self.gamma * uniform;
        }
        drawn
    }

    #[inline(always)]
    fn notice(&self, (regret, total): Self::Stats, event: Event<Self::Stats>) -> Self::Stats {
        match event {
            Event::Regret { instead, reward } => (regret + f64::from(instead) - f64::from(reward), total),
            _ => (regret, total),
        }
    }

    fn improved_policy(&self, root: impl Node<G, Self::Stats>, _: &[Option<f32>]) -> Option<Vec<f32>> {
        let sum: f64 = root.children().map(|child| child.stats().1).sum();
        (sum > 0.0).then(|| root.children().map(|child| (child.stats().1 / sum) as f32).collect())
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.gamma > 0.0 && self.gamma <= 1.0;
        ParameterError::unless(fits, "RegretMatching::gamma", self.gamma, "above 0 and at most 1")
    }
}
