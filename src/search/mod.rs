//! The search: [`Mcts`] and its settings, the loop, the budget, the report. Uses everything below it: `game`, `tree`,
//! the policies.

mod arrange;
mod boxed;
mod budget;
mod clock;
mod decision;
mod error;
mod expansion;
mod found;
mod growth;
#[cfg_attr(
    all(target_arch = "x86_64", not(debug_assertions)),
    expect(unsafe_code, reason = "calls a function compiled for instructions that were found present")
)]
mod instructions;
mod iteration;
mod pace;
mod report;
mod run;
mod stop;
mod tell;
mod tree_view;
mod view;

pub use budget::{Budget, Bytes, Every, StopReason};
pub use decision::RootDecision;
pub use error::SearchError;
pub use expansion::{Expansion, Order};
pub use report::{ActionReport, Report};
pub use stop::StopHandle;
pub use tree_view::{Dot, TreeNode, TreeView};

use crate::backpropagation::{Average, Backprop};
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Rng, Turn};
use crate::selection::{FirstPlay, TreePolicy, Ucb1};
use crate::simulation::{RolloutPolicy, Uniform};
use crate::statistics::Statistics;
use crate::tree::Tree;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};
use view::TreeOf;

/// Monte-Carlo tree search.
///
/// Four policies make an algorithm: how to select ([`TreePolicy`]), when to expand ([`Expansion`]), how to simulate
/// ([`RolloutPolicy`]) and what to do with the rewards ([`Backprop`]). Each is swapped by one call, before the search
/// runs; swapping one of the three that keep numbers in the tree starts a new tree.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::Bytes;
/// use ramure::selection::Ucb1Tuned;
///
/// let mut search = Mcts::new(ramure::games::Connect4::new())
///     .tree_policy(Ucb1Tuned::default()) // the one-line swap
///     .backprop(Solver::new(Average))
///     .memory_limit(Bytes::mib(64))
///     .seed(7);
/// let report = search.run(Budget::iterations(2_000))?;
/// println!("{report}");
/// search.advance(report.best_action())?; // keeps what is known of the game that follows
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Searches in functions and structs
///
/// A function that takes any search asks for [`Search`]; a struct names the default search, takes any by a parameter, or
/// boxes it. A search is `Send` when its parts are.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::games::TicTacToe;
///
/// fn think<S: Search>(search: &mut S) -> Result<<S::Game as GameState>::Action, SearchError> {
///     search.run(Budget::iterations(500))?.try_best_action()
/// }
///
/// struct Plain { search: Mcts<TicTacToe> }
/// struct Any<S: Search<Game = TicTacToe>> { search: S }
/// struct Boxed { search: Box<dyn Search<Game = TicTacToe> + Send> }
///
/// let start = TicTacToe::new();
/// let mut plain = Plain { search: Mcts::new(start.clone()) };
/// let mut any = Any { search: Mcts::new(start.clone()).tree_policy(Ucb1::new(0.5)) };
/// let mut boxed = Boxed { search: Box::new(Mcts::new(start).backprop(Solver::new(Average))) };
/// think(&mut plain.search)?;
/// think(&mut any.search)?;
/// boxed.search.run(Budget::millis(5))?;
/// # Ok::<(), SearchError>(())
/// ```
pub struct Mcts<G: GameState, P: TreePolicy<G> = Ucb1, R = Uniform, B: Backprop<G> = Average> {
    state: G,
    players: u8,
    /// Who played the action that led to the root.
    chooser: Player,
    tree: TreeOf<G, P, B>,
    tree_policy: P,
    rollout_policy: R,
    backprop: B,
    expansion: Expansion,
    /// If none, the tree policy's own, or else the robust child.
    decision: Option<RootDecision>,
    memory_limit: usize,
    /// How often the search was run or moved: so that each decision by chance is another.
    moment: u64,
    /// The number of the latest iteration, counted from a start that other searches do not have.
    iteration: u32,
    /// Whether this run has found that nothing more can be given up at the memory limit.
    is_full: bool,
    /// What the expansion or else the tree policy says of children never visited; set when a run starts.
    first_play: FirstPlay,
    rng: Rng,
    /// Fixes the orders in which children are made.
    salt: u64,
    stop: StopHandle,
    /// This and the one below are kept for their memory only.
    actions: Vec<G::Action>,
    fresh: Vec<P::Stats>,
}

impl<G: GameState> Mcts<G> {
    /// A search from `state`: UCB1 with c = sqrt 2, uniform rollouts, averages; the robust child in the end; seed 0; no
    /// limit of memory. Takes no memory until it runs.
    pub fn new(state: G) -> Self {
        Mcts {
            players: state.players(),
            state,
            chooser: 0,
            tree: Tree::new(),
            tree_policy: Ucb1::default(),
            rollout_policy: Uniform,
            backprop: Average,
            expansion: Expansion::default(),
            decision: None,
            memory_limit: usize::MAX,
            moment: 0,
            iteration: first_iteration(),
            is_full: false,
            first_play: FirstPlay::Infinite,
            rng: Rng::seeded(0),
            salt: 0,
            stop: StopHandle::default(),
            actions: Vec::new(),
            fresh: Vec::new(),
        }
    }
}

