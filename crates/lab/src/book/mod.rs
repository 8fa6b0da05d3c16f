//! Opening books: what a search found in many positions, in a file that people can read; and an agent that
//! plays from it.
//!
//! - [`Construction`] builds a [`Book`], position by position, the most likely one first, and saves it again
//!   and again. A construction that was stopped or killed goes on where the file ends, and the book becomes
//!   the one that it would have become without the interruption.
//! - [`Book`] reads and checks a file, and looks positions up.
//! - [`BookAgent`] plays from a book and asks another agent where the book ends.
//!
//! A position has one entry, in whichever order the actions were played that lead to it, and so have its
//! mirror images: see [`Positions`].
//!
//! A book belongs to the laboratory because its file is JSON, which the core crate does not read or write,
//! and because its searches come from texts. To keep the tree of a single search instead, use
//! [`Mcts::save`](ramure::Mcts::save).

mod agent;
mod build;
mod error;
mod file;
mod positions;

pub use agent::BookAgent;
pub use build::{Construction, Progress};
pub use error::BookError;
pub use file::{Book, BookAction, Entry, Head};
pub use positions::{Place, Positions};
