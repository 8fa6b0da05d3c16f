//! The [`Space`]s that a search can search, and one wrapper around a game a file. A wrapper says what a node of
//! the tree stands for; what the loop does there is in `iteration/nodes`. The wrapper also names the policies
//! of a search that names none. Uses `game` and the layers of the policies.

mod histories;
pub(crate) mod information_set;
pub(crate) mod observed_moves;
pub(crate) mod open_loop;
pub(crate) mod planning;
pub(crate) mod pomdp;
pub(crate) mod sampled;
pub(crate) mod seat;
pub(crate) mod transpositions;

use crate::backpropagation::{Average, Backprop, Solver};
use crate::custom_error::BoxError;
use crate::game::{GameState, Player, Rewards};
use crate::selection::{TreePolicy, Ucb1};
use crate::simulation::{Evaluator, Position, Uniform, evaluate_by};
use crate::statistics::Statistics;
use sealed::Workings;

/// An action of the tree of a space.
pub type ActionOf<S> = <<S as Space>::Game as GameState>::Action;

/// An action of the real game of a space.
pub(crate) type RealAction<S> = <<S as Space>::Real as GameState>::Action;

/// The meaning of a node of the tree. What the search does where these differ is in `iteration/nodes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nodes {
    /// A line of play.
    Lines,
    /// A position, however it is reached: positions are recognised by their keys.
    Graph,
    /// A line of play in all states that a guess may bring: each iteration begins with a
    /// [guess](Space::guess).
    Guessed,
    /// A line of play whose actions are sampled by `random_action` and `random_outcome`, not listed.
    Sampled,
}

/// The properties that the kind of the nodes decides. These are constants, not functions: a branch on a constant of a trait
/// is chosen before code is generated, so no search compiles what only others do.
pub(crate) trait NodeKind: Space {
    /// Whether a node stands for a position.
    const ARE_POSITIONS: bool = matches!(Self::NODES, Nodes::Graph);

    /// Whether a node stands for all states that a guess may bring.
    const ARE_GUESSED: bool = matches!(Self::NODES, Nodes::Guessed);

    /// Whether the actions of a node are sampled.
    const ARE_SAMPLED: bool = matches!(Self::NODES, Nodes::Sampled);

    /// Whether a node stands for one state, whose actions are listed. Then it can have all children that it
    /// will ever have, and its line can be played again.
    const ARE_EXACT: bool = matches!(Self::NODES, Nodes::Lines | Nodes::Graph);

    /// Whether nodes keep their states: each stands for one state, and the game asks for it.
    const HAVE_STATES: bool = Self::Game::KEEPS_STATES && !Self::ARE_GUESSED;
}
impl<S: Space> NodeKind for S {}

/// A space that a search can search: a game, or a game seen in another way.
///
/// Every [`GameState`] is a space: the tree of its game. [`InformationSet`](crate::search::InformationSet),
/// [`ObservedMoves`](crate::search::ObservedMoves), [`OpenLoop`](crate::search::OpenLoop),
/// [`Sampled`](crate::search::Sampled), [`Transpositions`](crate::search::Transpositions) and
/// [`MirrorImages`](crate::search::MirrorImages) are spaces around a game. They are not games themselves:
/// agents that are not searches would see what an information set hides, so they do not accept one.
///
/// [`Planning`](crate::search::Planning) and [`OpenPlanning`](crate::search::OpenPlanning) are the spaces of a
/// [`Simulator`](crate::Simulator), and [`Pomdp`](crate::search::Pomdp) is that of one whose state the planner
/// does not see.
///
/// You meet this trait in bounds. To search your own game, implement [`GameState`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a game that ramure can search",
    label = "not a game state",
    note = "implement `GameState` for `{Self}`: `type Action` and the four methods `turn`, `actions`, `apply`, `reward`"
)]
pub trait Space: Clone + sealed::Workings<<Self as Space>::Game, <Self as Space>::Real> {
    /// The states that iterations play with. Policies are asked for this game.
    type Game: GameState;

    /// The game that is searched, as you implemented it.
    type Real: GameState;

    /// The tree policy of a [search](crate::Mcts::new) that names none.
    type TreePolicy: TreePolicy<Self::Game, Stats: Statistics<Self::Game, Uniform>> + Default;

    /// The backpropagation of a [search](crate::Mcts::new) that names none.
    type Backprop: Backprop<Self::Game> + Default;

    /// Returns this tree policy. \[Default: its own default\]
    fn tree_policy() -> Self::TreePolicy {
        Default::default()
    }

    /// Creates the space of `state`, for a search that acts as `player`.
    fn of(state: Self::Real, player: Player) -> Self;

