//! Connect 4: stones fall down the columns, and four in a line win. [`Connect4`] is the usual board, with 7
//! columns and 6 rows; a [`ConnectFour`] has any size up to 7 columns and 8 rows. `lanes` plays several
//! random games at once.

mod lanes;

use super::text::{Lines, debug_as_display, mark, status};
use super::{IllegalAction, IllegalReason, ParseError};
use core::fmt;
use core::str::FromStr;
use ramure::with_best_instructions;
use ramure::{ActionIndex, GameState, Keyed, Player, Rewards, Rng, StaticEvaluation, Symmetric, Turn};

/// The largest number of columns of a [`ConnectFour`].
const MAX_COLUMNS: u8 = 7;

/// The largest number of rows of a [`ConnectFour`].
const MAX_ROWS: u8 = 8;

const MARKS: [char; 2] = ['R', 'Y'];

/// The first lines of texts of boards with 1, 2, ... columns.
const HEADERS: [&str; MAX_COLUMNS as usize] = [
    "the header `0`",
    "the header `01`",
    "the header `012`",
    "the header `0123`",
    "the header `01234`",
    "the header `012345`",
    "the header `0123456`",
];

/// The rows of boards with 1, 2, ... columns.
const CELLS_IN_A_ROW: [&str; MAX_COLUMNS as usize] = [
    "a row of one cell",
    "a row of two cells",
    "a row of three cells",
    "a row of four cells",
    "a row of five cells",
    "a row of six cells",
    "a row of seven cells",
];

/// A column, which is also the action of dropping a stone into it. As text, `0` to `6`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(u8);

impl Column {
    /// Returns the column with this number, counted from 0 at the left; `None` from 7 on. Whether a
    /// [`ConnectFour`] has so many columns is not checked here.
    #[inline]
    pub fn new(number: u8) -> Option<Self> {
        (number < MAX_COLUMNS).then_some(Column(number))
    }

    /// Returns the number of the column, in 0..7.
    #[inline]
    pub fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Column {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.trim().as_bytes() {
            [digit @ b'0'..=b'6'] => Ok(Column(digit - b'0')),
            _ => Err(ParseError::action(
                text,
                "the number of a column, from `0` on the left to `6` on the usual board",
            )),
        }
    }
}

/// A position of Connect 4 on the usual board, with 7 columns and 6 rows.
///
/// Player 0 (`R`) starts. Four in a line win, even with the 42nd stone; a full board without a line is a
/// draw. [`ConnectFour`] has other sizes.
///
/// ```
/// use ramure::GameState;
/// use ramure_games::Connect4;
///
/// let mut game = Connect4::new();
/// for column in ["3", "3", "2", "2", "4", "4", "1"] {
///     game.play(column.parse()?)?;
/// }
/// assert_eq!(game.winner(), Some(0));
/// assert_eq!(
///     game.to_string(),
///     "0123456\n.......\n.......\n.......\n.......\n..YYY..\n.RRRR..\nmoves: 7\nstatus: R has won",
/// );
/// assert_eq!(game.to_string().parse(), Ok(game));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Connect4 = ConnectFour<7, 6>;

/// A position of Connect 4 on a board of any size: up to 7 columns and 8 rows.
/// [`Connect4`] is the usual one.
///
/// Small boards are for measurements: they can be solved.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::connect4::ConnectFour;
///
/// let mut game = ConnectFour::<5, 4>::new();
/// for column in ["2", "2", "1", "1", "3"] {
///     game.play(column.parse()?)?;
/// }
/// assert_eq!(game.to_string(), "01234\n.....\n.....\n.YY..\n.RRR.\nmoves: 5\nstatus: Y to play");
///
/// let report = Mcts::new(game).run(Budget::iterations(10_000))?;
/// assert_eq!(report.proof, Some(0.0)); // red has two ways to finish the line
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A size that is out of range does not compile:
///
/// ```compile_fail
/// ramure_games::connect4::ConnectFour::<8, 6>::new();
/// ```
///
/// ```compile_fail
/// let _ = "".parse::<ramure_games::connect4::ConnectFour<6, 9>>();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConnectFour<const COLUMNS: u8, const ROWS: u8> {
    /// The stones of the player to move.
    own: u64,
    taken: u64,
    played: u8,
    /// Whether the last stone made a line.
    won: bool,
}

/// Four in a line in direction `d` are two pairs in that line, `2 d` apart.
#[inline(always)]
fn lines(stones: u64, direction: u32) -> u64 {
    let pairs = stones & stones >> direction;
    pairs & pairs >> (2 * direction)
}

