//! Statistics as 32-bit words.

use super::{ActionHistory, Amaf, Knowledge, Moments, Prior, RunningMean, ValuedPrior, VisitBudget};

/// Plain numbers that convert to 32-bit words and back, without loss.
///
/// **Who needs it:** programs that handle statistics whose type they do not know at compile time: they choose
/// policies at run time, or they store or send a policy's statistics. A search alone does not need it.
///
/// # Examples
///
/// ```
/// use ramure::statistics::{Pack, RunningMean};
///
/// let mean = RunningMean::default().with(0.3, 1.0).with(0.9, 2.0);
/// let mut words = [0; <RunningMean as Pack>::WORDS];
/// mean.pack(&mut words);
/// assert_eq!(RunningMean::unpack(&words), mean);
/// ```
pub trait Pack: Copy + Default + 'static {
    /// The number of words.
    const WORDS: usize;

    /// Writes the first [`WORDS`](Self::WORDS) of `words`.
    ///
    /// # Panics
    ///
    /// Panics if `words` is shorter than that.
    fn pack(self, words: &mut [u32]);

    /// Reads what [`pack`](Self::pack) wrote. Zeros give the default.
    ///
    /// # Panics
    ///
    /// Panics if `words` is shorter than [`WORDS`](Self::WORDS).
    fn unpack(words: &[u32]) -> Self;

    /// Returns whether a search can have packed these words. A file in which a word fails is refused.
    /// \[Default: `true`\]
    ///
    /// A number must not be NaN.
    ///
    /// # Panics
    ///
    /// Panics if `words` is shorter than [`WORDS`](Self::WORDS).
    fn is_sound(words: &[u32]) -> bool {
        let _ = words;
        true
    }
}

impl Pack for () {
    const WORDS: usize = 0;
    #[inline(always)]
    fn pack(self, _: &mut [u32]) {}
    #[inline(always)]
    fn unpack(_: &[u32]) {}
}

macro_rules! words {
    ($($number:ty: $number_to_word:expr, $word_to_number:expr, $is_sound:expr;)*) => { $(
        impl Pack for $number {
            const WORDS: usize = 1;
            #[inline(always)]
            fn pack(self, words: &mut [u32]) {
                words[0] = $number_to_word(self);
            }
            #[inline(always)]
            fn unpack(words: &[u32]) -> Self {
                $word_to_number(words[0])
            }
            fn is_sound(words: &[u32]) -> bool {
                $is_sound(words[0])
            }
        }
    )* };
}
words! {
    f32: f32::to_bits, f32::from_bits, |word| !f32::from_bits(word).is_nan();
    u32: core::convert::identity, core::convert::identity, |_| true;
    u16: u32::from, |word| word as u16, |word| word <= u32::from(u16::MAX);
}

impl Pack for f64 {
    const WORDS: usize = 2;
    #[inline(always)]
    fn pack(self, words: &mut [u32]) {
        (words[0], words[1]) = (self.to_bits() as u32, (self.to_bits() >> 32) as u32);
    }
    #[inline(always)]
    fn unpack(words: &[u32]) -> Self {
        f64::from_bits(u64::from(words[0]) | u64::from(words[1]) << 32)
    }
    fn is_sound(words: &[u32]) -> bool {
        !f64::unpack(words).is_nan()
    }
}

/// Implements [`Pack`] for structs, field by field. After `=>`, a function of the unpacked struct returns
/// whether its fields fit together.
macro_rules! pack_structs {
    ($($name:ident { $($field:tt: $kind:ty),+ $(,)? } $(=> $fits:expr;)?)*) => { $(
        impl $crate::statistics::Pack for $name {
            const WORDS: usize = 0 $(+ <$kind as $crate::statistics::Pack>::WORDS)+;
            #[inline(always)]
            fn pack(self, words: &mut [u32]) {
                let words = &mut words[..Self::WORDS];
                $(
                    let (field, words) = words.split_at_mut(<$kind as $crate::statistics::Pack>::WORDS);
                    self.$field.pack(field);
                )+
                let _ = words;
            }
            #[inline(always)]
            fn unpack(words: &[u32]) -> Self {
                let mut unpacked = Self::default();
                $(
                    let (field, words) = words.split_at(<$kind as $crate::statistics::Pack>::WORDS);
                    unpacked.$field = <$kind as $crate::statistics::Pack>::unpack(field);
                )+
                let _ = words;
                unpacked
            }
            fn is_sound(words: &[u32]) -> bool {
                $( let fits: fn(Self) -> bool = $fits; if !fits(Self::unpack(words)) { return false; } )?
                $(
                    let (field, words) = words.split_at(<$kind as $crate::statistics::Pack>::WORDS);
                    if !<$kind as $crate::statistics::Pack>::is_sound(field) {
                        return false;
                    }
                )+
                let _ = words;
                true
            }
        }
    )* };
}
pub(crate) use pack_structs;

pack_structs! {
    RunningMean { value: f32, rest: f32 } => |mean| mean.value.abs() <= 1e30 && mean.rest.abs() <= 1e30;
    Moments { rarity: f32, variance: f32, sum: f64, squares: f64 } => Moments::is_possible;
    Amaf { visits: f32, mean: RunningMean } => Amaf::is_possible;
    VisitBudget { goal: u32, of: u32, round: u32 } => VisitBudget::is_possible;
    Prior { 0: f32 }
    ValuedPrior { prior: f32, value: f32 }
}

impl Pack for ActionHistory {
    const WORDS: usize = 0;
    #[inline(always)]
    fn pack(self, _: &mut [u32]) {}
    #[inline(always)]
    fn unpack(_: &[u32]) -> Self {
        ActionHistory
    }
}

