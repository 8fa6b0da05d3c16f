//! The laboratory of [`ramure`]: contests between agents, agents and searches by text, ratings, tuning, and
//! pictures.
//!
//! - [`contest`]: matches, round robins, sweeps and sequential tests between agents, with figures that have
//!   intervals.
//! - [`Registry`]: agents and searches by text, as in `mcts:384,c=0.5,policy=ucb1-tuned`, for any game.
//! - [`tuning`]: finds a good search for a game: policies, rollouts, backups and their parameters together.
//! - [`book`]: opening books, built from searches of many positions, and an agent that plays from them.
//! - [`pictures`]: charts of the results of contests and experiments, as SVG and PNG.
//! - [`games`]: games with hidden cards, simultaneous choices and dice, to measure searches on.
//! - [`plans`]: problems of planning whose state is not seen.
//! - [`exact`]: values, best responses and equilibria of small games, by going through all of them.
//! - [`htp`]: the Hex Text Protocol, by which other programs play Hex with a search.
//! - [`sgf`]: records of Hex, read and written in the Smart Game Format.
//! - [`watch`]: a search on the whole screen of a terminal while it thinks.
//! - [`lines`]: files of lines of JSON that survive a crash.
//! - [`commands`]: the commands of `ramure-lab`, with the experiments of the papers on which this project
//!   builds.
//! - [`ranks`]: programs over several processes, such as those of MPI.
//!
//! `ramure-lab` offers them on the command line.

#![deny(missing_docs, unsafe_code)]

/// Defines methods that set a field of a value that is being built.
macro_rules! setters {
    ($($(#[$about:meta])* $name:ident($($value:ident: $type:ty),*) => $($field:ident).+ = $new:expr;)*) => {$(
        $(#[$about])*
        pub fn $name(mut self $(, $value: $type)*) -> Self {
            self.$($field).+ = $new;
            self
        }
    )*};
}

pub mod book;
// What compiles the searches of every game of the commands is left out of the unit tests: its tests are in
// `tests`, and use the searches that this library has compiled.
#[cfg(not(test))]
#[allow(missing_docs, reason = "help texts and tables say what their fields are")]
pub mod commands;
pub mod contest;
pub mod exact;
pub mod games;
#[cfg(not(test))]
pub mod htp;
pub mod lines;
pub mod pictures;
pub mod plans;
pub mod ranks;
mod recipe;
pub mod registry;
mod several;
pub mod sgf;
pub mod tuning;
#[cfg(not(test))]
pub mod watch;

pub use recipe::Recipe;
pub use registry::{
    Abilities, Ability, Parameters, ReadError, Registry, Rules, WithEvaluation, WithNumbers, Words,
};

/// The error of a program, in words.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The chapter on contests: its code runs as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/contests.md")]
struct Contests;
