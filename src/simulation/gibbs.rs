//! Draws from the Gibbs distribution, for policies that play each action with a probability proportional to
//! an exponential.

use crate::game::{GameFault, Rng};
use crate::math::exp;

/// Draws an action with a probability proportional to `exp(exponent)`; `None` if there are no actions. An
/// exponent of NaN is a fault of the heuristic.
///
/// Takes one pass, and no exponential overflows, because all exponents are relative to the greatest so far.
/// An infinite exponent gives finite ones the probability 0.
pub(super) fn by_exponent<A: Clone>(
    actions: impl IntoIterator<Item = A>,
    exponent: impl Fn(A) -> f64,
    rng: &mut Rng,
) -> Result<Option<A>, GameFault> {
    let (mut greatest, mut sum, mut drawn) = (f64::NEG_INFINITY, 0.0, None);
    for (index, action) in actions.into_iter().enumerate() {
        let exponent = exponent(action.clone());
        let weight = if exponent > greatest {
            sum *= exp(greatest - exponent);
            greatest = exponent;
            1.0
        } else if exponent == greatest {
            1.0
        } else if exponent.is_nan() {
            return Err(GameFault::Heuristic { index });
        } else {
            exp(exponent - greatest)
        };
        sum += weight;
        if rng.unit() * sum < weight {
            drawn = Some(action);
        }
    }
    Ok(drawn)
}

/// Draws an action with a probability proportional to its `weight`, which must not be negative, and returns
/// it with the sum of the weights. If the sum is not [normal](f64::is_normal), the weights were too large or
/// too small for a draw.
///
/// Takes two passes and one random number. If weights are table lookups, this is cheaper than a random number
/// for each.
#[inline]
pub(super) fn by_weight<A, I: IntoIterator<Item = A>>(
    actions: impl Fn() -> I,
    weight: impl Fn(&A) -> f64,
    rng: &mut Rng,
) -> (Option<A>, f64) {
    let mut sum = 0.0;
    for action in actions() {
        sum += weight(&action);
    }
    let (threshold, mut passed) = (rng.unit() * sum, 0.0);
    let passes = |action: &A| {
        passed += weight(action);
        threshold < passed
    };
    (actions().into_iter().find(passes), sum)
}
