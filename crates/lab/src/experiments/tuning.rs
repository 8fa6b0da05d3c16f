//! The best value of a parameter against a reference, by successive halving (Jamieson and Talwalkar 2016, figure 3).
//!
//! In a round every value that is left plays the reference, all from the same openings; then the weaker half is dropped. The
//! rounds are of about as many games each, so with half the values left each plays twice as many. A value's score is over
//! all its games. The best of many is flattered by chance, so it ends with fresh games, which nothing was chosen by.

use super::{Failure, statistics};
use crate::Recipe;
use crate::contest::{
    Conditions, ContestError, Ended, Estimate, MOST_GAMES, Record, Sweep, SweepResult, Tally,
};
use ramure::{GameState, Rng, StopHandle};
use std::f64::consts::SQRT_2;
use std::fmt;

/// Exploration constants from 0.02 to 2, two for a factor of two, sqrt 2 among them.
pub const EXPLORATION_CONSTANTS: [f64; 14] =
    [0.022, 0.031, 0.044, 0.0625, 0.088, 0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1.0, SQRT_2, 2.0];

/// How to play.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Games of each value in the first round; even.
    pub games: u32,
    /// So few values are not halved any more, at least 2.
    pub left: usize,
    /// No round begins with which all values together would play more; the first round must fit.
    pub most_games: u64,
    /// Fresh games for each final figure; even.
    pub fresh_games: u32,
    /// Random actions at the start of a game; each opening is played from both seats.
    pub openings: u32,
    /// Fixes all that is random.
    pub seed: u64,
    /// Changes nothing but the time.
    pub threads: usize,
    /// Ends it, with what is known then.
    pub stop: StopHandle,
    /// Whether a terminal sees how far it is.
    pub progress: bool,
}

/// A value and the agent that has it.
#[derive(Clone, Debug)]
pub struct Candidate<G: GameState> {
    pub value: f64,
    pub agent: Recipe<G>,
}

/// What is known of a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub value: f64,
    pub agent: String,
    pub tally: Tally,
    /// Over all its games; `None` if there are none.
    pub score: Option<Estimate>,
    /// After which round it was dropped, from 1; `None` if it never was.
    pub dropped: Option<usize>,
    /// Why it gave games away, once for each such game.
    pub forfeits: Vec<String>,
    /// Its scores in the games of each opening.
    pairs: Vec<Vec<f64>>,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// What the values are.
    pub parameter: String,
    /// Whom all played against.
    pub reference: String,
    /// The values, ascending, with all games but the fresh ones.
    pub rows: Vec<Row>,
    /// Which row has the greatest score among those that were not dropped.
    pub best: usize,
    /// How many values took part in each round.
    pub rounds: Vec<usize>,
    /// Fresh games: of the best value, and of the one that was asked for besides.
    pub fresh: Vec<Row>,
    pub end: End,
}

/// Why there was no further round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Few values are left.
    Few,
    /// The next round would have taken more games than were granted.
    Spent,
    /// The stop handle was used.
    Stopped,
}

