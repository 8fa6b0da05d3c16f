//! [`Mcts`]: a search with its policies, its settings and its tree.

use crate::backpropagation::{Average, Backprop};
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Rng, Turn};
use crate::iteration::expansion::Expansion;
use crate::iteration::path::TreeOf;
use crate::run::budget::{Budget, Bytes};
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::stop_handle::StopHandle;
use crate::search::tree_view::TreeView;
use crate::selection::{FirstPlay, TreePolicy, Ucb1};
use crate::simulation::{RolloutPolicy, Uniform};
use crate::space::{ActionOf, Space};
use crate::tree::{ROOT, Tree};
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

/// Monte-Carlo tree search.
///
/// An algorithm is made of four policies: how to select ([`TreePolicy`]), when to expand ([`Expansion`]), how
/// to simulate ([`RolloutPolicy`]) and how to back up the rewards ([`Backprop`]). You swap each of them with
/// one call before the search runs. Swapping the tree policy, the rollout policy or the backpropagation
/// starts a new tree, because these three store numbers in it.
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
/// A function that accepts any search takes a type that implements [`Search`](crate::search::Search). A
/// struct can name the default search, be generic over the search, or store a boxed one. A search is `Send`
/// if its parts are.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::games::TicTacToe;
/// use ramure::search::ActionOf;
///
/// fn think<S: Search>(search: &mut S) -> Result<ActionOf<S::Space>, SearchError> {
///     search.run(Budget::iterations(500))?.try_best_action()
/// }
///
/// struct Plain { search: Mcts<TicTacToe> }
/// struct Any<S: Search<Space = TicTacToe>> { search: S }
/// struct Boxed { search: Box<dyn Search<Space = TicTacToe> + Send> }
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
pub struct Mcts<S: Space, P: TreePolicy<S::Game> = Ucb1, R = Uniform, B: Backprop<S::Game> = Average> {
    pub(crate) space: S,
    pub(crate) players: u8,
    /// The player whose action led to the root.
    pub(crate) chooser: Player,
    pub(crate) tree: TreeOf<S, P, B>,
    pub(crate) tree_policy: P,
    pub(crate) rollout_policy: R,
    pub(crate) backprop: B,
    pub(crate) expansion: Expansion,
    /// If `None`, the tree policy decides; if it does not either, the robust child is played.
    pub(crate) decision: Option<RootDecision>,
    pub(crate) memory_limit: usize,
    /// The number of runs, advances and resets so far. It gives each random root decision its own draw.
    pub(crate) moment: u64,
    /// The number of the latest iteration. Each search starts its count at a different number.
    pub(crate) iteration: u32,
    /// Whether this run has found that no more memory can be reclaimed at the memory limit.
    pub(crate) is_full: bool,
    /// The first-play urgency of the expansion, or else of the tree policy; set when a run starts.
    pub(crate) first_play: FirstPlay,
    pub(crate) rng: Rng,
    /// Determines the random root decisions, together with `moment`.
    pub(crate) decision_seed: u64,
    /// Determines the random order in which children are created.
    pub(crate) salt: u64,
    pub(crate) stop: StopHandle,
    /// The keys of the positions that the game had before the root, in ascending order, if the search
    /// recognises positions.
    pub(crate) earlier: Vec<u128>,
    /// This field and the next one are buffers, kept to reuse their memory.
    pub(crate) actions: Vec<ActionOf<S>>,
    pub(crate) initial: Vec<P::Stats>,
}

impl<S: Space> Mcts<S> {
    /// Creates a search of `space`: a state of your game, or a wrapper around it.
    ///
    /// The defaults are UCB1 with c = sqrt 2, uniform rollouts, averaged rewards, the robust child as the
    /// root decision, seed 0 and no memory limit. The search allocates nothing until it runs.
    pub fn new(space: S) -> Self {
        Mcts {
            players: space.root().players(),
            space,
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
            decision_seed: 0,
            salt: 0,
            stop: StopHandle::default(),
            earlier: Vec::new(),
            actions: Vec::new(),
            initial: Vec::new(),
        }
    }
}

