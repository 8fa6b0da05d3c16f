//! The empirical likelihood of a mean, given the observations.

use crate::several::extent;

/// The greatest log-likelihood of a distribution over the observed values with the given `mean`, minus the
/// greatest without that condition; at most 0. `counts` holds the values and how often each was observed. The
/// mean must lie strictly between the least and the greatest value.
///
/// The likeliest distribution gives a value v with count c the probability `c / (n (1 + λ (v - mean)))`,
/// where λ is the only root of `Σ c (v - mean) / (1 + λ (v - mean)) = 0` (Owen, *Empirical likelihood ratio
/// confidence intervals for a single functional*, 1988). So the result is `-Σ c ln(1 + λ (v - mean))`.
pub(super) fn profile(counts: &[(f64, f64)], mean: f64) -> f64 {
    let lambda = multiplier(counts, mean);
    -counts.iter().map(|&(value, count)| count * libm::log(1.0 + lambda * (value - mean))).sum::<f64>()
}

/// The root λ, by Newton's steps, and by bisection where a step would leave the interval that contains the
/// root.
fn multiplier(counts: &[(f64, f64)], mean: f64) -> f64 {
    let (least, greatest) = extent(counts.iter().map(|&(value, _)| value));
    // Between these bounds all probabilities are positive, and the sum falls from infinity to minus infinity.
    let (mut low, mut high) = (1.0 / (mean - greatest), 1.0 / (mean - least));
    let mut lambda = 0.0;
    for _ in 0..ROUNDS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for &(value, count) in counts {
            let share = (value - mean) / (1.0 + lambda * (value - mean));
            sum += count * share;
            slope -= count * share * share;
        }
        if sum > 0.0 {
            low = lambda;
        } else {
            high = lambda;
        }
        let step = lambda - sum / slope;
        let next = if low < step && step < high { step } else { 0.5 * (low + high) };
        if (next - lambda).abs() <= 1e-13 * next.abs() {
            break;
        }
        lambda = next;
    }
    lambda
}

/// More than bisection alone needs for any mean that is not within a millionth of the bounds.
const ROUNDS: usize = 100;

#[cfg(test)]
mod tests {
    use super::profile;

    /// With two values, the mean determines both probabilities.
    #[test]
    fn the_likelihood_of_two_values_is_that_of_a_coin() {
        for (zeros, ones) in [(1.0, 1.0), (1e-3, 1e9), (1e9, 1e-3), (1e-3, 1e-3), (3.0, 17.0)] {
            for mean in [1e-5, 0.01, 0.3, 0.5, 0.92, 1.0 - 1e-5] {
                let n: f64 = zeros + ones;
                let coin = zeros * libm::log(n * (1.0 - mean) / zeros) + ones * libm::log(n * mean / ones);
                let found = profile(&[(0.0, zeros), (1.0, ones)], mean);
                assert!(
                    (found - coin).abs() <= 1e-9 * coin.abs().max(1.0),
                    "{zeros}, {ones}, {mean}: {found} and {coin}"
                );
            }
        }
    }

    #[test]
    fn the_observed_mean_is_the_likeliest() {
        let counts = [(0.0, 4.0), (0.25, 7.0), (0.5, 1e-3), (0.9, 12.0), (1.0, 3.0)];
        let n: f64 = counts.iter().map(|(_, count)| count).sum();
        let mean = counts.iter().map(|(value, count)| value * count).sum::<f64>() / n;
        assert!(profile(&counts, mean).abs() < 1e-12);
        let falls = |means: [f64; 4]| means.map(|mean| profile(&counts, mean)).is_sorted_by(|a, b| a > b);
        assert!(falls([mean, mean + 0.1, mean + 0.2, 0.9]) && falls([mean, mean - 0.1, mean - 0.2, 0.1]));
    }
}
