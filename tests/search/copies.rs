//! Copies of searches. That a copy of each kind of search goes on as the original does is a law of the random
//! programs.

use crate::common::rows::TicTacToe;
use ramure::StopReason;
use ramure::prelude::*;

#[test]
fn a_handle_stops_the_original_and_no_copy() {
    let mut search = Mcts::new(TicTacToe::default()).backprop(Average);
    let handle = search.stop_handle();
    handle.stop();
    let mut copy = search.clone();
    let budget = Budget::iterations(50);
    assert_eq!(copy.run(budget).expect("a sound game").stop_reason, StopReason::Iterations);
    assert_eq!(search.run(budget).expect("a sound game").stop_reason, StopReason::Stopped);
    copy.stop_handle().stop();
    assert_eq!(search.run(budget).expect("a sound game").stop_reason, StopReason::Iterations);
    assert_eq!(copy.run(budget).expect("a sound game").stop_reason, StopReason::Stopped);
}
