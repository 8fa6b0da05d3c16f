//! When nodes get children, how many, in which order, and the value of an untried child; and the final
//! decision.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::four::Connect4;
use crate::common::rows::TicTacToe;
use crate::common::simple::{OneStep, Wide};
use crate::common::{chi_squared, sized, visits, wander, with_priors};
use ramure::backpropagation::Average;
use ramure::backpropagation::Backprop;
use ramure::search::TreeNode;
use ramure::selection::FirstPlay;
use ramure::selection::{ProgressiveBias, Puct, TreePolicy, Ucb1};
use ramure::simulation::RolloutPolicy;
use ramure::{Budget, Expansion, GameState, Mcts, Order, Rng, RootDecision, SearchError, Turn};

/// Calls `look` with every node and its children.
fn for_all_nodes<G, P, R, B>(
    search: &Mcts<G, P, R, B>,
    look: impl Fn(usize, &TreeNode<G, P, R, B>, &[TreeNode<G, P, R, B>]),
) where
    G: GameState,
    P: TreePolicy<G>,
    R: RolloutPolicy<G>,
    B: Backprop<G>,
{
    let mut pending = vec![(0, search.tree().root().expect("it ran"))];
    while let Some((depth, node)) = pending.pop() {
        let children = Vec::from_iter(node.children());
        look(depth, &node, &children);
        pending.extend(children.into_iter().map(|child| (depth + 1, child)));
    }
}

#[test]
fn a_node_gets_children_on_its_second_visit_or_with_priors_on_its_first() {
    let mut search = Mcts::new(TicTacToe::default()).backprop(Average);
    search.run(Budget::iterations(1_000)).expect("a sound game");
    for_all_nodes(&search, |depth, node, children| {
        let expected = node.state().turn() != Turn::Over && (depth == 0 || node.visits() >= 2);
        assert_eq!(!children.is_empty(), expected);
    });
    let priors = with_priors(|_: &TicTacToe, _| 1.0);
    let mut search =
        Mcts::new(TicTacToe::default()).backprop(Average).rollout_policy(priors).tree_policy(Puct::default());
    search.run(Budget::iterations(1_000)).expect("a sound game");
    for_all_nodes(&search, |_, node, children| {
        let expected = node.state().turn() != Turn::Over && node.visits() >= 1;
        assert_eq!(!children.is_empty(), expected);
        let below: u32 = children.iter().map(|child| child.visits()).sum();
        assert!(children.is_empty() || below == node.visits() - 1, "the first visit values the node itself");
        let priors: f32 = children.iter().map(|child| child.stats().0).sum();
        assert!(children.is_empty() || (priors - 1.0).abs() < 1e-5);
    });
}

#[test]
fn a_random_order_is_uniform_over_seeds_at_the_root_and_below() {
    // Chi-squared with 11 degrees of freedom is above 31.3 with a probability of .001, so .003 for three
    // checks.
    let mut first = [[0; 12]; 3];
    for seed in 0..3_000 {
        let mut search = Mcts::new(Wide::new(12, 2)).tree_policy(Ucb1::new(100.0)).seed(seed);
        let report = search.run(Budget::iterations(1)).expect("a sound game");
        let tried = report.actions.iter().position(|action| action.visits > 0);
        first[0][tried.expect("one was")] += 1;
        // The last action tried, in the second block of the children.
        search.run(Budget::iterations(10)).expect("a sound game");
        let report = search.report().expect("it ran");
        first[1][report.actions.iter().position(|action| action.visits == 0).expect("one is left")] += 1;
        search.run(Budget::iterations(13)).expect("a sound game");
        let root = search.tree().root().expect("it ran");
        let child = root.children().next().expect("it has children");
        assert_eq!(child.visits(), 2, "so much exploration makes all visits equal");
        let below = child.children().next().expect("it has children").action().expect("not the root");
        first[2][usize::from(below)] += 1;
    }
    for counts in first {
        let statistic = chi_squared(&counts, &[1.0 / 12.0; 12]);
        assert!(statistic < 31.3, "{statistic}: {counts:?}");
    }
}

#[test]
fn equal_priors_are_tried_in_a_random_order() {
    // Chi-squared with 9 degrees of freedom is above 27.9 with a probability of .001, so .002 for two checks.
    let mut first = [[0; 10]; 2];
    for seed in 0..2_000 {
        let greater = |_: &Wide, action: u16| if action.is_multiple_of(2) { 2.0 } else { 1.0 };
        let search = Mcts::new(Wide::new(20, 1)).rollout_policy(with_priors(greater));
        let search = search.expansion(Expansion::default().order(Order::Prior)).seed(seed);
        let mut search = search.tree_policy(ProgressiveBias::default());
        search.run(Budget::iterations(1)).expect("a sound game");
        let root = search.tree().root().expect("it ran");
        let actions = Vec::from_iter(root.children().filter_map(|child| child.action()));
        assert!(actions[..10].iter().all(|action| action.is_multiple_of(2)), "{actions:?}");
        first[0][usize::from(actions[0] / 2)] += 1;
        first[1][usize::from(actions[19] / 2)] += 1;
    }
    for counts in first {
        let statistic = chi_squared(&counts, &[0.1; 10]);
        assert!(statistic < 27.9, "{statistic}: {counts:?}");
    }
}

