//! Forests of graphs: several trees that share positions, and exchange what they find.

use crate::common::hostile::Hostile;
use crate::common::layered::Layered;
use crate::common::oracle::Oracle;
use crate::common::sized;
use crate::forest::lies_are_errors;
use crate::transpositions::{findings, finds_the_same};
use ramure::backpropagation::{MaxBackup, ScoreBounds};
use ramure::games::{Connect4, TicTacToe};
use ramure::prelude::*;
use ramure::search::{Exchange, Forest, MirrorImages, Transpositions};
use ramure::selection::Puct;
use ramure::simulation::EvaluationPriors;
use ramure::{Bytes, Expansion, StopReason};

/// Exchanges of many nodes, early.
fn often() -> Exchange {
    Exchange::new().least_iterations(20).least_visits(4).most_nodes(100.0).start(50)
}

#[test]
fn a_forest_of_graphs_without_transpositions_is_one_of_trees_to_the_bit() {
    finds_the_same(
        |state| Mcts::new(state).backprop(Solver::new(Average)).parallel(3).threads(1).exchange(often()),
        |state| Mcts::new(state).backprop(Solver::new(Average)).parallel(3).threads(1).exchange(often()),
    );
}

#[test]
fn so_is_one_with_priors_whose_trees_search_while_they_exchange() {
    let rollouts = || EvaluationPriors::new(Uniform, 1.0);
    finds_the_same(
        |state| {
            let search = Mcts::new(state).tree_policy(Puct::default()).rollout_policy(rollouts());
            search.parallel(2).threads(1).exchange(often().overlap(true))
        },
        |state| {
            let search = Mcts::new(state).tree_policy(Puct::default()).rollout_policy(rollouts());
            search.parallel(2).threads(1).exchange(often().overlap(true))
        },
    );
}

#[test]
fn so_is_one_whose_trees_have_windows() {
    finds_the_same(
        |state| Mcts::new(state).window(5).parallel(2).threads(1).exchange(often()),
        |state| Mcts::new(state).window(5).parallel(2).threads(1).exchange(often()),
    );
}

#[test]
fn threads_do_not_change_what_graphs_find() {
    let run = |threads, overlap| {
        let search = Mcts::new(Transpositions::new(Connect4::new())).backprop(Solver::new(Average));
        let search = search.memory_limit(Bytes::kib(800));
        let mut forest = search.parallel(4).threads(threads).exchange(often().overlap(overlap));
        let first = forest.run(Budget::iterations(2_500)).unwrap();
        forest.advance(first.best_action()).unwrap();
        let second = forest.run(Budget::iterations(2_500)).unwrap();
        [first, second].map(|report| (findings(&report), report.nodes, report.bytes, report.recycled_nodes))
    };
    for (overlap, threads) in [(false, 4), (true, 2)] {
        assert_eq!(run(threads, overlap), run(1, overlap), "{threads} threads");
    }
}

#[test]
fn a_forest_of_one_graph_is_a_search_of_a_graph() {
    let search = || Mcts::new(Transpositions::new(Connect4::new())).backprop(Solver::new(Average)).seed(5);
    let (mut alone, mut forest) = (search(), search().parallel(1));
    for _ in 0..3 {
        let budget = Budget::iterations(2_000);
        let (expected, found) = (alone.run(budget).unwrap(), forest.run(budget).unwrap());
        assert_eq!(findings(&found), findings(&expected));
        assert_eq!(found.nodes, expected.nodes);
        alone.advance(expected.best_action()).unwrap();
        forest.advance(found.best_action()).unwrap();
    }
}

#[test]
fn four_graphs_prove_tic_tac_toe() {
    for seed in 0..sized(3, 50) {
        let expansion = Expansion::default().on_visit(1);
        let search = Mcts::new(MirrorImages::new(TicTacToe::new())).tree_policy(Ucb1::new(0.5)).seed(seed);
        let search = search.backprop(ScoreBounds::new(Average)).expansion(expansion);
        let report = search.parallel(4).threads(1).exchange(often()).run(Budget::iterations(5_000)).unwrap();
        assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5)), "{report}");
    }
}

/// Searches a game three times, as it becomes shorter.
fn play(forest: &mut Mcts<Transpositions<Layered>, Ucb1, Uniform, Solver<Average>, Forest>) -> u32 {
    let mut proven = 0;
    for _ in 0..3 {
        let state = *forest.state();
        if matches!(state.turn(), Turn::Over | Turn::Chance) {
            break;
        }
        let report = forest.run(Budget::iterations(600)).unwrap();
        if let Some(proof) = report.proof.filter(|_| !state.has_rings()) {
            proven += 1;
            assert_eq!(f64::from(proof), Oracle::new().value(&state, report.player.unwrap()), "{state:?}");
        }
        forest.advance(report.best_action()).unwrap();
    }
    proven
}

#[test]
fn proofs_of_several_graphs_are_true() {
    let mut proven = 0;
    for seed in 0..sized(8, 200) {
        for state in [
            Layered::new(seed, 2, 8, 6),
            Layered::new(seed, 2, 6, 5).with_rings(),
            Layered::new(seed, 3, 6, 4).with_chance(),
        ] {
            let search = Mcts::new(Transpositions::new(state)).backprop(Solver::new(Average)).seed(seed);
            proven += play(&mut search.parallel(3).threads(1).exchange(often().overlap(seed % 2 == 0)));
        }
    }
    assert!(proven > sized(12, 300), "{proven}");
}

#[test]
fn wrong_keys_neither_hang_nor_crash_several_graphs() {
    for seed in 0..sized(20, 1_000) {
        for bits in [0, 1, 3] {
            let state = Layered::new(seed, 2, 6, 8).with_rings().with_chance().with_wrong_keys(bits);
            let search = Mcts::new(Transpositions::new(state)).memory_limit(Bytes::kib(300));
            let mut forest = search.parallel(2).threads(1).exchange(often());
            for _ in 0..3 {
                let Ok(report) = forest.run(Budget::iterations(300)) else { break };
                let _ = forest.advance(report.actions[0].action);
            }
            let _ = forest.tree().dot(4, 1).to_string();
        }
    }
}

/// With trunks that no longer agree, one exchange more went out of bounds in 27 of 3600 runs. Here are 900
/// runs.
#[test]
fn lies_of_a_game_are_no_panics_of_its_graphs() {
    let start = Transpositions::new(Hostile::default());
    let errors: u32 = (0..sized(120, 4_000)).map(|seed| lies_are_errors(&start, seed)).sum();
    assert!(errors > 40, "{errors}");
}

#[test]
fn backups_that_do_not_average_are_refused() {
    let mut forest = Mcts::new(Transpositions::new(TicTacToe::new())).backprop(MaxBackup).parallel(2);
    let error = forest.run(Budget::iterations(100)).unwrap_err().to_string();
    assert!(error.contains("use `Average`, `Solver` or `ScoreBounds`"), "{error}");
    let mut forest = Mcts::new(Transpositions::new(TicTacToe::new())).backprop(MaxBackup).parallel(1);
    forest.run(Budget::iterations(100)).unwrap();
}
