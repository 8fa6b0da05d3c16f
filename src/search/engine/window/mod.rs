//! [`Window`]: a search that holds several leaves at a time.
//!
//! `pending` puts an iteration aside at its leaf and resolves it later, `queue` is where the iterations wait,
//! and `unobserved` and `in_flight` say how their visits count meanwhile. `slide` is the loop of a run. The values
//! come from `servers`, to whom leaves are handed out on a `board`, or from the caller: `ask`. Several searches may
//! share an evaluator: `batcher`. Uses no other engine, but the rest of `search` and all layers below it.

mod ask;
mod batcher;
mod board;
mod handing_out;
pub(crate) mod in_flight;
mod pending;
mod queue;
pub(crate) mod servers;
mod slide;
#[cfg(test)]
mod tests;
mod unobserved;

pub use ask::{Question, Ticket};
pub use batcher::{Answers, Batcher};
pub use in_flight::Counted;
pub(crate) use in_flight::InFlight;
pub use servers::{Servers, Threads};
pub use unobserved::Unobserved;

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::cpu_features::with_best_instructions;
use crate::game::Turn;
use crate::iteration::expansion::Expansion;
use crate::iteration::root_actions::RootActions;
use crate::iteration::{FedBy, Shortage};
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Every, StopReason};
use crate::run::clock::{Clock, Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::{ActionReport, Report};
use crate::search::engine::{Advance, Engine, Run, Trees, View, reason};
use crate::search::mcts::Mcts;
use crate::search::one_tree::OneTree;
use crate::search::run::{Driver, Until, drive};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use board::Board;
use core::fmt;
use queue::Queue;
use slide::Slide;
use std::sync::RwLock;

/// The most leaves of a window.
const MOST_LEAVES: usize = 1 << 16;

/// The least iterations between two checks whether a run may stop early: before a check, the window is emptied.
const LEAST_BETWEEN_CHECKS: u64 = 128;

/// How many leaves [`Mcts::threads`] holds for each thread.
const LEAVES_OF_A_THREAD: usize = 4;

/// The [engine](crate::search::Engine) that holds several leaves at a time, so that they can be evaluated in
/// batches and on several threads; see [`Mcts::window`].
///
/// The search descends to a number of leaves, the *window*, before it knows the rewards of the first. It uses
/// the rewards in the order in which it found the leaves, and the window slides: in a window of `w`, leaf `i`
/// is found when exactly the rewards of the leaves up to `i - w` are used. So the result does not depend on
/// who simulates a leaf, or when. A window pays off
///
/// - if several threads are worth it, from about 3 microseconds an iteration on: [`threads`](Mcts::threads);
/// - if an evaluator, such as a network, evaluates many positions in little more time than one:
///   [`Evaluate`](crate::simulation::Evaluate);
/// - if the evaluator is elsewhere, in another process or on another thread: [`ask`](Mcts::ask) and
///   [`tell`](Mcts::tell).
///
/// Each leaf is found without the rewards of those before it in the window, so a window costs some strength
/// per iteration. Visits count at once; [`Unobserved`] says what the search assumes of their rewards. When
/// all rewards have arrived, nothing of the assumption is left.
///
/// ```
/// use ramure::prelude::*;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).window(16);
/// let report = search.run(Budget::iterations(2_000))?;
/// println!("{report}");
/// search.advance(report.best_action())?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Determinism
///
/// With a budget of iterations, the result depends on the seed and the window, to the bit. It does not depend
/// on the number of threads. If an observer is called after so many iterations, the window is emptied there,
/// so its interval is one of the settings. If it is called by time, its reports count pending visits, too, and
/// the result does not depend on it.
///
/// # Budgets
///
/// A run makes exactly the iterations that it is given. It looks at the clock and at the stop handle after
/// each. When it must stop, it drops the leaves that nobody simulates yet, and waits for the others. On
/// several threads, a run that only the clock or a [stop](Mcts::stop_handle) ends goes without the window if
/// handing leaves out does not pay, unless its leaves are evaluated in batches.
///
/// # Batches
///
/// Up to [`RolloutPolicy::batch_size`] leaves are simulated or evaluated together. On one thread, it is the
/// whole window. On `n` threads, each of the `n - 1` beside that of the tree takes up to
/// `window / (2 * (n - 1))` leaves at once, so that the search finds others meanwhile. The thread of the tree
/// then evaluates nothing itself: with a network on `n` cores of the processor, use `n + 1` threads.
///
/// # Policies that learn
///
/// With a rollout policy that [learns](RolloutPolicy::learn), the window does not slide: when it is full, all
/// of its leaves are simulated, and then all rewards are used.
///
/// # Asking
///
/// Between [`ask`](Mcts::ask) and [`tell`](Mcts::tell), the visits of a [report](Mcts::report) include
/// pending ones. Its iterations, its depth and its time are those since the search began to ask, if it has
/// not run or advanced since. An answer counts when the search has used it: at the latest after
/// [`finish`](Mcts::finish). A run, a move of the root, and a change of the expansion or
/// of the root actions finish what is pending.
/// `reset`, `load` and `set_earlier_states` drop it.
///
/// # Leaves that are found twice
///
/// If the tree policy reads priors, a leaf gets children only when its evaluation arrives. If another
/// iteration of the window comes to the same leaf, it shares the evaluation. While more than a quarter of the
/// window does so, the search finds no further leaves.
///
/// # Errors
///
/// Besides the errors of every [run](Mcts::run), a run returns [`SearchError::Parameter`] if the window is 0
/// or above 65536, or the number of threads is 0 or above 4096. If the simulation of a leaf fails, the other
/// leaves of the window are used all the same, except those of the same batch if an evaluator panics. Which
/// these are depends on the threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window<W = ()> {
    size: usize,
    unobserved: Unobserved,
    servers: W,
}

