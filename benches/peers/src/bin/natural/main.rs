//! Measures the games of `benches/natural` against other crates as they come: each search uses the rollout
//! and the defaults of its crate, and the exploration constant of ramure where it can be set. For each game
//! and number of iterations, the time of one iteration of ramure, and its ratio to the time of each crate,
//! with the creation and the freeing of the search. Below 1, ramure is faster.
//!
//! `benches/peers/run.sh --table natural`; with `--help`, the options.

mod arbor;
#[path = "../../../../natural/chess.rs"]
mod chess;
#[path = "../../../../natural/five_in_a_row.rs"]
mod five_in_a_row;
#[path = "../../../../natural/listed_once.rs"]
mod listed_once;
mod mcts;
mod minimax;
#[path = "../../../../natural/othello.rs"]
mod othello;
#[path = "../../../../natural/pawns.rs"]
mod pawns;
mod position;
mod treant;
#[path = "../../../../natural/tricks.rs"]
mod tricks;

use clap::Parser;
use position::Shared;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use std::time::Instant;

/// The exploration constant, for rewards in [0, 1].
const C: f32 = 0.7;

/// Measures games as newcomers write them against other crates
#[derive(Parser)]
struct Cli {
    /// Measures these numbers of iterations
    #[arg(long, value_delimiter = ',', default_value = "200,1000,10000")]
    iterations: Vec<u64>,
    /// Takes the least time of this many runs of each search, in turn
    #[arg(long, default_value_t = 7)]
    runs: u64,
    /// Measures only the games whose name contains this
    #[arg(long, default_value = "")]
    only: String,
}

/// The result of a search.
struct Found<A> {
    action: A,
    /// The visits of the root, if the crate tells them.
    visits: Option<u64>,
}

/// A search from a state, with a number of iterations and a seed.
type Program<G> = fn(&G, u64, u64) -> Found<<G as GameState>::Action>;

fn ramure<G: GameState>(c: f32, state: &G, iterations: u64, seed: u64) -> Found<G::Action> {
    let search = Mcts::new(state.clone()).tree_policy(Ucb1::new(c)).backprop(Average);
    let mut search = search.seed(seed);
    let report = search.run(Budget::iterations(iterations)).expect("these games keep the contract");
    Found { action: report.best_action(), visits: Some(report.root_visits.into()) }
}

/// ramure, then the others, each after the program of ramure that has its exploration constant. The crates
/// for two players leave out the game of four.
fn programs<G: Shared>(players: u8) -> [Option<Program<G>>; 6] {
    let for_two = |program: Program<G>| (players == 2).then_some(program);
    [
        Some(|state, iterations, seed| ramure(C, state, iterations, seed)),
        for_two(arbor::search),
        Some(mcts::search),
        Some(treant::search),
        for_two(|state, iterations, seed| ramure(minimax::C, state, iterations, seed)),
        for_two(minimax::search),
    ]
}

/// Returns the least times in seconds.
fn measure<G: Shared>(state: &G, iterations: u64, runs: u64) -> [f64; 6] {
    let legal: Vec<G::Action> = state.actions().into_iter().collect();
    let mut least = [f64::NAN; 6];
    for seed in 0..runs {
        for (program, least) in programs(state.players()).into_iter().zip(&mut least) {
            let Some(search) = program else { continue };
            let begin = Instant::now();
            let found = search(state, iterations, seed);
            *least = least.min(begin.elapsed().as_secs_f64());
            assert!(legal.contains(&found.action), "{:?} is not legal", found.action);
            assert_eq!(found.visits.unwrap_or(iterations), iterations);
        }
    }
    least
}

impl Cli {
    fn game<G: Shared>(&self, name: &str, state: &G) {
        if !name.contains(&self.only) {
            return;
        }
        for &iterations in &self.iterations {
            let [ours, arbor, mcts, treant, ours_fixed, minimax] = measure(state, iterations, self.runs);
            print!("| {name} | {iterations} | {:.2} |", ours * 1e6 / iterations as f64);
            for ratio in [ours / arbor, ours / mcts, ours / treant, ours_fixed / minimax] {
                if ratio.is_nan() { print!(" - |") } else { print!(" {ratio:.2} |") }
            }
            println!();
        }
    }
}

fn main() {
    let cli = Cli::parse();
    println!(
        "| game | iterations | ramure, us an iteration | ramure / arbor | ramure / mcts | ramure / treant | ramure / minimax |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    cli.game("five-in-a-row", &five_in_a_row::FiveInARow::new());
    cli.game("pawns", &pawns::Pawns::new());
    cli.game("othello", &othello::Othello::new());
    cli.game("tricks", &tricks::Tricks::new(1));
    cli.game("chess", &chess::Chess::new());
    cli.game("five-in-a-row-once", &listed_once::FiveInARowOnce::new());
    cli.game("pawns-once", &listed_once::PawnsOnce::new());
    cli.game("othello-once", &listed_once::OthelloOnce::new());
}
