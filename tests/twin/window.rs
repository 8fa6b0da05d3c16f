//! A window of w leaves: the leaf of iteration i is found when exactly the iterations up to i - w are used, in their order. Visits count at
//! once, and rewards when they are used.

use super::{Current, NodeOf, ROOT, Step, Twin};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, Rewards, Rng, Turn};
use crate::iteration::expansion::Order;
use crate::iteration::node_view::below_mean;
use crate::iteration::{FedBy, LeafOf};
use crate::search::engine::window::in_flight::PendingVisits;
use crate::search::engine::window::{Counted, Unobserved};
use crate::selection::{Event, FirstPlay};
use crate::simulation::{Leaf, RolloutPolicy, Trace};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use crate::tree::mean_of;
use core::mem;
use std::collections::VecDeque;

/// An iteration that waits for its rewards.
struct Waiting<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> {
    leaf: LeafOf<S, P, R>,
    path: Vec<Step>,
    repeats: bool,
    rewards: Rewards,
    is_cut_short: bool,
    /// What the tree policy stored at each step.
    stats: Vec<P::Stats>,
    /// If the leaf is due for children with priors: their actions, and the generator that draws their order.
    expands: Option<(Vec<ActionOf<S>>, Rng)>,
    priors: Vec<f32>,
    /// Whether an earlier iteration of this window waits for the same priors.
    shares: bool,
}

impl<S, P, R, B> Twin<S, P, R, Counted<B>>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
{
    /// Makes so many iterations with a window of `size` leaves, or fewer if the root is proven. Returns how many.
    pub fn run_window(
        &mut self,
        iterations: u64,
        size: usize,
        unobserved: Unobserved,
    ) -> Result<u64, GameFault> {
        self.begin(iterations)?;
        let (mut waiting, mut made) = (VecDeque::new(), 0);
        // A rollout policy that learns changes only between two windows: when one is full, all of it is used.
        let (learns, mut is_full) = (self.rollout_policy.learns(), false);
        // The iteration that gives the root its children is alone.
        let first = u64::from(self.root_is_leaf());
        while made < iterations && !self.root_is_proven() {
            let begun = made + waiting.len() as u64;
            let iterations = if made < first { first } else { iterations };
            if begun < iterations && self.has_place(&waiting, size) && !is_full {
                let new = self.put_aside(&waiting, unobserved)?;
                waiting.push_back(new);
            } else if let Some(first) = waiting.pop_front() {
                self.resolve(first, unobserved)?;
                made += 1;
                is_full = learns && !waiting.is_empty();
            }
        }
        // Where a proof ends the run, the others are used, too.
        for entry in waiting {
            self.resolve(entry, unobserved)?;
            made += 1;
        }
        Ok(made)
    }

    fn root_is_leaf(&self) -> bool {
        self.nodes[self.home(ROOT)].children.is_empty()
    }

    /// Returns whether another iteration may wait. With priors, few may wait at the same leaves, and none before the root has its own.
    fn has_place(&self, waiting: &VecDeque<Waiting<S, P, R>>, size: usize) -> bool {
        let sharing = waiting.iter().filter(|entry| entry.shares).count();
        let waits = P::Stats::INITIALIZES && (self.root_is_leaf() || 4 * sharing > size);
        waiting.is_empty() || waiting.len() < size && !waits
    }

    /// Goes down to a leaf, counts the visits on the way, and simulates.
    fn put_aside(
        &mut self,
        waiting: &VecDeque<Waiting<S, P, R>>,
        unobserved: Unobserved,
    ) -> Result<Waiting<S, P, R>, GameFault> {
        let mut leaf = Leaf::new(self.space.root(), Counted::<B>::COUNTS);
        let mut expands = None;
        let (node, rewards) = self.reach(&mut leaf, |this, current: &Current, leaf| {
            if !P::Stats::INITIALIZES || current.turn == Turn::Chance {
                this.expand(current, leaf)?;
                return Ok(!P::Stats::INITIALIZES);
            }
            let mut actions = this.list_first(current.turn, leaf.state())?;
            let (listed, before, count) = (actions.clone(), this.rng.clone(), actions.len());
            // The order is drawn when the leaf gets its children. This moves the generator on as far as that.
            if this.expansion.tries() != Order::AsListed {
                this.shuffle::<()>(&mut actions, &mut [], &[], count);
            }
            expands = Some((listed, before));
            Ok(false)
        })?;
        // Visits of an action that this descent has linked to its position count there, too.
        for action in mem::take(&mut self.linked) {
            let position = &self.nodes[self.home(action)];
            (0..self.nodes[action].backprop.get().0.count).for_each(|_| self.add_visit(position, unobserved));
        }
        let pending = self.nodes[node].backprop.get().0.count;
        if rewards.is_none() {
            let stats = &self.nodes[node].backprop;
            stats.set(self.backprop.look(leaf.state(), stats.get())?);
        }
        let end = |path: &[Step]| self.home(path[path.len() - 1].node);
        let is_same = |other: &&Waiting<S, P, R>| {
            other.expands.is_some() && !other.shares && end(&other.path) == end(&self.path)
        };
        let is_shared = expands.is_some() && pending > 0;
        let same = waiting.iter().find(is_same).filter(|_| is_shared).map(|other| other.rewards);
        let (path, repeats) = (self.path.clone(), self.repeats);
        let stats = path.iter().map(|step| self.nodes[step.node].stats.get()).collect();
        let is_cut_short = rewards.is_some() && leaf.turn() != Turn::Over;
        let mut rng = if rewards.is_none() { Rng::seeded(self.rng.bits()) } else { Rng::seeded(0) };
        for (depth, step) in path.iter().enumerate() {
            self.add_visit(&self.nodes[step.node], unobserved);
            if let Some(position) = self.position_at(depth) {
                self.add_visit(&self.nodes[position], unobserved);
            }
        }
        if unobserved == Unobserved::Mean {
            self.assume_values_of_new_nodes();
        }
        let (mut priors, shares) = (Vec::new(), same.is_some());
        let rewards = match same.or(rewards) {
            Some(rewards) => rewards,
            None => {
                if let Some((actions, _)) = &expands {
                    priors = vec![1.0; actions.len()];
                    let value = P::Stats::priors(&self.rollout_policy, leaf.state(), actions, &mut priors);
                    leaf.set_value(value.map_err(|error| leaf.fail(error))?);
                }
                self.rollout_policy.simulate(&mut leaf, &mut rng)?
            }
        };
        Ok(Waiting { leaf, path, repeats, rewards, is_cut_short, stats, expands, priors, shares })
    }