/// A tree with its window.
pub struct Windowed<S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>, W>
where
    R: RolloutPolicy<S::Game>,
{
    pub(crate) search: OneTree<S, P, R, Counted<B>>,
    pub(crate) window: Window<W>,
    queue: Queue<S, P, R>,
    /// The iterations that are planned for `ask` and `tell`.
    planned: Option<u64>,
    /// Set if the search has begun to ask.
    asking: Option<Asking>,
}

impl<S: Space, P: FedBy<S::Game, R> + Clone, R: RolloutPolicy<S::Game> + Clone, B, W> Clone
    for Windowed<S, P, R, B, W>
where
    B: Backprop<S::Game> + Clone,
    W: Clone,
{
    /// In the copy, pending iterations are finished: the answers to open questions belong to the original.
    fn clone(&self) -> Self {
        let Windowed { search, window, queue, planned, .. } = self;
        let (search, window, queue) = (search.clone(), window.clone(), queue.copy());
        let mut copy = Windowed { search, window, queue, planned: *planned, asking: None };
        let _ = copy.finish();
        copy
    }
}

/// The counts of `ask` and `tell` since the search began to ask.
struct Asking {
    /// The turn at the root.
    turn: Turn,
    clock: WallClock,
    counts: RunCounts,
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Mcts<S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Searches with a window of `size` leaves, from 1 to 65536, and starts a new tree; see [`Window`].
    ///
    /// A window of 1 makes the same search with other random numbers: in a window, each leaf has its own.
    pub fn window(self, size: usize) -> Mcts<S, P, R, B, Window> {
        let counted = |tree_policy, rollout_policy, backprop| {
            (tree_policy, rollout_policy, Counted::by(InFlight, backprop))
        };
        let window = Window { size, unobserved: Unobserved::default(), servers: () };
        let (search, queue) = (self.trees.with(counted), Queue::default());
        Mcts { trees: Windowed { search, window, queue, planned: None, asking: None } }
    }

    /// Searches one tree on `n` threads, from 1 to 4096, with a [window](Self::window) of four leaves for each,
    /// and starts a new tree; see [`Window`].
    ///
    /// Threads gain from about 3 microseconds an iteration on: two make 1.2 to 1.8 times as many iterations a
    /// second as one at 4 microseconds, and 1.8 to 2 times from 15 on. Below a microsecond, one thread is
    /// faster. The chapter `docs/cores.md` has the table.
    ///
    /// With a budget of iterations, the result depends on `n`, because the window does. To get the same result
    /// with another number of threads, set both: `.window(16).threads(n)`.
    pub fn threads(self, n: usize) -> Mcts<S, P, R, B, Window<Threads>> {
        self.window(n.saturating_mul(LEAVES_OF_A_THREAD)).threads(n)
    }

