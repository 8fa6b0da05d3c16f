//! Positions: in a graph, an action leads to a position, a node of its own, which has the children and what the backpropagation stores.
//!
//! The means of an action and of its position are kept equal: an iteration updates the position first, and then the action with the reward
//! that makes them so.

use super::views::{Record, Updating};
use super::{Count, Current, Id, Node, NodeOf, ROOT, Twin};
use crate::backpropagation::{Backprop, StepChild};
use crate::game::Rewards;
use crate::iteration::{FedBy, LeafOf};
use crate::simulation::RolloutPolicy;
use crate::space::{NodeKind, Space};
use std::collections::HashSet;

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Twin<S, P, R, B> {
    /// Returns the node that holds what is known of where `node` leads: its position, or the node itself.
    pub(super) fn home(&self, node: Id) -> Id {
        self.nodes[node].position.map_or(node, |(position, _)| position)
    }

    /// Returns whether the last action of the path may have children: in a graph, it then leads to a position.
    pub(super) fn has_position(&self) -> bool {
        let end = self.path[self.path.len() - 1];
        !S::ARE_POSITIONS || self.nodes[end.node].position.is_some()
    }

    /// In a graph, goes on from the last action to its position. The state then becomes that of the position. Returns whether the position has
    /// occurred before, on this path or in the game before the root.
    pub(super) fn arrive(&mut self, current: &mut Current, leaf: &mut LeafOf<S, P, R>) -> bool {
        self.repeats = false;
        let is_over = current.turn == crate::Turn::Over;
        if !S::ARE_POSITIONS || is_over {
            return false;
        }
        let action = current.node;
        if self.nodes[action].position.is_none() {
            self.find_position(current, leaf.state());
        }
        let Some((position, transformation)) = self.nodes[action].position else { return self.repeats };
        leaf.transform(|state| S::transform(state, transformation));
        let (_, before) =
            self.path.split_last().unwrap_or_else(|| unreachable!("a path begins with the root"));
        let is_earlier = || {
            let key = self.positions.iter().find(|&(_, &other)| other == position);
            !before.is_empty() && key.is_some_and(|(&(key, _), _)| self.is_earlier(key))
        };
        self.repeats = before.iter().any(|step| self.home(step.node) == position) || is_earlier();
        if !self.repeats {
            (current.node, current.visits) = (position, self.nodes[position].visits());
        }
        self.repeats
    }

    /// If the last action of the path is due for children, links it to its position, which other actions may have led to before.
    fn find_position(&mut self, current: &Current, state: &S::Game) {
        if !self.expands(current) {
            return;
        }
        let Some((key, transformation)) = S::position(state) else { return };
        if self.path.len() > 1 && self.is_earlier(key) {
            self.repeats = true;
            return;
        }
        if self.positions.contains_key(&(key, current.chooser)) {
            self.linked.push(current.node);
        }
        let nodes = &mut self.nodes;
        let position = *self.positions.entry((key, current.chooser)).or_insert_with(|| {
            let position = Node::new(nodes[current.node].child.action.clone());
            position.copy(&nodes[current.node]);
            nodes.push(position);
            nodes.len() - 1
        });
        self.nodes[current.node].position = Some((position, transformation));
    }

    /// Returns the position that the path leads to at `depth`, if this iteration has visited it.
    pub(super) fn position_at(&self, depth: usize) -> Option<Id> {
        let is_repeated = self.repeats && depth + 1 == self.path.len();
        self.nodes[self.path[depth].node].position.filter(|_| !is_repeated).map(|(position, _)| position)
    }

    /// Updates a position, and then the action that led to it. Changes the rewards to those that the steps above receive.
    pub(super) fn update_position(
        &self,
        view: Updating<'_, S, P, R, B>,
        position: &NodeOf<S, P, B>,
        rewards: &mut Rewards,
        count: Count<'_, NodeOf<S, P, B>>,
    ) -> StepChild<B::Stats> {
        let (step, action) = (view.step, view.node);
        // Excuse: if all visits of the position came through this action, the action records the rewards themselves, and not the difference
        // of two sums, which is rounded.
        let is_only_way = B::AVERAGES
            && position.visits() == action.visits()
            && position.sum.get() == action.sum.get()
            && position.mean().to_bits() == action.mean().to_bits()
            && B::pending(position.backprop.get()) == B::pending(action.backprop.get());
        let (visits, visits_of_action) = (count.0(position), count.0(action));
        let before = *rewards;
        let view = Updating { home: Some(position), ..view };
        let mean_reward = B::AVERAGES.then_some(before[step.chooser]);
        let node = if is_only_way { action } else { position };
        self.backprop.update(Updating { node, visits, mean_reward, ..view }, rewards);
        if B::AVERAGES && B::PROVES && *rewards != before {
            view.own_rewards.set(*rewards); // what is proven takes the place of the rewards
        }
        if !is_only_way {
            self.update_action(Updating { visits: visits_of_action, ..view }, position, visits, rewards);
        }
        let stats = position.backprop.get();
        self.close_if_certain(action, visits_of_action, stats, step.chooser, || {
            self.closes_losses(view.depth)
        });
        self.close_if_certain(position, visits, stats, step.chooser, || false);
        if is_only_way {
            position.child.mean.set(action.mean());
            position.set_sum(action.sum.get());
            position.stats.set(action.stats.get());
        }
        count.1(position);
        count.1(action);
        StepChild { visits: position.visits(), mean: position.mean(), stats: position.backprop.get() }
    }

    /// Moves the mean of an action to that of its position.
    fn update_action(
        &self,
        view: Updating<'_, S, P, R, B>,
        position: &NodeOf<S, P, B>,
        visits: u32,
        rewards: &mut Rewards,
    ) {
        use crate::backpropagation::Step;
        let Record { reward, spread, sum } = view.record.get();
        if B::AVERAGES {
            let target = sum.unwrap_or(position.sum.get()) * (f64::from(view.visits) / f64::from(visits));
            let reward = ((target - view.node.sum.get()) / f64::from(1 << 24)).clamp(0.0, 1.0) as f32;
            let chooser = view.step.chooser;
            if rewards.players() == 2 && (rewards[0] + rewards[1] - 1.0).abs() <= 1e-6 {
                rewards[chooser ^ 1] = 1.0 - reward;
            }
            rewards[chooser] = reward;
            Updating { mean_reward: Some(reward), ..view }.record(reward);
            return;
        }
        match reward {
            Some(reward) => view.record_with_mean(reward, position.mean()),
            None => view.node.set_mean(view.visits, view.node.mean()),
        }
        if let Some(deviation) = spread {
            view.spread(deviation);
        }
    }

    /// Returns whether the game has had the position with this key, at the root or before.
    fn is_earlier(&self, key: u128) -> bool {
        let root = S::position(self.space.root());
        self.earlier.contains(&key) || root.is_some_and(|(root, _)| root == key)
    }

    /// Returns the node that shows what a child is worth and what is proven of it: its home. A child that leads back to the root shows what it
    /// has itself, because the line ends there as a repetition.
    pub(super) fn known(&self, child: Id) -> Id {
        let home = self.home(child);
        if S::ARE_POSITIONS && home == self.home(ROOT) { child } else { home }
    }

    /// Notes that the game has gone on from the position `left` to `next`, the root. A line that comes to one of the two is a repetition from
    /// now on, so what rests on them is forgotten.
    pub(super) fn go_on(&mut self, left: u128, next: Option<u128>) {
        self.earlier.push(left);
        let root = if self.nodes.is_empty() { None } else { Some(self.home(ROOT)) };
        let mut passed = HashSet::new();
        for key in [left].into_iter().chain(next) {
            for player in 0..self.players {
                let Some(&position) = self.positions.get(&(key, player)) else { continue };
                if self.knows(position) {
                    passed.insert(position);
                }
                if Some(position) != root {
                    self.forget(position);
                }
            }
        }
        let mut before = 0;
        while before < passed.len() {
            before = passed.len();
            for &position in self.positions.values() {
                let children = &self.nodes[position].children;
                let resting = children.iter().filter(|&&child| passed.contains(&self.home(child)));
                let rests = resting.map(|&child| self.forget(child)).count() > 0;
                if rests && self.knows(position) {
                    self.forget(position);
                    children.iter().for_each(|&child| self.nodes[child].is_closed.set(false));
                    passed.insert(position);
                }
            }
        }
    }

    fn forget(&self, node: Id) {
        self.nodes[node].backprop.set(B::Stats::default());
        self.nodes[node].is_closed.set(false);
    }

    fn knows(&self, node: Id) -> bool {
        B::PROVES && self.backprop.knows(self.nodes[node].backprop.get(), self.players)
    }

    /// Drops the positions that the root does not lead to.
    pub(super) fn drop_unreachable(&mut self) {
        let (mut reached, mut open) = (HashSet::new(), vec![ROOT]);
        while let Some(node) = open.pop() {
            if reached.insert(node) {
                open.push(self.home(node));
                open.extend(&self.nodes[node].children);
            }
        }
        self.positions.retain(|_, position| reached.contains(position));
    }
}
