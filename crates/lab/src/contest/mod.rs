//! Contests: agents play each other, and figures with intervals say who is the stronger. Uses `agents` and all below it.
//!
//! - *Who* plays: [`Match`], one agent for each player; [`RoundRobin`], each against each, with [`Ratings`]; [`Sweep`], one
//!   agent's parameter against fixed opponents. Agents come as [`Recipe`](crate::Recipe)s.
//! - *How* they play: [`Conditions`]: games, openings, seed, threads, a [`ResultsFile`], a handle to stop, a bar of progress.
//! - *What came of it*: a result that prints as a table and writes itself as CSV, with [`Standing`]s, [`Estimate`]s and all
//!   games as [`Record`]s that can be replayed. [`Match::test`] with an [`Sprt`] plays only until the question is answered.
//!
//! # Seats, openings, seeds
//!
//! The games between the same agents come in groups. All games of a group begin with the same random opening, and chance
//! draws the same numbers; each agent sits once in every seat. The groups of all pairings of a contest begin alike. What an
//! agent draws depends on the contest's seed, the game and its seat, not on threads or on who ended first: the results are the
//! same for any number of threads, if no agent looks at the clock.
//!
//! # Whose fault
//!
//! An agent that fails, panics or returns an illegal action loses that game, and the reason is in the [`Record`]. A game that
//! breaks its contract, or panics, ends the contest with a [`ContestError`]; what was played is in the results file.

mod bradley_terry;
mod claim;
mod conditions;
mod elo;
mod error;
mod estimate;
mod likelihood;
mod log;
mod matches;
mod matrix;
mod plan;
mod played;
mod progress;
mod ratings;
mod record;
mod referee;
mod results_file;
mod round_robin;
mod runner;
mod seeds;
mod sprt;
mod standing;
mod sweep;
mod table;

pub use conditions::Conditions;
pub use elo::expected_score;
pub use error::ContestError;
pub use estimate::Estimate;
pub use matches::{Match, MatchResult};
pub use plan::MOST_GAMES;
pub use played::{Ended, Played};
pub use ratings::{Meeting, Rating, Ratings, RatingsError};
pub use record::{Forfeit, Outcome, Record, ReplayError};
pub use results_file::{ResultsFile, SetAside, Unsorted};
pub use round_robin::{RoundRobin, RoundRobinPair, RoundRobinResult};
pub use sprt::{Sprt, SprtReport, SprtState, Verdict};
pub use standing::{Standing, Tally};
pub use sweep::{Sweep, SweepPoint, SweepResult};

/// What a game is called: the name of its type, without paths.
fn game_name<G>() -> String {
    let mut name = String::new();
    for part in std::any::type_name::<G>().split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        // `a::` ends in two parts, `a:` and `:`.
        match part {
            ":" => {}
            part if part.ends_with(':') => {}
            part => name += part,
        }
    }
    name
}
