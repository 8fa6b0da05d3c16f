//! The loop: one iteration is selection, expansion, simulation and backpropagation.

use super::Mcts;
use super::view::{At, PathStep, Selecting, Updating};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn};
use crate::selection::{Choice, FirstPlay, TreePolicy};
use crate::simulation::{Leaf, RolloutPolicy, check_weights, why_no_action};
use crate::statistics::Statistics;
use crate::tree::{LANES, MAX_CHILDREN, ROOT};
use core::cell::Cell;
use core::marker::PhantomData;

/// How much of a full tree is given up at once. (A fifth and four fifths both lost to a half; see `docs/architecture.md`.)
const RECYCLED_SHARE: f64 = 0.5;

/// What the tree policy's statistics and the rollout policy want to know of each iteration.
pub(super) type Traces<G, P, R> =
    (<<P as TreePolicy<G>>::Stats as Statistics<G, R>>::Trace, <R as RolloutPolicy<G>>::Trace);

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Mcts<G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    /// One iteration. On an error of the game the statistics are as they were; a backpropagation that recorded what is
    /// no reward has counted its visits.
    #[inline(always)]
    pub(super) fn iterate(&mut self, leaf: &mut Leaf<G, Traces<G, P, R>>) -> Result<(), GameFault> {
        let mut at = self.start(leaf);
        // Selection: down to a node without children, or one whose rewards are certain.
        let mut certain = None;
        while certain.is_none() && at.link != ROOT {
            at = self.descend(at, leaf)?;
            certain = self.certain_rewards(at);
        }
        // Expansion: if it is time, the iteration goes on to a new child, or values the node itself with its priors.
        if certain.is_none()
            && self.expands(at)
            && let Some(link) = self.expand(at.step, leaf)?
            && !P::Stats::FRESH
        {
            self.descend(At { link, ..at }, leaf)?;
        }
        // Simulation: a rollout or an evaluation.
        let rewards = match certain {
            Some(rewards) => rewards,
            None if self.path[self.path.len() - 1].turn == Turn::Over => Rewards::of(leaf.state())?,
            None => self.rollout_policy.simulate(leaf, &mut self.rng)?.checked(self.players)?,
        };
        self.rollout_policy.learn(&leaf.trace().1, &rewards);
        // Backpropagation: leaf first.
        self.backpropagate(&leaf.trace().0, rewards)?;
        if self.is_starved {
            self.recycle();
        }
        Ok(())
    }

    /// A new iteration at the root.
    #[inline(always)]
    fn start(&mut self, leaf: &mut Leaf<G, Traces<G, P, R>>) -> At {
        leaf.restart(&self.state);
        self.path.clear();
        self.arrive(PathStep { block: ROOT, lane: 0, chooser: self.chooser, turn: self.state.turn() })
    }

    /// Puts a step on the path, and looks at the node it leads to.
    #[inline(always)]
    fn arrive(&mut self, step: PathStep) -> At {
        self.path.push(step);
        self.look(step)
    }

    #[inline(always)]
    fn look(&self, step: PathStep) -> At {
        let (block, lane) = (self.tree.block(step.block), step.lane as usize);
        let closed = B::PROVES && block.closed() >> lane & 1 != 0;
        At { step, link: block.link(lane), visits: block.child(lane).visit_count(), closed }
    }

    /// Makes room: a child could not be stored.
    #[cold]
    #[inline(never)]
    fn recycle(&mut self) {
        self.is_starved = false;
        self.recycled += self.tree.recycle(RECYCLED_SHARE) as u64;
    }

    #[inline(always)]
    fn backpropagate(
        &mut self,
        trace: &<P::Stats as Statistics<G, R>>::Trace,
        mut rewards: Rewards,
    ) -> Result<(), GameFault> {
        let (mut followed, wrong) = (None, Cell::new(None));
        for depth in (0..self.path.len()).rev() {
            let PathStep { block, lane, chooser, turn } = self.path[depth];
            let (block, lane) = (self.tree.block(block), lane as usize);
            let visits = block.count_visit(lane);
            let step = Updating::<G, P, R, B> {
                tree: &self.tree,
                block,
                lane,
                chooser,
                turn,
                visits,
                followed,
                path: &self.path,
                depth,
                tree_policy: &self.tree_policy,
                trace,
                wrong: &wrong,
                fed_by: PhantomData,
            };
            self.backprop.update(step, &mut rewards);
            if B::PROVES && self.backprop.certain(block.backprop(lane), chooser).is_some() {
                block.close(lane);
            }
            followed = Some((block, lane));
        }
        wrong.get().map_or(Ok(()), |(player, reward)| Err(GameFault::Recorded { player, reward }))
    }

    /// One step down: the tree policy chooses for a player, the game's own odds for chance.
    #[inline(always)]
    fn descend(&mut self, at: At, leaf: &mut Leaf<G, Traces<G, P, R>>) -> Result<At, GameFault> {
        let (choice, chooser) = match at.step.turn {
            Turn::Player(player) => (self.choose(at, player, leaf.state())?, player),
            Turn::Chance | Turn::Over => (self.draw(at, leaf.state())?, at.step.chooser),
        };
        let Choice { block, lane } = choice;
        leaf.apply(self.tree.block(block).child(lane as usize).action())?;
        let turn = leaf.state().turn();
        if let Turn::Player(player) = turn
            && player >= self.players
        {
            return Err(GameFault::UnknownPlayer { player, players: self.players });
        }
        Ok(self.arrive(PathStep { block, lane, chooser, turn }))
    }

    #[inline(always)]
    fn choose(&mut self, at: At, player: Player, state: &G) -> Result<Choice, GameFault> {
        let last = self.tree.block(at.link);
        let (mut shown, mut more) = (usize::MAX, false);
        if self.expansion.is_widened() || !P::SEES_UNVISITED && !last.is_exhausted() {
            let visited = last.ordinal() * LANES + last.visited();
            let width = self.expansion.width(at.visits.max(1));
            (shown, more) = if P::SEES_UNVISITED {
                (width, false)
            } else {
                (visited, visited < width && !last.is_exhausted())
            };
        }
        if !(more && (self.first_play == FirstPlay::Infinite || shown == 0)) {
            let choice = self.ask(at, player, shown, more, false);
            if choice != Choice::UNTRIED {
                return Ok(choice);
            }
        }
        if more && let Some(untried) = self.untried(at, state)? {
            return Ok(untried);
        }
        Ok(self.make_do(shown))
    }

    /// Asks the tree policy.
    #[inline(always)]
    fn ask(&mut self, at: At, player: Player, shown: usize, more: bool, closed_too: bool) -> Choice {
        let view = Selecting::<G, P, B> {
            tree: &self.tree,
            path: &self.path,
            player,
            visits: at.visits,
            link: at.link,
            last: self.tree.block(at.link),
            shown,
            more,
            closed_too,
            first_play: self.first_play,
        };
        self.tree_policy.select(view, &mut self.rng)
    }

    /// The choice at the end of the path where the tree policy finds none: all children are proven, or no score is a
    /// number, or there is no room for another child.
    #[cold]
    #[inline(never)]
    fn make_do(&mut self, shown: usize) -> Choice {
        let step = self.path[self.path.len() - 1];
        let player = if let Turn::Player(player) = step.turn { player } else { step.chooser };
        let at = self.look(step);
        for closed_too in [false, true] {
            let choice = self.ask(at, player, shown, false, closed_too);
            if choice != Choice::UNTRIED {
                return choice;
            }
        }
        Choice { block: self.tree.block(at.link).next(), lane: 0 }
    }

    /// The next child in order that was never tried; nothing if the tree is full.
    #[inline(always)]
    fn untried(&mut self, at: At, state: &G) -> Result<Option<Choice>, GameFault> {
        let last = self.tree.block(at.link);
        if last.visited() < last.used() {
            return Ok(Some(Choice { block: at.link, lane: last.visited() as u32 }));
        }
        self.list(state)?;
        Ok(self.grow(at.step, 1).map(|link| Choice { block: link, lane: 0 }))
    }

    /// Draws an outcome of chance.
    fn draw(&mut self, at: At, state: &G) -> Result<Choice, GameFault> {
        let outcome = state.random_action(&mut self.rng).ok_or_else(|| why_no_action(state))?;
        for (block, lanes) in self.tree.family(at.link) {
            if let Some(lane) = (0..lanes.used()).find(|&lane| lanes.child(lane).action() == outcome) {
                return Ok(Choice { block, lane: lane as u32 });
            }
        }
        Err(GameFault::UnknownOutcome)
    }

    /// The rewards at a node, if they are certain for all players.
    #[inline(always)]
    fn certain_rewards(&self, at: At) -> Option<Rewards> {
        if !at.closed {
            return None;
        }
        let stats = self.tree.block(at.step.block).backprop(at.step.lane as usize);
        let certain = |player| self.backprop.certain(stats, player);
        (0..self.players)
            .all(|player| certain(player).is_some())
            .then(|| Rewards::new(self.players, |player| certain(player).unwrap_or(0.0)))
    }

    /// Whether a leaf gets children on this visit.
    #[inline(always)]
    fn expands(&self, at: At) -> bool {
        let visit = self.expansion.visit(if P::Stats::FRESH { 1 } else { 2 });
        at.link == ROOT && at.step.turn != Turn::Over && (at.visits + 1 >= visit || at.step.block == ROOT)
    }

    /// Gives a leaf children; nothing if there was no room for them.
    #[inline(always)]
    fn expand(
        &mut self,
        node: PathStep,
        leaf: &mut Leaf<G, Traces<G, P, R>>,
    ) -> Result<Option<u32>, GameFault> {
        self.list(leaf.state())?;
        let is_chance = node.turn == Turn::Chance;
        if is_chance {
            check_weights(leaf.state(), &self.actions)?;
        }
        self.fresh.clear();
        if P::Stats::FRESH {
            self.fresh.resize(self.actions.len(), P::Stats::default());
            if !is_chance {
                let value =
                    P::Stats::fresh(&mut self.rollout_policy, leaf.state(), &self.actions, &mut self.fresh)?;
                leaf.set_value(value);
            }
        }
        let at_once = if P::SEES_UNVISITED || is_chance { self.actions.len() } else { 1 };
        let link = self.grow(node, at_once);
        if link.is_none() {
            self.tree.prune(node.block, node.lane as usize);
        }
        Ok(link)
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

    /// What decides the order of the children whose first block this is.
    #[inline(always)]
    pub(super) fn order(&self, first: u32) -> Rng {
        Rng::seeded(self.salt ^ u64::from(first))
    }

    /// Adds blocks of children for the actions listed until `more` were added or all are there; gives the last block,
    /// if there was room for them all. Which actions are first is decided anew each time, and always alike. Fresh
    /// statistics go with their actions.
    #[inline(always)]
    fn grow(&mut self, node: PathStep, more: usize) -> Option<u32> {
        let (block, lane) = (node.block, node.lane as usize);
        let mut link = self.tree.block(block).link(lane);
        let have = self.tree.family_len(link);
        let wanted = (have + more).next_multiple_of(LANES).min(self.actions.len());
        if self.expansion.is_shuffled() && node.turn != Turn::Chance {
            let first = if link == ROOT { self.tree.next_id() } else { self.tree.block(link).next() };
            let mut order = self.order(first);
            for place in 0..wanted {
                let from = place + order.below(self.actions.len() - place);
                self.actions.swap(place, from);
                if P::Stats::FRESH {
                    self.fresh.swap(place, from);
                }
            }
        }
        for start in (have..wanted).step_by(LANES) {
            let end = wanted.min(start + LANES);
            let complete = end == self.actions.len();
            let grown = self.tree.grow((block, lane), &self.actions[start..end], complete, self.memory_limit);
            self.is_starved |= grown.is_none();
            link = grown?;
            if P::Stats::FRESH {
                for (lane, &stats) in self.fresh[start..end].iter().enumerate() {
                    self.tree.block(link).set_stats(lane, stats);
                }
            }
        }
        Some(link)
    }
}
