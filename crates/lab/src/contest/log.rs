//! The results file of a running contest: one line of JSON per game.

use super::error::ContestError;
use super::plan::Plan;
use super::record::{Record, ReplayError};
use super::referee::message;
use super::results_file::{ResultsFile, SetAside, Unsorted};
use crate::lines::{self, FileError, IfThere, Lines};
use core::fmt::Debug;
use ramure::GameState;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The first line of a results file: the description of the contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The version of the format.
    ramure_contest: u32,
    kind: String,
    game: String,
    agents: Vec<String>,
    games: u32,
    opening: u32,
    seed: u64,
}

impl Head {
    pub fn of<G: GameState>(plan: &Plan<'_, G>) -> Self {
        Head {
            ramure_contest: 1,
            kind: plan.kind.clone(),
            game: plan.game(),
            agents: plan.agents.iter().map(|agent| agent.name().to_owned()).collect(),
            games: plan.conditions.games,
            opening: plan.conditions.opening,
            seed: plan.conditions.seed,
        }
    }

    /// The first difference, as a name, the value in the file and the value asked for. Asking for more games
    /// is not a difference.
    pub fn difference(&self, asked: &Head) -> Option<(&'static str, String, String)> {
        fn pair(what: &'static str, file: impl Debug, asked: impl Debug) -> (&'static str, String, String) {
            (what, format!("{file:?}"), format!("{asked:?}"))
        }
        let pairs = [
            pair("the version of the format", self.ramure_contest, asked.ramure_contest),
            pair("the kind of contest", &self.kind, &asked.kind),
            pair("the game", &self.game, &asked.game),
            pair("the agents", &self.agents, &asked.agents),
            pair("the number of games", self.games.max(asked.games), asked.games),
            pair("the number of actions of an opening", self.opening, asked.opening),
            pair("the seed", self.seed, asked.seed),
        ];
        pairs.into_iter().find(|(_, file, asked)| file != asked)
    }
}

/// A results file that is being written.
pub struct Log {
    lines: Lines,
    head: Head,
    set_aside: Option<SetAside>,
}

impl Log {
    /// Opens the file, and reads its games into `games`.
    pub fn open<G: GameState>(
        results: &ResultsFile,
        head: Head,
        plan: &Plan<'_, G>,
        games: &mut BTreeMap<usize, Record>,
    ) -> Result<Log, ContestError> {
        let lines = Lines::open(&results.path, results.if_there)?;
        let mut log = Log { lines, head, set_aside: None };
        if results.if_there == IfThere::Resume {
            log.resume(plan, games)?;
        }
        log.rewrite(games.values())?;
        Ok(log)
    }

    /// Reads the games of the file.
    fn resume<G: GameState>(
        &mut self,
        plan: &Plan<'_, G>,
        games: &mut BTreeMap<usize, Record>,
    ) -> Result<(), ContestError> {
        let bytes = self.lines.read()?;
        let path = || self.lines.path().to_owned();
        let mut first = Vec::new();
        // The head is plain data, which JSON can hold.
        lines::write(&mut first, &self.head).map_err(lines::failure(self.lines.path(), "write to"))?;
        if first.starts_with(&bytes) {
            return Ok(()); // it ended before its first line was finished
        }
        let mut all = lines::split(&bytes);
        let head = all.next().and_then(|(_, first)| serde_json::from_slice::<Head>(first).ok());
        let Some(head) = head else { return Err(ContestError::NotResults(path())) };
        if let Some((what, file, asked)) = head.difference(&self.head) {
            return Err(ContestError::OtherContest { path: path(), what, file, asked });
        }
        let (mut unreadable, mut count) = (Vec::new(), 0);
        for (number, line) in all {
            let record = serde_json::from_slice::<Record>(line).ok();
            let place = record.as_ref().and_then(|record| place_of(record, plan));
            let (Some(record), Some(place)) = (record, place) else {
                unreadable.extend_from_slice(line);
                unreadable.push(b'\n');
                count += 1;
                continue;
            };
            let replayed = check(&record, plan)?;
            replayed.map_err(|source| ContestError::OtherRules { path: path(), line: number, source })?;
            games.insert(place, record);
        }
        if count > 0 {
            self.set_aside = Some(SetAside { lines: count, path: self.lines.set_aside(&unreadable)? });
        }
        Ok(())
    }

    /// Appends a game that ended.
    pub fn append(&mut self, record: &Record) -> Result<(), ContestError> {
        Ok(self.lines.append(record)?)
    }

    /// Replaces the file by a new one with these games.
    fn rewrite<'a>(&mut self, mut records: impl Iterator<Item = &'a Record>) -> Result<(), FileError> {
        self.lines.replace(|file| {
            lines::write(file, &self.head)?;
            records.try_for_each(|record| lines::write(file, record))
        })
    }

    /// Sorts the games. If that fails, no game is lost: each was written when it ended.
    pub fn close<'a>(
        mut self,
        records: impl Iterator<Item = &'a Record>,
    ) -> (Option<SetAside>, Option<Unsorted>) {
        let unsorted = self.rewrite(records).err().map(|error| {
            let kind = match error {
                FileError::System { source, .. } => source.kind(),
                _ => io::ErrorKind::Other,
            };
            Unsorted { path: self.lines.path().to_owned(), kind }
        });
        (self.set_aside, unsorted)
    }
}

/// The number of a game in the plan, if the plan has that game with these agents.
fn place_of<G: GameState>(record: &Record, plan: &Plan<'_, G>) -> Option<usize> {
    let (pairing, game) = (record.pairing as usize, record.game as usize);
    if pairing >= plan.pairings.len() || game >= plan.conditions.games as usize {
        return None;
    }
    let whole = record.rewards.iter().all(|reward| (0.0..=1.0).contains(reward))
        && [record.rewards.len(), record.choices.len(), record.seconds.len()] == [plan.seats(); 3];
    let number = plan.number(pairing, game);
    (whole && plan.job(number).seats == record.seats).then_some(number)
}

/// Checks that a record can be replayed under the rules and conditions of the plan. A game that panics is an
/// error, not a panic.
fn check<G: GameState>(record: &Record, plan: &Plan<'_, G>) -> Result<Result<(), ReplayError>, ContestError> {
    if record.opening != plan.conditions.opening {
        return Ok(Err(ReplayError::OtherOpening));
    }
    catch_unwind(AssertUnwindSafe(|| record.replay(plan.start).map(drop)))
        .map_err(|panic| ContestError::GamePanicked(message(&*panic)))
}
