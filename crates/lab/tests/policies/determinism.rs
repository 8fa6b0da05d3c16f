//! A seed fixes the result of every search that texts can name, to the bit.

use crate::common::any::Any;
use crate::common::four::Connect4;
use crate::common::pig::Pig;
use crate::common::rows::TicTacToe;
use crate::common::sized;
use crate::covering::{everything, members};
use ramure::Report;

/// The part of a report that does not depend on the clock.
fn timeless<A: Clone>(report: &Report<A>) -> (Vec<(u32, u32)>, Option<usize>, usize, u32) {
    let actions = report.actions.iter().map(|action| (action.visits, action.mean.to_bits())).collect();
    (actions, report.chosen, report.nodes, report.root_visits)
}

#[test]
fn a_seed_fixes_the_result_of_every_search() {
    let known = everything();
    for state in [Any::new(TicTacToe::default()), Any::new(Pig::new(4))] {
        for member in members() {
            let found = || timeless(&member.run(&known, &state, 5, sized(120, 300)).expect("a sound game"));
            assert_eq!(found(), found(), "{}", member.text);
        }
    }
}

#[test]
fn a_different_seed_gives_a_different_result() {
    let (known, state) = (everything(), Any::new(Connect4::default()));
    for member in members() {
        let found =
            |seed| timeless(&member.run(&known, &state, seed, sized(200, 500)).expect("a sound game")).0;
        assert_ne!(found(1), found(2), "{}", member.text);
    }
}
