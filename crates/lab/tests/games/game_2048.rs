//! 2048: the rules against a plain second implementation, the laws, and known merges.

use crate::sized;
use ramure::prelude::*;
use ramure_lab::games::Game2048;
use ramure_lab::games::game_2048::Action2048::{self, Down, Left, Right, Tile, Up};

#[test]
fn known_rows_slide_as_they_should() {
    let slid = |row: [u32; 4], action| {
        let mut game = Game2048::from_cells([row, [0; 4], [0; 4], [0; 4]]).expect("powers of two");
        game.apply(action);
        ([0, 1, 2, 3].map(|column| game.cell(0, column)), game.score())
    };
    assert_eq!(slid([2, 2, 2, 2], Left), ([4, 4, 0, 0], 8));
    assert_eq!(slid([2, 2, 2, 0], Left), ([4, 2, 0, 0], 4));
    assert_eq!(slid([2, 2, 2, 0], Right), ([0, 0, 2, 4], 4));
    assert_eq!(slid([4, 2, 2, 0], Left), ([4, 4, 0, 0], 4), "a merged tile does not merge again");
    assert_eq!(slid([2, 0, 0, 2], Right), ([0, 0, 0, 4], 4));
    assert_eq!(slid([8, 4, 8, 4], Left), ([8, 4, 8, 4], 0));
    assert_eq!(slid([1024, 1024, 0, 2], Left), ([2048, 2, 0, 0], 2048));
    assert!(Game2048::from_cells([[3, 0, 0, 0], [0; 4], [0; 4], [0; 4]]).is_none());
    assert!(Game2048::from_cells([[1, 0, 0, 0], [0; 4], [0; 4], [0; 4]]).is_none());
}

/// The same game with a number for each cell.
#[derive(Clone, Debug)]
struct Plain {
    cells: [[u32; 4]; 4],
    score: u32,
    due: u8,
}

impl Plain {
    /// Slides by repeated steps: each tile that has an empty cell before it, or an equal tile that has not
    /// merged, moves on.
    fn slid(&self, action: Action2048) -> Plain {
        let mut next = self.clone();
        let place = |line: usize, step: usize| match action {
            Left => (line, step),
            Right => (line, 3 - step),
            Up => (step, line),
            _ => (3 - step, line),
        };
        for line in 0..4 {
            let mut merged = [false; 4];
            for start in 1..4 {
                for step in (1..=start).rev() {
                    let (from, to) = (place(line, step), place(line, step - 1));
                    let (tile, before) = (next.cells[from.0][from.1], next.cells[to.0][to.1]);
                    if tile > 0 && before == 0 {
                        (next.cells[to.0][to.1], next.cells[from.0][from.1]) = (tile, 0);
                        merged.swap(step, step - 1);
                    } else if tile > 0 && tile == before && !merged[step] && !merged[step - 1] {
                        (next.cells[to.0][to.1], next.cells[from.0][from.1]) = (2 * tile, 0);
                        merged[step - 1] = true;
                        next.score += 2 * tile;
                    }
                }
            }
        }
        next
    }
}

impl GameState for Plain {
    type Action = Action2048;

    fn turn(&self) -> Turn {
        match (self.due, self.actions().into_iter().next()) {
            (1.., _) => Turn::Chance,
            (_, None) => Turn::Over,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Action2048> {
        if self.due == 0 {
            let changes = |action: &Action2048| self.slid(*action).cells != self.cells;
            return [Left, Right, Up, Down].into_iter().filter(changes).collect::<Vec<_>>();
        }
        let empty =
            (0..16u8).filter(|&place| self.cells[usize::from(place) / 4][usize::from(place) % 4] == 0);
        empty.flat_map(|place| [Tile(place, false), Tile(place, true)]).collect()
    }
    fn apply(&mut self, action: Action2048) {
        if let Tile(place, is_four) = action {
            self.cells[usize::from(place) / 4][usize::from(place) % 4] = if is_four { 4 } else { 2 };
            self.due -= 1;
        } else {
            *self = Plain { due: 1, ..self.slid(action) };
        }
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.score) / (f64::from(self.score) + 20_000.0)
    }
    fn players(&self) -> u8 {
        1
    }
    fn probability(&self, outcome: Action2048) -> f64 {
        let empty = self.cells.as_flattened().iter().filter(|&&number| number == 0).count() as f64;
        if let Tile(_, true) = outcome { 0.1 / empty } else { 0.9 / empty }
    }
}

#[test]
fn it_obeys_the_laws_and_agrees_with_a_plain_implementation() {
    let plain = Plain { cells: [[0; 4]; 4], score: 0, due: 2 };
    let twin = ramure_rules::check(Game2048::new()).games(sized(60, 2_000)).twin(plain);
    twin.run().expect("sound");
}
