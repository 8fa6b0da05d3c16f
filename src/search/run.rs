//! One run: iterations until something says stop, then the report.

use super::budget::{Budget, StopReason};
use super::clock::{Clock, Deadline, WallClock};
use super::decision::RootDecision;
use super::error::SearchError;
use super::instructions::with_best_instructions;
use super::iteration::Traces;
use super::report::{ActionReport, Report};
use super::{Mcts, ReportOf};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Rng, Turn};
use crate::selection::{FirstPlay, TreePolicy};
use crate::simulation::{Leaf, RolloutPolicy};
use crate::statistics::Statistics;
use crate::tree::ROOT;
use core::time::Duration;

/// The most visits of a node: they are read as signed numbers, which is faster.
const MOST_VISITS: u32 = i32::MAX as u32;

/// What is counted in a run.
struct Tally {
    iterations: u64,
    depth: u32,
    depth_sum: u64,
    stop_reason: StopReason,
    time: Duration,
}

impl Tally {
    fn new(stop_reason: StopReason) -> Self {
        Tally { iterations: 0, depth: 0, depth_sum: 0, stop_reason, time: Duration::ZERO }
    }

    #[inline(always)]
    fn count(&mut self, depth: u32) {
        self.iterations += 1;
        self.depth = self.depth.max(depth);
        self.depth_sum += u64::from(depth);
    }
}

/// Where the loop is to end.
struct Until {
    /// Iterations of this run.
    iterations: u64,
    /// Bytes of the tree.
    bytes: usize,
}

