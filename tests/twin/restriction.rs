//! What an iteration does at a root whose actions are restricted: the tree policy sees only the permitted children.

use super::growth::{capacity, put_first};
use super::{Current, Id, ROOT, Twin};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Player};
use crate::iteration::expansion::Order;
use crate::iteration::nodes::DRAWS;
use crate::iteration::{FedBy, LeafOf};
use crate::simulation::RolloutPolicy;
use crate::space::transpositions::stored;
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Twin<S, P, R, B> {
    /// Returns whether the path ends at a restricted root.
    pub(super) fn is_restricted_here(&self) -> bool {
        self.restriction.is_some() && self.path.len() == 1
    }

    fn permits(&self, child: Id) -> bool {
        self.restriction
            .as_ref()
            .is_none_or(|restriction| restriction.permits(&self.nodes[child].child.action))
    }

    /// Returns the first permitted child that was not visited.
    pub(super) fn permitted_untried(&self, node: Id) -> Option<Id> {
        let is_new = |&child: &Id| self.nodes[child].visits() == 0 && self.permits(child);
        self.nodes[node].children.iter().copied().find(is_new)
    }

    /// At a restricted root, returns the open child with the fewest visits, if it should have more.
    pub(super) fn in_need(&self, node: Id) -> Option<Id> {
        let restriction = self.restriction.as_ref().filter(|_| self.is_restricted_here());
        let least = restriction.map_or(0, |restriction| restriction.least());
        let is_open = |&child: &Id| !self.nodes[child].is_closed.get() && self.permits(child);
        let open = self.nodes[node].children.iter().copied().filter(is_open);
        open.min_by_key(|&child| self.nodes[child].visits())
            .filter(|&child| self.nodes[child].visits() < least)
    }

    /// Moves the permitted children to the front, and adds one if all of them have been visited. Returns how many the tree policy sees, and
    /// whether it may choose another one.
    pub(super) fn bring_forward(
        &mut self,
        current: &mut Current,
        player: Player,
        leaf: &LeafOf<S, P, R>,
    ) -> Result<(usize, bool), GameFault> {
        if S::ARE_GUESSED {
            return Ok((usize::MAX, false)); // the others are closed
        }
        let node = current.node;
        let (mut shown, mut untried) = self.sort(node);
        let count = self.restriction.as_ref().map_or(0, |restriction| restriction.count);
        if untried == 0 && shown < count && self.add_permitted(current, leaf, shown)? {
            (shown, untried) = self.sort(node);
        }
        for &child in &self.nodes[node].children {
            let stats = self.nodes[self.known(child)].backprop.get();
            if !self.permits(child) {
                current.visits = current.visits.saturating_sub(self.nodes[child].visits());
            } else if B::PROVES && self.backprop.certain(stats, player).is_none() {
                self.nodes[child].is_closed.set(false); // it was pruned, perhaps because of an action that is forbidden
            }
        }
        let is_widened = self.expansion.is_widened() || S::ARE_SAMPLED;
        let width = if is_widened { self.widened(node, current.visits.max(1)) } else { usize::MAX };
        Ok((shown.min(width), untried > 0 && shown < width))
    }

    /// Moves the permitted children to the front: of all, or, if the tree policy sees only visited children, of the visited and of the
    /// unvisited ones. Returns how many come first, and how many unvisited ones are permitted then.
    fn sort(&mut self, node: Id) -> (usize, usize) {
        let (mut first, mut rest, mut place, mut is_rest) = (0, 0, 0, false);
        for index in 0..self.nodes[node].children.len() {
            let child = self.nodes[node].children[index];
            if !P::SEES_UNVISITED && !is_rest && self.nodes[child].visits() == 0 {
                (is_rest, place) = (true, index);
            }
            if self.permits(child) {
                self.is_sorted |= place != index;
                self.nodes[node].children.swap(place, index);
                place += 1;
                *if is_rest { &mut rest } else { &mut first } += 1;
            }
        }
        (first, rest)
    }

    /// Sorts the children of a restricted root, for a decision.
    pub(super) fn sort_root(&mut self) {
        if self.restriction.is_some() && !S::ARE_GUESSED && !self.nodes.is_empty() {
            self.sort(self.home(ROOT));
        }
    }

    /// Moves the most visited children first. A restriction has moved what it forbids to the end, where widening may not show it.
    pub(super) fn show_forbidden(&mut self) {
        if self.nodes.is_empty()
            || self.root_actions.are_all()
            || !P::SEES_UNVISITED
            || !self.expansion.is_widened()
        {
            return;
        }
        let node = self.home(ROOT);
        let mut children = core::mem::take(&mut self.nodes[node].children);
        let mut place = 0;
        for index in 0..children.len() {
            if self.nodes[children[index]].visits() > 0 {
                children.swap(place, index);
                place += 1;
            }
        }
        for place in 0..children.len() {
            let most =
                (place..children.len()).rev().max_by_key(|&index| self.nodes[children[index]].visits());
            children.swap(place, most.unwrap_or(place));
        }
        self.nodes[node].children = children;
    }

    /// Gives the root one more permitted child. Returns whether it may have got one.
    fn add_permitted(
        &mut self,
        current: &Current,
        leaf: &LeafOf<S, P, R>,
        shown: usize,
    ) -> Result<bool, GameFault> {
        let node = current.node;
        let Some(restriction) = self.restriction.clone() else { return Ok(false) };
        let made = self.actions_of(node);
        if S::ARE_SAMPLED {
            return self.sample_permitted(current, leaf, shown);
        }
        if P::SEES_UNVISITED || P::Stats::INITIALIZES || self.nodes[node].is_complete {
            return Ok(false); // it has all children
        }
        // The next one in the order of the family. It follows the visited children, and those that nobody has visited are drawn again.
        let listed = Vec::from_iter(leaf.state().actions());
        let mut first = made[..self.visited(node)].to_vec();
        let actions = self.in_order(listed.clone(), &first, listed.len());
        let new = actions.into_iter().skip(first.len()).find(|action| restriction.permits(action));
        let Some(new) = new else { return Ok(false) };
        let visited = first.len();
        first.push(new);
        let wanted = capacity(first.len().min(listed.len())).max(made.len()).min(listed.len());
        self.is_sorted = true;
        let mut actions = self.in_order(listed, &first, wanted);
        self.nodes[node].children.truncate(visited);
        for action in actions.drain(..wanted).skip(visited) {
            self.add_child(node, action);
        }
        self.nodes[node].is_complete = actions.is_empty();
        Ok(true)
    }

    /// Puts `made` first, and then the others in the order in which they become children, up to the child `wanted`.
    fn in_order(
        &mut self,
        mut actions: Vec<ActionOf<S>>,
        made: &[ActionOf<S>],
        wanted: usize,
    ) -> Vec<ActionOf<S>> {
        match self.expansion.tries() {
            Order::AsListed => put_first(&mut actions, made),
            Order::Random | Order::Prior => self.shuffle::<()>(&mut actions, &mut [], made, wanted),
        }
        actions
    }

    /// Brings the unvisited children of a root that is no longer restricted into their order: a restriction has moved what it forbade to the
    /// end.
    pub(super) fn restore_order(&mut self) {
        let order = self.expansion.tries();
        let is_ordered = order == Order::Random || !self.is_sorted || self.restriction.is_some();
        if is_ordered || !S::ARE_EXACT || self.width == 0 || self.nodes.is_empty() {
            return;
        }
        let (node, root) = (self.home(ROOT), self.space.root());
        let listed: Vec<_> = root.actions().into_iter().map(|action| stored::<S>(root, action)).collect();
        let rank = |child: Id| match order {
            Order::Prior => -self.nodes[child].stats.get().promise().unwrap_or(0.0),
            _ => listed
                .iter()
                .position(|action| *action == self.nodes[child].child.action)
                .map_or(0.0, |at| at as f32),
        };
        let mut unvisited = self.nodes[node].children.clone();
        unvisited.retain(|&child| self.nodes[child].visits() == 0);
        unvisited.sort_by(|&a, &b| rank(a).total_cmp(&rank(b)));
        let mut unvisited = unvisited.into_iter();
        for place in 0..self.nodes[node].children.len() {
            if self.nodes[self.nodes[node].children[place]].visits() == 0 {
                self.nodes[node].children[place] = unvisited.next().unwrap_or(node);
            }
        }
    }

    /// Where actions are sampled: gives the root a permitted action that was listed, or draws one.
    fn sample_permitted(
        &mut self,
        current: &Current,
        leaf: &LeafOf<S, P, R>,
        shown: usize,
    ) -> Result<bool, GameFault> {
        let Some(restriction) = self.restriction.clone() else { return Ok(false) };
        let (node, made) = (current.node, self.actions_of(current.node));
        if P::SEES_UNVISITED && self.permitted_untried(node).is_some() {
            return Ok(false);
        }
        let mut new = None;
        if restriction.count < usize::MAX {
            new = self.root_actions.listed().iter().find(|action| !made.contains(action)).cloned();
        } else if shown < self.widened(node, current.visits.max(1)) {
            for _ in 0..if shown == 0 { DRAWS } else { 1 } {
                let drawn = self.sample(leaf.state())?;
                if restriction.permits(&drawn) {
                    new = Some(drawn).filter(|drawn| !made.contains(drawn));
                    break;
                }
            }
        }
        let added = new.is_some();
        new.into_iter().for_each(|action| _ = self.add_child(node, action));
        Ok(added)
    }

    /// Returns the reward that `player` gets by the permitted actions, if it is certain.
    pub(super) fn restricted_proof(&self, player: Player) -> Option<f32> {
        let children = &self.nodes[self.home(ROOT)].children;
        let permitted = children.iter().copied().filter(|&child| self.permits(child));
        let certain = |child: Id| self.backprop.certain(self.nodes[self.known(child)].backprop.get(), player);
        let proofs: Vec<f32> = permitted.filter_map(certain).collect();
        let best = proofs.iter().copied().reduce(f32::max).filter(|_| B::PROVES)?;
        let count = self.restriction.as_ref().map_or(0, |restriction| restriction.count);
        (best == 1.0 || proofs.len() == count).then_some(best)
    }
}
