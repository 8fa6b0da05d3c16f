//! Measures what several trees are worth, as three tables: how fast they are on several threads, what their
//! exchanges cost, and how close they come to one tree with as many iterations. `cargo bench -p
//! ramure-benches --bench cores`; with `-- --help`, the options.
//!
//! *Distance.* For open positions of Connect 4, a search with many iterations gives the mean of the root. The
//! table shows how far other searches are from it, on average, and how many iterations of one tree are as
//! far. This needs fewer searches than matches.

#![allow(clippy::disallowed_methods, reason = "a bench may use the platform's own powers")]

use clap::{Parser, ValueEnum};
use ramure::games::{Connect4, Hex};
use ramure::prelude::*;
use ramure::search::Exchange;
use std::error::Error;
use std::thread;

/// Measures searches with several trees.
#[derive(Parser)]
struct Cli {
    /// Measure only this
    #[arg(long)]
    only: Option<Table>,
    /// Search this many iterations
    #[arg(long, default_value_t = 100_000)]
    iterations: u64,
    /// Search with this many trees; several numbers give several rows
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4])]
    trees: Vec<usize>,
    /// Exchange after this share of new visits; several numbers give several rows. [default: that of
    /// `Exchange`]
    #[arg(long, value_delimiter = ',')]
    every: Vec<f64>,
    /// Measure the distance of searches with so large a window, too; several numbers give several rows
    #[arg(long, value_delimiter = ',')]
    windows: Vec<usize>,
    /// Set the exploration constant
    #[arg(long, default_value_t = 0.5)]
    c: f32,
    /// Take the fastest of this many runs, for times
    #[arg(long, default_value_t = 7)]
    runs: u64,
    /// Measure the distance in this many positions
    #[arg(long, default_value_t = 50)]
    positions: u64,
    /// Measure the distance with this many seeds
    #[arg(long, default_value_t = 8)]
    seeds: u64,
    /// Search this many iterations for the mean that the others should have
    #[arg(long, default_value_t = 2_000_000)]
    reference: u64,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
    /// Runs a smoke test, as in criterion
    #[arg(long, hide = true)]
    test: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    Speed,
    Exchanges,
    Distance,
}

/// The sizes of the searches with one tree, as shares of the iterations, to which searches with several trees
/// are compared.
const SHARES: [f64; 6] = [0.25, 0.35, 0.5, 0.7, 0.85, 1.0];

impl Cli {
    fn shows(&self, table: Table) -> bool {
        self.only.is_none_or(|only| only == table)
    }

    fn one<G: GameState>(&self, start: &G, seed: u64) -> Mcts<G, Ucb1, Uniform, Average> {
        Mcts::new(start.clone()).backprop(Average).tree_policy(Ucb1::new(self.c)).seed(seed)
    }

    /// Returns the settings of exchanges, each with its name.
    fn exchanges(&self) -> Vec<(String, Exchange)> {
        if self.every.is_empty() {
            return vec![("default".to_owned(), Exchange::new())];
        }
        self.every.iter().map(|&every| (format!("every({every})"), Exchange::new().every(every))).collect()
    }

    fn speed<G: GameState + Send + Sync>(&self, game: &str, start: &G) -> Result<(), Box<dyn Error>>
    where
        G::Action: Send + Sync,
    {
        let cores = thread::available_parallelism()?.get();
        for &trees in self.trees.iter().filter(|&&trees| trees <= cores) {
            let mut fastest = [f64::INFINITY; 2];
            for seed in 0..self.runs {
                let budget = Budget::iterations(self.iterations);
                let time = self.one(start, seed).run(budget)?.time.as_secs_f64();
                fastest[0] = fastest[0].min(time);
                let time = self.one(start, seed).parallel(trees).run(budget)?.time.as_secs_f64();
                fastest[1] = fastest[1].min(time);
            }
            let [one, several] = fastest.map(|seconds| self.iterations as f64 / seconds / 1e6);
            println!(
                "| {game} | {trees} | {one:.2} million | {several:.2} million | {:.2} times |",
                several / one
            );
        }
        Ok(())
    }

    fn cost<G: GameState + Send + Sync>(&self, game: &str, start: &G) -> Result<(), Box<dyn Error>>
    where
        G::Action: Send + Sync,
    {
        for (name, exchange) in self.exchanges() {
            for &trees in &self.trees {
                let mut least = (f64::INFINITY, Default::default());
                for seed in 0..self.runs {
                    let mut forest = self.one(start, seed).parallel(trees).threads(1).exchange(exchange);
                    let report = forest.run(Budget::iterations(self.iterations))?;
                    let share = forest.exchanges().time.as_secs_f64() / report.time.as_secs_f64();
                    if share < least.0 {
                        least = (share, forest.exchanges());
                    }
                }
                let (share, counts): (f64, ramure::search::ExchangeCounts) = least;
                println!(
                    "| {game} | {name} | {trees} | {} | {:.0} | {:.1} % |",
                    counts.exchanges,
                    counts.nodes as f64 / counts.exchanges.max(1) as f64,
                    100.0 * share
                );
            }
        }
        Ok(())
    }

