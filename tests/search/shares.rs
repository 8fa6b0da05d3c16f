//! The shares of a report follow proofs: they are what the search would play.

use crate::common::layered::Layered;
use crate::common::scripted::{Scripted, choice, corridor, end};
use ramure::backpropagation::{Average, ScoreBounds, Solver};
use ramure::prelude::*;
use ramure::search::Transpositions;
use ramure::selection::{AtRoot, CompletedValues, Dirichlet, Gumbel, GumbelRoot, Puct};
use ramure::simulation::WithPriors;
use ramure::{Report, RootActions, RootDecision, Search};

/// Eight actions, of which the last wins after any reply, and the others are worth between 0.4 and 0.6.
fn late_win() -> Scripted {
    let mut next: [Scripted; 8] =
        core::array::from_fn(|action| corridor(1, 6, end(0.4 + 0.025 * action as f64)));
    next[7] = choice(1, [end(1.0), end(1.0), end(1.0)]);
    choice(0, next)
}

/// The prior of the winning action is 0.02.
fn priors(_: &Scripted, action: u8) -> f32 {
    if action == 7 { 0.02 } else { 0.14 }
}

fn sum(shares: &[f32]) -> f32 {
    shares.iter().sum()
}

#[test]
fn a_win_that_is_found_late_has_the_whole_target() {
    let rollouts = || WithPriors::new(Uniform, priors);
    let new = || Mcts::new(late_win()).rollout_policy(rollouts()).backprop(Solver::new(Average));
    let mut found = 0;
    for seed in 0..10 {
        let mut search = new().tree_policy(AtRoot::new(Dirichlet::default(), Puct::new(1.25))).seed(seed);
        let report = search.run(Budget::iterations(800)).expect("a sound game");
        let win = report.actions[7];
        assert_eq!((report.proof, win.proof), (Some(1.0), Some(1.0)), "{report}");
        // The visits alone would teach another action.
        found += u32::from(report.actions.iter().any(|action| action.visits > win.visits));
        assert_eq!(report.visit_shares(), [0., 0., 0., 0., 0., 0., 0., 1.], "{report}");
        // Without the winning action, the shares are for the others.
        search.set_root_actions(RootActions::except([7]));
        let report = search.run(Budget::iterations(200)).expect("a sound game");
        assert_eq!(report.actions.len(), 7);
        assert!((sum(&report.visit_shares()) - 1.0).abs() < 1e-5, "{report}");
        assert!(report.visit_shares().iter().filter(|&&share| share > 0.0).count() > 1, "{report}");
    }
    assert!(found > 4, "{found}");
}

#[test]
fn a_win_has_the_whole_improved_policy() {
    let rollouts = || WithPriors::new(Uniform, priors);
    let new = || Mcts::new(late_win()).rollout_policy(rollouts()).backprop(Solver::new(Average));
    let mut found = 0;
    for seed in 0..20 {
        let budget = Budget::iterations(64);
        let root = AtRoot::new(GumbelRoot::new(16), CompletedValues::default());
        let reports = [
            new().tree_policy(Gumbel::mctx()).seed(seed).run(budget).expect("a sound game"),
            new().tree_policy(root).seed(seed).run(budget).expect("a sound game"),
        ];
        for report in reports.iter().filter(|report| report.proof == Some(1.0)) {
            assert_eq!(
                report.improved_policy().expect("it has one"),
                [0., 0., 0., 0., 0., 0., 0., 1.],
                "{report}"
            );
            found += 1;
        }
    }
    assert!(found > 10, "{found}");
}

/// Checks that the shares are the probabilities with which the search plays by a temperature of 1. Returns
/// whether some action is proven.
fn are_played<S: Search<Space = Layered>>(search: &mut S, report: &Report<u8>) -> bool {
    const DRAWS: u32 = 400;
    let shares = report.visit_shares();
    assert!((sum(&shares) - 1.0).abs() < 1e-5, "{report}");
    search.set_root_decision(Some(RootDecision::Temperature(1.0)));
    let mut counts = vec![0; shares.len()];
    for seed in 0..u64::from(DRAWS) {
        search.set_seed(seed);
        counts[search.report().expect("a sound game").chosen.expect("a player moves")] += 1;
    }
    search.set_root_decision(None);
    let played = |index: usize| f64::from(counts[index]) / f64::from(DRAWS);
    for (index, action) in report.actions.iter().enumerate() {
        // Of several proven actions that are equally good, the one with the most visits is played.
        let is_twin = |other: &usize| {
            *other == index || action.proof.is_some() && action.proof == report.actions[*other].proof
        };
        let twins = Vec::from_iter((0..shares.len()).filter(is_twin));
        let share: f64 = twins.iter().map(|&twin| f64::from(shares[twin])).sum();
        let drawn: f64 = twins.iter().map(|&twin| played(twin)).sum();
        // Six standard errors: a false alarm has a probability of 2e-9 for each action.
        let error = 6.0 * (share * (1.0 - share) / f64::from(DRAWS)).max(0.0).sqrt() + 1e-6;
        assert!((share - drawn).abs() <= error, "{shares:?} {counts:?} {report}");
    }
    report.actions.iter().any(|action| action.proof.is_some())
}

