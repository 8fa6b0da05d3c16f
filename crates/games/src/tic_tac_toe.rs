//! Tic-Tac-Toe: three in a row on a board of three by three cells.

use super::text::{Lines, debug_as_display, mark, status};
use super::three;
use super::{IllegalAction, IllegalReason, ParseError};
use core::fmt;
use core::str::FromStr;
use ramure::{ActionIndex, GameState, Keyed, Player, Rng, StaticEvaluation, Symmetric, Turn};

const MARKS: [char; 2] = ['X', 'O'];

/// A cell of the board, which is also the action of marking it. As text, `1` to `9` in reading order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// Returns the cell in this row and column, both counted from 0 at the top left; `None` if it is off the
    /// board.
    #[inline]
    pub fn new(row: u8, column: u8) -> Option<Self> {
        (row < 3 && column < 3).then(|| Cell(3 * row + column))
    }

    /// Returns the row, 0 at the top.
    #[inline]
    pub fn row(self) -> u8 {
        self.0 / 3
    }

    /// Returns the column, 0 at the left.
    #[inline]
    pub fn column(self) -> u8 {
        self.0 % 3
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&(self.0 + 1), f)
    }
}

impl FromStr for Cell {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim().as_bytes() {
            [digit @ b'1'..=b'9'] => Ok(Cell(digit - b'1')),
            _ => Err(ParseError::action(text, "the number of a cell, `1` to `9` in reading order")),
        }
    }
}

/// A position of Tic-Tac-Toe.
///
/// Player 0 (`X`) starts. Three in a row win; a full board without three in a row is a draw.
///
/// ```
/// use ramure::GameState;
/// use ramure_games::{IllegalReason, TicTacToe};
///
/// let mut game = TicTacToe::new();
/// for cell in ["5", "1", "3", "4"] {
///     game.play(cell.parse()?)?;
/// }
/// assert_eq!(game.to_string(), "O.X\nOX.\n...\nmoves: 4\nstatus: X to play");
/// let error = game.play("5".parse()?).expect_err("it is taken");
/// assert_eq!(error.reason, IllegalReason::CellTaken);
/// game.play("7".parse()?)?;
/// assert_eq!((game.winner(), game.reward(0), game.reward(1)), (Some(0), 1.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TicTacToe {
    /// The cells of the player to move, as bits.
    own: u16,
    taken: u16,
    played: u8,
    /// Whether the last action made a row.
    won: bool,
}

impl TicTacToe {
    /// Creates the empty board.
    pub fn new() -> Self {
        Self::default()
    }

    /// Marks a cell for the player to move.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalReason::GameOver`] or [`IllegalReason::CellTaken`] if the action is not legal. The
    /// position is then unchanged.
    pub fn play(&mut self, cell: Cell) -> Result<(), IllegalAction<Cell>> {
        self.check(cell).map_err(|reason| reason.of(cell))?;
        self.apply(cell);
        Ok(())
    }

    /// Returns the player who marked the cell in this row and column, counted from 0 at the top left; `None`
    /// if the cell is free or off the board.
    pub fn cell(&self, row: u8, column: u8) -> Option<Player> {
        let cell = Cell::new(row, column)?;
        (0..2).find(|&player| self.marked(player) >> cell.0 & 1 == 1)
    }

    /// Returns the winner; `None` if the game is not over or is a draw.
    pub fn winner(&self) -> Option<Player> {
        self.won.then_some(1 - self.played % 2)
    }

    /// Returns the first three in a row, if the game is won.
    pub fn winning_line(&self) -> Option<[Cell; 3]> {
        let marked = self.marked(self.winner()?);
        let line = three::LINES.into_iter().find(|line| marked & line == *line)?;
        let mut cells = three::members(line).map(Cell);
        Some([cells.next()?, cells.next()?, cells.next()?])
    }

    fn marked(&self, player: Player) -> u16 {
        if player == self.played & 1 { self.own } else { self.own ^ self.taken }
    }

    #[inline(always)]
    fn free(&self) -> u16 {
        if self.won { 0 } else { three::ALL & !self.taken }
    }

    fn check(&self, cell: Cell) -> Result<(), IllegalReason> {
        match () {
            () if self.turn() == Turn::Over => Err(IllegalReason::GameOver),
            () if self.free() >> cell.0 & 1 == 0 => Err(IllegalReason::CellTaken),
            () => Ok(()),
        }
    }
}

