//! The comparison of two shares, or of two scores; means in words.

use super::Failure;
use crate::contest::Estimate;
use statrs::stats_tests::{Alternative, fishers_exact};

/// Fisher's exact test, one-sided: if both have the same rate of hits, the probability that the first has by chance at least as
/// many more, or at least as many fewer, hits than the second. Each argument is a pair of hits and cases.
///
/// # Errors
///
/// Returns an error if there are more hits than cases.
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

/// Writes the mean of so many samples, with its interval: `0.52 [0.48, 0.56]`. A single sample has no interval: `0.52`.
pub fn mean_in_words(mean: Estimate, samples: usize, digits: usize) -> String {
    match samples {
        1 => format!("{:.digits$}", mean.value),
        _ => format!("{mean:.digits$}"),
    }
}

/// The two probabilities of [`fisher`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OneSided {
    /// The probability of the observed number of hits, or more.
    pub more: f64,
    /// The probability of the observed number of hits, or fewer.
    pub fewer: f64,
}

/// The difference of two independent figures, the first minus the second: `d ± sqrt(e1² + e2²)`, with the half of each interval
/// on the side in question. (Newcombe, *Interval Estimation for the Difference Between Independent Proportions*, 1998, method
/// 10, for Wilson's intervals; Zou and Donner, *Construction of Confidence Limits About Effect Measures*, 2008, for any.)
///
/// The interval is too wide if the figures are positively correlated, as scores from the same openings may be.
pub fn difference(first: Estimate, second: Estimate) -> Estimate {
    let value = first.value - second.value;
    let root = |one: f64, other: f64| (one * one + other * other).sqrt();
    let low = value - root(first.value - first.low, second.high - second.value);
    let high = value + root(first.high - first.value, second.value - second.low);
    Estimate { value, low, high }
}
