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
use ramure::selection::{Choice, Node, ProgressiveBias, Puct, Thompson, TreePolicy, Ucb1};
use ramure::simulation::RolloutPolicy;
use ramure::statistics::{KeepsPrior, Prior, Statistics};
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

fn visited<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>>(children: &[TreeNode<G, P, R, B>]) -> usize
where
    R: RolloutPolicy<G>,
{
    children.iter().filter(|child| child.visits() > 0).count()
}

/// Reads priors, and sees visited children only.
struct Modest;

impl<G: GameState> TreePolicy<G> for Modest {
    type Stats = Prior;

    fn select(&self, node: impl Node<G, Prior>, _: &mut Rng) -> Choice {
        assert!(node.children().all(|child| child.visits() > 0.0), "an unvisited child is shown");
        node.argmax(|child| child.mean() + KeepsPrior::prior(child.stats()) / child.visits().sqrt())
    }
}

#[test]
fn a_policy_with_priors_that_sees_visited_children_tries_the_others_in_order() {
    let priors = with_priors(|_: &Wide, _| 1.0);
    let mut search = Mcts::new(Wide::new(30, 3)).tree_policy(Modest).rollout_policy(priors);
    for iterations in 1..100 {
        search.run(Budget::iterations(1)).expect("a sound game");
        let root = search.tree().root().expect("it ran");
        let children: Vec<u32> = root.children().map(|child| child.visits()).collect();
        let tried = children.iter().filter(|&&visits| visits > 0).count();
        // The first iteration ends at the root. Each child is tried once before any is visited twice.
        assert_eq!(tried, (iterations - 1).min(30), "{children:?}");
        assert!(children[..tried].iter().all(|&visits| visits > 0), "{children:?}");
    }
}

#[test]
fn a_node_gets_children_on_the_set_visit_and_the_root_at_once() {
    for visit in [2, 3, 10] {
        let expansion = Expansion::default().on_visit(visit);
        let mut search = Mcts::new(TicTacToe::default()).backprop(Average).expansion(expansion);
        search.run(Budget::iterations(3_000)).expect("a sound game");
        for_all_nodes(&search, |depth, node, children| {
            let over = node.state().turn() == Turn::Over;
            let expected = !over && node.visits() > 0 && (depth == 0 || node.visits() >= visit);
            assert_eq!(!children.is_empty(), expected, "visit {visit}, {} visits at {depth}", node.visits());
            // The earlier visits ended here; all others went on.
            let below: u32 = children.iter().map(|child| child.visits()).sum();
            let ended = if depth == 0 { 0 } else { visit - 1 };
            assert!(children.is_empty() || below == node.visits() - ended, "visit {visit} at {depth}");
        });
    }
}

