//! Sticks for three players: they take turns to take one, two or three; the player who takes the last one
//! wins.

use ramure::{GameState, Player, Turn};
use std::cell::Cell;

mistakes! {
    /// I forgot to write `players`, which returns 2 by default.
    PlayersForgotten,
    /// I return the number of players who may still win: when one stick is left, that is one.
    PlayersWhoMayWin,
    /// I take the next player modulo 2, from the version for two players.
    ThirdNeverMoves,
    /// `turn` passes the turn on, because I assumed one call per action.
    TurnPassesWhenAsked,
    /// I pay the player to move, but the player who took the last stick moved before.
    NextPlayerIsPaid,
    /// I pay 1 to the winner, and 1/2 to each of the others instead of to all of them together.
    LosersGetAHalf,
    /// The winner gets 1, and the others lose 1/2 each, so that it sums to 0.
    SumsToZero,
    /// I forgot to pass the turn on.
    TurnStays,
    /// I pay 1 to everybody, because somebody has won.
    AllArePaid,
}

/// The number of players.
pub const PLAYERS: u8 = 3;

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sticks {
    left: u8,
    player: Cell<Player>,
    mistake: Mistake,
}

impl Sticks {
    /// Returns this number of sticks.
    pub fn new(left: u8, mistake: Mistake) -> Self {
        Sticks { left, player: Cell::new(0), mistake }
    }

    /// Returns the player who took the last one.
    pub fn winner(&self) -> Option<Player> {
        (self.left == 0).then_some((self.player.get() + PLAYERS - 1) % PLAYERS)
    }

    fn pass_on(&self) {
        let players = match self.mistake {
            Mistake::ThirdNeverMoves => 2,
            Mistake::TurnStays => 1,
            _ => PLAYERS,
        };
        self.player.set((self.player.get() + 1) % players);
    }
}

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 {
            return Turn::Over;
        }
        let player = self.player.get();
        if self.mistake == Mistake::TurnPassesWhenAsked {
            self.pass_on();
        }
        Turn::Player(player)
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(3)
    }
    fn apply(&mut self, taken: u8) {
        self.left -= taken;
        if self.mistake != Mistake::TurnPassesWhenAsked {
            self.pass_on();
        }
    }
    fn reward(&self, player: Player) -> f64 {
        let paid = match self.mistake {
            Mistake::NextPlayerIsPaid => Some(self.player.get()),
            _ => self.winner(),
        };
        match self.mistake {
            Mistake::AllArePaid => 1.0,
            _ if paid == Some(player) => 1.0,
            Mistake::LosersGetAHalf => 0.5,
            Mistake::SumsToZero => -0.5,
            _ => 0.0,
        }
    }
    fn players(&self) -> u8 {
        match self.mistake {
            Mistake::PlayersForgotten => 2,
            Mistake::PlayersWhoMayWin => self.left.clamp(1, PLAYERS),
            _ => PLAYERS,
        }
    }
}
