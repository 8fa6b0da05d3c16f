//! A type without the trait is not a game.
//! expect: `Board` is not a game that ramure can search
//! expect: implement `GameState` for `Board`: `type Action` and the four methods `turn`, `actions`, `apply`, `reward`
//! errors: 1
//! unsaid: the following other types implement trait
use ramure::prelude::*;

#[derive(Clone)]
struct Board;

fn main() {
    let _ = Mcts::new(Board);
}
