//! Transcendental functions that give the same bits on every platform.

use crate::game::Rng;

/// Returns the natural logarithm of `n`, or 0 if `n` is 0. Below 2048 the result is exact to rounding; above,
/// its relative error is at most 1e-5.
#[inline(always)]
pub(crate) fn ln(n: u32) -> f32 {
    if n < FEW as u32 {
        return LN_FEW[n as usize];
    }
    let (step, part) = step::<LN_STEPS>(n);
    LN[step] + part * (LN[step + 1] - LN[step])
}

/// Returns the square root of the natural logarithm of `n`. Below 2048 the result is exact to rounding;
/// above, its relative error is at most 2e-4.
///
/// The next step of a search depends on the result, and a branch on `n` would be hard to predict. So this is
/// one table lookup without a branch.
#[inline(always)]
pub(crate) fn sqrt_ln(n: u32) -> f32 {
    let many = FEW.wrapping_add(step::<ROOT_STEPS>(n).0);
    SQRT_LN[if n < FEW as u32 { n as usize } else { many } % SQRT_LN.len()]
}

/// Each number below this has its own entry.
const FEW: usize = 1 << FIRST_OCTAVE;
/// The first octave that is divided into parts.
const FIRST_OCTAVE: usize = 11;
const OCTAVES: usize = 32 - FIRST_OCTAVE;
/// `ln` divides an octave into 2^LN_STEPS equal parts, and interpolates linearly between two entries.
const LN_STEPS: u32 = 6;
/// `sqrt_ln` divides an octave into 2^ROOT_STEPS equal parts, and takes the value at the middle of the part.
const ROOT_STEPS: u32 = 8;

static LN_FEW: [f32; FEW] = tabulate(0, false);
static LN: [f32; (OCTAVES << LN_STEPS) + 1] = {
    let mut table = [0.0; (OCTAVES << LN_STEPS) + 1];
    let mut index = 0;
    while index < table.len() {
        table[index] = ln_of_step(index, LN_STEPS, 0.0) as f32;
        index += 1;
    }
    table
};
/// The length is a power of two, so that no index needs a bounds check.
static SQRT_LN: [f32; (FEW + (OCTAVES << ROOT_STEPS)).next_power_of_two()] = tabulate(ROOT_STEPS, true);

/// Returns the part that `n` is in, counted over all octaves, and the position of `n` within it, in [0, 1).
#[inline(always)]
fn step<const STEPS: u32>(n: u32) -> (usize, f32) {
    let shift = 23 - STEPS;
    let bits = (n as i32 as f32).to_bits().wrapping_sub((FEW as f32).to_bits());
    let part = (bits & ((1 << shift) - 1)) as i32 as f32 * (1.0 / (1 << shift) as f32);
    ((bits >> shift) as usize, part)
}

/// Tabulates the logarithms, or their square roots: first those of the numbers below `FEW`, then those of the
/// middles of the parts.
const fn tabulate<const N: usize>(steps: u32, root: bool) -> [f32; N] {
    let mut table = [0.0; N];
    let mut index = 2;
    while index < N {
        let ln = if index < FEW {
            let octave = (index as u32).ilog2();
            ln_of_parts(octave as usize, index as f64 / (1u64 << octave) as f64)
        } else {
            ln_of_step(index - FEW, steps, 0.5)
        };
        table[index] = if root { sqrt(ln) } else { ln } as f32;
        index += 1;
    }
    table
}

/// Returns the logarithm of the number at the position `within`, in [0, 1], of a part.
const fn ln_of_step(index: usize, steps: u32, within: f64) -> f64 {
    let (octave, step) = (FIRST_OCTAVE + (index >> steps), index & ((1 << steps) - 1));
    ln_of_parts(octave, 1.0 + (step as f64 + within) / (1 << steps) as f64)
}

const fn ln_of_parts(octave: usize, mantissa: f64) -> f64 {
    octave as f64 * core::f64::consts::LN_2 + ln_of_mantissa(mantissa)
}

/// Returns the logarithm of a number in [1, 2), by the series of the inverse hyperbolic tangent.
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

/// Returns the square root by Newton's iteration, in constants.
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

/// Returns the natural logarithm in double precision.
pub(crate) fn ln64(x: f64) -> f64 {
    libm::log(x)
}

/// Returns `x` to the power `y`.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Returns the exponential in double precision.
#[inline]
pub(crate) fn exp(x: f64) -> f64 {
    // The result rounds to 0 below -745.2. `libm` is slow there, because it raises the underflow flag.
    if x < -746.0 { 0.0 } else { libm::exp(x) }
}

/// Returns the probability that a standard normal variable is below `x`, and its density at `x`.
pub(crate) fn normal_law(x: f64) -> (f64, f64) {
    const ROOT_TAU: f64 = 2.506_628_274_631_000_7;
    (0.5 * libm::erfc(-x * core::f64::consts::FRAC_1_SQRT_2), libm::exp(-0.5 * x * x) / ROOT_TAU)
}

/// Draws from the Gamma distribution with `shape`, above 0, and scale 1 (Marsaglia and Tsang 2000).
pub(crate) fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        // Section 6 of the paper: draw with a shape larger by 1 and scale the result down.
        let more = gamma(shape + 1.0, rng);
        return more * pow(1.0 - rng.unit(), 1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = 1.0 + c * x;
        if v > 0.0 {
            let v = v * v * v;
            if ln64(1.0 - rng.unit()) < 0.5 * x * x + d - d * v + d * ln64(v) {
                return d * v;
            }
        }
    }
}

/// Draws from the standard Gumbel distribution. The item with the greatest `ln w + gumbel` is a draw in
/// proportion to the weights `w`.
pub(crate) fn gumbel(rng: &mut Rng) -> f64 {
    -ln64((-ln64(1.0 - rng.unit())).max(f64::MIN_POSITIVE))
}

/// Draws from the standard normal distribution (Box and Muller 1958).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - rng.unit())).sqrt();
    radius * libm::cos(core::f64::consts::TAU * rng.unit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_the_documented_accuracy() {
        assert_eq!((ln(0), sqrt_ln(0), ln(1), sqrt_ln(1)), (0.0, 0.0, 0.0, 0.0));
        let mut n = 2u32;
        while n < i32::MAX as u32 {
            let exact = libm::log(f64::from(n));
            let (tolerance, of_root) = if n < 2048 { (6.1e-8, 6.1e-8) } else { (1e-5, 2e-4) };
            assert!((f64::from(ln(n)) / exact - 1.0).abs() < tolerance, "ln {n}");
            assert!((f64::from(sqrt_ln(n)) / exact.sqrt() - 1.0).abs() < of_root, "sqrt ln {n}");
            n += 1 + n / 3000;
        }
    }

    #[test]
    fn the_exponential_is_that_of_libm_where_it_rounds_to_zero_too() {
        for step in -8_000..=8_000 {
            let x = f64::from(step) / 10.0;
            assert_eq!(exp(x).to_bits(), libm::exp(x).to_bits(), "exp {x}");
        }
        assert_eq!((exp(f64::NEG_INFINITY), exp(f64::INFINITY)), (0.0, f64::INFINITY));
        assert!(exp(f64::NAN).is_nan());
    }
}
