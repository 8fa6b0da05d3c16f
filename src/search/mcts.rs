//! [`Mcts`]: a search with its policies, its settings and its trees.

use crate::backpropagation::{Average, Backprop};
use crate::game::{GameState, PartiallyObserved, Turn, take_failure};
use crate::iteration::expansion::Expansion;
use crate::iteration::root_actions::RootActions;
use crate::run::budget::{Budget, Bytes, Every};
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, Report};
use crate::run::stop_handle::StopHandle;
use crate::search::engine::one_leaf::OneLeaf;
use crate::search::engine::{Advance, Engine, Run, Trees, View};
use crate::search::one_tree::OneTree;
use crate::search::search_trait::{Search, search_by_methods_of};
use crate::search::tree_view::TreeView;
use crate::selection::{TreePolicy, Ucb1};
use crate::simulation::{RolloutPolicy, Uniform};
use crate::space::pomdp::{Believed, HistoryStep, Pomdp};
use crate::space::{ActionOf, NodeKind, Space};
use core::f32::consts::SQRT_2;
use core::fmt;

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
/// let mut search = Mcts::new(ramure_games::Connect4::new())
///     .tree_policy(Ucb1Tuned::default()) // the one-line swap
///     .memory_limit(Bytes::mib(64))
///     .seed(7);
/// let report = search.run(Budget::iterations(2_000))?;
/// println!("{report}");
/// search.advance(report.best_action())?; // keeps the subtree of the action
/// # Ok::<(), SearchError>(())
/// ```
///
/// # How iterations are made
///
/// The last parameter of the type is the [`Engine`]. A search makes one iteration after the other
/// ([`OneLeaf`]), until you choose another engine:
///
/// | call | engine | |
/// |---|---|---|
/// | [`window(n)`](Self::window) | [`Window`](crate::search::Window) | finds `n` leaves before it knows the rewards of the first, for networks and other slow evaluations |
/// | [`threads(n)`](Self::threads), [`all_cores()`](Self::all_cores) | [`Window`](crate::search::Window) | one tree on `n` threads, with a window of four leaves for each |
/// | [`Mcts::player_trees`] | [`PlayerTrees`](crate::search::PlayerTrees) | a tree for each player, for simultaneous moves and hidden information |
/// | [`Mcts::outcome_sampling`] | [`PlayerTrees`](crate::search::PlayerTrees) by [`OutcomeSampling`](crate::search::OutcomeSampling) | a tree for each player; the strategies approach an equilibrium |
///
/// Choose the policies first, and then the engine. Everything else is the same for all engines, and can be
/// set before and after it. Between two runs, write `search = search.memory_limit(limit)`, or, where the
/// search is borrowed or boxed, call the method of [`Search`] that sets the same.
///
/// # Searches in functions and structs
///
/// A function that accepts any search takes a type that implements [`Search`](crate::Search). A
/// struct can name the default search, be generic over the search, or store a boxed one. A search is `Send`
/// if its parts are.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::search::ActionOf;
/// use ramure_games::TicTacToe;
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
/// let mut boxed = Boxed { search: Box::new(Mcts::uct(start)) };
/// think(&mut plain.search)?;
/// think(&mut any.search)?;
/// boxed.search.run(Budget::millis(5))?;
/// # Ok::<(), SearchError>(())
/// ```
#[must_use = "a search does nothing before `run`"]
pub struct Mcts<S, P = <S as Space>::TreePolicy, R = Uniform, B = <S as Space>::Backprop, E = OneLeaf>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Engine<S, P, R, B>,
{
    pub(crate) trees: E::Trees,
}

