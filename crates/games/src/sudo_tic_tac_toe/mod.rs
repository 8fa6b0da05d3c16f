//! Sudo Tic-Tac-Toe: nine local boards of three by three cells. Each action determines the local board of the
//! next one.

mod rollout;
mod text;

use super::text::debug_as_display;
use super::{IllegalAction, IllegalReason, three};
use ramure::{ActionIndex, GameState, Keyed, Player, Rng, StaticEvaluation, Symmetric, Turn, hash_key};

/// The rules: which of the two games is played on the 81 cells. In both, the cell just played names the local
/// board in which the opponent must play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Mode {
    /// *Mode 1*, as its authors publish it: the first three in a row in any local board wins the game; 81
    /// full cells without three in a row are a draw.
    ///
    /// If the named board is full, the player may choose any free cell of any board. The authors do not
    /// specify this case; this is our reading.
    LocalWin,
    /// *Mode 2*, which its authors do not document. Our reading is Ultimate Tic-Tac-Toe: a local board that
    /// is won or full is closed; if the named board is closed, the player may choose any open one. Three won
    /// boards in a row win; if all boards are closed without such a row, the game is a draw. A full board
    /// without a winner counts for neither player.
    Ultimate,
}

/// A cell of one of the nine boards, which is also the action of marking it. As text, `5.1` is the first cell
/// of the fifth board, both counted from 1 in reading order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    board: u8,
    cell: u8,
}

impl Cell {
    /// Returns this cell of this local board, both counted from 0 in reading order; `None` from 9 on.
    #[inline]
    pub fn new(board: u8, cell: u8) -> Option<Self> {
        (board < 9 && cell < 9).then_some(Cell { board, cell })
    }

    /// Returns the local board, in 0..9.
    #[inline]
    pub fn board(self) -> u8 {
        self.board
    }

    /// Returns the cell of the local board, in 0..9.
    #[inline]
    pub fn cell(self) -> u8 {
        self.cell
    }
}

/// Stands for all open boards.
const ANY: u8 = 9;

/// A position of Sudo Tic-Tac-Toe, in one of the two [`Mode`]s. Player 0 (`X`) starts.
///
/// ```
/// use ramure::GameState;
/// use ramure_games::sudo_tic_tac_toe::{Mode, SudoTicTacToe};
///
/// let mut game = SudoTicTacToe::new(Mode::LocalWin);
/// for cell in ["5.1", "1.5", "5.2", "2.5"] {
///     game.play(cell.parse()?)?;
/// }
/// assert_eq!(game.next_board(), Some(4));
/// assert!(game.play("4.3".parse()?).is_err()); // X must play in board 5
/// game.play("5.3".parse()?)?;
/// assert_eq!((game.winner(), game.reward(0)), (Some(0), 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SudoTicTacToe {
    /// For each player and each local board, the marked cells as bits.
    marked: [[u16; 9]; 2],
    /// For each player, the local boards won, as bits.
    boards_won: [u16; 2],
    /// The closed local boards, as bits.
    closed: u16,
    /// The board to play in, or [`ANY`]. Also [`ANY`] when the game is over, so that equal positions compare
    /// equal.
    next: u8,
    played: u8,
    /// Whether the last action won the game.
    won: bool,
    mode: Mode,
}

impl SudoTicTacToe {
    /// Creates the empty board.
    pub fn new(mode: Mode) -> Self {
        SudoTicTacToe {
            marked: [[0; 9]; 2],
            boards_won: [0; 2],
            closed: 0,
            next: ANY,
            played: 0,
            won: false,
            mode,
        }
    }

    /// Returns the mode of this game.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Marks a cell for the player to move.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalReason::GameOver`], [`IllegalReason::OtherBoard`], [`IllegalReason::BoardClosed`] or
    /// [`IllegalReason::CellTaken`] if the action is not legal. The position is then unchanged.
    pub fn play(&mut self, cell: Cell) -> Result<(), IllegalAction<Cell>> {
        self.check(cell).map_err(|reason| reason.of(cell))?;
        self.apply(cell);
        Ok(())
    }

