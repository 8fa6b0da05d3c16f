//! Successive halving (Jamieson and Talwalkar 2016, figure 3): in each round, every remaining agent plays the
//! reference, all from the same openings. Then the weaker half is dropped.

use super::arena::{Arena, Playing};
use super::{Effort, End, Row, Tuning, TuningError};
use crate::Recipe;
use crate::contest::{ContestError, MOST_GAMES};
use ramure::GameState;

/// A value of a parameter, and the agent that uses it.
#[derive(Clone, Debug)]
pub struct Candidate<G: GameState> {
    /// The value.
    pub value: f64,
    /// The agent.
    pub agent: Recipe<G>,
}

/// How many games [`halving`] plays.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// The games of each value in the first round, an even number.
    pub games: u32,
    /// The number of values, at least 2, at which halving stops.
    pub left: usize,
    /// The most games of all values together. A round that would exceed it does not start; the first round
    /// must fit.
    pub most_games: u64,
    /// The fresh games for each final figure, an even number.
    pub fresh_games: u32,
}

/// Finds the best of the `candidates`, which differ in a `parameter`, against `reference`, by successive
/// halving (Jamieson and Talwalkar 2016, figure 3). All rounds have about the same number of games. A value's
/// score covers all its games. The score of the best of many values is biased upwards, so fresh games follow,
/// also for the agent `also`, if it is given.
///
/// # Errors
///
/// Returns an error if there are fewer than two values, a value appears twice, or a setting is out of range;
/// and the errors of [`Sweep::run`](crate::contest::Sweep::run). [`TuningError::Broken`] has what was found
/// before.
pub fn halving<G: GameState + Sync>(
    start: &G,
    parameter: &str,
    mut candidates: Vec<Candidate<G>>,
    also: Option<Recipe<G>>,
    reference: &Recipe<G>,
    rounds: &Rounds,
    playing: &Playing,
) -> Result<Tuning, TuningError> {
    candidates.sort_by(|a, b| a.value.total_cmp(&b.value));
    check(&candidates, rounds)?;
    let agents: Vec<Recipe<G>> = candidates.iter().map(|candidate| candidate.agent.clone()).collect();
    let planned = |values: usize| {
        let halvings = libm::log2(values as f64 / rounds.left.max(2) as f64).ceil().max(0.0) as u64 + 1;
        let all = (u64::from(rounds.games) * values as u64).saturating_mul(halvings);
        all.min(rounds.most_games).saturating_add(2 * u64::from(rounds.fresh_games))
    };
    let names: Vec<&str> = agents.iter().map(Recipe::name).collect();
    let of = format!("{parameter}: {names:?}, {rounds:?}");
    let mut arena = Arena::open(start, reference, playing, of, Effort::Games(planned(agents.len())))?;
    let mut tuning = Tuning::of(reference, &agents);
    tuning.parameter = Some(parameter.to_owned());
    tuning.rows.iter_mut().zip(&candidates).for_each(|(row, candidate)| row.value = Some(candidate.value));
    let (all, mut spent) = (agents.len(), 0);
    // The number of openings that each of `values` values plays, from both seats, in a round.
    halve(&mut arena, &agents, &mut tuning, rounds.left, |_, values| {
        let pairs = u64::from(rounds.games / 2) * all as u64 / values as u64;
        spent += 2 * pairs * values as u64;
        (spent <= rounds.most_games).then_some((2 * pairs as u32, f64::INFINITY))
    });
    if !arena.is_stopped {
        let best = &agents[tuning.best];
        let also = also.filter(|also| also.name() != best.name());
        confirm(
            &mut arena,
            &mut tuning,
            &[vec![best.clone()], Vec::from_iter(also)].concat(),
            rounds.fresh_games,
            f64::INFINITY,
        );
    }
    tuning.ended(arena)
}

/// Plays rounds and drops halves until at most `left` agents remain. `round` returns the games of each of so
/// many agents, and the share of the effort at which the round ends early; `None` if the round must not start.
pub(super) fn halve<G: GameState + Sync>(
    arena: &mut Arena<'_, G>,
    agents: &[Recipe<G>],
    tuning: &mut Tuning,
    left: usize,
    mut round: impl FnMut(&Arena<'_, G>, usize) -> Option<(u32, f64)>,
) {
    // The remaining agents, best first.
    let mut field: Vec<usize> = (0..agents.len()).collect();
    let mut next = round(arena, field.len());
    while let Some((games, spent)) = next {
        // In ascending order, so that the games do not depend on the scores.
        let mut playing = field.clone();
        playing.sort_unstable();
        let recipes: Vec<Recipe<G>> = playing.iter().map(|&agent| agents[agent].clone()).collect();
        arena.play(&recipes, games, spent, |index, games| tuning.rows[playing[index]].add(games));
        tuning.rounds.push(field.len());
        field.sort_by(|&a, &b| tuning.rows[b].mean().total_cmp(&tuning.rows[a].mean()));
        tuning.best = field[0];
        if arena.is_stopped || field.len() <= left.max(2) {
            tuning.end = End::Few;
            break;
        }
        let half = field.len().div_ceil(2);
        next = round(arena, half);
        if next.is_none() {
            tuning.end = End::Spent;
        } else {
            field.drain(half..).for_each(|agent| tuning.rows[agent].dropped = Some(tuning.rounds.len()));
        }
    }
}

/// Plays fresh games of agents, which did not influence the choice.
pub(super) fn confirm<G: GameState + Sync>(
    arena: &mut Arena<'_, G>,
    tuning: &mut Tuning,
    agents: &[Recipe<G>],
    games: u32,
    spent: f64,
) {
    tuning.fresh = agents.iter().map(Row::of).collect();
    for (row, agent) in tuning.fresh.iter_mut().zip(agents) {
        row.value = tuning.rows.iter().find(|row| row.agent == agent.name()).and_then(|row| row.value);
    }
    arena.play(agents, games, spent, |index, games| tuning.fresh[index].add(games));
}

/// Checks the settings before the first game, rather than after hours of games.
fn check<G: GameState>(candidates: &[Candidate<G>], rounds: &Rounds) -> Result<(), TuningError> {
    if candidates.len() < 2 {
        return Err(TuningError::Setting("to find the best value, give two or more values".into()));
    }
    if let Some(twice) = candidates.windows(2).find(|pair| pair[0].value == pair[1].value) {
        let twice = twice[0].value;
        return Err(TuningError::Setting(format!("the value {twice} appears twice; name each value once")));
    }
    for games in [rounds.games, rounds.fresh_games] {
        if games == 0 {
            return Err(ContestError::NoGames.into());
        }
        if !games.is_multiple_of(2) {
            return Err(ContestError::UnevenGames { games, players: 2 }.into());
        }
    }
    // A contest counts its games in 32 bits.
    let (games, values, most) = (rounds.games, candidates.len(), rounds.most_games.min(u32::MAX.into()));
    match u64::from(games).checked_mul(values as u64) {
        Some(all) if all <= most => {}
        _ => {
            return Err(TuningError::Setting(format!(
                "{games} games of each of {values} values are more than {most} in all; ask for fewer"
            )));
        }
    }
    // Each round is a contest. The fresh games are one, too, of at most two values.
    let games = u64::from(games).saturating_mul(values as u64).max(2 * u64::from(rounds.fresh_games));
    match games <= MOST_GAMES {
        true => Ok(()),
        false => Err(ContestError::TooManyGames { games, most: MOST_GAMES }.into()),
    }
}
