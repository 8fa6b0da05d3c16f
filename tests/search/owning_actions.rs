//! Actions that own memory. That every search drops each of them once, also after a panic, is a law of the random programs.

use ramure::{Budget, GameState, Mcts, Player, Turn};
use std::fmt::Debug;
use std::rc::Rc;

/// Takes one, two or three of some sticks. The actions are made of the numbers.
#[derive(Clone)]
struct Sticks<A>(u8, Player, fn(u8) -> A);

impl<A: Clone + Eq + Debug + 'static> GameState for Sticks<A> {
    type Action = A;
    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
    }
    fn actions(&self) -> impl IntoIterator<Item = A> {
        (1..=self.0.min(3)).map(self.2)
    }
    fn apply(&mut self, taken: A) {
        let number = (1..=self.0).find(|&number| (self.2)(number) == taken);
        (self.0, self.1) = (self.0 - number.expect("it is legal"), 1 - self.1);
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player != self.1))
    }
}

/// Games with actions of types of the standard library need nothing else.
#[test]
fn types_of_the_standard_library_are_actions() {
    fn chosen<A: Clone + Eq + Debug + 'static>(action: fn(u8) -> A) -> (usize, Vec<u32>, usize) {
        let report =
            Mcts::new(Sticks(21, 0, action)).seed(1).run(Budget::iterations(400)).expect("a sound game");
        let visits = report.actions.iter().map(|action| action.visits).collect();
        (report.chosen.expect("it is a player's turn"), visits, report.nodes)
    }
    let expected = chosen(|number| number);
    assert_eq!(chosen(|number| number.to_string()), expected);
    assert_eq!(chosen(Rc::new), expected); // one thread needs no `Send`
}
