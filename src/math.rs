//! Transcendental functions that give the same bits on every platform.

use crate::game::Rng;

/// The natural logarithm of `n`, or 0 of 0: exact to rounding below 2048, to within a hundred-thousandth above.
#[inline(always)]
pub(crate) fn ln(n: u32) -> f32 {
    if n < SMALL as u32 { LN_SMALL[n as usize] } else { interpolate(&LN, n) }
}

/// The square root of the natural logarithm of `n`, as [`ln`] itself.
///
/// The next step of a search waits for this, and most nodes have few visits: a look into a table is the quickest.
#[inline(always)]
pub(crate) fn sqrt_ln(n: u32) -> f32 {
    if n < SMALL as u32 { SQRT_LN_SMALL[n as usize] } else { interpolate(&SQRT_LN, n) }
}

const SMALL: usize = 1 << FIRST_OCTAVE;
static LN_SMALL: [f32; SMALL] = tabulate_small(false);
static SQRT_LN_SMALL: [f32; SMALL] = tabulate_small(true);

/// From this octave on, each is cut into 2^STEPS equal parts; between two entries a line is drawn.
const FIRST_OCTAVE: usize = 11;
const STEPS: u32 = 6;
const ENTRIES: usize = (32 - FIRST_OCTAVE) << STEPS;
type Table = [f32; ENTRIES + 1];

static LN: Table = tabulate(false);
static SQRT_LN: Table = tabulate(true);

#[inline(always)]
fn interpolate(table: &Table, n: u32) -> f32 {
    const SHIFT: u32 = 23 - STEPS;
    let bits = (n as f32).to_bits() - (SMALL as f32).to_bits();
    let index = ((bits >> SHIFT) as usize).min(ENTRIES - 1);
    let part = (bits & ((1 << SHIFT) - 1)) as i32 as f32 * (1.0 / (1 << SHIFT) as f32);
    table[index] + part * (table[index + 1] - table[index])
}

const fn tabulate_small(root: bool) -> [f32; SMALL] {
    let mut table = [0.0; SMALL];
    let mut n = 2;
    while n < SMALL {
        let octave = n.ilog2();
        let ln = octave as f64 * core::f64::consts::LN_2 + ln_of_mantissa(n as f64 / (1u64 << octave) as f64);
        table[n] = if root { sqrt(ln) } else { ln } as f32;
        n += 1;
    }
    table
}

const fn tabulate(root: bool) -> Table {
    let mut table = [0.0; ENTRIES + 1];
    let mut index = 0;
    while index < table.len() {
        let (octave, step) = (FIRST_OCTAVE + (index >> STEPS), index & ((1 << STEPS) - 1));
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
    while k < 40 {
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
    while round < 9 {
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
        assert_eq!((ln(0), sqrt_ln(0), ln(1), sqrt_ln(1)), (0.0, 0.0, 0.0, 0.0));
        let mut n = 2u32;
        while n < i32::MAX as u32 {
            let exact = libm::log(f64::from(n));
            let tolerance = if n < 2048 { 6.1e-8 } else { 1e-5 };
            assert!((f64::from(ln(n)) / exact - 1.0).abs() < tolerance, "ln {n}");
            assert!((f64::from(sqrt_ln(n)) / exact.sqrt() - 1.0).abs() < tolerance, "sqrt ln {n}");
            n += 1 + n / 3000;
        }
    }
}
