//! The abilities of a game that were declared to a registry, as types, so that only the loops that the game needs are
//! compiled.

use super::graph::{Graph, GraphOf};
use core::marker::PhantomData;
use ramure::game::{ActionIndex, GameState, Keyed, Player, StaticEvaluation, Symmetric};
use ramure::search::{MirrorImages, Search, Transpositions};

/// The abilities declared to a [`Registry`](super::Registry): [`Rules`], wrapped in [`WithEvaluation`],
/// [`WithNumbers`], [`WithKeys`] and [`WithMirrorImages`]. Only this crate implements this trait.
pub trait Abilities<G: GameState>: Sealed<G> {}

impl<G: GameState, A: Sealed<G>> Abilities<G> for A {}

/// The rules of the game, and no other ability.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

/// The abilities `A` and a [`StaticEvaluation`].
#[derive(Clone, Copy, Debug)]
pub struct WithEvaluation<A = Rules>(PhantomData<A>);

/// The abilities `A` and an [`ActionIndex`].
#[derive(Clone, Copy, Debug)]
pub struct WithNumbers<A = Rules>(PhantomData<A>);

/// The abilities `A` and a [`Keyed`].
#[derive(Clone, Copy, Debug)]
pub struct WithKeys<A = Rules>(PhantomData<A>);

/// The abilities `A`, a [`Keyed`] and a [`Symmetric`].
#[derive(Clone, Copy, Debug)]
pub struct WithMirrorImages<A = Rules>(PhantomData<A>);

/// The functions of the abilities. Functions of abilities that the game lacks return a dummy value. They are never
/// called, because the words that need them are left out.
pub trait Sealed<G: GameState>: 'static {
    /// Whether the game has a static evaluation.
    const EVALUATION: bool;
    /// Whether the actions have numbers.
    const NUMBERS: bool;
    /// The number of action indices.
    const COUNT: usize;

    fn evaluate(state: &G, player: Player) -> f64;

    fn index(action: G::Action) -> usize;

    /// Whether positions have keys.
    const KEYS: bool = false;
    /// Whether the game declares its symmetries, besides the keys.
    const MIRROR_IMAGES: bool = false;

    /// Creates a search that shares positions; `None` if the game lacks an ability. The loops of such searches are compiled here, and so only
    /// for games with keys.
    fn graph(graph: &Graph, state: G) -> Option<Box<dyn Search<Game = G> + Send>>
    where
        G: GameState<Action: Send + Sync> + Send + Sync + 'static,
    {
        let _ = (graph, state);
        None
    }
}

impl<G: GameState> Sealed<G> for Rules {
    const EVALUATION: bool = false;
    const NUMBERS: bool = false;
    const COUNT: usize = 0;

    fn evaluate(_: &G, _: Player) -> f64 {
        0.5
    }
    fn index(_: G::Action) -> usize {
        0
    }
}

impl<G: StaticEvaluation, A: Sealed<G>> Sealed<G> for WithEvaluation<A> {
    const EVALUATION: bool = true;
    const NUMBERS: bool = A::NUMBERS;
    const COUNT: usize = A::COUNT;

    #[inline(always)]
    fn evaluate(state: &G, player: Player) -> f64 {
        state.evaluate(player)
    }
    #[inline(always)]
    fn index(action: G::Action) -> usize {
        A::index(action)
    }
    const KEYS: bool = A::KEYS;
    const MIRROR_IMAGES: bool = A::MIRROR_IMAGES;

    fn graph(graph: &Graph, state: G) -> Option<Box<dyn Search<Game = G> + Send>>
    where
        G: GameState<Action: Send + Sync> + Send + Sync + 'static,
    {
        A::graph(graph, state)
    }
}

impl<G: ActionIndex, A: Sealed<G>> Sealed<G> for WithNumbers<A> {
    const EVALUATION: bool = A::EVALUATION;
    const NUMBERS: bool = true;
    const COUNT: usize = G::ACTION_COUNT;

    #[inline(always)]
    fn evaluate(state: &G, player: Player) -> f64 {
        A::evaluate(state, player)
    }
    #[inline(always)]
    fn index(action: G::Action) -> usize {
        G::action_index(action)
    }
    const KEYS: bool = A::KEYS;
    const MIRROR_IMAGES: bool = A::MIRROR_IMAGES;

    fn graph(graph: &Graph, state: G) -> Option<Box<dyn Search<Game = G> + Send>>
    where
        G: GameState<Action: Send + Sync> + Send + Sync + 'static,
    {
        A::graph(graph, state)
    }
}

impl<G: Keyed, A: Sealed<G>> Sealed<G> for WithKeys<A> {
    const EVALUATION: bool = A::EVALUATION;
    const NUMBERS: bool = A::NUMBERS;
    const COUNT: usize = A::COUNT;

    #[inline(always)]
    fn evaluate(state: &G, player: Player) -> f64 {
        A::evaluate(state, player)
    }
    #[inline(always)]
    fn index(action: G::Action) -> usize {
        A::index(action)
    }

    const KEYS: bool = true;
    const MIRROR_IMAGES: bool = A::MIRROR_IMAGES;

    fn graph(graph: &Graph, state: G) -> Option<Box<dyn Search<Game = G> + Send>>
    where
        G: GameState<Action: Send + Sync> + Send + Sync + 'static,
    {
        match graph.of {
            GraphOf::Positions => Some(graph.search(Transpositions::new(state))),
            GraphOf::MirrorImages => A::graph(graph, state),
        }
    }
}

impl<G: Keyed + Symmetric, A: Sealed<G>> Sealed<G> for WithMirrorImages<A> {
    const EVALUATION: bool = A::EVALUATION;
    const NUMBERS: bool = A::NUMBERS;
    const COUNT: usize = A::COUNT;

    #[inline(always)]
    fn evaluate(state: &G, player: Player) -> f64 {
        A::evaluate(state, player)
    }
    #[inline(always)]
    fn index(action: G::Action) -> usize {
        A::index(action)
    }

    const KEYS: bool = true;
    const MIRROR_IMAGES: bool = true;

    fn graph(graph: &Graph, state: G) -> Option<Box<dyn Search<Game = G> + Send>>
    where
        G: GameState<Action: Send + Sync> + Send + Sync + 'static,
    {
        match graph.of {
            GraphOf::Positions => Some(graph.search(Transpositions::new(state))),
            GraphOf::MirrorImages => Some(graph.search(MirrorImages::new(state))),
        }
    }
}
