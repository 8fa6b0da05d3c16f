//! How several trees merge what their policies keep per node.

use crate::game::GameState;
use smallvec::SmallVec;

/// Merges the statistics that a policy keeps per node, `S`, when several trees exchange what they found.
///
/// The trees of a [`Forest`](crate::search::Forest) exchange visits and rewards by themselves. The policies
/// say how their own statistics merge:
///
/// - *Sums* add what each tree added: [`Merging::sum`].
/// - *Means* are averaged: [`Merging::average`], as in `node.average(f64::from) as f32` for a mean that is an
///   `f32`.
/// - *Functions* of visits and mean are computed again.
/// - *Facts*, such as proofs, hold for all trees as soon as one of them knows.
/// - *Derived* values follow from the children; see
///   [`Backprop::DERIVES`](crate::backpropagation::Backprop::DERIVES). Where the children are in one tree
///   only, the values of the trees are blended: [`Merging::blend`].
/// - *Local* statistics stay as they are in each tree: [`Merging::own`].
///
/// **Who needs it:** authors of tree policies and backpropagations that are to search with several trees. A
/// policy that keeps nothing per node needs one line:
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
    note = "to search with one tree, leave out `parallel`",
    note = "for a policy of your own that keeps nothing: `impl<G: GameState> ramure::statistics::Merge<G, ()> for {Self} {{ fn merge(&self, _: ramure::statistics::Merging<()>) {{}} }}`",
    note = "statistics that depend on the order of the rewards, and plans for a number of iterations, cannot be merged"
)]
pub trait Merge<G: GameState, S> {
    /// Returns the statistics of a node that holds for all trees. Every tree calls this with the same values,
    /// except for [`own`](Merging::own).
    fn merge(&self, node: Merging<S>) -> S;
}

/// A node whose statistics are merged: what the trees added to it since they last exchanged it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Merging<S> {
    /// The visits of the node in all trees together. They are 0 for an unvisited child whose statistics were
    /// [credited](super::Statistics::CREDITS).
    pub visits: u32,
    /// The mean of the rewards of all trees. If the backpropagation
    /// [derives](crate::backpropagation::Backprop::DERIVES) means from those of the children, this is the one
    /// of the last exchange: the new one is derived after all nodes are merged.
    pub mean: f32,
    /// The statistics in this tree.
    pub own: S,
    /// The statistics on which the trees agreed at their last exchange; the default at their first.
    pub before: S,
    pub(crate) parts: SmallVec<[Part<S>; 4]>,
}

/// What one tree contributes to a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Part<S> {
    /// The visits that the tree added.
    pub visits: u32,
    /// The statistics to which the tree added: those of the last exchange, or the default if the node is new
    /// in this tree.
    pub before: S,
    /// The statistics of the tree now.
    pub now: S,
    /// Whether the node is new in this tree.
    pub is_new: bool,
    /// The visits with children that this tree alone has tried, if the statistics
    /// [derive](crate::backpropagation::Backprop::DERIVES) from children.
    pub below: f64,
}

impl<S: Copy> Merging<S> {
    /// Returns an iterator over the statistics of each tree that changed the node, in the order of the trees.
    pub fn trees(&self) -> impl Iterator<Item = S> {
        self.parts.iter().map(|part| part.now)
    }

    /// Returns the sum over all trees of a number in the statistics: what it was before, plus what each tree
    /// added. The trees add in their order, so the result is the same to the bit in each of them.
    pub fn sum(&self, number: impl Fn(S) -> f64) -> f64 {
        let added = self.parts.iter().map(|part| number(part.now) - number(part.before));
        added.fold(number(self.before), |sum, added| sum + added)
    }

    /// Returns the visits that all trees knew at the last exchange.
    fn known(&self) -> f64 {
        let added = self.parts.iter().map(|part| f64::from(part.visits)).sum::<f64>();
        f64::from(self.visits) - added
    }

