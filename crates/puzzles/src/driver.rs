//! Runs an optimizer: passes, independent searches, threads, the budget and the best line.

use crate::attempts::{Attempts, End, Ended, Kept};
use crate::error::PuzzleError;
use crate::solution::{Solution, StopReason};
use core::time::Duration;
use ramure::{
    BoxError, Budget, GameFault, GameState, ParameterError, Rng, Scored, SearchError, StopHandle, Turn,
    WallClock, take_failure,
};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most searches of an [`Optimization`].
pub(crate) const MOST_SEARCHES: usize = 1 << 16;

/// An algorithm that looks for the line of play with the greatest puzzle score.
///
/// **Who needs it:** [`Optimization`]. Use one of the algorithms of this crate, or write your own. An
/// optimizer holds only settings; what it learns belongs to a pass.
///
/// ```
/// use ramure::Scored;
/// use ramure::prelude::*;
/// use ramure_games::SameGame;
/// use ramure_puzzles::{Attempts, Ended, Optimization, Optimizer};
///
/// /// Plays the first action with a probability of one half, and otherwise a random one.
/// struct Lazy;
///
/// impl<G: Scored> Optimizer<G> for Lazy {
///     fn pass(&self, attempts: &mut Attempts<'_, G>) -> Result<(), Ended> {
///         let (mut state, mut line, mut actions) = (attempts.root().clone(), vec![], vec![]);
///         loop {
///             attempts.list(&state, &line, &mut actions)?;
///             let count = actions.len();
///             if count == 0 {
///                 attempts.finish(&state, &line)?;
///                 return Ok(());
///             }
///             let rng = attempts.rng();
///             let action = actions.swap_remove(if rng.below(2) == 0 { 0 } else { rng.below(count) });
///             state.apply(action.clone());
///             line.push(action);
///         }
///     }
/// }
///
/// let best = Optimization::new(SameGame::random(7), Lazy).run(Budget::iterations(10))?;
/// assert_eq!((best.rollouts, best.passes), (10, 9)); // the budget ends within the tenth pass
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an optimizer for `{G}`",
    label = "this cannot search for the best line of this game",
    note = "implement `Optimizer<{G}>`, or use one that exists: `FlatSampling`, `NestedSearch`, `Nrpa` or `SinglePlayerMcts`"
)]
pub trait Optimizer<G: Scored> {
    /// Makes one pass: runs the algorithm once from beginning to end. A run repeats passes until its budget
    /// is used up.
    ///
    /// A pass must finish at least one line.
    ///
    /// # Errors
    ///
    /// Returns what [`Attempts`] returns, or an error of the game.
    fn pass(&self, attempts: &mut Attempts<'_, G>) -> Result<(), Ended>;

    /// Checks that the parameters are in their ranges. Called at the start of every run. \[Default: accepts
    /// all values\]
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if a parameter is out of range.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// A search for the best line of a one-player game.
///
/// It runs an [`Optimizer`] again and again until the budget is used up, and keeps the best line that was
/// ever played, even one from the middle of a pass. An iteration of the budget is a rollout: a line played to
/// its end. Several independent [searches](Self::searches) divide a budget; with a budget of iterations, the
/// result is the same for any number of threads.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::Morpion;
/// use ramure_puzzles::{NestedSearch, Optimization};
///
/// let mut search = Optimization::new(Morpion::disjoint(), NestedSearch::new(1)).seed(3);
/// let first = search.run(Budget::iterations(400))?;
/// let second = search.run(Budget::iterations(400))?; // goes on, and forgets nothing
/// assert!(second.score >= first.score);
/// assert_eq!(second.actions.len(), second.score as usize); // each line drawn is a point
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Debug)]
pub struct Optimization<G: GameState, O> {
    pub(crate) state: G,
    optimizer: O,
    pub(crate) seed: u64,
    passes: Option<u64>,
    stop: StopHandle,
    /// Whether there was a run for which a request to stop may be meant.
    has_run: bool,
    /// The number of searches that was asked for.
    pub(crate) count: usize,
    /// All searches; none if the number is out of range, which is an error of the run.
    pub(crate) searches: Vec<Kept<G::Action>>,
}