// The bounds stand on each method, so that the compiler says which part of a search lacks what.
impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Mcts<G, P, R, B> {
    /// Searches within `budget`, adding to the tree of earlier runs, and reports.
    ///
    /// Makes at least one iteration, unless the root is proven already.
    ///
    /// # Errors
    ///
    /// The game is over, the budget is empty, a parameter is out of range, the memory limit has no room for the root's
    /// children, or the game, an evaluation or a policy breaks its contract. In the last case the iterations made before
    /// are in the tree all the same: [`report`](Self::report) tells of them, and the search may go on.
    pub fn run(&mut self, budget: Budget) -> Result<ReportOf<G>, SearchError>
    where
        R: RolloutPolicy<G>,
        P::Stats: Statistics<G, R>,
    {
        self.run_with(budget, u64::MAX, |_| {})
    }

    /// Searches as [`run`](Self::run) does, and shows `observer` a report after `every` iterations, for progress bars
    /// and live displays.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let mut search = Mcts::new(ramure::games::Connect4::new());
    /// search.run_with(Budget::iterations(1_000), 250, |report| {
    ///     println!("{} iterations: {:?}", report.iterations, report.best_action());
    /// })?;
    /// # Ok::<(), SearchError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_with(
        &mut self,
        budget: Budget,
        every: u64,
        mut observer: impl FnMut(&ReportOf<G>),
    ) -> Result<ReportOf<G>, SearchError>
    where
        R: RolloutPolicy<G>,
        P::Stats: Statistics<G, R>,
    {
        let clock = WallClock::start();
        self.check(budget)?;
        self.plant()?;
        self.recycled = 0;
        self.moment += 1;
        self.first_play = self.expansion.urgency().or(P::FIRST_PLAY).unwrap_or(FirstPlay::Infinite);
        let mut deadline = budget.time.map(|time| Deadline::after(&clock, time));
        let countable = u64::from(MOST_VISITS - self.root_visits());
        let most = budget.iterations.unwrap_or(u64::MAX);
        let bytes = budget.bytes.map_or(usize::MAX, |bytes| bytes.0);

        let mut leaf: Leaf<G, Traces<G, P, R>> = Leaf::new(&self.state);
        let mut tally = Tally::new(StopReason::Proven);
        while !self.root_is_proven() {
            let next_look = (tally.iterations / every.max(1) + 1).saturating_mul(every.max(1));
            let grows = self.tree.block(ROOT).link(0) != ROOT;
            let until =
                Until { iterations: if grows { most.min(countable).min(next_look) } else { 1 }, bytes };
            let stop = self.iterate_until(until, &mut deadline, &mut leaf, &mut tally);
            let stop = stop.map_err(|fault| SearchError::Game { fault, ply: leaf.ply() })?;
            if self.tree.block(ROOT).link(0) == ROOT {
                return Err(SearchError::MemoryLimit { limit: self.memory_limit });
            }
            tally.stop_reason = match stop {
                StopReason::Iterations if tally.iterations >= most => StopReason::Iterations,
                StopReason::Iterations if tally.iterations >= countable => StopReason::CountFull,
                StopReason::Iterations => {
                    if tally.iterations.is_multiple_of(every.max(1)) {
                        tally.time = clock.now();
                        observer(&self.tell(&tally)?);
                    }
                    continue;
                }
                other => other,
            };
            break;
        }
        if self.root_is_proven() {
            tally.stop_reason = StopReason::Proven;
        }
        tally.time = clock.now();
        self.stop.clear();
        let report = self.tell(&tally)?;
        if tally.iterations > 0 && tally.iterations.is_multiple_of(every.max(1)) {
            observer(&report);
        }
        Ok(report)
    }

    /// Reports on the tree as it is, without searching.
    ///
    /// # Errors
    ///
    /// The game is over, or its root breaks the contract of [`GameState`].
    pub fn report(&self) -> Result<ReportOf<G>, SearchError>
    where
        R: RolloutPolicy<G>,
        P::Stats: Statistics<G, R>,
    {
        self.check(Budget::until_stopped())?;
        self.tell(&Tally::new(StopReason::NotRun))
    }
}

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Mcts<G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    /// Makes iterations until something says stop, by the instructions that this machine has.
    #[inline(always)]
    fn iterate_until(
        &mut self,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        leaf: &mut Leaf<G, Traces<G, P, R>>,
        tally: &mut Tally,
    ) -> Result<StopReason, GameFault> {
        with_best_instructions(
            #[inline(always)]
            || {
                loop {
                    self.iterate(leaf)?;
                    tally.count(self.path.len() as u32 - 1);
                    if deadline.as_mut().is_some_and(Deadline::is_over) {
                        return Ok(StopReason::Time);
                    }
                    if self.stop.is_asked() {
                        self.stop.clear();
                        return Ok(StopReason::Stopped);
                    }
                    if self.tree.used_bytes() >= until.bytes {
                        return Ok(StopReason::Bytes);
                    }
                    if self.root_is_proven() {
                        return Ok(StopReason::Proven);
                    }
                    if tally.iterations >= until.iterations {
                        return Ok(StopReason::Iterations);
                    }
                }
            },
        )
    }

    /// Whether everything that is known beforehand is in order.
    fn check(&self, budget: Budget) -> Result<(), SearchError> {
        let at_root = |fault| Err(SearchError::Game { fault, ply: 0 });
        let players = self.players;
        budget.check()?;
        if !(1..=MAX_PLAYERS).contains(&usize::from(players)) {
            return at_root(GameFault::Players { players });
        }
        match self.state.turn() {
            Turn::Over => return Err(SearchError::GameOver),
            Turn::Player(player) if player >= players => {
                return at_root(GameFault::UnknownPlayer { player, players });
            }
            Turn::Player(_) | Turn::Chance => {}
        }
        self.tree_policy.check()?;
        self.rollout_policy.check()?;
        self.backprop.check()?;
        self.expansion.check()?;
        self.decision.check()?;
        if P::FIRST_PLAY.is_none() && self.expansion.urgency().is_some() {
            return Err(SearchError::FirstPlayUnused);
        }
        if self.root_visits() >= MOST_VISITS {
            return Err(SearchError::CountFull);
        }
        Ok(())
    }

    /// Makes the root, if there is none yet.
    fn plant(&mut self) -> Result<(), SearchError> {
        if self.tree.is_empty() {
            let any = self.state.actions().into_iter().next();
            let any = any.ok_or(SearchError::Game { fault: GameFault::NoActions, ply: 0 })?;
            self.salt = self.rng.bits();
            if !self.tree.plant(any, self.memory_limit) {
                return Err(SearchError::MemoryLimit { limit: self.memory_limit });
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn root_visits(&self) -> u32 {
        if self.tree.is_empty() { 0 } else { self.tree.block(ROOT).child(0).visit_count() }
    }

    /// Whether nothing is left to find out.
    #[inline(always)]
    fn root_is_proven(&self) -> bool {
        B::PROVES && self.root_proof().is_some()
    }

    /// The reward of the player to move at the root, if it is certain; with chance to move, player 0's.
    fn root_proof(&self) -> Option<f32> {
        if self.tree.is_empty() {
            return None;
        }
        let stats = self.tree.block(ROOT).backprop(0);
        match self.state.turn() {
            Turn::Player(player) => self.backprop.certain(stats, player),
            Turn::Chance | Turn::Over => self.backprop.certain(stats, self.chooser),
        }
    }

    fn tell(&self, tally: &Tally) -> Result<ReportOf<G>, SearchError> {
        let player = match self.state.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        let actions = self.tell_actions(player.unwrap_or(self.chooser))?;
        let chosen = match player {
            Some(_) => self.decision.choose(&actions, &mut self.decision_rng()),
            None => None,
        };
        let first = chosen.map(|chosen| actions[chosen].action);
        Ok(Report {
            principal_variation: self.principal_variation(first),
            chosen,
            player,
            proof: self.root_proof(),
            iterations: tally.iterations,
            root_visits: self.root_visits(),
            time: tally.time,
            nodes: self.tree.children(),
            bytes: self.tree.reserved_bytes(),
            recycled_nodes: self.recycled,
            depth: tally.depth,
            mean_depth: tally.depth_sum as f64 / tally.iterations.max(1) as f64,
            stop_reason: tally.stop_reason,
            actions,
        })
    }

    /// What a decision by chance is drawn from: the same until the search goes on.
    fn decision_rng(&self) -> Rng {
        Rng::seeded(self.salt.wrapping_add(self.moment.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// One entry per legal action, in the game's order, those not stored without visits.
    fn tell_actions(&self, player: Player) -> Result<Vec<ActionReport<G::Action>>, SearchError> {
        let blank = |action| ActionReport::new(action, 0, 0.0, None, None);
        let mut actions: Vec<_> = self.state.actions().into_iter().map(blank).collect();
        if actions.is_empty() {
            return Err(SearchError::Game { fault: GameFault::NoActions, ply: 0 });
        }
        if self.tree.is_empty() {
            return Ok(actions);
        }
        let link = self.tree.block(ROOT).link(0);
        let children =
            self.tree.family(link).flat_map(|(_, block)| (0..block.used()).map(move |lane| (block, lane)));
        let places = self.places(actions.len());
        for (made, (block, lane)) in children.enumerate() {
            let child = block.child(lane);
            let guess = places.get(made).copied().unwrap_or(made);
            let here =
                |&place: &usize| actions.get(place).is_some_and(|action| action.action == child.action());
            let Some(place) =
                Some(guess).filter(here).or_else(|| (0..actions.len()).find(|place| here(place)))
            else {
                continue;
            };
            let proof = self.backprop.certain(block.backprop(lane), player);
            actions[place] = ActionReport::new(
                child.action(),
                child.visit_count(),
                child.mean(),
                proof,
                child.stats().prior(),
            );
        }
        Ok(actions)
    }

    /// For each child of the root, in the order in which they were made, which of the game's actions it is. Only worked
    /// out where looking for them would take long.
    fn places(&self, actions: usize) -> Vec<usize> {
        const FEW: usize = 64;
        let link = self.tree.block(ROOT).link(0);
        if actions <= FEW || link == ROOT {
            return Vec::new();
        }
        let mut places: Vec<usize> = (0..actions).collect();
        if self.expansion.is_shuffled() && self.state.turn() != Turn::Chance {
            let mut order = self.order(self.tree.block(link).next());
            for place in 0..actions {
                places.swap(place, place + order.below(actions - place));
            }
        }
        places
    }

    /// From the root's `first` action on, always the robust child, proofs first.
    fn principal_variation(&self, first: Option<G::Action>) -> Vec<G::Action> {
        let (mut line, mut state, mut wanted) = (Vec::new(), self.state.clone(), first);
        let mut chooser = self.chooser;
        let mut link = if self.tree.is_empty() { ROOT } else { self.tree.block(ROOT).link(0) };
        while link != ROOT {
            if let Turn::Player(player) = state.turn() {
                chooser = player;
            }
            let lanes = self
                .tree
                .family(link)
                .flat_map(|(_, block)| (0..block.used()).map(move |lane| (block, lane)));
            let (children, links): (Vec<_>, Vec<_>) = lanes
                .map(|(block, lane)| {
                    let (child, proof) =
                        (block.child(lane), self.backprop.certain(block.backprop(lane), chooser));
                    let visits = child.visit_count();
                    (ActionReport::new(child.action(), visits, child.mean(), proof, None), block.link(lane))
                })
                .unzip();
            let next = match wanted.take() {
                Some(action) => children.iter().position(|child| child.action == action),
                None if state.turn() == Turn::Chance => (0..children.len())
                    .reduce(|a, b| if children[b].visits > children[a].visits { b } else { a }),
                None => RootDecision::Robust.choose(&children, &mut self.decision_rng()),
            };
            let Some(next) = next.filter(|&next| line.is_empty() || children[next].visits > 0) else { break };
            line.push(children[next].action);
            state.apply(children[next].action);
            link = links[next];
        }
        if line.is_empty() {
            line.extend(first);
        }
        line
    }
}
