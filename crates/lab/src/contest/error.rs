//! Errors of contests.

use super::record::ReplayError;
use crate::lines::FileError;
use crate::ranks::RanksError;
use core::error::Error;
use core::fmt;
use ramure::{GameFault, ParameterError};
use std::path::PathBuf;

/// Why a contest cannot start or continue. The games played so far are in the results file, if there is one.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ContestError {
    /// The number of games is 0.
    #[error("the number of games is 0; ask for at least one game per seat")]
    NoGames,
    /// The number of games is not a multiple of the number of players.
    #[error("{games} games cannot be divided evenly among {players} seats; ask for a multiple of {players}")]
    UnevenGames {
        /// The number of games.
        games: u32,
        /// The number of players.
        players: u8,
    },
    /// There are too many games to keep: a contest keeps all its games in memory until it ends.
    #[error("{games} games are too many to keep in memory; ask for at most {most}, or use a sequential test")]
    TooManyGames {
        /// The number of games, over all pairings.
        games: u64,
        /// The greatest number of games.
        most: u64,
    },
    /// The number of agents is not the number of players of the game.
    #[error(fmt = wrong_number)]
    Players {
        /// The number of agents.
        agents: usize,
        /// The number of players.
        players: u8,
    },
    /// There are too few agents, values or opponents for a single game.
    #[error(
        "there are too few agents to play; a round robin needs two agents, a sweep a value and an opponent"
    )]
    NobodyPlays,
    /// A sequential test was requested, but the number of agents is not two.
    #[error("a sequential test compares two agents, not {agents}; give it two")]
    TestOfTwo {
        /// The number of agents.
        agents: usize,
    },
    /// The game broke its contract.
    #[error("{ply} actions after the start: {fault}")]
    Game {
        /// The fault.
        fault: GameFault,
        /// The number of actions from the start to the fault.
        ply: u32,
    },
    /// The game panicked, outside of any agent.
    #[error("the game panicked: {0}")]
    GamePanicked(String),
    /// No opening of this many random actions was found, because games end earlier.
    #[error("no opening of {0} random actions was found, since games end earlier; ask for shorter openings")]
    OpeningTooLong(u32),
    /// A parameter is out of its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The contest is spread over several ranks, and these do not go on together.
    #[error(transparent)]
    Ranks(#[from] RanksError),
    /// The results file cannot be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a results file.
    #[error(
        "{} is not the results file of a contest: its first line does not describe one; choose another file",
        .0.display()
    )]
    NotResults(PathBuf),
    /// The results file belongs to another contest.
    #[error(
        "{} belongs to another contest ({what}: {file} in the file, {asked} asked for); choose another file, \
         or ask for the same contest",
        .path.display()
    )]
    OtherContest {
        /// The path of the file.
        path: PathBuf,
        /// The setting that differs.
        what: &'static str,
        /// Its value in the file.
        file: String,
        /// The value that was asked for.
        asked: String,
    },
    /// A game of the results file cannot be replayed under the current rules. The rules or the file have
    /// changed.
    #[error(
        "line {line} of {} does not follow the rules of the game; they or the file must have changed since \
         it was written",
        .path.display()
    )]
    OtherRules {
        /// The path of the file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The reason.
        source: ReplayError,
    },
}

ramure::debug_as_sentence!(ContestError);

/// Writes which number of agents a game needs.
fn wrong_number(agents: &usize, players: &u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match players {
        1 => write!(
            f,
            "{agents} agents cannot meet in a game of one player; use a `Match`, in which each agent plays alone"
        ),
        _ => write!(
            f,
            "{agents} agents cannot play a game of {players} players; give one agent for each player"
        ),
    }
}

/// Returns the message of an error, followed by those of its sources.
///
/// ```
/// use ramure_lab::contest::{ContestError, in_full};
/// use ramure_lab::lines::FileError;
/// let source = std::io::Error::other("the disk is full");
/// let error = ContestError::File(FileError::System { path: "games.jsonl".into(), doing: "write to", source });
/// assert_eq!(in_full(&error), "cannot write to games.jsonl: the disk is full");
/// ```
pub fn in_full(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}
