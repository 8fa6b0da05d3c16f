//! Transcendental functions that give the same bits on every platform.

use crate::game::Rng;

/// The natural logarithm of a number that is neither negative, nor subnormal, nor a NaN.
#[inline(always)]
pub(crate) fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// The natural logarithm in double precision.
pub(crate) fn ln64(x: f64) -> f64 {
    libm::log(x)
}

/// `x` to the power `y`.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// A draw from the standard normal distribution (Box and Muller 1958).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - rng.unit())).sqrt();
    radius * libm::cos(core::f64::consts::TAU * rng.unit())
}