#[test]
fn order_by_prior_is_rejected_without_priors() {
    let by_prior = Expansion::default().order(Order::Prior);
    let budget = Budget::iterations(10);
    let priors = || with_priors(|_: &Wide, _| 1.0);
    let new = || Mcts::new(Wide::new(5, 1)).rollout_policy(priors()).expansion(by_prior);
    assert_eq!(new().run(budget).expect_err("UCB1 keeps none"), SearchError::NoPriors);
    let mut search = new().tree_policy(Puct::default());
    search.run(budget).expect("PUCT keeps them");
    // A different order makes a different tree.
    let search = search.expansion(Expansion::default().order(Order::AsListed));
    assert_eq!(search.tree().node_count(), 1, "nothing but the root");
    let mut search = search.expansion(Expansion::default().order(Order::AsListed));
    search.run(budget).expect("a sound game");
    assert_eq!(search.tree().node_count(), 6);
    assert_eq!(search.expansion(by_prior).tree().node_count(), 1);
}

#[test]
fn first_play_urgency_leaves_unpromising_children_untried() {
    static WORTH: [f64; 4] = [0.6, 0.9, 0.5, 1.0];
    let run = |first_play, iterations| {
        let expansion = Expansion::default().order(Order::AsListed).first_play(first_play);
        let mut search = Mcts::new(OneStep::new(&WORTH))
            .backprop(Average)
            .tree_policy(Ucb1::new(0.0))
            .expansion(expansion);
        visits(&search.run(Budget::iterations(iterations)).expect("a sound game"))
    };
    assert_eq!(run(FirstPlay::Value(0.5), 20), [20, 0, 0, 0]);
    assert_eq!(run(FirstPlay::Value(0.75), 20), [1, 19, 0, 0]);
    assert_eq!(run(FirstPlay::Value(0.95), 20), [1, 1, 1, 17]);
    assert_eq!(run(FirstPlay::Value(0.0), 20), [20, 0, 0, 0]);
    assert_eq!(run(FirstPlay::Infinite, 20), [1, 1, 1, 17]);
    // The mean so far is .6, less .1, so the first action is better. With a reduction of 0, the value is no
    // lower, so no other action is tried.
    assert_eq!(run(FirstPlay::BelowMean(0.1), 20), [20, 0, 0, 0]);
    assert_eq!(run(FirstPlay::BelowMean(0.0), 20), [20, 0, 0, 0]);
}

#[test]
fn with_an_exploration_term_every_first_play_urgency_eventually_tries_all() {
    // UCB1 with unvisited children valued by `FirstPlay`, in double precision. The children are tried in
    // their order.
    static WORTH: [f64; 4] = [0.6, 0.9, 0.5, 1.0];
    fn expected(c: f64, first_play: FirstPlay, iterations: u64) -> Vec<u32> {
        let (mut n, mut tried) = ([0u32; 4], 0);
        for total in 0..iterations {
            let total = total as f64;
            let q = (0..tried).map(|arm| f64::from(n[arm]) * WORTH[arm]).sum::<f64>() / total;
            let bonus = |n: f64| c * (total.ln() / n).sqrt();
            let score = |arm: usize| WORTH[arm] + bonus(f64::from(n[arm]));
            let best = (0..tried).reduce(|best, arm| if score(arm) > score(best) { arm } else { best });
            let untried = match first_play {
                FirstPlay::Value(value) => f64::from(value),
                FirstPlay::BelowMean(reduction) => (q - f64::from(reduction)).max(0.0) + bonus(1.0),
                _ => f64::INFINITY,
            };
            // The crate rounds to single precision. No choice here is that close, except the tie before the
            // second child.
            let choice = best.filter(|&best| tried == WORTH.len() || score(best) >= untried - 1e-9);
            n[choice.unwrap_or(tried)] += 1;
            tried += usize::from(choice.is_none());
        }
        n.to_vec()
    }
    let urgencies = [0.0, 0.1, 0.2, 1.0].map(FirstPlay::BelowMean);
    let all = urgencies
        .into_iter()
        .chain([0.0, 0.5, 0.75, 0.95, 1.0].map(FirstPlay::Value))
        .chain([FirstPlay::Infinite]);
    for first_play in all {
        for c in [0.05f32, 0.5, 1.5] {
            let expansion = Expansion::default().order(Order::AsListed).first_play(first_play);
            for iterations in [2, 3, 5, 20, 100, 1_000] {
                let search = Mcts::new(OneStep::new(&WORTH)).backprop(Average).tree_policy(Ucb1::new(c));
                let report = search.expansion(expansion).run(Budget::iterations(iterations));
                let visits = visits(&report.expect("a sound game"));
                assert_eq!(
                    visits,
                    expected(f64::from(c), first_play, iterations),
                    "{first_play:?}, {c}, {iterations}"
                );
            }
        }
    }
    let expansion = Expansion::default().first_play(FirstPlay::BelowMean(0.1));
    let search = Mcts::new(OneStep::new(&WORTH)).backprop(Average).tree_policy(Ucb1::new(0.5));
    let report = search.expansion(expansion).run(Budget::iterations(1_000)).expect("a sound game");
    assert!(visits(&report).iter().all(|&visits| visits > 0), "{report}");
}