/// From where a search counts its iterations: far from where others do, so that a choice kept from another search is told from
/// one of its own. Nothing else depends on it.
fn first_iteration() -> u32 {
    static SEARCHES: AtomicU32 = AtomicU32::new(0);
    SEARCHES.fetch_add(0x9E37_79B9, Ordering::Relaxed)
}

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Mcts<G, P, R, B> {
    /// Selects by `tree_policy`, in a new tree. \[Default: [`Ucb1`]\]
    pub fn tree_policy<Q: TreePolicy<G>>(self, tree_policy: Q) -> Mcts<G, Q, R, B> {
        self.with(|_, rollout_policy, backprop| (tree_policy, rollout_policy, backprop))
    }

    /// Simulates by `rollout_policy`, in a new tree. \[Default: [`Uniform`]\]
    pub fn rollout_policy<Q: RolloutPolicy<G>>(self, rollout_policy: Q) -> Mcts<G, P, Q, B> {
        self.with(|tree_policy, _, backprop| (tree_policy, rollout_policy, backprop))
    }

    /// Backs up by `backprop`, in a new tree. \[Default: [`Average`]\]
    pub fn backprop<Q: Backprop<G>>(self, backprop: Q) -> Mcts<G, P, R, Q> {
        self.with(|tree_policy, rollout_policy, _| (tree_policy, rollout_policy, backprop))
    }

    fn with<P2: TreePolicy<G>, R2: RolloutPolicy<G>, B2: Backprop<G>>(
        self,
        policies: impl FnOnce(P, R, B) -> (P2, R2, B2),
    ) -> Mcts<G, P2, R2, B2> {
        let (tree_policy, rollout_policy, backprop) =
            policies(self.tree_policy, self.rollout_policy, self.backprop);
        Mcts {
            state: self.state,
            players: self.players,
            chooser: self.chooser,
            tree: Tree::new(),
            tree_policy,
            rollout_policy,
            backprop,
            expansion: self.expansion,
            decision: self.decision,
            memory_limit: self.memory_limit,
            moment: 0,
            iteration: self.iteration,
            is_full: false,
            first_play: self.first_play,
            rng: self.rng,
            salt: self.salt,
            stop: self.stop,
            actions: self.actions,
            fresh: Vec::new(),
        }
    }

    /// When nodes get children, how many, in which order; another order starts a new tree. \[Default: on the second visit, all,
    /// in a random order\]
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        if expansion.tries() != self.expansion.tries() {
            self.tree.clear();
        }
        self.expansion = expansion;
        self
    }

    /// How the final action is chosen. \[Default: as the tree policy [decides](TreePolicy::decide), or else
    /// [`RootDecision::Robust`]\]
    pub fn root_decision(mut self, decision: RootDecision) -> Self {
        self.decision = Some(decision);
        self
    }

    /// The tree never takes more than so many bytes. At the limit, the least visited nodes give up their children, half of the tree
    /// a little at a time, and the search goes on; the report says how many nodes that were. A limit below what a tree
    /// has taken already stops its growth, and gives nothing back to the system. \[Default: no limit\]
    pub fn memory_limit(mut self, limit: Bytes) -> Self {
        if limit.0 > self.memory_limit {
            self.tree.stop_recycling();
        }
        self.memory_limit = limit.0;
        self
    }

    /// Fixes all that is random: the same seed gives the same result, to the bit, on every platform. \[Default: 0\]
    pub fn seed(mut self, seed: u64) -> Self {
        self.rng = Rng::seeded(seed);
        self
    }

    /// The state searched: the root.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// The tree policy.
    pub fn get_tree_policy(&self) -> &P {
        &self.tree_policy
    }

    /// The rollout policy, with what it learned.
    pub fn get_rollout_policy(&self) -> &R {
        &self.rollout_policy
    }

    /// A handle that stops the run that is going on, or else the next one, from another thread or from a Ctrl-C handler. It is
    /// good for one run.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Plays `action`: the root becomes the state that follows. What is known of it is kept; the rest of the tree is
    /// given back to it and serves again. Takes a millisecond or two at most: of a large tree the iterations that follow give
    /// back what is left.
    ///
    /// # Errors
    ///
    /// [`SearchError::IllegalAction`]; [`SearchError::GameOver`] if the game is over; [`SearchError::Game`] if it is the turn of a
    /// player that the game does not have. Nothing is changed then.
    pub fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        let turn = self.turn()?;
        if !self.state.is_legal(action) {
            return Err(SearchError::IllegalAction);
        }
        if let Turn::Player(player) = turn {
            self.chooser = player;
        }
        self.moment += 1;
        self.state.apply(action);
        self.tree.advance(action);
        Ok(())
    }

    /// Whose turn it is at the root, where the game is not over.
    fn turn(&self) -> Result<Turn, SearchError> {
        let (players, turn) = (self.players, self.state.turn());
        let fault = match turn {
            _ if !(1..=MAX_PLAYERS).contains(&usize::from(players)) => GameFault::Players { players },
            Turn::Player(player) if player >= players => GameFault::UnknownPlayer { player, players },
            Turn::Over => return Err(SearchError::GameOver),
            Turn::Player(_) | Turn::Chance => return Ok(turn),
        };
        Err(SearchError::Game { fault, ply: 0 })
    }

    /// Searches from `state` instead, with an empty tree. What the rollout policy learned is kept.
    pub fn reset(&mut self, state: G) {
        self.moment += 1;
        (self.players, self.chooser) = (state.players(), 0);
        self.state = state;
        self.tree.clear();
    }

    /// The bytes that the tree takes from the system.
    pub fn memory_usage(&self) -> Bytes {
        Bytes(self.tree.reserved_bytes())
    }

    /// A view of the tree, to walk through and to draw.
    pub fn tree(&self) -> TreeView<'_, G, P, R, B> {
        TreeView::new(self)
    }
}

