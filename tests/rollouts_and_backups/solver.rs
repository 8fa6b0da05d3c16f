//! Proofs: respected by the decision, and without bias below chance. (That they are right is a law of the random
//! programs.)

use crate::common::any::Any;
use crate::common::four::SmallFour;
use crate::common::nim::Nim;
use crate::common::oracle::Oracle;
use crate::common::pig::Pig;
use crate::common::rows::TicTacToe;
use crate::common::scripted::{Scripted, chance, choice, end};
use crate::common::{after, sized, wander};
use ramure::backpropagation::{Average, Backprop, Decorated, ProofsIf, ScoreBounds, Solver};
use ramure::selection::Ucb1;
use ramure::{Budget, GameState, Mcts, Rng, StopReason, Turn};
use std::collections::HashSet;

#[test]
fn the_empty_board_of_tic_tac_toe_is_proven_a_draw_within_100_000_iterations() {
    for &c in sized(&[0.7][..], &[0.7, std::f32::consts::SQRT_2, 2.0]) {
        for seed in 0..sized(1, 3) {
            let search = Mcts::new(Any::new(TicTacToe::default())).tree_policy(Ucb1::new(c));
            let mut search = search.backprop(Solver::new(Average)).seed(seed);
            let report = search.run(Budget::iterations(100_000)).expect("a sound game");
            assert_eq!(report.stop_reason, StopReason::Proven, "c {c}, seed {seed}: {report}");
            assert_eq!(report.proof, Some(0.5), "c {c}, seed {seed}: {report}");
            assert!(report.iterations <= 100_000);
        }
    }
}

/// Plays as `side` against every reply that `replies` gives, after `opening`. Returns the number of finished
/// games. None may be lost.
fn never_loses(opening: &[u8], side: u8, seed: u64, mut replies: impl FnMut(&TicTacToe) -> Vec<u8>) -> usize {
    let (mut ends, mut seen) = (0, HashSet::new());
    let mut pending = vec![after(&TicTacToe::default(), opening.iter().copied())];
    while let Some(state) = pending.pop() {
        if !seen.insert(state) {
            continue;
        }
        match state.turn() {
            Turn::Player(player) if player == side => {
                let mut search = Mcts::new(Any::new(state)).seed(seed);
                let report = search.run(Budget::iterations(10_000));
                let report = report.expect("a sound game");
                pending.push(after(&state, [report.best_action()]));
            }
            Turn::Player(_) => {
                pending.extend(replies(&state).into_iter().map(|reply| after(&state, [reply])))
            }
            _ => {
                assert!(state.reward(side) > 0.0, "player {side} with seed {seed} loses: {state:?}");
                ends += 1;
            }
        }
    }
    ends
}

#[test]
fn without_a_solver_tic_tac_toe_is_never_lost_to_perfect_play_at_10_000_iterations() {
    let mut oracle = Oracle::new();
    for side in [0, 1] {
        for seed in 0..sized(1, 3) {
            // The second player must answer the third mark on an edge.
            let opening = sized(&[0, 4, 8][..], &[]);
            assert!(never_loses(opening, side, seed, |state| oracle.best_actions(state)) > sized(0, 1));
        }
    }
}

