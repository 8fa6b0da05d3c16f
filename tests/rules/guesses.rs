//! The law on guesses, with a correct game of cards and with wrong ones.

use crate::common::tricks::{Fault, Tricks};
use ramure::rules::{self, Law, Violation};

fn check(fault: Fault) -> Result<rules::Summary, Box<Violation<Tricks>>> {
    let game = Tricks { fault, ..Tricks::new(3, 3, 5) };
    rules::check(game).hidden(Tricks::seen).only([Law::Guesses]).states(200).games(30).run().map_err(Box::new)
}

#[test]
fn correct_guesses_pass() {
    for players in 2..=4 {
        let game = Tricks::new(players, 3, 5);
        rules::check(game).hidden(Tricks::seen).states(100).games(30).constant_sum(1.0).run().expect("sound");
    }
}

#[test]
fn wrong_guesses_are_found() {
    for (fault, what) in [
        (Fault::Peeks, "depend on what is hidden"),
        (Fault::Redeals, "changes what that player has seen"),
        (Fault::Keeps, "no guess differs from its state"),
        (Fault::Loses, "changes what that player has seen"),
        (Fault::Restarts, "changes what that player has seen"),
    ] {
        let violation = check(fault).expect_err("a wrong guess");
        assert_eq!(violation.law, Law::Guesses);
        assert!(violation.to_string().contains(what), "{fault:?}: {violation}");
    }
}

mod of_cards {
    use super::Tricks;

    ramure::rules::laws!(mod laws, Tricks::new(2, 3, 1); hidden = Tricks::seen, games = 50, states = 200);
}
