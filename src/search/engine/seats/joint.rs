//! The loop: in each iteration, the players play one line of the game, each in its own tree.

use crate::backpropagation::Average;
use crate::game::{Cause, GameFault, GameState, Player, Rewards, Turn, unless_failed};
use crate::iteration::nodes::guess;
use crate::iteration::{FedBy, Iterations, LeafOf};
use crate::run::budget::StopReason;
use crate::run::clock::{Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::stop_handle::StopHandle;
use crate::search::engine::seats::observer_chooses;
use crate::search::engine::seats::untold::Untold;
use crate::search::engine::seats::walker::Walker;
use crate::search::one_tree::OneTree;
use crate::search::run::{Driver, Until};
use crate::simulation::{Leaf, LeafError, MAX_ROLLOUT, RolloutPolicy, shorten_line, why_no_action};
use crate::space::seat::Seat;
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use bumpalo::Bump;

/// A run of the trees of all players.
pub(crate) struct Joint<'a, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, I> {
    iterate: &'a mut I,
    searches: &'a mut [OneTree<Seat<S>, P, R, Average>],
    /// The state at which iterations begin.
    root: Seat<S>,
    /// The number of the tree that reports.
    reporter: usize,
    /// The most bytes of all trees together.
    bytes: usize,
    leaf: LeafOf<Seat<S>, P, R>,
}

impl<'a, S, P, R, I: Iterate<S, P, R>> Joint<'a, S, P, R, I>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
{
    pub fn new(
        iterate: &'a mut I,
        searches: &'a mut [OneTree<Seat<S>, P, R, Average>],
        reporter: usize,
        bytes: usize,
    ) -> Self {
        const {
            assert!(
                size_of::<<P::Stats as Statistics<S::Game, R>>::Trace>() == 0,
                "a search with a tree for each player needs a tree policy that keeps no statistics of the actions of whole iterations"
            );
        }
        let root = searches[0].space.clone();
        let leaf = Leaf::new(root.root(), false);
        Joint { iterate, searches, root, reporter, bytes, leaf }
    }

    /// Makes iterations until a stop condition holds. Also returns what the search of each tree keeps of its
    /// iterations: the number of the latest, and whether the memory is full.
    fn walk(
        &mut self,
        until: Until,
        limit: usize,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> (Result<StopReason, SearchError>, Vec<(u32, bool)>) {
        let arena = Bump::new();
        let mut rooms: Vec<_> = self.searches.iter().map(|_| None).collect();
        let (mut walkers, mut stops): (Vec<_>, Vec<&StopHandle>) = (Vec::new(), Vec::new());
        let observer_chooses = observer_chooses(self.searches.iter().map(|search| &search.space));
        for ((owner, search), room) in self.searches.iter_mut().enumerate().zip(&mut rooms) {
            // In its tree, the owner decides, also where chance or another player moves first.
            let owner = owner as Player;
            let (iterations, rollout_policy, stop) = search.iterations(Turn::Player(owner), room, &arena);
            walkers.push(Walker::new(iterations, rollout_policy, owner, observer_chooses));
            stops.push(stop);
        }
        let (mut untold, mut played) = (Untold::new(), Vec::new());
        let stop = loop {
            played.clear();
            match self.iterate.iterate(&mut walkers, &self.root, &mut self.leaf, &mut untold, &mut played) {
                Ok(true) => {}
                Ok(false) => break Err(SearchError::MemoryLimit { limit }),
                Err(fault) => {
                    shorten_line(&mut played);
                    let texts = played.iter().map(|action| format!("{action:?}")).collect();
                    let iteration = walkers[self.reporter].iterations.tree.root().visit_count() + 1;
                    break Err(LeafError::new(&self.leaf, Cause::of(fault), texts, iteration).into());
                }
            }
            let reporter = &walkers[self.reporter].iterations;
            tally.count(reporter.path.len() as u32 - 1);
            match until.stops(reporter, deadline, stops[self.reporter], tally) {
                Some(reason @ (StopReason::Time | StopReason::Stopped)) => break Ok(reason),
                _ if self.bytes < usize::MAX && used_bytes(&walkers) >= self.bytes => {
                    break Ok(StopReason::Bytes);
                }
                Some(reason) => break Ok(reason),
                None => {}
            }
        };
        let counts = walkers.iter().map(|walker| (walker.iterations.iteration, walker.iterations.is_full));
        (stop, counts.collect())
    }
}

impl<S, P, R, I: Iterate<S, P, R>> Driver<Seat<S>, P, R, Average> for Joint<'_, S, P, R, I>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
{
    fn search(&mut self) -> &mut OneTree<Seat<S>, P, R, Average> {
        &mut self.searches[self.reporter]
    }

    fn least_between_checks(&self) -> u64 {
        1
    }

