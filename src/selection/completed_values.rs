//! The improved policy of Gumbel search, followed below the root.

use super::{Choice, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;
use crate::statistics::{KeepsPrior, ValuedPrior};
use smallvec::SmallVec;

/// The improved policy `π'`, followed without chance: the child with the greatest `π'(a) - N(a) / (1 + Σ N(b))`,
/// where `π' = softmax(logits + σ(completed q))` and `σ(q) = (c_visit + max N(b)) c_scale q`.
///
/// The logits are the logarithms of the priors. A child never visited has the completed value `v_mix = (v̂ + Σ N(b) ·
/// q̄) / (1 + Σ N(b))`, where `v̂` is what the evaluator said of the state and `q̄` the mean of the visited
/// children's values, weighted by their priors.
///
/// **Use it** below [`GumbelRoot`](super::GumbelRoot), with an evaluator; it stands alone as well. It relies on
/// priors and values: they weigh so much that a child never visited whose completed value falls behind is not
/// followed any more, in however many iterations, so that the search need not come to best play. First-play urgency
/// does not apply. **Parameters:** `c_visit`, 50, and `c_scale`, 1, by default, the paper's in board games; both
/// finite and at least 0. Values are in [0, 1], as all rewards are, and count as they are; the library mctx stretches
/// those of siblings over [0, 1] first, and has 0.1 for `c_scale`. **Stores** 8 bytes per child. **Cost:** an
/// exponential per child and visit.
///
/// An action with the prior 0 is followed only if no other is open. Proven children have no part in `π'`. Without
/// `v̂` ([`WithPriors`](crate::simulation::WithPriors)), `v_mix` is `q̄`. **Source:** Danihelka, Guez, Schrittwieser
/// and Silver, *Policy improvement by planning with Gumbel*, ICLR 2022, section 5; `σ` is its equation 8, the
/// completed values equation 10, `π'` equation 11, `v_mix` in appendix D.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CompletedValues {
    sigma: Sigma,
}

impl CompletedValues {
    /// With `c_visit` and `c_scale`, both finite and at least 0.
    pub const fn new(c_visit: f32, c_scale: f32) -> Self {
        CompletedValues { sigma: Sigma { c_visit, c_scale } }
    }
}

impl Default for CompletedValues {
    fn default() -> Self {
        CompletedValues { sigma: Sigma::USUAL }
    }
}

/// How much a value weighs against a logit: `σ`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sigma {
    pub c_visit: f32,
    pub c_scale: f32,
}

impl Sigma {
    /// Of the paper.
    pub const USUAL: Sigma = Sigma { c_visit: 50.0, c_scale: 1.0 };

    pub fn check(self, names: [&'static str; 2]) -> Result<(), ParameterError> {
        for (name, value) in names.into_iter().zip([self.c_visit, self.c_scale]) {
            let fits = (0.0..f32::INFINITY).contains(&value);
            ParameterError::unless(fits, name, f64::from(value), "finite and at least 0")?;
        }
        Ok(())
    }

    /// What goes with every value of a node whose most visited child has `most` visits.
    pub fn factor(self, most: f64) -> f64 {
        (f64::from(self.c_visit) + most) * f64::from(self.c_scale)
    }
}

/// What the children of a node say together: the value of one never visited, and the most visits.
pub(super) fn mixed_value<G: GameState, S: KeepsPrior + 'static>(node: impl Node<G, S>) -> (f64, f64) {
    let (mut raw, mut most, mut visits, mut priors, mut values) = (None, 0.0f64, 0.0, 0.0, 0.0);
    for child in node.children() {
        raw = raw.or(child.stats().value());
        let n = f64::from(child.visit_count());
        if n > 0.0 {
            // One of prior 0 can have been visited.
            let prior = f64::from(child.stats().prior().max(f32::MIN_POSITIVE));
            (most, visits) = (most.max(n), visits + n);
            (priors, values) = (priors + prior, values + prior * f64::from(child.mean()));
        }
    }
    let mean = values / priors;
    let value = match raw.map(f64::from) {
        Some(raw) if visits == 0.0 => raw,
        Some(raw) => (raw + visits * mean) / (1.0 + visits),
        None if visits == 0.0 => 0.5, // it is the same for all then
        None => mean,
    };
    (value, most)
}

impl<G: GameState> TreePolicy<G> for CompletedValues {
    type Stats = ValuedPrior;
    const FIRST_PLAY: Option<FirstPlay> = None;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, ValuedPrior>, _: &mut Rng) -> Choice {
        let (unvisited, most) = mixed_value(node);
        let factor = self.sigma.factor(most);
        let (mut visits, mut greatest) = (0.0, f64::NEG_INFINITY);
        // Choice, visits, prior, and the value times the factor.
        let mut open: SmallVec<[(Choice, f64, f64, f64); 32]> = SmallVec::new();
        for (choice, child) in node.choices() {
            let (n, prior) = (f64::from(child.visit_count()), f64::from(child.stats().prior()));
            let value = factor * if n > 0.0 { f64::from(child.mean()) } else { unvisited };
            visits += n;
            if prior > 0.0 {
                greatest = greatest.max(value);
            }
            open.push((choice, n, prior, value));
        }
        // The softmax of ln p + x is p eˣ over the sum of such; the greatest x is taken off, so that none is too large.
        let weight =
            |prior: f64, value: f64| if prior > 0.0 { prior * math::exp(value - greatest) } else { 0.0 };
        let sum: f64 = open.iter_mut().fold(0.0, |sum, (_, _, prior, value)| {
            *prior = weight(*prior, *value);
            sum + *prior
        });
        let score = |&(_, n, weight, _): &(Choice, f64, f64, f64)| {
            (if sum > 0.0 { weight / sum } else { 0.0 }) - n / (1.0 + visits)
        };
        let best = open.iter().reduce(|best, next| if score(next) > score(best) { next } else { best });
        best.map_or(Choice::UNTRIED, |&(choice, ..)| choice)
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.sigma.check(["CompletedValues::c_visit", "CompletedValues::c_scale"])
    }
}
