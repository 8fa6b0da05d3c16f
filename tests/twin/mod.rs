//! The twin: what a search does, to the bit, without the machinery that makes it fast. Read it first.
//!
//! A [`Twin`] holds its nodes in a `Vec`, and each node has a `Vec` of its children. It has no memory limit, no blocks, no vector types and
//! no threads. It draws the same random numbers in the same order as [`Mcts`](crate::Mcts) and asks the same policies,
//! through views of its own (`views`). The tests in `beside` run both and compare the visits, the rewards
//! and the children of every node.
//!
//! Begin at [`Twin::iterate`]: the four phases, in their order. What a node stands for decides a few places: a line of play needs nothing
//! special; in a *graph*, a node is an action and leads to a *position*, a node of its own; a node of a search with *guesses* stands for all
//! states that a guess may bring; and a *sampled* node draws its actions.
//!
//! Where the twin must copy a peculiarity of the machinery, the comment begins with "Excuse".

mod beside;
mod graph;
mod growth;
mod mask;
mod views;
mod window;

use crate::backpropagation::{Backprop, StepChild};
use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn};
use crate::iteration::expansion::Expansion;
use crate::iteration::nodes::{any_action, guess, has_node, listed, settle};
use crate::iteration::root_actions::{Mask, RootActions, mask};
use crate::iteration::{FedBy, LeafOf};
use crate::selection::{Choice, Event, FirstPlay, Spread, TreePolicy};
use crate::simulation::{Leaf, RolloutPolicy, Trace, why_no_action};
use crate::space::transpositions::stored;
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::{Loose, MAX_CHILDREN, mean_of, sum_of};
use core::cell::Cell;
use std::collections::HashMap;
use views::{Selecting, Updating};

/// A node: its place in the `Vec` of nodes.
type Id = usize;

/// The root of the tree.
const ROOT: Id = 0;

/// A node, with the statistics of the action that leads to it.
struct Node<A, P, B> {
    /// The action, its visits and its mean.
    child: Loose<A>,
    /// The sum of the rewards in units of 2^-24: a whole number.
    sum: Cell<f64>,
    /// What the tree policy and the backpropagation store.
    stats: Cell<P>,
    backprop: Cell<B>,
    /// Whether the action is proven or pruned; in a search with guesses, whether it is not legal in this guess.
    is_closed: Cell<bool>,
    children: Vec<Id>,
    /// Whether no more children will follow.
    is_complete: bool,
    /// In a graph: the position that the action leads to, and how its state is transformed into the stored one.
    position: Option<(Id, u32)>,
}

impl<A, P: Copy + Default, B: Copy + Default> Node<A, P, B> {
    fn new(action: A) -> Self {
        Node {
            child: Loose::new(action),
            sum: Cell::new(0.0),
            stats: Cell::default(),
            backprop: Cell::default(),
            is_closed: Cell::default(),
            children: Vec::new(),
            is_complete: false,
            position: None,
        }
    }

    fn visits(&self) -> u32 {
        self.child.visits.get()
    }

    fn mean(&self) -> f32 {
        self.child.mean.get()
    }

    /// Counts a visit and returns the new count.
    fn count_visit(&self) -> u32 {
        self.child.visits.set(self.visits() + 1);
        self.visits()
    }

    /// Adds a reward to the mean of `visits` rewards, this one included.
    fn record(&self, visits: u32, reward: f32) {
        self.set_sum(self.sum.get() + (f64::from(reward) * f64::from(1 << 24)).round_ties_even());
        self.child.mean.set(mean_of(visits, self.sum.get()));
    }

    /// Sets the mean of `visits` rewards.
    fn set_mean(&self, visits: u32, mean: f32) {
        self.child.mean.set(mean);
        self.set_sum(sum_of(visits, mean));
    }

    fn set_sum(&self, sum: f64) {
        self.sum.set(sum);
        self.child.low.set(sum as u64 as u32);
    }