impl<G: GameState, O: Clone> Clone for Optimization<G, O> {
    fn clone(&self) -> Self {
        let Optimization { state, optimizer, seed, passes, count, searches, .. } = self;
        Optimization {
            state: state.clone(),
            optimizer: optimizer.clone(),
            seed: *seed,
            passes: *passes,
            stop: StopHandle::default(),
            has_run: false,
            count: *count,
            searches: searches.clone(),
        }
    }
}

impl<G: Scored, O: Optimizer<G>> Optimization<G, O> {
    /// Creates a search from `state` by `optimizer`.
    pub fn new(state: G, optimizer: O) -> Self {
        let mut search = Optimization {
            state,
            optimizer,
            seed: 0,
            passes: None,
            stop: StopHandle::default(),
            has_run: false,
            count: 1,
            searches: Vec::new(),
        };
        search.restart();
        search
    }

    /// Fixes all random choices. \[Default: 0\]
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self.restart();
        self
    }

    /// Makes `count` independent searches, from 1 to 65536, each with a seed of its own, and reports the best
    /// line of all. Another number is an error of the run. \[Default: 1\]
    ///
    /// They divide the iterations and the time of the budget. With [`run_on`](Self::run_on) they run on
    /// several threads. If the budget has neither iterations nor time, each thread runs one of the first
    /// searches until the stop, and the other searches make one rollout each.
    #[must_use]
    pub fn searches(mut self, count: usize) -> Self {
        self.count = count;
        self.restart();
        self
    }

    /// Ends each search after `count` passes, if the budget has not ended it before. 0 is an error of the
    /// run. \[Default: no limit\]
    #[must_use]
    pub fn passes(mut self, count: u64) -> Self {
        self.passes = Some(count);
        self
    }

    /// Returns a handle that stops the runs of this search: the one that is going on, or else the next one. A
    /// clone of the search has handles of its own.
    ///
    /// A request that comes after a run may have been meant for it. So if the next run ends by itself, it uses
    /// up its budget, and reports [`StopReason::Stopped`].
    #[must_use]
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Returns the state from which all lines start.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Returns the best line of all runs so far, and its puzzle score. `None` before the first finished line.
    ///
    /// This is also the line that the last run returned. Use it after a run that ended with an error.
    pub fn best(&self) -> Option<(f64, &[G::Action])> {
        let mut best: Option<(f64, &[G::Action])> = None;
        for (score, line) in self.searches.iter().filter_map(|search| search.best.as_ref()) {
            if best.is_none_or(|(greatest, _)| *score > greatest) {
                best = Some((*score, line));
            }
        }
        best
    }

    fn restart(&mut self) {
        // The seeds come from a generator, so that two neighbouring seeds give unrelated searches.
        let mut seeds = Rng::seeded(self.seed);
        let count = if self.count <= MOST_SEARCHES { self.count } else { 0 };
        self.searches = (0..count).map(|_| Kept { rng: Rng::seeded(seeds.bits()), best: None }).collect();
    }

    /// Searches within `budget`, and returns the best line of all runs so far. A second run goes on with new
    /// passes.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over or breaks its contract, if it has chance or several players, if a
    /// parameter is out of range, or if the budget is empty or bounds more than iterations and time. What was
    /// found before is in [`best`](Self::best).
    pub fn run(&mut self, budget: Budget) -> Result<Solution<G::Action>, SearchError> {
        let clock = WallClock::start();
        let shares = self.begin(budget, 1)?;
        let is_late = self.begin_run(budget);
        let Optimization { state, optimizer, passes, stop, searches, .. } = self;
        let failed = AtomicBool::new(false);
        let mut results = Vec::new();
        for (search, &share) in searches.iter_mut().zip(&shares) {
            let result = run_one(state, optimizer, (*passes, share), (stop, &failed), search);
            let is_err = result.is_err();
            results.push(result);
            if is_err {
                break;
            }
        }
        self.end(results, is_late, &clock)
    }

    /// Begins a run. Returns whether it has taken over a request to stop that may be late.
    fn begin_run(&mut self, budget: Budget) -> bool {
        let ends = budget.iterations.is_some() || budget.time.is_some() || self.passes.is_some();
        let is_late = ends && self.has_run && self.stop.is_stopped();
        if is_late {
            self.stop.clear();
        }
        self.has_run = true;
        is_late
    }

    /// Checks everything, and divides the budget among the searches.
    fn begin(&mut self, budget: Budget, threads: usize) -> Result<Vec<Share>, SearchError> {
        take_failure(); // of a call outside of searches
        if budget.iterations == Some(0) || budget.time == Some(Duration::ZERO) {
            return Err(SearchError::EmptyBudget);
        }
        let can_be_exceeded = budget.percent_if_unclear.is_some_and(|percent| percent > 0);
        if budget.bytes.is_some() || budget.stops_early || can_be_exceeded {
            return Err(PuzzleError::Budget.into());
        }
        let count = self.searches.len();
        ParameterError::unless(count > 0, "Optimization::searches", self.count as f64, "from 1 to 65536")?;
        let range = "at least 1";
        ParameterError::unless(threads > 0, "Optimization, threads", threads as f64, range)?;
        let passes = self.passes.unwrap_or(1);
        ParameterError::unless(passes > 0, "Optimization::passes", passes as f64, range)?;
        self.optimizer.check()?;
        match self.state.players() {
            0 => return Err(SearchError::game(GameFault::Players { players: 0 }, 0)),
            1 => {}
            players => return Err(PuzzleError::Players { players }.into()),
        }
        if self.state.turn() == Turn::Over {
            return Err(SearchError::GameOver);
        }
        // At most as many searches as iterations, because each search makes at least one.
        let searches =
            budget.iterations.map_or(count, |most| usize::try_from(most).unwrap_or(count).min(count));
        let rounds = searches.div_ceil(threads) as u32;
        let share = |number: usize| Share {
            rollouts: budget.iterations.map_or(u64::MAX, |all| {
                all / searches as u64 + u64::from((number as u64) < all % searches as u64)
            }),
            time: budget.time.map(|time| (time / rounds).max(Duration::from_nanos(1))),
        };
        Ok((0..searches).map(share).collect())
    }

    /// Joins the results of the searches that ran.
    fn end(
        &mut self,
        results: Vec<Result<Outcome, SearchError>>,
        is_late: bool,
        clock: &WallClock,
    ) -> Result<Solution<G::Action>, SearchError> {
        // A run that fails answers no request to stop.
        let outcomes = results.into_iter().collect::<Result<Vec<_>, _>>()?;
        let is_asked = self.stop.is_stopped();
        if is_asked {
            self.stop.clear();
        }
        let Some((score, actions)) = self.best() else { return Err(SearchError::EmptyBudget) };
        let reasons = [StopReason::Stopped, StopReason::Time, StopReason::Rollouts];
        let is_reason = |reason: &StopReason| outcomes.iter().any(|outcome| outcome.stop_reason == *reason);
        let stop_reason = match is_asked || is_late {
            true => StopReason::Stopped,
            false => reasons.into_iter().find(is_reason).unwrap_or(StopReason::Passes),
        };
        Ok(Solution {
            score,
            actions: actions.to_vec(),
            rollouts: outcomes.iter().map(|outcome| outcome.rollouts).sum(),
            passes: outcomes.iter().map(|outcome| outcome.passes).sum(),
            time: clock.elapsed(),
            stop_reason,
        })
    }
}

