//! [`Paranoid`]: a game for three or more players in which all others play against one.

use crate::game::{
    GameState, HiddenInformation, Picture, Player, Rng, StaticEvaluation, Turn, forward_indices,
    forward_to_state,
};

/// A game in which all others play against one player: *paranoid search*.
///
/// By default, a search of a game for three or more players lets each player choose what is best for that
/// player (max^n). That is too trusting if the others gang up on the leader. Here the others only want to
/// hurt one player. So this is a game for two: player 0 is that player, and player 1 stands for all others,
/// who get 1 minus the reward of player 0.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::search::Paranoid;
/// # #[derive(Clone)]
/// # struct Sticks { left: u8, player: Player }
/// # impl GameState for Sticks {
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn { if self.left == 0 { Turn::Over } else { Turn::Player(self.player) } }
/// #     fn actions(&self) -> impl IntoIterator<Item = u8> { 1..=self.left.min(3) }
/// #     fn apply(&mut self, taken: u8) { self.left -= taken; self.player = (self.player + 1) % 3; }
/// #     fn reward(&self, player: Player) -> f64 { if (player + 1) % 3 == self.player { 1.0 } else { 0.0 } }
/// #     fn players(&self) -> u8 { 3 }
/// # }
/// # let state = Sticks { left: 7, player: 0 };
/// let mut search = Mcts::new(Paranoid::new(state)); // the others play against the player to move
/// let report = search.run(Budget::iterations(1_000))?;
/// search.advance(report.best_action())?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// Any policy goes with it. `Solver` proves what the player can enforce against all others. For hidden
/// information, search `InformationSet::new(Paranoid::new(state))`. Players who would choose at the same time
/// choose in turn.
///
/// **Source:** Sturtevant and Korf, *On Pruning Techniques for Multi-Player Games*, 2000; in Monte-Carlo tree
/// search: Nijssen and Winands, *Search Policies in Multi-Player Games*, 2013.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Paranoid<G> {
    state: G,
    player: Player,
}

impl<G: GameState> Paranoid<G> {
    /// Creates the game in which all others play against the player to move; if it is nobody's turn, against
    /// player 0 of `state`.
    pub fn new(state: G) -> Self {
        let player = if let Turn::Player(player) = state.turn() { player } else { 0 };
        Paranoid { state, player }
    }

    /// Sets the player of `state` against whom the others play. If `state` has fewer players, a search
    /// returns [`GameFault::UnknownPlayer`](crate::GameFault::UnknownPlayer).
    #[must_use]
    pub fn against(mut self, player: Player) -> Self {
        self.player = player;
        self
    }

    /// Returns the state.
    pub fn state(&self) -> &G {
        &self.state
    }
}

/// Returns the turn in a game for two players, of which 0 is `own` and 1 is any other player.
#[inline(always)]
pub(crate) fn turn_of_two<G: GameState>(state: &G, own: Player) -> Turn {
    match state.turn() {
        // A search reports players who do not exist.
        Turn::Player(player) if player >= state.players() => Turn::Player(player.max(2)),
        Turn::Player(_) if own >= state.players() => Turn::Player(own.max(2)),
        Turn::Player(player) => Turn::Player(Player::from(player != own)),
        turn => turn,
    }
}

/// Returns the reward of `player` of such a game, from the reward of player 0.
#[inline(always)]
pub(crate) fn reward_of_two(player: Player, own: f64) -> f64 {
    if player == 0 { own } else { 1.0 - own }
}

#[diagnostic::do_not_recommend]
impl<G: GameState> GameState for Paranoid<G> {
    type Action = G::Action;

    forward_to_state! { KEEPS_STATES actions apply probability random_action random_outcome random_rollout is_legal }

    #[inline(always)]
    fn turn(&self) -> Turn {
        turn_of_two(&self.state, self.player)
    }
    #[inline(always)]
    fn reward(&self, player: Player) -> f64 {
        reward_of_two(player, self.state.reward(self.player))
    }
}

impl<G: StaticEvaluation> StaticEvaluation for Paranoid<G> {
    #[inline(always)]
    fn evaluate(&self, player: Player) -> f64 {
        reward_of_two(player, self.state.evaluate(self.player))
    }
}

impl<G: Picture> Picture for Paranoid<G> {
    fn picture(&self, last: Option<G::Action>) -> String {
        self.state.picture(last)
    }
}

forward_indices!(Paranoid, GameState);

impl<G: HiddenInformation> HiddenInformation for Paranoid<G> {
    /// Guesses what player 0 has not seen. The others are taken to know everything in the guess.
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 0 {
            self.state.determinize(self.player, rng);
        }
    }
    fn observe(&self, action: G::Action, observer: Player) -> Option<G::Action> {
        if observer == 0 { self.state.observe(action, self.player) } else { Some(action) }
    }
}
