//! [`Windowed`]: a search that holds several leaves at a time.

mod ask;
mod batcher;
pub(crate) mod in_flight;
mod pending;
#[cfg(all(test, feature = "games"))]
mod tests;
pub(crate) mod workers;

pub use ask::{Question, Ticket};
pub use batcher::{Answers, Batcher};
pub use in_flight::{Counted, InFlight, PendingVisits};
pub use workers::{OneThread, Threads, Workers};

use crate::__sealed::Sealed;
use crate::backpropagation::{Average, Backprop};
use crate::cpu_features::with_best_instructions;
use crate::game::{GameFault, Turn};
use crate::iteration::expansion::Expansion;
use crate::iteration::{Iterations, Shortage};
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Bytes, Every, StopReason};
use crate::run::clock::{Clock, Deadline, WallClock};
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, ReportOf};
use crate::run::stop_handle::StopHandle;
use crate::search::engine::Pace;
use crate::search::engine::forest::Forest;
use crate::search::mcts::Mcts;
use crate::search::run::{Alone, RunCounts, Until, drive};
use crate::search::search_trait::{Search, search_by_methods_of};
use crate::search::tree_view::TreeView;
use crate::selection::{TreePolicy, Ucb1};
use crate::simulation::{Leaf, RolloutPolicy, Uniform};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use core::fmt;
use pending::Pending;
use std::collections::VecDeque;
use workers::{Leaves, PendingOf};

/// The most leaves of a window.
const MOST_LEAVES: usize = 1 << 16;

/// What a search assumes of visits whose rewards have not arrived.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Unobserved {
    /// They count as visits, and leave the mean as it is. So they lower the exploration term only. A child
    /// without any reward is worth what an unvisited child is: its [first-play urgency](crate::FirstPlay), or
    /// if that is infinite, the mean of its siblings.
    ///
    /// A policy without an exploration term that depends on the visits, such as
    /// [`Rave`](crate::selection::Rave) with its default parameters, then sends most of a window down one
    /// path.
    ///
    /// **Source:** Liu et al., *Watch the Unobserved: A Simple Approach to Parallelizing Monte Carlo Tree
    /// Search*, 2020, equation 4.
    Mean,
    /// They count as losses, with a reward of 0. The default: in large windows it spreads the iterations
    /// more.
    ///
    /// **Source:** Chaslot, Winands, van den Herik, *Parallel Monte-Carlo Tree Search*, 2008, "virtual loss".
    #[default]
    Loss,
}

/// Monte-Carlo tree search that holds several leaves at a time, and simulates or evaluates them together.
///
/// The search descends to a number of leaves, the *window*, before it knows the rewards of any of them. Then
/// it simulates all of them in one batch, and uses the rewards in the order in which it found the leaves. A
/// window pays off
///
/// - if an evaluator, such as a network, evaluates many positions in little more time than one:
///   [`Evaluate`](crate::simulation::Evaluate);
/// - if the evaluator is elsewhere, in another process or on another thread: [`ask`](Self::ask) and
///   [`tell`](Self::tell);
/// - if a simulation takes so long that several threads are worth it: [`threads`](Self::threads).
///
/// Each leaf is found without the rewards of those before it in the window, so a window costs some strength
/// per iteration. Visits count at once; [`Unobserved`] says what the search assumes of their rewards. When
/// all rewards have arrived, nothing of the assumption is left.
///
/// ```
/// use ramure::prelude::*;
/// let mut search = Mcts::new(ramure::games::Connect4::new()).window(16);
/// let report = search.run(Budget::iterations(2_000))?;
/// println!("{report}");
/// search.advance(report.best_action())?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Determinism
///
/// With a budget of iterations, the result depends on the seed and the window, to the bit. It does not depend
/// on the number of threads. If an observer is called after so many iterations, the windows end there, so its
/// interval is one of the settings.
///
/// # Budgets
///
/// A run looks at the clock and at the stop handle after each window. It makes exactly the iterations that it
/// is given.
///
/// # Leaves that are found twice
///
/// If the tree policy reads priors, a leaf gets children only when its evaluation arrives. If another
/// iteration of the window comes to the same leaf, it shares the evaluation. As soon as more than a quarter
/// of the window does so, the window is simulated although it is not full.
#[must_use = "a search does nothing before `run`"]
pub struct Windowed<
    S: Space,
    P: TreePolicy<S::Game> = Ucb1,
    R = Uniform,
    B: Backprop<S::Game> = Average,
    W = OneThread,