impl<G: Scored<Action: Send> + Send + Sync, O: Optimizer<G> + Sync> Optimization<G, O> {
    /// Searches like [`run`](Self::run), on at most `threads` threads. Each of the [searches](Self::searches)
    /// runs on one thread. With a budget of iterations, the result is the same for any number of threads. If
    /// there are more searches than threads, they divide the time of the budget.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure_games::SameGame;
    /// use ramure_puzzles::{NestedSearch, Optimization};
    /// let search = Optimization::new(SameGame::random(7), NestedSearch::new(1)).searches(4);
    /// let budget = Budget::iterations(100);
    /// assert_eq!(search.clone().run_on(2, budget)?.actions, search.clone().run(budget)?.actions);
    /// # Ok::<(), SearchError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run), and an error if a thread cannot be started. An error in one
    /// of the searches stops the others. If several fail, it is the error of the first of them that had
    /// begun.
    ///
    /// # Panics
    ///
    /// A panic of the game or of the optimizer stops all searches and goes on here, as it does in
    /// [`run`](Self::run).
    pub fn run_on(&mut self, threads: usize, budget: Budget) -> Result<Solution<G::Action>, SearchError> {
        let clock = WallClock::start();
        let shares = self.begin(budget, threads)?;
        let is_late = self.begin_run(budget);
        let Optimization { state, optimizer, passes, stop, searches, .. } = self;
        let (state, optimizer, passes, stop) = (&*state, &*optimizer, *passes, &*stop);
        let jobs = Vec::from_iter(searches.iter_mut().zip(&shares).map(|job| Mutex::new((job, None))));
        let next = AtomicUsize::new(0);
        // After a failure, the other searches need not go on, and may have no other reason to stop.
        let failed = AtomicBool::new(false);
        let end_all = || {
            next.store(usize::MAX / 2, Ordering::Relaxed);
            failed.store(true, Ordering::Relaxed);
        };
        let work = || {
            while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                // No other thread takes this job.
                let mut job = job.lock().unwrap_or_else(PoisonError::into_inner);
                let ((search, share), result) = &mut *job;
                let searches = || run_one(state, optimizer, (passes, **share), (stop, &failed), search);
                let ended = catch_unwind(AssertUnwindSafe(searches));
                if !matches!(ended, Ok(Ok(_))) {
                    end_all();
                }
                *result = Some(ended);
            }
        };
        let not_started = std::thread::scope(|scope| {
            for _ in 1..threads.min(shares.len()) {
                if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                    end_all();
                    return Some(error);
                }
            }
            work();
            None
        });
        let ended =
            jobs.into_iter().filter_map(|job| job.into_inner().unwrap_or_else(PoisonError::into_inner).1);
        let results = ended.collect::<Result<Vec<_>, _>>().unwrap_or_else(|panic| resume_unwind(panic));
        if let Some(error) = not_started {
            return Err(SearchError::Threads { error: BoxError::from(error).into() });
        }
        self.end(results, is_late, &clock)
    }
}