    fn distance(&self) -> Result<(), Box<dyn Error>> {
        let positions = open_positions(self.positions);
        let mut references = Vec::new();
        for state in &positions {
            references.push(mean(&self.one(state, 1_000_003).run(Budget::iterations(self.reference))?));
        }
        // For each seed, the mean distance over the positions; then the mean over the seeds, with half of a
        // 95 % interval.
        let over_seeds = |search: &dyn Fn(&Connect4, u64) -> Result<f64, SearchError>| {
            let mut distances = Vec::new();
            for seed in 0..self.seeds {
                let mut sum = 0.0;
                for (state, reference) in positions.iter().zip(&references) {
                    sum += (search(state, seed)? - reference).abs();
                }
                distances.push(sum / positions.len() as f64);
            }
            let count = distances.len() as f64;
            let average = distances.iter().sum::<f64>() / count;
            let variance =
                distances.iter().map(|one| (one - average).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
            Ok::<_, SearchError>((average, 1.96 * (variance / count).sqrt()))
        };
        let mut singles = Vec::new();
        for share in SHARES {
            let iterations = (self.iterations as f64 * share) as u64;
            let (distance, error) = over_seeds(&|state, seed| {
                Ok(mean(&self.one(state, seed).run(Budget::iterations(iterations))?))
            })?;
            println!("| | 1 | {iterations} | {distance:.4} ± {error:.4} | |");
            singles.push((iterations as f64, distance));
        }
        for (name, exchange) in self.exchanges() {
            for &trees in &self.trees {
                let (distance, error) = over_seeds(&|state, seed| {
                    let mut forest = self.one(state, seed).parallel(trees).threads(1).exchange(exchange);
                    Ok(mean(&forest.run(Budget::iterations(self.iterations))?))
                })?;
                println!(
                    "| {name} | {trees} | {} | {distance:.4} ± {error:.4} | {} |",
                    self.iterations,
                    equal_iterations(&singles, distance)
                );
            }
        }
        for &leaves in &self.windows {
            let (distance, error) = over_seeds(&|state, seed| {
                let mut window = self.one(state, seed).window(leaves).threads(1);
                Ok(mean(&window.run(Budget::iterations(self.iterations))?))
            })?;
            println!(
                "| a window of {leaves} | 1 | {} | {distance:.4} ± {error:.4} | {} |",
                self.iterations,
                equal_iterations(&singles, distance)
            );
        }
        Ok(())
    }
}

/// Returns positions of Connect 4 after up to 13 random actions in which no player can win at once.
fn open_positions(count: u64) -> Vec<Connect4> {
    let mut rng = Rng::seeded(2026);
    let mut found = Vec::new();
    while (found.len() as u64) < count {
        let mut state = Connect4::new();
        for _ in 0..rng.below(14) {
            if let Some(action) = state.random_action(&mut rng) {
                state.apply(action);
            }
        }
        let wins = |state: &Connect4| {
            state.actions().into_iter().any(|action| {
                let mut next = *state;
                next.apply(action);
                next.turn() == Turn::Over
            })
        };
        if state.turn() != Turn::Over && !wins(&state) {
            found.push(state);
        }
    }
    found
}

/// Returns the mean reward of the player to move over all iterations of a search.
fn mean<A: Clone>(report: &ramure::Report<A>) -> f64 {
    let visits = |action: &ramure::ActionReport<A>| f64::from(action.visits);
    let sum: f64 = report.actions.iter().map(|action| visits(action) * f64::from(action.mean)).sum();
    sum / report.actions.iter().map(visits).sum::<f64>()
}

/// Returns with how many iterations one tree has this distance, between the sizes that were measured.
fn equal_iterations(singles: &[(f64, f64)], distance: f64) -> String {
    for pair in singles.windows(2) {
        let [(less, far), (more, near)] = [pair[0], pair[1]];
        if (near..=far).contains(&distance) {
            let part = (far - distance) / (far - near).max(1e-12);
            return format!("{:.0}", less * (more / less).powf(part));
        }
    }
    match singles {
        [.., (most, near)] if distance < *near => format!("more than {most:.0}"),
        [(least, _), ..] => format!("less than {least:.0}"),
        [] => String::new(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut cli = Cli::parse();
    if cli.test {
        (cli.iterations, cli.runs, cli.positions, cli.seeds, cli.reference) = (2_000, 1, 2, 2, 4_000);
    }
    if cli.shows(Table::Speed) {
        println!("| game | trees and threads | one search | several | |\n|---|---:|---:|---:|---:|");
        cli.speed("Connect 4", &Connect4::new())?;
        cli.speed("Hex 11x11", &Hex::new(11)?)?;
        println!(
            "\nIterations per second at {} iterations; the fastest of {} runs.\n",
            cli.iterations, cli.runs
        );
    }
    if cli.shows(Table::Exchanges) {
        println!("| game | exchange | trees | exchanges | nodes per exchange | share of the time |");
        println!("|---|---|---:|---:|---:|---:|");
        cli.cost("Connect 4", &Connect4::new())?;
        cli.cost("Hex 11x11", &Hex::new(11)?)?;
        println!("\nOn one thread, at {} iterations; the least of {} runs.\n", cli.iterations, cli.runs);
    }
    if cli.shows(Table::Distance) {
        println!("| exchange or window | trees | iterations | distance | as far as one tree with |");
        println!("|---|---:|---:|---:|---:|");
        cli.distance()?;
        println!(
            "\nConnect 4, {} open positions, {} seeds; distance from one tree with {} iterations, with 95 % intervals over the seeds.",
            cli.positions, cli.seeds, cli.reference
        );
    }
    Ok(())
}