/// Returns the number from which a search counts its iterations. It is far from the numbers of other
/// searches, so that a [`Choice`](crate::selection::Choice) kept from another search is recognized. Nothing
/// else depends on it.
fn first_iteration() -> u32 {
    static SEARCHES: AtomicU32 = AtomicU32::new(0);
    SEARCHES.fetch_add(0x9E37_79B9, Ordering::Relaxed)
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Mcts<S, P, R, B> {
    /// Sets the tree policy and starts a new tree. \[Default: [`Ucb1`]\]
    pub fn tree_policy<Q: TreePolicy<S::Game>>(self, tree_policy: Q) -> Mcts<S, Q, R, B> {
        self.with(|_, rollout_policy, backprop| (tree_policy, rollout_policy, backprop))
    }

    /// Sets the rollout policy and starts a new tree. \[Default: [`Uniform`]\]
    pub fn rollout_policy<Q: RolloutPolicy<S::Game>>(self, rollout_policy: Q) -> Mcts<S, P, Q, B> {
        self.with(|tree_policy, _, backprop| (tree_policy, rollout_policy, backprop))
    }

    /// Sets the backpropagation and starts a new tree. \[Default: [`Average`]\]
    pub fn backprop<Q: Backprop<S::Game>>(self, backprop: Q) -> Mcts<S, P, R, Q> {
        self.with(|tree_policy, rollout_policy, _| (tree_policy, rollout_policy, backprop))
    }

    pub(crate) fn with<P2: TreePolicy<S::Game>, R2: RolloutPolicy<S::Game>, B2: Backprop<S::Game>>(
        self,
        policies: impl FnOnce(P, R, B) -> (P2, R2, B2),
    ) -> Mcts<S, P2, R2, B2> {
        let (tree_policy, rollout_policy, backprop) =
            policies(self.tree_policy, self.rollout_policy, self.backprop);
        Mcts {
            space: self.space,
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
            decision_seed: self.decision_seed,
            salt: self.salt,
            stop: self.stop,
            earlier: self.earlier,
            actions: self.actions,
            initial: Vec::new(),
        }
    }

    /// Sets when nodes get children, how many, and in which order. Changing the order starts a new tree.
    /// \[Default: all children on the second visit, in a random order\]
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        self.set_expansion(expansion);
        self
    }

    /// Sets the [`expansion`](Self::expansion) between two runs. Changing the order empties the tree.
    pub fn set_expansion(&mut self, expansion: Expansion) {
        if expansion.tries() != self.expansion.tries() {
            self.tree.clear();
        }
        self.expansion = expansion;
    }

    /// Sets how the action to play is chosen at the end. \[Default: the tree policy's own
    /// [decision](TreePolicy::decide), or else [`RootDecision::Robust`]\]
    pub fn root_decision(mut self, decision: RootDecision) -> Self {
        self.set_root_decision(Some(decision));
        self
    }

    /// Sets the [`root_decision`](Self::root_decision) between two runs. With `None`, the tree policy
    /// decides, as it does by default.
    pub fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        self.decision = decision;
    }

    /// Sets the most memory that the tree may take. \[Default: no limit\]
    ///
    /// At the limit, the least visited nodes lose their children and the search goes on. This frees half of
    /// the tree, a little at a time; [`Report::recycled_nodes`](crate::search::Report::recycled_nodes) says
    /// how many nodes were freed. A limit below what the tree already takes stops its growth but returns
    /// nothing to the system.
    pub fn memory_limit(mut self, limit: Bytes) -> Self {
        self.set_memory_limit(limit);
        self
    }

    /// Sets the [`memory_limit`](Self::memory_limit) between two runs. `Bytes(usize::MAX)` removes the limit.
    pub fn set_memory_limit(&mut self, limit: Bytes) {
        if limit.0 > self.memory_limit {
            self.tree.stop_recycling();
        }
        self.memory_limit = limit.0;
    }

    /// Sets the seed of all randomness. The same seed gives the same result, to the bit, on every platform.
    /// \[Default: 0\]
    pub fn seed(mut self, seed: u64) -> Self {
        self.set_seed(seed);
        self
    }

    /// Sets the [`seed`](Self::seed) between two runs. After a [`reset`](Self::reset), the search gives the
    /// same results as a new one with this seed, unless its policies have learned.
    pub fn set_seed(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
        (self.decision_seed, self.moment) = (seed, 0);
    }

    /// Returns the root state of the search: a state of your game.
    pub fn state(&self) -> &S::Real {
        S::real(self.root())
    }

    /// Returns what is searched: the root state itself, or the wrapper around it.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Returns the root state that iterations start from.
    pub(crate) fn root(&self) -> &S::Game {
        self.space.root()
    }

    /// Returns the tree policy.
    pub fn tree_policy_ref(&self) -> &P {
        &self.tree_policy
    }

    /// Returns the rollout policy, including what it has learned.
    pub fn rollout_policy_ref(&self) -> &R {
        &self.rollout_policy
    }

    /// Returns a handle that stops the runs of this search, from another thread or from a Ctrl-C handler: the
    /// run that is going on, or else the next one. It works for any number of runs; see [`StopHandle`].
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.taken_now()
    }

    /// Plays `action`: the state that follows becomes the root.
    ///
    /// The subtree of `action` is kept. The rest of the tree is freed for reuse by this tree. This takes at
    /// most a millisecond or two; if the tree is large, the following iterations free what is left.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::IllegalAction`] if the action is not legal in the root state,
    /// [`SearchError::GameOver`] if the game is over, and [`SearchError::Game`] if the root state names a
    /// player that the game does not have. After an error, the search is unchanged.
    pub fn advance(&mut self, action: ActionOf<S>) -> Result<(), SearchError> {
        let turn = self.turn()?;
        if !self.accepts(action) {
            return Err(SearchError::illegal(action));
        }
        let (key, transformation) = S::position(self.root());
        let stored = S::stored(self.root(), action, transformation);
        // If the game panics here, the search is unchanged.
        let mut next = self.space.clone();
        next.play(action);
        self.space = next;
        if let Turn::Player(player) = turn {
            self.chooser = player;
        }
        self.moment += 1;
        // In an open loop, the outcomes of chance share the node.
        if !(S::SKIPS_CHANCE && turn == Turn::Chance) {
            self.advance_tree(stored);
        }
        if S::IS_KEYED {
            self.leave(key);
        }
        Ok(())
    }

    /// Plays `action` and replaces what is searched by `space`, the state that followed or the wrapper around
    /// it. The subtree of `action` is kept, as by [`advance`](Self::advance).
    ///
    /// Use this where the search cannot play the action itself: the root state of an
    /// [`InformationSet`](crate::search::InformationSet) is a guess, in which the action of another player
    /// need not be legal, or chance decides what follows. The search does not check that `space` follows from
    /// `action`.
    pub fn advance_to(&mut self, action: ActionOf<S>, space: S) {
        if let Turn::Player(player) = self.root().turn() {
            self.chooser = player;
        }
        self.moment += 1;
        self.players = space.root().players();
        let (key, transformation) = S::position(self.root());
        let stored = S::stored(self.root(), action, transformation);
        self.space = space;
        self.advance_tree(stored);
        if S::IS_KEYED {
            self.leave(key);
        }
    }

    /// Makes the root's child by `stored` the root, which has the state of this search.
    fn advance_tree(&mut self, stored: ActionOf<S>) {
        if !S::IS_KEYED || self.tree.is_empty() {
            return self.tree.advance(stored);
        }
        let (key, transformation) = S::position(self.root());
        match self.tree.find_position(key, self.chooser) {
            Some(number) => self.tree.advance_to_position(number),
            None => {
                self.tree.advance(stored);
                if !self.tree.is_empty() {
                    // The child leads to a position with another key, if `advance_to` set a state that does
                    // not follow.
                    self.tree.unlink(self.tree.root());
                }
            }
        }
        if !self.tree.is_empty() {
            self.tree.set_root_transformation(transformation);
        }
    }

    /// Returns whether [`advance`](Self::advance) accepts `action`: it is legal, or the search has sampled
    /// it.
    pub(crate) fn accepts(&self, action: ActionOf<S>) -> bool {
        let is_sampled = || {
            let link = if self.tree.is_empty() { ROOT } else { self.tree.root().link() };
            self.tree.children_of(link).any(|child| child.action() == action)
        };
        self.space.can_play(action) || S::IS_SAMPLED && is_sampled()
    }

    /// Returns the turn at the root, or an error if the game is over there or names an unknown player.
    pub(crate) fn turn(&self) -> Result<Turn, SearchError> {
        let (players, turn) = (self.players, self.root().turn());
        let fault = match turn {
            _ if !(1..=MAX_PLAYERS).contains(&usize::from(players)) => GameFault::Players { players },
            Turn::Player(player) if player >= players => GameFault::UnknownPlayer { player, players },
            Turn::Over => return Err(SearchError::GameOver),
            Turn::Player(_) | Turn::Chance => return Ok(turn),
        };
        Err(SearchError::game(fault, 0))
    }

    /// Replaces what is searched by `space` and empties the tree and the list of
    /// [`earlier_states`](Self::earlier_states). What the rollout policy has learned is kept.
    pub fn reset(&mut self, space: S) {
        self.moment += 1;
        (self.players, self.chooser) = (space.root().players(), 0);
        self.space = space;
        self.earlier.clear();
        self.tree.clear();
    }

    /// Returns the number of bytes that the tree takes from the system.
    pub fn memory_usage(&self) -> Bytes {
        Bytes(self.tree.reserved_bytes())
    }

    /// Returns a read-only view of the tree, to walk through or to draw.
    pub fn tree(&self) -> TreeView<'_, S, P, R, B> {
        TreeView::new(self)
    }
}

impl<S: Space + fmt::Debug, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> fmt::Debug for Mcts<S, P, R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("state", &self.space)
            .field("expansion", &self.expansion)
            .field("root_decision", &self.decision)
            .field("nodes", &self.tree.children())
            .field("bytes", &self.tree.reserved_bytes())
            .finish_non_exhaustive()
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
