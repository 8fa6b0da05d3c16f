//! A memory limit that is lifted between the questions of a window. (That lowered limits hold is a law of the
//! random programs.)

use crate::common::nim::Nim;
use ramure::prelude::*;
use ramure::search::Transpositions;
use ramure::{Bytes, Rewards};

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
