//! Ends of a run that depend on the state of the root: the early stop, and the patience of the max-robust
//! child.

use crate::common::simple::Corridor;
use crate::common::{draw, sized};
use ramure::backpropagation::{Average, ScoreBounds, Solver};
use ramure::selection::{Choice, FirstPlay, Node, TreePolicy, Ucb1};
use ramure::simulation::Uniform;
use ramure::{Budget, Every, GameState, Mcts, Report, Rng, RootDecision, SearchError, StopReason};
use ramure_games::{Connect4, Hex, TicTacToe};
use std::time::Duration;

fn positions<G: GameState>(start: &G, lengths: usize, count: usize) -> Vec<G> {
    let mut rng = Rng::seeded(5);
    let wander = |index: usize| {
        let mut state = start.clone();
        for _ in 0..index % lengths {
            draw(&state, &mut rng).into_iter().for_each(|action| state.apply(action));
        }
        state
    };
    (0..count).map(wander).filter(|state| state.actions().into_iter().next().is_some()).collect()
}

fn search<G: GameState>(state: &G, seed: u64) -> Mcts<G, Ucb1, Uniform, Average> {
    Mcts::new(state.clone()).backprop(Average).tree_policy(Ucb1::new(0.4)).seed(seed)
}

fn same_action_sooner<G: GameState>(start: &G, budget: u64) -> u64 {
    let mut saved = 0;
    for (seed, state) in positions(start, 12, sized(12, 60)).iter().enumerate() {
        let whole = search(state, seed as u64).run(Budget::iterations(budget)).unwrap();
        let early = search(state, seed as u64).run(Budget::iterations(budget).or_decided()).unwrap();
        assert_eq!(early.best_action(), whole.best_action(), "{early}\n{whole}");
        match early.stop_reason {
            StopReason::Decided => assert!(early.iterations < budget),
            other => assert_eq!((other, early.iterations), (StopReason::Iterations, budget)),
        }
        saved += budget - early.iterations;
    }
    saved
}

#[test]
fn an_early_stop_plays_the_action_of_the_full_budget() {
    assert!(same_action_sooner(&Connect4::new(), 1_500) > 0);
    assert!(same_action_sooner(&Hex::new(5).unwrap(), 1_000) > 0);
}

/// Plays the child of the root with the greatest mean of its last rewards, which may change until the end.
struct Recent(Ucb1);

impl<G: GameState> TreePolicy<G> for Recent {
    type Stats = (f32, <Ucb1 as TreePolicy<G>>::Stats);
    const FIRST_PLAY: Option<FirstPlay> = <Ucb1 as TreePolicy<G>>::FIRST_PLAY;

    fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice {
        self.0.select(node.map_stats(|(_, inner)| inner, |(recent, _), inner| (recent, inner)), rng)
    }
    fn update(&self, (recent, inner): Self::Stats, visits: f32, reward: f32) -> Self::Stats {
        let inner = TreePolicy::<G>::update(&self.0, inner, visits, reward);
        (recent + (reward - recent) / visits.min(10.0), inner)
    }
    fn decide(&self, root: impl Node<G, Self::Stats>, _: &mut Rng) -> Option<Choice> {
        Some(root.argmax(|child| child.stats().0))
    }
}

#[test]
fn an_early_stop_leaves_the_decision_of_a_policy_as_it_is() {
    for (seed, state) in positions(&Connect4::new(), 12, 12).iter().enumerate() {
        let new = || search(state, seed as u64).tree_policy(Recent(Ucb1::new(0.4)));
        let whole = new().run(Budget::iterations(1_500)).unwrap();
        let early = new().run(Budget::iterations(1_500).or_decided()).unwrap();
        assert_eq!(early.best_action(), whole.best_action(), "{early}\n{whole}");
    }
}