> where
    R: RolloutPolicy<S::Game>,
    P::Stats: Statistics<S::Game, R>,
{
    search: Mcts<S, P, R, Counted<B>>,
    pace: ManyLeaves<W>,
    ahead: Ahead<S, P, R>,
    /// The iterations that are planned for `ask` and `tell`.
    planned: Option<u64>,
    /// Set if the search has begun to ask.
    asking: Option<Asking>,
}

/// What `ask` and `tell` have done since the search began to ask.
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
    /// Searches with a window of `size` leaves, from 1 to 65536, and starts a new tree; see [`Windowed`].
    ///
    /// A window of 1 gives the same results as a search without a window.
    pub fn window(self, size: usize) -> Windowed<S, P, R, B> {
        let decorated = |tree_policy, rollout_policy, backprop| {
            (tree_policy, rollout_policy, Counted::by(InFlight, backprop))
        };
        Windowed {
            search: self.with(decorated),
            pace: ManyLeaves { size, unobserved: Unobserved::default(), workers: OneThread },
            ahead: Ahead::default(),
            planned: None,
            asking: None,
        }
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W>
    Windowed<S, P, R, B, W>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Sets what the search assumes of visits whose rewards have not arrived. Pending iterations are
    /// [finished](Self::finish) first. \[Default: [`Unobserved::Loss`]\]
    pub fn unobserved(mut self, unobserved: Unobserved) -> Self {
        // What was assumed is taken back by the same rule.
        let _ = self.finish();
        self.pace.unobserved = unobserved;
        self
    }

    /// Simulates on `n` threads, from 1, each one leaf at a time. Use a window of several leaves per thread,
    /// so that no thread waits for long.
    ///
    /// Each simulation has its own random numbers, so the result does not depend on the number of threads. It
    /// differs from that of a search without this setting. A panic of the game in a simulation becomes a
    /// [`SearchError::Failed`] whose source has its message.
    ///
    /// Threads pay off if a simulation takes tens of microseconds. If it takes less, search with several
    /// trees: [`Mcts::parallel`].
    pub fn threads(self, n: usize) -> Windowed<S, P, R, B, Threads> {
        let Windowed { search, pace: ManyLeaves { size, unobserved, .. }, ahead, planned, asking } = self;
        let pace = ManyLeaves { size, unobserved, workers: Threads(n) };
        Windowed { search, pace, ahead, planned, asking }
    }

    /// Searches with `n` trees on `n` threads, each with a window of its own; see [`Forest`]. Pending
    /// iterations are [finished](Self::finish), and what this search has found is kept.
    ///
    /// The evaluator is cloned for each tree. To let all trees fill one batch, share a [`Batcher`]:
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::games::Connect4;
    /// use ramure::search::Batcher;
    /// use ramure::selection::Puct;
    /// use ramure::simulation::{Evaluator, Evaluate, Position};
    /// use ramure::{BoxError, Rewards};
    ///
    /// struct Network;
    ///
    /// impl Evaluator<Connect4> for Network {
    ///     fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
    ///         batch.iter_mut().for_each(|position| position.set_value(Rewards::new(2, |_| 0.5)));
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let network = Evaluate::new(Batcher::new(Network)?);
    /// let search = Mcts::new(Connect4::new()).tree_policy(Puct::default()).rollout_policy(network);
    /// let report = search.window(16).parallel(4).run(Budget::iterations(2_000))?;
    /// assert_eq!(report.iterations, 2_000);
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn parallel(mut self, n: usize) -> Forest<S, P, R, Counted<B>, ManyLeaves<W>> {
        let _ = self.finish();
        self.search.parallel_at(self.pace, n)
    }

    /// Returns what is searched; see [`Mcts::space`].
    pub fn space(&self) -> &S {
        self.search.space()
    }

    /// Returns the root state of the search; see [`Mcts::state`].
    pub fn state(&self) -> &S::Real {
        self.search.state()
    }

    /// Returns the tree policy.
    pub fn tree_policy_ref(&self) -> &P {
        self.search.tree_policy_ref()
    }

    /// Returns the rollout policy, including what it has learned.
    pub fn rollout_policy_ref(&self) -> &R {
        self.search.rollout_policy_ref()
    }

    /// Returns a handle that stops the runs of this search; see [`Mcts::stop_handle`].
    pub fn stop_handle(&self) -> StopHandle {
        self.search.stop_handle()
    }

    /// Returns a read-only view of the tree.
    pub fn tree(&self) -> TreeView<'_, S, P, R, Counted<B>> {
        self.search.tree()
    }

    /// Returns the number of bytes that the tree takes from the system.
    pub fn memory_usage(&self) -> Bytes {
        self.search.memory_usage()
    }

    /// Sets the most memory that the tree may take; see [`Mcts::memory_limit`].
    pub fn set_memory_limit(&mut self, limit: Bytes) {
        self.search.set_memory_limit(limit);
    }

    /// Sets the seed of all randomness; see [`Mcts::set_seed`].
    pub fn set_seed(&mut self, seed: u64) {
        self.search.set_seed(seed);
    }

    /// Sets when nodes get children; see [`Mcts::set_expansion`]. Pending iterations are
    /// [finished](Self::finish) first.
    pub fn set_expansion(&mut self, expansion: Expansion) {
        let _ = self.finish();
        // The next question begins a new plan, which checks and reads the settings.
        self.asking = None;
        self.search.set_expansion(expansion);
    }

    /// Sets how the action to play is chosen; see [`Mcts::set_root_decision`].
    pub fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        self.search.set_root_decision(decision);
    }

    /// Plays `action`: the state that follows becomes the root. Pending iterations are
    /// [finished](Self::finish) first. See [`Mcts::advance`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::advance`] and of [`finish`](Self::finish).
    pub fn advance(&mut self, action: ActionOf<S>) -> Result<(), SearchError> {
        self.search.turn()?;
        if !self.search.accepts(action) {
            return Err(SearchError::illegal(action));
        }
        self.finish()?;
        self.asking = None;
        self.search.advance(action)
    }

    /// Gives the states that the game had before the root state, and empties the tree; see
    /// [`Mcts::set_earlier_states`]. Pending iterations are dropped.
    pub fn set_earlier_states(&mut self, states: impl IntoIterator<Item = S::Real>) {
        self.drop_pending();
        self.search.set_earlier_states(states);
    }

    /// Replaces what is searched by `space` and empties the tree. Pending iterations are dropped.
    pub fn reset(&mut self, space: S) {
        self.drop_pending();
        self.search.reset(space);
    }

    /// Forgets the pending iterations.
    pub(crate) fn drop_pending(&mut self) {
        self.ahead.spare.extend(self.ahead.pending.drain(..));
        self.ahead.sharing = 0;
        self.asking = None;
    }

    /// Returns the search inside.
    #[cfg(feature = "save")]
    pub(crate) fn inner(&self) -> &Mcts<S, P, R, Counted<B>> {
        &self.search
    }

    #[cfg(feature = "save")]
    pub(crate) fn inner_mut(&mut self) -> &mut Mcts<S, P, R, Counted<B>> {
        &mut self.search
    }

    /// Returns the settings of the window on which results depend. The number of threads is none of them.
    #[cfg(feature = "save")]
    pub(crate) fn window_setting(&self) -> String {
        self.pace.text()
    }

    /// Reports on the current tree, without searching. While questions are open, the visits include pending
    /// ones.
    ///
    /// The iterations, the depth and the time are those since the search began to [`ask`](Self::ask), if it
    /// has not [run](Self::run) or [advanced](Self::advance) since. An answer counts when the search has used
    /// it: at the latest after [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::report`].
    pub fn report(&self) -> Result<ReportOf<S>, SearchError> {
        let Some(Asking { clock, counts, .. }) = &self.asking else { return self.search.report() };
        self.search.report_counts(&RunCounts { time: clock.now(), ..*counts })
    }

    /// Checks the settings, finishes what is pending, and begins a run. Returns the turn at the root.
    fn prepare(&mut self, budget: Budget) -> Result<Turn, SearchError> {
        self.pace.check_size()?;
        self.finish()?;
        let turn = self.search.prepare(budget)?;
        self.search.begin(budget.iterations);
        let counts = RunCounts::new(StopReason::AskAndTell);
        self.asking = Some(Asking { turn, clock: WallClock::start(), counts });
        Ok(turn)
    }

    /// Searches within `budget` and returns a report.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run`], and [`SearchError::Parameter`] if the window is 0 or above 65536,
    /// or the number of threads is 0. If the simulation of a leaf fails, the other leaves of its window are
    /// used all the same.
    pub fn run(&mut self, budget: Budget) -> Result<ReportOf<S>, SearchError>
    where
        W: Workers<S, P, R>,
    {
        self.run_with(budget, Every::Iterations(u64::MAX), &mut |_| {})
    }

    /// Searches as [`run`](Self::run) does and shows `observer` a report at intervals; see
    /// [`Mcts::run_with`]. Pending questions are [finished](Self::finish) first.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run).
    #[inline(never)]
    pub fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<S>),
    ) -> Result<ReportOf<S>, SearchError>
    where
        W: Workers<S, P, R>,
    {
        let clock = WallClock::start();
        self.pace.workers.check()?;
        let turn = self.prepare(budget)?;
        self.asking = None;
        let bytes = budget.bytes.map_or(usize::MAX, |bytes| bytes.0);
        let Windowed { search, pace, ahead: state, .. } = self;
        let mut alone = Alone { search, pace: *pace, state, bytes };
        drive(&mut alone, turn, budget, every, observer, &clock)
    }
}

