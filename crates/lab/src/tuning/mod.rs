//! Tuning: finds a good search for a game, by games. Uses [`contest`](crate::contest) and the
//! [`Registry`](crate::Registry).
//!
//! - [`Tuner`] searches over policies, rollouts, backpropagations and their parameters together.
//! - [`halving`] finds the best value of one parameter.
//!
//! Both drop the weaker half of some agents again and again, and end with fresh games, because the score of
//! the best of many is biased upwards. Both return a [`Tuning`], which prints as a table.
//!
//! | file         | its job                                                          |
//! |--------------|------------------------------------------------------------------|
//! | `tuner.rs`   | [`Tuner`]                                                        |
//! | `ntuple.rs`  | the N-tuple bandit evolutionary algorithm                        |
//! | `space.rs`   | all settings that texts can name, as a grid                      |
//! | `halving.rs` | [`halving`]                                                      |
//! | `arena.rs`   | the games, and the file that keeps them                          |
//! | `report.rs`  | the table                                                        |

mod arena;
mod halving;
mod ntuple;
mod report;
mod space;
mod tuner;

pub use arena::Playing;
pub use halving::{Candidate, Rounds, halving};
pub use report::written;
pub use space::{Point, Space};
pub use tuner::Tuner;

use crate::contest::{ContestError, Estimate, Tally};
use crate::{ReadError, Recipe};
use arena::Arena;
use core::time::Duration;
use ramure::GameState;

/// How long a tuning may take.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Effort {
    Games(u64),
    Time(Duration),
}

/// The result of an agent.
#[derive(Clone, Default, PartialEq, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The value of the parameter, if one parameter is tuned.
    pub value: Option<f64>,
    /// The agent as text.
    pub agent: String,
    /// The wins, draws and losses.
    pub tally: Tally,
    /// The score over all games of this row; `None` if there are none.
    pub score: Option<Estimate>,
    /// The round, from 1, after which the agent was dropped; `None` if it never was.
    pub dropped: Option<usize>,
    /// The reason for each forfeited game.
    pub forfeits: Vec<String>,
    /// The scores in the games of each opening.
    pairs: Vec<Vec<f64>>,
}

/// The result of a tuning.
#[derive(Clone, Default, PartialEq, Debug)]
#[non_exhaustive]
pub struct Tuning {
    /// The name of the tuned parameter; `None` if all settings were searched.
    pub parameter: Option<String>,
    /// The agent that all agents played against.
    pub reference: String,
    /// The agents of the rounds, with all their games but the fresh ones: the values in ascending order, or
    /// the best settings that the search found.
    pub rows: Vec<Row>,
    /// The index of the row with the greatest score among those that were not dropped.
    pub best: usize,
    /// The number of agents in each round.
    pub rounds: Vec<usize>,
    /// The fresh games of the best agent; if a parameter was tuned, also those of the default agent.
    pub fresh: Vec<Row>,
    /// The settings that were tried before the rounds, if all settings were searched, and their games.
    pub searched: Option<(usize, u64)>,
    /// The best agent's search as a line of Rust. `None` if a parameter was tuned, and for parts that the
    /// program added.
    pub code: Option<String>,
    /// Why no further round was played.
    pub end: End,
}

/// The reason why no further round was played.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum End {
    /// Few agents are left.
    #[default]
    Few,
    /// The next round would have exceeded the limit of games.
    Spent,
    /// The stop handle was used.
    Stopped,
}

/// Why a tuning fails.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum TuningError {
    /// The conditions do not fit the game, the game breaks its contract, or the file cannot be used.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// The default agent cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A setting is out of range.
    #[error("{0}")]
    Setting(String),
    /// The reference forfeited a game, other than on time.
    #[error(
        "the reference {reference} failed: {reason}; check the rules of the game, as `ramure-rules` does"
    )]
    Reference {
        /// The reference.
        reference: String,
        /// The reason of its forfeit.
        reason: String,
    },
    /// The tuning failed after some games.
    #[error("the tuning failed after {} games", .found.games())]
    Broken {
        /// The earlier results.
        found: Box<Tuning>,
        /// The reason.
        source: Box<TuningError>,
    },
}

ramure::debug_as_sentence!(TuningError);

impl Row {
    fn of<G: GameState>(agent: &Recipe<G>) -> Self {
        Row { agent: agent.name().to_owned(), ..Row::default() }
    }

    /// The score, or less than any score if the agent has not played.
    fn mean(&self) -> f64 {
        self.score.map_or(-1.0, |score| score.value)
    }
}

impl Tuning {
    fn of<G: GameState>(reference: &Recipe<G>, agents: &[Recipe<G>]) -> Self {
        let rows = agents.iter().map(Row::of).collect();
        Tuning { reference: reference.name().to_owned(), rows, ..Tuning::default() }
    }

    /// Adds how the games ended.
    fn ended<G: GameState + Sync>(mut self, arena: Arena<'_, G>) -> Result<Self, TuningError> {
        if arena.is_stopped {
            self.end = End::Stopped;
        }
        match arena.failure {
            None => Ok(self),
            Some(error) if self.games() == 0 => Err(error),
            Some(error) => Err(TuningError::Broken { found: Box::new(self), source: Box::new(error) }),
        }
    }

    /// Returns the best agent over all games but the fresh ones.
    pub fn best(&self) -> &Row {
        &self.rows[self.best]
    }

    /// Returns the difference between the best agent's score and this one.
    pub fn lead_over(&self, row: &Row) -> Option<Estimate> {
        Some(self.best().score?.minus(row.score?))
    }

    /// Returns the agents that these games cannot distinguish from the best one: the 95 % interval of the
    /// difference contains zero.
    pub fn as_good(&self) -> impl Iterator<Item = &Row> {
        let others = self.rows.iter().filter(|row| !core::ptr::eq(*row, self.best()));
        others.filter(|row| self.lead_over(row).is_none_or(|lead| lead.low <= 0.0))
    }

    /// Returns the fresh games of a value.
    pub fn fresh_of(&self, value: f64) -> Option<&Row> {
        self.fresh.iter().find(|row| row.value == Some(value))
    }

    /// Returns the number of all games, including the fresh ones.
    pub fn games(&self) -> u64 {
        let rows = self.rows.iter().chain(&self.fresh);
        let searched = self.searched.map_or(0, |(_, games)| games);
        searched + rows.map(|row| u64::from(row.tally.games())).sum::<u64>()
    }
}
