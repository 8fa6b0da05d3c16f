//! The game of the random programs obeys the laws.

use crate::table::{Payoff, Position, Recipe, Shape};
use ramure_rules::{Law, check};

#[test]
fn random_tables_obey_the_laws_of_games() {
    let plain = |seed| Recipe { payoff: Payoff::Shares, ..Recipe::new(seed) };
    for seed in 0..4 {
        let ring = Recipe { shape: Shape::Ring, chance: true, mirrored: true, ..plain(seed) };
        let hidden = Recipe { players: 3, hidden: true, simultaneous: true, ..plain(seed) };
        for recipe in
            [Recipe { players: 1, ..ring }, ring, Recipe { players: 4, shape: Shape::Dag, ..plain(seed) }]
        {
            let state = Position::<u8>::first(recipe.make());
            let laws = check(state).games(20).states(40).hash().evaluation().indices().keys().symmetry();
            let laws = laws.without(Law::Results).without(Law::Moves).without(Law::Ends);
            laws.run().unwrap_or_else(|violation| panic!("{recipe:?}: {violation}"));
        }
        let table = hidden.make();
        let seen = table.clone();
        let laws = check(Position::<u8>::first(table))
            .games(20)
            .states(40)
            .without(Law::Results)
            .without(Law::Moves);
        let laws =
            laws.hidden(move |state, player| seen.rooms[usize::from(state.room())].seen[usize::from(player)]);
        laws.run().unwrap_or_else(|violation| panic!("{hidden:?}: {violation}"));
    }
}
