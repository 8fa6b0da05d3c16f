//! An information set is not a game, so an agent that would see its secrets does not accept it.
//! errors: 1
//! expect: `InformationSet<Sticks>` is not a game that ramure can search
//! expect: an `InformationSet`, an `OpenLoop`, a `Transpositions` and the like are not games: search them with `Mcts`
use ramure_agents::{Agent, FlatMonteCarlo};
use ramure::prelude::*;
use ramure::search::InformationSet;

include!("../common/sticks.rs");

impl ramure::HiddenInformation for Sticks {
    fn determinize(&mut self, _: Player, _: &mut Rng) {}
}

fn main() {
    let _ = FlatMonteCarlo::per_action(100).choose(&InformationSet::new(Sticks(7, 0)));
}
