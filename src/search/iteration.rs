//! The loop: one iteration is selection, expansion, simulation and backpropagation.

use super::Mcts;
use super::view::{PathStep, Selecting, Updating};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Rewards, Rng, Turn};
use crate::selection::{Choice, FirstPlay, TreePolicy};
use crate::simulation::{Leaf, RolloutPolicy, check_weights};
use crate::statistics::Statistics;
use crate::tree::{LANES, MAX_CHILDREN, ROOT};
use core::marker::PhantomData;

/// What the tree policy's statistics and the rollout policy want to know of each iteration.
pub(super) type Traces<G, P, R> =
    (<<P as TreePolicy<G>>::Stats as Statistics<G, R>>::Trace, <R as RolloutPolicy<G>>::Trace);

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Mcts<G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    /// One iteration. On an error the statistics are as they were.
    #[inline(always)]
    pub(super) fn iterate(&mut self, leaf: &mut Leaf<G, Traces<G, P, R>>) -> Result<(), GameFault> {
        leaf.restart(&self.state);
        self.path.clear();
        self.path.push(PathStep { block: ROOT, lane: 0, chooser: self.chooser, turn: self.state.turn() });

        // Selection: down to a node without children, or one whose rewards are certain.
        let mut certain = None;
        while certain.is_none() && self.is_expanded() {
            self.descend(leaf)?;
            certain = self.certain_rewards(leaf.state());
        }
        // Expansion: if it is time, the iteration goes on to a new child, or values the node itself with its priors.
        if certain.is_none() && self.expands() && self.expand(leaf)? && !P::Stats::FRESH {
            self.descend(leaf)?;
        }
        // Simulation: a rollout or an evaluation.
        let rewards = match certain {
            Some(rewards) => rewards,
            None => self.rollout_policy.simulate(leaf, &mut self.rng)?,
        };
        self.rollout_policy.learn(&leaf.trace().1, &rewards);
        // Backpropagation: leaf first.
        self.backpropagate(&leaf.trace().0, rewards);
        Ok(())
    }

    #[inline(always)]
    fn backpropagate(&mut self, trace: &<P::Stats as Statistics<G, R>>::Trace, mut rewards: Rewards) {
        for length in (1..=self.path.len()).rev() {
            let &PathStep { block, lane, chooser, .. } = &self.path[length - 1];
            self.tree.block(block).count_visit(lane as usize);
            let step = Updating::<G, P, R, B> {
                tree: &self.tree,
                path: &self.path[..length],
                followed: self.path.get(length),
                tree_policy: &self.tree_policy,
                trace,
                fed_by: PhantomData,
            };
            self.backprop.update(step, &mut rewards);
            if B::PROVES
                && self.backprop.certain(self.tree.block(block).backprop(lane as usize), chooser).is_some()
            {
                self.tree.block(block).close(lane as usize);
            }
        }
    }

    /// One step down: the tree policy chooses for a player, the game's own odds for chance.
    #[inline(always)]
    fn descend(&mut self, leaf: &mut Leaf<G, Traces<G, P, R>>) -> Result<(), GameFault> {
        let (node, link) = self.end_of_path();
        let (choice, chooser) = match node.turn {
            Turn::Player(player) => (self.choose(node, link, leaf.state())?, player),
            Turn::Chance | Turn::Over => (self.draw(link, leaf.state())?, node.chooser),
        };
        leaf.apply(self.tree.block(choice.block).child(choice.lane as usize).action())?;
        let turn = leaf.state().turn();
        if let Turn::Player(player) = turn
            && player >= self.players
        {
            return Err(GameFault::UnknownPlayer { player, players: self.players });
        }
        self.path.push(PathStep { block: choice.block, lane: choice.lane, chooser, turn });
        Ok(())
    }

    #[inline(always)]
    fn choose(&mut self, node: PathStep, link: u32, state: &G) -> Result<Choice, GameFault> {
        let visits = self.tree.block(node.block).child(node.lane as usize).visit_count();
        let width = self.expansion.width(visits.max(1));
        let urgency = self.expansion.urgency().or(P::FIRST_PLAY).unwrap_or(FirstPlay::Infinite);
        let last = self.tree.block(link);
        let (shown, more) = if P::SEES_UNVISITED {
            (width.min(self.tree.family_len(link)), false)
        } else {
            let visited = last.ordinal() * LANES + last.visited();
            (visited, visited < width && !(last.visited() == last.used() && last.is_complete()))
        };
        if more && (urgency == FirstPlay::Infinite || shown == 0) {
            if let Some(untried) = self.untried(node, link, state)? {
                return Ok(untried);
            }
        } else {
            let choice = self.ask(shown, more, urgency);
            if choice != Choice::UNTRIED {
                return Ok(choice);
            }
            if more && let Some(untried) = self.untried(node, link, state)? {
                return Ok(untried);
            }
        }
        // The tree is full: the children there are must do.
        match self.ask(shown, false, urgency) {
            Choice::UNTRIED => Ok(Choice { block: self.tree.block(link).next(), lane: 0 }),
            choice => Ok(choice),
        }
    }

    #[inline(always)]
    fn ask(&mut self, shown: usize, more: bool, first_play: FirstPlay) -> Choice {
        let view = Selecting::<G, P, B> { tree: &self.tree, path: &self.path, shown, more, first_play };
        self.tree_policy.select(view, &mut self.rng)
    }

    /// The next child in order that was never tried; nothing if the tree is full.
    #[inline(always)]
    fn untried(&mut self, node: PathStep, link: u32, state: &G) -> Result<Option<Choice>, GameFault> {
        let last = self.tree.block(link);
        if last.visited() < last.used() {
            return Ok(Some(Choice { block: link, lane: last.visited() as u32 }));
        }
        self.list(state)?;
        Ok(self.grow(node, 1).then(|| Choice { block: self.end_of_path().1, lane: 0 }))
    }

    /// Draws an outcome of chance.
    fn draw(&mut self, link: u32, state: &G) -> Result<Choice, GameFault> {
        let outcome = state.random_action(&mut self.rng).ok_or(GameFault::NoActions)?;
        for (block, lanes) in self.tree.family(link) {
            if let Some(lane) = (0..lanes.used()).find(|&lane| lanes.child(lane).action() == outcome) {
                return Ok(Choice { block, lane: lane as u32 });
            }
        }
        Err(GameFault::UnknownOutcome)
    }

    #[inline(always)]
    fn end_of_path(&self) -> (PathStep, u32) {
        let node = self.path[self.path.len() - 1];
        (node, self.tree.block(node.block).link(node.lane as usize))
    }

    #[inline(always)]
    fn is_expanded(&self) -> bool {
        self.end_of_path().1 != ROOT
    }

    /// The rewards at the end of the path, if they are certain for all players.
    #[inline(always)]
    fn certain_rewards(&self, state: &G) -> Option<Rewards> {
        if !B::PROVES {
            return None;
        }
        let node = self.path[self.path.len() - 1];
        if self.tree.block(node.block).closed() >> node.lane & 1 == 0 {
            return None;
        }
        let stats = self.tree.block(node.block).backprop(node.lane as usize);
        let certain = |player| self.backprop.certain(stats, player);
        (0..state.players())
            .all(|player| certain(player).is_some())
            .then(|| Rewards::new(state.players(), |player| certain(player).unwrap_or(0.0)))
    }

    /// Whether the leaf at the end of the path gets children on this visit.
    #[inline(always)]
    fn expands(&self) -> bool {
        let node = self.path[self.path.len() - 1];
        let visit = self.expansion.visit(if P::Stats::FRESH { 1 } else { 2 });
        let visits = self.tree.block(node.block).child(node.lane as usize).visit_count();
        node.turn != Turn::Over && (visits + 1 >= visit || self.path.len() == 1)
    }

    /// Gives the leaf children; whether there was room for them.
    #[inline(always)]
    fn expand(&mut self, leaf: &mut Leaf<G, Traces<G, P, R>>) -> Result<bool, GameFault> {
        self.list(leaf.state())?;
        let node = self.path[self.path.len() - 1];
        let is_chance = node.turn == Turn::Chance;
        if is_chance {
            check_weights(leaf.state(), &self.actions)?;
        }
        let at_once = if P::SEES_UNVISITED || is_chance { self.actions.len() } else { 1 };
        if !self.grow(node, at_once) {
            self.tree.prune(node.block, node.lane as usize);
            return Ok(false);
        }
        if P::Stats::FRESH && !is_chance {
            let told = self.tell_fresh(leaf);
            if told.is_err() {
                self.tree.prune(node.block, node.lane as usize);
            }
            told?;
        }
        Ok(true)
    }

    /// Fills the statistics of new children.
    fn tell_fresh(&mut self, leaf: &mut Leaf<G, Traces<G, P, R>>) -> Result<(), GameFault> {
        self.fresh.clear();
        self.fresh.resize(self.actions.len(), P::Stats::default());
        let value = P::Stats::fresh(&mut self.rollout_policy, leaf.state(), &self.actions, &mut self.fresh)?;
        leaf.set_value(value);
        for (index, (_, block)) in self.tree.family(self.end_of_path().1).enumerate() {
            for (lane, &stats) in self.fresh[index * LANES..].iter().take(LANES).enumerate() {
                block.set_stats(lane, stats);
            }
        }
        Ok(())
    }

    /// Lists the actions of `state`.
    #[inline(always)]
    fn list(&mut self, state: &G) -> Result<(), GameFault> {
        self.actions.clear();
        self.actions.extend(state.actions().into_iter().take(MAX_CHILDREN + 1));
        match self.actions.len() {
            0 => Err(GameFault::NoActions),
            1..=MAX_CHILDREN => Ok(()),
            _ => Err(GameFault::TooManyActions { limit: MAX_CHILDREN }),
        }
    }

    /// Adds blocks of children for the actions listed until `more` were added or all are there; whether there was room
    /// for them. Which actions are first is decided anew each time, and always alike.
    #[inline(always)]
    fn grow(&mut self, node: PathStep, more: usize) -> bool {
        let (block, lane) = (node.block, node.lane as usize);
        let link = self.tree.block(block).link(lane);
        let have = self.tree.family_len(link);
        let wanted = (have + more).next_multiple_of(LANES).min(self.actions.len());
        if self.expansion.is_shuffled() && node.turn != Turn::Chance {
            let first = if link == ROOT { self.tree.next_id() } else { self.tree.block(link).next() };
            let mut order = Rng::seeded(self.salt ^ u64::from(first));
            for place in 0..wanted {
                let from = place + order.below(self.actions.len() - place);
                self.actions.swap(place, from);
            }
        }
        for start in (have..wanted).step_by(LANES) {
            let end = wanted.min(start + LANES);
            let complete = end == self.actions.len();
            let limit = self.memory_limit;
            if self.tree.grow((block, lane), &self.actions[start..end], complete, limit).is_none() {
                return false;
            }
        }
        true
    }
}
