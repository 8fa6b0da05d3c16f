//! Draws from the Gibbs distribution: for those policies that play each action with a probability in proportion to the
//! exponential of something.

use crate::game::{GameFault, Rng};
use crate::math::exp;

/// An action drawn with a probability in proportion to `exp(exponent)`, and none if there is none. An exponent that is not a
/// number is the fault of a heuristic.
///
/// One pass, and no exponential overflows: all are taken relative to the greatest exponent so far. An infinite one leaves the
/// others no chance.
pub(super) fn by_exponent<A: Copy>(
    actions: impl IntoIterator<Item = A>,
    exponent: impl Fn(A) -> f64,
    rng: &mut Rng,
) -> Result<Option<A>, GameFault> {
    let (mut greatest, mut sum, mut drawn) = (f64::NEG_INFINITY, 0.0, None);
    for (index, action) in actions.into_iter().enumerate() {
        let exponent = exponent(action);
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

/// An action drawn with a probability in proportion to its `weight`, not negative, and the sum of the weights: if that is not
/// [normal](f64::is_normal), the weights were too large or too small to be drawn by.
///
/// Two passes and one random number: cheaper where weights are looked up than a random number for each.
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