    /// Searches on all cores of this machine: [`threads`](Self::threads) with their number. Where the system
    /// does not tell it, it is 1.
    ///
    /// The result depends on the number of cores; to repeat it elsewhere, name the number of threads.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let mut search = Mcts::new(ramure_games::Connect4::new()).all_cores();
    /// search.run(Budget::millis(20))?;
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn all_cores(self) -> Mcts<S, P, R, B, Window<Threads>> {
        self.threads(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W>
    Mcts<S, P, R, B, Window<W>>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Sets what the search assumes of visits whose rewards have not arrived. Pending iterations are
    /// [finished](Self::finish) first. \[Default: [`Unobserved::Loss`]\]
    pub fn unobserved(mut self, unobserved: Unobserved) -> Self {
        // What was assumed is taken back by the same rule.
        let _ = self.trees.finish();
        self.trees.window.unobserved = unobserved;
        self
    }

    /// Searches on `n` threads, from 1 to 4096: one holds the tree, the others simulate leaves, in
    /// [batches](Window#batches) if that is faster. Use a window of at least two to four leaves per thread.
    ///
    /// The result does not depend on the number of threads. A panic of the game in a simulation becomes a
    /// [`SearchError::Failed`] whose source has its message.
    ///
    /// In the tree, one thread calls [`actions`](crate::GameState::actions) and
    /// [`apply`](crate::GameState::apply). If a thread cannot be started, the others do its work.
    pub fn threads(self, n: usize) -> Mcts<S, P, R, B, Window<Threads>> {
        let Windowed { search, window: Window { size, unobserved, .. }, queue, planned, asking } = self.trees;
        let window = Window { size, unobserved, servers: Threads(n) };
        Mcts { trees: Windowed { search, window, queue, planned, asking } }
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W>
    Windowed<S, P, R, B, W>
{
    /// Forgets the pending iterations.
    pub(crate) fn drop_pending(&mut self) {
        self.queue.pending.clear();
        self.queue.forget_spare(); // their traces may be of lines from another root
        (self.queue.sharing, self.queue.is_block_full) = (0, false);
        self.asking = None;
    }

    /// Checks the settings, finishes what is pending, and begins a run or a plan. Returns the turn at the root.
    fn prepare(&mut self, budget: Budget) -> Result<Turn, SearchError> {
        self.window.check_size()?;
        self.finish()?;
        self.queue.shortage = Shortage::None; // of an earlier plan
        let turn = self.search.prepare(budget)?;
        self.search.begin(budget.iterations);
        self.asking = None;
        Ok(turn)
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W> Engine<S, P, R, B>
    for Window<W>
{
    type Trees = Windowed<S, P, R, B, W>;
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W> View<S, P, R>
    for Windowed<S, P, R, B, W>
{
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W> Advance<S>
    for Windowed<S, P, R, B, W>
{
    fn advance(&mut self, action: ActionOf<S>, space: Option<S>) -> Result<(), SearchError> {
        if space.is_none() {
            self.search.turn()?;
            if !self.search.accepts(&action) {
                return Err(SearchError::illegal(action));
            }
        }
        self.finish()?;
        self.asking = None;
        self.queue.forget_spare(); // their traces are of lines from this root
        self.search.advance(action, space)
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W> Trees<S, P, R>
    for Windowed<S, P, R, B, W>
{
    type Space = S;
    type Backprop = Counted<B>;

    fn space(&self) -> &S {
        &self.search.space
    }

    fn first(&self) -> &OneTree<S, P, R, Counted<B>> {
        &self.search
    }

    fn each(&mut self, mut set: impl FnMut(&mut OneTree<S, P, R, Counted<B>>)) {
        set(&mut self.search);
    }

    fn clear(&mut self) {
        self.drop_pending();
        self.search.clear();
    }

    fn set_memory_limit(&mut self, limit: usize) {
        self.queue.shortage = Shortage::None; // of the earlier limit
        self.search.set_memory_limit(limit);
    }

    fn set_expansion(&mut self, expansion: Expansion) {
        let _ = self.finish();
        // The next question begins a new plan, which checks and reads the settings.
        self.asking = None;
        self.search.set_expansion(expansion);
    }

    fn set_root_actions(&mut self, actions: RootActions<ActionOf<S>>) {
        let _ = self.finish();
        self.asking = None; // see `set_expansion`
        self.search.set_root_actions(actions);
    }

    fn reset(&mut self, space: S) {
        self.drop_pending();
        self.search.reset(space);
    }
}

impl<S, P, R, B, W> Run<S> for Windowed<S, P, R, B, W>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    W: Servers<S, P, R>,
{
    #[inline(never)]
    fn run(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let clock = WallClock::start();
        self.window.servers.check()?;
        let turn = self.prepare(budget)?;
        let is_timed = budget.iterations.is_none() && (budget.time.is_some() || budget.bytes.is_none());
        let bytes = budget.bytes.map_or(usize::MAX, |bytes| bytes.0);
        let pauses = budget.time.is_none() && !budget.stops_early;
        let Windowed { search, window, queue, .. } = self;
        let mut sliding = Sliding { search, queue, window: *window, bytes, is_timed, pauses };
        drive(&mut sliding, turn, budget, every, observer, &clock)
    }

    fn report(&self) -> Result<Report<ActionOf<S>>, SearchError> {
        let Some(Asking { clock, counts, .. }) = &self.asking else { return self.search.report() };
        self.search.report_counts(&RunCounts { time: clock.now(), ..*counts })
    }

    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        self.search.actions_after(line)
    }
}

impl<W> Sealed for Window<W> {}

impl<W> Window<W> {
    /// Returns the settings on which results depend.
    #[cfg(feature = "save")]
    pub(crate) fn text(&self) -> String {
        format!("{}, {:?}", self.size, self.unobserved)
    }

    fn check_size(&self) -> Result<(), ParameterError> {
        let fits = (1..=MOST_LEAVES).contains(&self.size);
        ParameterError::unless(fits, "Mcts::window", self.size as f64, "from 1 to 65536")
    }
}

/// A run with a window.
struct Sliding<'a, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W> {
    search: &'a mut OneTree<S, P, R, Counted<B>>,
    queue: &'a mut Queue<S, P, R>,
    window: Window<W>,
    bytes: usize,
    /// Whether only the clock or a person ends the run.
    is_timed: bool,
    /// Whether the clock only calls the observer. Then the leaves stay pending meanwhile.
    pauses: bool,
}

impl<S, P, R, B, W> Driver<S, P, R, Counted<B>> for Sliding<'_, S, P, R, B, W>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    W: Servers<S, P, R>,
{
    fn search(&mut self) -> &mut OneTree<S, P, R, Counted<B>> {
        self.search
    }

    fn least_between_checks(&self) -> u64 {
        LEAST_BETWEEN_CHECKS.max(self.window.size as u64)
    }

    fn iterate(
        &mut self,
        turn: Turn,
        iterations: u64,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<StopReason, SearchError> {
        let Window { size, unobserved, servers: threads } = self.window;
        let until = Until { iterations, bytes: self.bytes };
        let leaves = iterations.saturating_sub(tally.iterations).min(size as u64) as usize;
        let servers = threads.count().min(leaves.saturating_sub(1));
        let (queue, is_timed, pauses) = (&mut *self.queue, self.is_timed, self.pauses);
        let stop = self.search.with_iterations(turn, |iterations, rollout_policy, stop_handle| {
            let (batch, learns) = (rollout_policy.batch_size().max(1), rollout_policy.learns());
            queue.learns = learns;
            let (board, rollout_policy) =
                (Board::new(if servers > 0 { leaves } else { 0 }), RwLock::new(rollout_policy));
            let share = batch.min(size.div_ceil(2 * servers.max(1)));
            let is_over = deadline.as_ref().map(Deadline::watch);
            let is_late = || stop_handle.is_stopped() || is_over.is_some_and(|is_over| is_over());
            threads.beside(&board, &rollout_policy, (share, learns), &is_late, |hire| {
                with_best_instructions(
                    #[inline(always)]
                    || {
                        let (board, rollout_policy) = (&board, &rollout_policy);
                        let mut slide = Slide {
                            queue,
                            iterations,
                            rollout_policy,
                            size,
                            unobserved,
                            board,
                            is_late: &is_late,
                            hire,
                            hired: 0,
                            servers,
                            batch,
                            is_timed,
                            pauses,
                            threads,
                        };
                        slide.run(&until, deadline, stop_handle, tally)
                    },
                )
            })
        })?;
        reason(self.search, stop)
    }
}

impl<S, P, R, B, W: fmt::Debug> fmt::Debug for Windowed<S, P, R, B, W>
where
    S: Space + fmt::Debug,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("window", &self.window)
            .field("pending", &self.queue.pending.len())
            .field("search", &self.search)
            .finish_non_exhaustive()
    }
}
