//! Expansion: a leaf gets children, and more of them as they are tried.

use super::{Current, Id, Node, ROOT, Twin};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Rewards, Rng, Turn};
use crate::iteration::expansion::Order;
use crate::iteration::node_view::below_mean;
use crate::iteration::nodes::expansion;
use crate::iteration::{FedBy, LeafOf};
use crate::simulation::{RolloutPolicy, check_probabilities};
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::MAX_CHILDREN;

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Twin<S, P, R, B> {
    /// Returns whether a leaf gets children on this visit: by default on the second, or on the first if the tree policy reads priors. The root
    /// always does.
    pub(super) fn expands(&self, current: &Current) -> bool {
        let visit = self.expansion.visit(if P::Stats::INITIALIZES { 1 } else { 2 });
        current.turn != Turn::Over && (current.visits + 1 >= visit || self.path.len() == 1)
    }

    /// Gives a leaf its first children.
    pub(super) fn expand(&mut self, current: &Current, leaf: &mut LeafOf<S, P, R>) -> Result<(), GameFault> {
        let actions = self.list_first(current.turn, leaf.state())?;
        if P::Stats::INITIALIZES && current.turn != Turn::Chance {
            let mut priors = vec![1.0; actions.len()];
            let value = P::Stats::priors(&self.rollout_policy, leaf.state(), &actions, &mut priors);
            let value = value.map_err(|error| leaf.fail(error))?;
            leaf.set_value(value);
            return self.give_priors(current.node, current.turn, actions, &priors, value.as_ref());
        }
        let at_once = P::SEES_UNVISITED || P::Stats::INITIALIZES || current.turn == Turn::Chance;
        let more = if at_once { actions.len() } else { 1 };
        self.grow(current.node, current.turn, actions, Vec::new(), more);
        Ok(())
    }

    /// Gives a leaf children with priors.
    pub(super) fn give_priors(
        &mut self,
        node: Id,
        turn: Turn,
        actions: Vec<ActionOf<S>>,
        priors: &[f32],
        value: Option<&Rewards>,
    ) -> Result<(), GameFault> {
        let player = if let Turn::Player(player) = turn { player } else { 0 };
        let mut initial = vec![P::Stats::default(); actions.len()];
        P::Stats::initialize(&self.rollout_policy, player, priors, value, &mut initial)?;
        let more = actions.len();
        self.grow(node, turn, actions, initial, more);
        Ok(())
    }

    /// Lists the actions by which a leaf gets children, or which a guess allows.
    pub(super) fn list_first(&mut self, turn: Turn, state: &S::Game) -> Result<Vec<ActionOf<S>>, GameFault> {
        if S::ARE_SAMPLED {
            let shown =
                if self.mask_here().is_some() { self.sample_shown(self.home(ROOT), state)? } else { None };
            return Ok(vec![shown.map_or_else(|| self.sample(state), Ok)?]);
        }
        let mut actions = Vec::from_iter(state.actions());
        if actions.is_empty() {
            return Err(GameFault::NoActions);
        }
        if let Some(mask) = self.mask_here().filter(|_| S::ARE_GUESSED) {
            // The guess may allow none of them; other guesses do.
            if actions.iter().any(|action| mask.shows(action)) {
                actions.retain(|action| mask.shows(action));
            }
        }
        if turn == Turn::Chance {
            check_probabilities(state, &actions)?;
            if B::PROVES {
                actions.retain(|outcome| state.probability(outcome.clone()) > 0.0);
            }
        }
        Ok(actions)
    }

    /// Gives a node at least `more` of these actions as children, or all that remain, with their first statistics, if any.
    ///
    /// Excuse: a node stores four children first, and then multiples of eight, and draws as many places at a time.
    pub(super) fn grow(
        &mut self,
        node: Id,
        turn: Turn,
        mut actions: Vec<ActionOf<S>>,
        mut initial: Vec<P::Stats>,
        more: usize,
    ) {
        let made = self.actions_of(node);
        let wanted = capacity(made.len() + more).min(actions.len());
        let order = if turn == Turn::Chance { Order::AsListed } else { self.expansion.tries() };
        if order == Order::AsListed {
            put_first(&mut actions, &made);
        } else {
            self.shuffle(&mut actions, &mut initial, &made, wanted);
        }
        if S::ARE_POSITIONS {
            put_first(&mut actions, &made); // another state of this position may list its actions in another order
        }
        if order == Order::Prior {
            let mut both = Vec::from_iter(actions.into_iter().zip(initial));
            both.sort_by(|a, b| b.1.promise().unwrap_or(0.0).total_cmp(&a.1.promise().unwrap_or(0.0)));
            (actions, initial) = both.into_iter().unzip();
        }
        self.nodes[node].is_complete = wanted == actions.len() && S::ARE_EXACT;
        for action in actions.drain(..wanted).skip(made.len()) {
            self.add_child(node, action);
        }
        for (&child, stats) in self.nodes[node].children.iter().zip(initial) {
            self.nodes[child].stats.set(stats);
        }
    }

    pub(super) fn add_child(&mut self, node: Id, action: ActionOf<S>) -> Id {
        let child = self.nodes.len();
        self.nodes.push(Node::new(action));
        self.nodes[node].children.push(child);
        child
    }

    pub(super) fn actions_of(&self, node: Id) -> Vec<ActionOf<S>> {
        let children = &self.nodes[node].children;
        children.iter().map(|&child| self.nodes[child].child.action.clone()).collect()
    }

    /// Puts the first `wanted` actions in the order in which children are created: those that are `made` first. The first four are drawn; they
    /// and the salt are the seed for the others, so that the order can be drawn again.
    ///
    /// Excuse: of eight actions or fewer, all are drawn from the generator of the search, because their order is never needed again.
    pub(super) fn shuffle<X>(
        &mut self,
        actions: &mut [ActionOf<S>],
        others: &mut [X],
        made: &[ActionOf<S>],
        wanted: usize,
    ) {
        let mut seed = self.salt;
        let mut seeded = None;
        for place in 0..wanted {
            if place == 4 && actions.len() > 8 {
                seeded = Some(Rng::seeded(seed));
            }
            let known = made.get(place).map(|made| actions[place..].iter().position(|action| action == made));
            let on = match known {
                Some(on) if place < 4 => on.unwrap_or(0),
                known => {
                    let drawn = seeded.as_mut().unwrap_or(&mut self.rng).below(actions.len() - place);
                    known.flatten().unwrap_or(drawn)
                }
            };
            seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(on as u64);
            actions.swap(place, place + on);
            if !others.is_empty() {
                others.swap(place, place + on);
            }
        }
    }

    /// Returns the next child to try; `None` if all have been tried.
    pub(super) fn untried(
        &mut self,
        current: &Current,
        leaf: &LeafOf<S, P, R>,
    ) -> Result<Option<Id>, GameFault> {
        let visited = self.visited(current.node);
        if visited == self.nodes[current.node].children.len() && !P::Stats::INITIALIZES {
            let actions = Vec::from_iter(leaf.state().actions());
            self.grow(current.node, current.turn, actions, Vec::new(), 1);
        }
        Ok(self.nodes[current.node].children.get(visited).copied())
    }

    // Progressive widening.

    /// Returns how many children of a node the search considers after so many visits. Proven and hidden ones do not count.
    pub(super) fn widened(&self, node: Id, visits: u32) -> usize {
        let width = expansion::<S>(self.expansion).width(visits);
        let children = &self.nodes[node].children;
        if !B::PROVES && self.mask_here().is_none() {
            return width;
        }
        let step = self.path[self.path.len() - 1];
        let player = if let Turn::Player(player) = step.turn { player } else { step.chooser };
        let is_open = |child: Id| {
            let stats = self.nodes[self.known(child)].backprop.get();
            !self.is_hidden(child)
                && !self.nodes[child].is_closed.get()
                && self.backprop.certain(stats, player).is_none()
        };
        let mut open = 0;
        for (fitting, &child) in children.iter().enumerate() {
            open += usize::from(is_open(child));
            if open > width {
                return fitting;
            }
        }
        width - open + children.len() // children that are not stored yet are not proven
    }

    /// Creates the child that stands for all that were not visited, where first-play urgency depends on the siblings: one visit with their mean
    /// less the reduction.
    pub(super) fn stand_in(&self, node: Id, reduction: f32) -> Node<ActionOf<S>, P::Stats, B::Stats> {
        let children = &self.nodes[node].children;
        let siblings = children.iter().map(|&child| &self.nodes[child]);
        let mean = below_mean(reduction, siblings.map(|node| (node.visits() as f32, node.mean()))).max(0.0);
        let stand_in = Node::new(self.nodes[children[0]].child.action.clone());
        stand_in.record(stand_in.count_visit(), mean);
        stand_in.stats.set(self.tree_policy.update(P::Stats::default(), 1.0, mean));
        stand_in
    }

    // Guesses and sampled actions.

    /// Gives a node with children those that it lacks in this state. Returns whether the iteration can go on to one of them.
    pub(super) fn supply(&mut self, current: &Current, leaf: &LeafOf<S, P, R>) -> Result<bool, GameFault> {
        if S::ARE_GUESSED {
            return Ok(current.turn != Turn::Over && self.meet(current, leaf)?);
        }
        if S::ARE_SAMPLED && matches!(current.turn, Turn::Player(_)) {
            self.propose(current, leaf.state())?;
        }
        Ok(true)
    }

    /// Gives a node children by all actions that are legal in this guess, and closes all others.
    fn meet(&mut self, current: &Current, leaf: &LeafOf<S, P, R>) -> Result<bool, GameFault> {
        let legal = self.list_first(current.turn, leaf.state())?;
        let known = self.actions_of(current.node);
        for action in legal.iter().filter(|action| !known.contains(action)) {
            self.add_child(current.node, action.clone());
        }
        for &child in &self.nodes[current.node].children {
            let node = &self.nodes[child];
            node.is_closed.set(!legal.contains(&node.child.action));
        }
        Ok(!legal.is_empty())
    }

    /// Samples another child for a node of a player if it may have one and all others have been visited.
    fn propose(&mut self, current: &Current, state: &S::Game) -> Result<(), GameFault> {
        let width = self.widened(current.node, self.visits_shown(current).max(1));
        let children = &self.nodes[current.node].children;
        let are_named = self.mask_here().is_some_and(|mask| mask.count < usize::MAX);
        let waits = |&child: &Id| self.nodes[child].visits() == 0 && !self.is_hidden(child);
        let has_room = children.len() < MAX_CHILDREN && (children.len() < width || are_named);
        if has_room && !children.iter().any(waits) {
            let action = match self.mask_here() {
                Some(_) => self.sample_shown(current.node, state)?,
                None => Some(self.sample(state)?),
            };
            let made = self.actions_of(current.node);
            if let Some(action) = action.filter(|action| !made.contains(action)) {
                self.add_child(current.node, action);
            }
        }
        Ok(())
    }

    /// Samples an action or an outcome.
    pub(super) fn sample(&mut self, state: &S::Game) -> Result<ActionOf<S>, GameFault> {
        state.random_action(&mut self.rng).ok_or(GameFault::NoActions)
    }

    /// Draws an outcome: one that is stored, a new one if there may be one more, or else the least visited.
    pub(super) fn draw_sampled(&mut self, current: &Current, state: &S::Game) -> Result<Id, GameFault> {
        let children = self.nodes[current.node].children.clone();
        if let [only] = children[..]
            && self.nodes[only].visits() == 0
        {
            return Ok(only); // drawn when the node got it
        }
        let outcome = self.sample(state)?;
        if let Some(&known) = children.iter().find(|&&child| self.nodes[child].child.action == outcome) {
            if S::IS_SIMULATED {
                self.nodes[known].child.action = outcome; // the same state, with another reward of the step
            }
            return Ok(known);
        }
        let most = expansion::<S>(self.expansion).outcome_width(current.visits.max(1)).min(MAX_CHILDREN);
        if children.len() < most {
            return Ok(self.add_child(current.node, outcome));
        }
        let least = children.iter().min_by_key(|&&child| self.nodes[child].visits());
        least.copied().ok_or(GameFault::NoActions)
    }
}

/// Returns how many children a node stores that needs so many.
fn capacity(children: usize) -> usize {
    if children <= 4 { 4 } else { children.next_multiple_of(8) }
}

/// Puts `made` first, and leaves the others in their order.
fn put_first<A: PartialEq>(actions: &mut Vec<A>, made: &[A]) {
    for (place, made) in made.iter().enumerate() {
        if let Some(at) = actions.iter().skip(place).position(|action| action == made) {
            let action = actions.remove(place + at);
            actions.insert(place, action);
        }
    }
}
