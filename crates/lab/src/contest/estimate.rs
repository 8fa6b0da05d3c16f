//! Estimates: figures with confidence intervals.

use core::fmt;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A figure with its 95 % confidence interval: out of 100 such intervals, 95 contain the true figure.
///
/// Printed with three decimals, or with the precision of the format.
///
/// ```
/// use ramure_lab::contest::Estimate;
///
/// let score = Estimate::wilson(70.0, 100).ok_or("no game was played")?;
/// assert_eq!(score.to_string(), "0.700 [0.604, 0.781]");
/// assert_eq!(format!("{score:.1}"), "0.7 [0.6, 0.8]");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Estimates a probability from `successes` in `trials` independent trials, with the score interval
    /// `(p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)`, where `p = successes / n` and z = 1.96.
    ///
    /// Successes may be fractions: the result is then a conservative interval of the mean of rewards in [0,
    /// 1], whose variance is never greater than the `p(1-p)` of a coin. `None` if there are no trials, or if
    /// the successes do not lie in [0, trials].
    ///
    /// **Source:** Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, 1927.
    ///
    /// ```
    /// use ramure_lab::contest::Estimate;
    ///
    /// let all_won = Estimate::wilson(20.0, 20).ok_or("no game was played")?;
    /// assert_eq!(all_won.to_string(), "1.000 [0.839, 1.000]");
    /// assert_eq!(Estimate::wilson(0.0, 0), None);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn wilson(successes: f64, trials: u64) -> Option<Self> {
        let n = trials as f64;
        if trials == 0 || !(0.0..=n).contains(&successes) {
            return None;
        }
        let value = successes / n;
        let scale = 1.0 / (1.0 + Z * Z / n);
        let centre = value + Z * Z / (2.0 * n);
        let spread = Z * (value * (1.0 - value) / n + Z * Z / (4.0 * n * n)).sqrt();
        // At 0 and at 1 the exact interval ends there; only rounding could move it.
        let low = if value == 0.0 { 0.0 } else { (centre - spread) * scale };
        let high = if value == 1.0 { 1.0 } else { (centre + spread) * scale };
        Some(Estimate { value, low, high })
    }

    /// Estimates a mean from independent samples of any unit and size: `m ± t s / sqrt(n)`, with the samples'
    /// standard deviation s and the quantile t of Student's distribution with n - 1 degrees of freedom.
    ///
    /// The interval is exact for normal samples, and good for any distribution from about thirty samples on.
    /// Samples that are all equal give an interval of zero width, because they show no variance. `None` for
    /// fewer than two samples, and if a sample is not finite.
    ///
    /// **Source:** Student, *The Probable Error of a Mean*, 1908.
    ///
    /// ```
    /// use ramure_lab::contest::Estimate;
    ///
    /// let millis = Estimate::mean(&[9.0, 10.0, 11.0]).ok_or("too few samples")?;
    /// assert_eq!(format!("{millis:.2}"), "10.00 [7.52, 12.48]");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn mean(samples: &[f64]) -> Option<Self> {
        let n = samples.len() as f64;
        let value = samples.iter().sum::<f64>() / n;
        let squares: f64 = samples.iter().map(|sample| (sample - value) * (sample - value)).sum();
        if samples.len() < 2 || !squares.is_finite() {
            return None;
        }
        let spread = student(n - 1.0)? * (squares / (n - 1.0) / n).sqrt();
        Some(Estimate { value, low: value - spread, high: value + spread })
    }

    /// Estimates the score of an agent, in points per game, from its scores in [0, 1] in games played in
    /// groups: pairs with the same opening and swapped seats.
    ///
    /// The games of a group are not independent, but the groups are. So the interval comes from the variance
    /// of the groups' means: `m ± t s / sqrt(g)` with g groups and Student's t with g - 1 degrees of freedom.
    /// An opening that favours a seat does not widen the interval, because each agent played it from both
    /// seats. (Groups of different sizes are weighted by their games: m is points over games, and the
    /// deviation of a group is the difference between its points and m times its games; Cochran, *Sampling
    /// Techniques*, 1977, on ratio estimates.)
    ///
    /// In the following cases it is [`wilson`](Self::wilson) over the single games instead:
    ///
    /// - No game was drawn, that is, all scores are 0 or 1. Each game is then a coin toss. Wilson's interval
    ///   keeps its coverage near 0 and 1 too, where contests against weak agents end and where Student's
    ///   loses it (Brown, Cai and DasGupta, *Interval Estimation for a Binomial Proportion*, 2001). For pairs
    ///   it is correct or too wide: an opening that helps an agent in one game hurts it in the other, so the
    ///   two scores are independent or negatively correlated. It is too narrow, by a factor of at most the
    ///   square root of the group's size, if an agent understands some openings from both seats and not
    ///   others.
    /// - Student's interval would leave [0, 1]. A single draw among many wins should not change the result
    ///   much. Wilson's interval is conservative here, since no score in [0, 1] varies more than a coin toss
    ///   with the same mean.
    /// - All groups have the same mean, or there is only one group, so that they show no variance. Games are
    ///   then assumed to be independent.
    ///
    /// `None` if there is no game, or if a score lies outside of [0, 1]. Groups without games do not count.
    ///
    /// ```
    /// use ramure_lab::contest::Estimate;
    ///
    /// // Seat 0 wins every opening: no agent is better. Pairs show it, where single games would not.
    /// let mut pairs = vec![[1.0, 0.0]; 20];
    /// pairs.extend([[1.0, 0.5], [0.5, 0.0]]);
    /// let score = Estimate::score(&pairs).ok_or("no game was played")?;
    /// assert_eq!(score.to_string(), "0.500 [0.466, 0.534]");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn score<T: AsRef<[f64]>>(groups: impl IntoIterator<Item = T>) -> Option<Self> {
        let (mut sums, mut games, mut drawn) = (Vec::new(), 0, false);
        for group in groups {
            let scores = group.as_ref();
            if scores.iter().any(|score| !(0.0..=1.0).contains(score)) {
                return None;
            }
            if !scores.is_empty() {
                sums.push((scores.iter().sum::<f64>(), scores.len() as f64));
                games += scores.len() as u64;
                drawn |= scores.iter().any(|&score| score != 0.0 && score != 1.0);
            }
        }
        let points: f64 = sums.iter().map(|(sum, _)| sum).sum();
        let single = || Estimate::wilson(points.min(games as f64), games);
        let g = sums.len() as f64;
        if !drawn || sums.len() < 2 {
            return single();
        }
        let value = points / games as f64;
        let squares: f64 = sums.iter().map(|(sum, size)| (sum - value * size) * (sum - value * size)).sum();
        let error = (squares * g / (g - 1.0)).sqrt() / games as f64;
        // Equal means may differ by rounding.
        if error < 1e-12 {
            return single();
        }
        let spread = student(g - 1.0)? * error;
        if value - spread < 0.0 || value + spread > 1.0 {
            return single();
        }
        Some(Estimate { value, low: value - spread, high: value + spread })
    }

    /// Restricts the figure and the interval to `low..=high`, for figures that cannot lie outside. The
    /// intervals of [`mean`](Self::mean) know no such bounds.
    ///
    /// ```
    /// use ramure_lab::contest::Estimate;
    ///
    /// let share = Estimate::mean(&[0.9, 1.0]).ok_or("too few samples")?;
    /// assert_eq!(share.to_string(), "0.950 [0.315, 1.585]");
    /// assert_eq!(share.within(0.0, 1.0).to_string(), "0.950 [0.315, 1.000]");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn within(self, low: f64, high: f64) -> Self {
        // Not `clamp`, which panics if the bounds are swapped or NaN.
        self.map(|figure| figure.max(low).min(high))
    }

    /// Applies a function that does not fall to the figure and both ends of the interval, for example to
    /// convert units.
    ///
    /// ```
    /// use ramure_lab::contest::Estimate;
    ///
    /// let share = Estimate { value: 0.5, low: 0.25, high: 0.75 };
    /// assert_eq!(format!("{:.0} %", share.map(|share| 100.0 * share)), "50 [25, 75] %");
    /// ```
    pub fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Estimate { value: function(self.value), low: function(self.low), high: function(self.high) }
    }

    /// Returns by how much this figure is greater than an independent one: `d ± sqrt(e1² + e2²)`, with the
    /// half of each interval on the side in question.
    ///
    /// The interval is too wide if the figures are positively correlated, as scores from the same openings
    /// may be.
    ///
    /// **Sources:** Newcombe, *Interval Estimation for the Difference Between Independent Proportions*, 1998,
    /// method 10, for Wilson's intervals; Zou and Donner, *Construction of Confidence Limits About Effect
    /// Measures*, 2008, for any.
    ///
    /// ```
    /// use ramure_lab::contest::Estimate;
    ///
    /// let [one, other] = [56.0, 35.0].map(|wins| Estimate::wilson(wins, 70).expect("games were played"));
    /// assert_eq!(one.minus(other).to_string(), "0.300 [0.143, 0.438]");
    /// ```
    pub fn minus(self, other: Estimate) -> Self {
        let value = self.value - other.value;
        let root = |one: f64, other: f64| (one * one + other * other).sqrt();
        let low = value - root(self.value - self.low, other.high - other.value);
        let high = value + root(self.high - self.value, other.value - other.low);
        Estimate { value, low, high }
    }

    /// An estimate from a figure that is normally distributed around the true one with this standard
    /// deviation.
    pub(super) fn normal(value: f64, deviation: f64) -> Self {
        Estimate { value, low: value - Z * deviation, high: value + Z * deviation }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(3);
        let [value, low, high] = [self.value, self.low, self.high].map(|figure| {
            let text = format!("{figure:.digits$}");
            // A figure that is rounded to zero has no sign.
            let is_zero = !text.contains(|c: char| c.is_ascii_alphabetic() || ('1'..='9').contains(&c));
            if is_zero { text.trim_start_matches('-').to_owned() } else { text }
        });
        write!(f, "{value} [{low}, {high}]")
    }
}

