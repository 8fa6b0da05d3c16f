//! A puzzle to watch: a search plays SameGame, and shows what it expects of each group.

use ramure::backpropagation::Average;
use ramure::selection::SinglePlayer;
use ramure::simulation::Uniform;
use ramure::{Budget, Bytes, GameState, Mcts, Report, SearchError, Turn};
use ramure_games::SameGame;
use ramure_games::same_game::Group;
use serde::Serialize;

/// The most memory that the tree takes.
const MEMORY: Bytes = Bytes::mib(128);

/// The columns and the rows of the board.
const SIDE: usize = 15;

/// A group as the search sees it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroupView {
    /// The name of the group.
    pub group: String,
    /// The colour of its blocks, from 1.
    pub colour: u8,
    /// The column and the row of each block, from 0 at the bottom left.
    pub blocks: Vec<(usize, usize)>,
    /// The visits.
    pub visits: u32,
    /// The mean of the points at the end of the game.
    pub points: f64,
}

/// The board and what the search thinks of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PuzzleView {
    /// The colours of each column, bottom first, from 1; 0 where no block is.
    pub columns: Vec<Vec<u8>>,
    /// The points so far.
    pub points: i32,
    /// The number of groups removed.
    pub moves: u32,
    /// The iterations for this move.
    pub iterations: u64,
    /// Whether no group is left.
    pub is_over: bool,
    /// The groups, the most visited one first. The first is the one to remove next.
    pub groups: Vec<GroupView>,
}

/// A board of SameGame with a search that plays it.
pub struct Puzzle {
    board: SameGame,
    search: Mcts<SameGame, SinglePlayer, Uniform, Average>,
    report: Option<Report<Group>>,
    moves: u32,
    iterations: u64,
}

impl Puzzle {
    /// Sets up the random board of this number.
    pub fn new(board: u64, seed: u64) -> Self {
        let board = SameGame::random(board);
        let search = Mcts::new(board).tree_policy(SinglePlayer::default()).backprop(Average);
        let search = search.memory_limit(MEMORY).seed(seed);
        Puzzle { board, search, report: None, moves: 0, iterations: 0 }
    }

    /// Searches. At the end of the game, does nothing.
    ///
    /// # Errors
    ///
    /// Returns an error of the search.
    pub fn think(&mut self, iterations: u64) -> Result<(), SearchError> {
        if self.board.turn() != Turn::Over {
            self.report = Some(self.search.run(Budget::iterations(iterations))?);
            self.iterations += iterations;
        }
        Ok(())
    }

    /// Removes the group that the search chooses. Does nothing before the search has begun to think about the
    /// board.
    ///
    /// # Errors
    ///
    /// Returns an error of the search.
    pub fn play(&mut self) -> Result<(), SearchError> {
        if let Some(group) = self.report.take().and_then(|report| report.try_best_action().ok()) {
            self.search.advance(group)?;
            self.board.apply(group);
            self.moves += 1;
            self.iterations = 0;
        }
        Ok(())
    }

    /// Returns what the page shows.
    pub fn view(&self) -> PuzzleView {
        let colour = |column, row| self.board.colour(column, row).unwrap_or(0);
        PuzzleView {
            columns: (0..SIDE).map(|column| (0..SIDE).map(|row| colour(column, row)).collect()).collect(),
            points: self.board.points(),
            moves: self.moves,
            iterations: self.iterations,
            is_over: self.board.turn() == Turn::Over,
            groups: self
                .report
                .iter()
                .flat_map(|report| report.top(usize::MAX))
                .map(|entry| GroupView {
                    group: entry.action.to_string(),
                    colour: colour(entry.action.column(), entry.action.row()),
                    blocks: self.board.blocks(entry.action).collect(),
                    visits: entry.visits,
                    points: points_of(entry.mean.into()),
                })
                .collect(),
        }
    }
}

/// Returns the points of a reward: the inverse of the scale of [`SameGame`].
pub fn points_of(reward: f64) -> f64 {
    let (least, most) = (-f64::from(223 * 223), f64::from(223 * 223 + 1000));
    least + reward * (most - least)
}