#[diagnostic::do_not_recommend]
impl GameState for TicTacToe {
    type Action = Cell;

    #[inline]
    fn turn(&self) -> Turn {
        if self.won || self.played == 9 { Turn::Over } else { Turn::Player(self.played & 1) }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = Cell> {
        three::members(self.free()).map(Cell)
    }

    /// Marks a cell, which must be free in a game that is not over; debug builds panic otherwise.
    #[inline]
    fn apply(&mut self, cell: Cell) {
        debug_assert_eq!(self.check(cell), Ok(()));
        self.own |= 1 << cell.0;
        self.won = three::has_line(self.own);
        self.taken |= 1 << cell.0;
        self.own ^= self.taken;
        self.played = self.played.wrapping_add(1);
    }

    #[inline]
    fn reward(&self, player: Player) -> f64 {
        super::reward(self.winner(), player)
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<Cell> {
        let free = self.free();
        (free != 0).then(|| Cell(three::random_member(free, rng)))
    }

    #[inline]
    fn is_legal(&self, cell: Cell) -> bool {
        self.check(cell).is_ok()
    }
}

impl ActionIndex for TicTacToe {
    const ACTION_COUNT: usize = 9;

    #[inline]
    fn action_index(cell: Cell) -> usize {
        usize::from(cell.0)
    }
}

impl StaticEvaluation for TicTacToe {
    /// Returns the player's share of the open lines, each weighted by the square of the number of marks in
    /// it. The values for the two players sum to 1.
    fn evaluate(&self, player: Player) -> f64 {
        if self.won {
            return self.reward(player);
        }
        let (first, second) = (self.marked(0), self.marked(1));
        super::share(player, [three::open_lines(first, second), three::open_lines(second, first)])
    }
}

impl Keyed for TicTacToe {
    /// The cells of the player to move, and the taken ones.
    #[inline]
    fn key(&self) -> u128 {
        u128::from(self.own) << 16 | u128::from(self.taken)
    }
}

impl Symmetric for TicTacToe {
    /// Three rotations and four reflections.
    const SYMMETRIES: usize = three::SYMMETRIES;

    fn transformed(&self, symmetry: usize) -> Self {
        let set = |set| three::transformed_set(set, symmetry);
        TicTacToe { own: set(self.own), taken: set(self.taken), ..*self }
    }

    fn transformed_action(&self, cell: Cell, symmetry: usize) -> Cell {
        Cell(three::transformed(cell.0, symmetry))
    }
}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..3 {
            for column in 0..3 {
                write!(f, "{}", mark(MARKS, self.cell(row, column)))?;
            }
            writeln!(f)?;
        }
        write!(f, "moves: {}\nstatus: {}", self.played, status(MARKS, self.winner(), self.turn()))
    }
}

debug_as_display!(Cell, TicTacToe);

impl FromStr for TicTacToe {
    type Err = ParseError;

    /// Parses what `Display` prints. The lines `moves:` and `status:` are optional. This accepts exactly the
    /// positions that can be reached.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::of(text);
        let mut marked = [0u16; 2];
        for row in 0..3 {
            lines.next("a row of three cells")?.read_exactly(3, "`.`, `X` or `O`", |column, _, found| {
                let player = MARKS.iter().position(|&mark| mark == found);
                if let Some(player) = player {
                    marked[player] |= 1 << (3 * row + column);
                }
                player.is_some() || found == '.'
            })?;
        }
        let [first, second] = marked.map(u16::count_ones);
        if first != second && first != second + 1 {
            return Err(ParseError::Counts { first, second });
        }
        match marked.map(three::has_line) {
            [true, true] => return Err(ParseError::BothWon),
            [true, false] if first == second => return Err(ParseError::PlayedOn),
            [false, true] if first != second => return Err(ParseError::PlayedOn),
            _ => {}
        }
        let won = marked.into_iter().any(three::has_line);
        let own = if first == second { marked[0] } else { marked[1] };
        let state = TicTacToe { own, taken: marked[0] | marked[1], played: (first + second) as u8, won };
        lines.end(first + second, &status(MARKS, state.winner(), state.turn()))?;
        Ok(state)
    }
}
