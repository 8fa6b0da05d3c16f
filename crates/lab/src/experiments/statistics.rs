//! The comparison of two shares, or of two scores.

use super::Failure;
use crate::contest::Estimate;
use statrs::stats_tests::{Alternative, fishers_exact};

/// How likely it is that of two equal things the first has by chance so many hits more, or so many fewer, than the
/// second: Fisher's exact test, one-sided. Each is given as hits and cases.
///
/// # Errors
///
/// There are more hits than cases.
pub fn fisher(first: (u32, u32), second: (u32, u32)) -> Result<OneSided, Failure> {
    let cells = |(hits, cases): (u32, u32)| {
        let misses = cases.checked_sub(hits).ok_or("there are more hits than cases")?;
        Ok::<_, Failure>([u64::from(hits), u64::from(misses)])
    };
    let ([a, b], [c, d]) = (cells(first)?, cells(second)?);
    let table = [a, b, c, d];
    let p = |alternative| fishers_exact(&table, alternative);
    Ok(OneSided { more: p(Alternative::Greater)?, fewer: p(Alternative::Less)? })
}

/// The two probabilities of [`fisher`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OneSided {
    /// Of so many hits more, or still more.
    pub more: f64,
    /// Of so many hits fewer, or still fewer.
    pub fewer: f64,
}

/// How much greater the first of two independent figures is: `d ± sqrt(e1² + e2²)`, with what each interval has on the side
/// in question. (Newcombe, *Interval Estimation for the Difference Between Independent Proportions*, 1998, method 10, for
/// Wilson's intervals; Zou and Donner, *Construction of Confidence Limits About Effect Measures*, 2008, for any.)
///
/// Too wide where the figures are positively correlated, as scores from the same openings may be.
pub fn difference(first: Estimate, second: Estimate) -> Estimate {
    let value = first.value - second.value;
    let root = |one: f64, other: f64| (one * one + other * other).sqrt();
    let low = value - root(first.value - first.low, second.high - second.value);
    let high = value + root(first.high - first.value, second.value - second.low);
    Estimate { value, low, high }
}
