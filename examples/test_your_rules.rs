//! How to test the rules of a game: copy this file, and replace Chomp with your game.
//!
//! `cargo test --example test_your_rules` runs the tests;
//! `cargo run --release --example test_your_rules` prints what a check has covered.
//!
//! Chomp: a bar of chocolate has three rows of four squares. The players take turns to bite. A bite at a
//! square eats that square and all squares below it and to the right of it. The square at the top left is
//! poisoned: the player who eats it loses.

use ramure::prelude::*;

/// The number of squares left in each row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Chomp {
    rows: [u8; 3],
    player: Player,
}

impl Chomp {
    fn new() -> Self {
        Chomp { rows: [4; 3], player: 0 }
    }

    /// The player who did not eat the poisoned square, or `None` if it is still there.
    fn winner(&self) -> Option<Player> {
        (self.rows[0] == 0).then_some(self.player)
    }
}

impl GameState for Chomp {
    type Action = (u8, u8);

    fn turn(&self) -> Turn {
        if self.rows[0] == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = (u8, u8)> {
        (0..3).flat_map(|row| (0..self.rows[usize::from(row)]).map(move |column| (row, column)))
    }
    fn apply(&mut self, (row, column): (u8, u8)) {
        for squares in &mut self.rows[usize::from(row)..] {
            *squares = column.min(*squares);
        }
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.player { 1.0 } else { 0.0 }
    }
}

/// The same game, written as plainly as possible: the squares that are left, and the number of bites.
#[derive(Clone, Debug)]
struct Squares {
    left: Vec<(u8, u8)>,
    bites: u8,
}

impl Squares {
    fn new() -> Self {
        Squares { left: (0..3).flat_map(|row| (0..4).map(move |column| (row, column))).collect(), bites: 0 }
    }
}

impl GameState for Squares {
    type Action = (u8, u8);

    fn turn(&self) -> Turn {
        if self.left.contains(&(0, 0)) { Turn::Player(self.bites % 2) } else { Turn::Over }
    }
    fn actions(&self) -> impl IntoIterator<Item = (u8, u8)> {
        self.left.clone()
    }
    fn apply(&mut self, (row, column): (u8, u8)) {
        self.left.retain(|square| square.0 < row || square.1 < column);
        self.bites += 1;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.bites % 2 { 1.0 } else { 0.0 }
    }
}

// These lines go into your file of tests. Each law is its own test. Name the laws that need more than
// `GameState`.
ramure_rules::laws!(
    mod chomp_rules, Chomp::new();
    hash, constant_sum = 1.0, winner = Chomp::winner,
    invariant = |chomp| chomp.rows.is_sorted_by(|above, below| above >= below),
    twin = Squares::new()
);

// Your own laws: the kit generates the states, proptest does the rest.
#[cfg(test)]
mod laws_of_our_own {
    use super::{Chomp, GameState};
    use ramure_rules::proptest::prelude::*;

    proptest! {
        #[test]
        fn a_bite_eats_at_least_one_square((before, bite) in ramure_rules::positions_and_actions(Chomp::new())) {
            let squares = |chomp: &Chomp| chomp.rows.iter().sum::<u8>();
            let mut after = before.clone();
            after.apply(bite);
            prop_assert!(squares(&after) < squares(&before));
        }
    }
}

// Numbers of lines of play, counted by hand or by another program.
#[test]
fn the_counts_are_right() {
    let table = "
        # depth  lines
        1        12
        2        84
    ";
    ramure_rules::perft_table(&Chomp::new(), table).unwrap_or_else(|error| panic!("{error}"));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let check =
        ramure_rules::check(Chomp::new()).hash().constant_sum(1.0).winner(Chomp::winner).twin(Squares::new());
    println!("{}\n", check.run()?);
    println!("{}", ramure_rules::perft(&Chomp::new(), 5));
    Ok(())
}
