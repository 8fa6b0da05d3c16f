//! 2048: slide tiles, merge equal ones.

use super::debug_as_display;
use ramure::{GameState, Player, Rng, Turn};
use std::fmt;
use std::sync::LazyLock;

/// An action of 2048.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action2048 {
    /// All tiles slide to the left.
    Left,
    /// All tiles slide to the right.
    Right,
    /// All tiles slide up.
    Up,
    /// All tiles slide down.
    Down,
    /// Chance: a new tile in the empty cell with this number, 0 to 15, row by row; a 4 if `true`, or else a
    /// 2.
    Tile(u8, bool),
}

use Action2048::{Down, Left, Right, Tile, Up};

/// The points at which the reward is one half.
const HALF: f64 = 20_000.0;

/// A position of 2048, for one player.
///
/// The board has four rows of four cells. It begins with two tiles in random cells. In each turn the player
/// slides all tiles in one direction, as far as they go. Two equal tiles that meet merge into one of their
/// sum, which adds its number to the points. A tile merges once per turn, and those that are farther in the
/// direction merge first. A slide must change the board. Then a new tile appears in a random empty cell: a 2
/// with a probability of 0.9, else a 4. The game is over if no slide changes the board.
///
/// The reward is `p / (p + 20 000)`, where *p* are the points. (Two tiles of 32 768 do not merge, because a
/// cell has four bits. No such game has been seen here.)
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::Game2048;
/// use ramure_lab::games::game_2048::Action2048::{Left, Tile};
///
/// let mut game = Game2048::new();
/// for action in [Tile(0, false), Tile(3, false), Left] {
///     game.apply(action);
/// }
/// assert_eq!((game.cell(0, 0), game.score()), (4, 4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Game2048 {
    /// Four bits per cell: the power of two, or 0. The first cell of the first row has the lowest bits.
    cells: u64,
    score: u32,
    /// The tiles that chance places before the player's next turn.
    due: u8,
}

/// For each row: the row after a slide to the left, and what that adds to the points.
static SLIDES: LazyLock<Vec<(u16, u32)>> = LazyLock::new(|| (0..=u16::MAX).map(slide).collect());

fn slide(row: u16) -> (u16, u32) {
    let (mut slid, mut place, mut score, mut waiting) = (0u16, 0, 0, 0);
    for power in (0..4).map(|cell| row >> (4 * cell) & 15).filter(|&power| power > 0) {
        if power == waiting && power < 15 {
            // The tile before this one has not merged yet.
            slid += 1 << (4 * (place - 1));
            score += 2u32 << power;
            waiting = 0;
        } else {
            slid |= power << (4 * place);
            place += 1;
            waiting = power;
        }
    }
    (slid, score)
}

fn reversed(row: u16) -> u16 {
    row >> 12 | row >> 4 & 0x00F0 | row << 4 & 0x0F00 | row << 12
}

/// Exchanges rows and columns.
fn transposed(cells: u64) -> u64 {
    let pairs = cells & 0xF0F0_0F0F_F0F0_0F0F
        | (cells & 0x0000_F0F0_0000_F0F0) << 12
        | (cells & 0x0F0F_0000_0F0F_0000) >> 12;
    pairs & 0xFF00_FF00_00FF_00FF
        | (pairs & 0x00FF_00FF_0000_0000) >> 24
        | (pairs & 0x0000_0000_FF00_FF00) << 24
}

impl Default for Game2048 {
    fn default() -> Self {
        Game2048::new()
    }
}

impl Game2048 {
    /// Creates the empty board. Chance places the first two tiles.
    pub fn new() -> Self {
        Game2048 { cells: 0, score: 0, due: 2 }
    }

    /// Creates a board from the numbers of its cells, 0 for an empty cell, with the player to move. Returns
    /// `None` if a number is not a power of two from 2 to 32 768.
    pub fn from_cells(rows: [[u32; 4]; 4]) -> Option<Self> {
        let mut cells = 0;
        for (place, &number) in rows.as_flattened().iter().enumerate() {
            let fits = number == 0 || number.is_power_of_two() && (2..=32_768).contains(&number);
            let power = if number == 0 { 0 } else { u64::from(number.trailing_zeros()) };
            cells |= if fits { power << (4 * place) } else { return None };
        }
        Some(Game2048 { cells, score: 0, due: 0 })
    }

