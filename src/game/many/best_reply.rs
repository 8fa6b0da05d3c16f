//! [`BestReply`]: a game for three or more players in which one of the others replies to each action of one player.

use crate::game::many::paranoid::{reward_of_two, turn_of_two};
use crate::game::player_action::PlayerAction;
use crate::game::{GameState, MAX_PLAYERS, Picture, Player, SkipTurn, StaticEvaluation, Turn, try_apply};

/// A game in which one of the others replies to each action of one player, and the rest of them skip their
/// turns: *best-reply search*.
///
/// Like [`Paranoid`](crate::search::Paranoid), this is a game for two: player 0 is one player, and player 1
/// stands for all others, who play against that one. But only one of them acts before that player is to move
/// again. So the assumption is less gloomy, and the search looks further ahead: two turns are a round,
/// whatever the number of players. The price is that its lines of play skip turns, so the game must allow
/// that: [`SkipTurn`].
///
/// Where others are to move, the actions are those of all of them, as [`PlayerAction`]: an action and its
/// player.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::SkipTurn;
/// use ramure::search::{BestReply, PlayerAction};
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
/// impl SkipTurn for Sticks {
///     fn skip_turn(&mut self) {
///         self.player = (self.player + 1) % 3;
///     }
/// }
/// # let state = Sticks { left: 7, player: 0 };
///
/// let mut search = Mcts::new(BestReply::new(state)); // for the player to move
/// let report = search.run(Budget::iterations(1_000))?;
/// let PlayerAction { action, .. } = report.best_action();
/// # assert!((1..=3).contains(&action));
/// # Ok::<(), SearchError>(())
/// ```
///
/// The search is for one decision. In the real game all others act, so start a new search for the next one.
///
/// Any policy goes with it that needs no index of actions. Rollouts skip turns in the same way.
///
/// **Source:** Schadd and Winands, *Best Reply Search for Multiplayer Games*, 2011; in Monte-Carlo tree
/// search: Nijssen and Winands, *Search Policies in Multi-Player Games*, 2013.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct BestReply<G> {
    state: G,
    player: Player,
    /// Whether another player has acted since the latest action of `player`.
    has_replied: bool,
}

impl<G: SkipTurn> BestReply<G> {
    /// Creates the game for the player to move; if it is nobody's turn, for player 0 of `state`.
    pub fn new(state: G) -> Self {
        let player = if let Turn::Player(player) = state.turn() { player } else { 0 };
        BestReply { state, player, has_replied: false }
    }

    /// Returns the state.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Returns the state once for each player who may act now: the others one after the other, where none of
    /// them has replied yet.
    fn choices(&self) -> impl Iterator<Item = (Option<Player>, G)> {
        let mut next = Some(self.state.clone());
        let own = self.player;
        let mut seen = 0_u64;
        core::iter::from_fn(move || {
            let state = next.take()?;
            let turn = state.turn();
            let Turn::Player(player) = turn else {
                // Chance acts only if no player may act before it.
                return (turn == Turn::Chance && seen == 0).then_some((None, state));
            };
            let bit = 1_u64.checked_shl(player.into())?;
            if seen & bit != 0 || seen != 0 && player == own {
                return None;
            }
            seen |= bit;
            if player != own {
                let mut skipped = state.clone();
                skipped.skip_turn();
                next = Some(skipped);
            }
            Some((Some(player), state))
        })
    }

    /// Lets players skip their turns until it is the turn of `player`, or of chance.
    fn skip_to(&mut self, player: Option<Player>) {
        for _ in 0..MAX_PLAYERS {
            match self.state.turn() {
                Turn::Player(other) if Some(other) != player => self.state.skip_turn(),
                _ => return,
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<G: SkipTurn> GameState for BestReply<G> {
    type Action = PlayerAction<G::Action>;

    const KEEPS_STATES: bool = G::KEEPS_STATES;

    #[inline(always)]
    fn turn(&self) -> Turn {
        turn_of_two(&self.state, self.player)
    }
    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = PlayerAction<G::Action>> {
        self.choices().flat_map(|(player, state)| {
            let actions: Vec<_> = state.actions().into_iter().collect();
            actions.into_iter().map(move |action| PlayerAction { player, action })
        })
    }
    #[inline]
    fn apply(&mut self, chosen: PlayerAction<G::Action>) {
        self.skip_to(chosen.player);
        let applied = try_apply(&mut self.state, chosen.action);
        if let Some(player) = chosen.player {
            self.has_replied = player != self.player;
        }
        if self.has_replied && applied.is_ok() {
            self.skip_to(Some(self.player));
        }
    }
    #[inline(always)]
    fn reward(&self, player: Player) -> f64 {
        reward_of_two(player, self.state.reward(self.player))
    }
    #[inline(always)]
    fn probability(&self, outcome: PlayerAction<G::Action>) -> f64 {
        self.state.probability(outcome.action)
    }
}

impl<G: SkipTurn + StaticEvaluation> StaticEvaluation for BestReply<G> {
    #[inline(always)]
    fn evaluate(&self, player: Player) -> f64 {
        reward_of_two(player, self.state.evaluate(self.player))
    }
}

impl<G: SkipTurn + Picture> Picture for BestReply<G> {
    /// Draws the state without the last action, after which others have skipped their turns.
    fn picture(&self, _last: Option<PlayerAction<G::Action>>) -> String {
        self.state.picture(None)
    }
}
