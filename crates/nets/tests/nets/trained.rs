//! The networks that come with the crate.

use ramure::backpropagation::{Average, Solver};
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::Evaluate;
use ramure_games::Connect4;
use ramure_nets::{Network, Planes};

fn connect4() -> Network<Connect4> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/networks/connect4.onnx");
    assert!(std::fs::metadata(path).unwrap().len() < 1_000_000);
    Network::load(path, &Connect4::new()).unwrap()
}

fn after(columns: &str) -> Connect4 {
    let mut state = Connect4::new();
    for column in columns.bytes() {
        let action = state.actions().into_iter().find(|action| action.number() == column - b'0');
        state.apply(action.unwrap());
    }
    state
}

/// From the start, only column 3 wins (Allis 1988). The network begins there without a search.
#[test]
fn the_network_of_connect4_knows_the_best_first_action() {
    let start = after("");
    let output = &connect4().outputs(&[start]).unwrap()[0];
    let logit = |&action: &_| output.policy[start.policy_index(action)];
    let best = start.actions().into_iter().max_by(|one, other| logit(one).total_cmp(&logit(other))).unwrap();
    assert_eq!(best.number(), 3);
}

/// Three in a column are stopped, and made four; two in the middle of the lowest row become three with two
/// open ends.
#[test]
fn a_search_with_the_network_of_connect4_stops_threats_and_wins() {
    let network = connect4();
    for (columns, best) in [("01020", &[0][..]), ("010203", &[0]), ("3344", &[2, 5])] {
        let search = Mcts::new(after(columns)).rollout_policy(Evaluate::new(network.clone()));
        let mut search = search.tree_policy(Puct::default()).backprop(Solver::new(Average));
        let found = search.run(Budget::iterations(200)).unwrap().best_action().number();
        assert!(best.contains(&found), "{columns}: {found}");
    }
}