impl<const COLUMNS: u8, const ROWS: u8> Default for ConnectFour<COLUMNS, ROWS> {
    fn default() -> Self {
        ConnectFour::new()
    }
}

/// The layout: bit `HEIGHT * column + row`. The highest bit of each column stays clear, so that no line
/// continues into the next column.
impl<const COLUMNS: u8, const ROWS: u8> ConnectFour<COLUMNS, ROWS> {
    /// The bits of a column. Whatever works with a board asks for it, so no board of a wrong size compiles.
    const HEIGHT: u8 = {
        assert!(
            0 < COLUMNS && COLUMNS <= MAX_COLUMNS && 0 < ROWS && ROWS <= MAX_ROWS,
            "a board of Connect 4 has 1 to 7 columns and 1 to 8 rows"
        );
        ROWS + 1
    };
    /// The cells of the first column.
    const COLUMN: u64 = (1 << ROWS) - 1;
    /// The lowest cell of each column.
    const BOTTOM: u64 = {
        let (mut bottom, mut column) = (0, 0);
        while column < COLUMNS {
            bottom |= 1 << (Self::HEIGHT * column);
            column += 1;
        }
        bottom
    };
    const BOARD: u64 = Self::BOTTOM * Self::COLUMN;

    /// The four directions of lines, as distances between bits: up, right, and the two diagonals.
    const DIRECTIONS: [u32; 4] = [1, Self::HEIGHT as u32, Self::HEIGHT as u32 - 1, Self::HEIGHT as u32 + 1];

    /// Returns a bit for each four in a line.
    #[inline(always)]
    fn lines(stones: u64) -> u64 {
        let [up, right, falling, rising] = Self::DIRECTIONS;
        lines(stones, up) | lines(stones, right) | lines(stones, falling) | lines(stones, rising)
    }

    #[inline(always)]
    fn has_line(stones: u64) -> bool {
        Self::lines(stones) != 0
    }

    fn mirrored(stones: u64) -> u64 {
        let column = |number: u8| stones >> (Self::HEIGHT * number) & Self::COLUMN;
        (0..COLUMNS).map(|number| column(number) << (Self::HEIGHT * (COLUMNS - 1 - number))).sum()
    }

    /// Returns the sum over the fours without a stone of `others` of the square of the number of own stones
    /// in the four.
    fn open_lines(own: u64, others: u64) -> u32 {
        let mut worth = 0;
        for direction in Self::DIRECTIONS {
            // Bit i of the numbers below stands for the four that starts at cell i.
            let open = lines(Self::BOARD & !others, direction);
            // The number of stones in each four, counted in binary. It is at most three, because the game is
            // not won.
            let (mut one, mut two) = (0, 0);
            for step in 0..4 {
                let stones = own >> (step * direction);
                two |= one & stones;
                one ^= stones;
            }
            worth += (open & one & !two).count_ones()
                + 4 * (open & two & !one).count_ones()
                + 9 * (open & two & one).count_ones();
        }
        worth
    }
}

impl<const COLUMNS: u8, const ROWS: u8> ConnectFour<COLUMNS, ROWS> {
    /// Creates the empty board.
    pub fn new() -> Self {
        const { assert!(Self::HEIGHT > 0) }
        ConnectFour { own: 0, taken: 0, played: 0, won: false }
    }

    /// Drops a stone of the player to move into a column.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalReason::GameOver`], [`IllegalReason::ColumnFull`] or [`IllegalReason::NoColumn`] if
    /// the action is not legal. The position is then unchanged.
    pub fn play(&mut self, column: Column) -> Result<(), IllegalAction<Column>> {
        self.check(column).map_err(|reason| reason.of(column))?;
        self.apply(column);
        Ok(())
    }

    /// Returns the player whose stone is in this row, counted from 0 at the bottom, and column, counted from
    /// 0 at the left; `None` if the cell is free or off the board.
    pub fn cell(&self, row: u8, column: u8) -> Option<Player> {
        if row >= ROWS || column >= COLUMNS {
            return None;
        }
        let bit = Self::HEIGHT * column + row;
        (0..2).find(|&player| self.stones(player) >> bit & 1 == 1)
    }

    /// Returns the winner; `None` if the game is not over or is a draw.
    pub fn winner(&self) -> Option<Player> {
        self.won.then_some((self.played & 1) ^ 1)
    }

