//! The search: [`Mcts`] and its settings, the loop, the budget and the report. This folder may use every layer below
//! it: `game`, `tree` and the policies.

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
    expect(unsafe_code, reason = "calls a function compiled for instructions detected at run time")
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
/// An algorithm is made of four policies: how to select ([`TreePolicy`]), when to expand ([`Expansion`]), how to
/// simulate ([`RolloutPolicy`]) and how to back up the rewards ([`Backprop`]). You swap each of them with one call
/// before the search runs. Swapping the tree policy, the rollout policy or the backpropagation starts a new tree,
/// because these three store numbers in it.
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
/// search.advance(report.best_action())?; // keeps the subtree of the action
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Searches in functions and structs
///
/// A function that accepts any search takes a type that implements [`Search`]. A struct can name the default search,
/// be generic over the search, or store a boxed one. A search is `Send` if its parts are.
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
#[must_use = "a search does nothing before `run`"]
pub struct Mcts<G: GameState, P: TreePolicy<G> = Ucb1, R = Uniform, B: Backprop<G> = Average> {
    state: G,
    players: u8,
    /// The player whose action led to the root.
    chooser: Player,
    tree: TreeOf<G, P, B>,
    tree_policy: P,
    rollout_policy: R,
    backprop: B,
    expansion: Expansion,
    /// If `None`, the tree policy decides; if it does not either, the robust child is played.
    decision: Option<RootDecision>,
    memory_limit: usize,
    /// The number of runs, advances and resets so far. It gives each random root decision its own draw.
    moment: u64,
    /// The number of the latest iteration. Each search starts its count at a different number.
    iteration: u32,
    /// Whether this run has found that no more memory can be reclaimed at the memory limit.
    is_full: bool,
    /// The first-play urgency of the expansion, or else of the tree policy; set when a run starts.
    first_play: FirstPlay,
    rng: Rng,
    /// Determines the random order in which children are created.
    salt: u64,
    stop: StopHandle,
    /// This field and the next one are buffers, kept to reuse their memory.
    actions: Vec<G::Action>,
    fresh: Vec<P::Stats>,
}

impl<G: GameState> Mcts<G> {
    /// Creates a search from `state`.
    ///
    /// The defaults are UCB1 with c = sqrt 2, uniform rollouts, averaged rewards, the robust child as the root
    /// decision, seed 0 and no memory limit. The search allocates nothing until it runs.
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

/// Returns the number from which a search counts its iterations. It is far from the numbers of other searches, so
/// that a [`Choice`](crate::selection::Choice) kept from another search is recognized. Nothing else depends on it.
fn first_iteration() -> u32 {
    static SEARCHES: AtomicU32 = AtomicU32::new(0);
    SEARCHES.fetch_add(0x9E37_79B9, Ordering::Relaxed)
}

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Mcts<G, P, R, B> {
    /// Sets the tree policy and starts a new tree. \[Default: [`Ucb1`]\]
    pub fn tree_policy<Q: TreePolicy<G>>(self, tree_policy: Q) -> Mcts<G, Q, R, B> {
        self.with(|_, rollout_policy, backprop| (tree_policy, rollout_policy, backprop))
    }

    /// Sets the rollout policy and starts a new tree. \[Default: [`Uniform`]\]
    pub fn rollout_policy<Q: RolloutPolicy<G>>(self, rollout_policy: Q) -> Mcts<G, P, Q, B> {
        self.with(|tree_policy, _, backprop| (tree_policy, rollout_policy, backprop))
    }

    /// Sets the backpropagation and starts a new tree. \[Default: [`Average`]\]
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

    /// Sets when nodes get children, how many, and in which order. Changing the order starts a new tree. \[Default:
    /// all children on the second visit, in a random order\]
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        if expansion.tries() != self.expansion.tries() {
            self.tree.clear();
        }
        self.expansion = expansion;
        self
    }

    /// Sets how the action to play is chosen at the end. \[Default: the tree policy's own
    /// [decision](TreePolicy::decide), or else [`RootDecision::Robust`]\]
    pub fn root_decision(mut self, decision: RootDecision) -> Self {
        self.decision = Some(decision);
        self
    }