    /// Returns the real state that `state` stands for.
    fn real(state: &Self::Game) -> &Self::Real;

    /// Returns the state from which iterations start.
    fn root(&self) -> &Self::Game;

    /// Returns the action of the real game, if `action` is one.
    fn to_real(action: ActionOf<Self>) -> Option<RealAction<Self>>;

    /// Returns what the tree has for an action of the real game at the root.
    fn of_real(&self, action: RealAction<Self>) -> ActionOf<Self>;

    /// Returns the player who observes the guesses, if there are guesses.
    fn observer(&self) -> Option<Player> {
        None
    }
}

/// Seals [`Space`]: every game is one, and the wrappers of this crate.
pub(crate) mod sealed {
    use crate::game::{GameFault, GameState, Player, Rng};
    use crate::parameter::ParameterError;
    use crate::space::Nodes;

    /// What the search asks of a space whose iterations play with states `G`, and which stands for the game `R`.
    pub trait Workings<G: GameState, R: GameState>: Clone {
        /// The meaning of a node of the tree.
        const NODES: Nodes;

        /// Whether the outcomes of chance are no nodes of the tree.
        const SKIPS_CHANCE: bool = false;

        /// Whether each player has a tree of its own.
        const HAS_PLAYER_TREES: bool = false;

        /// Whether actions are what one player sees of them.
        const IS_OBSERVED: bool = false;

        /// Whether iterations change the orientation of the state, so that actions cannot be numbered.
        const IS_MIRRORED: bool = false;

        /// The widening of sampled outcomes by default: scale and exponent.
        const OUTCOME_WIDENING: (f64, f64) = (1.0, 0.5);

        /// Whether this is a simulator: its returns have a scale of their own, and to play an action draws what
        /// follows.
        const IS_SIMULATED: bool = false;

        /// Checks the settings of the space.
        fn check(&self) -> Result<(), ParameterError> {
            Ok(())
        }

        /// Says what is wrong with `state` in the terms of this space.
        fn fault(state: &G, fault: GameFault) -> GameFault {
            let _ = state;
            fault
        }

        /// Widens the scale of the rewards so that the return `value` fits, if this space can. Returns the factor
        /// by which distances from 1/2 shrink. `is_first` says that there are no rewards yet.
        fn rescale(&mut self, value: f64, is_first: bool) -> Option<f32> {
            let _ = (value, is_first);
            None
        }

        /// Returns the space as it was before [`rescale`](Self::rescale) and [`set_rng`](Self::set_rng).
        #[must_use]
        fn unscaled(&self) -> Self {
            self.clone()
        }

        /// Sets the generator that [`play`](Self::play) draws from.
        fn set_rng(&mut self, rng: Rng) {
            let _ = rng;
        }

        /// Returns a mean in the units of the user.
        fn in_units(&self, mean: f32) -> f32 {
            mean
        }

        /// Sets the root state.
        fn set_root(&mut self, root: G);

        /// Plays `action` at the root, outside of iterations.
        fn play(&mut self, action: G::Action);

        /// Returns whether [`play`](Self::play) plays `action` and nothing else.
        fn can_play(&self, root: &G, action: G::Action) -> bool {
            root.is_legal(action)
        }

        /// Replaces what is hidden in `state`, a copy of the root state.
        #[inline(always)]
        fn guess(&self, state: &mut G, rng: &mut Rng) -> Result<(), GameFault> {
            let _ = (state, rng);
            Ok(())
        }

        /// Called when a search begins a tree, so that nothing of an earlier one is known.
        fn begin_tree(&mut self) {}

        /// Called where an iteration with a guess comes to a node of the tree that has children, or gets them: may
        /// replace what is hidden.
        #[inline(always)]
        fn settle(&self, state: &mut G) {
            let _ = state;
        }

        /// Returns what `observer` sees of `action`; see
        /// [`HiddenInformation::observe`](crate::HiddenInformation::observe).
        #[inline(always)]
        fn seen(state: &G, action: G::Action, observer: Player) -> Option<G::Action> {
            let _ = (state, observer);
            Some(action)
        }

        /// Calls `tell` with what `player` knows and others may not; see
        /// [`HiddenInformation::private_knowledge`](crate::HiddenInformation::private_knowledge).
        #[inline(always)]
        fn known(state: &G, player: Player, tell: &mut impl FnMut(G::Action)) {
            let _ = (state, player, tell);
        }

        /// Returns the key of this position, and the transformation that turns it into the state that the tree
        /// stores: 0 for none. Returns `None` if positions are not recognised.
        #[inline(always)]
        fn position(state: &G) -> Option<(u128, u32)> {
            let _ = state;
            None
        }

