//! The bounds of the table game against searches.

use super::table::{Bounds, Owned, Payoff, Position, Recipe, Shape, World};
use ramure::prelude::*;

#[test]
fn searches_prove_what_the_bounds_say() {
    for seed in 0..20 {
        let shape = if seed % 2 == 0 { Shape::Tree } else { Shape::Dag };
        let table = Recipe { shape, payoff: Payoff::Wins, ..Recipe::new(seed) }.make();
        let bounds = Bounds::new(&table);
        let world = World::new(table);
        let report = Mcts::new(Position::<Owned>::new(&world, 0)).run(Budget::iterations(20_000)).unwrap();
        let player = usize::from(report.player.expect("a player moves"));
        assert_eq!(report.proof.map(f64::from), Some(bounds.of(0)[player].0), "{report}");
        drop(report);
        assert_eq!(world.owners(), 1);
    }
}