#[test]
fn a_temperature_draws_actions_by_powers_of_their_visits() {
    // Chi-squared with two degrees of freedom is above 13.8 with a probability of .001, for each of three
    // temperatures.
    static WORTH: [f64; 3] = [0.3, 0.5, 0.6];
    let run = |temperature, seed| {
        let search = Mcts::new(OneStep::new(&WORTH))
            .backprop(Average)
            .root_decision(RootDecision::Temperature(temperature));
        let search =
            search.tree_policy(Ucb1::new(2.0)).expansion(Expansion::default().order(Order::AsListed));
        let mut search = search.seed(seed);
        let report = search.run(Budget::iterations(100)).expect("a sound game");
        assert_eq!(search.report().expect("it ran").chosen, report.chosen, "it has been drawn");
        report
    };
    for (temperature, power) in [(1.0, 1), (0.5, 2), (0.25, 4)] {
        let tree = visits(&run(temperature, 0));
        let weights = Vec::from_iter(tree.iter().map(|&visits| f64::from(visits).powi(power)));
        let sum: f64 = weights.iter().sum();
        let mut drawn = [0; 3];
        for seed in 0..sized(600, 10_000) {
            let report = run(temperature, seed);
            assert_eq!(visits(&report), tree, "the rest is not random");
            drawn[usize::from(report.best_action())] += 1;
        }
        let statistic = chi_squared(&drawn, &weights.iter().map(|weight| weight / sum).collect::<Vec<_>>());
        assert!(statistic < 13.8, "{temperature}: {statistic} for {drawn:?} of {tree:?}");
    }
    // The temperature is so low that powers of visits overflow or vanish, so the most visited action is
    // chosen.
    assert!((0..50).all(|seed| run(1e-6, seed).best_action() == 2));
}

#[test]
fn robust_max_and_secure_children_follow_their_definitions() {
    let (mut rng, mut differ) = (Rng::seeded(8), 0);
    let rules = [RootDecision::Robust, RootDecision::Max, RootDecision::Secure(1.0)];
    for seed in 0..sized(120, 400) {
        let state = wander(Connect4::default(), 10, &mut rng);
        if state.turn() == Turn::Over {
            continue;
        }
        let chosen = rules.map(|rule| {
            let mut search = Mcts::new(state).backprop(Average).root_decision(rule).seed(seed);
            let report = search.run(Budget::iterations(30 + seed)).expect("a sound game");
            let worth = |index: usize| {
                let action = &report.actions[index];
                let (visits, mean) = (f64::from(action.visits), f64::from(action.mean));
                match rule {
                    RootDecision::Robust => [visits, mean],
                    RootDecision::Max => [mean, visits],
                    _ => [mean - 1.0 / visits.sqrt(), visits],
                }
            };
            // One of the best: ties are drawn.
            let chosen = report.chosen.expect("a player is to move");
            assert!(
                (0..report.actions.len()).all(|other| worth(other) <= worth(chosen)),
                "{rule:?}: {report}"
            );
            report.best_action()
        });
        differ += u32::from(chosen[0] != chosen[1]);
    }
    assert!(differ > sized(2, 5), "{differ}: the rules must differ");
}

#[test]
fn the_prior_breaks_ties_in_visits() {
    static ALIKE: [f64; 3] = [0.5; 3];
    let priors = with_priors(|_: &OneStep, action: u16| [1.0, 1.25, 1.1][usize::from(action)]);
    let mut search = Mcts::new(OneStep::new(&ALIKE)).rollout_policy(priors).tree_policy(Puct::new(4.0));
    let report = search.run(Budget::iterations(4)).expect("a sound game");
    assert_eq!((visits(&report), report.best_action()), (vec![1, 1, 1], 1));
}
