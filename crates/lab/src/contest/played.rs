//! What was played in a contest.

use super::record::Record;
use super::results_file::{SetAside, Unsorted};
use core::fmt;
use std::collections::BTreeSet;
use std::time::Duration;

/// The games of a contest, and how it went.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// All games, group by group, in each group pairing by pairing.
    pub records: Vec<Record>,
    /// Why it ended.
    pub ended: Ended,
    /// How many games were taken from the results file.
    pub resumed: usize,
    /// What of the results file could not be read.
    pub set_aside: Option<SetAside>,
    /// Whether the games could not be put in order in the results file.
    pub unsorted: Option<Unsorted>,
    /// How long it took, this time.
    pub time: Duration,
}

/// Why a contest ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Ended {
    /// All games are played.
    Played,
    /// Its stop handle was used.
    Stopped,
    /// The sequential test has its answer.
    Decided,
    /// The sequential test has no answer yet, and no more games can be kept.
    Full,
}

impl Played {
    /// How many of the games differ in an action or a seat. Where they are few, the intervals claim too much: a game played
    /// twice says no more than once.
    pub fn different(&self) -> usize {
        self.records.iter().map(what_was_played).collect::<BTreeSet<_>>().len()
    }
}

fn what_was_played(record: &Record) -> (u32, &[usize], &[u32]) {
    (record.pairing, &record.seats, &record.actions)
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games", self.records.len())?;
        let different = self.different();
        if different < self.records.len() / 2 {
            write!(
                f,
                ", but only {different} different ones (the intervals count all; random openings help)"
            )?;
        }
        if self.resumed > 0 {
            write!(f, ", {} of them from the results file", self.resumed)?;
        }
        f.write_str(match self.ended {
            Ended::Played => "",
            Ended::Stopped => ", stopped before the end",
            Ended::Decided => ", enough to decide",
            Ended::Full => ", no more can be kept",
        })?;
        if let Some(set_aside) = &self.set_aside {
            write!(f, "\n{set_aside}")?;
        }
        self.unsorted.as_ref().map_or(Ok(()), |unsorted| write!(f, "\n{unsorted}"))
    }
}
