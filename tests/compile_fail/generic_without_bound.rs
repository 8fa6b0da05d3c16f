//! A function over any tree policy needs a bound on its statistics.
//! expect: a function over any tree policy `P` needs a bound: `where P::Stats: Statistics<G, R>`
use ramure::prelude::*;

fn think<G: GameState, P: TreePolicy<G>>(search: &mut Mcts<G, P>) -> Result<G::Action, SearchError> {
    search.run(Budget::iterations(10))?.try_best_action()
}

fn main() {}