    /// Returns the row and column of each of the first four in a line, if the game is won.
    pub fn winning_line(&self) -> Option<[(u8, u8); 4]> {
        let stones = self.stones(self.winner()?);
        let direction = Self::DIRECTIONS.into_iter().find(|&direction| lines(stones, direction) != 0)?;
        let first = lines(stones, direction).trailing_zeros();
        Some([0, 1, 2, 3].map(|step| {
            let bit = (first + step * direction) as u8;
            (bit % Self::HEIGHT, bit / Self::HEIGHT)
        }))
    }

    /// Adds a stone of the player to move, a single bit.
    #[inline(always)]
    fn place(&mut self, stone: u64) {
        self.own |= stone;
        self.won = Self::has_line(self.own);
        self.taken |= stone;
        self.own ^= self.taken;
        self.played = self.played.wrapping_add(1);
    }

    fn stones(&self, player: Player) -> u64 {
        if player == self.played & 1 { self.own } else { self.own ^ self.taken }
    }

    fn check(&self, column: Column) -> Result<(), IllegalReason> {
        match () {
            () if self.turn() == Turn::Over => Err(IllegalReason::GameOver),
            () if column.0 >= COLUMNS => Err(IllegalReason::NoColumn { columns: COLUMNS }),
            () if self.is_full(column) => Err(IllegalReason::ColumnFull),
            () => Ok(()),
        }
    }

    #[inline(always)]
    fn is_full(&self, column: Column) -> bool {
        self.taken >> (Self::HEIGHT * column.0 + ROWS - 1) & 1 == 1
    }
}

#[diagnostic::do_not_recommend]
impl<const COLUMNS: u8, const ROWS: u8> GameState for ConnectFour<COLUMNS, ROWS> {
    type Action = Column;

    #[inline]
    fn turn(&self) -> Turn {
        if self.won || self.taken == Self::BOARD { Turn::Over } else { Turn::Player(self.played & 1) }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = Column> {
        let state = *self;
        (0..if state.won { 0 } else { COLUMNS }).map(Column).filter(move |&column| !state.is_full(column))
    }

    /// Drops a stone into a column, which must not be full in a game that is not over; debug builds panic
    /// otherwise.
    #[inline]
    fn apply(&mut self, column: Column) {
        debug_assert_eq!(self.check(column), Ok(()));
        let lowest = Self::HEIGHT * column.0;
        // Adding to a stack of ones sets the bit above it.
        let stone = (self.taken + (1 << lowest)) & Self::COLUMN << lowest;
        self.place(stone);
    }

    #[inline]
    fn reward(&self, player: Player) -> f64 {
        super::reward(self.winner(), player)
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<Column> {
        if self.turn() == Turn::Over {
            return None;
        }
        let free = (self.taken + Self::BOTTOM) & Self::BOARD;
        loop {
            // Drawing again is cheaper than counting the columns that are not full: in a random game, most
            // are not.
            let column = rng.below(COLUMNS.into()) as u8;
            if free & Self::COLUMN << (Self::HEIGHT * column) != 0 {
                return Some(Column(column));
            }
        }
    }

    #[inline]
    fn random_rollout(&mut self, rng: &mut Rng) {
        let mut game = *self;
        while game.turn() != Turn::Over {
            // The digits of a random fraction, on the usual board in base 7. After eleven digits the
            // remaining range, 2^64 / 7^11, is still 9e9; it is more on other boards.
            let mut fraction = rng.bits();
            for _ in 0..11 {
                let product = u128::from(fraction) * u128::from(COLUMNS);
                fraction = product as u64;
                let bottom = 1u64 << (u64::from(Self::HEIGHT) * (product >> 64) as u64);
                // Adding to a stack of ones sets the bit above it, which is off the board if the column is
                // full.
                let stone = (game.taken + bottom) & !game.taken & Self::BOARD;
                if stone == 0 {
                    continue;
                }
                game.place(stone);
                if game.won || game.taken == Self::BOARD {
                    break;
                }
            }
        }
        *self = game;
    }

    /// Plays up to eight games at once; three or fewer one by one.
    fn random_rollouts(&self, games: u32, rng: &mut Rng) -> Option<Rewards> {
        let games = games.max(1);
        let first = with_best_instructions(
            #[inline(always)]
            || self.random_score(games, rng),
        );
        let both = 2 * u64::from(games);
        Some(Rewards::new(2, |player| (if player == 0 { first } else { both - first }) as f32 / both as f32))
    }

    #[inline]
    fn is_legal(&self, column: Column) -> bool {
        self.check(column).is_ok()
    }
}

impl<const COLUMNS: u8, const ROWS: u8> ActionIndex for ConnectFour<COLUMNS, ROWS> {
    const ACTION_COUNT: usize = COLUMNS as usize;

    #[inline]
    fn action_index(column: Column) -> usize {
        usize::from(column.0)
    }
}

impl<const COLUMNS: u8, const ROWS: u8> Keyed for ConnectFour<COLUMNS, ROWS> {
    /// The stones of the player to move, and all stones.
    #[inline]
    fn key(&self) -> u128 {
        u128::from(self.own) << 64 | u128::from(self.taken)
    }
}

impl<const COLUMNS: u8, const ROWS: u8> Symmetric for ConnectFour<COLUMNS, ROWS> {
    /// The reflection that exchanges left and right.
    const SYMMETRIES: usize = 1;

    fn transformed(&self, _: usize) -> Self {
        ConnectFour { own: Self::mirrored(self.own), taken: Self::mirrored(self.taken), ..*self }
    }

    fn transformed_action(&self, column: Column, _: usize) -> Column {
        Column(COLUMNS - 1 - column.0)
    }
}

impl<const COLUMNS: u8, const ROWS: u8> StaticEvaluation for ConnectFour<COLUMNS, ROWS> {
    /// Returns the player's share of the open fours in a line, each weighted by the square of the number of
    /// stones in it. The values for the two players sum to 1.
    fn evaluate(&self, player: Player) -> f64 {
        if self.won {
            return self.reward(player);
        }
        let (first, second) = (self.stones(0), self.stones(1));
        super::share(player, [Self::open_lines(first, second), Self::open_lines(second, first)])
    }
}

impl<const COLUMNS: u8, const ROWS: u8> fmt::Display for ConnectFour<COLUMNS, ROWS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in 0..COLUMNS {
            write!(f, "{column}")?;
        }
        writeln!(f)?;
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                write!(f, "{}", mark(MARKS, self.cell(row, column)))?;
            }
            writeln!(f)?;
        }
        write!(f, "moves: {}\nstatus: {}", self.played, status(MARKS, self.winner(), self.turn()))
    }
}