impl<S, P, B> Mcts<S, P, Uniform, B>
where
    S: Space<TreePolicy = P, Backprop = B>,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
{
    /// Creates a search of `space`, a state of your game or a wrapper around it, with the default policies of
    /// the space:
    ///
    /// | space | tree policy | backpropagation |
    /// |---|---|---|
    /// | a game, [`Transpositions`](crate::search::Transpositions), [`MirrorImages`](crate::search::MirrorImages) | [`Ucb1`] | [`Solver`](crate::backpropagation::Solver) of [`Average`] |
    /// | [`Sampled`](crate::search::Sampled), [`Planning`](crate::search::Planning) | [`Ucb1`] | [`Average`] |
    /// | [`InformationSet`](crate::search::InformationSet), [`ObservedMoves`](crate::search::ObservedMoves), [`OpenLoop`](crate::search::OpenLoop), [`OpenPlanning`](crate::search::OpenPlanning), [`Pomdp`] | [`AvailabilityUcb1`](crate::selection::AvailabilityUcb1) | [`Average`], because nothing can be proven |
    ///
    /// `Mcts<G>` uses these defaults. The other defaults are the robust
    /// child as the root decision, seed 0 and no memory limit. The search allocates nothing until it runs.
    ///
    /// Each default was played against its alternatives; 0.5 is even:
    ///
    /// - **Exploration** by one deviation of the rewards, more among few actions and less among many, and in
    ///   the search of a simulator as its space says. At 10 ms an action on thirteen games, it scores 0.68 in the mean
    ///   against [`Mcts::uct`], the search of the textbooks, and 0.49 ± 0.018 against the best constant of
    ///   each game.
    /// - **Proofs** scored 0.60 on Connect 4, 0.56 on Ultimate Tic-Tac-Toe and 0.50 on Hex 9 against the same
    ///   search without them, at 20 ms (± 0.10).
    /// - **Children** come on the second visit, each is tried once first, and one uniform rollout follows:
    ///   children on the first visit scored 0.45 to 0.52, first-play urgencies 0.44 to 0.51 at equal
    ///   iterations. [Several rollouts](crate::simulation::MultipleRollouts) pay only where the game plays
    ///   them at once (eight in Connect 4: 0.58), and with another constant.
    ///
    /// The chapter `docs/policies.md` leads to the tables.
    pub fn new(space: S) -> Self {
        Mcts { trees: OneTree::new(space) }
    }
}

