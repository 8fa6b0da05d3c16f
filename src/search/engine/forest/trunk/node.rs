//! What all trees know of one node of the trunk.

use crate::game::{GameState, Player};
use crate::iteration::close_if_certain;
use crate::search::engine::forest::bounds::{ForestBackprop, ForestPolicy};
use crate::search::engine::forest::digest::Entry;
use crate::search::engine::forest::trunk::{NONE, refresh};
use crate::space::{ActionOf, Space};
use crate::statistics::{Merging, Part};
use crate::tree::{NodeRef, Tree, mean_of, sum_of};
use smallvec::SmallVec;

/// What those trees told of a node that have news of it.
pub(crate) type News<'e, P, B> = SmallVec<[&'e Entry<P, B>; 8]>;

/// A node of the trunk as it was after the last exchange.
#[derive(Clone)]
pub(crate) struct TrunkNode<A, P, B> {
    pub action: A,
    /// The family that this node belongs to; [`NONE`] for the root.
    pub parent: u32,
    /// The family of its children; [`NONE`] if they are not in the trunk.
    pub family: u32,
    /// The visits in all trees, and the sum of their rewards in units of 2^-24.
    pub visits: u32,
    pub sum: f64,
    pub stats: P,
    pub backprop: B,
    /// Whether the node of this tree has these visits. It does not if the node is new in this tree, or if
    /// there was no room for it.
    pub is_held: bool,
    pub is_over: bool,
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> TrunkNode<A, P, B> {
    pub fn new(action: A, parent: u32) -> Self {
        TrunkNode {
            action,
            parent,
            family: NONE,
            visits: 0,
            sum: 0.0,
            stats: P::default(),
            backprop: B::default(),
            is_held: false,
            is_over: false,
        }
    }

    /// Returns what this tree added to the node.
    #[inline]
    pub fn news(&self, action: u32, node: NodeRef<'_, A, P, B>) -> Option<Entry<P, B>> {
        let (visits, sum) = if self.is_held { (self.visits, self.sum) } else { (0, 0.0) };
        Some(Entry {
            action,
            visits: node.visit_count().checked_sub(visits)?,
            sum: node.reward_units() - sum,
            is_new: !self.is_held,
            stats: node.stats(),
            backprop: node.backprop(),
        })
    }

    /// Adds what the trees found. Writes the result to `own`, the node of this tree, if there is one. If this
    /// tree made iterations after it wrote its digest, `told` is what the digest has of this node.
    #[expect(clippy::too_many_arguments, reason = "the body of a loop")]
    pub fn add<'e, S, T, U>(
        &mut self,
        news: &[&'e Entry<P, B>],
        own: Option<NodeRef<'_, A, P, B>>,
        told: Option<Option<&'e Entry<P, B>>>,
        tree: &Tree<A, P, B>,
        chooser: Player,
        tree_policy: &T,
        backprop: &U,
    ) where
        S: Space<Game: GameState<Action = A>>,
        T: ForestPolicy<S::Game, Stats = P>,
        U: ForestBackprop<S::Game, Stats = B>,
        P: 'e,
        B: 'e,
    {
        let visits = news.iter().fold(self.visits, |visits, entry| visits + entry.visits);
        let sum = if U::DERIVES {
            // Until it is refreshed, the node keeps its mean.
            if self.visits == 0 { 0.0 } else { sum_of(visits, mean_of(self.visits, self.sum)) }
        } else {
            // Each tree that proves a loss sets the mean to it, and tells so.
            let sum = news.iter().fold(self.sum, |sum, entry| sum + entry.sum);
            sum.clamp(0.0, sum_of(visits, 1.0))
        };
        let merged = self.merged::<S, T, U>((visits, sum), news, own, tree_policy, backprop);
        let (mut rewards, mut stats) = ((visits, sum), merged);
        if let (Some(node), Some(told)) = (own, told)
            && let Some(mut now) = self.news(NONE, node)
            && let Some(untold) = now.visits.checked_sub(told.map_or(0, |told| told.visits))
        {
            // This tree alone knows what it has found since then. It tells so at the next exchange.
            rewards.0 += untold;
            if !U::DERIVES {
                rewards.1 += now.sum - told.map_or(0.0, |told| told.sum);
            } else if untold > 0 {
                // The value is that of its own latest iteration.
                rewards.1 = sum_of(rewards.0, node.mean());
            }
            let mut all = News::from_slice(news);
            all.retain(|entry| told.is_none_or(|told| !core::ptr::eq(*entry, told)));
            if U::DERIVES {
                now.sum = refresh::visits_below(tree, node);
            }
            all.push(&now);
            stats = self.merged::<S, T, U>(rewards, &all, own, tree_policy, backprop);
        }
        (self.stats, self.backprop) = merged;
        (self.visits, self.sum, self.is_held) = (visits, sum, own.is_some());
        let Some(node) = own else { return };
        write::<S, T, U>(node, rewards, stats, chooser, tree_policy, backprop);
    }

    /// Gives `node` of a new tree what all trees know. The statistics that each tree has of its own stay
    /// those of `node`.
    pub fn hand_over<S, T, U>(
        &mut self,
        node: NodeRef<'_, A, P, B>,
        chooser: Player,
        tree_policy: &T,
        backprop: &U,
    ) where
        S: Space<Game: GameState<Action = A>>,
        T: ForestPolicy<S::Game, Stats = P>,
        U: ForestBackprop<S::Game, Stats = B>,
    {
        let rewards = (self.visits, self.sum);
        let stats = self.merged::<S, T, U>(rewards, &[], Some(node), tree_policy, backprop);
        write::<S, T, U>(node, rewards, stats, chooser, tree_policy, backprop);
        self.is_held = true;
    }

    /// Returns the statistics of the policies after the trees have added `news`, for a node with this number
    /// of visits and this sum of rewards.
    fn merged<S, T, U>(
        &self,
        (visits, sum): (u32, f64),
        news: &[&Entry<P, B>],
        own: Option<NodeRef<'_, A, P, B>>,
        tree_policy: &T,
        backprop: &U,
    ) -> (P, B)
    where
        S: Space<Game: GameState<Action = A>>,
        T: ForestPolicy<S::Game, Stats = P>,
        U: ForestBackprop<S::Game, Stats = B>,
    {
        let before = (self.stats, self.backprop);
        let then = |entry: &Entry<P, B>| if entry.is_new { Default::default() } else { before };
        let mean = if visits == 0 { 0.0 } else { mean_of(visits, sum) };
        let (mut of_stats, mut of_backprop) = (SmallVec::new(), SmallVec::new());
        for entry in news {
            let (visits, before) = (entry.visits, then(entry));
            let is_new = entry.is_new;
            let below = if U::DERIVES { entry.sum } else { 0.0 };
            of_stats.push(Part { visits, before: before.0, now: entry.stats, is_new, below: 0.0 });
            of_backprop.push(Part { visits, before: before.1, now: entry.backprop, is_new, below });
        }
        let stats = tree_policy.merge(Merging {
            visits,
            mean,
            own: own.map_or(before.0, |node| node.stats()),
            before: before.0,
            parts: of_stats,
        });
        let backprop = backprop.merge(Merging {
            visits,
            mean,
            own: own.map_or(before.1, |node| node.backprop()),
            before: before.1,
            parts: of_backprop,
        });
        (stats, backprop)
    }
}

/// Writes visits, the sum of the rewards and the statistics to a node of a tree, and closes the node if its
/// result is certain then.
fn write<S, T, U>(
    node: NodeRef<'_, ActionOf<S>, T::Stats, U::Stats>,
    (visits, sum): (u32, f64),
    stats: (T::Stats, U::Stats),
    chooser: Player,
    tree_policy: &T,
    backprop: &U,
) where
    S: Space,
    T: ForestPolicy<S::Game>,
    U: ForestBackprop<S::Game>,
{
    if visits > 0 {
        node.set_rewards(visits, sum);
    }
    node.set_stats(stats.0);
    node.set_backprop(stats.1);
    if U::PROVES {
        close_if_certain::<S, T, U>(backprop, node, visits, stats.1, chooser, || tree_policy.skips_refuted());
    }
}
