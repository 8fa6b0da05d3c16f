//! The improved policy of Gumbel search, used below the root.

use super::{Child, Choice, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;
use crate::statistics::{KeepsPrior, ValuedPrior};
use smallvec::SmallVec;

/// Follows the improved policy `π'` deterministically: selects the child with the greatest
/// `π'(a) - N(a) / (1 + Σ N(b))`, where `π' = softmax(logits + σ(completed q))` and
/// `σ(q) = (c_visit + max N(b)) c_scale q`.
///
/// The logits are the logarithms of the priors. An unvisited child has the completed value `v_mix = (v̂ + Σ
/// N(b) · q̄) / (1 + Σ N(b))`, where `v̂` is the evaluator's value of the state and `q̄` is the mean of the
/// visited children's values, weighted by their priors. Without `v̂`
/// ([`WithPriors`](crate::simulation::WithPriors)), `v_mix` is `q̄`.
///
/// **Use it** below [`GumbelRoot`](super::GumbelRoot), with an evaluator; it also works alone. It relies on
/// priors and values. They weigh so much that an unvisited child whose completed value falls behind is never
/// followed again, in however many iterations, so the search need not converge to best play. First-play
/// urgency does not apply.
///
/// **Parameters:** `c_visit`, 50, and `c_scale`, 1, by default, as in the paper for board games. Both must be
/// finite and at least 0. Values are in [0, 1], as all rewards are, and are used unchanged, as in the paper;
/// [`rescaled`](Self::rescaled) stretches the values of siblings over [0, 1] first, as the library mctx does,
/// and stands in for [deviations](super::Exploration).
/// **Stores** 8 bytes per child. **Cost:** an exponential per child and visit.
///
/// An action with the prior 0 is followed only if no other action is open. Proven children take no part in
/// the `π'` that selection follows. The `π'` in the [report](crate::Report::improved_policy) uses
/// their proven values.
///
/// **Source:** Danihelka, Guez, Schrittwieser and Silver, *Policy improvement by planning with Gumbel*, ICLR
/// 2022, section 5. `σ` is its equation 8, the completed values are equation 10, `π'` is equation 11, and
/// `v_mix` is in appendix D.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CompletedValues {
    pub(super) sigma: Sigma,
}

impl CompletedValues {
    /// Creates the policy with `c_visit` and `c_scale`, both finite and at least 0.
    pub const fn new(c_visit: f32, c_scale: f32) -> Self {
        CompletedValues { sigma: Sigma::new(c_visit, c_scale) }
    }

    /// Stretches the completed values of siblings over [0, 1] before `σ` weighs them:
    /// `(q - min q) / max(max q - min q, 1e-8)`. \[Default: values are used unchanged\]
    ///
    /// The library mctx does so by default. There `c_scale` is 0.1, so mctx's defaults are
    /// `CompletedValues::new(50.0, 0.1).rescaled()`.
    #[must_use]
    pub const fn rescaled(mut self) -> Self {
        self.sigma.is_rescaled = true;
        self
    }
}

impl Default for CompletedValues {
    fn default() -> Self {
        CompletedValues { sigma: Sigma::USUAL }
    }
}

/// The weight of a value against a logit: `σ`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sigma {
    pub c_visit: f32,
    pub c_scale: f32,
    /// Whether the completed values of siblings are stretched over [0, 1].
    pub is_rescaled: bool,
}

impl Sigma {
    /// The values of the paper.
    pub const USUAL: Sigma = Sigma::new(50.0, 1.0);

    pub const fn new(c_visit: f32, c_scale: f32) -> Self {
        Sigma { c_visit, c_scale, is_rescaled: false }
    }