/// A pruned child may have the most visits, but is not played: it neither leads nor competes.
#[test]
fn pruned_children_do_not_affect_an_early_stop() {
    let (mut stopped, mut pruned) = (0, 0);
    for (seed, state) in positions(&TicTacToe::new(), 7, sized(60, 150)).iter().enumerate() {
        for iterations in [60, 150, 400] {
            let run = |budget: Budget, decision| {
                let search = search(state, seed as u64).backprop(ScoreBounds::new(Average));
                search.root_decision(decision).run(budget).unwrap()
            };
            let budget = Budget::iterations(iterations);
            let whole = run(budget, RootDecision::Robust);
            let early = run(budget.or_decided(), RootDecision::Robust);
            stopped += u32::from(early.stop_reason == StopReason::Decided);
            pruned += u32::from(early.actions.iter().any(|action| action.is_pruned && action.visits > 0));
            // After the stop, bounds may still prove another action, or prune the leader.
            let news = |action: usize| {
                let (before, after) = (&early.actions[action], &whole.actions[action]);
                (before.proof, before.is_pruned) != (after.proof, after.is_pruned)
            };
            let same = early.best_action() == whole.best_action();
            assert!(same || (0..early.actions.len()).any(news), "{early}\n{whole}");
            if early.stop_reason == StopReason::Decided {
                let open = early.actions.iter().filter(|action| action.proof.is_none() && !action.is_pruned);
                let most = open.map(|action| action.visits).max().expect("an action is open");
                let chosen = early.chosen_action().expect("there is a player to move");
                assert_eq!(chosen.visits, most, "{early}");
            }
        }
    }
    assert!(stopped > sized(20, 50) && pruned > sized(8, 20), "{stopped} {pruned}");
}

/// The search stops at the first iteration at which the lead exceeds the iterations left, not one later.
#[test]
fn the_search_stops_at_the_first_deciding_iteration() {
    for (seed, state) in positions(&Connect4::new(), 10, sized(10, 20)).iter().enumerate() {
        let budget = 1_000;
        let early = search(state, seed as u64).run(Budget::iterations(budget).or_decided()).unwrap();
        let (mut first, mut done) = (None, 0);
        let mut watched = search(state, seed as u64);
        let mut watch = |report: &Report<_>| {
            done += 1;
            let mut visits: Vec<u64> = report.actions.iter().map(|action| u64::from(action.visits)).collect();
            visits.sort_unstable();
            let lead = visits[visits.len() - 1] - visits.get(visits.len().wrapping_sub(2)).unwrap_or(&0);
            if lead > budget - done && done < budget {
                first.get_or_insert(done);
            }
        };
        watched.run_with(Budget::iterations(budget), Every::Iterations(1), &mut watch).unwrap();
        // An iteration in which a rival catches up comes slightly before the planned look.
        let first = first.unwrap_or(budget);
        assert!((first..=first + 2).contains(&early.iterations), "{first} {early}");
    }
}

#[test]
fn a_single_legal_action_needs_no_search() {
    for budget in [Budget::iterations(1_000), Budget::time(Duration::from_secs(3_600))] {
        let report = Mcts::new(Corridor { left: 5 }).run(budget.or_decided()).unwrap();
        assert_eq!((report.stop_reason, report.iterations), (StopReason::Decided, 1));
    }
}

/// A proven draw is taken if the leader looks worse in the end, so nothing is decided while there is one.
#[test]
fn a_proven_draw_competes_with_the_leader() {
    let mut state = TicTacToe::new();
    for cell in ["1", "2", "3", "5", "8", "7", "4"] {
        state.play(cell.parse().unwrap()).unwrap();
    }
    for seed in 0..20 {
        let search = |budget: Budget| {
            let solver = Solver::new(Average);
            Mcts::new(state).backprop(solver).seed(seed).run(budget).unwrap().best_action()
        };
        assert_eq!(search(Budget::iterations(30)), search(Budget::iterations(30).or_decided()));
    }
}

