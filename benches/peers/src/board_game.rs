//! board-game 0.8: `ai::mcts`, nodes in a `Vec`, recursion; rewards in [0, 1], so that its weight is our c.
//!
//! It always proves wins, draws and losses. Its rollout asks the board for random moves, which our board
//! draws by the same rule and from the same generator as our rollout. As its documentation suggests, the
//! board does not check moves again that the search has listed or drawn.

use crate::board::{Column, Columns, Connect4, End, GameState as _, Rng, Turn, end, mover};
use crate::found::Found;
use board_game::ai::mcts::mcts_build_tree;
use board_game::board::{Alternating, Board, BoardDone, BoardMoves, Outcome, PlayError, Player};
use board_game::impl_unit_symmetry_board;
use board_game::util::iter::ClonableInternal;
use rand_08::{Error, RngCore};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Game(Connect4);

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[inline]
fn side(player: u8) -> Player {
    if player == 0 { Player::A } else { Player::B }
}

impl Board for Game {
    type Move = Column;

    #[inline]
    fn next_player(&self) -> Player {
        side(mover(&self.0))
    }

    #[inline]
    fn is_available_move(&self, column: Column) -> Result<bool, BoardDone> {
        self.check_done()?;
        Ok(self.0.is_legal(column))
    }

    #[inline]
    fn play(&mut self, column: Column) -> Result<(), PlayError> {
        self.check_can_play(column)?;
        self.0.apply(column);
        Ok(())
    }

    #[inline]
    fn clone_and_play(&self, column: Column) -> Result<Self, PlayError> {
        let mut next = self.clone();
        next.0.apply(column);
        Ok(next)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        end(&self.0).map(|end| match end {
            End::Won(player) => Outcome::WonBy(side(player)),
            End::Drawn => Outcome::Draw,
        })
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.0.turn() == Turn::Over
    }

    fn can_lose_after_move() -> bool {
        false
    }

    /// The rule of `Connect4::random_action`, which accepts only ramure's generator.
    #[inline]
    fn play_random_available_move(&mut self, rng: &mut impl rand_08::Rng) -> Result<(), BoardDone> {
        self.check_done()?;
        loop {
            let number = ((u128::from(rng.next_u64()) * 7) >> 64) as u8;
            if let Some(column) = Column::new(number)
                && self.0.is_legal(column)
            {
                self.0.apply(column);
                return Ok(());
            }
        }
    }
}

impl Alternating for Game {}

impl_unit_symmetry_board!(Game);

/// All seven columns.
#[derive(Clone)]
struct AllColumns(u8);

impl Iterator for AllColumns {
    type Item = Column;

    fn next(&mut self) -> Option<Column> {
        let column = Column::new(self.0);
        self.0 += 1;
        column
    }
}

impl<'a> BoardMoves<'a, Game> for Game {
    type AllMovesIterator = ClonableInternal<AllColumns>;
    type AvailableMovesIterator = ClonableInternal<Columns>;

    fn all_possible_moves() -> ClonableInternal<AllColumns> {
        ClonableInternal::new(AllColumns(0))
    }

    #[inline]
    fn available_moves(&'a self) -> Result<ClonableInternal<Columns>, BoardDone> {
        self.check_done()?;
        Ok(ClonableInternal::new(Columns::of(&self.0)))
    }
}

/// ramure's generator behind the trait of `rand` 0.8.
struct OurRng(Rng);

impl RngCore for OurRng {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        (self.0.bits() >> 32) as u32
    }

    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.0.bits()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.0.bits().to_le_bytes()[..chunk.len()]);
        }
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}

pub fn search(board: Connect4, iterations: u64, seed: u64) -> Found {
    let tree = mcts_build_tree(&Game(board), iterations, 1.0, &mut OurRng(Rng::seeded(seed)));
    Found::new(tree.best_move(), Some(tree.nodes[0].visits as u64), tree)
}
