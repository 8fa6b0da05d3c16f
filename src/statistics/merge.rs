//! How several trees merge what their policies keep per node.

use crate::game::GameState;
use smallvec::SmallVec;

/// Merges the statistics that a policy keeps per node, `S`, when several trees exchange what they found.
///
/// The trees of a [`Forest`](crate::Forest) exchange visits and rewards by themselves. The policies say how their own statistics
/// merge:
///
/// - *Sums* add what each tree added: [`Merging::sum`].
/// - *Functions* of visits and mean are computed again.
/// - *Facts*, such as proofs, hold for all trees as soon as one of them knows.
/// - *Local* statistics stay as they are in each tree: [`Merging::own`].
///
/// **Who needs it:** authors of tree policies and backpropagations that are to search with several trees. A policy that keeps
/// nothing per node needs one line:
///
/// ```
/// # use ramure::prelude::*;
/// use ramure::statistics::{Merge, Merging};
///
/// #[derive(Clone)] // each tree gets its own
/// struct Greedy;
///
/// impl<G: GameState> TreePolicy<G> for Greedy {
///     type Stats = ();
///     fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
///         node.argmax(|child| child.mean())
///     }
/// }
///
/// impl<G: GameState> Merge<G, ()> for Greedy { fn merge(&self, _: Merging<()>) {} }
/// ```
#[diagnostic::on_unimplemented(
    message = "several trees cannot merge what `{Self}` keeps per node",
    label = "this policy searches with one tree only",
    note = "for a policy that keeps nothing: `impl<G: GameState> ramure::statistics::Merge<G, ()> for {Self} {{ fn merge(&self, _: ramure::statistics::Merging<()>) {{}} }}`",
    note = "statistics that depend on the order of the rewards, and plans for a number of iterations, cannot be merged"
)]
pub trait Merge<G: GameState, S> {
    /// Returns the statistics of a node that holds for all trees. Every tree calls this with the same values, except for
    /// [`Merging::own`].
    fn merge(&self, node: Merging<S>) -> S;
}

/// A node whose statistics are merged: what the trees added to it since they last exchanged it.
#[derive(Clone, PartialEq, Debug)]
pub struct Merging<S> {
    /// The visits of the node in all trees together.
    pub(crate) visits: u32,
    /// The mean of the rewards of all trees.
    pub(crate) mean: f32,
    pub(crate) own: S,
    pub(crate) before: S,
    pub(crate) parts: SmallVec<[Part<S>; 4]>,
}

/// What one tree contributes to a node; see [`Merging::parts`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Part<S> {
    /// The visits that the tree added.
    pub visits: u32,
    /// The statistics to which the tree added: those of the last exchange, or the default if the node is new in this tree.
    pub before: S,
    /// The statistics of the tree now.
    pub now: S,
}

impl<S: Copy> Merging<S> {
    /// Returns the visits of the node in all trees together. They are 0 for an unvisited child whose statistics were
    /// [credited](super::Statistics::CREDITS).
    pub fn visits(&self) -> u32 {
        self.visits
    }

    /// Returns the mean of the rewards of all trees.
    pub fn mean(&self) -> f32 {
        self.mean
    }

    /// Returns the statistics in this tree.
    pub fn own(&self) -> S {
        self.own
    }

    /// Returns the statistics on which the trees agreed at their last exchange; the default at their first.
    pub fn before(&self) -> S {
        self.before
    }

    /// Returns what each tree contributes that changed the node, in the order of the trees.
    pub fn parts(&self) -> &[Part<S>] {
        &self.parts
    }

    /// Returns the sum over all trees of a number in the statistics: what it was before, plus what each tree added. The trees
    /// add in their order, so the result is the same to the bit in each of them.
    pub fn sum(&self, number: impl Fn(S) -> f64) -> f64 {
        let added = self.parts.iter().map(|part| number(part.now) - number(part.before));
        added.fold(number(self.before), |sum, added| sum + added)
    }

    /// Returns the same node with a part of the statistics.
    #[must_use]
    pub fn map<T>(&self, of: impl Fn(S) -> T) -> Merging<T> {
        let part = |part: &Part<S>| Part { visits: part.visits, before: of(part.before), now: of(part.now) };
        Merging {
            visits: self.visits,
            mean: self.mean,
            own: of(self.own),
            before: of(self.before),
            parts: self.parts.iter().map(part).collect(),
        }
    }
}
