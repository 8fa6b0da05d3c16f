//! A game with all abilities, whatever it can do, and with what its searches must note: so that the policies that texts name
//! are one type each, for every game.

use super::abilities::Abilities;
use core::marker::PhantomData;
use ramure::game::{ActionIndex, GameState, Player, Rng, StaticEvaluation, Turn};

/// The game `G`, of which a registry was told `A`.
pub(super) struct Able<G, A> {
    pub game: G,
    wish: Wish,
    abilities: PhantomData<fn() -> A>,
}

/// What those who take part in a search must know of each iteration: some bits, which go with every state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Wish(u16);

/// What a trace notes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Noted(u16);

impl Noted {
    pub const NOTHING: Self = Noted(0);
    /// The actions of the players.
    pub const HISTORY: Self = Noted(1);
    /// And that each has a number.
    pub const NUMBERED: Self = Noted(1 | 2);
    /// When each action was last played.
    pub const LAST: Self = Noted(4);
    /// What could have been played.
    pub const ALTERNATIVES: Self = Noted(8);
    const BITS: u16 = 4;

    /// Both.
    pub const fn and(self, other: Self) -> Self {
        Noted(self.0 | other.0)
    }

    /// Whether all of `what` is noted.
    #[inline(always)]
    pub fn has(self, what: Self) -> bool {
        self.0 & what.0 == what.0
    }

    /// Whether there is anything to note.
    #[inline(always)]
    pub fn anything(self) -> bool {
        self != Self::NOTHING
    }
}

impl Wish {
    /// For the tree policy and its statistics, for the rollout policy, and whether somebody asks how many actions there were.
    pub fn new(tree_policy: Noted, rollout_policy: Noted, length: bool) -> Self {
        Wish(tree_policy.0 | rollout_policy.0 << Noted::BITS | u16::from(length) << (2 * Noted::BITS))
    }

    /// What is to be noted for the tree policy, or else for the rollout policy.
    #[inline(always)]
    pub fn noted(self, for_rollouts: bool) -> Noted {
        Noted(self.0 >> (Noted::BITS * u16::from(for_rollouts)) & ((1 << Noted::BITS) - 1))
    }

    /// Whether somebody must see every action, so that rollouts take no shortcut.
    #[inline(always)]
    fn sees_all(self) -> bool {
        self != Wish::default()
    }
}

/// A game with all abilities, which knows what is to be noted.
pub(super) trait Full: StaticEvaluation + ActionIndex + 'static {
    /// What traces are to note.
    fn wish(&self) -> Wish;
}

impl<G, A> Able<G, A> {
    pub fn new(game: G, wish: Wish) -> Self {
        Able { game, wish, abilities: PhantomData }
    }
}

impl<G: Clone, A> Clone for Able<G, A> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Able::new(self.game.clone(), self.wish)
    }
    #[inline(always)]
    fn clone_from(&mut self, source: &Self) {
        self.game.clone_from(&source.game);
        self.wish = source.wish;
    }
}

impl<G: GameState, A> GameState for Able<G, A> {
    type Action = G::Action;

    #[inline(always)]
    fn turn(&self) -> Turn {
        self.game.turn()
    }
    #[inline(always)]
    fn actions(&self) -> impl IntoIterator<Item = G::Action> {
        self.game.actions()
    }
    #[inline(always)]
    fn apply(&mut self, action: G::Action) {
        self.game.apply(action);
    }
    #[inline(always)]
    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
    #[inline(always)]
    fn players(&self) -> u8 {
        self.game.players()
    }
    #[inline(always)]
    fn weight(&self, outcome: G::Action) -> f64 {
        self.game.weight(outcome)
    }
    #[inline(always)]
    fn random_action(&self, rng: &mut Rng) -> Option<G::Action> {
        self.game.random_action(rng)
    }
    #[inline(always)]
    fn random_rollout(&mut self, rng: &mut Rng) {
        if !self.wish.sees_all() {
            self.game.random_rollout(rng);
        }
    }
    #[inline(always)]
    fn is_legal(&self, action: G::Action) -> bool {
        self.game.is_legal(action)
    }
}

impl<G: GameState, A: Abilities<G>> StaticEvaluation for Able<G, A> {
    #[inline(always)]
    fn evaluate(&self, player: Player) -> f64 {
        A::evaluate(&self.game, player)
    }
}

impl<G: GameState, A: Abilities<G>> ActionIndex for Able<G, A> {
    const ACTION_COUNT: usize = A::COUNT;

    #[inline(always)]
    fn action_index(action: G::Action) -> usize {
        A::index(action)
    }
}

impl<G: GameState + 'static, A: Abilities<G>> Full for Able<G, A> {
    #[inline(always)]
    fn wish(&self) -> Wish {
        self.wish
    }
}