#[test]
fn settings_that_cannot_stop_early_are_an_error() {
    let plain = || Mcts::new(Connect4::new());
    let early = Budget::iterations(100).or_decided();
    assert_eq!(plain().run(Budget::until_stopped().or_decided()), Err(SearchError::CannotStopEarly));
    for decision in [RootDecision::Max, RootDecision::Secure(1.0), RootDecision::MaxRobust(1.0)] {
        assert_eq!(plain().root_decision(decision).run(early), Err(SearchError::CannotStopEarly));
    }
    assert!(plain().root_decision(RootDecision::Robust).run(early).is_ok());
}

fn agrees<A: Clone>(report: &Report<A>) -> bool {
    let most = report.actions.iter().map(|action| action.visits).max().unwrap();
    let greatest = report.actions.iter().map(|action| action.mean).fold(0.0, f32::max);
    report.actions.iter().any(|action| action.visits == most && action.mean >= greatest)
}

#[test]
fn the_max_robust_child_extends_the_search_until_both_agree_within_its_limit() {
    let (mut waited, mut gave_up) = (0, 0);
    for (seed, state) in positions(&Connect4::new(), 8, 100).iter().enumerate() {
        let plain = search(state, seed as u64).run(Budget::iterations(200)).unwrap();
        let patient = search(state, seed as u64).root_decision(RootDecision::MaxRobust(0.1));
        let report = { patient }.run(Budget::iterations(200)).unwrap();
        assert_eq!(report.stop_reason, StopReason::Iterations);
        assert!(report.iterations <= 220);
        if agrees(&plain) {
            assert_eq!(report.iterations, 200);
        } else if agrees(&report) {
            waited += 1;
            assert!(report.iterations > 200);
        } else {
            gave_up += 1;
            assert_eq!(report.iterations, 220);
        }
    }
    assert!(waited > 2 && gave_up > 0, "{waited} {gave_up}");
    let error = Mcts::new(Connect4::new())
        .backprop(Average)
        .root_decision(RootDecision::MaxRobust(-1.0))
        .run(Budget::iterations(9));
    assert_eq!(
        error.unwrap_err().to_string(),
        "RootDecision::MaxRobust is -1; it must be finite and at least 0"
    );
}

#[test]
fn an_unclear_choice_extends_the_budget_until_both_agree_within_its_percentage() {
    let (mut waited, mut gave_up, mut spared) = (0, 0, 0);
    for (seed, state) in positions(&Connect4::new(), 8, 100).iter().enumerate() {
        let run = |budget: Budget| search(state, seed as u64).run(budget).unwrap();
        let plain = run(Budget::iterations(200));
        let report = run(Budget::iterations(200).and_percent_if_unclear(10));
        assert_eq!(report.stop_reason, StopReason::Iterations);
        if agrees(&plain) {
            assert_eq!(report.iterations, 200);
        } else if agrees(&report) {
            waited += 1;
            assert!((201..=220).contains(&report.iterations));
        } else {
            gave_up += 1;
            assert_eq!(report.iterations, 220);
        }
        // An early stop saves iterations, and changes no choice.
        let early = run(Budget::iterations(200).and_percent_if_unclear(10).or_decided());
        let whole = if early.stop_reason == StopReason::Decided { &plain } else { &report };
        assert_eq!(early.best_action(), whole.best_action(), "{early}\n{whole}");
        spared += report.iterations - early.iterations;
    }
    assert!(waited > 2 && gave_up > 0 && spared > 0, "{waited} {gave_up} {spared}");
}

#[test]
fn a_budget_without_a_bound_cannot_be_exceeded() {
    let plain = || Mcts::new(Connect4::new());
    for budget in [Budget::until_stopped(), Budget::until_stopped().and_bytes(ramure::Bytes::mib(1))] {
        assert_eq!(plain().run(budget.and_percent_if_unclear(50)), Err(SearchError::CannotExceed));
    }
    let bytes = Budget::until_stopped().and_bytes(ramure::Bytes::mib(1));
    assert_eq!(plain().run(bytes.and_percent_if_unclear(0)).unwrap().stop_reason, StopReason::Bytes);
}