#[test]
fn shares_are_what_a_temperature_plays() {
    let mut proven = [0; 3];
    for seed in 0..crate::common::sized(40, 300) {
        let players = 1 + (seed % 3) as u8;
        let state = Layered::new(seed, players, 5, 12).with_chance();
        let Turn::Player(_) = state.turn() else { continue };
        let budget = Budget::iterations(30 + 10 * (seed % 9));
        let mut solved = Mcts::new(state).backprop(Solver::new(Average)).seed(seed);
        let mut bounded = Mcts::new(state).backprop(ScoreBounds::general(Average)).seed(seed);
        for restricts in [false, true] {
            if restricts {
                let first = state.actions().into_iter().next().expect("an action");
                if state.actions().into_iter().count() == 1 {
                    continue;
                }
                solved.set_root_actions(RootActions::except([first]));
                bounded.set_root_actions(RootActions::except([first]));
            }
            let report = solved.run(budget).expect("a sound game");
            proven[0] += u32::from(are_played(&mut solved, &report));
            let report = bounded.run(budget).expect("a sound game");
            proven[1] += u32::from(are_played(&mut bounded, &report));
            proven[2] += u32::from(report.actions.iter().any(|action| action.is_pruned));
        }
    }
    assert!(proven.iter().all(|&count| count > 3), "{proven:?}");
}

/// In a graph, an action may have been proven on another way than through the root.
#[test]
fn a_report_knows_what_its_actions_prove() {
    let (mut rng, mut found) = (Rng::seeded(1), 0);
    for seed in 0..crate::common::sized(150, 600) {
        let mut state = Layered::new(seed, 2, 6, 6);
        let graph = Transpositions::new(state);
        let mut search =
            Mcts::new(graph).backprop(Solver::new(Average)).tree_policy(Ucb1::new(0.5)).seed(seed);
        for _ in 0..4 {
            search.run(Budget::iterations(40)).expect("a sound game");
            let action = state.random_action(&mut rng).expect("an action");
            state.apply(action);
            if state.turn() == Turn::Over {
                break;
            }
            search.advance(action).expect("a legal action");
            let report = search.report().expect("a sound game");
            let proofs = Vec::from_iter(report.actions.iter().map(|action| action.proof));
            if proofs.contains(&Some(1.0)) {
                assert_eq!(report.proof, Some(1.0), "{report}");
                found += 1;
            } else if proofs.iter().all(Option::is_some) {
                assert!(proofs.contains(&report.proof) && proofs.iter().all(|proof| *proof <= report.proof));
            }
        }
    }
    assert!(found > 5, "{found}");
}

#[test]
fn where_all_actions_lose_the_visits_are_the_shares() {
    let state = choice(0, [choice(1, [end(0.0)]), choice(1, [end(0.0), end(1.0)]), end(0.0)]);
    let report =
        Mcts::new(state).backprop(Solver::new(Average)).run(Budget::iterations(1_000)).expect("a sound game");
    assert_eq!(report.proof, Some(0.0));
    let all: u32 = report.actions.iter().map(|action| action.visits).sum();
    for (action, share) in report.actions.iter().zip(report.visit_shares()) {
        assert!((share - action.visits as f32 / all as f32).abs() < 1e-6, "{report}");
    }
}

#[test]
fn at_a_chance_node_outcomes_share_by_their_visits() {
    use crate::common::scripted::chance;
    let state = chance([(0.25, end(1.0)), (0.75, end(0.0))]);
    let report =
        Mcts::new(state).backprop(Solver::new(Average)).run(Budget::iterations(100)).expect("a sound game");
    let shares = report.visit_shares();
    assert!(shares.iter().all(|&share| share > 0.0), "{report}");
    assert!((sum(&shares) - 1.0).abs() < 1e-5);
}
