//! Each setting can be given before or after the engine, and each engine has the same methods.

use ramure::backpropagation::{Average, Solver};
use ramure::prelude::*;
use ramure::search::{ActionOf, InformationSet, Space};
use ramure::selection::{AvailabilityUcb1, RegretMatching, Ucb1Tuned};
use ramure::simulation::{Mast, MultipleRollouts};
use ramure::{Bytes, Expansion, Order, StopReason};
use ramure::{RootDecision, Search};
use ramure_games::Connect4;

use crate::common::kuhn::{Act, Kuhn};
use crate::saved::Duel;

/// What a search finds: the visits and means of all actions, the action to play, and the nodes.
fn found<S: Search>(search: &mut S) -> String {
    let report = search.run(Budget::iterations(600)).expect("a sound game");
    let actions: Vec<_> =
        report.actions.iter().map(|action| (action.action.clone(), action.visits, action.mean)).collect();
    format!("{actions:?} {:?} {}", report.chosen, report.nodes)
}

/// Checks that both searches find the same now, after the root has moved on, and after a reset.
fn same<S: Space + Clone>(mut one: impl Search<Space = S>, mut other: impl Search<Space = S>, start: S)
where
    ActionOf<S>: PartialEq,
{
    assert_eq!(found(&mut one), found(&mut other));
    let action = one.report().expect("it ran").actions[0].action.clone();
    one.advance(action.clone()).expect("it is legal");
    other.advance(action).expect("it is legal");
    assert_eq!(found(&mut one), found(&mut other));
    one.reset(start.clone());
    other.reset(start);
    assert_eq!(found(&mut one), found(&mut other));
}

#[test]
fn settings_can_be_given_before_or_after_the_engine() {
    let game = Connect4::new();
    let policies = || {
        let search = Mcts::new(game).tree_policy(Ucb1Tuned::default()).rollout_policy(Mast::default());
        search.backprop(Solver::new(Average))
    };
    macro_rules! set {
        ($search:expr) => {
            $search
                .expansion(Expansion::default().order(Order::AsListed))
                .seed(7)
                .memory_limit(Bytes::kib(400))
                .root_decision(RootDecision::Max)
        };
    }
    same(set!(policies()).window(8), set!(policies().window(8)), game);
    let cards = || InformationSet::new(Kuhn::default());
    let new = || Mcts::player_trees(cards());
    same(
        set!(new().tree_policy(RegretMatching::default()).rollout_policy(MultipleRollouts::new(2, Uniform))),
        set!(new()).rollout_policy(MultipleRollouts::new(2, Uniform)).tree_policy(RegretMatching::default()),
        cards(),
    );
}

/// What does not depend on the policies stays when they are swapped.
#[test]
fn a_swap_in_player_trees_keeps_the_step_the_target_and_the_handle() {
    let search = Mcts::player_trees(Connect4::new());
    let handle = search.stop_handle();
    let mut search = search.tree_policy(AvailabilityUcb1::new(0.5));
    handle.stop();
    let report = search.run(Budget::iterations(100)).expect("a sound game");
    assert_eq!(report.stop_reason, StopReason::Stopped);

    let mut search = Mcts::player_trees(Duel::default());
    search.advance(1).expect("it is legal");
    let mut search = search.tree_policy(RegretMatching::default());
    assert_eq!(
        search.run(Budget::iterations(10)).expect_err("player 1 has not chosen"),
        SearchError::MidStep
    );
    assert_eq!(search.state().chosen, [1]);
    search.advance(0).expect("it is legal");
    assert_eq!(search.state().chosen, [1, 0]);
    search.run(Budget::iterations(10)).expect("the next step");

    let sampling = |swap: bool| {
        let mut search = Mcts::outcome_sampling(InformationSet::new(Kuhn::default())).seed(4);
        search.target(0, &[Act::Deal(2)]);
        if swap {
            search = search.rollout_policy(Uniform);
        }
        search.run(Budget::iterations(300)).expect("a sound game");
        search.strategy(1, &[Act::Deal(0)])
    };
    assert_eq!(sampling(true), sampling(false));
}
