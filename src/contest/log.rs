//! The results file of a contest under way: a line of JSON for each game.

use super::error::ContestError;
use super::plan::Plan;
use super::record::Record;
use super::results_file::{IfThere, ResultsFile, SetAside};
use crate::game::GameState;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The first line of a results file: which contest it is.
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

    /// What differs, as the file has it and as it is asked for. More games may be asked for.
    fn difference(&self, asked: &Head) -> Option<(&'static str, String, String)> {
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
            .or_else(|| pair("the actions of an opening", &self.opening, &asked.opening))
            .or_else(|| pair("the seed", &self.seed, &asked.seed))
    }
}

/// A results file that is being written.
pub struct Log {
    path: PathBuf,
    file: File,
    head: Head,
    set_aside: Option<SetAside>,
}

/// What goes wrong with a file, as an error of ours.
fn failure<'a>(path: &'a Path, doing: &'static str) -> impl FnOnce(io::Error) -> ContestError + 'a {
    move |source| ContestError::File { path: path.to_owned(), doing, source }
}

impl Log {
    /// Opens the file and puts the games it has into their places in `games`.
    pub fn open<G: GameState>(
        results: &ResultsFile,
        head: Head,
        plan: &Plan<'_, G>,
        games: &mut BTreeMap<usize, Record>,
    ) -> Result<Log, ContestError> {
        let path = results.path.clone();
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        match results.if_there {
            IfThere::Refuse => options.create_new(true),
            IfThere::Resume | IfThere::Replace => options.create(true),
        };
        let file = options.open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ContestError::FileExists(path.clone()),
            _ => failure(&path, "open")(error),
        })?;
        // So that a link stays one, and the file it leads to is replaced.
        let path = fs::canonicalize(&path).map_err(failure(&path, "open"))?;
        if !file.metadata().is_ok_and(|data| data.is_file()) {
            return Err(failure(&path, "write games to")(io::Error::other("it is not a regular file")));
        }
        lock(&path, &file)?;
        let mut log = Log { path, file, head, set_aside: None };
        if results.if_there == IfThere::Resume {
            log.resume(plan, games)?;
        }
        log.rewrite(games.values())?;
        Ok(log)
    }

    /// Reads what the file has.
    fn resume<G: GameState>(
        &mut self,
        plan: &Plan<'_, G>,
        games: &mut BTreeMap<usize, Record>,
    ) -> Result<(), ContestError> {
        let bytes = fs::read(&self.path).map_err(failure(&self.path, "read"))?;
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
            record.replay(plan.start).map_err(|source| ContestError::OtherRules {
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
        let mut name = self.path.clone().into_os_string();
        name.push(".aside");
        let path = PathBuf::from(name);
        let written = OpenOptions::new().create(true).append(true).open(&path);
        written.and_then(|mut file| file.write_all(lines)).map_err(failure(&path, "write to"))?;
        let lines = lines.iter().filter(|&&byte| byte == b'\n').count();
        self.set_aside = Some(SetAside { lines, path });
        Ok(())
    }

    /// A game is over.
    pub fn append(&mut self, record: &Record) -> Result<(), ContestError> {
        // In one go, so that a crash leaves at most the last line unfinished.
        let text = line(&self.path, record)?;
        self.file.write_all(text.as_bytes()).map_err(failure(&self.path, "write to"))
    }

    /// A new file, with these games, takes the place of the old one at once: there is always a whole one.
    fn rewrite<'a>(&mut self, records: impl Iterator<Item = &'a Record>) -> Result<(), ContestError> {
        let mut text = line(&self.path, &self.head)?;
        for record in records {
            text += &line(&self.path, record)?;
        }
        let mut name = self.path.clone().into_os_string();
        name.push(".new");
        let new = PathBuf::from(name);
        let mut options = OpenOptions::new();
        let opened = options.write(true).create(true).truncate(true).open(&new);
        let written = opened.and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?; // the name must not be on the disk before the lines are
            Ok(file)
        });
        let file = written.map_err(failure(&new, "write to"))?;
        lock(&self.path, &file)?;
        fs::rename(&new, &self.path).map_err(failure(&self.path, "replace"))?;
        self.file = file; // only now the old one is let go
        Ok(())
    }

    /// Puts the games in order.
    pub fn close<'a>(
        mut self,
        records: impl Iterator<Item = &'a Record>,
    ) -> Result<Option<SetAside>, ContestError> {
        self.rewrite(records)?;
        Ok(self.set_aside)
    }
}

/// Keeps other contests away from the file.
fn lock(path: &Path, file: &File) -> Result<(), ContestError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ContestError::FileInUse(path.to_owned())),
        // Where a file system knows no locks, we do without.
        _ => Ok(()),
    }
}

fn line(path: &Path, what: &impl Serialize) -> Result<String, ContestError> {
    let mut text = serde_json::to_string(what).map_err(|error| failure(path, "write to")(error.into()))?;
    text.push('\n');
    Ok(text)
}

/// The number of a game in the plan, if it is one of the plan's, played by whom the plan says.
fn place_of<G: GameState>(record: &Record, plan: &Plan<'_, G>) -> Option<usize> {
    let (pairing, game) = (record.pairing as usize, record.game as usize);
    if pairing >= plan.pairings.len() || game >= plan.conditions.games as usize {
        return None;
    }
    let players = usize::from(plan.start.players());
    let whole = record.rewards.iter().all(|reward| (0.0..=1.0).contains(reward))
        && [record.rewards.len(), record.choices.len(), record.seconds.len()] == [players; 3];
    let number = plan.number(pairing, game);
    (whole && plan.job(number).seats == record.seats).then_some(number)
}
