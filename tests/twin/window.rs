//! A window: iterations are put aside at their leaves until the window is full, all of them are simulated, and then they are resolved in
//! their order. Visits count at once, and their rewards arrive later.

use super::{Current, NodeOf, ROOT, Step, Twin};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, Rewards, Rng, Turn};
use crate::iteration::expansion::Order;
use crate::iteration::node_view::below_mean;
use crate::iteration::{FedBy, LeafOf};
use crate::search::engine::window::in_flight::PendingVisits;
use crate::search::engine::window::{Counted, Unobserved};
use crate::selection::FirstPlay;
use crate::simulation::{Leaf, RolloutPolicy, Trace};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use crate::tree::mean_of;

/// An iteration that waits for its rewards.
struct Waiting<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> {
    leaf: LeafOf<S, P, R>,
    path: Vec<Step>,
    repeats: bool,
    rewards: Option<Rewards>,
    is_cut_short: bool,
    /// What the tree policy stored at each step.
    stats: Vec<P::Stats>,
    /// If the leaf is due for children with priors: their actions, and the generator that draws their order.
    expands: Option<(Vec<ActionOf<S>>, Rng)>,
    priors: Vec<f32>,
    /// The earlier iteration of this window that waits for the same priors.
    same_as: Option<usize>,
}

impl<S, P, R, B> Twin<S, P, R, Counted<B>>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
{
    /// Makes so many iterations with `size` leaves at a time, or fewer if the root is proven. Returns how many.
    pub fn run_window(
        &mut self,
        iterations: u64,
        size: usize,
        unobserved: Unobserved,
    ) -> Result<u64, GameFault> {
        self.begin(iterations)?;
        let mut made = 0;
        while made < iterations && !self.root_is_proven() {
            // The first iteration of a tree gives the root its children.
            let size = if self.root_is_leaf() { 1 } else { size.min((iterations - made) as usize) };
            let mut waiting = Vec::new();
            while self.has_place(&waiting, size) {
                let new = self.put_aside(&waiting, unobserved)?;
                waiting.push(new);
            }
            self.simulate(&mut waiting)?;
            made += waiting.len() as u64;
            for index in 0..waiting.len() {
                if let Some(other) = waiting[index].same_as {
                    waiting[index].rewards = waiting[other].rewards;
                }
            }
            for entry in waiting {
                self.resolve(entry, unobserved)?;
            }
        }
        self.sort_root();
        Ok(made)
    }

    fn root_is_leaf(&self) -> bool {
        self.nodes[self.home(ROOT)].children.is_empty()
    }

    /// Returns whether another iteration may wait. With priors, few may wait at the same leaves, and none before the root has its own.
    fn has_place(&self, waiting: &[Waiting<S, P, R>], size: usize) -> bool {
        let sharing = waiting.iter().filter(|entry| entry.same_as.is_some()).count();
        let waits = P::Stats::INITIALIZES && (self.root_is_leaf() || 4 * sharing > size);
        waiting.is_empty() || waiting.len() < size && !waits
    }

    /// Goes down to a leaf, and counts the visits on the way.
    fn put_aside(
        &mut self,
        waiting: &[Waiting<S, P, R>],
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
        let pending = self.nodes[node].backprop.get().0.count;
        if rewards.is_none() {
            let stats = &self.nodes[node].backprop;
            stats.set(self.backprop.look(leaf.state(), stats.get())?);
        }
        let end = |path: &[Step]| self.home(path[path.len() - 1].node);
        let is_same = |other: &Waiting<S, P, R>| {
            other.expands.is_some() && other.same_as.is_none() && end(&other.path) == end(&self.path)
        };
        let is_shared = expands.is_some() && pending > 0;
        let same_as = waiting.iter().position(is_same).filter(|_| is_shared);
        let path = self.path.clone();
        let stats = path.iter().map(|step| self.nodes[step.node].stats.get()).collect();
        for (depth, step) in path.iter().enumerate() {
            self.add_visit(&self.nodes[step.node], unobserved);
            if let Some(position) = self.position_at(depth) {
                self.add_visit(&self.nodes[position], unobserved);
            }
        }
        if unobserved == Unobserved::Mean {
            self.assume_values_of_new_nodes();
        }
        let (repeats, priors, is_cut_short) =
            (self.repeats, Vec::new(), rewards.is_some() && leaf.turn() != Turn::Over);
        Ok(Waiting { leaf, path, repeats, rewards, is_cut_short, stats, expands, priors, same_as })
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

    /// Asks for the priors of all leaves that are due for children, and then simulates from all.
    fn simulate(&mut self, waiting: &mut [Waiting<S, P, R>]) -> Result<(), GameFault> {
        let is_open = |entry: &Waiting<S, P, R>| entry.rewards.is_none() && entry.same_as.is_none();
        for entry in waiting.iter_mut().filter(|entry| is_open(entry)) {
            if let Some((actions, _)) = &entry.expands {
                entry.priors = vec![1.0; actions.len()];
                let value =
                    P::Stats::priors(&self.rollout_policy, entry.leaf.state(), actions, &mut entry.priors);
                let value = value.map_err(|error| entry.leaf.fail(error))?;
                entry.leaf.set_value(value);
            }
        }
        for entry in waiting.iter_mut().filter(|entry| is_open(entry)) {
            entry.rewards = Some(self.rollout_policy.simulate(&mut entry.leaf, &mut self.rng)?);
        }
        Ok(())
    }

    /// Uses the rewards of an iteration.
    fn resolve(&mut self, entry: Waiting<S, P, R>, unobserved: Unobserved) -> Result<(), GameFault> {
        let Waiting { leaf, path, repeats, rewards, is_cut_short, stats, expands, priors, same_as } = entry;
        let Some(rewards) = rewards else { return Err(GameFault::NotEvaluated) };
        (self.path, self.repeats) = (path, repeats);
        let end = self.path[self.path.len() - 1];
        let node = self.home(end.node);
        if let Some((actions, mut then)) = expands
            && same_as.is_none()
            && self.nodes[node].children.is_empty()
        {
            core::mem::swap(&mut self.rng, &mut then);
            self.give_priors(node, end.turn, actions, &priors, leaf.value().as_ref())?;
            core::mem::swap(&mut self.rng, &mut then);
        }
        for (step, then) in self.path.iter().zip(stats) {
            let node = &self.nodes[step.node];
            node.stats.set(self.tree_policy.recall(node.stats.get(), then));
        }
        self.rollout_policy.learn(&leaf.trace().1, &rewards);
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
        node.stats.set(self.tree_policy.recount(node.stats.get(), node.visits() as f32));
    }

    /// Takes the assumption back: the mean is again that of the completed visits.
    fn unassume(&self, node: &NodeOf<S, P, Counted<B>>, unobserved: Unobserved) {
        let completed = node.visits() - node.backprop.get().0.count;
        if unobserved == Unobserved::Loss {
            node.child.mean.set(if completed > 0 { mean_of(completed, node.sum.get()) } else { 0.0 });
        }
    }
}