impl<S: Space> Mcts<S, Ucb1, Uniform, Average> {
    /// Creates a search of `space` with the UCT algorithm of the textbooks: [`Ucb1`] with the constant √2,
    /// uniform rollouts and averaged rewards, without proofs.
    ///
    /// Its run does not compile for spaces whose iterations begin with a guess, such as
    /// [`InformationSet`](crate::search::InformationSet), nor for [`OpenLoop`](crate::search::OpenLoop):
    /// `Ucb1` does not know how often an action was legal.
    ///
    /// **Source:** Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006; the constant: Auer,
    /// Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002, figure 1.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let mut search = Mcts::uct(ramure_games::Connect4::new());
    /// let report = search.run(Budget::iterations(1_000))?;
    /// assert_eq!(report.root_visits, 1_000); // no proof ends the run before
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn uct(space: S) -> Self {
        Mcts::new(space).tree_policy(Ucb1::new(SQRT_2)).backprop(Average)
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Mcts<S, P, R, B> {
    /// Sets the tree policy and starts a new tree. \[Default: that of the [space](Self::new)\]
    pub fn tree_policy<Q: TreePolicy<S::Game>>(self, tree_policy: Q) -> Mcts<S, Q, R, B> {
        Mcts { trees: self.trees.with(|_, rollout_policy, backprop| (tree_policy, rollout_policy, backprop)) }
    }

    /// Sets the rollout policy and starts a new tree. \[Default: [`Uniform`]\]
    pub fn rollout_policy<Q: RolloutPolicy<S::Game>>(self, rollout_policy: Q) -> Mcts<S, P, Q, B> {
        Mcts { trees: self.trees.with(|tree_policy, _, backprop| (tree_policy, rollout_policy, backprop)) }
    }

    /// Sets the backpropagation and starts a new tree. \[Default: that of the [space](Self::new)\]
    pub fn backprop<Q: Backprop<S::Game>>(self, backprop: Q) -> Mcts<S, P, R, Q> {
        Mcts {
            trees: self.trees.with(|tree_policy, rollout_policy, _| (tree_policy, rollout_policy, backprop)),
        }
    }
}

impl<S, P, R, B, E> Mcts<S, P, R, B, E>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Engine<S, P, R, B>,
{
    /// Sets when nodes get children, how many, and in which order. Changing the order starts a new tree.
    /// Pending iterations are finished first. Progressive widening is an error of the run if each player has
    /// a tree.
    /// \[Default: all children on the second visit, in a random order\]
    pub fn expansion(mut self, expansion: Expansion) -> Self {
        self.trees.set_expansion(expansion);
        self
    }

    /// Sets how the action to play is chosen at the end. \[Default: the tree policy's own
    /// [decision](TreePolicy::decide), or else [`RootDecision::Robust`]; see [`PlayerTrees`] for games in
    /// which the players choose at the same time\]
    ///
    /// [`PlayerTrees`]: crate::search::PlayerTrees
    pub fn root_decision(mut self, decision: RootDecision) -> Self {
        self.trees.set_root_decision(Some(decision));
        self
    }

    /// Sets which actions the search considers at its root, and how often at least, until the root changes.
    /// With a tree for each player, they are actions of the player whom the
    /// [report](crate::search::PlayerTrees#reports) is about. A run or a report returns
    /// [`SearchError::IllegalAction`] if one of them is not legal, [`SearchError::NoActionLeft`] if none is
    /// left, and [`SearchError::ChanceToMove`] at a chance node. \[Default: all actions; see
    /// [`RootActions`]\]
    pub fn root_actions(mut self, actions: RootActions<ActionOf<S>>) -> Self
    where
        E::Trees: Advance<S>,
    {
        self.trees.set_root_actions(actions);
        self
    }

    /// Sets the most memory that the tree may take, or all trees together. \[Default: no limit\]
    ///
    /// At the limit, the least visited nodes lose their children and the search goes on. This frees half of
    /// the tree, a little at a time; [`Report::recycled_nodes`](crate::Report::recycled_nodes) says
    /// how many nodes were freed. A limit below what the tree already takes stops its growth but returns
    /// nothing to the system. The limit does not count what actions own on the heap, such as the text of a
    /// `String`.
    ///
    /// A run returns [`SearchError::MemoryLimit`] if the root and its children do not fit. If each player has a
    /// tree, the trees get equal shares. A tree that takes more already, from before the
    /// limit was set, keeps it until it is empty, and the others share the rest.
    pub fn memory_limit(mut self, limit: Bytes) -> Self {
        self.trees.set_memory_limit(limit.0);
        self
    }

    /// Sets the seed of all randomness. With a budget of iterations, the same seed gives the same result, to
    /// the bit, on every platform. \[Default: 0\]
    pub fn seed(mut self, seed: u64) -> Self {
        self.trees.set_seed(seed);
        self
    }

    /// Gives the states that the game had before the root state, in any order and in place of those given
    /// before, and empties the tree. In a search that [recognises positions](crate::search::Transpositions),
    /// a line of play that returns to one of them is a repetition. [`advance`](Self::advance) adds the states
    /// that it leaves, so you need this only if the search starts in the middle of a game. \[Default: none\]
    ///
    /// ```
    /// use ramure::Keyed;
    /// use ramure::prelude::*;
    /// use ramure::search::Transpositions;
    ///
    /// /// A walk between two rooms. In each, the player may leave: for .6 from room 0, and for .5 from room 1.
    /// #[derive(Clone, Debug)]
    /// struct Walk { room: u8, left: bool }
    ///
    /// impl GameState for Walk {
    ///     type Action = &'static str;
    ///     fn players(&self) -> u8 { 1 }
    ///     fn turn(&self) -> Turn { if self.left { Turn::Over } else { Turn::Player(0) } }
    ///     fn actions(&self) -> impl IntoIterator<Item = &'static str> { ["walk", "leave"].into_iter().filter(|_| !self.left) }
    ///     fn apply(&mut self, action: &'static str) {
    ///         if action == "walk" { self.room = 1 - self.room } else { self.left = true }
    ///     }
    ///     fn reward(&self, _: Player) -> f64 { if self.room == 0 { 0.6 } else { 0.5 } }
    /// }
    /// impl Keyed for Walk {
    ///     fn key(&self) -> u128 { self.room.into() }
    /// }
    ///
    /// let at = |room| Walk { room, left: false };
    /// let mut search = Mcts::new(Transpositions::new(at(1)));
    /// search.set_earlier_states([at(0)]);
    /// assert_eq!(search.run(Budget::iterations(500))?.best_action(), "leave"); // going back to room 0 leads nowhere
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn set_earlier_states(&mut self, states: impl IntoIterator<Item = S::Real>) {
        const {
            assert!(
                <E::Trees as Trees<S, P, R>>::Space::ARE_POSITIONS,
                "only a search of `Transpositions` or `MirrorImages` recognises positions"
            )
        };
        let positions = states.into_iter().filter_map(|state| S::position(S::of(state, 0).root()));
        let mut keys: Vec<_> = positions.map(|(key, _)| key).collect();
        keys.sort_unstable();
        keys.dedup();
        self.trees.clear();
        self.trees.each(|tree| tree.earlier.clone_from(&keys));
    }

    /// Returns the root state of the search: a state of your game. With a tree for each player, it is the
    /// state after all actions that were played, also in the middle of a step of simultaneous moves.
    pub fn state(&self) -> &S::Real {
        S::real(self.trees.space().root())
    }

    /// Returns what is searched: the root state itself, or the wrapper around it.
    pub fn space(&self) -> &S {
        self.trees.space()
    }

    /// Returns the tree policy. If each player has a tree, it is that of the first.
    pub fn tree_policy_ref(&self) -> &P {
        &self.trees.first().tree_policy
    }

    /// Returns the rollout policy, including what it has learned. If each player has a tree, it is that of the
    /// first.
    pub fn rollout_policy_ref(&self) -> &R {
        &self.trees.first().rollout_policy
    }

    /// Returns a handle that stops the runs of this search, from another thread or from a Ctrl-C handler: the
    /// run that is going on, or else the next one. It works for any number of runs; see [`StopHandle`].
    pub fn stop_handle(&self) -> StopHandle {
        self.trees.first().stop.taken_now()
    }

    /// Plays `action`: the state that follows becomes the root.
    ///
    /// The subtree of `action` is kept. The rest of the tree is freed for reuse by this tree. This takes at
    /// most a millisecond or two; if the tree is large, the following iterations free what is left. In a
    /// [graph](crate::search::Transpositions) with proofs it can take time in proportion to the graph.
    ///
    /// To take an action back later, keep a [clone](Self::clone) of the search from before it.
    ///
    /// Pending iterations of a [window](Mcts::window) are [finished](Mcts::finish) first. With a tree for
    /// each player, see [`PlayerTrees`](crate::search::PlayerTrees#moving-the-root).
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::IllegalAction`] if the action is not legal in the root state,
    /// [`SearchError::GameOver`] if the game is over, [`SearchError::Game`] if the root state names a player
    /// that the game does not have, [`SearchError::Failed`] if the game [fails](crate::fail), and the errors
    /// of [`finish`](Mcts::finish). After an error, or a panic of the game, the root is unchanged.
    pub fn advance(&mut self, action: ActionOf<S>) -> Result<(), SearchError>
    where
        E::Trees: Advance<S>,
    {
        take_failure(); // of a call outside of searches
        self.trees.advance(action, None)
    }

    /// Plays `action` and replaces what is searched by `space`, the state that followed or the wrapper around
    /// it. The subtree of `action` is kept, as by [`advance`](Self::advance).
    ///
    /// Use this where the search cannot play the action itself: the root state of an
    /// [`InformationSet`](crate::search::InformationSet) is a guess, in which the action of another player
    /// need not be legal, or chance decides what follows. The search does not check that `space` follows from
    /// `action`.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Failed`] if the game [fails](crate::fail), and the errors of
    /// [`finish`](Mcts::finish). After an error, or a panic of the game, the root is unchanged.
    pub fn advance_to(&mut self, action: ActionOf<S>, space: S) -> Result<(), SearchError>
    where
        E::Trees: Advance<S>,
    {
        take_failure(); // of a call outside of searches
        self.trees.advance(action, Some(space))
    }

    /// Replaces what is searched by `space` and empties the tree and the list of [earlier
    /// states](Self::set_earlier_states). What the policies have learned outside of the tree is kept. The scale
    /// of the rewards, which [`Exploration::deviations`](crate::selection::Exploration::deviations) measures,
    /// is forgotten. Pending iterations are dropped.
    pub fn reset(&mut self, space: S) {
        self.trees.reset(space);
    }

    /// Returns the number of bytes that the trees take from the system.
    pub fn memory_usage(&self) -> Bytes {
        Bytes(self.trees.bytes())
    }

    /// Returns a read-only view of the tree, to walk through or to draw.
    pub fn tree(&self) -> TreeView<'_, S, P, R, <E::Trees as Trees<S, P, R>>::Backprop>
    where
        E::Trees: View<S, P, R>,
    {
        TreeView::new(self.trees.first())
    }

    /// Searches within `budget` and returns a report. The run continues with the tree of earlier runs.
    ///
    /// Makes at least one iteration, unless the root is already proven.
    ///
    /// # Errors
    ///
    /// Returns a [`SearchError`] if
    ///
    /// - the game is over,
    /// - the budget is empty, or the settings of the search do not work with it or with each other,
    /// - a parameter is out of range,
    /// - the memory limit leaves no room for the root's children,
    /// - the root has as many visits as a node can count, or
    /// - the game, an evaluation or a policy breaks its contract or [fails](crate::fail).
    ///
    /// In the last case the iterations before the error stay in the tree: [`report`](Self::report) includes
    /// them, and the search can go on.
    pub fn run(&mut self, budget: Budget) -> Result<Report<ActionOf<S>>, SearchError>
    where
        E::Trees: Run<S>,
    {
        self.run_with(budget, Every::Iterations(u64::MAX), &mut |_| {})
    }

    /// Searches as [`run`](Self::run) does and shows `observer` a report at intervals, for progress bars and
    /// live displays. Write `&mut` before a closure: without it, the compiler asks for the type of its
    /// argument (E0282).
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::Every;
    /// use std::time::Duration;
    /// let mut search = Mcts::new(ramure_games::Connect4::new());
    /// search.run_with(Budget::iterations(1_000), Every::Iterations(250), &mut |report| {
    ///     println!("{} iterations: {:?}", report.iterations, report.best_action());
    /// })?;
    /// search.run_with(Budget::millis(50), Every::Time(Duration::from_millis(10)), &mut |report| {
    ///     println!("{:?}: {:?}", report.time, report.best_action());
    /// })?;
    /// # Ok::<(), SearchError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run).
    pub fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError>
    where
        E::Trees: Run<S>,
    {
        self.trees.run(budget, every, observer)
    }

    /// Reports on the current tree, without searching. Between [`ask`](Mcts::ask) and [`tell`](Mcts::tell),
    /// see [`Window`](crate::search::Window#asking).
    ///
    /// # Errors
    ///
    /// Returns a [`SearchError`] if the game is over, if the root state breaks the contract of [`GameState`]
    /// or fails, or if the settings of the search are invalid.
    pub fn report(&self) -> Result<Report<ActionOf<S>>, SearchError>
    where
        E::Trees: Run<S>,
    {
        self.trees.report()
    }

    /// Returns what was found about the actions after `line`, which starts at the root: the children that the
    /// tree stores there, in the order in which they were created.
    ///
    /// Means and proofs are those of the player to move there, or, at a chance node, of the player who acted
    /// before. The result is empty if the tree does not reach that far or `line` is not legal.
    ///
    /// Use this to walk through the tree of any search, including a boxed one. If you know the type of the
    /// search, [`tree`](Mcts::tree) shows more.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let mut search = Mcts::new(ramure_games::Connect4::new());
    /// let best = search.run(Budget::iterations(1_000))?.best_action();
    /// let replies = search.actions_after(&[best]);
    /// assert!(replies.iter().map(|reply| reply.visits).sum::<u32>() < 1_000);
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>>
    where
        E::Trees: Run<S>,
    {
        self.trees.actions_after(line)
    }
}

impl<S, P, R, B, E> Clone for Mcts<S, P, R, B, E>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Engine<S, P, R, B, Trees: Clone>,
{
    /// Clones the search with its trees, its settings and what its policies have learned. The clone goes on
    /// to the bit as the original would, and changes nothing in it. The policies must be `Clone`.
    ///
    /// The clone takes as many bytes as the original ([`memory_usage`](Self::memory_usage)), without the
    /// [kept states](crate::GameState::KEEPS_STATES) of nodes: at a memory limit the two may then part. Each
    /// of the two has the whole memory limit for itself. The clone has a [stop handle](Self::stop_handle) of
    /// its own. In the clone of a search with a [window](Mcts::window), pending iterations are
    /// [finished](Mcts::finish): the answers to questions that are open belong to the original.
    ///
    /// A clone from before an action takes the action back:
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let mut search = Mcts::new(ramure_games::Connect4::new());
    /// let report = search.run(Budget::iterations(1_000))?;
    ///
    /// let before = search.clone();
    /// search.advance(report.best_action())?;
    /// search.run(Budget::iterations(1_000))?;
    ///
    /// search = before; // the action is taken back, and nothing is lost of the tree above it
    /// assert_eq!(search.report()?.root_visits, report.root_visits);
    /// # Ok::<(), SearchError>(())
    /// ```
    fn clone(&self) -> Self {
        let mut trees = self.trees.clone();
        trees.each(|tree| tree.stop = StopHandle::default());
        Mcts { trees }
    }
}

impl<S, P, R, B, E> Search for Mcts<S, P, R, B, E>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Engine<S, P, R, B, Trees: Run<S> + Advance<S>>,
{
    search_by_methods_of!(Self, S);

