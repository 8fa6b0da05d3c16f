//! The final choice among equal actions: a draw that the seed and the tree fix.

use crate::common::any::Any;
use crate::common::simple::OneStep;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::selection::{AtRoot, SequentialHalving, Shot};
use ramure::{Expansion, Order, RootDecision};
use ramure_agents::{Agent, FlatMonteCarlo};

fn four() -> Any {
    Any::listed(OneStep::new(&[0.5, 0.5, 0.5, 0.5]))
}

/// Asserts that 400 seeds choose the actions equally often.
fn are_equal(name: &str, choose: impl Fn(u64) -> u8) {
    let mut counts = [0_u32; 4];
    (0..400).for_each(|seed| counts[usize::from(choose(seed))] += 1);
    // Six standard errors of 100 +- 8.7: a false alarm has a probability of 2e-9 for each count.
    assert!(counts.iter().all(|count| count.abs_diff(100) < 52), "{name}: {counts:?}");
}

#[test]
fn equal_actions_are_drawn_by_the_seed() {
    let budget = Budget::iterations(40);
    let listed = Expansion::default().order(Order::AsListed);
    let decisions =
        [RootDecision::Robust, RootDecision::Max, RootDecision::MaxRobust(0.5), RootDecision::Secure(1.0)];
    for decision in decisions.map(Some).into_iter().chain([None]) {
        for expansion in if decision.is_none() { vec![Expansion::default(), listed] } else { vec![listed] } {
            are_equal("UCB1", |seed| {
                let mut search = Mcts::new(four()).backprop(Average).expansion(expansion).seed(seed);
                search.set_root_decision(decision);
                let action = search.run(budget).unwrap().best_action();
                // The same tree gives the same action, also if it was made by two runs.
                assert_eq!(search.report().unwrap().best_action(), action);
                if seed >= 20 {
                    return action;
                }
                let mut in_two = Mcts::new(four()).backprop(Average).expansion(expansion).seed(seed);
                in_two.set_root_decision(decision);
                in_two.run(Budget::iterations(10)).unwrap();
                assert_eq!(in_two.run(Budget::iterations(30)).unwrap().best_action(), action);
                action
            });
        }
    }
    are_equal("sequential halving", |seed| {
        let policy = AtRoot::new(SequentialHalving::new(), Ucb1::default());
        Mcts::new(four()).backprop(Average).tree_policy(policy).seed(seed).run(budget).unwrap().best_action()
    });
    are_equal("SHOT", |seed| {
        Mcts::new(four())
            .backprop(Average)
            .tree_policy(Shot::new())
            .seed(seed)
            .run(budget)
            .unwrap()
            .best_action()
    });
    for flat in [FlatMonteCarlo::per_action(5), FlatMonteCarlo::total(40), FlatMonteCarlo::ucb1(40, 0.5)] {
        are_equal("flat Monte-Carlo", |seed| flat.clone().seed(seed).choose(&four()).unwrap());
    }
    // With listed actions, the halving keeps the first of equal ones, and the choice is between the last two.
    let mut counts = [0_u32; 4];
    for seed in 0..400 {
        let policy = AtRoot::new(SequentialHalving::new(), Ucb1::default());
        let mut search = Mcts::new(four()).backprop(Average).tree_policy(policy).expansion(listed).seed(seed);
        counts[usize::from(search.run(budget).unwrap().best_action())] += 1;
    }
    assert!(counts[0] + counts[1] == 400 && counts[0].abs_diff(200) < 60, "{counts:?}");
}