/// Finds the best of the `candidates` against `reference`. Of the value `also`, if it is there, final figures are played as
/// well.
///
/// # Errors
///
/// There are fewer than two values, or one of them twice; a setting is out of its range; or what
/// [`Sweep::run`](crate::contest::Sweep::run) says.
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
        // As many agents as values.
        let next = |_| agents.next().unwrap_or_else(|| reference.clone());
        let of_values: Vec<f64> = values.iter().map(|candidate| candidate.value).collect();
        Sweep::new(start.clone(), parameter, of_values, next).against([reference.clone()]).run(&conditions)
    };

    let mut rows: Vec<Row> = candidates.iter().map(Row::of).collect();
    // Which are left, best first.
    let mut field: Vec<usize> = (0..rows.len()).collect();
    let (mut rounds, mut spent) = (Vec::new(), 0);
    let mut end = loop {
        let pairs = pairs_of_each(field.len(), &rows, settings);
        spent += 2 * pairs * field.len() as u64;
        // In ascending order, so that who plays which game depends on no score.
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

/// How many openings each value plays in a round of so many of them, from both seats: in all about as many as in the first.
fn pairs_of_each(values: usize, all: &[Row], settings: &Settings) -> u64 {
    u64::from(settings.games / 2) * all.len() as u64 / values as u64
}

/// Before anything is played: hours later would be late.
fn check<G: GameState>(candidates: &[Candidate<G>], settings: &Settings) -> Result<(), Failure> {
    if candidates.len() < 2 {
        return Err("to find the best value there must be two or more".into());
    }
    if let Some(twice) = candidates.windows(2).find(|pair| pair[0].value == pair[1].value) {
        return Err(format!("the value {} is there twice", twice[0].value).into());
    }
    for games in [settings.games, settings.fresh_games] {
        if games == 0 {
            return Err(ContestError::NoGames.into());
        }
        if !games.is_multiple_of(2) {
            return Err(ContestError::UnevenGames { games, players: 2 }.into());
        }
    }
    // No contest counts further than 32 bits.
    let (games, values, most) = (settings.games, candidates.len(), settings.most_games.min(u32::MAX.into()));
    match u64::from(games).checked_mul(values as u64) {
        Some(all) if all <= most => {}
        _ => {
            return Err(
                format!("{games} games of each of {values} values are more than {most} in all").into()
            );
        }
    }
    // Every round is a contest, and so are the fresh games, of two values at most.
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

    /// Counts what the value at place `index` of a sweep played.
    fn add(&mut self, result: &SweepResult, index: usize) {
        let standing = result.points[index].agent();
        self.tally.wins += standing.tally.wins;
        self.tally.draws += standing.tally.draws;
        self.tally.losses += standing.tally.losses;
        self.forfeits.extend(standing.forfeits.iter().cloned());
        let games = result.played.records.iter().filter(|record| record.pairing as usize == index);
        let games: Vec<&Record> = games.collect();
        for pair in games.chunk_by(|a, b| a.game / 2 == b.game / 2) {
            // In the agents of a sweep the values come first.
            let reward = |record: &&Record| {
                record.seats.iter().position(|&agent| agent == index).map(|seat| record.rewards[seat])
            };
            self.pairs.push(pair.iter().filter_map(reward).collect());
        }
        self.score = Estimate::score(&self.pairs);
    }

    /// Its score; less than any if it has not played.
    fn mean(&self) -> f64 {
        self.score.map_or(-1.0, |score| score.value)
    }
}

impl Tuning {
    /// The best value over all games but the fresh ones.
    pub fn best(&self) -> &Row {
        &self.rows[self.best]
    }

    /// How much more the best value scored than this one.
    pub fn lead_over(&self, row: &Row) -> Option<Estimate> {
        Some(statistics::difference(self.best().score?, row.score?))
    }

    /// The values that cannot be told from the best one: the 95 % interval of the difference holds zero.
    pub fn as_good(&self) -> impl Iterator<Item = &Row> {
        let others = self.rows.iter().filter(|row| row.value != self.best().value);
        others.filter(|row| self.lead_over(row).is_none_or(|lead| lead.low <= 0.0))
    }

    /// The fresh games of a value.
    pub fn fresh_of(&self, value: f64) -> Option<&Row> {
        self.fresh.iter().find(|row| row.value == value)
    }

    /// All games, the fresh ones among them.
    pub fn games(&self) -> u32 {
        self.rows.iter().chain(&self.fresh).map(|row| row.tally.games()).sum()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Few => "until few values were left",
            End::Spent => "until no further round could be afforded",
            End::Stopped => "stopped before the end",
        })
    }
}

/// A value as people write it.
pub fn written(value: f64) -> String {
    if value == SQRT_2 { "sqrt 2".into() } else { value.to_string() }
}