    fn continue_at(&mut self, space: S) {
        let mut earlier = self.trees.first().earlier.clone();
        if let Some((left, _)) = S::position(self.trees.space().root())
            && let Err(place) = earlier.binary_search(&left)
        {
            earlier.insert(place, left);
        }
        self.trees.reset(space);
        self.trees.each(|tree| tree.earlier.clone_from(&earlier));
    }

    fn set_seed(&mut self, seed: u64) {
        self.trees.set_seed(seed);
    }
    fn set_memory_limit(&mut self, limit: Bytes) {
        self.trees.set_memory_limit(limit.0);
    }
    fn set_expansion(&mut self, expansion: Expansion) {
        self.trees.set_expansion(expansion);
    }
    fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        self.trees.set_root_decision(decision);
    }
    fn set_root_actions(&mut self, actions: RootActions<ActionOf<S>>) {
        self.trees.set_root_actions(actions);
    }
}

impl<S, P, R, B, E> fmt::Debug for Mcts<S, P, R, B, E>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Engine<S, P, R, B, Trees: fmt::Debug>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.trees.fmt(f)
    }
}

/// Returns the action that a default search, [`Mcts::new`], chooses within `budget`. The search uses the whole
/// budget, because a late proof may change the choice; [`Budget::or_decided`] ends it sooner.
///
/// ```
/// use ramure::prelude::*;
/// let action = ramure::best_action(&ramure_games::Connect4::new(), Budget::iterations(1_000))?;
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

