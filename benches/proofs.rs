//! Measures what it takes to prove small games: iterations and seconds, by a tree, by a graph, and by a graph
//! in which mirror images are the same position. `cargo bench -p ramure-benches --bench proofs`; with `--
//! --help`, the options.
//!
//! A row shows the median over the seeds. A search that reaches the cap without a proof counts as longer than
//! all others; if the median search has none, the row shows the cap.

use clap::Parser;
use ramure::backpropagation::{Backprop, ScoreBounds};
use ramure::prelude::*;
use ramure::search::{MirrorImages, Space, Transpositions};
use ramure::{Bytes, Expansion, Keyed, Symmetric};
use ramure_games::connect4::ConnectFour;
use ramure_games::{Hex, TicTacToe};
use std::error::Error;
use std::time::Instant;

/// Proves small games.
#[derive(Parser)]
struct Cli {
    /// Stop a search after this many iterations
    #[arg(long, default_value_t = 3_000_000)]
    cap: u64,
    /// Run this many searches for each figure
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// Set the exploration constant
    #[arg(long, default_value_t = 0.5)]
    c: f32,
    /// Set the memory limit of a search, in MiB
    #[arg(long, default_value_t = 4096)]
    memory: usize,
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

/// The iterations and the seconds of one search, in the order of their length.
type Proof = (bool, u64, f64);

impl Cli {
    /// Returns the median proof of a game, and checks that all proofs agree with the value of the game.
    fn median<S: Space, B: Backprop<S::Game>>(
        &self,
        start: &S,
        backprop: impl Fn() -> B,
        value: f32,
    ) -> Result<(Proof, usize), Box<dyn Error>> {
        let mut proofs = Vec::new();
        for seed in 0..self.seeds {
            let search = Mcts::new(start.clone()).tree_policy(Ucb1::new(self.c)).backprop(backprop());
            let search =
                search.expansion(Expansion::default().on_visit(1)).memory_limit(Bytes::mib(self.memory));
            let (mut search, begin) = (search.seed(seed), Instant::now());
            let report = search.run(Budget::iterations(self.cap))?;
            let seconds = begin.elapsed().as_secs_f64();
            if report.proof.is_some_and(|proof| proof != value) {
                return Err(format!("a proof of {:?} where {value} is true", report.proof).into());
            }
            proofs.push((report.proof.is_none(), report.iterations, seconds));
        }
        let proven = proofs.iter().filter(|(is_open, ..)| !is_open).count();
        proofs.sort_by(|one, other| one.partial_cmp(other).expect("seconds are numbers"));
        Ok((proofs[(proofs.len() - 1) / 2], proven))
    }

    fn row<G, B>(
        &self,
        game: &str,
        start: &G,
        (name, backprop): (&str, impl Fn() -> B + Copy),
        value: f32,
    ) -> Result<(), Box<dyn Error>>
    where
        G: Keyed + Symmetric,
        B: Backprop<G> + Backprop<<MirrorImages<G> as Space>::Game>,
    {
        if !game.contains(&self.only) {
            return Ok(());
        }
        let cell = |((is_open, iterations, seconds), proven): (Proof, usize)| {
            let more = if is_open { "> " } else { "" };
            let of = if (proven as u64) < self.seeds {
                format!(" ({proven} of {} proven)", self.seeds)
            } else {
                String::new()
            };
            format!("{more}{iterations}{of} | {more}{seconds:.3} s")
        };
        let tree = cell(self.median(start, backprop, value)?);
        let graph = cell(self.median(&Transpositions::new(start.clone()), backprop, value)?);
        let images = cell(self.median(&MirrorImages::new(start.clone()), backprop, value)?);
        println!("| {game}, `{name}` | {tree} | {graph} | {images} |");
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut cli = Cli::parse();
    if cli.test {
        (cli.cap, cli.seeds) = (2_000, 1);
    }
    println!(
        "| game | tree: iterations | time | graph: iterations | time | graph with mirror images: iterations | time |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let solver = ("Solver", || Solver::new(Average));
    let bounds = ("ScoreBounds", || ScoreBounds::new(Average));
    cli.row("Tic-Tac-Toe", &TicTacToe::new(), solver, 0.5)?;
    cli.row("Tic-Tac-Toe", &TicTacToe::new(), bounds, 0.5)?;
    cli.row("Connect 4 on 4x4", &ConnectFour::<4, 4>::new(), solver, 0.5)?;
    cli.row("Connect 4 on 4x4", &ConnectFour::<4, 4>::new(), bounds, 0.5)?;
    cli.row("Connect 4 on 5x4", &ConnectFour::<5, 4>::new(), solver, 0.5)?;
    cli.row("Connect 4 on 5x4", &ConnectFour::<5, 4>::new(), bounds, 0.5)?;
    cli.row("Hex 3x3", &Hex::new(3)?, solver, 1.0)?;
    cli.row("Hex 4x4", &Hex::new(4)?, solver, 1.0)?;
    cli.row("Hex 5x5", &Hex::new(5)?, solver, 1.0)?;
    println!(
        "\nThe median of {} seeds; c = {}, `on_visit(1)`, at most {} iterations and {} MiB.",
        cli.seeds, cli.c, cli.cap, cli.memory
    );
    Ok(())
}
