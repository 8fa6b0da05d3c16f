//! A pending iteration: it is put aside at its leaf, and resolved when its rewards have arrived.

use crate::backpropagation::Backprop;
use crate::game::{Cause, GameFault, GameState, Player, Rewards, Rng, Turn, concluded};
use crate::iteration::node_view::below_mean;
use crate::iteration::nodes::home;
use crate::iteration::path::{NodeOf, PathStep};
use crate::iteration::{FedBy, Iterations, Traces};
use crate::search::engine::window::in_flight::Counted;
use crate::search::engine::window::servers::Task;
use crate::search::engine::window::unobserved::{Complete, Unobserved};
use crate::selection::{Event, FirstPlay};
use crate::simulation::{Leaf, RolloutPolicy, Trace};
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::{ROOT, is_same_position};
use core::mem;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// Lets the rollout policy learn, while no server uses it.
pub(super) fn learn<G: GameState, T, R: RolloutPolicy<G>>(
    rollout_policy: &RwLock<&mut R>,
    leaf: &Leaf<G, (T, R::Trace)>,
    rewards: &Rewards,
) where
    T: Trace<G>,
{
    let mut rollout_policy = rollout_policy.write().unwrap_or_else(PoisonError::into_inner);
    rollout_policy.learn(&leaf.trace().1, rewards);
}

/// Returns the rollout policy, which servers may be using.
pub(super) fn read<'a, R>(rollout_policy: &'a RwLock<&mut R>) -> RwLockReadGuard<'a, &'a mut R> {
    rollout_policy.read().unwrap_or_else(PoisonError::into_inner)
}

/// An iteration that has reached its leaf and waits for its rewards.
///
/// It does not refer to the nodes of the tree, because they may move or disappear before it is resolved. It
/// keeps the actions and finds the nodes again.
///
/// Where positions are shared, its visits count at the actions and at the positions that they lead to. If an
/// action is linked to a position that others have found while visits of it are pending, they are counted
/// there from then on. A position with pending visits keeps its children. So all pending visits of an action
/// are visits of its position, and the path is whole until the iteration is resolved.
pub(crate) struct Pending<S: Space, K, T> {
    /// The number of this iteration in the search.
    pub number: u64,
    /// The task at the leaf. `None` while it is handed out, or if a panic has lost it.
    pub task: Option<Box<Task<S, T>>>,
    /// Its number on the board, while it is handed out.
    pub handed_out: Option<u64>,
    steps: Vec<TakenStep<ActionOf<S>, K>>,
    /// Whether the tree has given up the last nodes of the path.
    is_cut: bool,
    /// Whether the iteration ended because a position occurred on its path for the second time.
    repeats: bool,
    /// The link of the last node of the path to its position, where positions are shared.
    position: Option<u32>,
    is_cut_short: bool,
    /// Whether the leaf gets children with priors when this iteration is resolved.
    pub expands: bool,
    /// Draws the order of these children, as soon as the leaf is found. A search without a window draws it
    /// then too.
    order: Option<Rng>,
    /// The number of the iteration that waits for the evaluation of the same leaf, which this one shares.
    pub same_as: Option<u64>,
    /// The number of iterations that share this one's evaluation.
    pub sharers: u32,
}

/// A step of the path of a pending iteration.
#[derive(Clone)]
struct TakenStep<A, K> {
    action: A,
    /// The number of the node among its siblings.
    index: u32,
    chooser: Player,
    turn: Turn,
    /// The tree policy's statistics when the iteration came through the node.
    stats: K,
}

impl<S: Space, K, T> Pending<S, K, T> {
    pub fn new() -> Self {
        Pending {
            number: 0,
            task: None,
            handed_out: None,
            steps: Vec::new(),
            is_cut: false,
            repeats: false,
            position: None,
            is_cut_short: false,
            expands: false,
            order: None,
            same_as: None,
            sharers: 0,
        }
    }

    /// Returns the same iteration for a copy of the search. An error stays with the original.
    pub fn copy(&self) -> Self
    where
        K: Clone,
        T: Trace<S::Game>,
    {
        Pending {
            task: self.task.as_ref().map(|task| Box::new(task.copy())),
            steps: self.steps.clone(),
            order: self.order.clone(),
            ..*self
        }
    }

