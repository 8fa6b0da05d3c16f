//! What was played in a contest.

use super::record::Record;
use super::results_file::SetAside;
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
}

impl Played {
    /// How many of the games differ in an action or a seat. Where they are few, the intervals claim too much: a game played
    /// twice says no more than once.
    pub fn different(&self) -> usize {
        let game = |record: &Record| (record.pairing, record.seats.clone(), record.actions.clone());
        self.records.iter().map(game).collect::<BTreeSet<_>>().len()
    }
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
        })?;
        match &self.set_aside {
            Some(set_aside) => write!(f, "\n{set_aside}"),
            None => Ok(()),
        }
    }
}
