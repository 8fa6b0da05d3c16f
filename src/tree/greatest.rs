//! The greatest of eight values.

use super::LANES;
use core::array::from_fn;
use wide::f32x8;

/// The value of a lane that cannot be chosen, and the lowest value of a lane that can.
pub(crate) const LEAST: f32 = f32::MIN;

/// The greatest value that each lane may have, by the number of lanes shown.
const MOST: [[f32; LANES]; 2 * LANES] = {
    let mut table = [[LEAST; LANES]; 2 * LANES];
    let mut shown = 0;
    while shown < 2 * LANES {
        let mut lane = 0;
        while lane < shown && lane < LANES {
            table[shown][lane] = f32::INFINITY;
            lane += 1;
        }
        shown += 1;
    }
    table
};

/// Returns the greatest value among the first `shown` lanes whose bit in `closed` is not set, and its lane.
/// Ties go to the first lane. Returns [`LEAST`] if there is no such lane; NaN counts as [`LEAST`].
#[inline]
pub(crate) fn greatest(values: [f32; LANES], shown: usize, closed: u8) -> (f32, usize) {
    let most = MOST[shown % (2 * LANES)];
    let mut values = f32x8::new(from_fn(|lane| min(max(values[lane], LEAST), most[lane])));
    if closed != 0 {
        let mut open = values.to_array();
        for (lane, value) in open.iter_mut().enumerate() {
            if closed >> lane & 1 != 0 {
                *value = LEAST;
            }
        }
        values = f32x8::new(open);
    }
    let [a, b, c, d, e, f, g, h] = values.to_array();
    let greatest = max(max(max(a, e), max(c, g)), max(max(b, f), max(d, h)));
    let equal = values.simd_eq(f32x8::splat(greatest)).to_bitmask();
    (greatest, equal.trailing_zeros() as usize)
}

/// Returns the first number if it is greater, and otherwise the second, also if one of them is NaN. This is
/// one vector instruction for all lanes, unlike `f32::max`, and gives the same result on every platform,
/// unlike the maxima of `wide`.
#[inline]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the first number if it is less, and otherwise the second.
#[inline]
fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_first_open_lane() {
        let values = [1.0, 5.0, f32::NAN, 5.0, f32::INFINITY, 7.0, 0.0, 9.0];
        assert_eq!(greatest(values, 8, 0), (f32::INFINITY, 4));
        assert_eq!(greatest(values, 4, 0), (5.0, 1));
        assert_eq!(greatest(values, 4, 0b0010), (5.0, 3));
        assert_eq!(greatest(values, 8, 0b1011_0000), (5.0, 1));
        assert_eq!(greatest(values, 3, 0b0011).0, LEAST);
        assert_eq!(greatest([f32::NAN; 8], 8, 0).0, LEAST);
        assert_eq!(greatest([-1.0; 8], 8, 0), (-1.0, 0));
    }
}