    /// Returns the number of actions on the path.
    pub fn depth(&self) -> u32 {
        self.steps.len() as u32 - 1
    }

    /// Returns whether the leaf waits for rewards that no other iteration asks for, and its task is here.
    pub fn is_question(&self) -> bool {
        self.same_as.is_none() && self.task.as_ref().is_some_and(|task| task.result.is_none())
    }

    /// Returns whether the path leads to the same node as that of `other`.
    pub fn has_path_of(&self, other: &Self) -> bool {
        if let (Some(own), Some(other)) = (self.position, other.position) {
            return own != ROOT && is_same_position(own, other);
        }
        // Most paths differ at their ends, if not in their lengths.
        let mut both = self.steps.iter().zip(&other.steps).skip(1).rev();
        !self.is_cut && self.steps.len() == other.steps.len() && both.all(|(a, b)| a.action == b.action)
    }
}

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, Counted<B>>
{
    /// Descends to a leaf and puts the iteration aside there: its visits count, its rewards are pending.
    /// After an error nothing has changed. Returns whether the same leaf already waits for an evaluation that
    /// this iteration can share.
    #[inline(always)]
    pub(crate) fn set_aside(
        &mut self,
        pending: &mut Pending<S, P::Stats, Traces<S, P, R>>,
        task: &mut Task<S, Traces<S, P, R>>,
        rollout_policy: &RwLock<&mut R>,
        unobserved: Unobserved,
    ) -> Result<bool, Cause> {
        let Task { leaf, actions, priors, result, .. } = task;
        actions.clear();
        priors.clear();
        let (mut expands, order) = (false, &mut pending.order);
        let reached = self.reach(leaf, |this, current, leaf| {
            // Priors come with the rewards, and children with the priors.
            expands = P::Stats::INITIALIZES && current.turn != Turn::Chance;
            if expands {
                this.list(leaf.state())?;
                actions.extend_from_slice(this.actions);
                *order = this.draw_order(current.turn);
                Ok(None)
            } else {
                this.expand(current.node, current.turn, leaf, &read(rollout_policy))
            }
        });
        self.count_where_linked(unobserved);
        let reached = concluded(reached.and_then(|reached| {
            if reached.certain.is_none() {
                self.look(reached.node, leaf)?;
            }
            Ok(reached)
        }))?;
        (pending.expands, task.expands) = (expands, expands);
        *result = reached.certain.map(Ok);
        if result.is_none() {
            task.rng = Rng::seeded(self.rng.bits());
        }
        pending.is_cut_short = reached.is_cut_short;
        pending.is_cut = false;
        (pending.repeats, pending.position) = (self.repeats, self.position_of_end());
        (pending.same_as, pending.sharers) = (None, 0);
        let is_shared = expands && reached.node.backprop().0.count > 0;
        pending.steps.clear();
        for step in self.path.steps() {
            let node = step.node();
            pending.steps.push(TakenStep {
                action: node.action(),
                index: node.index() as u32,
                chooser: step.chooser,
                turn: step.turn,
                stats: node.stats(),
            });
        }
        // The clone of an action may panic, and then no visit is pending.
        for (depth, step) in self.path.steps().iter().enumerate() {
            let node = step.node();
            unobserved.add_visit::<S, P, B>(node, self.tree_policy);
            if let Some(position) = self.position_at(node, depth) {
                unobserved.add_visit::<S, P, B>(position, self.tree_policy);
            }
        }
        if unobserved == Unobserved::Mean {
            self.assume_values_of_new_nodes();
        }
        Ok(is_shared)
    }

    /// Counts the pending visits of the actions that this descent has linked to positions at these, too.
    fn count_where_linked(&mut self, unobserved: Unobserved) {
        if !S::ARE_POSITIONS {
            return;
        }
        for depth in mem::take(&mut self.passed.linked) {
            let node = self.path.steps()[depth].node();
            for _ in 0..node.backprop().0.count {
                unobserved.add_visit::<S, P, B>(self.tree.position(node.link()), self.tree_policy);
            }
        }
    }

    /// Gives the nodes of the path that have pending visits only a mean: what is assumed of an unvisited
    /// child.
    fn assume_values_of_new_nodes(&self) {
        let (steps, known) = (self.path.steps(), self.known_steps());
        for (pair, depth) in steps[known..].windows(2).zip(known + 1..) {
            let [parent, new] = [pair[0].node(), pair[1].node()];
            if new.visit_count() == 1 {
                let value = self.value_of_new(home::<S, P, Counted<B>>(self.tree, parent));
                new.record_with_mean(0, value);
                if let Some(position) = self.position_at(new, depth)
                    && position.visit_count() == 1
                {
                    position.record_with_mean(0, value);
                }
            }
        }
    }

    /// Returns what stands for the mean of a child of `parent`, a position where positions are shared, that
    /// has pending visits only.
    fn value_of_new(&self, parent: NodeOf<'s, S, P, Counted<B>>) -> f32 {
        let completed = |node: NodeOf<'s, S, P, Counted<B>>| {
            ((node.visit_count() - node.backprop().0.count) as f32, node.mean())
        };
        let below = |reduction| below_mean(reduction, self.tree.children_of(parent.link()).map(completed));
        match self.first_play {
            FirstPlay::Infinite => below(0.0),
            FirstPlay::Value(value) => value,
            FirstPlay::BelowMean(reduction) => below(reduction).max(0.0),
        }
    }

    /// Uses the rewards of a pending iteration. Returns whether there is room for the root's children. If
    /// there are no rewards or if they are an error, takes the iteration back.
    #[inline(always)]
    pub(crate) fn settle(
        &mut self,
        pending: &mut Pending<S, P::Stats, Traces<S, P, R>>,
        (rollout_policy, learns): (&RwLock<&mut R>, bool),
        unobserved: Unobserved,
    ) -> Result<bool, Cause> {
        let is_whole = self.retrace(&pending.steps, pending.repeats) && !pending.is_cut;
        self.repeats = pending.repeats && is_whole;
        let Some(task) = &mut pending.task else { return self.take_back(unobserved, Ok(true)) };
        let rewards = match task.result.take().map(|result| Ok(result?.checked(self.players)?)) {
            Some(Ok(rewards)) => rewards,
            Some(Err(cause)) => return self.take_back(unobserved, Err(cause)),
            None => return self.take_back(unobserved, Ok(true)),
        };
        let end = *self.path.end();
        let leaf = home::<S, P, Counted<B>>(self.tree, end.node());
        if pending.expands && is_whole && leaf.link() == ROOT && pending.same_as.is_none() {
            let given =
                self.give_pending_children(leaf, end.turn, task, &mut pending.order, &read(rollout_policy));
            if let Err(fault) = given {
                return self.take_back(unobserved, Err(fault.into()));
            }
        }
        for (step, taken) in self.path.steps().iter().zip(&pending.steps) {
            let node = step.node();
            node.set_stats(self.tree_policy.notice(node.stats(), Event::Recalled(taken.stats)));
        }
        if learns {
            learn(rollout_policy, &task.leaf, &rewards);
        }
        Ok(self.resolve(&task.leaf, rewards, pending.is_cut_short, Complete(unobserved))?)
    }

    /// Gives a leaf its children, with the priors that have arrived and in the order that was drawn when the
    /// leaf was found.
    #[inline(always)]
    fn give_pending_children(
        &mut self,
        leaf: NodeOf<'s, S, P, Counted<B>>,
        turn: Turn,
        task: &mut Task<S, Traces<S, P, R>>,
        order: &mut Option<Rng>,
        rollout_policy: &R,
    ) -> Result<Option<u32>, GameFault> {
        mem::swap(self.actions, &mut task.actions);
        let value = task.leaf.value();
        if let Some(then) = order {
            mem::swap(self.rng, then);
        }
        let given = self.give_children(leaf, turn, &task.priors, value.as_ref(), rollout_policy);
        if let Some(now) = order {
            mem::swap(self.rng, now);
        }
        given
    }

    /// Finds the nodes of a pending iteration and makes them the path. Returns whether all of them are still
    /// in the tree. The path ends where the tree has given up nodes meanwhile.
    #[inline(always)]
    fn retrace(&mut self, steps: &[TakenStep<ActionOf<S>, P::Stats>], repeats: bool) -> bool {
        let mut node = self.tree.root();
        self.path.begin(PathStep::new(node, self.chooser, self.turn));
        for (depth, step) in steps.iter().enumerate().skip(1) {
            match self.find_pending(node, step, repeats && depth + 1 == steps.len()) {
                Some(child) => node = child,
                None => return false,
            }
            let tree = self.tree;
            if !self.path.push(PathStep::new(node, step.chooser, step.turn), || tree.children()) {
                return false;
            }
        }
        true
    }

    /// Shortens the path of a pending iteration to the nodes that are still in the tree. Call this before the
    /// tree grows again: new nodes at the same place are not those of this iteration.
    #[cold]
    #[inline(never)]
    pub(crate) fn shorten(&self, pending: &mut Pending<S, P::Stats, Traces<S, P, R>>) {
        let mut node = self.tree.root();
        for depth in 1..pending.steps.len() {
            let is_repeated = pending.repeats && depth + 1 == pending.steps.len();
            match self.find_pending(node, &pending.steps[depth], is_repeated) {
                Some(child) => node = child,
                None => {
                    pending.steps.truncate(depth);
                    pending.is_cut = true;
                    return;
                }
            }
        }
    }

    /// Returns the child of `node` that a pending iteration took, if it is still in the tree. A visit that
    /// repeats a position is pending at the child alone.
    #[inline(always)]
    fn find_pending(
        &self,
        node: NodeOf<'s, S, P, Counted<B>>,
        step: &TakenStep<ActionOf<S>, P::Stats>,
        is_repeated: bool,
    ) -> Option<NodeOf<'s, S, P, Counted<B>>> {
        let home = |node| home::<S, P, Counted<B>>(self.tree, node);
        let is_pending = |node: &NodeOf<'s, S, P, Counted<B>>| {
            node.backprop().0.count > 0 && (is_repeated || home(*node).backprop().0.count > 0)
        };
        self.find(home(node).link(), step.index, &step.action).filter(is_pending)
    }

    /// Returns the child with this action, which probably has this number.
    #[inline(always)]
    fn find(&self, link: u32, index: u32, action: &ActionOf<S>) -> Option<NodeOf<'s, S, P, Counted<B>>> {
        if link != ROOT {
            let last = self.tree.block(link);
            let lane = (index as usize).wrapping_sub(last.start());
            if lane < last.used() && last.node(lane).has_action(action) {
                return Some(last.node(lane));
            }
        }
        self.find_elsewhere(link, index as usize, action)
    }

    /// Returns the child with this action, which is probably not in the last block of its family.
    #[inline(never)]
    fn find_elsewhere(
        &self,
        link: u32,
        index: usize,
        action: &ActionOf<S>,
    ) -> Option<NodeOf<'s, S, P, Counted<B>>> {
        let with_index = self.tree.family(link).find(|(_, block, _)| index < block.start() + block.used());
        let node = with_index.map(|(_, block, _)| block.node(index - block.start()));
        node.filter(|node| node.has_action(action))
            .or_else(|| self.tree.children_of(link).find(|node| node.has_action(action)))
    }

    /// Takes back the iteration on the path: its visits no longer count. Returns `result`.
    #[cold]
    #[inline(never)]
    fn take_back<T>(&mut self, unobserved: Unobserved, result: T) -> T {
        let steps = self.path.steps();
        for (depth, step) in steps.iter().enumerate().rev() {
            let node = step.node();
            if let Some(position) = self.position_at(node, depth) {
                unobserved.take_visit_back::<S, P, B>(position, self.tree_policy);
            }
            if unobserved.take_visit_back::<S, P, B>(node, self.tree_policy) == 0 {
                // Chance, and a policy that sees all children, visit them in any order.
                match depth.checked_sub(1).map(|parent| steps[parent]) {
                    Some(parent) if !P::SEES_UNVISITED && parent.turn != Turn::Chance => {
                        let parent = home::<S, P, Counted<B>>(self.tree, parent.node());
                        self.tree.unvisit(parent.link(), node);
                    }
                    _ => self.tree.unvisit_in_place(node),
                }
            }
        }
        result
    }
}
