//! UCT on a distribution of each child's value.

use super::{Choice, Event, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;

/// Bayes-UCT: the expected value of a child plus a bonus. The *first* formula of its paper is `μ + c sqrt(ln
/// N / n)`; the *second* is `μ + c sqrt(ln N) σ`, where `σ` is the standard deviation of the child's value.
///
/// **Use it** with [`BayesBackup`](crate::backpropagation::BayesBackup), which computes `μ` and `σ` of the
/// inner nodes. With any other backpropagation both come from the posterior Beta(1 + W, 1 + n - W) of the
/// child's own `n` visits, where `W` is `n` times its mean. The second formula relies on `σ` alone: where
/// siblings are not independent, it explores too little.
///
/// **Parameter:** `c`, from 0 to 1000. The default, sqrt 2, gives the paper's `sqrt(2 ln N)`. **Stores** 4
/// bytes per child, `σ`. **Source:** Tesauro, Rajan and Segal, *Bayesian Inference in Monte-Carlo Tree
/// Search*, 2010, where the formulas are called Bayes-UCT1 and Bayes-UCT2.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::{backpropagation::BayesBackup, selection::BayesUct};
/// let search = Mcts::new(ramure_games::Connect4::new()).tree_policy(BayesUct::second(1.0));
/// search.backprop(BayesBackup).run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BayesUct {
    by_deviation: bool,
    c: f32,
}

impl BayesUct {
    /// Creates the policy with `μ + c sqrt(ln N / n)`, where `c` is from 0 to 1000. (Any other value is an
    /// error when the search runs.)
    pub const fn first(c: f32) -> Self {
        BayesUct { by_deviation: false, c }
    }

    /// Creates the policy with `μ + c sqrt(ln N) σ`, where `c` is from 0 to 1000. (Any other value is an
    /// error when the search runs.)
    pub const fn second(c: f32) -> Self {
        BayesUct { by_deviation: true, c }
    }
}

impl Default for BayesUct {
    fn default() -> Self {
        BayesUct::second(core::f32::consts::SQRT_2)
    }
}

/// Stands for a deviation of 0. The statistics hold the negated deviation, and 0 if no deviation was
/// reported.
const LEAST: f32 = 1e-30;

impl<G: GameState> TreePolicy<G> for BayesUct {
    type Stats = f32;

    #[inline(always)]
    fn select(&self, node: impl Node<G, f32>, _: &mut Rng) -> Choice {
        let bonus = self.c * node.sqrt_ln_visits();
        if self.by_deviation {
            node.argmax(|child| {
                let reported = child.stats();
                let (mean, deviation) = posterior(child.mean(), child.visits());
                let is_reported = reported < 0.0;
                (if is_reported { child.mean() } else { mean })
                    + bonus * if is_reported { -reported } else { deviation }
            })
        } else {
            node.argmax(|child| {
                let mean = posterior(child.mean(), child.visits()).0;
                (if child.stats() < 0.0 { child.mean() } else { mean }) + bonus / child.visits().sqrt()
            })
        }
    }

    #[inline(always)]
    fn notice(&self, reported: f32, event: Event<f32>) -> f32 {
        if let Event::Deviation(deviation) = event { -deviation.max(LEAST) } else { reported }
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_constant("BayesUct::c", self.c.into())
    }
}

/// Returns the mean and the standard deviation of Beta(1 + W, 1 + n - W).
#[inline(always)]
fn posterior(mean: f32, visits: f32) -> (f32, f32) {
    let mean = (1.0 + visits * mean) / (visits + 2.0);
    (mean, (mean * (1.0 - mean) / (visits + 3.0)).sqrt())
}
