//! What a registry was told that its game can do, as types: so that only those loops are compiled that the game needs.

use core::marker::PhantomData;
use ramure::game::{ActionIndex, GameState, Player, StaticEvaluation};

/// What a [`Registry`](super::Registry) was told of its game: [`Rules`], and around it [`WithEvaluation`] and [`WithNumbers`].
/// Only this crate implements it.
pub trait Abilities<G: GameState>: Sealed<G> {}

impl<G: GameState, A: Sealed<G>> Abilities<G> for A {}

/// The rules of the game, and nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

/// What `A` says, and a [`StaticEvaluation`].
#[derive(Clone, Copy, Debug)]
pub struct WithEvaluation<A = Rules>(PhantomData<A>);

/// What `A` says, and an [`ActionIndex`].
#[derive(Clone, Copy, Debug)]
pub struct WithNumbers<A = Rules>(PhantomData<A>);

/// What the abilities do. What a game cannot do has an answer here too, for which nobody asks: no word that needs it is known.
pub trait Sealed<G: GameState>: 'static {
    /// Whether there is a static evaluation.
    const EVALUATION: bool;
    /// Whether actions have numbers.
    const NUMBERS: bool;
    /// How many numbers.
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