/// The second word of a [`Knowledge`]. No prior and no value of a [`ValuedPrior`] packs to it, so the words
/// alone distinguish the types.
impl Knowledge {
    /// A heuristic value as [`Pack`] writes it: the value, followed by a mark.
    pub const MARK: u32 = u32::MAX;
}

impl Pack for Knowledge {
    const WORDS: usize = 2;
    #[inline(always)]
    fn pack(self, words: &mut [u32]) {
        (words[0], words[1]) = (self.0.to_bits(), Knowledge::MARK);
    }
    #[inline(always)]
    fn unpack(words: &[u32]) -> Self {
        Knowledge(f32::unpack(words))
    }
    fn is_sound(words: &[u32]) -> bool {
        f32::is_sound(words) && words[1] == Knowledge::MARK
    }
}

impl<A: Pack, B: Pack> Pack for (A, B) {
    const WORDS: usize = A::WORDS + B::WORDS;
    #[inline(always)]
    fn pack(self, words: &mut [u32]) {
        let (first, second) = words.split_at_mut(A::WORDS);
        self.0.pack(first);
        self.1.pack(second);
    }
    #[inline(always)]
    fn unpack(words: &[u32]) -> Self {
        let (first, second) = words.split_at(A::WORDS);
        (A::unpack(first), B::unpack(second))
    }
    fn is_sound(words: &[u32]) -> bool {
        let (first, second) = words.split_at(A::WORDS);
        A::is_sound(first) && B::is_sound(second)
    }
}

impl<T: Pack, const N: usize> Pack for [T; N]
where
    [T; N]: Default,
{
    const WORDS: usize = N * T::WORDS;
    #[inline(always)]
    fn pack(self, words: &mut [u32]) {
        for (index, item) in self.into_iter().enumerate() {
            item.pack(&mut words[index * T::WORDS..]);
        }
    }
    #[inline(always)]
    fn unpack(words: &[u32]) -> Self {
        core::array::from_fn(|index| T::unpack(&words[index * T::WORDS..]))
    }
    fn is_sound(words: &[u32]) -> bool {
        (0..N).all(|index| T::is_sound(&words[index * T::WORDS..]))
    }
}

#[cfg(test)]
mod tests {
    use super::{Knowledge, Moments, Pack, VisitBudget};
    use crate::statistics::{Amaf, Prior, RunningMean};

    fn round_trips<S: Pack + PartialEq + core::fmt::Debug>(stats: S, words: usize) {
        assert_eq!(S::WORDS, words);
        let mut packed = [0; 8];
        stats.pack(&mut packed);
        assert_eq!(S::unpack(&packed), stats);
        assert_eq!(S::unpack(&[0; 8]), S::default());
    }

    #[test]
    fn packed_statistics_unpack_unchanged() {
        let mean = RunningMean::default().with(0.3, 1.0).with(0.9, 2.0);
        round_trips((), 0);
        round_trips(f32::MIN_POSITIVE, 1);
        round_trips(u32::MAX, 1);
        round_trips(mean, 2);
        round_trips(Amaf { visits: 7.0, mean }, 3);
        round_trips((0.5_f32, mean), 3);
        round_trips((Amaf { visits: 7.0, mean }, [1.5_f32, 2.5]), 5);
        round_trips(f64::MIN_POSITIVE, 2);
        round_trips([1_u16, u16::MAX], 2);
        round_trips(Knowledge(-0.5), 2);
        round_trips((Prior(0.25), (3_u32, [(1.0_f32, 2_u32); 2])), 6);
    }

    fn are_sound<S: Pack>(stats: S) -> bool {
        let mut words = [0; 8];
        stats.pack(&mut words);
        S::is_sound(&words)
    }

    /// Moments of random rewards, and the same with one number that no rewards have.
    #[test]
    fn moments_that_no_rewards_have_are_not_sound() {
        let mut rng = crate::Rng::seeded(4);
        let mut moments = Moments::default();
        assert!(are_sound(moments));
        for count in 1..1_000 {
            let reward = if count % 3 == 0 { 1.0 } else { rng.below(1_001) as f32 / 1_000.0 };
            moments = moments.with(reward, count as f32);
            assert!(are_sound(moments) && are_sound(moments.recounted(count as f32 + 4.0)), "{moments:?}");
            for wrong in [
                Moments { rarity: -moments.rarity, ..moments },
                Moments { rarity: 1.01, ..moments },
                Moments { rarity: 0.0, ..moments },
                Moments { rarity: f32::NAN, ..moments },
                Moments { rarity: f32::INFINITY, ..moments },
                Moments { variance: -0.1, ..moments },
                Moments { variance: 0.27, ..moments },
                Moments { sum: 1e16, ..moments },
                Moments { sum: -1.0, ..moments },
                Moments { squares: moments.sum * 1.01 + 0.01, ..moments },
                Moments { squares: -1.0, ..moments },
                Moments { squares: f64::NAN, ..moments },
            ] {
                assert!(!are_sound(wrong), "{wrong:?}");
            }
        }
        assert!(!are_sound(Moments { sum: 0.1, ..Moments::default() }), "a reward, but no visit");
    }

    #[test]
    fn visits_that_no_node_assigns_are_not_sound() {
        let budget = |goal, of, round| are_sound(VisitBudget { goal, of, round });
        assert!(budget(0, 0, 0) && budget(5, 8, 2) && budget(8, 8, 0) && budget(u32::MAX, u32::MAX, 20));
        assert!(!budget(9, 8, 0), "more than the node has");
        assert!(!budget(0, 0, 1), "a round of nothing");
        assert!(!budget(5, 8, 33), "more rounds than a number of children can be halved");
    }
}
