//! The best value of a parameter against a reference, by successive halving (Jamieson and Talwalkar 2016, figure 3).
//!
//! In each round, every remaining value plays the reference, all from the same openings. Then the weaker half is dropped.
//! All rounds have about the same number of games, so with half the values left, each plays twice as many. A value's score
//! covers all its games. The score of the best of many values is biased upwards, so tuning ends with fresh games, which do
//! not influence the choice.

use super::{Failure, statistics};
use crate::Recipe;
use crate::contest::{
    Conditions, ContestError, Ended, Estimate, MOST_GAMES, Record, Sweep, SweepResult, Tally,
};
use ramure::{GameState, Rng, StopHandle};
use std::f64::consts::SQRT_2;
use std::fmt;

/// Exploration constants from 0.02 to 2, two for each factor of two, including sqrt 2.
pub const EXPLORATION_CONSTANTS: [f64; 14] =
    [0.022, 0.031, 0.044, 0.0625, 0.088, 0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1.0, SQRT_2, 2.0];

/// The settings of a tuning.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The games of each value in the first round, an even number.
    pub games: u32,
    /// The number of values, at least 2, at which halving stops.
    pub left: usize,
    /// The most games of all values together. A round that would exceed it does not start; the first round must fit.
    pub most_games: u64,
    /// The fresh games for each final figure, an even number.
    pub fresh_games: u32,
    /// The random actions at the start of a game. Each opening is played from both seats.
    pub openings: u32,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads, which changes only the time.
    pub threads: usize,
    /// Stops the tuning, which then returns the results so far.
    pub stop: StopHandle,
    /// Whether to show the progress on a terminal.
    pub progress: bool,
}

/// A value, and the agent that uses it.
#[derive(Clone, Debug)]
pub struct Candidate<G: GameState> {
    pub value: f64,
    pub agent: Recipe<G>,
}

/// The result of a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub value: f64,
    pub agent: String,
    pub tally: Tally,
    /// The score over all games of the value; `None` if there are none.
    pub score: Option<Estimate>,
    /// The round, from 1, after which the value was dropped; `None` if it never was.
    pub dropped: Option<usize>,
    /// The reason for each forfeited game.
    pub forfeits: Vec<String>,
    /// The scores in the games of each opening.
    pairs: Vec<Vec<f64>>,
}

/// The result of a tuning.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// The name of the tuned parameter.
    pub parameter: String,
    /// The agent that all values played against.
    pub reference: String,
    /// The values in ascending order, with all games but the fresh ones.
    pub rows: Vec<Row>,
    /// The index of the row with the greatest score among those that were not dropped.
    pub best: usize,
    /// The number of values in each round.
    pub rounds: Vec<usize>,
    /// The fresh games of the best value and of the additional value, if there is one.
    pub fresh: Vec<Row>,
    pub end: End,
}

/// The reason why no further round was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Few values are left.
    Few,
    /// The next round would have exceeded the limit of games.
    Spent,
    /// The stop handle was used.
    Stopped,
}

/// Finds the best of the `candidates` against `reference`. Also plays fresh games for the value `also`, if it is given.
///
/// # Errors
///
/// Returns an error if there are fewer than two values, a value appears twice, or a setting is out of range; and the errors of
/// [`Sweep::run`](crate::contest::Sweep::run).
pub fn tune<G: GameState + Sync>(
    start: &G,
    parameter: &str,
    mut candidates: Vec<Candidate<G>>,
    also: Option<Candidate<G>>,
    reference: &Recipe<G>,
    settings: &Settings,
) -> Result<Tuning, Failure> {
    candidates.sort_by(|a, b| a.value.total_cmp(&b.value));
    check(&candidates, settings)?;
    let mut seeds = Rng::seeded(settings.seed);
    let mut play = |values: &[Candidate<G>], games: u32| {
        let conditions = Conditions::games(games)
            .openings(settings.openings)
            .seed(seeds.bits())
            .threads(settings.threads)
            .stop_handle(settings.stop.clone());
        let conditions = if settings.progress { conditions.progress() } else { conditions };
        let mut agents = values.iter().map(|candidate| candidate.agent.clone());
        // The sweep asks once for each value.
        let next = |_| agents.next().unwrap_or_else(|| reference.clone());
        let of_values: Vec<f64> = values.iter().map(|candidate| candidate.value).collect();
        Sweep::new(start.clone(), parameter, of_values, next).against([reference.clone()]).run(&conditions)
    };

    let mut rows: Vec<Row> = candidates.iter().map(Row::of).collect();
    // The remaining values, best first.
    let mut field: Vec<usize> = (0..rows.len()).collect();
    let (mut rounds, mut spent) = (Vec::new(), 0);
    let mut end = loop {
        let pairs = pairs_of_each(field.len(), &rows, settings);
        spent += 2 * pairs * field.len() as u64;
        // In ascending order, so that the games do not depend on the scores.
        let mut playing = field.clone();
        playing.sort_unstable();
        let values: Vec<Candidate<G>> = playing.iter().map(|&row| candidates[row].clone()).collect();
        let result = play(&values, u32::try_from(2 * pairs)?)?;
        playing.iter().enumerate().for_each(|(index, &row)| rows[row].add(&result, index));
        rounds.push(field.len());
        field.sort_by(|&a, &b| rows[b].mean().total_cmp(&rows[a].mean()));
        let half = field.len().div_ceil(2);
        if result.played.ended == Ended::Stopped {
            break End::Stopped;
        } else if field.len() <= settings.left.max(2) {
            break End::Few;
        } else if spent + 2 * pairs_of_each(half, &rows, settings) * half as u64 > settings.most_games {
            break End::Spent;
        }
        for row in field.drain(half..) {
            rows[row].dropped = Some(rounds.len());
        }
    };

    let best = field[0];
    let mut fresh = Vec::new();
    if end != End::Stopped {
        let also = also.filter(|also| also.value != candidates[best].value);
        let values: Vec<_> = [candidates[best].clone()].into_iter().chain(also).collect();
        fresh = values.iter().map(Row::of).collect();
        let result = play(&values, settings.fresh_games)?;
        fresh.iter_mut().enumerate().for_each(|(index, row)| row.add(&result, index));
        if result.played.ended == Ended::Stopped {
            end = End::Stopped;
        }
    }
    let (parameter, reference) = (parameter.to_owned(), reference.name().to_owned());
    Ok(Tuning { parameter, reference, rows, best, rounds, fresh, end })
}

