//! [`Chosen`]: an action and who chose it.

use super::Player;
use core::fmt;

/// An action in an [`OpenLoop`](crate::search::OpenLoop), together with who chose it. `Debug` shows the
/// action alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chosen<A> {
    /// The player; `None` for an outcome of chance.
    pub player: Option<Player>,
    /// The action.
    pub action: A,
}

impl<A> Chosen<A> {
    /// An action of `player`.
    pub const fn by_player(player: Player, action: A) -> Self {
        Chosen { player: Some(player), action }
    }

    /// An outcome of chance.
    pub const fn by_chance(outcome: A) -> Self {
        Chosen { player: None, action: outcome }
    }
}

impl<A: fmt::Debug> fmt::Debug for Chosen<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.action.fmt(f)
    }
}