#[test]
fn the_root_decision_respects_proofs() {
    // In each, some action is proven better than those that look good: positions on the way to the proof of
    // the empty board.
    let mut oracle = Oracle::new();
    let (mut rng, mut seen, mut draws) = (Rng::seeded(4), [0; 3], [0; 2]);
    for seed in 0..300 {
        let length = 2 + rng.below(5);
        let state = wander(TicTacToe::default(), length, &mut rng);
        let Turn::Player(me) = state.turn() else { continue };
        let mut search = Mcts::new(Any::new(state)).backprop(Solver::new(Average)).seed(seed);
        let report = search.run(Budget::iterations(20 + 10 * (seed % 30))).expect("a sound game");
        let chosen = report.actions[report.chosen.expect("no chance")];
        let best_proof = report.actions.iter().filter_map(|action| action.proof).reduce(f32::max);
        let open = report.actions.iter().any(|action| action.proof.is_none());
        match best_proof {
            Some(1.0) => {
                seen[0] += 1;
                assert_eq!(chosen.proof, Some(1.0), "a proven win is taken: {report}");
                assert_eq!(oracle.value(&after(&state, [chosen.action]), me), 1.0);
            }
            Some(proof) if !open => {
                seen[1] += 1;
                assert_eq!(chosen.proof, Some(proof), "the best of the proven is taken: {report}");
            }
            Some(proof) => {
                seen[2] += 1;
                // A draw is compared with the favourite among the open actions, by the most visits, then the
                // greatest mean.
                let open = report.actions.iter().filter(|action| action.proof.is_none());
                let favourite = open.map(|action| (action.visits, action.mean));
                let favourite = favourite.reduce(|a, b| if b > a { b } else { a }).expect("one is open");
                if proof > favourite.1 {
                    draws[0] += 1;
                    assert_eq!(chosen.proof, Some(0.5), "a proven draw is taken: {report}");
                } else {
                    draws[1] += u32::from(proof == 0.5);
                    assert_eq!(chosen.proof, None, "a proven loss is avoided, a draw refused: {report}");
                    assert_eq!((chosen.visits, chosen.mean), favourite, "{report}");
                }
            }
            None => {}
        }
    }
    assert!(seen.iter().all(|&count| count >= 10), "{seen:?}");
    // A refused draw is rare here; `decorators` has more cases.
    assert!(draws[0] >= 3, "{draws:?}");
}

#[test]
fn a_proven_root_stops_the_search_and_later_runs_make_no_iteration() {
    let mut search = Mcts::new(Any::new(Nim::<2> { sticks: 3, player: 0 })).backprop(Solver::new(Average));
    let report = search.run(Budget::until_stopped()).expect("a sound game");
    assert_eq!((report.stop_reason, report.proof, report.best_action()), (StopReason::Proven, Some(1.0), 3));
    let again = search.run(Budget::iterations(1_000)).expect("it is proven");
    assert_eq!((again.iterations, again.stop_reason), (0, StopReason::Proven));
    assert_eq!((again.root_visits, again.best_action()), (report.root_visits, 3));
}

#[test]
fn an_iteration_ends_at_a_proven_node_below_chance() {
    // The die is rolling: a one loses the game, and every other face has won it. All four outcomes are soon
    // proven, but each must still come up by its weight, and the mean must not change. Each of ten seeds is
    // outside three standard errors with a probability of .003, so two are with a probability of .0003.
    let rolling = Pig { banked: [5, 4], pot: 7, player: 1, turns: 1, rolling: true };
    let exact = Oracle::new().value(&rolling, 0);
    let iterations = sized(5_000, 20_000);
    let mut outside = 0;
    for seed in 0..10 {
        let mut search = Mcts::new(Any::new(rolling)).backprop(Solver::new(Average)).seed(seed);
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        assert!(report.actions.iter().all(|action| action.proof.is_some()), "{report}");
        assert_eq!((report.iterations, report.proof), (iterations, None));
        let root = search.tree().root().expect("it ran");
        let error = (f64::from(root.mean()) - exact).abs();
        outside += u32::from(error > 3.0 * (exact * (1.0 - exact) / iterations as f64).sqrt());
        // Nothing below the proven outcomes was searched after the proof.
        assert!(search.tree().node_count() < 100, "{report}");
    }
    assert!(outside <= 1, "{outside} of 10");
}

/// A gamble that player 0 wins with this probability.
fn gamble(p: f64) -> Scripted {
    chance([(p, end(1.0)), (1.0 - p, end(0.0))])
}

#[test]
fn a_node_with_a_proven_draw_is_worth_the_greater_of_the_draw_and_the_mean() {
    // To replace each loss by the draw would give .5 + p / 2. The standard error of the mean is at most .008,
    // so one of the twelve is five of them away with a probability of 7e-6.
    fn mean<B: Backprop<Any>>(p: f64, mover: u8, backprop: B) -> f64 {
        let state = choice(0, [choice(mover, [end(0.5), gamble(p)])]);
        let mut search = Mcts::new(Any::new(state)).backprop(backprop).seed(3);
        let report = search.run(Budget::iterations(4_000)).expect("a sound game");
        f64::from(report.actions[0].mean)
    }
    for p in [0.25, 0.45, 0.7f64] {
        for (mover, exact) in [(0, p.max(0.5)), (1, p.min(0.5))] {
            let means = [mean(p, mover, Solver::new(Average)), mean(p, mover, ScoreBounds::new(Average))];
            assert!(means.iter().all(|mean| (mean - exact).abs() < 0.04), "{means:?}, not {exact}");
        }
    }
}

