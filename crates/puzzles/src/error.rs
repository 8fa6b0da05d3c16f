//! What is wrong with a game or a budget.

use core::fmt;
use ramure::{CustomError, SearchError};

/// Why an [`Optimization`](crate::Optimization) cannot search a game, or not within a budget.
///
/// A run returns it inside of a [`SearchError`]. `Score` and `Chance` arrive as [`SearchError::Failed`],
/// with the line of play that led there; `Players` and `Budget` as [`SearchError::Agent`].
///
/// ```
/// use ramure::SearchError;
/// use ramure::prelude::*;
/// use ramure_games::TicTacToe;
/// use ramure_puzzles::{FlatSampling, Optimization, PuzzleError};
///
/// # #[derive(Clone)]
/// # struct Drawn(TicTacToe);
/// # impl GameState for Drawn {
/// #     type Action = <TicTacToe as GameState>::Action;
/// #     fn turn(&self) -> Turn { self.0.turn() }
/// #     fn actions(&self) -> impl IntoIterator<Item = Self::Action> { self.0.actions() }
/// #     fn apply(&mut self, action: Self::Action) { self.0.apply(action) }
/// #     fn reward(&self, player: Player) -> f64 { self.0.reward(player) }
/// # }
/// # impl ramure::Scored for Drawn {
/// #     fn score(&self) -> f64 { 1.0 }
/// # }
/// # let a_game_of_two_players = Drawn(TicTacToe::new());
/// let mut search = Optimization::new(a_game_of_two_players, FlatSampling);
/// match search.run(Budget::iterations(10)) {
///     Err(SearchError::Agent(error)) => {
///         let error = error.get_ref().downcast_ref::<PuzzleError>();
///         assert_eq!(error, Some(&PuzzleError::Players { players: 2 }));
///     }
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The puzzle score of a finished game is infinite or NaN.
    Score {
        /// The puzzle score that the game returned.
        score: f64,
    },
    /// It is chance's turn, but a line can be played again only in a game without chance.
    Chance,
    /// The game has several players.
    Players {
        /// The number of players.
        players: u8,
    },
    /// The budget bounds the bytes of a tree, ends early or may be exceeded, but an
    /// [`Optimization`](crate::Optimization) has no tree, and no choice between the actions at its root.
    Budget,
}

impl fmt::Display for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PuzzleError::Score { score } => {
                write!(f, "the puzzle score of the finished game is {score}; it must be a finite number")
            }
            PuzzleError::Chance => f.write_str(
                "it is chance's turn, and this search needs a game without chance; use `Mcts`, or fix the outcomes in the state",
            ),
            PuzzleError::Players { players } => {
                write!(f, "the game has {players} players, and this search needs a game of one; use `Mcts`")
            }
            PuzzleError::Budget => f.write_str(
                "this search has no tree and chooses no action, so the budget can bound its iterations and its time only",
            ),
        }
    }
}

/// Prints the sentence of `Display`.
impl fmt::Debug for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for PuzzleError {}

impl From<PuzzleError> for SearchError {
    fn from(error: PuzzleError) -> Self {
        SearchError::Agent(CustomError::new(error))
    }
}