    /// Returns the mean over all visits of a number that is a running mean in each tree.
    pub fn average(&self, number: impl Fn(S) -> f64) -> f64 {
        let known = self.known();
        let sum = self.parts.iter().fold(known * number(self.before), |sum, part| {
            let known = if part.is_new { 0.0 } else { known };
            sum + (known + f64::from(part.visits)) * number(part.now) - known * number(part.before)
        });
        sum / f64::from(self.visits.max(1))
    }

    /// Returns the mean of a number that each tree [derives](crate::backpropagation::Backprop::DERIVES) from
    /// the children that it has tried. A tree has the weight of its own visits to these children. A tree that
    /// has not visited the node since the last exchange has the number on which all agreed then. While no
    /// tree has tried a child, this is the [`average`](Self::average).
    pub fn blend(&self, number: impl Fn(S) -> f64) -> f64 {
        if self.parts.iter().all(|part| part.below == 0.0) {
            return self.average(number);
        }
        let weight = |part: &Part<S>| if part.below == 0.0 { part.visits.into() } else { part.below };
        let told = self.parts.iter().map(weight).sum::<f64>();
        // Not the first visits of a node that is new in all trees: there is no number for them.
        let rest = (f64::from(self.visits) - told).clamp(0.0, self.known());
        let sum = self.parts.iter().map(|part| weight(part) * number(part.now));
        sum.fold(rest * number(self.before), |sum, next| sum + next) / (told + rest)
    }

    /// Returns the same node with a part of the statistics. If this part has no size, such as `()`, then
    /// [`trees`](Self::trees) is empty.
    #[must_use]
    pub fn map<T>(&self, of: impl Fn(S) -> T) -> Merging<T> {
        let part = |part: &Part<S>| {
            let &Part { visits, before, now, is_new, below } = part;
            Part { visits, before: of(before), now: of(now), is_new, below }
        };
        Merging {
            visits: self.visits,
            mean: self.mean,
            own: of(self.own),
            before: of(self.before),
            parts: if size_of::<T>() == 0 { SmallVec::new() } else { self.parts.iter().map(part).collect() },
        }
    }
}

/// Implements [`Merge`] for a policy by an expression of the node: its name, the type of the statistics, and a
/// bound on the game if there is one.
macro_rules! merge_by {
    ($policy:ident: $stats:ty $(where G: $bound:path)?, |$node:pat_param| $merged:expr) => {
        impl<G: $crate::game::GameState $(+ $bound)?> $crate::statistics::Merge<G, $stats> for $policy {
            fn merge(&self, $node: $crate::statistics::Merging<$stats>) -> $stats {
                $merged
            }
        }
    };
}
pub(crate) use merge_by;

#[cfg(test)]
mod tests {
    use super::*;

    /// All agreed on .5 after ten visits. The first tree added two visits and has tried children with eight
    /// of its own; the second one added four to a node that is new to it, and has tried none.
    #[test]
    fn means_of_several_trees() {
        let part = |visits, before, now, is_new, below| Part { visits, before, now, is_new, below };
        let mut node = Merging {
            visits: 16,
            mean: 0.0,
            own: 0.5,
            before: 0.5,
            parts: SmallVec::from_iter([part(2, 0.5, 0.55, false, 8.0), part(4, 0.0, 0.25, true, 0.0)]),
        };
        let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        // The sums: 5 before, 12 * .55 - 5 = 1.6 and 1 after.
        is(node.average(|mean| mean), (5.0 + 1.6 + 1.0) / 16.0);
        // The weights: 8 and 4, and 4 for the trees that are not here.
        is(node.blend(|value| value), (8.0 * 0.55 + 4.0 * 0.25 + 4.0 * 0.5) / 16.0);
        node.parts[0].below = 0.0;
        is(node.blend(|value| value), node.average(|mean| mean));
        // A node that is new in all trees.
        node.parts = SmallVec::from_iter([part(2, 0.0, 0.5, true, 1.0), part(14, 0.0, 0.25, true, 13.0)]);
        is(node.blend(|value| value), (0.5 + 13.0 * 0.25) / 14.0);
    }
}
