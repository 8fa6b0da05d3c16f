//! One position under many policies: `cargo run --release --example swap_policies`.
//!
//! Each row of the table is the default search with one or two parts swapped, by one call each. Parts that do
//! not fit together do not compile: try `Puct` without the priors.

use ramure::prelude::*;
use ramure::selection::{Grave, Puct, Rave, Thompson, Ucb1Tuned};
use ramure::simulation::{Cutoff, EpsilonGreedyRollouts, Evaluate, Mast, WithPriors};
use ramure::{Rewards, StaticEvaluation, backpropagation::Discounted};
use ramure_games::Hex;
use ramure_games::hex::HexAction;
use std::error::Error;

/// O joins left and right. Only c2 wins, but d2 and others look as good for a long time.
const POSITION: &str = "\
  a b c d e
1 . . . . O
 2 . . . . .
  3 . . . X .
   4 . . X . .
    5 . . X O .";

const ITERATIONS: u64 = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let state: Hex = POSITION.parse()?;
    println!(
        "{state}\n\n{ITERATIONS} iterations each. With more iterations, a solver proves that c2 is the only win.\n"
    );
    println!(
        "{:<10} {:<21} {:<18} {:>6} {:>7} {:>7} {:>12} {:>10}",
        "selection", "simulation", "backpropagation", "action", "mean", "share", "iterations/s", "bytes/node"
    );

    let search = || Mcts::new(state.clone()).seed(1);
    // Selection. `Mcts::new` starts with `Ucb1`, `Uniform` and a `Solver` of averages.
    row(["Ucb1", "Uniform", "Solver"], search())?;
    row(["Ucb1(0.5)", "Uniform", "Solver"], search().tree_policy(Ucb1::new(0.5)))?;
    row(["Ucb1Tuned", "Uniform", "Solver"], search().tree_policy(Ucb1Tuned::default()))?;
    row(["Thompson", "Uniform", "Solver"], search().tree_policy(Thompson))?;
    row(["Rave", "Uniform", "Solver"], search().tree_policy(Rave::default()))?;
    row(["Grave", "Uniform", "Solver"], search().tree_policy(Grave::default()))?;
    // `Puct` reads priors. They come from a function beside the rollouts, or from an evaluator that replaces
    // the rollouts.
    let priors = WithPriors::new(Uniform, central);
    row(["Puct", "WithPriors", "Solver"], search().tree_policy(Puct::default()).rollout_policy(priors))?;
    let evaluate = Evaluate::by(distance_and_centre);
    row(["Puct", "Evaluate", "Solver"], search().tree_policy(Puct::default()).rollout_policy(evaluate))?;

    // Simulation.
    row(["Ucb1", "Mast", "Solver"], search().rollout_policy(Mast::default()))?;
    row(
        ["Ucb1", "EpsilonGreedyRollouts", "Solver"],
        search().rollout_policy(EpsilonGreedyRollouts::new(0.1, wins)),
    )?;
    row(["Ucb1", "Cutoff", "Solver"], search().rollout_policy(Cutoff::new(6)))?;

    // Backpropagation. A solver works with all other parts, and around any of these.
    row(["Ucb1", "Uniform", "Average"], search().backprop(Average))?;
    row(["Ucb1", "Uniform", "Discounted"], search().backprop(Discounted::new(0.98)))?;
    row(["Ucb1", "Uniform", "Solver<Discounted>"], search().backprop(Solver::new(Discounted::new(0.98))))?;
    Ok(())
}

/// Searches, and prints a row of the table.
fn row(parts: [&str; 3], mut search: impl Search<Space = Hex>) -> Result<(), SearchError> {
    let report = search.run(Budget::iterations(ITERATIONS))?;
    let best = report.best_action();
    let visits: u32 = report.actions.iter().map(|action| action.visits).sum();
    for action in report.actions.iter().filter(|action| action.action == best) {
        let [selection, simulation, backpropagation] = parts;
        println!(
            "{selection:<10} {simulation:<21} {backpropagation:<18} {:>6} {:>5.1} % {:>5.1} % {:>12.0} {:>10.1}",
            best.to_string(),
            100.0 * action.mean,
            100.0 * f64::from(action.visits) / f64::from(visits),
            report.iterations_per_second(),
            report.bytes as f64 / report.nodes as f64,
        );
    }
    Ok(())
}

/// A prior: the centre is worth more than the corners.
fn central(state: &Hex, action: HexAction) -> f32 {
    let HexAction::Place(cell) = action else { return 1.0 };
    let far = |place: u8| (2 * place + 1).abs_diff(state.size());
    1.0 / f32::from(2 + far(cell.row()) + far(cell.column()))
}

/// An evaluator: gives the value of a state and the priors of its actions together, as a network does.
fn distance_and_centre(state: &Hex, actions: &[HexAction], priors: &mut [f32]) -> Rewards {
    for (prior, &action) in priors.iter_mut().zip(actions) {
        *prior = central(state, action);
    }
    Rewards::new(2, |player| state.evaluate(player) as f32)
}

/// A heuristic for rollouts: play an immediate win, if there is one.
fn wins(state: &Hex, action: HexAction) -> f32 {
    let mut next = state.clone();
    next.apply(action);
    if next.winner().is_some() { 1.0 } else { 0.0 }
}