/// 95 % of a normal distribution lie within this many standard deviations of its mean.
const Z: f64 = 1.959_963_984_540_054;

/// 95 % of Student's distribution with this many degrees of freedom lie between minus and plus this value.
fn student(freedom: f64) -> Option<f64> {
    // For more degrees of freedom, the quantile of `statrs` loses digits, and the series (Abramowitz and
    // Stegun, 26.7.5) has all of them.
    if freedom < 1000.0 {
        return Some(StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(0.975));
    }
    let square = Z * Z;
    let first = (square + 1.0) / 4.0;
    let second = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    Some(Z * (1.0 + (first + second / freedom) / freedom))
}

#[cfg(test)]
mod tests {
    use super::{Z, student};
    use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

    #[test]
    fn the_quantiles_match_published_tables() {
        let normal = Normal::new(0.0, 1.0).expect("standard");
        assert!((normal.inverse_cdf(0.975) - Z).abs() < 1e-9);
        // The column of two-sided 5 % in Student's table.
        for (freedom, t) in
            [(1.0, 12.706), (2.0, 4.303), (5.0, 2.571), (10.0, 2.228), (30.0, 2.042), (120.0, 1.980)]
        {
            assert!((student(freedom).expect("degrees of freedom") - t).abs() < 5e-4, "{freedom}");
        }
    }

    #[test]
    fn the_quantiles_invert_the_distribution_on_either_side_of_the_series() {
        for freedom in [3.0, 50.0, 999.0, 1000.0, 5000.0, 50_000.0] {
            let distribution = StudentsT::new(0.0, 1.0, freedom).expect("degrees of freedom");
            let reached = distribution.cdf(student(freedom).expect("degrees of freedom"));
            assert!((reached - 0.975).abs() < 1e-9, "{freedom}: {reached}");
        }
    }
}
