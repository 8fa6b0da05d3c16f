//! Transcendental functions that give the same bits on every platform.

use crate::game::Rng;

/// The natural logarithm of `n`, at least 1, to within a hundred-thousandth; exact to rounding below 64.
#[inline(always)]
pub(crate) fn ln(n: f32) -> f32 {
    interpolate(&LN, n)
}

/// The square root of the natural logarithm of `n`, as [`ln`] itself. Saves the root where that is all that is asked.
#[inline(always)]
pub(crate) fn sqrt_ln(n: f32) -> f32 {
    interpolate(&SQRT_LN, n)
}

/// Each octave is cut into 2^STEPS equal parts; between two entries a line is drawn.
const STEPS: u32 = 6;
const OCTAVES: usize = 32;
type Table = [f32; (OCTAVES << STEPS) + 1];

static LN: Table = tabulate(false);
static SQRT_LN: Table = tabulate(true);

#[inline(always)]
fn interpolate(table: &Table, n: f32) -> f32 {
    const SHIFT: u32 = 23 - STEPS;
    let bits = n.to_bits() - 1.0f32.to_bits();
    let index = ((bits >> SHIFT) as usize).min((OCTAVES << STEPS) - 1);
    let part = (bits & ((1 << SHIFT) - 1)) as i32 as f32 * (1.0 / (1 << SHIFT) as f32);
    table[index] + part * (table[index + 1] - table[index])
}

const fn tabulate(root: bool) -> Table {
    let mut table = [0.0; (OCTAVES << STEPS) + 1];
    let mut index = 0;
    while index < table.len() {
        let (octave, step) = (index >> STEPS, index & ((1 << STEPS) - 1));
        let mantissa = 1.0 + step as f64 / (1 << STEPS) as f64;
        let ln = octave as f64 * core::f64::consts::LN_2 + ln_of_mantissa(mantissa);
        table[index] = if root { sqrt(ln) } else { ln } as f32;
        index += 1;
    }
    table
}

/// The logarithm of a number in [1, 2), from the series of the area hyperbolic tangent.
const fn ln_of_mantissa(x: f64) -> f64 {
    let z = (x - 1.0) / (x + 1.0);
    let (mut power, mut sum, mut k) = (z, 0.0, 1);
    while k < 60 {
        sum += power / k as f64;
        power *= z * z;
        k += 2;
    }
    2.0 * sum
}

/// The square root by Newton's iteration, for constants.
const fn sqrt(x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    let (mut root, mut round) = (if x > 1.0 { x } else { 1.0 }, 0);
    while round < 40 {
        root = 0.5 * (root + x / root);
        round += 1;
    }
    root
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_true_to_a_hundred_thousandth() {
        assert_eq!((ln(1.0), sqrt_ln(1.0)), (0.0, 0.0));
        let mut n = 2u32;
        while n < i32::MAX as u32 {
            let exact = libm::log(f64::from(n));
            let tolerance = if n < 64 { 2e-7 } else { 1e-5 };
            assert!((f64::from(ln(n as f32)) / exact - 1.0).abs() < tolerance, "ln {n}");
            assert!((f64::from(sqrt_ln(n as f32)) / exact.sqrt() - 1.0).abs() < tolerance, "sqrt ln {n}");
            n += 1 + n / 500;
        }
    }
}
