//! Connect 4 on boards of other sizes than the usual one, as one game.

use ramure::{ActionIndex, GameState, Keyed, Player, Rewards, Rng, StaticEvaluation, Symmetric, Turn};
use ramure_games::connect4::{Column, ConnectFour};
use std::fmt;

/// The most columns of a board.
const MAX_COLUMNS: u8 = 7;

/// Defines [`SmallConnect4`] by its boards: the columns, the rows, and the text of the size.
macro_rules! boards {
    ($($board:ident: $columns:literal, $rows:literal, $size:literal;)*) => {
        /// Makes the same call for whichever size a game has.
        macro_rules! each {
            ($game:expr, $state:ident => $call:expr) => {
                match $game {
                    $(SmallConnect4::$board($state) => $call,)*
                }
            };
        }

        /// A position of Connect 4 on a small board. The names give the columns and the rows.
        ///
        /// Its functions are not inlined: the search loops of all games contain their calls.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum SmallConnect4 {
            $($board(ConnectFour<$columns, $rows>),)*
        }

        impl SmallConnect4 {
            /// Returns the empty board with this number of columns and of rows, as in `5x4`; `None` if there
            /// is none of this size.
            pub fn new(size: &str) -> Option<Self> {
                match size {
                    $($size => Some(SmallConnect4::$board(ConnectFour::new())),)*
                    _ => None,
                }
            }

            /// Returns the size, as [`new`](Self::new) reads it.
            pub fn size(&self) -> &'static str {
                match self {
                    $(SmallConnect4::$board(_) => $size,)*
                }
            }
        }
    };
}

boards! {
    Board4x4: 4, 4, "4x4";
    Board5x4: 5, 4, "5x4";
    Board6x4: 6, 4, "6x4";
    Board4x5: 4, 5, "4x5";
    Board5x5: 5, 5, "5x5";
    Board6x5: 6, 5, "6x5";
    Board5x6: 5, 6, "5x6";
    Board6x6: 6, 6, "6x6";
}

impl SmallConnect4 {
    /// The sizes, as [`new`](Self::new) reads them.
    pub const SIZES: &str = "4x4, 5x4, 6x4, 4x5, 5x5, 6x5, 5x6 and 6x6";

    /// Returns the numbers of columns and of rows.
    pub fn shape(&self) -> (u8, u8) {
        let mut numbers = self.size().bytes().map(|digit| digit - b'0');
        (numbers.next().unwrap_or(0), numbers.next_back().unwrap_or(0))
    }

    /// Returns the player whose stone is in a cell; the row counts from the bottom.
    ///
    /// # Panics
    ///
    /// Panics if the board has no such cell.
    pub fn cell(&self, row: u8, column: u8) -> Option<Player> {
        each!(self, state => state.cell(row, column))
    }

    /// Returns the cells of the four in a row that won, if there are any.
    pub fn winning_line(&self) -> Option<[(u8, u8); 4]> {
        each!(self, state => state.winning_line())
    }

    /// Returns the legal actions, one bit for each column.
    #[inline(never)]
    fn legal(&self) -> u8 {
        each!(self, state => state.actions().into_iter().map(|column| 1 << column.number()).sum())
    }
}

impl GameState for SmallConnect4 {
    type Action = Column;

    #[inline(never)]
    fn turn(&self) -> Turn {
        each!(self, state => state.turn())
    }
    fn actions(&self) -> impl IntoIterator<Item = Column> {
        let legal = self.legal();
        (0..MAX_COLUMNS).filter(move |column| legal >> column & 1 == 1).filter_map(Column::new)
    }
    #[inline(never)]
    fn apply(&mut self, column: Column) {
        each!(self, state => state.apply(column));
    }
    #[inline(never)]
    fn reward(&self, player: Player) -> f64 {
        each!(self, state => state.reward(player))
    }
    #[inline(never)]
    fn random_action(&self, rng: &mut Rng) -> Option<Column> {
        each!(self, state => state.random_action(rng))
    }
    #[inline(never)]
    fn random_rollout(&mut self, rng: &mut Rng) {
        each!(self, state => state.random_rollout(rng));
    }
    #[inline(never)]
    fn random_rollouts(&self, games: u32, rng: &mut Rng) -> Option<Rewards> {
        each!(self, state => state.random_rollouts(games, rng))
    }
    #[inline(never)]
    fn is_legal(&self, column: Column) -> bool {
        each!(self, state => state.is_legal(column))
    }
}

impl StaticEvaluation for SmallConnect4 {
    #[inline(never)]
    fn evaluate(&self, player: Player) -> f64 {
        each!(self, state => state.evaluate(player))
    }
}

impl ActionIndex for SmallConnect4 {
    const ACTION_COUNT: usize = MAX_COLUMNS as usize;

    fn action_index(column: Column) -> usize {
        column.number().into()
    }
}

impl Keyed for SmallConnect4 {
    /// The key of the board. No line of play leads to a board of another size.
    #[inline(never)]
    fn key(&self) -> u128 {
        each!(self, state => state.key())
    }
}

impl Symmetric for SmallConnect4 {
    const SYMMETRIES: usize = 1;

    #[inline(never)]
    fn transformed(&self, symmetry: usize) -> Self {
        let mut transformed = *self;
        each!(&mut transformed, state => *state = state.transformed(symmetry));
        transformed
    }
    #[inline(never)]
    fn transformed_action(&self, column: Column, symmetry: usize) -> Column {
        each!(self, state => state.transformed_action(column, symmetry))
    }
}

impl fmt::Display for SmallConnect4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each!(self, state => state.fmt(f))
    }
}
