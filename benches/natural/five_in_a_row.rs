//! Five in a row on a board of 9x9.

use ramure::prelude::*;

const SIZE: usize = 9;

#[derive(Clone)]
pub struct FiveInARow {
    pub(crate) board: [Option<Player>; SIZE * SIZE],
    pub(crate) player: Player,
    pub(crate) winner: Option<Player>,
}

impl FiveInARow {
    pub fn new() -> Self {
        FiveInARow { board: [None; SIZE * SIZE], player: 0, winner: None }
    }

    /// Whether the stone on this cell is one of five in a row.
    fn completes_five(&self, cell: usize) -> bool {
        let (row, column) = ((cell / SIZE) as isize, (cell % SIZE) as isize);
        let at = |row: isize, column: isize| {
            let on_board = |value: isize| (0..SIZE as isize).contains(&value);
            if on_board(row) && on_board(column) {
                self.board[row as usize * SIZE + column as usize]
            } else {
                None
            }
        };
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let mut count = 1;
            for side in [1, -1] {
                let mut step = side;
                while at(row + step * down, column + step * right) == Some(self.player) {
                    count += 1;
                    step += side;
                }
            }
            if count >= 5 {
                return true;
            }
        }
        false
    }
}

impl GameState for FiveInARow {
    type Action = usize;

    fn turn(&self) -> Turn {
        if self.winner.is_some() || self.board.iter().all(Option::is_some) {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = usize> {
        let mut actions = Vec::new();
        for cell in 0..self.board.len() {
            if self.board[cell].is_none() {
                actions.push(cell);
            }
        }
        actions
    }

    fn apply(&mut self, cell: usize) {
        self.board[cell] = Some(self.player);
        if self.completes_five(cell) {
            self.winner = Some(self.player);
        }
        self.player = 1 - self.player;
    }

    fn reward(&self, player: Player) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == player => 1.0,
            Some(_) => 0.0,
        }
    }
}
