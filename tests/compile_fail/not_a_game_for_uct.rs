//! A type without the trait is not a game, and there is the same holds for the search of the textbooks.
//! expect: `Board` is not a game that ramure can search
//! expect: implement `GameState` for `Board`: `type Action` and the four methods `turn`, `actions`, `apply`, `reward`
//! errors: 1
//! unsaid: the following other types implement trait
use ramure::prelude::*;

struct Board;

fn main() {
    let mut search = Mcts::uct(Board);
    let report = search.run(Budget::iterations(100)).expect("a game");
    println!("{report}");
}