    /// Sets the most memory that the tree may take. \[Default: no limit\]
    ///
    /// At the limit, the least visited nodes lose their children and the search goes on. This frees half of the tree,
    /// a little at a time; [`Report::recycled_nodes`] says how many nodes were freed. A limit below what the tree
    /// already takes stops its growth but returns nothing to the system.
    pub fn memory_limit(mut self, limit: Bytes) -> Self {
        if limit.0 > self.memory_limit {
            self.tree.stop_recycling();
        }
        self.memory_limit = limit.0;
        self
    }

    /// Sets the seed of all randomness. The same seed gives the same result, to the bit, on every platform.
    /// \[Default: 0\]
    pub fn seed(mut self, seed: u64) -> Self {
        self.rng = Rng::seeded(seed);
        self
    }

    /// Returns the root state of the search.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Returns the tree policy.
    pub fn get_tree_policy(&self) -> &P {
        &self.tree_policy
    }

    /// Returns the rollout policy, including what it has learned.
    pub fn get_rollout_policy(&self) -> &R {
        &self.rollout_policy
    }

    /// Returns a handle that stops the current run, or else the next one, from another thread or from a Ctrl-C
    /// handler. A handle works for one run only.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Plays `action`: the state that follows becomes the root.
    ///
    /// The subtree of `action` is kept. The rest of the tree is freed for reuse by this tree. This takes at most a
    /// millisecond or two; if the tree is large, the following iterations free what is left.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::IllegalAction`] if the action is not legal in the root state, [`SearchError::GameOver`]
    /// if the game is over, and [`SearchError::Game`] if the root state names a player that the game does not have.
    /// After an error, the search is unchanged.
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

    /// Returns the turn at the root, or an error if the game is over there or names an unknown player.
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

    /// Replaces the root state by `state` and empties the tree. What the rollout policy has learned is kept.
    pub fn reset(&mut self, state: G) {
        self.moment += 1;
        (self.players, self.chooser) = (state.players(), 0);
        self.state = state;
        self.tree.clear();
    }

    /// Returns the number of bytes that the tree takes from the system.
    pub fn memory_usage(&self) -> Bytes {
        Bytes(self.tree.reserved_bytes())
    }

    /// Returns a read-only view of the tree, to walk through or to draw.
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

/// A search, whatever its policies. Use this trait as the bound of a function that accepts any search, or box a
/// search as a `Box<dyn Search<Game = G>>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a search that can run",
    label = "this search cannot run",
    note = "if it is an `Mcts`, call `.run(..)` on it: the compiler then says which policy lacks which trait"
)]
pub trait Search {
    /// The game that is searched.
    type Game: GameState;

    /// Searches within `budget`; see [`Mcts::run`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run`].
    fn run(&mut self, budget: Budget) -> Result<ReportOf<Self::Game>, SearchError> {
        self.run_with(budget, Every::Iterations(u64::MAX), &mut |_| {})
    }

    /// Searches within `budget` and shows reports to `observer`; see [`Mcts::run_with`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run_with`].
    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<Self::Game>),
    ) -> Result<ReportOf<Self::Game>, SearchError>;

    /// Reports on the tree without searching; see [`Mcts::report`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::report`].
    fn report(&self) -> Result<ReportOf<Self::Game>, SearchError>;

    /// Reports on the actions after `line`; see [`Mcts::actions_after`].
    fn actions_after(
        &self,
        line: &[<Self::Game as GameState>::Action],
    ) -> Vec<ActionReport<<Self::Game as GameState>::Action>>;

    /// Returns the number of bytes that the tree takes from the system; see [`Mcts::memory_usage`].
    fn memory_usage(&self) -> Bytes;

    /// Returns the root state; see [`Mcts::state`].
    fn state(&self) -> &Self::Game;

    /// Plays `action`; see [`Mcts::advance`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::advance`].
    fn advance(&mut self, action: <Self::Game as GameState>::Action) -> Result<(), SearchError>;

    /// Replaces the root state and empties the tree; see [`Mcts::reset`].
    fn reset(&mut self, state: Self::Game);

    /// Returns a handle that stops a run; see [`Mcts::stop_handle`].
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

/// Returns the action that a default search, [`Mcts::new`], chooses within `budget`.
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
/// Returns [`SearchError::ChanceToMove`] if `state` is a chance node, and all errors of [`Mcts::run`].
pub fn best_action<G: GameState>(state: &G, budget: Budget) -> Result<G::Action, SearchError> {
    if state.turn() == Turn::Chance {
        return Err(SearchError::ChanceToMove);
    }
    Mcts::new(state.clone()).run(budget)?.try_best_action()
}