    /// Copies all numbers of `other`, but not its children.
    fn copy(&self, other: &Self) {
        self.child.visits.set(other.visits());
        self.child.mean.set(other.mean());
        self.set_sum(other.sum.get());
        self.stats.set(other.stats.get());
        self.backprop.set(other.backprop.get());
        self.is_closed.set(other.is_closed.get());
    }
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Clone for Node<A, P, B> {
    fn clone(&self) -> Self {
        let node = Node::new(self.child.action.clone());
        node.copy(self);
        let Node { children, is_complete, position, .. } = self;
        Node { children: children.clone(), is_complete: *is_complete, position: *position, ..node }
    }
}

/// One step of an iteration's path: a node, the player who chose it, and the turn there.
#[derive(Clone, Copy)]
struct Step {
    node: Id,
    chooser: Player,
    turn: Turn,
}

/// Where an iteration is: the node with the children (in a graph, the position), its chooser, the turn there, and its completed visits.
#[derive(Clone, Copy)]
struct Current {
    node: Id,
    chooser: Player,
    turn: Turn,
    visits: u32,
}

/// How a visit is counted when its rewards arrive: returns the completed visits of a node, this one included; and what follows the update.
type Count<'a, N> = (&'a dyn Fn(&N) -> u32, &'a dyn Fn(&N));

type NodeOf<S, P, B> = Node<
    ActionOf<S>,
    <P as TreePolicy<<S as Space>::Game>>::Stats,
    <B as Backprop<<S as Space>::Game>>::Stats,
>;

/// A search of one tree.
#[derive(Clone)]
pub(crate) struct Twin<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> {
    space: S,
    players: u8,
    /// The player whose action led to the root.
    chooser: Player,
    tree_policy: P,
    spread: Spread,
    rollout_policy: R,
    backprop: B,
    expansion: Expansion,
    first_play: FirstPlay,
    rng: Rng,
    /// Determines the random order in which children are created.
    salt: u64,
    /// The number of actions at the root.
    width: usize,
    root_actions: RootActions<ActionOf<S>>,
    /// What hides the children of the root that `root_actions` leave out.
    mask: Option<Mask<ActionOf<S>>>,
    nodes: Vec<NodeOf<S, P, B>>,
    path: Vec<Step>,
    /// In a graph: the positions by their keys and the players who move to them, and the keys of the positions before the root.
    positions: HashMap<(u128, Player), Id>,
    earlier: Vec<u128>,
    /// In a graph: whether this iteration has come back to a position of its path.
    repeats: bool,
    /// The actions that this iteration has linked to positions.
    linked: Vec<Id>,
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Twin<S, P, R, B> {
    /// Creates a search with these policies.
    pub fn new(space: S, tree_policy: P, rollout_policy: R, backprop: B, seed: u64) -> Self {
        Twin {
            players: space.root().players(),
            space,
            chooser: 0,
            tree_policy,
            spread: Spread::default(),
            rollout_policy,
            backprop,
            expansion: Expansion::default(),
            first_play: FirstPlay::Infinite,
            rng: Rng::seeded(seed),
            salt: 0,
            width: 0,
            root_actions: RootActions::default(),
            mask: None,
            nodes: Vec::new(),
            path: Vec::new(),
            positions: HashMap::new(),
            earlier: Vec::new(),
            repeats: false,
            linked: Vec::new(),
        }
    }

    // A run.

    /// Makes so many iterations, or fewer if the root is proven. Returns how many.
    pub fn run(&mut self, iterations: u64) -> Result<u64, GameFault> {
        self.begin(iterations)?;
        let mut made = 0;
        while made < iterations && !self.root_is_proven() {
            match self.iterate() {
                Ok(()) => made += 1,
                Err(GameFault::Return { value, .. }) if self.rescale(value, iterations - made)? => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(made)
    }

    /// Begins a run.
    fn begin(&mut self, iterations: u64) -> Result<(), GameFault> {
        self.plant()?;
        self.mask = self.masked();
        self.first_play = self.expansion.urgency().or(P::FIRST_PLAY).unwrap_or(FirstPlay::Infinite);
        self.spread.set_width(self.width);
        self.tree_policy.begin(Some(iterations), &mut self.rng);
        Ok(())
    }

    /// One iteration: selection and expansion, simulation, backpropagation.
    fn iterate(&mut self) -> Result<(), GameFault> {
        let leaf = &mut Leaf::new(self.space.root(), B::COUNTS);
        let (node, certain) = self.reach(leaf, |this, current, leaf| {
            this.expand(current, leaf)?;
            Ok(!P::Stats::INITIALIZES) // the leaf is evaluated together with its priors
        })?;
        let is_cut_short = certain.is_some() && leaf.turn() != Turn::Over;
        let rewards = match certain {
            Some(rewards) => rewards,
            None => {
                let stats = &self.nodes[node].backprop;
                stats.set(self.backprop.look(leaf.state(), stats.get())?);
                let rewards = self.rollout_policy.simulate(leaf, &mut self.rng);
                let checked = rewards.and_then(|rewards| rewards.checked(self.players));
                checked.map_err(|fault| S::fault(leaf.state(), fault))?
            }
        };
        if self.rollout_policy.learns() {
            self.rollout_policy.learn(&leaf.trace().1, &rewards);
        }
        self.spread.learn(&rewards);
        self.tree_policy.learn(leaf.trace().0.actions(), &rewards);
        self.back_up(leaf, rewards, is_cut_short, (&|node| node.count_visit(), &|_| {}));
        Ok(())
    }

    /// Selection and expansion: goes down from the root to a leaf. If it is due for children, `expand` gives them, and says whether the
    /// iteration goes on to one of them. Returns the leaf, and the rewards if they are certain.
    fn reach(
        &mut self,
        leaf: &mut LeafOf<S, P, R>,
        mut expand: impl FnMut(&mut Self, &Current, &mut LeafOf<S, P, R>) -> Result<bool, GameFault>,
    ) -> Result<(Id, Option<Rewards>), GameFault> {
        let (chooser, turn) = (self.chooser, self.space.root().turn());
        self.path = vec![Step { node: ROOT, chooser, turn }];
        self.linked.clear();
        let current = &mut Current { node: ROOT, chooser, turn, visits: self.nodes[ROOT].visits() };
        self.arrive(current, leaf);
        guess(leaf, &self.space, &mut self.rng)?;
        let mut is_expanded = false;
        while self.path.len() <= self.expansion.horizon() {
            let has_children = !self.nodes[current.node].children.is_empty();
            if !has_children && (is_expanded || !self.expands(current) || !self.has_position()) {
                break;
            }
            settle(leaf, &self.space);
            if has_children {
                if !self.supply(current, leaf)? {
                    break;
                }
            } else {
                is_expanded = true;
                if !expand(self, current, leaf)? {
                    break;
                }
            }
            self.descend(current, leaf)?;
            if self.arrive(current, leaf) {
                let fault = |player, reward| GameFault::Reward { player, reward };
                let rewards = |player| S::repeated(leaf.state(), player);
                return Ok((current.node, Some(Rewards::try_new(self.players, rewards, fault)?)));
            }
            if let Some(rewards) = self.certain_rewards(current.node) {
                return Ok((current.node, Some(rewards)));
            }
        }
        if current.turn != Turn::Over {
            return Ok((current.node, None));
        }
        let rewards = Rewards::of(leaf.state()).and_then(|rewards| rewards.checked(self.players));
        Ok((current.node, Some(rewards.map_err(|fault| S::fault(leaf.state(), fault))?)))
    }

    /// Returns the rewards at a node, if they are proven for all players.
    fn certain_rewards(&self, node: Id) -> Option<Rewards> {
        let stats = self.nodes[node].backprop.get();
        let certain: Option<Vec<f32>> =
            (0..self.players).map(|player| self.backprop.certain(stats, player)).collect();
        let certain = certain.filter(|_| B::PROVES)?;
        Some(Rewards::new(self.players, |player| certain[usize::from(player)]))
    }

    // Selection.

    /// Goes down one step: the tree policy chooses for a player, and a chance node draws an outcome.
    fn descend(&mut self, current: &mut Current, leaf: &mut LeafOf<S, P, R>) -> Result<(), GameFault> {
        let (node, chooser) = match current.turn {
            Turn::Player(player) => (self.choose(current, player, leaf)?, player),
            Turn::Chance => (self.draw(current, leaf.state())?, current.chooser),
            Turn::Over => return Err(GameFault::Replay),
        };
        self.count_available(current.node, node);
        leaf.play(current.turn, self.nodes[node].child.action.clone())?;
        let turn = leaf.turn();
        self.path.push(Step { node, chooser, turn });
        *current = Current { node, chooser, turn, visits: self.nodes[node].visits() };
        Ok(())
    }

    /// Asks the tree policy for a child, or tries one that was not visited yet.
    fn choose(
        &mut self,
        current: &mut Current,
        player: Player,
        leaf: &LeafOf<S, P, R>,
    ) -> Result<Id, GameFault> {
        let (shown, more) = if self.mask_here().is_some() {
            let (shown, more, in_need) = self.prepare_masked(current, player, leaf)?;
            if let Some(in_need) = in_need {
                return Ok(in_need);
            }
            (shown, more)
        } else {
            self.shown(current)
        };
        if !(more && (self.first_play == FirstPlay::Infinite || shown == 0))
            && let Some(chosen) = self.ask(current, player, shown, more, false)
        {
            return Ok(chosen);
        }
        if more && self.mask_here().is_some() {
            self.move_up(current.node);
        }
        let untried = if more { self.untried(current, leaf)? } else { None };
        Ok(untried.unwrap_or_else(|| self.choose_fallback(player, shown)))
    }

    /// Asks the tree policy to choose among the first `shown` children. `more` says that it may choose another one: the result is then
    /// `None`. Proven children may be chosen if they are `closed_too`.
    fn ask(
        &mut self,
        current: &Current,
        player: Player,
        shown: usize,
        more: bool,
        closed_too: bool,
    ) -> Option<Id> {
        let stand_in = match self.first_play {
            FirstPlay::BelowMean(reduction) if more => Some(self.stand_in(current.node, reduction)),
            _ => None,
        };
        let mask = self.mask_here().filter(|_| !S::ARE_GUESSED).cloned();
        let view = Selecting::<S, P, B> {
            nodes: &self.nodes,
            path: &self.path,
            depth: self.path.len() - 1,
            player,
            visits: current.visits,
            node: current.node,
            shown,
            more,
            mask: mask.as_ref(),
            closed_too,
            first_play: self.first_play,
            stand_in: stand_in.as_ref(),
            expansion: &self.expansion,
            spread: &self.spread,
        };
        let choice = self.tree_policy.select(view, &mut self.rng);
        (choice != Choice::UNTRIED).then_some(choice.block as usize)
    }

    /// Chooses a child where the tree policy finds none that is open: all are proven, or no value is a number.
    fn choose_fallback(&mut self, player: Player, shown: usize) -> Id {
        let Step { node, chooser, turn } = self.path[self.path.len() - 1];
        let node = self.home(node);
        let current = Current { node, chooser, turn, visits: self.nodes[node].visits() };
        let by_policy = self.ask(&current, player, shown, false, false);
        by_policy.or_else(|| self.ask(&current, player, shown, false, B::PROVES)).unwrap_or_else(|| {
            let children = &self.nodes[node].children;
            let may_go = |child: &Id| self.is_possible(*child) && (S::ARE_GUESSED || !self.is_hidden(*child));
            children.iter().copied().find(may_go).unwrap_or(children[0])
        })
    }

    /// Returns how many children the tree policy sees, and whether it may choose another one. It sees those that were visited, or all of them
    /// if it tells unvisited children apart.
    fn shown(&self, current: &Current) -> (usize, bool) {
        let Node { children, is_complete, .. } = &self.nodes[current.node];
        let visited = self.visited(current.node);
        if S::ARE_SAMPLED {
            return if P::SEES_UNVISITED { (usize::MAX, false) } else { (visited, visited < children.len()) };
        }
        let is_exhausted = *is_complete && visited == children.len();
        let is_widened = self.expansion.is_widened();
        if !is_widened && (P::SEES_UNVISITED || is_exhausted) {
            return (usize::MAX, false);
        }
        let width = if is_widened { self.widened(current.node, current.visits.max(1)) } else { usize::MAX };
        if P::SEES_UNVISITED { (width, false) } else { (visited, visited < width && !is_exhausted) }
    }

    /// Draws an outcome at a chance node.
    fn draw(&mut self, current: &Current, state: &S::Game) -> Result<Id, GameFault> {
        if S::ARE_SAMPLED {
            return self.draw_sampled(current, state);
        }
        let outcome = state.random_outcome(&mut self.rng).ok_or_else(|| why_no_action(state))?;
        let drawn = |&child: &Id| self.nodes[child].child.action == outcome && self.is_possible(child);
        self.nodes[current.node].children.iter().copied().find(drawn).ok_or(GameFault::UnknownOutcome)
    }

    /// In a search with guesses, counts that the children that are legal in this guess could have been chosen.
    fn count_available(&self, parent: Id, chosen: Id) {
        if !S::ARE_GUESSED {
            return;
        }
        for &child in &self.nodes[parent].children {
            let node = &self.nodes[child];
            if child == chosen || node.visits() > 0 && !node.is_closed.get() {
                node.stats.set(self.tree_policy.notice(node.stats.get(), Event::Available));
            }
        }
    }

    /// Returns whether the state of this iteration may have `child`.
    fn is_possible(&self, child: Id) -> bool {
        !S::ARE_GUESSED || !self.nodes[child].is_closed.get()
    }

    fn visited(&self, node: Id) -> usize {
        self.nodes[node].children.iter().filter(|&&child| self.nodes[child].visits() > 0).count()
    }

    // Backpropagation.

    /// Updates the nodes of the path with the rewards, from the leaf to the root.
    fn back_up(
        &self,
        leaf: &LeafOf<S, P, R>,
        mut rewards: Rewards,
        is_cut_short: bool,
        count: Count<'_, NodeOf<S, P, B>>,
    ) {
        let own_rewards = &Cell::new(rewards);
        let mut followed = None;
        for (depth, &step) in self.path.iter().enumerate().rev() {
            let node = &self.nodes[step.node];
            let view = Updating {
                search: self,
                leaf,
                is_cut_short,
                depth,
                step,
                node,
                home: None,
                visits: 0,
                record: &Cell::default(),
                own_rewards,
                mean_reward: None,
                followed,
            };
            if let Some(position) = self.position_at(depth) {
                followed = Some(self.update_position(view, &self.nodes[position], &mut rewards, count));
                continue;
            }
            let (visits, home) = (count.0(node), node.position.is_none().then_some(node));
            self.backprop.update(Updating { home, visits, ..view }, &mut rewards);
            if S::ARE_POSITIONS && B::PROVES {
                own_rewards.set(rewards);
            }
            self.close_if_certain(node, visits, node.backprop.get(), step.chooser, || {
                self.closes_losses(depth)
            });
            count.1(node);
            followed =
                Some(StepChild { visits: node.visits(), mean: node.mean(), stats: node.backprop.get() });
        }
    }

    /// Closes a node whose reward is certain for its chooser, so that the search proves others. A certain loss stays open with the mean that
    /// it is worth, unless it `closes_losses`.
    fn close_if_certain(
        &self,
        node: &NodeOf<S, P, B>,
        visits: u32,
        stats: B::Stats,
        chooser: Player,
        closes_losses: impl FnOnce() -> bool,
    ) {
        let certain = |player| self.backprop.certain(stats, player);
        match certain(chooser).filter(|_| B::PROVES) {
            Some(reward) if reward > 0.0 || closes_losses() => node.is_closed.set(true),
            Some(_) if visits > 0 => {
                let rewards = Rewards::new(8, |player| certain(player).unwrap_or(0.0));
                node.set_mean(visits, self.backprop.worth(stats, &rewards, chooser).clamp(0.0, 1.0));
            }
            _ => {}
        }
    }

    /// Returns whether certain losses are closed at this depth of the path: at the root, if the tree policy says so, and where all siblings
    /// are proven.
    fn closes_losses(&self, depth: usize) -> bool {
        if depth <= 1 || self.tree_policy.skips_refuted() {
            return true;
        }
        let parent = &self.nodes[self.home(self.path[depth - 1].node)];
        let is_proven = |&child: &Id| {
            let stats = self.nodes[self.known(child)].backprop.get();
            self.nodes[child].is_closed.get()
                || self.backprop.certain(stats, self.path[depth].chooser).is_some()
        };
        parent.is_complete && parent.children.iter().all(is_proven)
    }

    /// Returns whether the root is proven for the player to move there, or, at a chance node, for the player who acted before.
    fn root_is_proven(&self) -> bool {
        let player = match self.space.root().turn() {
            Turn::Player(player) => match &self.mask {
                Some(mask) => return self.masked_proof(mask, player).is_some(),
                None => player,
            },
            Turn::Chance | Turn::Over => self.chooser,
        };
        B::PROVES && self.backprop.certain(self.nodes[self.home(ROOT)].backprop.get(), player).is_some()
    }

    // Between runs.

    /// Prepares the root for a run.
    fn plant(&mut self) -> Result<(), GameFault> {
        if self.nodes.first().is_none_or(|root| root.visits() == 0) {
            self.spread.forget();
        }
        let root = self.space.root();
        self.width = match listed::<S>(root) {
            Some(actions) if root.turn() != Turn::Chance => actions.take(MAX_CHILDREN).count(),
            _ => 0,
        };
        if self.nodes.is_empty() {
            let any = any_action::<S>(self.space.root(), &mut self.rng).ok_or(GameFault::NoActions)?;
            self.nodes.push(Node::new(any));
        }
        if self.nodes[ROOT].visits() == 0 && self.positions.is_empty() {
            self.backprop.begin_tree();
            self.space.begin_tree();
        }
        if self.nodes[self.home(ROOT)].children.is_empty() && self.positions.is_empty() {
            self.salt = self.rng.bits();
        }
        Ok(())
    }

    /// Plays `action`, which is legal, and keeps the subtree below it.
    pub fn advance(&mut self, action: &ActionOf<S>) {
        let turn = self.space.root().turn();
        let left = S::position(self.space.root());
        let stored = stored::<S>(self.space.root(), action.clone());
        if S::IS_SIMULATED {
            self.space.set_rng(Rng::seeded(self.rng.bits()));
        }
        self.space.play(action.clone());
        if let Turn::Player(player) = turn {
            self.chooser = player;
        }
        let next = S::position(self.space.root());
        if S::IS_SIMULATED {
            self.clear(); // the step is drawn anew
        } else if has_node::<S>(turn) && !self.nodes.is_empty() {
            let children = &self.nodes[self.home(ROOT)].children;
            let child = children.iter().copied().find(|&child| self.nodes[child].child.action == stored);
            match next.and_then(|(key, _)| self.positions.get(&(key, self.chooser))) {
                Some(&position) => self.move_root(position, Some((position, next.map_or(0, |next| next.1)))),
                None => match child {
                    Some(child) => self.move_root(child, None),
                    None => self.clear(),
                },
            }
        }
        self.root_actions = RootActions::default();
        if let Some((key, _)) = left {
            self.go_on(key, next.map(|(key, _)| key));
        }
    }

    /// Makes the root a copy of `node`, with its children or with the position that it leads to.
    fn move_root(&mut self, node: Id, position: Option<(Id, u32)>) {
        let children =
            if position.is_none() { core::mem::take(&mut self.nodes[node].children) } else { Vec::new() };
        let is_complete = self.nodes[node].is_complete;
        self.nodes[ROOT].copy(&self.nodes[node]);
        let root = &mut self.nodes[ROOT];
        (root.children, root.is_complete, root.position) = (children, is_complete, position);
        self.drop_unreachable();
    }

    /// Replaces what is searched, and empties the tree.
    pub fn reset(&mut self, space: S) {
        (self.players, self.chooser) = (space.root().players(), 0);
        self.space = space;
        self.root_actions = RootActions::default();
        self.earlier.clear();
        self.clear();
    }

    /// Does what [`reset`](Self::reset) does, and remembers that the game had the root before.
    pub fn continue_at(&mut self, space: S) {
        let (mut earlier, left) = (self.earlier.clone(), S::position(self.space.root()));
        earlier.extend(left.map(|(key, _)| key));
        self.reset(space);
        self.earlier = earlier;
    }

    /// Empties the tree.
    fn clear(&mut self) {
        self.nodes.truncate(1);
        if let Some(root) = self.nodes.pop() {
            self.nodes.push(Node::new(root.child.action));
        }
        self.positions.clear();
    }

    /// Sets how the tree grows. Another order in which actions are tried empties the tree.
    pub fn set_expansion(&mut self, set: Expansion) {
        if set.tries() != self.expansion.tries() && !self.nodes.is_empty() {
            self.clear();
        }
        self.expansion = set;
    }

    /// Restricts the root to these actions.
    pub fn set_root_actions(&mut self, actions: RootActions<ActionOf<S>>) {
        self.root_actions = actions;
        self.tree_policy.begin(Some(0), &mut self.rng.clone()); // forgets the plan of the last run
    }

    fn masked(&self) -> Option<Mask<ActionOf<S>>> {
        (!self.root_actions.are_all()).then(|| mask::<S>(&self.root_actions, self.space.root()))
    }

    /// In a search of a simulator: widens the scale of the returns so that `value` fits, and moves the means with it. Returns whether the search
    /// can go on.
    fn rescale(&mut self, value: f64, left: u64) -> Result<bool, GameFault> {
        let Some(factor) = self.space.rescale(value, self.nodes[ROOT].visits() == 0) else {
            return Ok(false);
        };
        if (P::KEEPS_REWARDS && size_of::<P::Stats>() > 0) || !B::AVERAGES || B::PROVES {
            self.clear();
            self.plant()?;
            self.tree_policy.begin(Some(left), &mut self.rng);
            return Ok(true);
        }
        for node in self.nodes.iter().filter(|node| node.visits() > 0) {
            node.set_mean(node.visits(), 0.5 + (node.mean() - 0.5) * factor);
        }
        self.spread.forget();
        Ok(true)
    }
}
