//! [`PlayerAction`]: an action, and the player who chose it.

use super::Player;
use core::fmt;

/// An action in an [`OpenLoop`](crate::search::OpenLoop) or a [`BestReply`](crate::search::BestReply),
/// together with the player who chose it.
/// `Debug` shows the action alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerAction<A> {
    /// The player; `None` for an outcome of chance.
    pub player: Option<Player>,
    /// The action.
    pub action: A,
}

impl<A> PlayerAction<A> {
    /// An action of `player`.
    pub const fn by_player(player: Player, action: A) -> Self {
        PlayerAction { player: Some(player), action }
    }

    /// An outcome of chance.
    pub const fn by_chance(outcome: A) -> Self {
        PlayerAction { player: None, action: outcome }
    }
}

impl<A: fmt::Debug> fmt::Debug for PlayerAction<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.action.fmt(f)
    }
}
