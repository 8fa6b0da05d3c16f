//! Measures what it costs to search a graph of positions, and how often positions are met again: time and
//! bytes of a graph and of a tree at the same number of iterations. `cargo bench -p ramure-benches --bench
//! graphs`; with `-- --help`, the options.
//!
//! Times are the fastest of several runs, tree and graph in turn, from the start of each game. A position is
//! met again if several actions lead to it. Only positions with children count, because the search recognises
//! no others.

use clap::Parser;
use ramure::Keyed;
use ramure::Report;
use ramure::prelude::*;
use ramure::search::{ActionOf, Space, Transpositions};
use ramure_games::{Connect4, Hex};
use std::collections::HashMap;
use std::error::Error;

/// Compares searches of a graph with searches of a tree.
#[derive(Parser)]
struct Cli {
    /// Search this many iterations; several numbers give several rows
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000, 1_000_000])]
    iterations: Vec<u64>,
    /// Take the fastest of this many runs
    #[arg(long, default_value_t = 5)]
    runs: u64,
    /// Set the exploration constant
    #[arg(long, default_value_t = 1.0)]
    c: f32,
    /// Measure only the games whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
    /// Runs a smoke test, as in criterion
    #[arg(long, hide = true)]
    test: bool,
}

/// Returns the share of the positions with children that several actions lead to.
fn met_again<G: Keyed>(search: &Mcts<Transpositions<G>, Ucb1, Uniform, Average>) -> f64 {
    let mut ways: HashMap<u32, u32> = HashMap::new();
    let mut open: Vec<_> = search.tree().root().into_iter().collect();
    while let Some(node) = open.pop() {
        let Some(position) = node.position() else { continue };
        let count = ways.entry(position).or_insert(0);
        *count += 1;
        if *count == 1 {
            open.extend(node.children());
        }
    }
    ways.values().filter(|&&count| count > 1).count() as f64 / ways.len().max(1) as f64
}

/// UCB1 without proofs.
type Averaging<S> = Mcts<S, Ucb1, Uniform, Average>;

impl Cli {
    /// Returns a search from `start`, and what it found.
    fn run<S: Space>(
        &self,
        start: &S,
        iterations: u64,
        seed: u64,
    ) -> Result<(Averaging<S>, Report<ActionOf<S>>), SearchError> {
        let mut search = Mcts::new(start.clone()).backprop(Average).tree_policy(Ucb1::new(self.c)).seed(seed);
        let report = search.run(Budget::iterations(iterations))?;
        Ok((search, report))
    }

    fn rows<G: Keyed>(&self, game: &str, start: &G) -> Result<(), SearchError> {
        if !game.contains(&self.only) {
            return Ok(());
        }
        for &iterations in &self.iterations {
            let graph = Transpositions::new(start.clone());
            let (mut fastest, mut bytes, mut share) = ([f64::INFINITY; 2], [0; 2], 0.0);
            for seed in 0..self.runs {
                let (_, report) = self.run(start, iterations, seed)?;
                (fastest[0], bytes[0]) = (fastest[0].min(report.time.as_secs_f64()), report.bytes);
                let (search, report) = self.run(&graph, iterations, seed)?;
                (fastest[1], bytes[1]) = (fastest[1].min(report.time.as_secs_f64()), report.bytes);
                if seed + 1 == self.runs {
                    share = met_again(&search);
                }
            }
            let [tree_ns, graph_ns] = fastest.map(|seconds| seconds * 1e9 / iterations as f64);
            let [tree_bytes, graph_bytes] = bytes.map(|bytes| bytes as f64 / iterations as f64);
            println!(
                "| {game} | {iterations} | {tree_ns:.0} ns | {graph_ns:.0} ns | {:.2} | {tree_bytes:.1} | {graph_bytes:.1} | {:.0} % |",
                graph_ns / tree_ns,
                100.0 * share
            );
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut cli = Cli::parse();
    if cli.test {
        (cli.iterations, cli.runs) = (vec![500], 1);
    }
    println!(
        "| game | iterations | tree: time per iteration | graph: time per iteration | ratio | tree: bytes per iteration | graph: bytes per iteration | positions met again |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    cli.rows("Connect 4", &Connect4::new())?;
    cli.rows("Hex 7x7", &Hex::new(7)?)?;
    cli.rows("Hex 11x11", &Hex::new(11)?)?;
    println!("\n`Ucb1` with c = {}; the fastest of {} runs.", cli.c, cli.runs);
    Ok(())
}
