//! A game with all abilities, in place of the game itself. It also stores what the traces of a search must
//! record. So each policy that a text can name is one type per game.

use super::abilities::Abilities;
use core::marker::PhantomData;
use ramure::{ActionIndex, GameState, Player, Rewards, Rng, StaticEvaluation, Turn};

/// The game `G`, with the abilities `A` declared to a registry.
pub(super) struct Able<G, A> {
    pub game: G,
    wish: Wish,
    abilities: PhantomData<fn() -> A>,
}

/// The data of each iteration that the parts of a search need: a few bits, which are copied with every state.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Wish(u16);

/// The data that a trace records.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Noted(u16);

impl Noted {
    pub const NOTHING: Self = Noted(0);
    /// The actions of the players.
    pub const HISTORY: Self = Noted(1);
    /// The actions of the players, with their numbers.
    pub const NUMBERED: Self = Noted(1 | 2);
    /// When each action was last played.
    pub const LAST: Self = Noted(4);
    /// The alternatives to the actions played.
    pub const ALTERNATIVES: Self = Noted(8);
    const BITS: u16 = 4;

    /// The union of both.
    pub const fn and(self, other: Self) -> Self {
        Noted(self.0 | other.0)
    }

    /// Returns whether all of `what` is recorded.
    #[inline(always)]
    pub fn has(self, what: Self) -> bool {
        self.0 & what.0 == what.0
    }

    /// Returns whether anything is recorded.
    #[inline(always)]
    pub fn anything(self) -> bool {
        self != Self::NOTHING
    }
}

impl Wish {
    /// The wishes of the tree policy with its statistics and of the rollout policy; `length` says whether the
    /// number of actions is needed.
    pub fn new(tree_policy: Noted, rollout_policy: Noted, length: bool) -> Self {
        Wish(tree_policy.0 | rollout_policy.0 << Noted::BITS | u16::from(length) << (2 * Noted::BITS))
    }

    /// Returns what to record for the tree policy, or for the rollout policy if `for_rollouts` is set.
    #[inline(always)]
    pub fn noted(self, for_rollouts: bool) -> Noted {
        Noted(self.0 >> (Noted::BITS * u16::from(for_rollouts)) & ((1 << Noted::BITS) - 1))
    }

    /// Whether a part must see every action, so that rollouts cannot take a shortcut.
    #[inline(always)]
    fn sees_all(self) -> bool {
        self != Wish::default()
    }
}

/// A game with all abilities, which also stores what to record.
pub(super) trait Full: StaticEvaluation + ActionIndex + 'static {
    /// Returns what the traces record.
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

    const KEEPS_STATES: bool = G::KEEPS_STATES;

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
    fn probability(&self, outcome: G::Action) -> f64 {
        self.game.probability(outcome)
    }
    #[inline(always)]
    fn random_action(&self, rng: &mut Rng) -> Option<G::Action> {
        self.game.random_action(rng)
    }
    #[inline(always)]
    fn random_outcome(&self, rng: &mut Rng) -> Option<G::Action> {
        self.game.random_outcome(rng)
    }
    #[inline(always)]
    fn random_rollout(&mut self, rng: &mut Rng) {
        if !self.wish.sees_all() {
            self.game.random_rollout(rng);
        }
    }
    #[inline(always)]
    fn random_rollouts(&self, games: u32, rng: &mut Rng) -> Option<Rewards> {
        if self.wish.sees_all() { None } else { self.game.random_rollouts(games, rng) }
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