#[test]
fn refuted_replies_count_in_the_mean_as_without_proofs() {
    // Three of four replies lose at once. If the search left them out as soon as this is proven, the action
    // would look worse than others, whose bad replies are not refuted.
    fn run<B: Backprop<Any>>(backprop: B, seed: u64) -> Vec<(u32, u32)> {
        let forcing = |p| choice(1, [end(1.0), gamble(p), end(1.0), end(1.0)]);
        let state = choice(0, [forcing(0.5), choice(1, [gamble(0.6), gamble(0.7)]), forcing(0.4)]);
        let mut search = Mcts::new(Any::new(state)).backprop(backprop).seed(seed);
        let report = search.run(Budget::iterations(1_000)).expect("a sound game");
        report.actions.iter().map(|action| (action.visits, action.mean.to_bits())).collect()
    }
    for seed in 0..5 {
        let without = run(Average, seed);
        assert_eq!(run(Solver::new(Average), seed), without);
        assert_eq!(run(ScoreBounds::new(Average), seed), without);
    }
}

#[test]
fn a_proven_loss_has_the_mean_of_a_loss_and_is_visited_as_rarely_as_any_bad_child() {
    let mut losses = 0;
    for seed in 0..sized(3, 10) {
        let state = wander(TicTacToe::default(), 2, &mut Rng::seeded(seed));
        let search = Mcts::new(Any::new(state)).tree_policy(Ucb1::new(2_f32.sqrt())).seed(seed);
        let mut search = search.backprop(Solver::new(Average));
        search.run(Budget::iterations(1_000)).expect("a sound game");
        let root = search.tree().root().expect("it ran");
        // If the node is proven too, no iteration chooses there any more.
        for reply in root.children().filter(|reply| reply.proof(reply.chooser()).is_none()) {
            for node in reply.children().filter(|node| node.proof(node.chooser()) == Some(0.0)) {
                assert_eq!(node.mean(), 0.0);
                losses += 1;
            }
        }
    }
    assert!(losses > sized(10, 30), "{losses}");
}

#[test]
fn an_outcome_that_never_happens_does_not_prevent_a_proof() {
    fn proof<B: Backprop<Any>>(backprop: B) -> Option<f32> {
        let sure = chance([(0.0, end(0.0)), (1.0, end(1.0)), (0.0, end(0.5))]);
        let mut search = Mcts::new(Any::new(choice(0, [end(0.25), sure]))).backprop(backprop);
        search.run(Budget::iterations(100)).expect("a sound game").proof
    }
    assert_eq!(proof(Solver::new(Average)), Some(1.0));
    assert_eq!(proof(ScoreBounds::new(Average)), Some(1.0));
    let sure = chance([(0.0, end(0.0)), (1.0, end(1.0))]);
    let search = Mcts::new(Any::new(choice(0, [end(0.25), sure]))).backprop(Solver::new(Average));
    let report = search.window(2).run(Budget::iterations(1_000)).expect("a sound game");
    assert_eq!(report.proof, Some(1.0), "{report}");
}

#[test]
fn proofs_are_switched_at_run_time() {
    fn found(backprop: impl Backprop<Any>) -> String {
        let report = Mcts::new(Any::new(SmallFour::default()))
            .backprop(backprop)
            .seed(3)
            .run(Budget::iterations(3_000));
        let report = report.expect("a sound game");
        format!("{:?}", (report.actions, report.proof, report.nodes, report.stop_reason))
    }
    let (on, off) = (found(Solver::new(Average)), found(Average));
    assert_ne!(on, off);
    assert_eq!(found(Decorated::by(ProofsIf(true), Average)), on);
    assert_eq!(found(Decorated::by(ProofsIf(false), Average)), off);
}