/// What the budget allows to one search.
#[derive(Clone, Copy)]
struct Share {
    rollouts: u64,
    time: Option<Duration>,
}

/// The record of one search in a run.
struct Outcome {
    rollouts: u64,
    passes: u64,
    stop_reason: StopReason,
}

/// Makes passes until the share of the budget is used up.
fn run_one<G: Scored, O: Optimizer<G>>(
    root: &G,
    optimizer: &O,
    (most, share): (Option<u64>, Share),
    (stop, failed): (&StopHandle, &AtomicBool),
    kept: &mut Kept<G::Action>,
) -> Result<Outcome, SearchError> {
    let Share { rollouts: most_rollouts, time } = share;
    let clock = WallClock::start();
    let mut attempts = Attempts { root, kept, rollouts: 0, most_rollouts, clock, time, stop, failed };
    let mut passes = 0;
    let stop_reason = loop {
        let before = attempts.rollouts;
        match optimizer.pass(&mut attempts) {
            Ok(()) => passes += 1,
            Err(Ended(End::Budget(reason))) => break reason,
            Err(Ended(End::Error(error))) => return Err(error),
        }
        if most == Some(passes) {
            break StopReason::Passes;
        }
        // A pass that finishes no line would be repeated for ever.
        if attempts.rollouts == before {
            return Err(SearchError::game(GameFault::NoActions, 0));
        }
    };
    Ok(Outcome { rollouts: attempts.rollouts, passes, stop_reason })
}

impl<G: Scored, T: Optimizer<G> + ?Sized> Optimizer<G> for Box<T> {
    fn pass(&self, attempts: &mut Attempts<'_, G>) -> Result<(), Ended> {
        (**self).pass(attempts)
    }

    fn check(&self) -> Result<(), ParameterError> {
        (**self).check()
    }
}
