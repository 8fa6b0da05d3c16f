//! arbor 0.2: nodes of 24 bytes in a `Vec`, recursion; rewards in [0, 1], so that its c is ours.
//!
//! Its own rollout lists the actions into a buffer and copies the state at each step. `custom_evaluation`
//! runs our rollout. Transpositions are off by default, and "experimental". Its generator cannot be seeded:
//! its own rollouts start from entropy here.

use crate::board::{Column, Columns, Connect4, End, GameState as _, end, mover, play_out, seed, with_rng};
use crate::found::Found;
use arbor::{Action, GameResult, GameState, MCTS, Player};
use std::fmt;

#[derive(Clone, Copy, Debug)]
struct Drop(Column);
impl Action for Drop {}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Side(u8);
impl Player for Side {}

#[derive(Clone, Copy, Debug)]
struct Game(Connect4);

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl GameState<Side, Drop> for Game {
    #[inline]
    fn actions<F: FnMut(Drop)>(&self, f: &mut F) {
        Columns::of(&self.0).for_each(|column| f(Drop(column)));
    }

    #[inline]
    fn make(&self, Drop(column): Drop) -> Self {
        let mut next = *self;
        next.0.apply(column);
        next
    }

    #[inline]
    fn gameover(&self) -> Option<GameResult> {
        // No player wins by the opponent's stone, so the player to move has lost.
        end(&self.0).map(|end| if end == End::Drawn { GameResult::Draw } else { GameResult::Lose })
    }

    #[inline]
    fn player(&self) -> Side {
        Side(mover(&self.0))
    }

    #[inline]
    fn custom_evaluation(&self) -> f32 {
        match with_rng(|rng| play_out(&self.0, rng)) {
            End::Drawn => 0.5,
            End::Won(winner) => f32::from(u8::from(winner == mover(&self.0))),
        }
    }
}

/// With our rollout.
pub fn search(board: Connect4, iterations: u64, seed_: u64) -> Found {
    seed(seed_);
    run(MCTS::new(Game(board)).with_exploration(1.0).with_custom_evaluation(), iterations)
}

/// With its own rollout.
pub fn own_rollout(board: Connect4, iterations: u64, _: u64) -> Found {
    run(MCTS::new(Game(board)).with_exploration(1.0).with_entropy(), iterations)
}

fn run(mut search: MCTS<Side, Drop, Game>, iterations: u64) -> Found {
    search.ponder(iterations as usize);
    let Drop(best) = search.best().expect("a game that is not over");
    Found::new(best, Some(u64::from(search.info.n)), search)
}