        /// Transforms a state as [`position`](Self::position) says.
        #[inline(always)]
        fn transform(state: &mut G, transformation: u32) {
            let _ = (state, transformation);
        }

        /// Returns `action` as the tree stores it, where [`position`](Self::position) names the transformation.
        #[inline(always)]
        fn stored(state: &G, action: G::Action, transformation: u32) -> G::Action {
            let _ = (state, transformation);
            action
        }

        /// Returns the reward of `player` if this position occurs for the second time on a path.
        fn repeated(state: &G, player: Player) -> f64 {
            let _ = (state, player);
            0.5
        }
    }
}

impl<G: GameState> Space for G {
    type Game = G;
    type Real = G;
    type TreePolicy = Ucb1;
    type Backprop = Solver<Average>;

    fn of(state: G, _: Player) -> G {
        state
    }
    fn real(state: &G) -> &G {
        state
    }
    #[inline(always)]
    fn root(&self) -> &G {
        self
    }
    fn to_real(action: G::Action) -> Option<G::Action> {
        Some(action)
    }
    fn of_real(&self, action: G::Action) -> G::Action {
        action
    }
}

impl<G: GameState> Workings<G, G> for G {
    const NODES: Nodes = Nodes::Lines;

    fn set_root(&mut self, root: G) {
        *self = root;
    }
    fn play(&mut self, action: G::Action) {
        self.apply(action);
    }
}

/// Implements what spaces have in common whose iterations play with the states of the game `G` itself, in the
/// field `state`.
macro_rules! plays_with_the_game {
    () => {
        type Game = G;
        type Real = G;

        fn real(state: &G) -> &G {
            state
        }
        #[inline(always)]
        fn root(&self) -> &G {
            &self.state
        }
        fn to_real(action: G::Action) -> Option<G::Action> {
            Some(action)
        }
        fn of_real(&self, action: G::Action) -> G::Action {
            action
        }
    };
}

/// Implements the workings of such spaces.
macro_rules! works_with_the_game {
    () => {
        fn set_root(&mut self, root: G) {
            self.state = root;
        }
        fn play(&mut self, action: G::Action) {
            self.state.apply(action);
        }
    };
}

/// Evaluates the positions of a space by an evaluator of the real game. Priors are not used: no search of such
/// a space reads them.
pub(crate) fn evaluate_real<S: Space, E: Evaluator<S::Real>>(
    evaluator: &E,
    batch: &mut [Position<'_, S::Game>],
) {
    let real = |position: &Position<'_, S::Game>| {
        Vec::from_iter(position.actions.iter().cloned().filter_map(S::to_real))
    };
    let actions: Vec<_> = batch.iter().map(real).collect();
    let positions = batch.iter().zip(&actions);
    let mut positions: Vec<_> =
        positions.map(|(position, actions)| Position::new(S::real(position.state), actions)).collect();
    evaluate_by(|batch| evaluator.evaluate(batch), &mut positions);
    for (position, evaluated) in batch.iter_mut().zip(positions) {
        position.value = evaluated.value;
    }
}

/// Evaluates one position as [`evaluate_real`] does several.
pub(crate) fn evaluate_one_real<S: Space, E: Evaluator<S::Real>>(
    evaluator: &E,
    state: &S::Game,
    actions: &[ActionOf<S>],
) -> Result<Rewards, BoxError> {
    let actions = Vec::from_iter(actions.iter().cloned().filter_map(S::to_real));
    evaluator.evaluate_one(S::real(state), &actions, &mut vec![1.0; actions.len()])
}

/// Lets an evaluator of the real game `G` evaluate the states with which the iterations of a space play.
macro_rules! evaluates_the_real_state {
    ($bound:ident, $game:ty, $space:ty) => {
        impl<G: $bound, E: $crate::simulation::Evaluator<G>> $crate::simulation::Evaluator<$game>
            for $crate::simulation::ForGame<E, G>
        {
            fn evaluate(
                &self,
                batch: &mut [$crate::simulation::Position<'_, $game>],
            ) -> Result<(), $crate::BoxError> {
                $crate::space::evaluate_real::<$space, E>(&self.evaluator, batch);
                Ok(())
            }
            fn evaluate_one(
                &self,
                state: &$game,
                actions: &[<$game as GameState>::Action],
                _: &mut [f32],
            ) -> Result<$crate::game::Rewards, $crate::BoxError> {
                $crate::space::evaluate_one_real::<$space, E>(&self.evaluator, state, actions)
            }
        }
    };
}

use {evaluates_the_real_state, plays_with_the_game, works_with_the_game};