debug_as_display!(Column, #[const COLUMNS: u8, const ROWS: u8] ConnectFour<COLUMNS, ROWS>);

impl<const COLUMNS: u8, const ROWS: u8> FromStr for ConnectFour<COLUMNS, ROWS> {
    type Err = ParseError;

    /// Parses what `Display` prints. The lines `moves:` and `status:` are optional. This rejects positions
    /// that obviously cannot be reached: stones above free cells, wrong numbers of stones, two winners,
    /// stones after the win.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::of(text);
        let [expected, cells] = [HEADERS, CELLS_IN_A_ROW].map(|texts| texts[usize::from(COLUMNS) - 1]);
        let header = lines.next(expected)?;
        if !header.text.trim().bytes().eq((b'0'..).take(COLUMNS.into())) {
            return Err(header.wrong(expected));
        }
        let mut stones = [0u64; 2];
        let mut floating = None;
        let mut above = 0;
        for row in (0..ROWS).rev() {
            let line = lines.next(cells)?;
            let mut here = 0;
            line.read_exactly(usize::from(COLUMNS), "`.`, `R` or `Y`", |column, place, found| {
                let player = MARKS.iter().position(|&mark| mark == found);
                if let Some(player) = player {
                    here |= 1u64 << column;
                    stones[player] |= 1 << (usize::from(Self::HEIGHT) * column + usize::from(row));
                } else if above >> column & 1 == 1 && floating.is_none() {
                    floating = Some(ParseError::Floating { line: line.number - 1, column: place });
                }
                player.is_some() || found == '.'
            })?;
            above = here;
        }
        if let Some(error) = floating {
            return Err(error);
        }
        let [first, second] = stones.map(u64::count_ones);
        if first != second && first != second + 1 {
            return Err(ParseError::Counts { first, second });
        }
        let [own, last] = if first == second { stones } else { [stones[1], stones[0]] };
        let taken = own | last;
        if Self::has_line(own) {
            return Err(if Self::has_line(last) { ParseError::BothWon } else { ParseError::PlayedOn });
        }
        let won = Self::has_line(last);
        // The last stone is on top of its column, and without it there is no winner.
        let tops = taken & !(taken >> 1) & last;
        if won && (0..Self::HEIGHT * COLUMNS).all(|bit| Self::has_line(last & !(tops & 1 << bit))) {
            return Err(ParseError::PlayedOn);
        }
        let state = ConnectFour { own, taken, played: (first + second) as u8, won };
        lines.end(first + second, &status(MARKS, state.winner(), state.turn()))?;
        Ok(state)
    }
}