/// The number of openings that each of `values` values plays, from both seats, in a round. All rounds have about the same number
/// of games in all.
fn pairs_of_each(values: usize, all: &[Row], settings: &Settings) -> u64 {
    u64::from(settings.games / 2) * all.len() as u64 / values as u64
}

/// Checks the settings before the first game, rather than after hours of games.
fn check<G: GameState>(candidates: &[Candidate<G>], settings: &Settings) -> Result<(), Failure> {
    if candidates.len() < 2 {
        return Err("to find the best value, give two or more values".into());
    }
    if let Some(twice) = candidates.windows(2).find(|pair| pair[0].value == pair[1].value) {
        return Err(format!("the value {} appears twice; name each value once", twice[0].value).into());
    }
    for games in [settings.games, settings.fresh_games] {
        if games == 0 {
            return Err(ContestError::NoGames.into());
        }
        if !games.is_multiple_of(2) {
            return Err(ContestError::UnevenGames { games, players: 2 }.into());
        }
    }
    // A contest counts its games in 32 bits.
    let (games, values, most) = (settings.games, candidates.len(), settings.most_games.min(u32::MAX.into()));
    match u64::from(games).checked_mul(values as u64) {
        Some(all) if all <= most => {}
        _ => {
            return Err(format!(
                "{games} games of each of {values} values are more than {most} in all; ask for fewer"
            )
            .into());
        }
    }
    // Each round is a contest. The fresh games are one, too, of at most two values.
    let games = u64::from(games).saturating_mul(values as u64).max(2 * u64::from(settings.fresh_games));
    match games <= MOST_GAMES {
        true => Ok(()),
        false => Err(ContestError::TooManyGames { games, most: MOST_GAMES }.into()),
    }
}

impl Row {
    fn of<G: GameState>(candidate: &Candidate<G>) -> Self {
        Row {
            value: candidate.value,
            agent: candidate.agent.name().to_owned(),
            tally: Tally::default(),
            score: None,
            dropped: None,
            forfeits: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Adds the games of the value at index `index` of a sweep.
    fn add(&mut self, result: &SweepResult, index: usize) {
        let standing = result.points[index].agent();
        self.tally.wins += standing.tally.wins;
        self.tally.draws += standing.tally.draws;
        self.tally.losses += standing.tally.losses;
        self.forfeits.extend(standing.forfeits.iter().cloned());
        let games = result.played.records.iter().filter(|record| record.pairing as usize == index);
        let games: Vec<&Record> = games.collect();
        for pair in games.chunk_by(|a, b| a.game / 2 == b.game / 2) {
            // In a sweep, the agents of the values come first.
            let reward = |record: &&Record| {
                record.seats.iter().position(|&agent| agent == index).map(|seat| record.rewards[seat])
            };
            self.pairs.push(pair.iter().filter_map(reward).collect());
        }
        self.score = Estimate::score(&self.pairs);
    }

    /// The score, or less than any score if the value has not played.
    fn mean(&self) -> f64 {
        self.score.map_or(-1.0, |score| score.value)
    }
}

impl Tuning {
    /// Returns the best value over all games but the fresh ones.
    pub fn best(&self) -> &Row {
        &self.rows[self.best]
    }

    /// Returns the difference between the best value's score and this one.
    pub fn lead_over(&self, row: &Row) -> Option<Estimate> {
        Some(statistics::difference(self.best().score?, row.score?))
    }

    /// Returns the values that these games cannot distinguish from the best one: the 95 % interval of the difference
    /// contains zero.
    pub fn as_good(&self) -> impl Iterator<Item = &Row> {
        let others = self.rows.iter().filter(|row| row.value != self.best().value);
        others.filter(|row| self.lead_over(row).is_none_or(|lead| lead.low <= 0.0))
    }

    /// Returns the fresh games of a value.
    pub fn fresh_of(&self, value: f64) -> Option<&Row> {
        self.fresh.iter().find(|row| row.value == value)
    }

    /// Returns the number of all games, including the fresh ones.
    pub fn games(&self) -> u32 {
        self.rows.iter().chain(&self.fresh).map(|row| row.tally.games()).sum()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Few => "until few values were left",
            End::Spent => "until a further round would have exceeded the limit of games",
            End::Stopped => "stopped before the end",
        })
    }
}

/// Returns a value as text, in its shortest form.
pub fn written(value: f64) -> String {
    if value == SQRT_2 { "sqrt 2".into() } else { value.to_string() }
}
