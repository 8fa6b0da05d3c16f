//! [`Window`]: a search that holds several leaves at a time.
//!
//! `pending` puts an iteration aside at its leaf and resolves it later, `queue` is where the iterations wait,
//! and `unobserved` and `in_flight` say how their visits count meanwhile. The values come from `workers`, or
//! from the caller: `ask`, and `batcher` for many searches at once. Uses no other engine, but the rest of
//! `search` and all layers below it.

mod ask;
mod batcher;
pub(crate) mod in_flight;
mod pending;
mod queue;
#[cfg(all(test, feature = "games"))]
mod tests;
mod unobserved;
pub(crate) mod workers;

pub use ask::{Question, Ticket};
pub use batcher::{Answers, Batcher};
pub use in_flight::Counted;
pub(crate) use in_flight::InFlight;
pub use unobserved::Unobserved;
pub use workers::{Threads, Workers};

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::cpu_features::with_best_instructions;
use crate::game::{GameFault, Turn};
use crate::iteration::expansion::Expansion;
use crate::iteration::root_actions::RootActions;
use crate::iteration::{FedBy, Shortage};
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Every, StopReason};
use crate::run::clock::{Clock, Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::{ActionReport, Report};
use crate::search::engine::{Advance, Alone, Engine, Pace, Run, Single, Trees, View};
use crate::search::mcts::Mcts;
use crate::search::one_tree::OneTree;
use crate::search::run::{Until, drive};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use core::fmt;
use queue::Queue;
use workers::Leaves;

/// The most leaves of a window.
const MOST_LEAVES: usize = 1 << 16;

/// The [engine](crate::search::Engine) that holds several leaves at a time, and simulates or evaluates them
/// together; see [`Mcts::window`].
///
/// The search descends to a number of leaves, the *window*, before it knows the rewards of any of them. Then
/// it simulates all of them in one batch, and uses the rewards in the order in which it found the leaves. A
/// window pays off
///
/// - if an evaluator, such as a network, evaluates many positions in little more time than one:
///   [`Evaluate`](crate::simulation::Evaluate);
/// - if the evaluator is elsewhere, in another process or on another thread: [`ask`](Mcts::ask) and
///   [`tell`](Mcts::tell);
/// - if a simulation takes so long that several threads are worth it: [`threads`](Mcts::threads).
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
/// iteration of the window comes to the same leaf, it shares the evaluation. As soon as more than a quarter
/// of the window does so, the window is simulated although it is not full.
///
/// # Errors
///
/// Besides the errors of every [run](Mcts::run), a run returns [`SearchError::Parameter`] if the window is 0
/// or above 65536, or the number of threads is 0. If the simulation of a leaf fails, the other leaves of its
/// window are used all the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window<W = ()> {
    size: usize,
    unobserved: Unobserved,
    workers: W,
}

