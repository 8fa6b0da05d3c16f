//! One run: iterations until a stop condition holds, then the report.

use crate::backpropagation::Backprop;
use crate::cpu_features::with_best_instructions;
use crate::game::{GameFault, GameState, Turn};
use crate::iteration::expansion::Order;
use crate::iteration::nodes::{
    Passed, any_action, check_expansion, expansion, has_node, home, listed, samples_shown,
};
use crate::iteration::path::{Path, PathRoom, PathStep, USUAL_DEPTH};
use crate::iteration::root_actions::masked_proof;
use crate::iteration::states::forget_freed;
use crate::iteration::{FedBy, Iterations, LeafOf, Shortage, root_proof};
use crate::run::budget::{Budget, Every, StopReason};
use crate::run::clock::{Clock, Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::Report;
use crate::run::report::root_decision::RootDecision;
use crate::run::stop_handle::StopHandle;
use crate::run::stopping::Schedule;
use crate::search::one_tree::OneTree;
use crate::selection::{FirstPlay, Needs, TreePolicy};
use crate::simulation::{LeafError, RolloutPolicy};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use crate::tree::{MAX_CHILDREN, ROOT};
use bumpalo::Bump;
use core::marker::PhantomData;

/// The most visits of a node. Visits are read as signed numbers, which is faster.
pub(crate) const MOST_VISITS: u32 = i32::MAX as u32;

/// The bounds of the loop.
pub(crate) struct Until {
    /// The most iterations of this run.
    pub iterations: u64,
    /// The most bytes of the tree.
    pub bytes: usize,
}

impl Until {
    /// Returns why the loop should stop now.
    #[inline(always)]
    pub fn stops<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>(
        &self,
        iterations: &Iterations<'_, '_, S, P, R, B>,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        stop_handle: &StopHandle,
        tally: &RunCounts,
    ) -> Option<StopReason> {
        if deadline.as_mut().is_some_and(Deadline::is_over) {
            Some(StopReason::Time)
        } else if stop_handle.is_stopped() {
            Some(StopReason::Stopped)
        } else if iterations.tree.used_bytes() + iterations.bytes_of_states() >= self.bytes
            && !iterations.tree.has_cut_off()
        {
            Some(StopReason::Bytes)
        } else if iterations.root_is_proven() {
            Some(StopReason::Proven)
        } else if tally.iterations >= self.iterations {
            Some(StopReason::Iterations)
        } else {
            None
        }
    }
}

/// The trees that a run drives: one tree, or a tree for each player.
pub(crate) trait Driver<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> {
    /// Returns the search that reports.
    fn search(&mut self) -> &mut OneTree<S, P, R, B>;

    /// Returns the least number of iterations between two checks whether the run may stop early.
    fn least_between_checks(&self) -> u64;

    /// Makes iterations until there are `iterations` in this run, or until something else stops them.
    fn iterate(
        &mut self,
        turn: Turn,
        iterations: u64,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<StopReason, SearchError>;
}

/// Runs after all checks have passed: iterates until the schedule says to stop, and shows reports to
/// `observer`.
pub(crate) fn drive<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>(
    driver: &mut impl Driver<S, P, R, B>,
    turn: Turn,
    budget: Budget,
    every: Every,
    observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    clock: &WallClock,
) -> Result<Report<ActionOf<S>>, SearchError> {
    let is_late = driver.search().stop.begin_run(budget.ends());
    let mut request = 0;
    let report = drive_to_end(driver, turn, budget, every, observer, clock, (is_late, &mut request));
    if report.is_err() {
        driver.search().stop.fail_run(request);
    }
    report
}

/// Runs until the schedule says to stop. `is_late` says that the run has taken over a request to stop that
/// may be late. Leaves in `request` the one that it takes at its end.
#[inline(always)]
fn drive_to_end<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>(
    driver: &mut impl Driver<S, P, R, B>,
    turn: Turn,
    budget: Budget,
    every: Every,
    observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    clock: &WallClock,
    (is_late, request): (bool, &mut usize),
) -> Result<Report<ActionOf<S>>, SearchError> {
    let countable = u64::from(MOST_VISITS - driver.search().root_visits());
    let mut schedule =
        Schedule::new(budget, driver.search().decision, every, clock, driver.least_between_checks());
    let mut tally = RunCounts::new(StopReason::Proven);
    let left = |tally: &RunCounts| budget.iterations.map(|all| all.saturating_sub(tally.iterations));
    while !driver.search().root_is_proven(turn) {
        let grows = driver.search().root_link() != ROOT;
        let iterations = if grows { schedule.until(tally.iterations).min(countable) } else { 1 };
        let stop = match driver.iterate(turn, iterations, &mut schedule.deadline, &mut tally) {
            // Nothing is pending: what a window held had the old scale, and is used.
            Err(error) if driver.search().rescale(&error, left(&tally))? => {
                continue;
            }
            stop => stop?,
        };
        tally.stop_reason = match stop {
            StopReason::Iterations | StopReason::Time => {
                match schedule.ends(stop, tally.iterations, &mut || driver.search().standing(turn)) {
                    Some(reason) => reason,
                    None if tally.iterations >= countable => StopReason::CountFull,
                    None => {
                        if schedule.observes(tally.iterations) {
                            tally.time = clock.now();
                            observer(&driver.search().build_report(turn, &tally)?);
                        }
                        continue;
                    }
                }
            }
            other => other,
        };
        break;
    }
    let search = driver.search();
    if search.root_is_proven(turn) {
        tally.stop_reason = StopReason::Proven;
    }
    *request = search.stop.end_run();
    tally.stop_reason = tally.stop_reason.or_asked(*request > 0 || is_late);
    search.tree.tidy();
    forget_freed::<S, P, B>(&mut search.states, &search.tree);
    tally.time = clock.now();
    let report = search.build_report(turn, &tally)?;
    if schedule.observes_the_end(tally.iterations) {
        observer(&report);
    }
    Ok(report)
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> OneTree<S, P, R, B> {
    #[inline(always)]
    pub(crate) fn root_visits(&self) -> u32 {
        if self.tree.is_empty() { 0 } else { self.tree.root().visit_count() }
    }

    /// Returns the link to the children of the root.
    pub(crate) fn root_link(&self) -> u32 {
        if self.tree.is_empty() { ROOT } else { home::<S, P, B>(&self.tree, self.tree.root()).link() }
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> OneTree<S, P, R, B> {
    /// Reports on the current tree, with these counts.
    pub(crate) fn report_counts(&self, counts: &RunCounts) -> Result<Report<ActionOf<S>>, SearchError> {
        let turn = self.check(Budget::until_stopped())?;
        self.build_report(turn, counts)
    }

    /// Checks the budget and the settings, and creates the root if there is none. Returns the turn at the
    /// root.
    pub(crate) fn prepare(&mut self, budget: Budget) -> Result<Turn, SearchError> {
        let turn = self.check(budget)?;
        if P::NEEDS == Needs::Iterations && budget.iterations.is_none() {
            return Err(SearchError::NeedsIterations);
        }
        if P::NEEDS == Needs::Iterations && budget.can_be_exceeded() {
            return Err(SearchError::CannotExceed);
        }
        let is_robust =
            P::NEEDS != Needs::Iterations && matches!(self.decision, None | Some(RootDecision::Robust));
        if budget.stops_early && !(is_robust && (budget.iterations.is_some() || budget.time.is_some())) {
            return Err(SearchError::CannotStopEarly);
        }
        self.plant()?;
        SearchError::unless_failed(0)?;
        Ok(turn)
    }

    /// Begins a run of at most `iterations` iterations.
    pub(crate) fn begin(&mut self, iterations: Option<u64>) {
        (self.is_full, self.moment) = (false, self.moment + 1);
        self.tree.reset_recycled();
        self.first_play = self.expansion.urgency().or(P::FIRST_PLAY).unwrap_or(FirstPlay::Infinite);
        self.spread.set_width(self.width);
        self.tree_policy.begin(iterations, &mut self.rng);
    }

    /// Makes iterations until a stop condition holds, with the instruction set of this machine. Returns
    /// `None` if there is no room for all children of the root.
    #[inline(always)]
    pub(crate) fn iterate_until(
        &mut self,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        leaf: &mut LeafOf<S, P, R>,
        tally: &mut RunCounts,
    ) -> Result<Option<StopReason>, Box<LeafError>> {
        self.with_iterations(
            turn,
            #[inline(always)]
            |iterations, rollout_policy, stop_handle| {
                with_best_instructions(
                    #[inline(always)]
                    || {
                        loop {
                            let has_room = iterations.iterate(leaf, rollout_policy)?;
                            tally.count(iterations.path.len() as u32 - 1);
                            if !has_room {
                                return Ok(None);
                            }
                            if let Some(reason) = until.stops(iterations, deadline, stop_handle, tally) {
                                return Ok(Some(reason));
                            }
                        }
                    },
                )
            },
        )
    }

    /// Calls `work` with the data of the iterations of this search, whose path is at the root, with its rollout
    /// policy, and with the handle that stops them. The search has a root.
    #[inline(always)]
    pub(crate) fn with_iterations<T>(
        &mut self,
        turn: Turn,
        work: impl FnOnce(&mut Iterations<'_, '_, S, P, R, B>, &mut R, &StopHandle) -> T,
    ) -> T {
        let (result, iteration, is_full) = {
            let (mut room, arena) = (None, Bump::new());
            let (mut iterations, rollout_policy, stop_handle) = self.iterations(turn, &mut room, &arena);
            let result = work(&mut iterations, rollout_policy, stop_handle);
            (result, iterations.iteration, iterations.is_full)
        };
        (self.iteration, self.is_full) = (iteration, is_full);
        result
    }

    /// Returns the data of the iterations of this search, with its path at the root in `room`, its rollout
    /// policy, and the handle that stops them.
    #[inline(always)]
    pub(crate) fn iterations<'p, 's>(
        &'s mut self,
        turn: Turn,
        room: &'p mut PathRoom<'s, ActionOf<S>, P::Stats, B::Stats>,
        arena: &'p Bump,
    ) -> (Iterations<'p, 's, S, P, R, B>, &'s mut R, &'s StopHandle) {
        self.mask = self.masked();
        let root = PathStep::new(self.tree.root(), self.chooser, turn);
        let most = self.expansion.horizon().saturating_add(1);
        let room = &mut room.insert([root; USUAL_DEPTH])[..most.min(USUAL_DEPTH)];
        let mut path = Path::new(room, most, arena);
        path.begin(root);
        self.show_earlier_states();
        let iterations = Iterations {
            space: &self.space,
            players: self.players,
            turn,
            chooser: self.chooser,
            tree: &self.tree,
            states: &mut self.states,
            tree_policy: &mut self.tree_policy,
            spread: &mut self.spread,
            backprop: &self.backprop,
            mask: self.mask.as_ref(),
            expansion: expansion::<S>(self.expansion),
            first_play: self.first_play,
            memory_limit: self.memory_limit,
            rng: &mut self.rng,
            salt: self.salt,
            actions: &mut self.actions,
            initial: &mut self.initial,
            path,
            iteration: self.iteration,
            shortage: Shortage::None,
            is_full: self.is_full,
            repeats: false,
            passed: Passed::default(),
            rollout_policy: PhantomData,
        };
        (iterations, &mut self.rollout_policy, &self.stop)
    }

    /// Checks everything that can be checked before a run. Returns the turn at the root. A run asks the game
    /// for it only once, so a game that changes its answer causes no inconsistency.
    fn check(&self, budget: Budget) -> Result<Turn, SearchError> {
        SearchError::asking(|| self.check_all(budget))
    }

    fn check_all(&self, budget: Budget) -> Result<Turn, SearchError> {
        budget.check()?;
        self.space.check()?;
        let turn = self.turn()?;
        if !has_node::<S>(turn) {
            return Err(SearchError::ChanceToMove);
        }
        self.tree_policy.check()?;
        self.rollout_policy.check()?;
        self.backprop.check()?;
        self.expansion.check()?;
        if let Some(player) = self.space.observer()
            && player >= self.players
        {
            let fault = GameFault::UnknownPlayer { player, players: self.players };
            return Err(SearchError::game(fault, 0));
        }
        check_expansion::<S>(&self.expansion)?;
        if let Some(decision) = self.decision {
            decision.check()?;
        }
        self.check_root_actions(turn)?;
        if P::FIRST_PLAY.is_none() && self.expansion.urgency().is_some() {
            return Err(SearchError::FirstPlayUnused);
        }
        let knows_priors = P::Stats::INITIALIZES && P::Stats::default().promise().is_some();
        if self.expansion.tries() == Order::Prior && !knows_priors {
            return Err(SearchError::NoPriors);
        }
        if self.root_visits() >= MOST_VISITS {
            return Err(SearchError::CountFull);
        }
        Ok(turn)
    }

    /// Widens the scale of the rewards, if the space can, so that the return in `error` fits. Returns whether
    /// the search can go on, with the iterations that are `left`.
    #[cold]
    #[inline(never)]
    fn rescale(&mut self, error: &SearchError, left: Option<u64>) -> Result<bool, SearchError> {
        let SearchError::Game { fault: GameFault::Return { value, .. }, .. } = *error else {
            return Ok(false);
        };
        if !S::IS_SIMULATED {
            return Ok(false);
        }
        let Some(factor) = self.space.rescale(value, self.root_visits() == 0) else { return Ok(false) };
        if (P::KEEPS_REWARDS && size_of::<P::Stats>() > 0) || !B::AVERAGES || B::PROVES {
            self.clear();
            self.plant()?;
            self.tree_policy.begin(left, &mut self.rng); // its plan was for the old tree
        } else {
            let shrunk = |mean: f32| 0.5 + (mean - 0.5) * factor;
            let mut nodes = vec![self.tree.root()];
            while let Some(node) = nodes.pop() {
                if node.visit_count() > 0 {
                    node.record_with_mean(node.visit_count(), shrunk(node.mean()));
                }
                if node.link() != ROOT {
                    nodes.extend(self.tree.children_of(node.link()));
                }
            }
            self.spread.forget();
        }
        Ok(true)
    }

    /// Checks that the search may choose an action, and that those that were named are legal.
    fn check_root_actions(&self, turn: Turn) -> Result<(), SearchError> {
        let Some(mask) = self.masked() else { return Ok(()) };
        if turn == Turn::Chance {
            return Err(SearchError::ChanceToMove);
        }
        for action in self.root_actions.listed() {
            if !self.accepts(action) {
                return Err(SearchError::illegal(action));
            }
        }
        // Sampled actions are not listed: perhaps no other one is ever drawn.
        let is_left = mask.count > 0
            && (mask.count < usize::MAX
                || samples_shown::<S, P, B>(
                    &self.tree,
                    self.root(),
                    &|action| mask.shows(action),
                    self.decision_seed,
                ));
        if is_left { Ok(()) } else { Err(SearchError::no_action_left(&self.root_actions)) }
    }

    /// Checks that a root without children lists no action twice: each would be a child, and they would share
    /// the visits of the action. Each action is compared with each, so this looks at the first ones only.
    fn check_listed(&mut self) -> Result<(), SearchError> {
        const CHECKED: usize = 512;
        if self.width < 2 || self.root_link() != ROOT {
            return Ok(());
        }
        self.actions.clear();
        self.actions.extend(listed::<S>(self.space.root()).into_iter().flatten().take(CHECKED));
        for (again, action) in self.actions.iter().enumerate() {
            if let Some(first) = self.actions[..again].iter().position(|listed| listed == action) {
                return Err(SearchError::game(GameFault::ListedTwice { first, again }, 0));
            }
        }
        Ok(())
    }

    /// Creates the root if there is none.
    pub(crate) fn plant(&mut self) -> Result<(), SearchError> {
        if self.root_visits() == 0 {
            self.spread.forget();
        }
        let root = self.space.root();
        self.width = match listed::<S>(root) {
            Some(actions) if root.turn() != Turn::Chance => actions.take(MAX_CHILDREN).count(),
            _ => 0,
        };
        self.check_listed()?;
        if self.tree.is_empty() {
            let Some(any) = any_action::<S>(self.space.root(), &mut self.rng) else {
                return Err(SearchError::game(GameFault::NoActions, 0));
            };
            if !self.tree.plant(any, self.memory_limit) {
                return Err(SearchError::MemoryLimit { limit: self.memory_limit });
            }
        }
        if self.root_visits() == 0 && self.tree.positions() == 0 {
            self.backprop.begin_tree();
            self.space.begin_tree();
        }
        // Remaining positions still use the old salt for the order of their children.
        if self.root_link() == ROOT && self.tree.positions() == 0 {
            self.salt = self.rng.bits();
        }
        Ok(())
    }

    /// Returns whether the root is proven.
    #[inline(always)]
    pub(crate) fn root_is_proven(&self, turn: Turn) -> bool {
        B::PROVES && self.root_proof(turn).is_some()
    }

    /// Returns the reward of the player to move at the root, if it is certain, by the actions that may be
    /// chosen. At a chance node, this is the reward of the player who acted before.
    pub(crate) fn root_proof(&self, turn: Turn) -> Option<f32> {
        if self.tree.is_empty() {
            return None;
        }
        if let (Some(mask), Turn::Player(player)) = (self.masked(), turn) {
            return masked_proof::<S, P, B>(&self.tree, &self.backprop, &mask, player);
        }
        let stats = home::<S, P, B>(&self.tree, self.tree.root()).backprop();
        root_proof::<S, B>(&self.backprop, stats, turn, self.chooser)
    }
}