/// A window of leaves at a time, as a [`Windowed`] search holds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ManyLeaves<W = OneThread> {
    size: usize,
    unobserved: Unobserved,
    workers: W,
}

impl<W> Sealed for ManyLeaves<W> {}

impl<W> ManyLeaves<W> {
    /// Returns the settings on which results depend.
    fn text(&self) -> String {
        // The name of the type does not have the number of threads.
        let kind = core::any::type_name::<W>().rsplit("::").next().unwrap_or_default();
        format!("{}, {:?}, {kind}", self.size, self.unobserved)
    }

    fn check_size(&self) -> Result<(), ParameterError> {
        let fits = (1..=MOST_LEAVES).contains(&self.size);
        ParameterError::unless(fits, "Windowed::window", self.size as f64, "from 1 to 65536")
    }
}

impl<S, P, R, B, W> Pace<S, P, R, Counted<B>> for ManyLeaves<W>
where
    S: Space,
    P: TreePolicy<S::Game>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    W: Workers<S, P, R>,
    P::Stats: Statistics<S::Game, R>,
{
    type State = Ahead<S, P, R>;

    fn setting(self) -> String {
        self.text()
    }

    fn check(self) -> Result<(), ParameterError> {
        self.check_size()?;
        self.workers.check()
    }

    fn leaves(self) -> u64 {
        self.size as u64
    }

    fn begin(self, _: &Mcts<S, P, R, Counted<B>>) -> Ahead<S, P, R> {
        Ahead::default()
    }

    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn iterate(
        self,
        ahead: &mut Ahead<S, P, R>,
        search: &mut Mcts<S, P, R, Counted<B>>,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<Option<StopReason>, SearchError> {
        let root = search.root().clone();
        search.with_iterations(
            turn,
            #[inline(always)]
            |iterations, stop_handle| {
                with_best_instructions(
                    #[inline(always)]
                    || {
                        loop {
                            let left = until.iterations.saturating_sub(tally.iterations);
                            let filled = ahead.fill(
                                iterations,
                                &root,
                                left.min(self.size as u64) as usize,
                                self.unobserved,
                            );
                            let leaves = Leaves(&mut ahead.pending);
                            self.workers.simulate(iterations.rollout_policy, leaves, iterations.rng);
                            for entry in ahead.pending.iter_mut().filter(|entry| entry.is_question()) {
                                entry.result = Some(Err(GameFault::NotEvaluated));
                            }
                            let settled = ahead.settle_all(iterations, self.unobserved, tally);
                            let has_room = filled.and(settled)?;
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

    fn ply(self, ahead: &Ahead<S, P, R>) -> u32 {
        ahead.pending.iter().find(|entry| entry.is_question()).map_or(0, |entry| entry.leaf.ply())
    }

    fn recover(self, ahead: &mut Ahead<S, P, R>, search: &mut Mcts<S, P, R, Counted<B>>, turn: Turn) {
        let tally = &mut RunCounts::new(StopReason::NotRun);
        // What fails here is taken back, too.
        let _ = search
            .with_iterations(turn, |iterations, _| ahead.settle_all(iterations, self.unobserved, tally));
    }
}

/// The pending iterations of a search.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "hidden")]
pub struct Ahead<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Tells its tickets from those of other windows.
    id: u32,
    /// The iterations that wait for their rewards, oldest first.
    pending: VecDeque<PendingOf<S, P, R>>,
    /// Pending iterations that are resolved, kept to reuse their memory.
    spare: Vec<PendingOf<S, P, R>>,
    /// The number of the next iteration.
    next: u64,
    /// The number of pending iterations that share an evaluation.
    sharing: usize,
    /// Whether an iteration that was put aside found no room for a child.
    shortage: Shortage,
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>> Default for Ahead<S, P, R>
where
    P::Stats: Statistics<S::Game, R>,
{
    fn default() -> Self {
        Ahead {
            id: Ticket::new_window(),
            pending: VecDeque::new(),
            spare: Vec::new(),
            next: 0,
            sharing: 0,
            shortage: Shortage::None,
        }
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>> Ahead<S, P, R>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Returns whether one more iteration may be put aside, if `size` are allowed.
    #[inline(always)]
    fn has_place(&self, root_is_leaf: bool, size: usize) -> bool {
        let len = self.pending.len();
        len == 0 || len < size && !(P::Stats::INITIALIZES && (root_is_leaf || 4 * self.sharing > size))
    }

    /// Puts iterations aside until there are `size`, or until too many of them share an evaluation.
    #[inline(always)]
    fn fill<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        root: &S::Game,
        size: usize,
        unobserved: Unobserved,
    ) -> Result<(), SearchError> {
        while self.has_place(iterations.root_is_leaf(), size) {
            self.put_aside(iterations, root, unobserved)?;
        }
        Ok(())
    }

    /// Puts one iteration aside.
    #[inline(always)]
    fn put_aside<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        root: &S::Game,
        unobserved: Unobserved,
    ) -> Result<(), SearchError> {
        let mut entry = self.spare.pop().unwrap_or_else(|| Pending::new(Leaf::new(root, B::COUNTS)));
        entry.number = self.next;
        match iterations.set_aside(&mut entry, unobserved) {
            Ok(is_shared) => {
                if is_shared {
                    // Earlier visits to this leaf may be too few for children. They have no priors to share.
                    let asks = |other: &&mut PendingOf<S, P, R>| {
                        other.expands && other.same_as.is_none() && other.has_path_of(&entry)
                    };
                    if let Some(other) = self.pending.iter_mut().find(asks) {
                        other.sharers += 1;
                        self.sharing += 1;
                        entry.same_as = Some(other.number);
                    }
                }
                self.next += 1;
                self.pending.push_back(entry);
                Ok(())
            }
            Err(fault) => {
                iterations.tell(&entry.leaf, None);
                Err(SearchError::at(&entry.leaf, fault))
            }
        }
    }

    /// Resolves the oldest pending iteration. Returns whether there is room for the root's children.
    #[inline(always)]
    fn settle_first<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        unobserved: Unobserved,
        tally: &mut RunCounts,
    ) -> Result<bool, SearchError> {
        let Some(entry) = self.pending.front() else { return Ok(true) };
        if P::Stats::INITIALIZES && entry.sharers > 0 {
            let (number, result, sharers) = (entry.number, entry.result, entry.sharers as usize);
            let sharing = self.pending.iter_mut().filter(|other| other.same_as == Some(number));
            sharing.take(sharers).for_each(|other| other.result = result);
        }
        // If a policy panics, the iteration stays pending, and is taken back later.
        let Some(entry) = self.pending.front_mut() else { return Ok(true) };
        let is_answered = matches!(entry.result, Some(Ok(_)));
        let settled = iterations.settle(entry, unobserved);
        let settled = settled.map_err(|fault| {
            iterations.tell(&entry.leaf, None);
            SearchError::at(&entry.leaf, fault)
        });
        if is_answered && settled.is_ok() {
            tally.count(entry.depth());
        }
        self.sharing -= usize::from(entry.same_as.is_some());
        self.spare.extend(self.pending.pop_front());
        settled
    }

    /// Resolves all pending iterations, oldest first, and returns the first error.
    #[inline(always)]
    fn settle_all<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        unobserved: Unobserved,
        tally: &mut RunCounts,
    ) -> Result<bool, SearchError> {
        let (mut has_room, mut failure) = (true, None);
        while !self.pending.is_empty() {
            match self.settle_first(iterations, unobserved, tally) {
                Ok(fits) => has_room &= fits,
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(has_room), Err)
    }
}

impl<S, P, R, B, W> Search for Windowed<S, P, R, B, W>
where
    S: Space,
    P: TreePolicy<S::Game>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    W: Workers<S, P, R>,
    P::Stats: Statistics<S::Game, R>,
{
    search_by_methods_of!(Self, S);

    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        self.search.actions_after(line)
    }
}

impl<S, P, R, B, W: fmt::Debug> fmt::Debug for Windowed<S, P, R, B, W>
where
    S: Space + fmt::Debug,
    P: TreePolicy<S::Game>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    P::Stats: Statistics<S::Game, R>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Windowed")
            .field("pace", &self.pace)
            .field("pending", &self.ahead.pending.len())
            .field("search", &self.search)
            .finish_non_exhaustive()
    }
}
