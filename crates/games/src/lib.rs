//! Four games to search, [`TicTacToe`], [`Connect4`], [`Hex`] and [`SudoTicTacToe`], two puzzles,
//! [`SameGame`] and [`Morpion`], and two problems to measure searches on, [`Bandit`] and [`PGame`]. They are
//! behind the feature `games`, which is on by default. Like a game of your own, they use only `game` from
//! this crate.
//!
//! [`Connect4`] also has smaller boards, which searches can prove: [`ConnectFour`](connect4::ConnectFour).
//! [`Hex`] has boards of 2 to 19 rows.
//!
//! Each of the four games is a small value of bitboards and cheap to clone. Two states are equal if they are
//! the same position, however it was reached. Each state and each action prints as text (`Display`) and
//! parses from it (`FromStr`). Text that is unreadable or impossible gives a [`ParseError`], never a panic.
//! [`GameState::apply`](crate::GameState::apply) trusts its caller. The method `play` of each of the four
//! games checks the action and returns [`IllegalAction`] if it is not legal.
//!
//! The two puzzles have one player and a [puzzle score](crate::Scored). Their positions and actions print and
//! parse as text, too.
//!
//! The two problems are the synthetic ones from the papers on UCB1 and UCT. They are not meant for play, so
//! they have no text format.
//!
//! With the feature `serde`, states and actions are `Serialize` and `Deserialize`. Those of the four games
//! and of the puzzles are written as their text, and those of the two problems field by field. A state or
//! action that cannot exist is an error.

pub mod bandit;
pub mod connect4;
mod errors;
pub mod hex;
pub mod morpion;
mod p_game;
#[cfg(feature = "explorer")]
mod pictures;
pub mod same_game;
#[cfg(feature = "serde")]
mod serialization;
pub mod sudo_tic_tac_toe;
mod text;
mod three;
pub mod tic_tac_toe;

pub use bandit::Bandit;
pub use connect4::Connect4;
pub use errors::{IllegalAction, IllegalReason, ParseError};
pub use hex::Hex;
pub use morpion::Morpion;
pub use p_game::PGame;
pub use same_game::SameGame;
pub use sudo_tic_tac_toe::SudoTicTacToe;
pub use tic_tac_toe::TicTacToe;

use crate::game::Player;

/// Returns the reward of `player` in a game that the winner has won, or nobody.
#[inline(always)]
fn reward(winner: Option<Player>, player: Player) -> f64 {
    winner.map_or(0.5, |winner| f64::from(u8::from(winner == player)))
}

/// Returns the share of `player` where the two players have these points: in (0, 1), and 1/2 if both have as
/// many.
fn share(player: Player, [first, second]: [u32; 2]) -> f64 {
    let of_first = (f64::from(first) + 1.0) / (f64::from(first) + f64::from(second) + 2.0);
    if player == 0 { of_first } else { 1.0 - of_first }
}