    pub fn check(self, names: [&'static str; 2]) -> Result<(), ParameterError> {
        for (name, value) in names.into_iter().zip([self.c_visit, self.c_scale]) {
            ParameterError::unless_in(0.0..f64::INFINITY, name, value, "finite and at least 0")?;
        }
        Ok(())
    }

    /// Returns `σ` at a node with these children.
    pub fn at<I: Iterator<Item = Arm>>(self, children: impl Fn() -> I) -> SigmaAt {
        let (unvisited, most) = mixed_value(children());
        let factor = (f64::from(self.c_visit) + most) * f64::from(self.c_scale);
        if !self.is_rescaled {
            return SigmaAt { unvisited, least: 0.0, factor };
        }
        let values = children().map(|child| child.value.unwrap_or(unvisited));
        let bounds = (f64::INFINITY, f64::NEG_INFINITY);
        let (least, greatest) = values.fold(bounds, |(low, high), value| (low.min(value), high.max(value)));
        SigmaAt { unvisited, least, factor: factor / (greatest - least).max(EPSILON) }
    }
}

/// The lower limit for the range of values in the division, as in mctx.
const EPSILON: f64 = 1e-8;

/// `σ` at a node: `factor (q - least)`.
#[derive(Clone, Copy)]
pub(super) struct SigmaAt {
    /// The completed value of an unvisited child.
    unvisited: f64,
    least: f64,
    factor: f64,
}

impl SigmaAt {
    /// Returns `σ` of the completed value of a child.
    pub fn of(self, child: Arm) -> f64 {
        self.factor * (child.value.unwrap_or(self.unvisited) - self.least)
    }
}

/// The properties of a child on which `π'` depends.
#[derive(Clone, Copy)]
pub(super) struct Arm {
    /// The evaluator's value of the parent, if the statistics keep it.
    raw: Option<f32>,
    prior: f64,
    pub visits: f64,
    /// `None` before the first visit.
    value: Option<f64>,
}

impl Arm {
    pub fn of<A: Clone, S: KeepsPrior>(child: Child<'_, A, S>) -> Self {
        let (stats, count) = (child.stats(), child.visit_count());
        Arm {
            raw: stats.value(),
            prior: f64::from(stats.prior()),
            visits: f64::from(count),
            value: (count > 0).then(|| f64::from(child.mean())),
        }
    }

    /// Replaces the value by a proven one, if there is one.
    fn proven(self, proof: Option<f32>) -> Self {
        Arm { value: proof.map(f64::from).or(self.value), ..self }
    }
}

/// Returns the value of an unvisited child and the greatest number of visits.
fn mixed_value(children: impl Iterator<Item = Arm>) -> (f64, f64) {
    let (mut raw, mut most, mut visits, mut priors, mut values) = (None, 0.0f64, 0.0, 0.0, 0.0);
    children.for_each(|child| {
        raw = raw.or(child.raw);
        if child.visits > 0.0
            && let Some(value) = child.value
        {
            // A child with the prior 0 may have been visited.
            let prior = child.prior.max(f64::from(f32::MIN_POSITIVE));
            (most, visits) = (most.max(child.visits), visits + child.visits);
            (priors, values) = (priors + prior, values + prior * value);
        }
    });
    let mean = values / priors;
    let value = match raw.map(f64::from) {
        Some(raw) if visits == 0.0 => raw,
        Some(raw) => (raw + visits * mean) / (1.0 + visits),
        None if visits == 0.0 => 0.5, // the same for all children, so any value will do
        None => mean,
    };
    (value, most)
}

/// Replaces the prior of each child by its probability in `π'`, `softmax(ln P + σ)`, given pairs of its prior
/// and its value of `σ`. All probabilities are 0 if all priors are 0.
fn softmax(arms: &mut [(f64, f64)]) {
    let likely = arms.iter().filter(|&&(prior, _)| prior > 0.0);
    let greatest = likely.map(|&(_, sigma)| sigma).fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (prior, sigma) in &mut *arms {
        // The softmax of ln p + x is p eˣ divided by the sum of these terms. Subtracting the greatest x
        // prevents overflow.
        *prior = if *prior > 0.0 { *prior * math::exp(*sigma - greatest) } else { 0.0 };
        sum += *prior;
    }
    if sum > 0.0 {
        arms.iter_mut().for_each(|(weight, _)| *weight /= sum);
    }
}

/// Returns `π'` at the root.
pub(super) fn improved<G: GameState, S: KeepsPrior + 'static>(
    sigma: Sigma,
    root: impl Node<G, S>,
    worths: &[Option<f32>],
) -> Vec<f32> {
    let worths = worths.iter().copied().chain(core::iter::repeat(None));
    let arms: Vec<Arm> =
        root.children().zip(worths).map(|(child, worth)| Arm::of(child).proven(worth)).collect();
    let sigma = sigma.at(|| arms.iter().copied());
    let mut improved: Vec<(f64, f64)> = arms.iter().map(|&arm| (arm.prior, sigma.of(arm))).collect();
    softmax(&mut improved);
    improved.into_iter().map(|(share, _)| share as f32).collect()
}