    /// A node without rewards is worth what an unvisited child is.
    fn assume_values_of_new_nodes(&self) {
        for (depth, pair) in self.path.windows(2).enumerate() {
            let (parent, new) = (self.home(pair[0].node), &self.nodes[pair[1].node]);
            if new.visits() > 1 {
                continue;
            }
            let siblings = self.nodes[parent].children.iter().map(|&child| &self.nodes[child]);
            let completed =
                siblings.map(|node| ((node.visits() - node.backprop.get().0.count) as f32, node.mean()));
            let value = match self.first_play {
                FirstPlay::Infinite => below_mean(0.0, completed),
                FirstPlay::Value(value) => value,
                FirstPlay::BelowMean(reduction) => below_mean(reduction, completed).max(0.0),
            };
            new.set_mean(0, value);
            if let Some(position) =
                self.position_at(depth + 1).filter(|&position| self.nodes[position].visits() == 1)
            {
                self.nodes[position].set_mean(0, value);
            }
        }
    }

    /// Uses the rewards of an iteration.
    fn resolve(&mut self, entry: Waiting<S, P, R>, unobserved: Unobserved) -> Result<(), GameFault> {
        let Waiting { leaf, path, repeats, rewards, is_cut_short, stats, expands, priors, shares } = entry;
        (self.path, self.repeats) = (path, repeats);
        let end = self.path[self.path.len() - 1];
        let node = self.home(end.node);
        if let Some((actions, mut then)) = expands
            && !shares
            && self.nodes[node].children.is_empty()
        {
            mem::swap(&mut self.rng, &mut then);
            self.give_priors(node, end.turn, actions, &priors, leaf.value().as_ref())?;
            mem::swap(&mut self.rng, &mut then);
        }
        for (step, then) in self.path.iter().zip(stats) {
            let node = &self.nodes[step.node];
            node.stats.set(self.tree_policy.notice(node.stats.get(), Event::Recalled(then)));
        }
        if self.rollout_policy.learns() {
            self.rollout_policy.learn(&leaf.trace().1, &rewards);
        }
        self.spread.learn(&rewards);
        self.tree_policy.learn(leaf.trace().0.actions(), &rewards);
        let count = |node: &NodeOf<S, P, Counted<B>>| {
            self.unassume(node, unobserved);
            let (PendingVisits { count }, stats) = node.backprop.get();
            node.backprop.set((PendingVisits { count: count - 1 }, stats));
            node.visits() - (count - 1)
        };
        let counted = |node: &NodeOf<S, P, Counted<B>>| {
            if node.backprop.get().0.count > 0 {
                self.assume(node, unobserved);
            }
        };
        self.back_up(&leaf, rewards, is_cut_short, (&count, &counted));
        Ok(())
    }

    /// Counts a visit that waits.
    fn add_visit(&self, node: &NodeOf<S, P, Counted<B>>, unobserved: Unobserved) {
        self.unassume(node, unobserved);
        let (PendingVisits { count }, stats) = node.backprop.get();
        node.backprop.set((PendingVisits { count: count + 1 }, stats));
        node.count_visit();
        self.assume(node, unobserved);
    }

    /// Writes what is assumed of the waiting visits into a node.
    fn assume(&self, node: &NodeOf<S, P, Counted<B>>, unobserved: Unobserved) {
        if unobserved == Unobserved::Loss {
            node.child.mean.set(mean_of(node.visits(), node.sum.get()));
        }
        node.stats.set(self.tree_policy.notice(node.stats.get(), Event::Recounted(node.visits() as f32)));
    }

    /// Takes the assumption back: the mean is again that of the completed visits.
    fn unassume(&self, node: &NodeOf<S, P, Counted<B>>, unobserved: Unobserved) {
        let completed = node.visits() - node.backprop.get().0.count;
        if unobserved == Unobserved::Loss {
            node.child.mean.set(if completed > 0 { mean_of(completed, node.sum.get()) } else { 0.0 });
        }
    }
}