    /// Returns the number in a cell, 0 if it is empty.
    ///
    /// # Panics
    ///
    /// Panics if `row` or `column` is above 3.
    pub fn cell(&self, row: usize, column: usize) -> u32 {
        assert!(row < 4 && column < 4, "the board has four rows and columns");
        match self.cells >> (16 * row + 4 * column) & 15 {
            0 => 0,
            power => 1 << power,
        }
    }

    /// Returns the sum of the merged tiles.
    pub fn score(&self) -> u32 {
        self.score
    }

    /// Returns the greatest tile.
    pub fn greatest(&self) -> u32 {
        (0..16).map(|place| self.cell(place / 4, place % 4)).max().unwrap_or(0)
    }

    /// Returns the board after a slide, and what it adds to the points.
    fn slid(&self, action: Action2048) -> (u64, u32) {
        let is_vertical = matches!(action, Up | Down);
        let is_back = matches!(action, Right | Down);
        let cells = if is_vertical { transposed(self.cells) } else { self.cells };
        let (mut slid, mut score) = (0, 0);
        for row in 0..4 {
            let line = (cells >> (16 * row)) as u16;
            let (line, added) = SLIDES[usize::from(if is_back { reversed(line) } else { line })];
            slid |= u64::from(if is_back { reversed(line) } else { line }) << (16 * row);
            score += added;
        }
        (if is_vertical { transposed(slid) } else { slid }, score)
    }

    fn can_slide(&self, action: Action2048) -> bool {
        self.slid(action).0 != self.cells
    }

    fn is_empty(&self, place: u8) -> bool {
        self.cells >> (4 * place) & 15 == 0
    }
}

const SLIDE: [Action2048; 4] = [Left, Right, Up, Down];

impl GameState for Game2048 {
    type Action = Action2048;

    fn turn(&self) -> Turn {
        if self.due > 0 {
            Turn::Chance
        } else if SLIDE.iter().any(|&action| self.can_slide(action)) {
            Turn::Player(0)
        } else {
            Turn::Over
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Action2048> {
        let is_chance = self.due > 0;
        let slides = SLIDE.into_iter().filter(move |&action| !is_chance && self.can_slide(action));
        let places = (0..16).filter(move |&place| is_chance && self.is_empty(place));
        slides.chain(places.flat_map(|place| [Tile(place, false), Tile(place, true)]))
    }
    fn apply(&mut self, action: Action2048) {
        match action {
            Tile(place, is_four) => {
                self.cells |= (1 + u64::from(is_four)) << (4 * place);
                self.due -= 1;
            }
            slide => {
                let (cells, added) = self.slid(slide);
                (self.cells, self.score, self.due) = (cells, self.score + added, 1);
            }
        }
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.score) / (f64::from(self.score) + HALF)
    }
    fn players(&self) -> u8 {
        1
    }
    fn probability(&self, outcome: Action2048) -> f64 {
        let empty = (0..16).filter(|&place| self.is_empty(place)).count() as f64;
        if matches!(outcome, Tile(_, true)) { 0.1 / empty } else { 0.9 / empty }
    }
    fn random_action(&self, rng: &mut Rng) -> Option<Action2048> {
        // A random order: the first that is legal is a random legal one.
        let mut order = SLIDE;
        for tried in 0..4 {
            order.swap(tried, tried + rng.below(4 - tried));
            if self.can_slide(order[tried]) {
                return Some(order[tried]);
            }
        }
        None
    }
    fn random_outcome(&self, rng: &mut Rng) -> Option<Action2048> {
        let empty = (0..16).filter(|&place| self.is_empty(place)).count();
        let drawn = (0..16).filter(|&place| self.is_empty(place)).nth(rng.below(empty))?;
        Some(Tile(drawn, rng.below(10) == 0))
    }
}

/// Prints `left`, or `2@b1` for a tile in the second cell of the first row.
impl fmt::Display for Action2048 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Left => f.write_str("left"),
            Right => f.write_str("right"),
            Up => f.write_str("up"),
            Down => f.write_str("down"),
            // The column from the left and the row from the top, as of a cell b1.
            Tile(place, is_four) => {
                let column = char::from(b'a' + place % 4);
                write!(f, "{}@{column}{}", if *is_four { 4 } else { 2 }, place / 4 + 1)
            }
        }
    }
}

debug_as_display!(Action2048);

impl fmt::Display for Game2048 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..4 {
            for column in 0..4 {
                match self.cell(row, column) {
                    0 => write!(f, "{:>6}", ".")?,
                    number => write!(f, "{number:>6}")?,
                }
            }
            writeln!(f)?;
        }
        write!(f, "{} points", self.score)
    }
}
