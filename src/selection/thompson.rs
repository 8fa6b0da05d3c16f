//! Thompson sampling.

use super::{Choice, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;

/// Thompson sampling: draws a possible mean for each child from its Beta posterior and follows the greatest.
///
/// The posterior of a child with `n` visits and the sum `W` of their rewards is Beta(1 + W, 1 + n - W); a child never
/// visited draws from the uniform prior Beta(1, 1). **Use it** where UCB's constant is a nuisance, and where draws are
/// cheap beside rollouts; not where rollouts are quick, for the draws take longer than they. **Parameters:** none; first-play urgency does not apply. **Cost:** two Gamma draws per child and
/// visit. **Stores** nothing. **Source:** Thompson 1933; Chapelle and Li, *An Empirical Evaluation of Thompson Sampling*,
/// 2011, algorithm 2; rewards between 0 and 1 count in parts, where Agrawal and Goyal, *Analysis of Thompson Sampling*,
/// 2012, algorithm 2, would toss a coin for them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Thompson;

impl<G: GameState> TreePolicy<G> for Thompson {
    type Stats = ();
    const FIRST_PLAY: Option<FirstPlay> = None;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, ()>, rng: &mut Rng) -> Choice {
        let (mut best, mut greatest) = (Choice::UNTRIED, f64::NEG_INFINITY);
        for (choice, child) in node.choices() {
            let wins = child.reward_sum();
            let drawn = beta(1.0 + wins, 1.0 + (f64::from(child.visit_count()) - wins).max(0.0), rng);
            if drawn > greatest {
                (best, greatest) = (choice, drawn);
            }
        }
        best
    }
}

/// A draw from Beta(a, b), a and b at least 1.
fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    let (x, y) = (math::gamma(a, rng), math::gamma(b, rng));
    x / (x + y)
}
