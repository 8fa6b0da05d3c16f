//! Contests: agents play each other, and results with intervals show which is stronger. Uses `agents` and all
//! layers below it.
//!
//! - The players: [`Match`], one agent for each player; [`RoundRobin`], every agent against every other, with
//!   [`Ratings`]; [`Sweep`], one parameter of an agent against fixed opponents. Agents are given as
//!   [`Recipe`](crate::Recipe)s.
//! - The conditions: [`Conditions`] has the number of games, openings, a seed, threads, a [`ResultsFile`], a
//!   handle to stop, a progress bar.
//! - The result prints as a table and converts to CSV, with [`Standing`]s, [`Estimate`]s and all games as
//!   [`Record`]s that can be replayed. [`Match::test`] with an [`Sprt`] plays only until the question is
//!   answered.
//!
//! # Seats, openings, seeds
//!
//! The games between the same agents come in groups. All games of a group start with the same random opening,
//! and chance draws the same numbers. Each agent plays once in every seat. All pairings of a contest use the
//! same openings. The random choices of an agent depend on the seed of the contest, the game and the seat,
//! not on threads or on the order in which games end. So the results are the same for any number of threads,
//! if no agent looks at the clock.
//!
//! # Clocks
//!
//! An agent that plays on a clock ([`Agent::clock`](ramure_agents::Agent::clock)) gets one for each game,
//! which the contest keeps: it runs while the agent chooses an action. If its flag falls, the agent loses the
//! game, whatever the state of the board. [`Standing::losses_on_time`] counts these games.
//!
//! # Faults
//!
//! An agent that fails, panics or returns an illegal action loses that game, and the [`Record`] has the
//! reason. A game that breaks its contract or panics ends the contest with a [`ContestError`]; the games
//! played so far are in the results file.

mod bradley_terry;
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
pub use error::{ContestError, in_full};
pub use estimate::Estimate;
pub use matches::{Match, MatchResult};
pub use plan::MOST_GAMES;
pub use played::{Ended, PlayedGames};
pub(crate) use progress::Progress;
pub use ratings::{Meeting, Rating, Ratings, RatingsError};
pub use record::{Forfeit, Outcome, Record, ReplayError};
pub use results_file::{ResultsFile, SetAside, Unsorted};
pub use round_robin::{RoundRobin, RoundRobinPair, RoundRobinResult};
pub use sprt::{Sprt, SprtReport, SprtState, Verdict};
pub use standing::{Standing, Tally};
pub use sweep::{Sweep, SweepPoint, SweepResult};

/// The name of a game: the name of its type, without paths.
fn game_name<G>() -> String {
    let parts = std::any::type_name::<G>().split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
    // `a::` splits into two parts, `a:` and `:`.
    parts.filter(|part| !part.ends_with(':')).collect()
}
