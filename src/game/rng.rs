//! The only random generator of the crate. It is a concrete type, so no signature needs a type parameter for
//! it.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};

/// A seeded random generator that gives the same numbers on every platform. There is no global one.
///
/// The generator is xoshiro256++ (Blackman and Vigna 2021). `Rng` implements the core trait of `rand`, so
/// every distribution of the `rand` family works with it. The methods here are those that searches and
/// rollouts need.
///
/// # Examples
///
/// ```
/// use ramure::Rng;
/// let (mut a, mut b) = (Rng::seeded(7), Rng::seeded(7));
/// assert_eq!(a.below(100), b.below(100));
/// assert!((0.0..1.0).contains(&a.unit()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "save", derive(serde::Serialize), serde(transparent))]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates a generator. `seed` fixes its whole sequence.
    pub fn seeded(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Draws an integer in `0..n`, each with a probability of `1/n` to within `n / 2^64`. Returns 0 if `n`
    /// is 0.
    #[inline(always)]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.0.next_u64()) * n as u128) >> 64) as usize
    }

    /// Returns the one of `indices` with the greatest key, or `None` if there are none. If several have it,
    /// draws one of them; otherwise draws nothing.
    ///
    /// ```
    /// let means = [0.25, 0.5, 0.5];
    /// let drawn = ramure::Rng::seeded(7).greatest(0..3, |index| means[index]);
    /// assert!(drawn == Some(1) || drawn == Some(2));
    /// ```
    pub fn greatest<K: PartialOrd>(
        &mut self,
        indices: impl Iterator<Item = usize> + Clone,
        key: impl Fn(usize) -> K,
    ) -> Option<usize> {
        let best = indices.clone().reduce(|best, index| if key(index) > key(best) { index } else { best })?;
        let mut equal = indices.filter(|&index| key(index) == key(best));
        match equal.clone().count() {
            0 | 1 => Some(best),
            count => equal.nth(self.below(count)),
        }
    }

    /// Draws a number in [0, 1), a multiple of 2^-53.
    #[inline(always)]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Draws 64 random bits.
    #[inline(always)]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Shuffles `items`. All orders are equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(feature = "save")]
#[cfg_attr(docsrs, doc(cfg(feature = "save")))]
impl<'de> serde::Deserialize<'de> for Rng {
    fn deserialize<In: serde::Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
        let rng = Xoshiro256PlusPlus::deserialize(deserializer)?;
        // All other states change with every draw: their period is 2^256 - 1.
        let mut next = rng.clone();
        next.next_u64();
        if next == rng {
            return Err(serde::de::Error::custom("the state of a random generator must not be 0"));
        }
        Ok(Rng(rng))
    }
}

impl rand::TryRng for Rng {
    type Error = core::convert::Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.0.next_u32())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}
