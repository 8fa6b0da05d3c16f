//! Policies that are chosen at run time, so that one search loop serves many: an enum for each slot of a search, whose variants are the real
//! policies. Their statistics are plain numbers, read and written as each variant expects them.

mod backprops;
mod rollouts;
mod trees;

pub use backprops::{Averages, Derives, Lean};
pub use rollouts::{AnyRollout, ByTable};
pub use trees::{Priors, Rewarded, Seeing};

use crate::game::GameState;
use crate::statistics::{Pack, Prior, Statistics, ValuedPrior};

/// `N` words of four bytes: the statistics of any policy that needs no more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Words<const N: usize>([u32; N]);

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Words([0; N])
    }
}

impl<G: GameState, R, const N: usize> Statistics<G, R> for Words<N> {
    type Trace = ();
}

impl<const N: usize> Pack for Words<N> {
    const WORDS: usize = N;
    fn pack(self, words: &mut [u32]) {
        words[..N].copy_from_slice(&self.0);
    }
    fn unpack(words: &[u32]) -> Self {
        Words(words[..N].try_into().expect("as many words"))
    }
}

/// Statistics that can be read as those of another policy.
pub trait Holds<S>: Copy + Default + 'static {
    fn held(self) -> S;

    /// Returns these statistics with new ones in place of those held.
    fn with(self, stats: S) -> Self;
}

impl<S: Pack, const N: usize> Holds<S> for Words<N> {
    fn held(self) -> S {
        S::unpack(&self.0)
    }
    fn with(mut self, stats: S) -> Self {
        stats.pack(&mut self.0);
        self
    }
}

impl Holds<Prior> for ValuedPrior {
    fn held(self) -> Prior {
        Prior(self.prior)
    }
    fn with(self, Prior(prior): Prior) -> Self {
        ValuedPrior { prior, ..self }
    }
}

impl Holds<ValuedPrior> for ValuedPrior {
    fn held(self) -> ValuedPrior {
        self
    }
    fn with(self, stats: ValuedPrior) -> Self {
        stats
    }
}

/// Implements `Persist` for a list by that of its variants. What they have learned is bytes.
macro_rules! persist_list {
    ($name:ident; $($variant:ident),+ $(,)?) => {
        impl<G: $crate::GameState> $crate::Persist<G> for $name {
            type Learned = Vec<u8>;

            fn settings(&self) -> String {
                match self { $( $name::$variant(policy) => $crate::Persist::<G>::settings(policy), )+ }
            }
            fn learned(&self, state: &G) -> Vec<u8> {
                match self { $( $name::$variant(policy) => $crate::programs::policies::written(&policy.learned(state)), )+ }
            }
            fn check_learned(&self, state: &G, learned: &Vec<u8>) -> Result<(), $crate::BoxError> {
                match self { $( $name::$variant(policy) => policy.check_learned(state, &postcard::from_bytes(learned)?), )+ }
            }
            fn restore(&mut self, learned: Vec<u8>) {
                match self { $(
                    $name::$variant(policy) => {
                        $crate::Persist::<G>::restore(policy, postcard::from_bytes(&learned).expect("it was checked"));
                    }
                )+ }
            }
        }
    };
}
use persist_list;

fn written(learned: &impl serde::Serialize) -> Vec<u8> {
    postcard::to_allocvec(learned).expect("plain numbers")
}