    fn iterate(
        &mut self,
        _: Turn,
        iterations: u64,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<StopReason, SearchError> {
        let limit = self.searches[self.reporter].memory_limit;
        let until = Until { iterations, bytes: usize::MAX };
        let (stop, counts) = self.walk(until, limit, deadline, tally);
        for (search, (iteration, is_full)) in self.searches.iter_mut().zip(counts) {
            (search.iteration, search.is_full) = (iteration, is_full);
        }
        stop
    }
}

/// Returns the bytes that all trees use, or 0 while one of them is still freeing what was cut off.
fn used_bytes<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>>(
    walkers: &[Walker<'_, '_, S, P, R>],
) -> usize {
    let trees = walkers.iter().map(|walker| walker.iterations.tree);
    if trees.clone().any(|tree| tree.has_cut_off()) { 0 } else { trees.map(|tree| tree.used_bytes()).sum() }
}

/// One iteration of all trees.
pub(crate) trait Iterate<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> {
    /// Runs one iteration from `root`, and appends its actions in the trees to `played`. Returns whether
    /// there is room for the children of the roots of the trees.
    fn iterate(
        &mut self,
        walkers: &mut [Walker<'_, '_, S, P, R>],
        root: &Seat<S>,
        leaf: &mut LeafOf<Seat<S>, P, R>,
        untold: &mut Untold<ActionOf<S>>,
        played: &mut Vec<ActionOf<S>>,
    ) -> Result<bool, GameFault>;
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Iterate<S, P, R> for () {
    #[inline]
    fn iterate(
        &mut self,
        walkers: &mut [Walker<'_, '_, S, P, R>],
        root: &Seat<S>,
        leaf: &mut LeafOf<Seat<S>, P, R>,
        untold: &mut Untold<ActionOf<S>>,
        played: &mut Vec<ActionOf<S>>,
    ) -> Result<bool, GameFault> {
        let players = walkers.len() as Player;
        let horizon = walkers[0].iterations.expansion.horizon();
        leaf.restart(root.root());
        walkers.iter_mut().for_each(Walker::start);
        guess(leaf, &root.inner, walkers[0].iterations.rng)?;
        untold.clear();
        walkers.iter_mut().try_for_each(|walker| walker.know(leaf.state()))?;
        // Selection and expansion, until a player is to move whose tree the iteration has left.
        let is_over = loop {
            if !untold.step_goes_on::<S>(leaf.state()) {
                for (observer, seen, in_step) in untold.take() {
                    walkers[usize::from(observer)].see(seen, in_step)?;
                }
            }
            let turn = leaf.turn();
            let chosen = match turn {
                Turn::Over => break true,
                _ if leaf.ply() as usize >= horizon && !untold.is_in_step() => break false,
                Turn::Chance => None,
                Turn::Player(player) => {
                    let walker = walkers.get_mut(usize::from(player));
                    let chosen = walker.ok_or(GameFault::UnknownPlayer { player, players })?.choose(leaf)?;
                    if chosen.is_none() && !untold.is_in_step() {
                        break false;
                    }
                    chosen
                }
            };
            let action = match chosen {
                Some(action) => action,
                None => {
                    let (state, rng) = (leaf.state(), &mut *walkers[0].iterations.rng);
                    let is_chance = turn == Turn::Chance;
                    let drawn = if is_chance { state.random_outcome(rng) } else { state.random_action(rng) };
                    drawn.ok_or_else(|| why_no_action(leaf.state()))?
                }
            };
            untold.note::<S>(leaf.state(), turn, &action, players);
            leaf.apply(action.clone())?;
            played.push(action);
            if leaf.ply() > MAX_ROLLOUT {
                return Err(GameFault::Endless { limit: MAX_ROLLOUT });
            }
        };
        // Simulation and backpropagation.
        let rewards = rewards(&mut walkers[0], leaf, is_over, players)?;
        let mut has_room = true;
        for walker in walkers {
            has_room &= walker.learn(leaf, &rewards)?;
        }
        Ok(has_room)
    }
}

/// Returns the rewards at the end of the game, or of a simulation from here. The rollout policy learns from
/// them.
pub(crate) fn rewards<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>>(
    first: &mut Walker<'_, '_, S, P, R>,
    leaf: &mut LeafOf<Seat<S>, P, R>,
    is_over: bool,
    players: Player,
) -> Result<Rewards, GameFault> {
    let Walker { rollout_policy, iterations: Iterations { rng, .. }, .. } = first;
    let rewards = if is_over { Rewards::of(leaf.state())? } else { rollout_policy.simulate(leaf, rng)? };
    let rewards = rewards.checked(players)?;
    unless_failed()?;
    if rollout_policy.learns() {
        rollout_policy.learn(&leaf.trace().1, &rewards);
    }
    Ok(rewards)
}