/// A tree with its window.
#[doc(hidden)]
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
    /// Searches with a window of `size` leaves, from 1 to 65536, and starts a new tree; see [`Window`].
    ///
    /// A window of 1 gives the same results as a search without a window.
    pub fn window(self, size: usize) -> Mcts<S, P, R, B, Window> {
        let counted = |tree_policy, rollout_policy, backprop| {
            (tree_policy, rollout_policy, Counted::by(InFlight, backprop))
        };
        let window = Window { size, unobserved: Unobserved::default(), workers: () };
        let (search, queue) = (self.trees.with(counted), Queue::default());
        Mcts { trees: Windowed { search, window, queue, planned: None, asking: None } }
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

    /// Simulates on `n` threads, from 1, each one leaf at a time. Use a window of several leaves per thread,
    /// so that no thread waits for long.
    ///
    /// Each simulation has its own random numbers, so the result does not depend on the number of threads. It
    /// differs from that of a search without this setting. A panic of the game in a simulation becomes a
    /// [`SearchError::Failed`] whose source has its message.
    ///
    /// Threads pay off if a simulation takes tens of microseconds. If it takes less, search with several
    /// trees: [`Mcts::parallel`]. Do so too if [`actions`](crate::GameState::actions) or
    /// [`apply`](crate::GameState::apply) are slow: in the tree, one thread calls them.
    pub fn threads(self, n: usize) -> Mcts<S, P, R, B, Window<Threads>> {
        let Windowed { search, window: Window { size, unobserved, .. }, queue, planned, asking } = self.trees;
        let window = Window { size, unobserved, workers: Threads(n) };
        Mcts { trees: Windowed { search, window, queue, planned, asking } }
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W>
    Windowed<S, P, R, B, W>
{
    /// Forgets the pending iterations.
    pub(crate) fn drop_pending(&mut self) {
        self.queue.spare.extend(self.queue.pending.drain(..));
        self.queue.sharing = 0;
        self.asking = None;
    }

    /// Checks the settings, finishes what is pending, and begins a run. Returns the turn at the root.
    fn prepare(&mut self, budget: Budget) -> Result<Turn, SearchError> {
        self.window.check_size()?;
        self.finish()?;
        self.queue.shortage = Shortage::None; // of an earlier plan
        let turn = self.search.prepare(budget)?;
        self.search.begin(budget.iterations);
        let counts = RunCounts::new(StopReason::AskAndTell);
        self.asking = Some(Asking { turn, clock: WallClock::start(), counts });
        Ok(turn)
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W> Engine<S, P, R, B>
    for Window<W>
{
    type Trees = Windowed<S, P, R, B, W>;
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, W> Single<S, P, R, B>
    for Window<W>
{
    type Backprop = Counted<B>;

    fn into_tree(mut trees: Self::Trees) -> (Self, OneTree<S, P, R, Counted<B>>) {
        let _ = trees.finish();
        (trees.window, trees.search)
    }
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
        self.queue.spare.clear(); // their traces are of lines from this root
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
        self.queue.spare.clear(); // see `advance`
        self.search.reset(space);
    }
}

impl<S, P, R, B, W> Run<S> for Windowed<S, P, R, B, W>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    W: Workers<S, P, R>,
{
    #[inline(never)]
    fn run(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let clock = WallClock::start();
        self.window.workers.check()?;
        let turn = self.prepare(budget)?;
        self.asking = None;
        let bytes = budget.bytes.map_or(usize::MAX, |bytes| bytes.0);
        let Windowed { search, window, queue: state, .. } = self;
        let mut alone = Alone { search, pace: *window, state, bytes };
        drive(&mut alone, turn, budget, every, observer, &clock)
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
    pub(crate) fn text(&self) -> String {
        // The name of the type does not have the number of threads.
        let kind = core::any::type_name::<W>().rsplit("::").next().unwrap_or_default();
        format!("{}, {:?}, {kind}", self.size, self.unobserved)
    }

    fn check_size(&self) -> Result<(), ParameterError> {
        let fits = (1..=MOST_LEAVES).contains(&self.size);
        ParameterError::unless(fits, "Mcts::window", self.size as f64, "from 1 to 65536")
    }
}

impl<S, P, R, B, W> Pace<S, P, R, Counted<B>> for Window<W>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    W: Workers<S, P, R>,
{
    type State = Queue<S, P, R>;

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

    fn begin(self, _: &OneTree<S, P, R, Counted<B>>) -> Queue<S, P, R> {
        Queue::default()
    }

    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn iterate(
        self,
        queue: &mut Queue<S, P, R>,
        search: &mut OneTree<S, P, R, Counted<B>>,
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
                            let filled = queue.fill(
                                iterations,
                                &root,
                                left.min(self.size as u64) as usize,
                                self.unobserved,
                            );
                            let leaves = Leaves(&mut queue.pending);
                            self.workers.simulate(iterations.rollout_policy, leaves, iterations.rng);
                            for entry in queue.pending.iter_mut().filter(|entry| entry.is_question()) {
                                entry.result = Some(Err(GameFault::NotEvaluated));
                            }
                            let settled = queue.settle_all(iterations, self.unobserved, tally);
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

    fn ply(self, queue: &Queue<S, P, R>) -> u32 {
        queue.pending.iter().find(|entry| entry.is_question()).map_or(0, |entry| entry.leaf.ply())
    }

    fn recover(self, queue: &mut Queue<S, P, R>, search: &mut OneTree<S, P, R, Counted<B>>, turn: Turn) {
        let tally = &mut RunCounts::new(StopReason::NotRun);
        // What fails here is taken back, too.
        let _ = search
            .with_iterations(turn, |iterations, _| queue.settle_all(iterations, self.unobserved, tally));
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
