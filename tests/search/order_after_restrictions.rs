//! After a restriction of the root, the actions that nobody has tried come in the order of the setting again.

use crate::common::simple::OneStep;
use crate::common::with_priors;
use ramure::prelude::*;
use ramure::selection::{Puct, Thompson};
use ramure::{Expansion, Order, RootActions};

/// Returns a game with this number of equal actions.
fn equal(count: usize) -> OneStep {
    OneStep::new(Box::leak(vec![0.5; count].into_boxed_slice()))
}

/// Searches under a restriction that forbids `action`, and then without it until `action` is tried. Returns
/// how many others are tried by then.
fn tried_before(mut search: impl Search<Space = OneStep>, action: u16) -> usize {
    search.set_root_actions(RootActions::except([action]));
    search.run(Budget::iterations(6)).expect("a sound game");
    search.set_root_actions(RootActions::default());
    let mut before = 0;
    for _ in 0..2_000 {
        let report = search.run(Budget::iterations(1)).expect("a sound game");
        let tried = |entry: &&ramure::ActionReport<u16>| entry.visits > 0;
        if report.actions.iter().filter(tried).any(|entry| entry.action == action) {
            return before;
        }
        before = report.actions.iter().filter(tried).count();
    }
    usize::MAX
}

#[test]
fn an_action_that_was_forbidden_is_tried_when_its_turn_comes() {
    let game = || Mcts::new(equal(30)).backprop(Average);
    let as_listed = Expansion::default().order(Order::AsListed).widening(1.0, 0.5);
    for action in [0, 7, 8] {
        // Six iterations and a width of their root have tried some of the first actions.
        let most = usize::from(action).max(6);
        assert!(tried_before(game().expansion(as_listed), action) <= most, "{action}");
        let all = game().tree_policy(Thompson).expansion(as_listed);
        assert!(tried_before(all, action) <= most, "{action}, all at once");
        let unwidened = Expansion::default().order(Order::AsListed);
        assert!(tried_before(game().expansion(unwidened), action) <= most, "{action}, without widening");
    }
    let by_prior = Expansion::default().order(Order::Prior).widening(1.0, 0.5);
    let priors = || with_priors(|_: &OneStep, action: u16| f32::from(action) + 1.0);
    for action in [29, 22, 21] {
        let most = usize::from(29 - action).max(6);
        let puct = game().rollout_policy(priors()).tree_policy(Puct::default()).expansion(by_prior);
        assert!(tried_before(puct, action) <= most, "{action}");
    }
}
