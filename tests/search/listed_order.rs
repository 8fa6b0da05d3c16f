//! `Order::AsListed`: unvisited actions are tried in the order of the list by policies that do not draw what they
//! try, in trees and where a node stands for many states.

use crate::common::simple::Wide;
use ramure::prelude::*;
use ramure::search::{OpenLoop, Space};
use ramure::selection::{AvailabilityUcb1, EpsilonGreedy, Grave};
use ramure::simulation::Uniform;
use ramure::statistics::Statistics;
use ramure::{Expansion, Order};

/// Checks that the first visits go to the first actions.
fn check<S: Space, P>(name: &str, space: &S, policy: impl Fn() -> P)
where
    P: TreePolicy<S::Game, Stats: Statistics<S::Game, Uniform>>,
{
    for (tried, order) in
        [1, 2, 7, 8, 9, 25, 39].into_iter().flat_map(|n| [(n, Order::AsListed), (n, Order::Random)])
    {
        let search =
            Mcts::new(space.clone()).tree_policy(policy()).backprop(ramure::backpropagation::Average);
        let mut search = search.expansion(Expansion::default().order(order)).seed(tried);
        let report = search.run(Budget::iterations(tried)).expect("a sound game");
        let in_order =
            report.actions.iter().zip(0..40).all(|(action, place)| action.visits == u32::from(place < tried));
        // 25 of 40 random actions are the first 25 with a probability of 3e-11.
        assert!(in_order || order == Order::Random, "{name}, {tried}:\n{report}");
        assert!(
            !in_order || order == Order::AsListed || !(7..=25).contains(&tried),
            "{name}, {tried}, at random"
        );
    }
}

#[test]
fn unvisited_actions_are_tried_as_listed() {
    let wide = Wide::new(40, 2);
    check("availability", &wide, AvailabilityUcb1::default);
    check("greedy", &wide, || EpsilonGreedy::new(0.0));
    check("ucb1", &wide, Ucb1::default);
    check("grave", &wide, Grave::default);
    check("availability in an open loop", &OpenLoop::new(wide), AvailabilityUcb1::default);
}
