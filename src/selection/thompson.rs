//! Thompson sampling.

use super::{Choice, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;

/// Thompson sampling: draws a possible mean for each child from its Beta posterior and follows the child with
/// the greatest.
///
/// The posterior of a child with `n` visits whose rewards sum to `W` is Beta(1 + W, 1 + n - W). An unvisited
/// child draws from the uniform prior Beta(1, 1).
///
/// **Use it** if you do not want to tune UCB's constant and the draws are cheap compared with rollouts. Avoid
/// it where rollouts are fast, because the draws then take longer than the rollouts. **Parameters:** none;
/// first-play urgency does not apply. **Cost:** two Gamma draws per child and visit. **Stores** nothing.
///
/// **Source:** Thompson 1933; Chapelle and Li, *An Empirical Evaluation of Thompson Sampling*, 2011,
/// algorithm 2. A reward between 0 and 1 counts as a fraction of a win. Agrawal and Goyal, *Analysis of
/// Thompson Sampling*, 2012, algorithm 2, would toss a coin with that probability instead.
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

/// Draws from Beta(a, b), with a and b at least 1.
fn beta(a: f64, b: f64, rng: &mut Rng) -> f64 {
    let (x, y) = (math::gamma(a, rng), math::gamma(b, rng));
    x / (x + y)
}