    /// Returns the player who marked the cell in this row and column of the whole board, both in 0..9 from
    /// the top left; `None` if the cell is free or off the board.
    pub fn cell(&self, row: u8, column: u8) -> Option<Player> {
        if row >= 9 || column >= 9 {
            return None;
        }
        let (board, cell) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
        (0..2).find(|&player| self.marked[usize::from(player)][usize::from(board)] >> cell & 1 == 1)
    }

    /// Returns the local board to play in, counted from 0; `None` if the player may choose any open one, or
    /// if the game is over.
    pub fn next_board(&self) -> Option<u8> {
        (self.next != ANY).then_some(self.next)
    }

    /// Returns the player who has three in a row in this local board, counted from 0 in reading order; `None`
    /// if it is not won.
    pub fn board_winner(&self, board: u8) -> Option<Player> {
        let board = 1u16.checked_shl(board.into())?;
        (0..2).find(|&player| self.boards_won[usize::from(player)] & board != 0)
    }

    /// Returns the winner; `None` if the game is not over or is a draw.
    pub fn winner(&self) -> Option<Player> {
        self.won.then_some((self.played & 1) ^ 1)
    }

    /// Returns the free cells of a local board; none if it is closed.
    #[inline(always)]
    fn free(&self, board: u8) -> u16 {
        if self.closed >> board & 1 == 1 {
            return 0;
        }
        let board = usize::from(board);
        three::ALL & !self.marked[0][board] & !self.marked[1][board]
    }

    fn check(&self, cell: Cell) -> Result<(), IllegalReason> {
        let board = usize::from(cell.board());
        let taken = self.marked.iter().any(|marked| marked[board] >> cell.cell() & 1 == 1);
        match () {
            () if self.turn() == Turn::Over => Err(IllegalReason::GameOver),
            () if self.next != ANY && self.next != cell.board() => {
                Err(IllegalReason::OtherBoard { board: self.next })
            }
            () if taken => Err(IllegalReason::CellTaken),
            () if self.closed >> board & 1 == 1 => Err(IllegalReason::BoardClosed),
            () => Ok(()),
        }
    }

    /// Updates what depends on a player's last mark in a local board, besides the mark itself.
    #[inline(always)]
    fn update_after_mark(&mut self, player: usize, board: usize) {
        let own = self.marked[player][board];
        if three::has_line(own) {
            self.boards_won[player] |= 1 << board;
            self.won = match self.mode {
                Mode::LocalWin => true,
                Mode::Ultimate => {
                    self.closed |= 1 << board;
                    three::has_line(self.boards_won[player])
                }
            };
        }
        if three::ALL & !own & !self.marked[1 - player][board] == 0 {
            self.closed |= 1 << board;
        }
    }

    /// Sets the board of the next player to this one, or to any if it is closed.
    #[inline(always)]
    fn send_to(&mut self, board: u8) {
        self.next = if self.won || self.closed >> board & 1 == 1 { ANY } else { board };
    }
}

#[diagnostic::do_not_recommend]
impl GameState for SudoTicTacToe {
    type Action = Cell;

