//! The arithmetic of means: sums of rewards that stay exact in four bytes beside the rounded mean.

/// The value of a reward of 1 in the fixed-point sums. Their unit is 2^-24.
const ONE: f64 = (1 << 24) as f64;

/// Adding this to a number from 0 to 2^51 leaves the nearest integer in the low bits. This is a fast
/// conversion.
const SHIFT: f64 = (1u64 << 52) as f64;

/// Below this many visits, the count is exact as an `f32`, and the sum of the rewards is below 2^51 units.
const FEW: u32 = 1 << 24;

/// By how many units per visit the rounded mean may miss the sum: [`mean_of`] rounds the sum, by less than
/// one unit per visit, and the quotient, by half a unit. The mean times the visits is then rounded to an
/// integer. From 2^24 visits on, only the quotient is rounded.
const DOUBT: u32 = 2;

/// Returns the nearest integer and its low bits, for a number from 0 to 2^51.
#[inline]
fn nearest_integer(number: f64) -> (f64, u32) {
    let shifted = number + SHIFT;
    (shifted - SHIFT, shifted.to_bits() as u32)
}

/// Returns what the rounded `mean` of `visits` rewards says about their sum: the nearest integer in units of
/// 2^-24, and its low word.
#[inline]
pub(super) fn low_word(visits: u32, mean: f32) -> (f64, u32) {
    let near = f64::from(mean) * f64::from(visits) * ONE;
    if visits < FEW {
        nearest_integer(near)
    } else {
        (near.round_ties_even(), near.round_ties_even() as u64 as u32)
    }
}

/// Returns the sum of `visits` rewards with this rounded `mean`, in units of 2^-24; `low` is the sum's low
/// word. It is exact below 2^53, and rounded to a double above.
///
/// The rounded mean gives the sum to within [`DOUBT`] units per visit, and the low word selects one of the
/// candidates, which are 2^32 apart. So no reward is lost in up to 2^31 visits.
#[inline]
pub(super) fn units(visits: u32, mean: f32, low: u32) -> f64 {
    let (near, word) = low_word(visits, mean);
    near + f64::from(low.wrapping_sub(word) as i32)
}

/// Returns the sum of `visits` rewards with this rounded `mean` and low word. If the low word is not that of
/// so many visits, because some of them have no rewards yet, returns `visits` times the mean.
#[inline]
pub(super) fn reward_sum(visits: u32, mean: f32, low: u32) -> f64 {
    let (near, word) = low_word(visits, mean);
    let correction = f64::from(low.wrapping_sub(word) as i32);
    (if correction.abs() <= f64::from(visits) * f64::from(DOUBT) { near + correction } else { near }) / ONE
}

/// Returns whether rewards can have this rounded mean and this low word. Their sum is then in range, so more
/// rewards keep it there.
#[cfg(feature = "save")]
pub(super) fn are_sums(visits: u32, mean: f32, low: u32) -> bool {
    if visits == 0 {
        return mean == 0.0 && low == 0;
    }
    if !(0.0..=f64::from(visits) * ONE).contains(&units(visits, mean, low)) {
        return false;
    }
    // From 2^29 visits on, the low word says nothing.
    let is_near = |(_, word): (f64, u32)| {
        visits >= 1 << 29 || low.wrapping_sub(word).cast_signed().unsigned_abs() <= visits * DOUBT
    };
    (0.0..=1.0).contains(&mean) && is_near(low_word(visits, mean))
}

/// Returns a reward in units of 2^-24, rounded, and the low word of that number.
#[inline]
pub(super) fn units_of(reward: f32) -> (f64, u32) {
    nearest_integer(f64::from(reward) * ONE)
}

/// Returns the sum, in units of 2^-24, of `visits` rewards with this mean.
#[cfg(test)]
pub(crate) fn sum_of(visits: u32, mean: f32) -> f64 {
    low_word(visits, mean).0
}

/// Returns the mean of `visits` rewards with this sum, in units of 2^-24.
#[inline]
pub(crate) fn mean_of(visits: u32, sum: f64) -> f32 {
    // With few visits, the division is in single precision. This is faster, but rounds twice.
    if visits < FEW {
        sum as f32 / (visits as i32 as f32 * ONE as f32)
    } else {
        (sum / (f64::from(visits) * ONE)) as f32
    }
}
