//! The games of a tuning: agents against the reference, kept in a file.

use super::{Effort, Row, TuningError};
use crate::Recipe;
use crate::contest::{
    Conditions, ContestError, Ended, Estimate, Progress, Record, Sweep, SweepPoint, SweepResult, Tally,
};
use crate::lines::{self, IfThere, Lines};
use crate::ranks::{cores, on_first};
use core::time::Duration;
use ramure::{GameState, Rng, StopHandle};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// How the games of a tuning are played.
///
/// ```
/// use ramure_lab::tuning::Playing;
/// let playing = Playing { seed: 7, progress: true, ..Playing::default() };
/// assert_eq!(playing.openings, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Playing {
    /// The random actions at the start of a game. Each opening is played from both seats.
    pub openings: u32,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads, which changes only the time.
    pub threads: usize,
    /// Stops the tuning, which then returns what it found so far.
    pub stop: StopHandle,
    /// Whether to show the progress on a terminal.
    pub progress: bool,
    /// The file that keeps the games, and what to do if it is there.
    pub file: Option<(PathBuf, IfThere)>,
}

impl Default for Playing {
    fn default() -> Self {
        let (stop, threads) = (StopHandle::default(), cores());
        Playing { openings: 2, seed: 0, threads, stop, progress: false, file: None }
    }
}

/// The games of a contest are played in pieces of at most about so many, each a line of the file.
const PIECE: usize = 64;

/// Plays agents against a reference.
pub(super) struct Arena<'a, G: GameState> {
    start: &'a G,
    reference: &'a Recipe<G>,
    playing: &'a Playing,
    seeds: Rng,
    file: Option<Lines>,
    /// The pieces of the file that were not yet asked for.
    known: VecDeque<Piece>,
    bar: Progress,
    /// All games, also those of the file, and their time.
    pub games: u64,
    time: Duration,
    effort: Effort,
    /// Whether the tuning was stopped, or failed.
    pub is_stopped: bool,
    pub failure: Option<TuningError>,
}

/// The first line of a file: what was tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Head {
    ramure_tuning: u32,
    of: String,
    reference: String,
    openings: u32,
    seed: u64,
}

/// Some games of each of some agents, all with the same openings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Piece {
    agents: Vec<String>,
    games: u32,
    results: Vec<Games>,
    time: Duration,
}

/// The games of an agent.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(super) struct Games {
    /// Wins, draws and losses.
    tally: [u32; 3],
    /// The scores in the games of each opening.
    pub pairs: Vec<Vec<f64>>,
    /// The reason for each forfeited game.
    forfeits: Vec<String>,
}

impl Row {
    /// Adds games of this row's agent.
    pub(super) fn add(&mut self, games: &Games) {
        let [wins, draws, losses] = games.tally;
        self.tally.wins += wins;
        self.tally.draws += draws;
        self.tally.losses += losses;
        self.forfeits.extend(games.forfeits.iter().cloned());
        self.pairs.extend(games.pairs.iter().cloned());
        self.score = Estimate::score(&self.pairs);
    }
}

impl<'a, G: GameState + Sync> Arena<'a, G> {
    /// Opens the file, and reads the games that it has. `of` says what is tuned.
    pub fn open(
        start: &'a G,
        reference: &'a Recipe<G>,
        playing: &'a Playing,
        of: String,
        effort: Effort,
    ) -> Result<Self, ContestError> {
        let (openings, seed, name) = (playing.openings, playing.seed, reference.name().to_owned());
        let head = Head { ramure_tuning: 1, of, reference: name, openings, seed };
        let mut file = None;
        let known = on_first("the file of a tuning", || {
            let Some((path, if_there)) = &playing.file else { return Ok(Vec::new()) };
            let mut lines = Lines::open(path, *if_there)?;
            let resumes = *if_there == IfThere::Resume;
            let known = if resumes { read(&lines.read()?, &head, path)? } else { Vec::new() };
            lines.replace(|file| {
                lines::write(file, &head)?;
                known.iter().try_for_each(|piece| lines::write(file, piece))
            })?;
            file = Some(lines);
            Ok::<Vec<Piece>, ContestError>(known)
        })?;
        let bar = match effort {
            Effort::Games(games) => Progress::new(playing.progress, "games", games, 0),
            Effort::Time(time) => Progress::new(playing.progress, "seconds", time.as_secs(), 0),
        };
        let seeds = Rng::seeded(playing.seed);
        let (known, time, is_stopped) = (known.into(), Duration::ZERO, false);
        Ok(Arena {
            start,
            reference,
            playing,
            seeds,
            file,
            known,
            bar,
            games: 0,
            time,
            effort,
            is_stopped,
            failure: None,
        })
    }

    /// A seed for random numbers other than those of games.
    pub fn seed(&mut self) -> u64 {
        self.seeds.bits()
    }

    /// The share of the effort that is spent.
    pub fn spent(&self) -> f64 {
        match self.effort {
            Effort::Games(games) => self.games as f64 / games as f64,
            Effort::Time(time) => self.time.as_secs_f64() / time.as_secs_f64(),
        }
    }