impl<G: GameState> TreePolicy<G> for CompletedValues {
    type Stats = ValuedPrior;
    const FIRST_PLAY: Option<FirstPlay> = None;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, ValuedPrior>, _: &mut Rng) -> Choice {
        let sigma = self.sigma.at(|| node.children().map(Arm::of));
        // Pushed in place, because collecting a `SmallVec` copies all of it.
        let mut open: SmallVec<[(Choice, f64); 32]> = SmallVec::new();
        let mut improved: SmallVec<[(f64, f64); 32]> = SmallVec::new();
        let mut visits = 0.0;
        node.choices().for_each(|(choice, child)| {
            let arm = Arm::of(child);
            visits += arm.visits;
            open.push((choice, arm.visits));
            improved.push((arm.prior, sigma.of(arm)));
        });
        softmax(&mut improved);
        let scored = open
            .iter()
            .zip(&improved)
            .map(|(&(choice, count), (share, _))| (choice, share - count / (1.0 + visits)));
        let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or(Choice::UNTRIED, |(choice, _)| choice)
    }

    fn improved_policy(&self, root: impl Node<G, ValuedPrior>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        Some(improved(self.sigma, root, worths))
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.sigma.check(["CompletedValues::c_visit", "CompletedValues::c_scale"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_softmax_covers_actions_with_a_prior_for_any_values() {
        let of = |arms: &[(f64, f64)]| {
            let mut arms = arms.to_vec();
            softmax(&mut arms);
            arms.into_iter().map(|(share, _)| share).collect::<Vec<_>>()
        };
        let e = core::f64::consts::E;
        for shift in [0.0, -5_000.0, 5_000.0] {
            let found = of(&[(0.5, shift + 1.0), (0.25, shift), (0.25, shift)]);
            for (found, expected) in found.into_iter().zip([e / (e + 1.0), 0.5 / (e + 1.0), 0.5 / (e + 1.0)])
            {
                assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
            }
        }
        assert_eq!(of(&[(0.0, 1e6), (1.0, 0.0)]), [0.0, 1.0]);
        assert_eq!(of(&[(0.0, 1.0), (0.0, 2.0)]), [0.0, 0.0]);
    }

    #[test]
    fn the_mixed_value_is_that_of_the_paper_even_with_zero_priors() {
        let arm = |raw, prior, visits, value| Arm { raw, prior, visits, value };
        let mixed = |arms: &[Arm]| mixed_value(arms.iter().copied());
        // Appendix D of the paper: the value of the network and the mean of the visited children, weighted by
        // priors.
        let arms = [
            arm(Some(0.25), 0.5, 3.0, Some(0.75)),
            arm(Some(0.25), 0.25, 1.0, Some(0.0)),
            arm(None, 0.25, 0.0, None),
        ];
        let (value, most) = mixed(&arms);
        assert!((value - (0.25 + 4.0 * 0.5) / 5.0).abs() < 1e-7 && most == 3.0, "{value}");
        assert_eq!(mixed(&[arm(Some(0.25), 0.5, 0.0, None)]).0, 0.25);
        assert!((mixed(&[arm(None, 0.0, 3.0, Some(0.75)), arm(None, 1.0, 0.0, None)]).0 - 0.75).abs() < 1e-7);
    }
}
