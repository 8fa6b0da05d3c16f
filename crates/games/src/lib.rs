//! Games to search with [`ramure`]: four games for two players, [`TicTacToe`], [`Connect4`], [`Hex`] and
//! [`SudoTicTacToe`]; two puzzles, [`SameGame`] and [`Morpion`]; and two problems to measure searches on,
//! [`Bandit`] and [`PGame`].
//!
//! ```
//! use ramure::prelude::*;
//! use ramure_games::Connect4;
//!
//! let mut search = Mcts::new(Connect4::new()).seed(7);
//! let report = search.run(Budget::iterations(1_000))?;
//! search.advance(report.best_action())?;
//! println!("{}", search.state());
//! # Ok::<(), SearchError>(())
//! ```
//!
//! [`Connect4`] also has smaller boards, which searches can prove: [`ConnectFour`](connect4::ConnectFour).
//! [`Hex`] has boards of 2 to 19 rows.
//!
//! Each of the four games is a small value of bitboards and cheap to clone. Two states are equal if they are
//! the same position, however it was reached. Each state and each action prints as text (`Display`) and
//! parses from it (`FromStr`). Text that is unreadable or impossible gives a [`ParseError`], never a panic.
//! [`GameState::apply`](ramure::GameState::apply) trusts its caller. The method `play` of each of the four
//! games checks the action and returns [`IllegalAction`] if it is not legal. Positions of the four games also
//! have a [`Picture`](ramure::Picture).
//!
//! The two puzzles have one player and a [puzzle score](ramure::Scored). Their positions and actions print and
//! parse as text, too.
//!
//! The two problems are the synthetic ones from the papers on UCB1 and UCT. They are not meant for play, so
//! they have no text format.
//!
//! With the feature `serde`, states and actions are `Serialize` and `Deserialize`. Those of the four games
//! and of the puzzles are written as their text, and those of the two problems field by field. A state or
//! action that cannot exist is an error.

#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::return_self_not_must_use)]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bandit;
pub mod connect4;
mod errors;
pub mod hex;
pub mod morpion;
mod p_game;
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

use ramure::Player;

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
