//! Connect 4: stones fall down the columns, and four in a line win.

use super::text::{Lines, Status, debug_as_display, mark};
use super::{IllegalAction, ParseError};
use crate::game::{ActionIndex, GameState, Keyed, Player, Rng, StaticEvaluation, Symmetric, Turn};
use core::fmt;
use core::str::FromStr;

const COLUMNS: u8 = 7;
const ROWS: u8 = 6;
const CELLS: u8 = COLUMNS * ROWS;
const MARKS: [char; 2] = ['R', 'Y'];

// Bit `7 * column + row`. The seventh bit of each column stays clear, so that no line continues into the next column.
const HEIGHT: u8 = ROWS + 1;
const BOTTOM: u64 = 0x0000_0408_1020_4081;
const COLUMN: u64 = 0x3F;
const BOARD: u64 = BOTTOM * COLUMN;

/// The four directions of lines, as distances between bits: up, right, and the two diagonals.
const DIRECTIONS: [u32; 4] = [1, HEIGHT as u32, HEIGHT as u32 - 1, HEIGHT as u32 + 1];

/// A column, which is also the action of dropping a stone into it. As text, `0` to `6`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(u8);

impl Column {
    /// Returns the column with this number, counted from 0 at the left; `None` from 7 on.
    #[inline]
    pub fn new(number: u8) -> Option<Self> {
        (number < COLUMNS).then_some(Column(number))
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
            _ => Err(ParseError::Action { expected: "the number of a column, `0` to `6` from the left" }),
        }
    }
}

/// A position of Connect 4, with 7 columns and 6 rows.
///
/// Player 0 (`R`) starts. Four in a line win, even with the 42nd stone; a full board without a line is a draw.
///
/// ```
/// use ramure::GameState;
/// use ramure::games::Connect4;
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Connect4 {
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

#[inline(always)]
fn has_line(stones: u64) -> bool {
    let [up, right, falling, rising] = DIRECTIONS;
    lines(stones, up) | lines(stones, right) | lines(stones, falling) | lines(stones, rising) != 0
}

impl Connect4 {
    /// Creates the empty board.
    pub fn new() -> Self {
        Self::default()
    }

    /// Drops a stone of the player to move into a column.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalAction::GameOver`] or [`IllegalAction::ColumnFull`] if the action is not legal. The position
    /// is then unchanged.
    pub fn play(&mut self, column: Column) -> Result<(), IllegalAction> {
        self.check(column)?;
        self.apply(column);
        Ok(())
    }

    /// Returns the player whose stone is in this row, counted from 0 at the bottom, and column, counted from 0 at the
    /// left; `None` if the cell is free or off the board.
    pub fn cell(&self, row: u8, column: u8) -> Option<Player> {
        if row >= ROWS || column >= COLUMNS {
            return None;
        }
        let bit = HEIGHT * column + row;
        (0..2).find(|&player| self.stones(player) >> bit & 1 == 1)
    }

    /// Returns the winner; `None` if the game is not over or is a draw.
    pub fn winner(&self) -> Option<Player> {
        self.won.then_some((self.played & 1) ^ 1)
    }

    /// Returns the row and column of each of the first four in a line, if the game is won.
    pub fn winning_line(&self) -> Option<[(u8, u8); 4]> {
        let stones = self.stones(self.winner()?);
        let direction = DIRECTIONS.into_iter().find(|&direction| lines(stones, direction) != 0)?;
        let first = lines(stones, direction).trailing_zeros();
        Some([0, 1, 2, 3].map(|step| {
            let bit = (first + step * direction) as u8;
            (bit % HEIGHT, bit / HEIGHT)
        }))
    }

    /// Adds a stone of the player to move, a single bit.
    #[inline(always)]
    fn place(&mut self, stone: u64) {
        self.own |= stone;
        self.won = has_line(self.own);
        self.taken |= stone;
        self.own ^= self.taken;
        self.played = self.played.wrapping_add(1);
    }

    fn stones(&self, player: Player) -> u64 {
        if player == self.played & 1 { self.own } else { self.own ^ self.taken }
    }

    fn check(&self, column: Column) -> Result<(), IllegalAction> {
        match () {
            () if self.turn() == Turn::Over => Err(IllegalAction::GameOver),
            () if self.is_full(column) => Err(IllegalAction::ColumnFull),
            () => Ok(()),
        }
    }

    #[inline(always)]
    fn is_full(&self, column: Column) -> bool {
        self.taken >> (HEIGHT * column.0 + ROWS - 1) & 1 == 1
    }

    fn status(&self) -> Status {
        match (self.winner(), self.played) {
            (Some(player), _) => Status::Won(MARKS[usize::from(player)]),
            (None, CELLS) => Status::Draw,
            (None, played) => Status::ToPlay(MARKS[usize::from(played % 2)]),
        }
    }
}

impl GameState for Connect4 {
    type Action = Column;

    #[inline]
    fn turn(&self) -> Turn {
        if self.won || self.taken == BOARD { Turn::Over } else { Turn::Player(self.played & 1) }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = Column> {
        let state = *self;
        (0..if state.won { 0 } else { COLUMNS }).map(Column).filter(move |&column| !state.is_full(column))
    }

    /// Drops a stone into a column, which must not be full in a game that is not over; debug builds panic otherwise.
    #[inline]
    fn apply(&mut self, column: Column) {
        debug_assert_eq!(self.check(column), Ok(()));
        let lowest = HEIGHT * column.0;
        // Adding to a stack of ones sets the bit above it.
        let stone = (self.taken + (1 << lowest)) & COLUMN << lowest;
        self.place(stone);
    }

    #[inline]
    fn reward(&self, player: Player) -> f64 {
        match self.winner() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == player)),
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<Column> {
        if self.turn() == Turn::Over {
            return None;
        }
        let free = (self.taken + BOTTOM) & BOARD;
        loop {
            // Drawing again is cheaper than counting the columns that are not full: in a random game, most are not.
            let column = rng.below(COLUMNS.into()) as u8;
            if free & COLUMN << (HEIGHT * column) != 0 {
                return Some(Column(column));
            }
        }
    }

    #[inline]
    fn random_rollout(&mut self, rng: &mut Rng) {
        let mut game = *self;
        while game.turn() != Turn::Over {
            // The base-7 digits of a random fraction. After eleven digits the remaining range, 2^64 / 7^11, is still
            // 9e9.
            let mut fraction = rng.bits();
            for _ in 0..11 {
                let product = u128::from(fraction) * u128::from(COLUMNS);
                fraction = product as u64;
                let bottom = 1u64 << (u64::from(HEIGHT) * (product >> 64) as u64);
                // Adding to a stack of ones sets the bit above it, which is off the board if the column is full.
                let stone = (game.taken + bottom) & !game.taken & BOARD;
                if stone == 0 {
                    continue;
                }
                game.place(stone);
                if game.won || game.taken == BOARD {
                    break;
                }
            }
        }
        *self = game;
    }

    #[inline]
    fn is_legal(&self, column: Column) -> bool {
        self.check(column).is_ok()
    }
}

impl ActionIndex for Connect4 {
    const ACTION_COUNT: usize = COLUMNS as usize;

    #[inline]
    fn action_index(column: Column) -> usize {
        usize::from(column.0)
    }
}

impl Keyed for Connect4 {
    /// The stones of the player to move, and all stones.
    #[inline]
    fn key(&self) -> u128 {
        u128::from(self.own) << 64 | u128::from(self.taken)
    }
}

impl Symmetric for Connect4 {
    /// The reflection that exchanges left and right.
    const SYMMETRIES: usize = 1;

    fn transformed(&self, _: usize) -> Self {
        Connect4 { own: mirrored(self.own), taken: mirrored(self.taken), ..*self }
    }

    fn transformed_action(&self, column: Column, _: usize) -> Column {
        Column(COLUMNS - 1 - column.0)
    }
}

fn mirrored(stones: u64) -> u64 {
    let column = |number: u8| stones >> (HEIGHT * number) & COLUMN;
    (0..COLUMNS).map(|number| column(number) << (HEIGHT * (COLUMNS - 1 - number))).sum()
}

/// Returns the sum over the fours without a stone of `others` of the square of the number of own stones in the four.
fn open_lines(own: u64, others: u64) -> u32 {
    let mut worth = 0;
    for direction in DIRECTIONS {
        // Bit i of the numbers below stands for the four that starts at cell i.
        let open = lines(BOARD & !others, direction);
        // The number of stones in each four, counted in binary. It is at most three, because the game is not won.
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

impl StaticEvaluation for Connect4 {
    /// Returns the player's share of the open fours in a line, each weighted by the square of the number of stones in
    /// it. The values for the two players sum to 1.
    fn evaluate(&self, player: Player) -> f64 {
        if self.won {
            return self.reward(player);
        }
        let (first, second) = (self.stones(0), self.stones(1));
        let worth = super::share(open_lines(first, second), open_lines(second, first));
        if player == 0 { worth } else { 1.0 - worth }
    }
}

impl fmt::Display for Connect4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0123456\n")?;
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                write!(f, "{}", mark(MARKS, self.cell(row, column)))?;
            }
            writeln!(f)?;
        }
        write!(f, "moves: {}\nstatus: {}", self.played, self.status())
    }
}

