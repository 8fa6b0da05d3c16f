//! `ramure-mpi match`: all ranks together against one tree with as many iterations.

use crate::Setting;
use ramure::prelude::*;
use ramure::search::Link;
use ramure_lab::Failure;
use ramure_mpi::{Delayed, MpiLink};

/// How many random actions begin a game.
const OPENING: usize = 4;

pub fn run<G>(setting: &Setting, games: u32, state: G, link: &mut Delayed<MpiLink>) -> Result<(), Failure>
where
    G: GameState<Action: Send + Sync> + Send + Sync,
{
    let is_first = link.rank() == 0;
    let pairs = games.div_ceil(2);
    let mut scores = Vec::new();
    for pair in 0..pairs {
        let opening = opening(&state, setting.seed.wrapping_add(pair.into()));
        let mut score = 0.0;
        for seat in 0..2 {
            score += play(setting, &opening, seat, pair * 2 + u32::from(seat), link)? / 2.0;
        }
        scores.push(score);
        if is_first {
            let (mean, error) = estimate(&scores);
            println!(
                "{} games, {} trees on {} ranks against one tree with as many iterations: {mean:.3} (+-{error:.3})",
                scores.len() * 2,
                setting.trees(link),
                link.ranks()
            );
        }
    }
    Ok(())
}

/// Plays a few random actions.
fn opening<G: GameState>(start: &G, seed: u64) -> G {
    let mut rng = Rng::seeded(seed);
    let mut state = start.clone();
    for _ in 0..OPENING {
        let mut next = state.clone();
        let drawn = match next.turn() {
            Turn::Chance => next.random_outcome(&mut rng),
            _ => next.random_action(&mut rng),
        };
        let Some(action) = drawn else { break };
        next.apply(action);
        if next.turn() == Turn::Over {
            break;
        }
        state = next;
    }
    state
}

/// Plays a game. Returns the reward of the ranks, who play as `seat`.
fn play<G>(
    setting: &Setting,
    start: &G,
    seat: u8,
    game: u32,
    link: &mut Delayed<MpiLink>,
) -> Result<f64, Failure>
where
    G: GameState<Action: Send + Sync> + Send + Sync,
{
    let is_first = link.rank() == 0;
    let mut state = start.clone();
    let seed = setting.seed.wrapping_add(u64::from(game) << 20);
    let mut together = setting.forest(state.clone(), link);
    together.set_seed(seed);
    let mut alone = Mcts::new(state.clone()).backprop(Average).seed(seed ^ 1);
    let mut iterations = None;
    while let Turn::Player(player) = state.turn() {
        let chosen = if player == seat {
            let report = together.run_linked(setting.budget(), link)?;
            iterations = Some(report.iterations);
            report.chosen
        } else if is_first {
            // The first rank searches alone with as many iterations; if its action is the first of the game,
            // with the same budget.
            let budget = iterations.map_or_else(|| setting.budget(), Budget::iterations);
            alone.run(budget)?.chosen
        } else {
            None
        };
        // The decision of the first rank holds for all.
        let action = link.get_mut().share(chosen.map(|index| index.to_string()))?;
        let Some(action) = action.parse().ok().and_then(|index| state.actions().into_iter().nth(index))
        else {
            return Err("the first rank has told no action".into());
        };
        together.advance(action.clone())?;
        alone.advance(action.clone())?;
        state.apply(action);
    }
    Ok(state.reward(seat))
}

/// Returns the mean and the half of its 95 % interval.
fn estimate(scores: &[f64]) -> (f64, f64) {
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    if scores.len() < 2 {
        return (mean, f64::INFINITY);
    }
    let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
    (mean, 1.96 * (squares / (count - 1.0) / count).sqrt())
}
