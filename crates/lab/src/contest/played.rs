//! The games of a contest.

use super::record::Record;
use super::results_file::{SetAside, Unsorted};
use core::fmt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Duration;

/// The games of a contest, and how it ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlayedGames {
    /// All games, group by group, and in each group pairing by pairing.
    pub records: Vec<Record>,
    /// Why the contest ended.
    pub ended: Ended,
    /// The number of games taken from the results file.
    pub resumed: usize,
    /// The lines of the results file that could not be read. Only the first rank knows them.
    #[serde(skip)]
    pub set_aside: Option<SetAside>,
    /// The results file, if its games could not be sorted. Only the first rank knows it.
    #[serde(skip)]
    pub unsorted: Option<Unsorted>,
    /// The running time of the contest, without earlier runs that it resumed.
    pub time: Duration,
}

/// Why a contest ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Ended {
    /// All games were played.
    Played,
    /// The stop handle was used.
    Stopped,
    /// The sequential test reached a verdict.
    Decided,
    /// The sequential test has no verdict yet, and no more games can be kept.
    Full,
}

impl PlayedGames {
    /// Returns the number of games that differ in an action or a seat. If they are few, the intervals are too
    /// narrow, because repeating a game gives no new information.
    pub fn different(&self) -> usize {
        self.records.iter().map(course).collect::<BTreeSet<_>>().len()
    }
}

fn course(record: &Record) -> (u32, &[usize], &[u32]) {
    (record.pairing, &record.seats, &record.actions)
}

impl fmt::Display for PlayedGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games", self.records.len())?;
        let different = self.different();
        if different < self.records.len() / 2 {
            write!(
                f,
                ", only {different} of them different (the intervals count all of them; use random openings)"
            )?;
        }
        if self.resumed > 0 {
            write!(f, ", {} of them from the results file", self.resumed)?;
        }
        f.write_str(match self.ended {
            Ended::Played => "",
            Ended::Stopped => ", stopped before the end",
            Ended::Decided => ", decided by the sequential test",
            Ended::Full => ", the most that can be kept",
        })?;
        if let Some(set_aside) = &self.set_aside {
            write!(f, "\n{set_aside}")?;
        }
        self.unsorted.as_ref().map_or(Ok(()), |unsorted| write!(f, "\n{unsorted}"))
    }
}
