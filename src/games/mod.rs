//! Four games, ready to be searched: [`TicTacToe`], [`Connect4`], [`Hex`] and [`SudoTicTacToe`], and two problems on which
//! searches are measured: [`Bandit`] and [`PGame`]; behind the feature `games`, which is on by default. They use `game` and
//! nothing else of the crate, as a game of yours would.
//!
//! Each of the four is a small value of bitboards, cheap to clone; two states are equal when they are the same position,
//! however it was reached. Each state and each action prints as text (`Display`) and is read back from it (`FromStr`): what
//! is unreadable or impossible gets a [`ParseError`], never a panic. [`GameState::apply`](crate::GameState::apply) trusts
//! its caller; `play`, which each of the four has, answers an illegal action with an [`IllegalAction`].
//!
//! The two problems are the synthetic ones of the papers on UCB1 and UCT. Nobody plays them, so they have no text.

pub mod bandit;
pub mod connect4;
mod errors;
pub mod hex;
mod p_game;
pub mod sudo_tic_tac_toe;
mod text;
mod three;
pub mod tic_tac_toe;

pub use bandit::Bandit;
pub use connect4::Connect4;
pub use errors::{BanditError, IllegalAction, PGameError, ParseError, SizeError};
pub use hex::Hex;
pub use p_game::PGame;
pub use sudo_tic_tac_toe::SudoTicTacToe;
pub use tic_tac_toe::TicTacToe;

/// What of a contest belongs to who has `own`, if the other has `others`: in (0, 1), and 1/2 if they have the same.
fn share(own: u32, others: u32) -> f64 {
    (f64::from(own) + 1.0) / (f64::from(own) + f64::from(others) + 2.0)
}
