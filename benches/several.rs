//! Measures what several random games at once save (`GameState::random_rollouts`): Connect 4 from the empty
//! board, `Ucb1` with c = 0.5. `cargo bench -p ramure-benches --bench several`.
//!
//! *One by one* plays the same number of games from each leaf, each by `random_rollout`. *One per leaf* is
//! `Uniform`. All searches of a row take turns, each with another seed, and each ratio is the median over
//! nine rounds, with the smallest and the largest in brackets. So the drift of a machine cancels out.

use ramure::prelude::*;
use ramure::simulation::{Leaf, MultipleRollouts, Trace};
use ramure::{GameFault, Rewards};
use ramure_games::Connect4;
use std::time::Instant;

const ROUNDS: u64 = 9;

/// `Uniform` without several games at once.
struct OneByOne;

impl<G: GameState> RolloutPolicy<G> for OneByOne {
    type Trace = ();

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        leaf.play_out_at_random(rng)
    }
}

/// Returns the nanoseconds that a search takes.
fn nanoseconds(
    iterations: u64,
    seed: u64,
    rollouts: impl RolloutPolicy<Connect4>,
) -> Result<f64, SearchError> {
    let mut search = Mcts::new(Connect4::new())
        .backprop(Average)
        .tree_policy(Ucb1::new(0.5))
        .rollout_policy(rollouts)
        .seed(seed);
    let start = Instant::now();
    search.run(Budget::iterations(iterations))?;
    Ok(start.elapsed().as_nanos() as f64)
}

/// Returns the median, the smallest and the largest, as text.
fn spread(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    format!("{:.2} ({:.2} to {:.2})", ratios[ratios.len() / 2], ratios[0], ratios[ratios.len() - 1])
}

fn main() -> Result<(), SearchError> {
    let test = std::env::args().any(|argument| argument == "--test");
    println!(
        "| iterations | games per leaf | ns per iteration | times as fast as one by one | time against one per leaf | times as fast as one per leaf, equal games |"
    );
    println!("|---:|---:|---:|---:|---:|---:|");
    for iterations in if test { [80, 160] } else { [20_000, 100_000] } {
        for games in [4, 8, 16] {
            let mut columns = [const { Vec::new() }; 4];
            for seed in 0..if test { 1 } else { ROUNDS } {
                let one = nanoseconds(iterations, seed, Uniform)?;
                let one_by_one = nanoseconds(iterations, seed, MultipleRollouts::new(games, OneByOne))?;
                let at_once = nanoseconds(iterations, seed, MultipleRollouts::new(games, Uniform))?;
                let fewer =
                    nanoseconds(iterations / u64::from(games), seed, MultipleRollouts::new(games, Uniform))?;
                let row = [at_once / iterations as f64, one_by_one / at_once, at_once / one, one / fewer];
                columns.iter_mut().zip(row).for_each(|(column, figure)| column.push(figure));
            }
            let [time, gain, cost, equal] = columns;
            let time = time.into_iter().fold(f64::INFINITY, f64::min);
            println!(
                "| {iterations} | {games} | {time:.0} | {} | {} | {} |",
                spread(gain),
                spread(cost),
                spread(equal)
            );
        }
    }
    Ok(())
}
