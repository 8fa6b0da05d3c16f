//! The table: both searches in turn.

use crate::by_hand::{self, Board, SIZE};
use clap::Parser;
use cpu_time::ProcessTime;
use ramure::prelude::*;
use ramure_games::Hex;
use std::error::Error;

const C: f32 = 1.0;

/// Compares ramure with a search that is written for Hex on 11x11 only
///
/// Each search runs several times, in turn; the figures are the least processor times, from an empty tree
/// to the best action, with the freeing of the tree.
#[derive(Parser)]
struct Cli {
    /// Measure these numbers of iterations
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,1000000")]
    iterations: Vec<u32>,
    /// Take the least time of this many runs of each search
    #[arg(long, default_value_t = 7)]
    runs: u64,
}

/// Returns nanoseconds an iteration, and the mean of the best action.
fn timed(iterations: u32, run: impl FnOnce() -> Result<f32, SearchError>) -> Result<(f64, f32), SearchError> {
    let begin = ProcessTime::now();
    let mean = run()?;
    Ok((begin.elapsed().as_secs_f64() * 1e9 / f64::from(iterations), mean))
}

pub fn run() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let hex = Hex::new(SIZE as u8)?;
    println!(
        "| iterations | ramure, ns an iteration | by hand | by hand / ramure | mean of the best action | by hand |"
    );
    println!("|---:|---:|---:|---:|---:|---:|");
    for iterations in cli.iterations {
        let (mut least, mut means) = ([f64::INFINITY; 2], [0.0; 2]);
        for seed in 0..cli.runs {
            let ours = timed(iterations, || {
                let mut search =
                    Mcts::new(hex.clone()).tree_policy(Ucb1::new(C)).backprop(Average).seed(seed);
                let report = search.run(Budget::iterations(iterations.into()))?;
                let best = report.actions.iter().max_by_key(|action| action.visits);
                Ok(best.map_or(0.0, |action| action.mean))
            })?;
            let by_hand = timed(iterations, || Ok(by_hand::search(Board::new(), C, iterations, seed)))?;
            for (program, (time, mean)) in [ours, by_hand].into_iter().enumerate() {
                least[program] = least[program].min(time);
                means[program] += mean / cli.runs as f32;
            }
        }
        let [ours, by_hand] = least;
        println!(
            "| {iterations} | {ours:.0} | {by_hand:.0} | {:.2} | {:.3} | {:.3} |",
            by_hand / ours,
            means[0],
            means[1]
        );
    }
    Ok(())
}
