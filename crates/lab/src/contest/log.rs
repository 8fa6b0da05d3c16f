//! The results file of a running contest: one line of JSON per game.

use super::claim::{Replacement, claim, create_beside, lock};
use super::error::{ContestError, failure};
use super::plan::Plan;
use super::record::{Record, ReplayError};
use super::referee::message;
use super::results_file::{IfThere, ResultsFile, SetAside, Unsorted};
use ramure::game::GameState;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

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

    /// The first difference, as a name, the value in the file and the value asked for. Asking for more games is not a
    /// difference.
    pub fn difference(&self, asked: &Head) -> Option<(&'static str, String, String)> {
        let text = |text: &dyn core::fmt::Debug| format!("{text:?}");
        let pair = |what, file: &dyn core::fmt::Debug, asked: &dyn core::fmt::Debug| {
            let (file, asked) = (text(file), text(asked));
            (file != asked).then_some((what, file, asked))
        };
        pair("the version of the format", &self.ramure_contest, &asked.ramure_contest)
            .or_else(|| pair("the kind of contest", &self.kind, &asked.kind))
            .or_else(|| pair("the game", &self.game, &asked.game))
            .or_else(|| pair("the agents", &self.agents, &asked.agents))
            .or_else(|| {
                (self.games > asked.games)
                    .then(|| ("the number of games", text(&self.games), text(&asked.games)))
            })
            .or_else(|| pair("the number of actions of an opening", &self.opening, &asked.opening))
            .or_else(|| pair("the seed", &self.seed, &asked.seed))
    }
}

/// A results file that is being written.
pub struct Log {
    path: PathBuf,
    file: File,
    /// Files that were replaced. Their locks are kept, because another contest may have opened one just before.
    replaced: Vec<File>,
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
        let (path, file) = claim(results, || ())?;
        let mut log = Log { path, file, replaced: Vec::new(), head, set_aside: None };
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
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes).map_err(failure(&self.path, "read"))?;
        if line(&self.path, &self.head)?.as_bytes().starts_with(&bytes) {
            return Ok(()); // it ended before its first line was finished
        }
        let mut lines = bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
        let head = lines.next().and_then(|(_, first)| serde_json::from_slice::<Head>(first).ok());
        let Some(head) = head else { return Err(ContestError::NotResults(self.path.clone())) };
        if let Some((what, file, asked)) = head.difference(&self.head) {
            return Err(ContestError::OtherContest { path: self.path.clone(), what, file, asked });
        }
        let mut unreadable = Vec::new();
        for (index, line) in lines {
            let record = serde_json::from_slice::<Record>(line).ok();
            let place = record.as_ref().and_then(|record| place_of(record, plan));
            let (Some(record), Some(number)) = (record, place) else {
                unreadable.extend_from_slice(line);
                unreadable.push(b'\n');
                continue;
            };
            check(&record, plan)?.map_err(|source| ContestError::OtherRules {
                path: self.path.clone(),
                line: index + 1,
                source,
            })?;
            games.insert(number, record);
        }
        if !unreadable.is_empty() {
            self.put_aside(&unreadable)?;
        }
        Ok(())
    }

    fn put_aside(&mut self, lines: &[u8]) -> Result<(), ContestError> {
        let end = |number| if number == 1 { ".aside".to_owned() } else { format!(".aside-{number}") };
        let (path, mut file) =
            create_beside(&self.path, end).map_err(failure(&self.path, "set aside lines of"))?;
        file.write_all(lines).map_err(failure(&path, "write to"))?;
        let lines = lines.iter().filter(|&&byte| byte == b'\n').count();
        self.set_aside = Some(SetAside { lines, path });
        Ok(())
    }

    /// Appends a game that ended.
    pub fn append(&mut self, record: &Record) -> Result<(), ContestError> {
        // One write, so that a crash leaves at most the last line unfinished.
        let text = line(&self.path, record)?;
        self.file.write_all(text.as_bytes()).map_err(failure(&self.path, "write to"))
    }

    /// Replaces the file atomically by a new one with these games, so that a complete file exists at every moment.
    fn rewrite<'a>(&mut self, records: impl Iterator<Item = &'a Record>) -> Result<(), ContestError> {
        let (new, file) =
            Replacement::create(&self.path).map_err(failure(&self.path, "write a new file beside"))?;
        let mut writer = BufWriter::new(file);
        let mut write =
            |line: String| writer.write_all(line.as_bytes()).map_err(failure(new.path(), "write to"));
        write(line(&self.path, &self.head)?)?;
        for record in records {
            write(line(&self.path, record)?)?;
        }
        let file =
            writer.into_inner().map_err(|error| failure(new.path(), "write to")(error.into_error()))?;
        // The lines must be on the disk before the name is.
        file.sync_all().map_err(failure(new.path(), "write to"))?;
        lock(&self.path, &file)?;
        new.place(&self.path).map_err(failure(&self.path, "replace"))?;
        self.replaced.push(core::mem::replace(&mut self.file, file));
        Ok(())
    }

    /// Sorts the games. If that fails, no game is lost: each was written when it ended.
    pub fn close<'a>(
        mut self,
        records: impl Iterator<Item = &'a Record>,
    ) -> (Option<SetAside>, Option<Unsorted>) {
        let unsorted = self.rewrite(records).err().map(|error| {
            let kind = match error {
                ContestError::File { source, .. } => source.kind(),
                _ => io::ErrorKind::Other,
            };
            Unsorted { path: self.path.clone(), kind }
        });
        (self.set_aside, unsorted)
    }
}

fn line(path: &Path, what: &impl Serialize) -> Result<String, ContestError> {
    let mut text = serde_json::to_string(what).map_err(|error| failure(path, "write to")(error.into()))?;
    text.push('\n');
    Ok(text)
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

/// Checks that a record can be replayed under the rules and conditions of the plan. A game that panics is an error,
/// not a panic.
fn check<G: GameState>(record: &Record, plan: &Plan<'_, G>) -> Result<Result<(), ReplayError>, ContestError> {
    if record.opening != plan.conditions.opening {
        return Ok(Err(ReplayError::OtherOpening));
    }
    catch_unwind(AssertUnwindSafe(|| record.replay(plan.start).map(drop)))
        .map_err(|panic| ContestError::GamePanicked(message(&*panic)))
}
