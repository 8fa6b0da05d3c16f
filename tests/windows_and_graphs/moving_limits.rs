//! Memory limits that are lowered or lifted between the runs of windows, of graphs, and of the trees of all
//! players.

use crate::common::nim::Nim;
use ramure::prelude::*;
use ramure::search::{Space, Transpositions};
use ramure::{Bytes, Every, Report, Rewards};
use ramure_games::Connect4;

/// Runs `search` without a limit and then below it. Several trees keep the limit together, but for what they had
/// before it.
fn check_limit(mut search: impl Search, before: u64, limit: usize) {
    search.run(Budget::iterations(before)).expect("a sound game");
    let most = limit.max(search.memory_usage().0);
    search.set_memory_limit(Bytes(limit));
    let mut bytes = 0;
    let mut note = |report: &Report<_>| bytes = bytes.max(report.bytes);
    search.run_with(Budget::iterations(3_000), Every::Iterations(100), &mut note).expect("a sound game");
    assert!(bytes.max(search.memory_usage().0) <= most, "{bytes} bytes, {most} at most");
}

#[test]
fn a_lower_limit_holds_for_all_trees_together() {
    for before in [10, 80, 300, 1_000] {
        for limit in [300_000, 400_000, 1_000_000] {
            check_limit(Mcts::player_trees(Connect4::new()), before, limit);
        }
    }
}

#[test]
fn a_search_takes_nothing_more_when_it_moves_on_above_its_limit() {
    for before in [1, 2, 3, 5, 10, 30, 300] {
        for limit in [4_000, 30_000, 60_000] {
            for left in [1, 2, 3, 4, 5, 20] {
                let game = Nim::<2> { sticks: left, player: 0 };
                check_moves(Mcts::uct(Transpositions::new(game)).window(3), before, limit);
            }
        }
    }
}

fn check_moves(mut search: impl Search<Space: Space<Game = Nim<2>>>, before: u64, limit: usize) {
    let start = search.space().clone();
    search.run(Budget::iterations(before)).expect("a sound game");
    search.set_memory_limit(Bytes(limit));
    let most = limit.max(search.memory_usage().0);
    for step in 0..3 {
        if step == 1 {
            let _ = search.advance(1);
        } else if step == 2 {
            search.reset(start.clone());
        }
        assert!(search.memory_usage().0 <= most, "{step}: {} of {most}", search.memory_usage().0);
        let _ = search.run(Budget::iterations(20));
        assert!(search.memory_usage().0 <= most, "{step}: {} of {most}", search.memory_usage().0);
    }
}

/// A shortage of memory ends with its cause.
#[test]
fn a_window_asks_again_when_its_limit_is_lifted() {
    for limit in (500..8_000).step_by(100) {
        for moves in [false, true] {
            let game = Transpositions::new(Nim::<2> { sticks: 6, player: 0 });
            let mut search = Mcts::uct(game).window(2).memory_limit(Bytes(limit));
            let _ = search.ask();
            if moves {
                let _ = search.advance(1);
            }
            search.set_memory_limit(Bytes(usize::MAX));
            search.run(Budget::iterations(1)).expect("there is room");
            for _ in 0..10 {
                if let Some(ticket) = search.ask().expect("there is room").map(|question| question.ticket) {
                    search.tell(ticket, Rewards::new(2, |_| 0.5), &[]).expect("it is open");
                }
            }
        }
    }
}
