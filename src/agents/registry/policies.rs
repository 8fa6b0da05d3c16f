//! The policies that texts can name: an entry each.

use super::Registry;
use super::error::ReadError;
use super::parameters::Parameters;
use crate::backpropagation::{Average, Discounted};
use crate::game::{ActionIndex, GameState, StaticEvaluation};
use crate::selection::{Grave, Rave, Thompson, Ucb1, Ucb1Tuned};
use crate::simulation::{Cutoff, Mast, Uniform};
use core::f64::consts::SQRT_2;
use core::ops::Bound;

/// What each policy goes with: as `policy`, `rollout` and `backprop`.
pub(super) const BASE: [&str; 3] = ["ucb1", "uniform", "average"];

/// Those that go with every game.
pub(super) fn for_all<G: GameState + 'static>(known: Registry<G>) -> Registry<G> {
    known
        .with_policy("ucb1", "Q + c sqrt(ln N / n)", ucb1)
        .with_policy("ucb1-tuned", "c scales a bonus that knows the variance", |p| {
            let c = exploration(p, 1.0)?;
            Ok(move || Ucb1Tuned::new(c))
        })
        .with_policy("thompson", "the greatest of draws from Beta posteriors", |_| Ok(|| Thompson))
        .with_rollout("uniform", "random actions to the end", |_| Ok(|| Uniform))
        .with_backprop("average", "the mean of all rewards", |_| Ok(|| Average))
        .with_backprop("discounted", "rewards shrink towards 1/2 with every step up", |p| {
            let range = (Bound::Excluded(0.0), Bound::Included(1.0));
            let gamma = p.number("gamma", "the factor of a step", 0.99, range)? as f32;
            Ok(move || Discounted::new(gamma))
        })
}

/// Those that go with numbered actions.
pub(super) fn for_numbers<G: ActionIndex + 'static>(known: Registry<G>) -> Registry<G> {
    known
        .with_policy("grave", "AMAF values of the nearest node above with enough visits", |p| {
            let reference = p.number("ref", "how many visits are enough", 50.0, 0.0..)? as f32;
            let bias = p.number("bias", "the smaller, the longer AMAF counts", 1e-5, 0.0..)? as f32;
            Ok(move || Grave::new(reference, bias))
        })
        .with_policy("rave", "AMAF values of the node itself", |p| {
            let bias = p.number("bias", "the smaller, the longer AMAF counts", 1e-3, 0.0..)? as f32;
            Ok(move || Rave::new(bias))
        })
        .with_rollout("mast", "prefers actions that did well in other iterations", |p| {
            let epsilon = p.number("epsilon", "the probability of a random action", 0.4, 0.0..=1.0)?;
            Ok(move || Mast::new(epsilon))
        })
}

/// Those that go with a static evaluation.
pub(super) fn for_evaluation<G: StaticEvaluation + 'static>(known: Registry<G>) -> Registry<G> {
    known.with_rollout("cutoff", "random actions, then the static evaluation", |p| {
        let actions = p.count("actions", "how many at most", 8, 0..)?;
        // No rollout is as long as that.
        Ok(move || Cutoff::new(u32::try_from(actions).unwrap_or(u32::MAX)))
    })
}

/// The first of [`BASE`].
pub(super) fn ucb1(
    parameters: &mut Parameters,
) -> Result<impl Fn() -> Ucb1 + Send + Sync + use<>, ReadError> {
    let c = exploration(parameters, SQRT_2)?;
    Ok(move || Ucb1::new(c))
}

fn exploration(parameters: &mut Parameters, default: f64) -> Result<f32, ReadError> {
    Ok(parameters.number("c", "the exploration constant", default, 0.0..)? as f32)
}
