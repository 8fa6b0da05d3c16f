//! Statistics per child as words of four bytes, so that policies with different statistics are one type.

use super::able::Full;
use super::notes::Notes;
use ramure::Player;
use ramure::statistics::{Amaf, Pack, Statistics};

/// Returns whether the default statistics pack to zeros, which new children have.
pub(super) fn begins_with_zeros<S: Pack>() -> bool {
    let packed = |stats: S| {
        let mut words = vec![0; S::WORDS];
        stats.pack(&mut words);
        words
    };
    packed(S::default()) == packed(S::unpack(&vec![0; S::WORDS]))
}

/// `WORDS` words of four bytes. `SOURCE` says what they are made of: rewards, actions or priors.
#[derive(Clone, Copy)]
pub(super) struct Packed<const WORDS: usize, const SOURCE: char>([u32; WORDS]);

/// The statistics of policies that read priors.
pub(super) type PriorWords = Packed<2, BY_PRIORS>;

/// Storage for packed statistics.
pub(super) trait Holds: Copy + Default + 'static {
    fn holding<S: Pack>(stats: S) -> Self;

    fn held<S: Pack>(self) -> S;
}

/// Updated from rewards.
pub(super) const BY_REWARDS: char = 'r';
/// The first three words may be an [`Amaf`], updated from the actions of the iteration.
pub(super) const BY_ACTIONS: char = 'a';
/// Written when a node gets children. The first word says how promising a child is, the second whether that
/// is a prior.
pub(super) const BY_PRIORS: char = 'p';

/// Marks a first word that is not a prior. (No policy keeps this number there.)
const NO_PRIOR: u32 = u32::MAX;

impl<const WORDS: usize, const SOURCE: char> Default for Packed<WORDS, SOURCE> {
    #[inline(always)]
    fn default() -> Self {
        Packed([0; WORDS])
    }
}

impl<const WORDS: usize, const SOURCE: char> Holds for Packed<WORDS, SOURCE> {
    #[inline(always)]
    fn holding<S: Pack>(stats: S) -> Self {
        const { assert!(S::WORDS <= WORDS, "these statistics need more words than their list has") };
        let mut words = [0; WORDS];
        stats.pack(&mut words);
        Packed(words)
    }
    #[inline(always)]
    fn held<S: Pack>(self) -> S {
        const { assert!(S::WORDS <= WORDS, "these statistics need more words than their list has") };
        S::unpack(&self.0)
    }
}

/// No storage, for statistics without words.
impl Holds for () {
    #[inline(always)]
    fn holding<S: Pack>(_: S) -> Self {
        const { assert!(S::WORDS == 0, "these statistics need words, but their list has none") };
    }
    #[inline(always)]
    fn held<S: Pack>(self) -> S {
        const { assert!(S::WORDS == 0, "these statistics need words, but their list has none") };
        S::unpack(&[])
    }
}

impl<G: Full, R, const WORDS: usize> Statistics<G, R> for Packed<WORDS, BY_REWARDS> {
    type Trace = Notes<G::Action, false>;
}

impl<G: Full, R, const WORDS: usize> Statistics<G, R> for Packed<WORDS, BY_ACTIONS> {
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
    /// Packs the statistics of a policy that reads priors. Reading them checks that they fit.
    pub fn of<S: Pack>(stats: S) -> Self {
        let mut packed = Self::default();
        stats.pack(&mut packed.0);
        packed
    }

    /// Returns the prior, if the words contain one.
    #[inline(always)]
    pub fn prior(self) -> Option<f32> {
        (self.0[1] != NO_PRIOR).then_some(f32::from_bits(self.0[0]))
    }

    /// Returns how promising the child is.
    #[inline(always)]
    pub fn promise(self) -> f32 {
        f32::from_bits(self.0[0])
    }
}