impl<M, P, R, B, E> Mcts<Pomdp<M>, P, R, B, E>
where
    M: PartiallyObserved,
    P: TreePolicy<Believed<M>>,
    B: Backprop<Believed<M>>,
    E: Engine<Pomdp<M>, P, R, B>,
{
    /// Tells the search what the planner has done, and what it observed then: the belief becomes that of the
    /// states which [explain](crate::Belief::after) it. The next run starts a new tree.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Belief`] if no state of the belief explains the observation, or if the belief
    /// cannot be filtered; [`SearchError::IllegalAction`] if the action is not legal; and
    /// [`SearchError::GameOver`] if the process is over. After an error, belief and tree are unchanged.
    pub fn observe(
        &mut self,
        action: impl Into<HistoryStep<M::Action, M::Observation>>,
        observation: M::Observation,
    ) -> Result<(), SearchError>
    where
        E::Trees: Advance<Pomdp<M>>,
    {
        let (step, space) = (action.into(), self.space());
        let next = SearchError::asking(|| {
            if space.root().turn() == Turn::Over {
                return Err(SearchError::GameOver);
            }
            let is_legal = |state: &M| state.actions().into_iter().any(|legal| legal == step.action);
            if step.observation.is_some() || !space.belief().particles().any(|(state, _)| is_legal(state)) {
                return Err(SearchError::illegal(&step));
            }
            Ok(space.after(&step.action, &observation)?)
        })?;
        self.advance_to(step, next)
    }
}
