//! Chess by the crate `cozy-chess`. A game ends after 80 more actions, as a draw.

use cozy_chess::{Board, Color, GameStatus, Move};
use ramure::prelude::*;

#[derive(Clone)]
pub struct Chess {
    pub(crate) board: Board,
    left: u32,
}

impl Chess {
    pub fn new() -> Self {
        Chess { board: Board::default(), left: 80 }
    }
}

impl GameState for Chess {
    type Action = Move;

    fn turn(&self) -> Turn {
        if self.left == 0 || self.board.status() != GameStatus::Ongoing {
            Turn::Over
        } else {
            Turn::Player(self.board.side_to_move() as Player)
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = Move> {
        let mut actions = Vec::new();
        self.board.generate_moves(|moves| {
            actions.extend(moves);
            false
        });
        actions
    }

    fn apply(&mut self, action: Move) {
        self.board.play_unchecked(action);
        self.left -= 1;
    }

    fn reward(&self, player: Player) -> f64 {
        // The loser is the player to move.
        let loser = self.board.side_to_move();
        match self.board.status() {
            GameStatus::Won if player == loser as Player => 0.0,
            GameStatus::Won => 1.0,
            _ => 0.5,
        }
    }
}

const _: () = assert!(Color::White as Player == 0 && Color::Black as Player == 1);
