//! Copies of searches. That a copy of each kind of search goes on as the original does is a law of the random
//! programs.

use crate::common::four::Connect4;
use crate::common::rows::TicTacToe;
use ramure::prelude::*;
use ramure::{Bytes, Rewards, Search, SearchError, StopReason};
use std::time::Duration;

fn found<S: Search>(search: &mut S) -> String {
    let mut report = search.run(Budget::iterations(500)).expect("a sound game");
    report.time = Duration::ZERO;
    format!("{report:?}")
}

#[test]
fn a_copy_changes_nothing_in_the_original() {
    fn check<S: Search + Clone>(new: impl Fn() -> S) {
        let (mut alone, mut copied) = (new(), new());
        for _ in 0..3 {
            assert_eq!(found(&mut copied), found(&mut alone));
            // Two continuations, one after the other.
            for index in 0..2 {
                let mut copy = copied.clone();
                let action = copied.report().expect("it ran").actions[index].action.clone();
                copy.advance(action).expect("it is legal");
                copy.run(Budget::iterations(300)).expect("a sound game");
            }
        }
    }
    let plain = || Mcts::new(Connect4::default()).memory_limit(Bytes::kib(60)).seed(4);
    check(plain);
    check(|| plain().window(5));
    check(|| plain().threads(2));
}

#[test]
fn a_move_is_taken_back_by_a_copy_from_before_it() {
    let mut search = Mcts::new(Connect4::default()).seed(2);
    found(&mut search);
    let before = search.clone();
    search.advance(search.report().expect("it ran").best_action()).expect("it is legal");
    found(&mut search);
    let mut again = Mcts::new(Connect4::default()).seed(2);
    found(&mut again);
    search = before;
    assert_eq!(search.memory_usage(), again.memory_usage());
    assert_eq!(found(&mut search), found(&mut again));
}

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

#[test]
fn open_questions_belong_to_the_original() {
    let half = || Rewards::new(2, |_| 0.5);
    let mut search = Mcts::new(Connect4::default()).window(8).seed(6);
    found(&mut search);
    let ask = |search: &mut Mcts<_, _, _, _, _>| {
        search.ask().expect("a sound game").expect("there is room in the window").ticket
    };
    let mut tickets: Vec<_> = (0..6).map(|_| ask(&mut search)).collect();
    for answered in [1, 3] {
        search.tell(tickets.remove(answered), half(), &[]).expect("the question is open");
    }
    let mut copy = search.clone();
    assert_eq!((search.open_questions(), copy.open_questions()), (4, 0));
    for &ticket in &tickets {
        assert!(matches!(copy.tell(ticket, half(), &[]), Err(SearchError::Ticket)));
    }
    // What has been answered counts in the copy, as after `finish` in the original.
    let mut control = search.clone();
    search.finish().expect("the answers fit");
    assert_eq!(found(&mut copy), found(&mut search));
    // A copy can be asked by itself.
    let ticket = ask(&mut control);
    assert!(matches!(search.tell(ticket, half(), &[]), Err(SearchError::Ticket)));
    control.tell(ticket, half(), &[]).expect("the question is open");
}