impl<G: GameState + fmt::Debug, P: TreePolicy<G>, R, B: Backprop<G>> fmt::Debug for Mcts<G, P, R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("state", &self.state)
            .field("expansion", &self.expansion)
            .field("root_decision", &self.decision)
            .field("nodes", &self.tree.children())
            .field("bytes", &self.tree.reserved_bytes())
            .finish_non_exhaustive()
    }
}

/// A search of any kind: what a function that takes one asks for; also as `Box<dyn Search<Game = G>>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a search that can run",
    label = "this search cannot run",
    note = "if it is an `Mcts`, call `.run(..)` on it: the compiler then says which policy lacks what"
)]
pub trait Search {
    /// The game it searches.
    type Game: GameState;

    /// See [`Mcts::run`].
    ///
    /// # Errors
    ///
    /// As there.
    fn run(&mut self, budget: Budget) -> Result<ReportOf<Self::Game>, SearchError> {
        self.run_with(budget, Every::Iterations(u64::MAX), &mut |_| {})
    }

    /// See [`Mcts::run_with`].
    ///
    /// # Errors
    ///
    /// As there.
    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<Self::Game>),
    ) -> Result<ReportOf<Self::Game>, SearchError>;

    /// See [`Mcts::report`].
    ///
    /// # Errors
    ///
    /// As there.
    fn report(&self) -> Result<ReportOf<Self::Game>, SearchError>;

    /// See [`Mcts::actions_after`].
    fn actions_after(
        &self,
        line: &[<Self::Game as GameState>::Action],
    ) -> Vec<ActionReport<<Self::Game as GameState>::Action>>;

    /// See [`Mcts::memory_usage`].
    fn memory_usage(&self) -> Bytes;

    /// See [`Mcts::state`].
    fn state(&self) -> &Self::Game;

    /// See [`Mcts::advance`].
    ///
    /// # Errors
    ///
    /// As there.
    fn advance(&mut self, action: <Self::Game as GameState>::Action) -> Result<(), SearchError>;

    /// See [`Mcts::reset`].
    fn reset(&mut self, state: Self::Game);

    /// See [`Mcts::stop_handle`].
    fn stop_handle(&self) -> StopHandle;
}

/// The report of a search of the game `G`.
pub type ReportOf<G> = Report<<G as GameState>::Action>;

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Search for Mcts<G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    type Game = G;

    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<G>),
    ) -> Result<ReportOf<G>, SearchError> {
        self.run_observed(budget, every, observer)
    }
    fn report(&self) -> Result<ReportOf<G>, SearchError> {
        Mcts::report(self)
    }
    fn actions_after(&self, line: &[G::Action]) -> Vec<ActionReport<G::Action>> {
        Mcts::actions_after(self, line)
    }
    fn memory_usage(&self) -> Bytes {
        Mcts::memory_usage(self)
    }
    fn state(&self) -> &G {
        Mcts::state(self)
    }
    fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        Mcts::advance(self, action)
    }
    fn reset(&mut self, state: G) {
        Mcts::reset(self, state);
    }
    fn stop_handle(&self) -> StopHandle {
        Mcts::stop_handle(self)
    }
}

/// The one line: the action that [`Mcts::new`] chooses within `budget`.
///
/// ```
/// use ramure::prelude::*;
/// let action = ramure::best_action(&ramure::games::Connect4::new(), Budget::iterations(1_000))?;
/// # let _ = action;
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Errors
///
/// [`SearchError::ChanceToMove`] where there is no action to choose, and all of [`Mcts::run`].
pub fn best_action<G: GameState>(state: &G, budget: Budget) -> Result<G::Action, SearchError> {
    if state.turn() == Turn::Chance {
        return Err(SearchError::ChanceToMove);
    }
    Mcts::new(state.clone()).run(budget)?.try_best_action()
}
