//! The abilities of a game that were declared to a registry, as types, so that only the loops that the game
//! needs are compiled. Keys and symmetries are not among them: `graph` has loops of its own, and a registry
//! stores functions that create these.

use core::marker::PhantomData;
use ramure::{ActionIndex, GameState, Player, StaticEvaluation};

/// The abilities declared to a [`Registry`](super::Registry): [`Rules`], wrapped in [`WithEvaluation`] and
/// [`WithNumbers`]. Only this crate implements this trait.
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

/// The functions of the abilities. Functions of abilities that the game lacks return a dummy value. They are
/// never called, because the words that need them are left out.
pub trait Sealed<G: GameState>: Clone + 'static {
    /// Whether the game has a static evaluation.
    const EVALUATION: bool;
    /// Whether the actions have numbers.
    const NUMBERS: bool;
    /// The number of action indices.
    const COUNT: usize;

    fn evaluate(state: &G, player: Player) -> f64;

    fn index(action: G::Action) -> usize;
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
}
