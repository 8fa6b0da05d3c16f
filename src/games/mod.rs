//! Four games, ready to be searched: [`TicTacToe`], [`Connect4`], [`Hex`] and [`SudoTicTacToe`]; behind the feature
//! `games`, which is on by default. They use `game` and nothing else of the crate, as a game of yours would.
//!
//! Each is a small value of bitboards, cheap to clone; two states are equal when they are the same position, however
//! it was reached. Each state and each action prints as text (`Display`) and is read back from it (`FromStr`): what is
//! unreadable or impossible gets a [`ParseError`], never a panic. [`GameState::apply`](crate::GameState::apply) trusts
//! its caller; `play`, which each game has, answers an illegal action with an [`IllegalAction`].

pub mod connect4;
mod errors;
pub mod hex;
pub mod sudo_tic_tac_toe;
mod text;
mod three;
pub mod tic_tac_toe;

pub use connect4::Connect4;
pub use errors::{IllegalAction, ParseError, SizeError};
pub use hex::Hex;
pub use sudo_tic_tac_toe::SudoTicTacToe;
pub use tic_tac_toe::TicTacToe;

/// What of a contest belongs to who has `own`, if the other has `others`: in (0, 1), and 1/2 if they have the same.
fn share(own: u32, others: u32) -> f64 {
    (f64::from(own) + 1.0) / (f64::from(own) + f64::from(others) + 2.0)
}
