//! [`PlayerView`]: the game as the tree of one player sees it.

use crate::game::{ActionIndex, GameFault, GameState, Player, Rng, StaticEvaluation, Turn};

/// The game as the policies of [`PlayerTrees`](super::PlayerTrees) see it: the same game, in the tree of one player.
///
/// You meet this type in bounds and in messages of the compiler. A policy that works for every game works for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlayerView<G> {
    pub(super) state: G,
    pub(super) owner: Player,
}

impl<G> PlayerView<G> {
    /// Returns the state of the game.
    pub fn state(&self) -> &G {
        &self.state
    }
}

impl<G: GameState> GameState for PlayerView<G> {
    type Action = G::Action;
    const IS_GUESSED: bool = true;
    const HAS_PLAYER_TREES: bool = true;

    #[inline(always)]
    fn turn(&self) -> Turn {
        self.state.turn()
    }
    #[inline(always)]
    fn actions(&self) -> impl IntoIterator<Item = G::Action> {
        self.state.actions()
    }
    #[inline(always)]
    fn apply(&mut self, action: G::Action) {
        self.state.apply(action);
    }
    #[inline(always)]
    fn reward(&self, player: Player) -> f64 {
        self.state.reward(player)
    }
    #[inline(always)]
    fn players(&self) -> u8 {
        self.state.players()
    }
    #[inline(always)]
    fn probability(&self, outcome: G::Action) -> f64 {
        self.state.probability(outcome)
    }
    #[inline(always)]
    fn random_action(&self, rng: &mut Rng) -> Option<G::Action> {
        self.state.random_action(rng)
    }
    #[inline(always)]
    fn random_rollout(&mut self, rng: &mut Rng) {
        self.state.random_rollout(rng);
    }
    #[inline(always)]
    fn is_simultaneous(&self) -> bool {
        self.state.is_simultaneous()
    }
    #[inline(always)]
    fn is_legal(&self, action: G::Action) -> bool {
        self.state.is_legal(action)
    }
    fn seen_from(&self) -> Option<Player> {
        Some(self.owner)
    }
    #[inline(always)]
    fn guess(&mut self, real: &Self, rng: &mut Rng) -> Result<(), GameFault> {
        self.state.guess(&real.state, rng)
    }
    #[inline(always)]
    fn seen(&self, action: G::Action, observer: Player) -> Option<G::Action> {
        self.state.seen(action, observer)
    }
}

impl<G: StaticEvaluation> StaticEvaluation for PlayerView<G> {
    #[inline(always)]
    fn evaluate(&self, player: Player) -> f64 {
        self.state.evaluate(player)
    }
}

impl<G: ActionIndex> ActionIndex for PlayerView<G> {
    const ACTION_COUNT: usize = G::ACTION_COUNT;

    #[inline(always)]
    fn action_index(action: G::Action) -> usize {
        G::action_index(action)
    }
}
