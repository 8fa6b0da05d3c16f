//! Two of the games once more, with one word changed: the list of actions is as long as it may get from the start. So it grows in
//! place, where the list of the natural games moves five to seven times.

use crate::chess::Chess;
use crate::five_in_a_row::FiveInARow;
use cozy_chess::Move;
use ramure::prelude::*;

/// The most legal moves of a position of chess.
const MOST_MOVES: usize = 218;

/// Five in a row that reserves the list of its actions.
#[derive(Clone)]
pub struct FiveInARowReserved(FiveInARow);

impl FiveInARowReserved {
    pub fn new() -> Self {
        FiveInARowReserved(FiveInARow::new())
    }
}

impl GameState for FiveInARowReserved {
    type Action = usize;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self) -> impl IntoIterator<Item = usize> {
        let mut actions = Vec::with_capacity(self.0.board.len());
        for cell in 0..self.0.board.len() {
            if self.0.board[cell].is_none() {
                actions.push(cell);
            }
        }
        actions
    }

    fn apply(&mut self, cell: usize) {
        self.0.apply(cell);
    }

    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
}

/// Chess that reserves the list of its moves.
#[derive(Clone)]
pub struct ChessReserved(Chess);

impl ChessReserved {
    pub fn new() -> Self {
        ChessReserved(Chess::new())
    }
}

impl GameState for ChessReserved {
    type Action = Move;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self) -> impl IntoIterator<Item = Move> {
        let mut actions = Vec::with_capacity(MOST_MOVES);
        self.0.board.generate_moves(|moves| {
            actions.extend(moves);
            false
        });
        actions
    }

    fn apply(&mut self, action: Move) {
        self.0.apply(action);
    }

    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
}
