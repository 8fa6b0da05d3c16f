//! Runs one search and nothing else, for a profiler: `cargo bench -p ramure-benches --bench instructions --
//! connect4 ucb1 100000`. `benches/instructions.sh` counts its instructions.
//!
//! Prints the instruction set of the loop, because a profiler may not support everything that the processor
//! has.

#[path = "common/named.rs"]
mod named;
#[path = "common/own_ucb1.rs"]
mod own_ucb1;
#[path = "common/shown.rs"]
mod shown;

use clap::{Parser, ValueEnum};
use named::Named;
use own_ucb1::{OwnUcb1, PlainUcb1};
use ramure::ActionIndex;
use ramure::Keyed;
use ramure::prelude::*;
use ramure::search::{InformationSet, MirrorImages, OpenLoop, Sampled, Transpositions};
use ramure::selection::{AvailabilityUcb1, Grave, Puct, Rave, Thompson, Ucb1Tuned};
use ramure::simulation::{Mast, WithPriors};
use ramure_games::sudo_tic_tac_toe;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use shown::Shown;
use std::sync::Arc;

/// Runs one search.
#[derive(Parser)]
struct Cli {
    #[arg(value_enum, default_value_t = Game::Connect4)]
    game: Game,
    /// A policy for any of the games, or a search that only Connect 4 has here
    #[arg(default_value = "ucb1")]
    search: String,
    #[arg(default_value_t = 1_000)]
    iterations: u64,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
    /// Runs a smoke test, as in criterion; the defaults are already one
    #[arg(long, hide = true)]
    test: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Game {
    TicTacToe,
    Connect4,
    Sudo1,
    Sudo2,
    Hex11,
    Hex19,
}

#[derive(Clone, Copy, ValueEnum)]
enum Policy {
    /// What `Mcts::new` creates
    Default,
    Ucb1,
    Own,
    Plain,
    Solver,
    Tuned,
    Puct,
    Thompson,
    Grave,
    Rave,
    Mast,
    /// UCB1 in a graph of positions
    Graph,
}

/// A search that is not that of a tree of states, by one thread, one leaf at a time.
#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    MirrorImages,
    InformationSet,
    OpenLoop,
    Sampled,
    /// A window of one leaf: what a window costs
    WindowOfOne,
    Window,
    PlayerTrees,
    /// Actions are numbers, or texts
    Numbers,
    Arcs,
    Strings,
}

fn run<S: Search>(mut search: S, iterations: u64) -> Result<(), SearchError> {
    let report = search.run(Budget::iterations(iterations))?;
    println!("iterations: {}, mean depth: {:.2}", report.iterations, report.mean_depth);
    Ok(())
}

fn search_by(mode: Mode, iterations: u64) -> Result<(), SearchError> {
    let (ucb1, by_availability) = (Ucb1::new(1.0), AvailabilityUcb1::new(1.0));
    let (start, shown) = (Connect4::new(), Shown(Connect4::new()));
    let plain = || Mcts::new(start).backprop(Average).tree_policy(ucb1);
    match mode {
        Mode::MirrorImages => {
            run(Mcts::new(MirrorImages::new(start)).backprop(Average).tree_policy(ucb1), iterations)
        }
        Mode::InformationSet => {
            run(Mcts::new(InformationSet::new(shown)).tree_policy(by_availability), iterations)
        }
        Mode::OpenLoop => run(Mcts::new(OpenLoop::new(start)).tree_policy(by_availability), iterations),
        Mode::Sampled => run(Mcts::new(Sampled::new(shown)).tree_policy(ucb1), iterations),
        Mode::WindowOfOne => run(plain().window(1), iterations),
        Mode::Window => run(plain().window(8), iterations),
        Mode::PlayerTrees => run(Mcts::player_trees(shown).tree_policy(by_availability), iterations),
        Mode::Numbers => run(Mcts::new(Named::<u8>::new()), iterations),
        Mode::Arcs => run(Mcts::new(Named::<Arc<str>>::new()), iterations),
        Mode::Strings => run(Mcts::new(Named::<String>::new()), iterations),
    }
}

fn search<G: ActionIndex + Keyed>(start: G, policy: Policy, iterations: u64) -> Result<(), SearchError> {
    let search = Mcts::new(start).backprop(Average).tree_policy(Ucb1::new(1.0));
    match policy {
        Policy::Default => run(Mcts::new(search.state().clone()), iterations),
        Policy::Ucb1 => run(search, iterations),
        Policy::Own => run(search.tree_policy(OwnUcb1(1.0)), iterations),
        Policy::Plain => run(search.tree_policy(PlainUcb1(1.0)), iterations),
        Policy::Solver => run(search.backprop(Solver::new(Average)), iterations),
        Policy::Tuned => run(search.tree_policy(Ucb1Tuned::default()), iterations),
        Policy::Puct => {
            let priors = WithPriors::new(Uniform, |_: &G, _| 1.0);
            run(search.tree_policy(Puct::new(1.25)).rollout_policy(priors), iterations)
        }
        Policy::Thompson => run(search.tree_policy(Thompson), iterations),
        Policy::Grave => run(search.tree_policy(Grave::default()), iterations),
        Policy::Rave => run(search.tree_policy(Rave::default()), iterations),
        Policy::Mast => run(search.rollout_policy(Mast::default()), iterations),
        Policy::Graph => {
            let start = Transpositions::new(search.state().clone());
            run(Mcts::new(start).backprop(Average).tree_policy(Ucb1::new(1.0)), iterations)
        }
    }
}

/// Returns which of the two compiled loops this processor, or the profiler that emulates it, runs.
fn instruction_set() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        let newer = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if newer { "AVX2" } else { "any x86-64" }
    }
    #[cfg(not(target_arch = "x86_64"))]
    "portable"
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Cli { game, search: name, iterations, .. } = Cli::parse();
    println!("instruction set: {}", instruction_set());
    if let (Game::Connect4, Ok(mode)) = (game, Mode::from_str(&name, true)) {
        return Ok(search_by(mode, iterations)?);
    }
    let policy = Policy::from_str(&name, true)?;
    match game {
        Game::TicTacToe => search(TicTacToe::new(), policy, iterations)?,
        Game::Connect4 => search(Connect4::new(), policy, iterations)?,
        Game::Sudo1 => search(SudoTicTacToe::new(sudo_tic_tac_toe::Mode::LocalWin), policy, iterations)?,
        Game::Sudo2 => search(SudoTicTacToe::new(sudo_tic_tac_toe::Mode::Ultimate), policy, iterations)?,
        Game::Hex11 => search(Hex::new(11)?, policy, iterations)?,
        Game::Hex19 => search(Hex::new(19)?, policy, iterations)?,
    }
    Ok(())
}