debug_as_display!(Column, Connect4);

impl FromStr for Connect4 {
    type Err = ParseError;

    /// Parses what `Display` prints. The lines `moves:` and `status:` are optional. This rejects positions that
    /// obviously cannot be reached: stones above free cells, wrong numbers of stones, two winners, stones after the
    /// win.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::of(text);
        let header = lines.next("the header `0123456`")?;
        if header.text.trim() != "0123456" {
            return Err(ParseError::Line { line: header.number, expected: "the header `0123456`" });
        }
        let mut stones = [0u64; 2];
        let mut floating = None;
        let mut above = 0;
        for row in (0..ROWS).rev() {
            let line = lines.next("a row of seven cells")?;
            let mut here = 0;
            line.read_exactly(usize::from(COLUMNS), "`.`, `R` or `Y`", |column, place, found| {
                let player = MARKS.iter().position(|&mark| mark == found);
                if let Some(player) = player {
                    here |= 1u64 << column;
                    stones[player] |= 1 << (usize::from(HEIGHT) * column + usize::from(row));
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
        if has_line(own) {
            return Err(if has_line(last) { ParseError::BothWon } else { ParseError::PlayedOn });
        }
        let won = has_line(last);
        // The last stone is on top of its column, and without it there is no winner.
        let tops = taken & !(taken >> 1) & last;
        if won && (0..HEIGHT * COLUMNS).all(|bit| has_line(last & !(tops & 1 << bit))) {
            return Err(ParseError::PlayedOn);
        }
        let state = Connect4 { own, taken, played: (first + second) as u8, won };
        lines.end(first + second, state.status())?;
        Ok(state)
    }
}