    #[inline]
    fn turn(&self) -> Turn {
        if self.won || self.closed == three::ALL { Turn::Over } else { Turn::Player(self.played & 1) }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = Cell> {
        let state = *self;
        let boards = match self.next {
            ANY if self.won => 0..0,
            ANY => 0..9,
            board => board..board + 1,
        };
        boards.flat_map(move |board| three::members(state.free(board)).map(move |cell| Cell { board, cell }))
    }

    /// Marks a cell, which must be a legal action; debug builds panic otherwise.
    #[inline]
    fn apply(&mut self, cell: Cell) {
        debug_assert_eq!(self.check(cell), Ok(()));
        let (player, board) = (usize::from(self.played & 1), usize::from(cell.board()));
        self.marked[player][board] |= 1 << cell.cell();
        self.update_after_mark(player, board);
        self.send_to(cell.cell());
        self.played = self.played.wrapping_add(1);
    }

    #[inline]
    fn reward(&self, player: Player) -> f64 {
        super::reward(self.winner(), player)
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<Cell> {
        if self.turn() == Turn::Over {
            return None;
        }
        if self.next != ANY {
            return Some(Cell { board: self.next, cell: three::random_member(self.free(self.next), rng) });
        }
        loop {
            // Draw any cell of the open boards until one is free: all free cells are then equally likely,
            // however many each board has.
            let (board, cell) = (three::random_member(!self.closed, rng), rng.below(9) as u8);
            if self.free(board) >> cell & 1 == 1 {
                return Some(Cell { board, cell });
            }
        }
    }

    #[inline]
    fn random_rollout(&mut self, rng: &mut Rng) {
        rollout::play_out(self, rng);
    }

    #[inline]
    fn is_legal(&self, cell: Cell) -> bool {
        self.check(cell).is_ok()
    }
}

impl ActionIndex for SudoTicTacToe {
    const ACTION_COUNT: usize = 81;

    #[inline]
    fn action_index(cell: Cell) -> usize {
        9 * usize::from(cell.board) + usize::from(cell.cell)
    }
}

impl StaticEvaluation for SudoTicTacToe {
    /// Returns the player's share of the open lines, each weighted by the square of the number of marks in
    /// it. These are the lines of the open local boards and, in [`Mode::Ultimate`], with a factor of nine,
    /// those of the whole board. The values for the two players sum to 1.
    fn evaluate(&self, player: Player) -> f64 {
        if self.won {
            return self.reward(player);
        }
        let worths = [0, 1].map(|own: usize| {
            let local = (0..9).filter(|board| self.closed >> board & 1 == 0);
            let local =
                local.map(|board| three::open_lines(self.marked[own][board], self.marked[1 - own][board]));
            // A line with a closed board that this player has not won cannot be completed.
            let whole = three::open_lines(self.boards_won[own], self.closed & !self.boards_won[own]);
            local.sum::<u32>() + 9 * whole
        });
        super::share(player, worths)
    }
}

impl Keyed for SudoTicTacToe {
    /// A hash of the player to move, the marks in open local boards, the winners of the others, the board to
    /// play in and the mode.
    #[inline]
    fn key(&self) -> u128 {
        let mut marked = self.marked;
        for board in (0..9).filter(|board| self.closed >> board & 1 == 1) {
            marked[0][board] = 0;
            marked[1][board] = 0;
        }
        hash_key(&(marked, self.boards_won, self.closed, self.next, self.played & 1, self.mode))
    }
}

impl Symmetric for SudoTicTacToe {
    /// Three rotations and four reflections, applied to the local boards and to the cells in each at once.
    const SYMMETRIES: usize = three::SYMMETRIES;

    fn transformed(&self, symmetry: usize) -> Self {
        let set = |set| three::transformed_set(set, symmetry);
        let mut state = SudoTicTacToe {
            boards_won: self.boards_won.map(set),
            closed: set(self.closed),
            next: if self.next == ANY { ANY } else { three::transformed(self.next, symmetry) },
            ..*self
        };
        for (to, from) in state.marked.iter_mut().zip(&self.marked) {
            for (board, &cells) in (0..).zip(from) {
                to[usize::from(three::transformed(board, symmetry))] = set(cells);
            }
        }
        state
    }

    fn transformed_action(&self, cell: Cell, symmetry: usize) -> Cell {
        Cell {
            board: three::transformed(cell.board, symmetry),
            cell: three::transformed(cell.cell, symmetry),
        }
    }
}

debug_as_display!(Cell, SudoTicTacToe);
