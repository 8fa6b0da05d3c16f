//! Othello. A player without an action passes, so the end test lists the actions of both players: it costs
//! more than an action.

use ramure::prelude::*;

#[derive(Clone)]
pub struct Othello {
    board: [[Option<Player>; 8]; 8],
    pub(crate) player: Player,
}

impl Othello {
    pub fn new() -> Self {
        let mut board = [[None; 8]; 8];
        (board[3][3], board[4][4]) = (Some(1), Some(1));
        (board[3][4], board[4][3]) = (Some(0), Some(0));
        Othello { board, player: 0 }
    }

    /// The discs that turn over if `player` places one here.
    fn turned(&self, player: Player, row: usize, column: usize) -> Vec<(usize, usize)> {
        let mut turned = Vec::new();
        if self.board[row][column].is_some() {
            return turned;
        }
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let (mut row, mut column) = (row as isize + down, column as isize + right);
            let mut line = Vec::new();
            while (0..8).contains(&row) && (0..8).contains(&column) {
                let cell = (row as usize, column as usize);
                match self.board[cell.0][cell.1] {
                    None => break,
                    Some(owner) if owner == player => {
                        turned.append(&mut line);
                        break;
                    }
                    Some(_) => line.push(cell),
                }
                row += down;
                column += right;
            }
        }
        turned
    }

    pub(crate) fn places(&self, player: Player) -> Vec<(usize, usize)> {
        let cells = (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
        cells.filter(|&(row, column)| !self.turned(player, row, column).is_empty()).collect()
    }

    fn discs(&self, player: Player) -> usize {
        self.board.iter().flatten().filter(|cell| **cell == Some(player)).count()
    }
}

impl GameState for Othello {
    type Action = Option<(usize, usize)>; // `None` passes

    fn turn(&self) -> Turn {
        if self.places(0).is_empty() && self.places(1).is_empty() {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        let places = self.places(self.player);
        if places.is_empty() { vec![None] } else { places.into_iter().map(Some).collect() }
    }

    fn apply(&mut self, action: Self::Action) {
        if let Some((row, column)) = action {
            for (row, column) in self.turned(self.player, row, column) {
                self.board[row][column] = Some(self.player);
            }
            self.board[row][column] = Some(self.player);
        }
        self.player = 1 - self.player;
    }

    fn reward(&self, player: Player) -> f64 {
        match self.discs(player).cmp(&self.discs(1 - player)) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }
    }
}