#[test]
fn with_expansion_on_the_first_visit_a_node_visited_twice_has_children() {
    // One node per iteration: a child made for this iteration waits for its second visit.
    let search = Mcts::new(TicTacToe::default()).backprop(Average);
    let mut search = search.expansion(Expansion::default().on_visit(1));
    search.run(Budget::iterations(3_000)).expect("a sound game");
    for_all_nodes(&search, |_, node, children| {
        if node.state().turn() != Turn::Over && children.is_empty() {
            assert!(node.visits() <= 1, "{}", node.visits());
        }
    });
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
fn widening_limits_children_by_visits_and_eventually_includes_all() {
    for (scale, exponent) in [(1.0, 0.5), (3.0, 0.25), (0.1, 1.0), (2.5, 0.0)] {
        // The width at `visits` visits, computed without a power function: the least w with w >= scale *
        // n^exponent.
        let allowed = |n: u32| {
            let quarters = (exponent * 4.0) as i32;
            let enough =
                |w: u32| (f64::from(w) / scale).powi(4) >= f64::from(n).powi(quarters) * (1.0 - 1e-12);
            (1..).find(|&w| enough(w)).expect("some width is enough") as usize
        };
        let expansion = Expansion::default().widening(scale, exponent);
        let check = |n: u32, shown: usize, width: u16| {
            assert!(shown <= allowed(n).min(usize::from(width)), "{scale} {exponent}: {shown} at {n}");
        };
        let mut search = Mcts::new(Wide::new(40, 3)).expansion(expansion);
        let iterations = sized(2_000, 5_000);
        search.run(Budget::iterations(iterations.into())).expect("a sound game");
        for_all_nodes(&search, |_, node, children| check(node.visits(), visited(children), 40));
        let root = visits(&search.report().expect("it ran")).iter().filter(|&&visits| visits > 0).count();
        assert_eq!(root, allowed(iterations - 1).min(40), "{scale} {exponent}");

        let mut search = Mcts::new(Wide::new(40, 3)).expansion(expansion).tree_policy(Thompson);
        search.run(Budget::iterations(sized(1_500, 3_000))).expect("a sound game");
        for_all_nodes(&search, |_, node, children| check(node.visits(), visited(children), 40));
        let priors = with_priors(|_: &Wide, action| f32::from(action));
        let mut search = Mcts::new(Wide::new(40, 3)).rollout_policy(priors).tree_policy(Puct::default());
        search = search.expansion(expansion);
        search.run(Budget::iterations(sized(1_500, 3_000))).expect("a sound game");
        for_all_nodes(&search, |_, node, children| check(node.visits(), visited(children), 40));
    }
}

#[test]
fn actions_are_tried_as_listed() {
    let expansion = Expansion::default().order(Order::AsListed);
    for tried in [1, 7, 8, 9, 25, 39] {
        let mut search =
            Mcts::new(Wide::new(40, 2)).backprop(Average).expansion(expansion).seed(tried as u64);
        let report = search.run(Budget::iterations(tried as u64)).expect("a sound game");
        let expected = Vec::from_iter((0..40).map(|action| u32::from(action < tried)));
        assert_eq!(visits(&report), expected);
    }
    static ALIKE: [f64; 20] = [0.5; 20];
    for more in 0..20 {
        let mut search = Mcts::new(OneStep::new(&ALIKE)).backprop(Average).expansion(expansion);
        let report = search.run(Budget::iterations(20 + more)).expect("a sound game");
        let expected = Vec::from_iter((0..20).map(|action| 1 + u32::from(action < more)));
        assert_eq!(visits(&report), expected);
        assert!(more == 0 || u64::from(report.best_action()) < more, "the most visited ones come first");
    }
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
fn orders_differ_between_nodes() {
    let mut search = Mcts::new(Wide::new(30, 2));
    search.run(Budget::iterations(2_000)).expect("a sound game");
    let root = search.tree().root().expect("it ran");
    let mut firsts = Vec::from_iter(root.children().filter_map(|child| child.children().next()?.action()));
    firsts.sort_unstable();
    firsts.dedup();
    assert!(firsts.len() > 10, "{firsts:?}");
}

#[test]
fn order_by_prior_tries_and_widens_to_the_greatest_priors_first() {
    // 1 for one action in ten, 1/2 for another, 1/4 for all others.
    let prior = |_: &Wide, action: u16| {
        [1.0, 0.25, 0.25, 0.25, 0.5, 0.25, 0.25, 0.25, 0.25, 0.25][usize::from(action) % 10]
    };
    for width in [3, 7, 8, 9, 40, 200] {
        let priors = with_priors(prior);
        let expansion = Expansion::default().order(Order::Prior).widening(1.5, 0.4);
        let search = Mcts::new(Wide::new(width, 3)).rollout_policy(priors).expansion(expansion);
        let mut search = search.tree_policy(Puct::default());
        let report = search.run(Budget::iterations(2_000)).expect("a sound game");
        for_all_nodes(&search, |_, node, children| {
            let priors = Vec::from_iter(children.iter().map(|child| child.stats().0));
            assert!(priors.is_sorted_by(|a, b| a >= b), "{width}: {priors:?}");
            let mut actions = Vec::from_iter(children.iter().filter_map(|child| child.action()));
            let prior_of = |action| prior(&Wide::new(width, 3), action);
            let sum: f32 = actions.iter().map(|&action| prior_of(action)).sum();
            assert!(
                children
                    .iter()
                    .zip(&actions)
                    .all(|(child, &action)| { (child.stats().0 - prior_of(action) / sum).abs() < 1e-6 })
            );
            actions.sort_unstable();
            assert!(actions.is_empty() || actions == Vec::from_iter(0..width), "each action once");
            let allowed = (1.5 * f64::from(node.visits()).powf(0.4)).ceil() as usize;
            assert!(children.iter().skip(allowed).all(|child| child.visits() == 0));
        });
        // The report is in the game's order nevertheless.
        assert!(
            report.actions.iter().enumerate().all(|(index, reported)| usize::from(reported.action) == index)
        );
        let total: f32 = (0..width).map(|action| prior(&Wide::new(width, 3), action)).sum();
        for reported in &report.actions {
            let expected = prior(&Wide::new(width, 3), reported.action) / total;
            assert!(
                (reported.prior.expect("PUCT has priors") - expected).abs() < 1e-6,
                "{reported:?} of {width}"
            );
        }
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
fn progressive_bias_tries_children_in_the_order_of_the_heuristic() {
    let knowledge = |_: &Wide, action: u16| -f32::from(action.abs_diff(7));
    let search = Mcts::new(Wide::new(40, 2)).rollout_policy(with_priors(knowledge));
    let search = search.expansion(Expansion::default().order(Order::Prior));
    let mut search = search.tree_policy(ProgressiveBias::new(1.0, 0.0));
    // The first iteration values the root.
    let report = search.run(Budget::iterations(12)).expect("a sound game");
    let tried = Vec::from_iter((0..40).map(|action: u32| u32::from(action.abs_diff(7) <= 5)));
    assert_eq!(visits(&report), tried);
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
fn a_search_with_an_exploration_constant_of_zero_does_not_explore() {
    static WORTH: [f64; 3] = [0.25, 0.75, 0.5];
    for seed in 0..5 {
        let search = Mcts::new(OneStep::new(&WORTH)).backprop(Average);
        let mut search = search.tree_policy(Ucb1::new(0.0)).seed(seed);
        let report = search.run(Budget::iterations(50)).expect("a sound game");
        assert_eq!(visits(&report), [1, 48, 1]);
    }
}

/// Returns the number of actions tried, and whether the best one is chosen.
fn search_wide<P, R>(search: Mcts<Wide, P, R>, iterations: u64) -> (usize, bool)
where
    P: TreePolicy<Wide, Stats: Statistics<Wide, R>>,
    R: RolloutPolicy<Wide>,
{
    let mut search = search;
    let report = search.run(Budget::iterations(iterations)).expect("a sound game");
    let tried = report.actions.iter().filter(|action| action.visits > 0).count();
    (tried, report.best_action() == search.state().best())
}

#[test]
fn games_of_300_and_5000_actions_are_searched_by_every_kind_of_policy() {
    // In the quick size, only the last search has 5 000 actions.
    for width in sized([300_u16, 700], [300, 5_000]) {
        let new = || Mcts::new(Wide::new(width, 1));
        let (all, few) = (usize::from(width), sized(2, 20) * u64::from(width));
        assert_eq!(search_wide(new(), few), (all, true));
        // Half of the priors are so small that their actions are not tried, but the best action is not among
        // these.
        let priors = |_: &Wide, action: u16| if action.is_multiple_of(2) { 1.0 } else { 1e-6 };
        let puct = new().rollout_policy(with_priors(priors)).tree_policy(Puct::default());
        let (tried, right) = search_wide(puct, few);
        assert!(right && tried <= all / 2, "{tried} of {width}");
    }
    let new = || Mcts::new(Wide::new(300, 1));
    assert!(search_wide(new().tree_policy(Thompson), 3_000).1);
    // With widening, the visits limit the number of actions tried.
    let widening = Expansion::default().widening(2.0, 0.5);
    assert_eq!(search_wide(Mcts::new(Wide::new(5_000, 2)).expansion(widening), 401).0, 40);
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
