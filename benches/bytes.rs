//! Measures the size of trees: bytes per iteration and per child, for games and for policies, as two tables.
//! `cargo bench -p ramure-benches --bench bytes`, or with the greatest number of iterations after `--`.
//!
//! The bytes are those of the report, which are all the memory that the tree takes from the system, so a
//! small tree pays for the whole of its last chunk. The children are all stored ones, visited or not,
//! including the root.

use ramure::prelude::*;
use ramure::selection::{Grave, Puct, Rave, Thompson, Ucb1Tuned};
use ramure::simulation::WithPriors;
use ramure::{ActionIndex, Expansion};
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use std::error::Error;

/// Returns bytes per iteration and per child, as two cells of a table.
fn cells<S: Search>(mut search: S, iterations: u64) -> Result<String, SearchError> {
    let report = search.run(Budget::iterations(iterations))?;
    let bytes = report.bytes as f64;
    let [per_iteration, per_child] = [bytes / iterations as f64, bytes / report.nodes as f64];
    Ok(format!(" {per_iteration:.1} | {per_child:.1} |"))
}

fn plain<G: GameState>(start: &G) -> Mcts<G, Ucb1, Uniform, Average> {
    Mcts::new(start.clone()).backprop(Average).tree_policy(Ucb1::new(1.0))
}

fn games(sizes: &[u64]) -> Result<(), Box<dyn Error>> {
    fn row<G: GameState>(name: &str, start: &G, sizes: &[u64]) -> Result<(), SearchError> {
        print!("| {name} |");
        for &iterations in sizes {
            print!("{}", cells(plain(start), iterations)?);
        }
        println!();
        Ok(())
    }
    print!("| game, `Ucb1`, `Average` |");
    sizes.iter().for_each(|size| print!(" {size} iterations: bytes per iteration | per child |"));
    println!("\n|---|{}", "---:|---:|".repeat(sizes.len()));
    row("Tic-Tac-Toe", &TicTacToe::new(), sizes)?;
    row("Connect 4", &Connect4::new(), sizes)?;
    row("Sudo Tic-Tac-Toe 1", &SudoTicTacToe::new(Mode::LocalWin), sizes)?;
    row("Sudo Tic-Tac-Toe 2", &SudoTicTacToe::new(Mode::Ultimate), sizes)?;
    row("Hex 11x11", &Hex::new(11)?, sizes)?;
    row("Hex 19x19", &Hex::new(19)?, sizes)?;
    Ok(())
}

/// Returns the cells of every policy.
fn policies<G: ActionIndex>(start: &G, iterations: u64) -> Result<Vec<(&'static str, String)>, SearchError> {
    let priors = WithPriors::new(Uniform, |_: &G, _| 1.0);
    let late = Expansion::default().on_visit(5);
    Ok(vec![
        ("`Ucb1`", cells(plain(start), iterations)?),
        ("`Ucb1`, children on the fifth visit", cells(plain(start).expansion(late), iterations)?),
        ("`Ucb1`, `Solver`", cells(plain(start).backprop(Solver::new(Average)), iterations)?),
        ("`Ucb1Tuned`", cells(plain(start).tree_policy(Ucb1Tuned::default()), iterations)?),
        ("`Puct`", cells(plain(start).tree_policy(Puct::default()).rollout_policy(priors), iterations)?),
        ("`Grave`", cells(plain(start).tree_policy(Grave::default()), iterations)?),
        ("`Rave`", cells(plain(start).tree_policy(Rave::default()), iterations)?),
        ("`Thompson`", cells(plain(start).tree_policy(Thompson), iterations)?),
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo also passes `--bench`. `--test` asks for a smoke test.
    let test = std::env::args().any(|argument| argument == "--test");
    let most = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let most = most.unwrap_or(if test { 1_000 } else { 1_000_000 });
    let sizes = [1_000, 10_000, 100_000, 1_000_000].map(|size: u64| size.min(most));
    let mut sizes = sizes.to_vec();
    sizes.dedup();
    games(&sizes)?;

    let iterations = most.min(100_000);
    println!(
        "\n| policies, {iterations} iterations | Connect 4: bytes per iteration | per child | Hex 11x11: bytes per iteration | per child |"
    );
    println!("|---|---:|---:|---:|---:|");
    let hex = policies(&Hex::new(11)?, iterations)?;
    for ((name, connect4), (_, hex)) in policies(&Connect4::new(), iterations)?.into_iter().zip(hex) {
        println!("| {name} |{connect4}{hex}");
    }
    Ok(())
}
