//! Why a contest cannot be played.

use super::record::ReplayError;
use core::fmt;
use ramure::ParameterError;
use ramure::game::GameFault;
use std::io;
use std::path::{Path, PathBuf};

/// Why a contest cannot begin or go on. What was played is in the results file, if there is one.
#[derive(Debug)]
#[non_exhaustive]
pub enum ContestError {
    /// No games were asked for.
    NoGames,
    /// The number of games is no multiple of the number of players.
    UnevenGames {
        /// How many games.
        games: u32,
        /// How many players.
        players: u8,
    },
    /// All games are kept until the contest ends, and these are too many for that.
    TooManyGames {
        /// How many games, of all pairings.
        games: u64,
        /// The most there may be.
        most: u64,
    },
    /// The game is for another number of players than there are agents.
    Players {
        /// How many agents.
        agents: usize,
        /// How many the game is for.
        players: u8,
    },
    /// There are too few agents, values or opponents: nobody would play.
    NobodyPlays,
    /// A sequential test is a question about two agents.
    TestOfTwo {
        /// How many there are.
        agents: usize,
    },
    /// The game broke its contract.
    Game {
        /// What was wrong.
        fault: GameFault,
        /// How many actions after the start.
        ply: u32,
    },
    /// The game panicked, outside of any agent.
    GamePanicked(String),
    /// The game has a kind of turn that contests do not know.
    UnknownTurn {
        /// How many actions after the start.
        ply: u32,
    },
    /// No opening of so many random actions was found: games end before.
    OpeningTooLong(u32),
    /// A parameter is out of its range.
    Parameter(ParameterError),
    /// The results file is there already.
    FileExists(PathBuf),
    /// Another contest writes to the results file.
    FileInUse(PathBuf),
    /// The results file cannot be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// What could not be done with it.
        doing: &'static str,
        /// Why.
        source: io::Error,
    },
    /// The file is no results file.
    NotResults(PathBuf),
    /// The results file is of another contest.
    OtherContest {
        /// Which file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the file says.
        file: String,
        /// What was asked for.
        asked: String,
    },
    /// A game of the results file cannot be played by the rules as they are: these or the file have been changed.
    OtherRules {
        /// Which file.
        path: PathBuf,
        /// Which line, counted from 1.
        line: usize,
        /// What went wrong.
        source: ReplayError,
    },
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContestError::NoGames => {
                f.write_str("no games are to be played; ask for at least one from each seat")
            }
            ContestError::UnevenGames { games, players } => write!(
                f,
                "{games} games cannot be shared evenly by {players} seats; ask for a multiple of {players}"
            ),
            ContestError::Players { agents, players: 1 } => {
                write!(
                    f,
                    "there are {agents} agents for a game of one player; a `Match` lets each agent play it alone"
                )
            }
            ContestError::TooManyGames { games, most } => write!(
                f,
                "{games} games are too many to be kept until the contest ends; ask for at most {most}, or for a sequential test"
            ),
            ContestError::Players { agents, players } => {
                write!(f, "there are {agents} agents for a game of {players} players; there must be as many")
            }
            ContestError::NobodyPlays => f.write_str(
                "nobody would play; a round robin needs two agents, a sweep a value and an opponent",
            ),
            ContestError::TestOfTwo { agents } => {
                write!(f, "a sequential test asks which of two agents is the stronger; there are {agents}")
            }
            ContestError::Game { fault, ply } => write!(f, "{ply} actions after the start: {fault}"),
            ContestError::GamePanicked(message) => write!(f, "the game panicked: {message}"),
            ContestError::UnknownTurn { ply } => {
                write!(
                    f,
                    "after {ply} actions the game has a kind of turn that contests do not know; play games of players and chance"
                )
            }
            ContestError::OpeningTooLong(actions) => {
                write!(f, "random games end before {actions} actions; ask for shorter openings")
            }
            ContestError::Parameter(error) => error.fmt(f),
            ContestError::FileExists(path) => {
                write!(
                    f,
                    "{} is there already; resume it, replace it, or choose another name",
                    path.display()
                )
            }
            ContestError::FileInUse(path) => write!(f, "another contest writes to {}", path.display()),
            ContestError::File { path, doing, source } => {
                write!(f, "cannot {doing} {}: {source}", path.display())
            }
            ContestError::NotResults(path) => {
                write!(
                    f,
                    "{} is not the results file of a contest: its first line does not say so",
                    path.display()
                )
            }
            ContestError::OtherContest { path, what, file, asked } => write!(
                f,
                "{} is of another contest, {what}: {file} there, {asked} here; choose another file, or ask for the same",
                path.display()
            ),
            ContestError::OtherRules { path, line, source } => {
                write!(
                    f,
                    "{}, line {line}: {source}; have the rules changed since, or the file?",
                    path.display()
                )
            }
        }
    }
}

impl core::error::Error for ContestError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ContestError::Game { fault, .. } => Some(fault),
            ContestError::Parameter(error) => Some(error),
            ContestError::File { source, .. } => Some(source),
            ContestError::OtherRules { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// What goes wrong with a file, as an error of ours.
pub(super) fn failure<'a>(
    path: &'a Path,
    doing: &'static str,
) -> impl FnOnce(io::Error) -> ContestError + 'a {
    move |source| ContestError::File { path: path.to_owned(), doing, source }
}

impl From<ParameterError> for ContestError {
    fn from(error: ParameterError) -> Self {
        ContestError::Parameter(error)
    }
}
