//! The variance of rewards.

/// The variance of the recorded rewards, and `1 / sqrt(n)`, which exploration bonuses need with it. 24 bytes.
///
/// The variance is that of the rewards, even if the backpropagation changes the mean. The sums are kept in
/// double precision, so the variance is accurate to 2e-7 for any number of visits that a node can count.
///
/// ```
/// use ramure::statistics::Moments;
/// let mut moments = Moments::default();
/// for (count, reward) in [1.0, 0.0, 1.0, 1.0].into_iter().enumerate() {
///     moments = moments.with(reward, (count + 1) as f32);
/// }
/// assert_eq!((moments.variance, moments.rarity), (0.1875, 0.5));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Debug)]
#[non_exhaustive]
pub struct Moments {
    /// `1 / sqrt(n)` for `n` rewards; 0 if there are none.
    pub rarity: f32,
    /// The variance of the rewards so far, their mean square less the square of their mean; 0 if there are
    /// none.
    pub variance: f32,
    pub(crate) sum: f64,
    pub(crate) squares: f64,
}

impl Moments {
    /// Adds a reward, which makes `count` of them.
    #[inline(always)]
    #[must_use]
    pub fn with(self, reward: f32, count: f32) -> Self {
        let reward = f64::from(reward);
        let (sum, squares) = (self.sum + reward, self.squares + reward * reward);
        let part = 1.0 / f64::from(count);
        let mean = sum * part;
        let variance = (squares * part - mean * mean).max(0.0) as f32;
        Moments { rarity: 1.0 / count.sqrt(), variance, sum, squares }
    }

    /// Returns these moments with the rarity of `count` visits, some of which have no rewards yet; see
    /// [`Event::Recounted`](crate::selection::Event::Recounted).
    #[inline(always)]
    #[must_use]
    pub fn recounted(self, count: f32) -> Self {
        Moments { rarity: if count > 0.0 { 1.0 / count.sqrt() } else { 0.0 }, ..self }
    }

    /// Returns whether these can be the moments of rewards in [0, 1], up to rounding. If they can, so can
    /// those that follow when rewards are added.
    pub(super) fn is_possible(self) -> bool {
        let Moments { rarity, variance, sum, squares } = self;
        // A square is at most as great as its reward. The number of rewards is not known here: the rarity is
        // only what it was at the last visit.
        (0.0..=1.0).contains(&rarity)
            && (0.0..=0.26).contains(&variance)
            && (0.0..=(1u64 << 53) as f64).contains(&sum)
            && (0.0..=sum * 1.000_1).contains(&squares)
            && (rarity > 0.0 || (variance, sum, squares) == (0.0, 0.0, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rewards_have_a_variance_of_exactly_zero() {
        for reward in [0.1, 0.3, 0.7, 0.9, 1.0] {
            let mut moments = Moments::default();
            for count in 1..2_000 {
                moments = moments.with(reward, count as f32);
                assert!((0.0..1e-12).contains(&moments.variance), "{count} of {reward}: {moments:?}");
            }
        }
    }
}