    /// The even number of games of each of some agents that this share of the effort pays for, as far as is
    /// known, and at least 2.
    pub fn even_games_for(&self, share: f64, agents: usize) -> u32 {
        let games = match self.effort {
            Effort::Games(games) => games as f64 * share,
            Effort::Time(_) => self.games as f64 / self.spent() * share,
        };
        // Conversions of floats saturate.
        ((games / agents as f64 / 2.0) as u32).clamp(1, u32::MAX / 4) * 2
    }

    /// Plays this even number of games of each agent against the reference, all from the same openings, and
    /// gives their results to `add`. Ends early if so much of the effort is `spent`, if the tuning is
    /// stopped, and if a game or the reference fails.
    pub fn play(&mut self, agents: &[Recipe<G>], games: u32, spent: f64, mut add: impl FnMut(usize, &Games)) {
        let most = 2 * (PIECE / 2 / agents.len()).max(1) as u32;
        let mut left = games;
        while left > 0 && !self.is_stopped {
            let piece = match self.piece(agents, left.min(most)) {
                Ok(piece) => piece,
                Err(error) => {
                    (self.failure, self.is_stopped) = (Some(error), true);
                    break;
                }
            };
            left -= piece.games;
            self.time += piece.time;
            for (index, games) in piece.results.iter().enumerate() {
                self.games += games.pairs.iter().map(|pair| pair.len() as u64).sum::<u64>();
                add(index, games);
            }
            self.bar.at(if let Effort::Time(_) = self.effort { self.time.as_secs() } else { self.games });
            if self.spent() >= spent {
                break;
            }
        }
    }

    /// Plays a piece, or takes it from the file.
    fn piece(&mut self, agents: &[Recipe<G>], games: u32) -> Result<Piece, TuningError> {
        let seed = self.seeds.bits();
        let names: Vec<String> = agents.iter().map(|agent| agent.name().to_owned()).collect();
        if let (Some(piece), Some((path, _))) = (self.known.pop_front(), &self.playing.file) {
            if (piece.games, &piece.agents) == (games, &names) {
                return Ok(piece);
            }
            let [file, asked] = [(piece.games, piece.agents), (games, names)].map(|line| format!("{line:?}"));
            let what = "games of a line";
            return Err(ContestError::OtherContest { path: path.clone(), what, file, asked }.into());
        }
        let conditions = Conditions::games(games).openings(self.playing.openings).seed(seed);
        let conditions = conditions.threads(self.playing.threads).stop_handle(self.playing.stop.clone());
        let numbers: Vec<f64> = (0..agents.len()).map(|number| number as f64).collect();
        let result =
            Sweep::new(self.start.clone(), "setting", numbers, |number| agents[number as usize].clone())
                .against([self.reference.clone()])
                .run(&conditions)?;
        // The reference moves first in every second game, so it meets every fault of the game itself.
        for reference in result.points.iter().map(|point| &point.standings[1]) {
            if reference.forfeits.len() > reference.losses_on_time as usize {
                let (reference, reason) = (reference.name.clone(), reference.forfeits[0].clone());
                return Err(TuningError::Reference { reference, reason });
            }
        }
        let piece = Piece { agents: names, games, results: games_of(&result), time: result.played.time };
        if result.played.ended == Ended::Stopped {
            // Not in the file: if the tuning is resumed, it is played again.
            self.is_stopped = true;
        } else if let Some(file) = &mut self.file {
            file.append(&piece).map_err(ContestError::from)?;
        }
        Ok(piece)
    }
}

/// Reads the pieces of a file. A last line that a crash cut off is played again.
fn read(bytes: &[u8], head: &Head, path: &Path) -> Result<Vec<Piece>, ContestError> {
    let mut lines = lines::split(bytes).peekable();
    let not_results = || ContestError::NotResults(path.to_owned());
    let Some((_, first)) = lines.next() else { return Ok(Vec::new()) };
    let there: Head = match serde_json::from_slice(first) {
        Ok(there) => there,
        Err(_) if lines.peek().is_none() && !bytes.ends_with(b"\n") => return Ok(Vec::new()),
        Err(_) => return Err(not_results()),
    };
    if there != *head {
        let [file, asked] = [&there, head].map(|head| format!("{head:?}"));
        return Err(ContestError::OtherContest { path: path.to_owned(), what: "what is tuned", file, asked });
    }
    let mut known = Vec::new();
    while let Some((_, line)) = lines.next() {
        match serde_json::from_slice(line) {
            Ok(piece) => known.push(piece),
            Err(_) if lines.peek().is_none() => {}
            Err(_) => return Err(not_results()),
        }
    }
    Ok(known)
}

/// The games of each agent of a sweep.
fn games_of(result: &SweepResult) -> Vec<Games> {
    let of_agent = |(index, point): (usize, &SweepPoint)| {
        let Tally { wins, draws, losses } = point.agent().tally;
        let records = result.played.records.iter().filter(|record| record.pairing as usize == index);
        let pairs = Vec::from_iter(records);
        // In a sweep, the agents of the values come first.
        let reward = |record: &&Record| {
            record.seats.iter().position(|&agent| agent == index).map(|seat| record.rewards[seat])
        };
        let pairs = pairs.chunk_by(|a, b| a.game / 2 == b.game / 2);
        let pairs = pairs.map(|pair| pair.iter().filter_map(reward).collect()).collect();
        Games { tally: [wins, draws, losses], pairs, forfeits: point.agent().forfeits.clone() }
    };
    result.points.iter().enumerate().map(of_agent).collect()
}
