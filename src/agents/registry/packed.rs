//! Statistics per child, packed into words of four bytes, so that policies with different statistics share one type.

use super::able::Full;
use super::notes::Notes;
use crate::backpropagation::{Belief, Bounds, Implicit, Values};
use crate::game::{MAX_PLAYERS, Player};
use crate::statistics::{
    Amaf, Assigned, Knowledge, Moments, Played, Prior, RunningMean, Statistics, ValuedPrior,
};
use core::marker::PhantomData;

/// Plain statistics that can be packed. Unpacking zeros must give the default.
pub(super) trait Pack: Copy + Default + 'static {
    /// The number of words that they take.
    const WORDS: usize;

    fn pack(self, words: &mut [u32]);

    fn unpack(words: &[u32]) -> Self;
}

/// Whether the default packs to zeros, which is what a new child has.
pub(super) fn begins_with_zeros<S: Pack>() -> bool {
    let packed = |stats: S| {
        let mut words = vec![0; S::WORDS];
        stats.pack(&mut words);
        words
    };
    packed(S::default()) == packed(S::unpack(&vec![0; S::WORDS]))
}

/// `WORDS` words; `F` says what updates them.
pub(super) struct Packed<const WORDS: usize, F>([u32; WORDS], PhantomData<F>);

/// The statistics of policies that read priors.
pub(super) type PriorWords = Packed<2, ByPriors>;

/// A container for packed statistics.
pub(super) trait Holds: Copy + Default + 'static {
    fn holding<S: Pack>(stats: S) -> Self;

    fn held<S: Pack>(self) -> S;
}

/// Updated by rewards.
pub(super) enum ByRewards {}
/// Updated by the actions of the iteration; the first three words may be an [`Amaf`].
pub(super) enum ByActions {}
/// Written when a node is expanded. The first word is the promise of a child, the second says whether that is a prior.
pub(super) enum ByPriors {}

/// The second word if the first is not a prior. (No policy stores this number there.)
const NO_PRIOR: u32 = u32::MAX;

impl<const WORDS: usize, F> Clone for Packed<WORDS, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<const WORDS: usize, F> Copy for Packed<WORDS, F> {}

impl<const WORDS: usize, F> Default for Packed<WORDS, F> {
    #[inline(always)]
    fn default() -> Self {
        Packed([0; WORDS], PhantomData)
    }
}

impl<const WORDS: usize, F: 'static> Holds for Packed<WORDS, F> {
    #[inline(always)]
    fn holding<S: Pack>(stats: S) -> Self {
        const { assert!(S::WORDS <= WORDS, "these numbers need more words than the list gives them") };
        let mut words = [0; WORDS];
        stats.pack(&mut words);
        Packed(words, PhantomData)
    }
    #[inline(always)]
    fn held<S: Pack>(self) -> S {
        const { assert!(S::WORDS <= WORDS, "these numbers need more words than the list gives them") };
        S::unpack(&self.0)
    }
}

/// Holds statistics of zero words.
impl Holds for () {
    #[inline(always)]
    fn holding<S: Pack>(_: S) -> Self {
        const { assert!(S::WORDS == 0, "these numbers need words, and the list gives them none") };
    }
    #[inline(always)]
    fn held<S: Pack>(self) -> S {
        const { assert!(S::WORDS == 0, "these numbers need words, and the list gives them none") };
        S::unpack(&[])
    }
}

impl<G: Full, R, const WORDS: usize> Statistics<G, R> for Packed<WORDS, ByRewards> {
    type Trace = Notes<G::Action, false>;
}

impl<G: Full, R, const WORDS: usize> Statistics<G, R> for Packed<WORDS, ByActions> {
    type Trace = Notes<G::Action, false>;
    const CREDITS: bool = true;

    #[inline(always)]
    fn credit(
        mut self,
        notes: &Self::Trace,
        depth: usize,
        player: Player,
        action: G::Action,
        reward: f32,
    ) -> Self {
        if notes.knows_last() {
            let amaf: Amaf = self.held();
            Statistics::<G, R>::credit(amaf, &notes.last, depth, player, action, reward).pack(&mut self.0);
        }
        self
    }
}

impl PriorWords {
    /// The prior, if one is stored.
    #[inline(always)]
    pub fn prior(self) -> Option<f32> {
        (self.0[1] != NO_PRIOR).then_some(f32::from_bits(self.0[0]))
    }

