//! Searches of mirror images in games whose symmetries are wrong.

use ramure::prelude::*;
use ramure::search::MirrorImages;
use ramure::{GameFault, Keyed, Symmetric, hash_key};

/// Two players mark cells of a row in turn. The player who marks the middle wins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Row {
    marks: Vec<Option<Player>>,
    turn: Player,
}

impl GameState for Row {
    type Action = usize;

    fn turn(&self) -> Turn {
        if self.marks.contains(&None) { Turn::Player(self.turn) } else { Turn::Over }
    }
    fn actions(&self) -> impl IntoIterator<Item = usize> {
        (0..self.marks.len()).filter(|&cell| self.marks[cell].is_none())
    }
    fn apply(&mut self, cell: usize) {
        self.marks[cell] = Some(self.turn);
        self.turn = 1 - self.turn;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.marks[self.marks.len() / 2] == Some(player)))
    }
}

impl Keyed for Row {
    fn key(&self) -> u128 {
        hash_key(self)
    }
}

/// The row is reversed, but the action is not.
impl Symmetric for Row {
    const SYMMETRIES: usize = 1;

    fn transformed(&self, _: usize) -> Self {
        Row { marks: self.marks.iter().rev().copied().collect(), turn: self.turn }
    }
    fn transformed_action(&self, action: usize, _: usize) -> usize {
        action
    }
}

#[test]
fn a_wrong_symmetry_is_an_error_that_speaks_of_symmetries() {
    let mut faults = 0;
    for seed in 0..20 {
        let row = Row { marks: vec![None; 7], turn: 0 };
        let result = Mcts::new(MirrorImages::new(row)).seed(seed).run(Budget::iterations(2_000));
        let Err(error) = result else { continue };
        let SearchError::Game { fault: GameFault::Symmetry, .. } = error else { panic!("{error:?}") };
        assert!(error.to_string().contains("`transformed_action`"), "{error}");
        faults += 1;
    }
    assert!(faults > 0, "no search meets the fault");
}
