//! [`PlayerView`]: the game as the tree of one player sees it.

use crate::game::{
    GameFault, GameState, Player, Rng, Turn, forward_evaluation, forward_indices, forward_to_state,
};

/// The game as the policies of [`PlayerTrees`](crate::search::engine::seats::PlayerTrees) see it: the same game, in the tree of one player.
///
/// You meet this type in bounds and in messages of the compiler. A policy that works for every game works for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerView<G> {
    pub(crate) state: G,
    pub(crate) owner: Player,
}

impl<G> PlayerView<G> {
    /// Returns the state of the game.
    pub fn state(&self) -> &G {
        &self.state
    }
}

impl<G: GameState> PlayerView<G> {
    /// Returns whether the owner is told in each guess what it knows. The observer knows it, and those who choose at the root report on
    /// all guesses together.
    pub(crate) fn learns_what_it_knows(&self) -> bool {
        let has_other_observer = self.state.seen_from().is_some_and(|observer| observer != self.owner);
        has_other_observer && self.state.turn() != Turn::Player(self.owner)
    }
}

#[diagnostic::do_not_recommend]
impl<G: GameState> GameState for PlayerView<G> {
    type Action = G::Action;
    const IS_GUESSED: bool = true;
    const HAS_PLAYER_TREES: bool = true;

    forward_to_state! { turn actions apply reward players probability random_action random_outcome random_rollout random_rollouts is_legal is_simultaneous }

    fn seen_from(&self) -> Option<Player> {
        Some(self.owner)
    }
    #[inline(always)]
    fn guess(&mut self, real: &Self, rng: &mut Rng) -> Result<(), GameFault> {
        self.state.guess(&real.state, rng)
    }
    #[inline(always)]
    fn known(&self, player: Player, tell: &mut impl FnMut(G::Action)) {
        self.state.known(player, tell);
    }
    #[inline(always)]
    fn seen(&self, action: G::Action, observer: Player) -> Option<G::Action> {
        self.state.seen(action, observer)
    }
}

forward_evaluation!(PlayerView, GameState);
forward_indices!(PlayerView, GameState);