    /// How promising the child is.
    #[inline(always)]
    pub fn promise(self) -> f32 {
        f32::from_bits(self.0[0])
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
    ($($number:ty: $number_to_word:expr, $word_to_number:expr;)*) => { $(
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
        }
    )* };
}
words! {
    f32: f32::to_bits, f32::from_bits;
    u32: core::convert::identity, core::convert::identity;
    u16: u32::from, |word| word as u16;
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
}

/// Implements `Pack` for structs whose fields can be packed.
macro_rules! structs {
    ($($name:ident { $($field:tt: $kind:ty),+ $(,)? })*) => { $(
        impl Pack for $name {
            const WORDS: usize = 0 $(+ <$kind as Pack>::WORDS)+;
            #[inline(always)]
            fn pack(self, words: &mut [u32]) {
                let words = &mut words[..Self::WORDS];
                $(let (field, words) = words.split_at_mut(<$kind as Pack>::WORDS); self.$field.pack(field);)+
                let _ = words;
            }
            #[inline(always)]
            fn unpack(words: &[u32]) -> Self {
                $(let (field, words) = words.split_at(<$kind as Pack>::WORDS); let $field = <$kind as Pack>::unpack(field);)+
                let _ = words;
                $name { $($field),+ }
            }
        }
    )* };
}
structs! {
    RunningMean { value: f32, rest: f32 }
    Moments { rarity: f32, variance: f32, sum: f64, squares: f64 }
    Amaf { visits: f32, mean: RunningMean }
    Assigned { goal: u32, of: u32, round: u32 }
    ValuedPrior { prior: f32, value: f32 }
    Belief { means: Values, variances: [f32; MAX_PLAYERS] }
    Implicit { minimax: Values, mean: RunningMean }
    Bounds { low: [u16; MAX_PLAYERS], short: [u16; MAX_PLAYERS] }
}

/// Implements `Pack` for tuple structs of one field.
macro_rules! wrappers {
    ($($name:ident($kind:ty))*) => { $(
        impl Pack for $name {
            const WORDS: usize = <$kind as Pack>::WORDS;
            #[inline(always)]
            fn pack(self, words: &mut [u32]) {
                self.0.pack(words);
            }
            #[inline(always)]
            fn unpack(words: &[u32]) -> Self {
                $name(<$kind as Pack>::unpack(words))
            }
        }
    )* };
}
wrappers! {
    Prior(f32)
    Values([u32; MAX_PLAYERS])
}

impl Pack for Played {
    const WORDS: usize = 0;
    #[inline(always)]
    fn pack(self, _: &mut [u32]) {}
    #[inline(always)]
    fn unpack(_: &[u32]) -> Self {
        Played
    }
}

impl Pack for Knowledge {
    const WORDS: usize = 2;
    #[inline(always)]
    fn pack(self, words: &mut [u32]) {
        (words[0], words[1]) = (self.0.to_bits(), NO_PRIOR);
    }
    #[inline(always)]
    fn unpack(words: &[u32]) -> Self {
        Knowledge(f32::unpack(words))
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
}

#[cfg(test)]
mod tests {
    use super::{ByActions, Holds, Pack, Packed};
    use crate::statistics::{Amaf, Knowledge, Prior, RunningMean};

    fn comes_back<S: Pack + PartialEq + core::fmt::Debug>(stats: S, words: usize) {
        assert_eq!(S::WORDS, words);
        assert_eq!(Packed::<8, ByActions>::holding(stats).held::<S>(), stats);
        assert_eq!(Packed::<8, ByActions>::default().held::<S>(), S::default());
    }

    #[test]
    fn what_is_packed_comes_back() {
        let mean = RunningMean::default().with(0.3, 1.0).with(0.9, 2.0);
        comes_back((), 0);
        comes_back(f32::MIN_POSITIVE, 1);
        comes_back(u32::MAX, 1);
        comes_back(mean, 2);
        comes_back(Amaf { visits: 7.0, mean }, 3);
        comes_back((0.5_f32, mean), 3);
        comes_back((Amaf { visits: 7.0, mean }, [1.5_f32, 2.5]), 5);
        comes_back(f64::MIN_POSITIVE, 2);
        comes_back([1_u16, u16::MAX], 2);
        comes_back(Knowledge(-0.5), 2);
        comes_back((Prior(0.25), (3_u32, [(1.0_f32, 2_u32); 2])), 6);
    }
}
