//! `Order::AsListed`: unvisited actions are tried in the order of the list by policies that do not draw what they
//! try.

use crate::common::any::Any;
use crate::common::simple::Wide;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::selection::{AvailabilityUcb1, EpsilonGreedy, Grave};
use ramure::simulation::Uniform;
use ramure::statistics::Statistics;
use ramure::{Expansion, Order};

/// Checks that the first visits go to the first actions.
fn check<P>(name: &str, policy: impl Fn() -> P)
where
    P: TreePolicy<Any, Stats: Statistics<Any, Uniform>>,
{
    for (tried, order) in
        [1, 2, 7, 8, 9, 25, 39].into_iter().flat_map(|n| [(n, Order::AsListed), (n, Order::Random)])
    {
        let search = Mcts::new(Any::listed(Wide::new(40, 2))).tree_policy(policy()).backprop(Average);
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
    check("availability", AvailabilityUcb1::default);
    check("greedy", || EpsilonGreedy::new(0.0));
    check("ucb1", Ucb1::default);
    check("grave", Grave::default);
}
