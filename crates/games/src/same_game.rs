//! SameGame: remove groups of blocks of one colour.

use super::text::{Line, Lines, debug_as_display};
use super::{IllegalAction, IllegalReason, ParseError};
use core::fmt;
use core::str::FromStr;
use ramure::{ActionCode, GameState, Player, Rng, Scored, Turn};

/// The greatest number of columns, and of rows.
const MAX_SIDE: usize = 15;
/// The number of colours of [`SameGame::random`].
const COLOURS: u8 = 5;

/// SameGame: a puzzle on a board of coloured blocks.
///
/// An action removes a group: two or more blocks of one colour that are connected at their sides. A group of
/// n blocks earns (n - 2)² points. Blocks then fall down, and columns close up to the left. The game ends
/// when no group is left. An empty board earns 1000 additional points. Otherwise, each colour with n blocks
/// left costs (n - 2)² points.
///
/// A state takes 232 bytes. Two states are equal if they show the same blocks and have the same points.
///
/// **Source:** the rules as in Schadd, Winands, van den Herik, Chaslot and Uiterwijk, *Single-Player
/// Monte-Carlo Tree Search*, 2008, section 2. Their twenty boards are not those of [`random`](Self::random).
///
/// ```
/// use ramure::{GameState, Scored, Turn};
/// use ramure_games::SameGame;
/// let mut board: SameGame = "
///     . 1 .
///     1 1 2
///     2 2 2".parse()?;
/// board.play("a2".parse()?)?; // three blocks of colour 1
/// assert_eq!((board.points(), board.to_string().as_str()), (1, ". . 2\n2 2 2\npoints: 1\n"));
/// board.play("c2".parse()?)?; // the rest: four blocks
/// assert_eq!((board.turn(), board.score()), (Turn::Over, 1.0 + 4.0 + 1000.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SameGame {
    /// The colours of each column, from 1, bottom first; 0 above the last block and in empty columns.
    cells: [[u8; MAX_SIDE]; MAX_SIDE],
    points: i32,
    is_over: bool,
}

/// A group of blocks, named by one of its blocks: the lowest one in the leftmost column. Its text is the
/// column, from `a`, and the row, counted from 1 at the bottom: `c2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(u8);

impl Group {
    /// Returns the group named by the block in this column and row, both counted from 0 at the bottom left;
    /// `None` if one of them is not below 15. In [`actions`](GameState::actions), a group is named
    /// by its lowest block in its leftmost column.
    pub fn at(column: usize, row: usize) -> Option<Self> {
        (column < MAX_SIDE && row < MAX_SIDE).then_some(Group((column * MAX_SIDE + row) as u8))
    }

    /// Returns the column of the block, from 0.
    pub fn column(self) -> usize {
        usize::from(self.0) / MAX_SIDE
    }

    /// Returns the row of the block, from 0 at the bottom.
    pub fn row(self) -> usize {
        usize::from(self.0) % MAX_SIDE
    }
}

/// The cells of a group: a word for each column, with a bit for each row.
type Cells = [u16; MAX_SIDE];

impl SameGame {
    /// Creates a board of 15 columns and 15 rows with random blocks of five colours. The seed fixes the
    /// board.
    pub fn random(seed: u64) -> Self {
        let mut rng = Rng::seeded(seed);
        let mut cells = [[0; MAX_SIDE]; MAX_SIDE];
        cells
            .as_flattened_mut()
            .iter_mut()
            .for_each(|cell| *cell = 1 + rng.below(usize::from(COLOURS)) as u8);
        SameGame::of(cells)
    }

    fn of(cells: [[u8; MAX_SIDE]; MAX_SIDE]) -> Self {
        let mut board = SameGame { cells, points: 0, is_over: false };
        board.find_end();
        board
    }

    /// Returns the colour, from 1, of the block in this column and row, both counted from 0 at the bottom
    /// left; `None` if there is no block.
    pub fn colour(&self, column: usize, row: usize) -> Option<u8> {
        self.cells.get(column)?.get(row).copied().filter(|&colour| colour > 0)
    }

    /// Returns the points so far. At the end, they include what an empty board earns or what the remaining
    /// blocks cost.
    pub fn points(&self) -> i32 {
        self.points
    }

    /// Returns the columns and rows of the blocks of `group`. The list is empty if these blocks are not a
    /// group.
    pub fn blocks(&self, group: Group) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (cells, count) = self.flood(group);
        let rows = move |column: usize| (0..MAX_SIDE).filter(move |row| cells[column] >> row & 1 == 1);
        (0..if count > 1 { MAX_SIDE } else { 0 })
            .flat_map(move |column| rows(column).map(move |row| (column, row)))
    }

    /// Removes the group of the block that `group` names. It may be any block of the group.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalReason::NoGroup`] if there is no block, or if no neighbour of the block has its
    /// colour.
    pub fn play(&mut self, group: Group) -> Result<(), IllegalAction<Group>> {
        if self.flood(group).1 < 2 {
            return Err(IllegalReason::NoGroup.of(group));
        }
        self.apply(group);
        Ok(())
    }

    /// Returns the cells of the same colour that are connected to the cell of `group`, and their number: 0 if
    /// the cell is empty.
    #[inline]
    fn flood(&self, group: Group) -> (Cells, u32) {
        let (column, row) = (group.column(), group.row());
        let colour = self.cells[column][row];
        let mut found: Cells = [0; MAX_SIDE];
        if colour == 0 {
            return (found, 0);
        }
        let mut count = 0;
        // Each cell is put on the stack once.
        let mut stack = [0u8; MAX_SIDE * MAX_SIDE];
        let mut height = 1;
        stack[0] = group.0;
        found[column] = 1 << row;
        while height > 0 {
            height -= 1;
            let cell = Group(stack[height]);
            let (column, row) = (cell.column(), cell.row());
            count += 1;
            let mut visit = |column: usize, row: usize| {
                if self.cells[column][row] == colour && found[column] >> row & 1 == 0 {
                    found[column] |= 1 << row;
                    stack[height] = (column * MAX_SIDE + row) as u8;
                    height += 1;
                }
            };
            if column > 0 {
                visit(column - 1, row);
            }
            if column + 1 < MAX_SIDE {
                visit(column + 1, row);
            }
            if row > 0 {
                visit(column, row - 1);
            }
            if row + 1 < MAX_SIDE {
                visit(column, row + 1);
            }
        }
        (found, count)
    }

    /// Returns whether two neighbours have the same colour.
    fn has_group(&self) -> bool {
        let is_pair = |(a, b): (&u8, &u8)| *a != 0 && a == b;
        self.cells.iter().any(|column| column.iter().zip(&column[1..]).any(is_pair))
            || self
                .cells
                .iter()
                .zip(&self.cells[1..])
                .any(|(left, right)| left.iter().zip(right).any(is_pair))
    }

    /// Ends the game if no group is left.
    fn find_end(&mut self) {
        if self.has_group() {
            return;
        }
        self.is_over = true;
        let mut left = [0i32; u8::MAX as usize + 1];
        for &colour in self.cells.as_flattened() {
            left[usize::from(colour)] += 1;
        }
        let of_colours = &left[1..];
        self.points += match of_colours.iter().sum() {
            0 => 1000,
            _ => -of_colours
                .iter()
                .filter(|&&count| count > 0)
                .map(|&count: &i32| (count - 2).pow(2))
                .sum::<i32>(),
        };
    }
}

/// The groups of a board.
struct Groups<'g> {
    board: &'g SameGame,
    seen: Cells,
    next: usize,
}

impl Iterator for Groups<'_> {
    type Item = Group;

    #[inline]
    fn next(&mut self) -> Option<Group> {
        while self.next < MAX_SIDE * MAX_SIDE {
            let group = Group(self.next as u8);
            let (column, row) = (group.column(), group.row());
            let colour = self.board.cells[column][row];
            if colour == 0 {
                // Nothing is above an empty cell, and nothing to the right of an empty column.
                self.next = if row == 0 { MAX_SIDE * MAX_SIDE } else { (column + 1) * MAX_SIDE };
                continue;
            }
            self.next += 1;
            if self.seen[column] >> row & 1 == 1 {
                continue;
            }
            let above = row + 1 < MAX_SIDE && self.board.cells[column][row + 1] == colour;
            let right = column + 1 < MAX_SIDE && self.board.cells[column + 1][row] == colour;
            // A cell that was not seen is the first of its group, so its neighbours to the left and below are
            // not in the group.
            if above || right {
                let (cells, _) = self.board.flood(group);
                self.seen.iter_mut().zip(cells).for_each(|(seen, cells)| *seen |= cells);
                return Some(group);
            }
        }
        None
    }
}

#[diagnostic::do_not_recommend]
impl GameState for SameGame {
    type Action = Group;

    fn players(&self) -> u8 {
        1
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_over { Turn::Over } else { Turn::Player(0) }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = Group> {
        Groups { board: self, seen: [0; MAX_SIDE], next: 0 }
    }

    fn apply(&mut self, group: Group) {
        let (removed, count) = self.flood(group);
        self.points += (count as i32 - 2).pow(2);
        let mut column = 0;
        for (from, removed) in removed.into_iter().enumerate() {
            let mut kept = self.cells[from];
            if removed != 0 {
                kept = [0; MAX_SIDE];
                let mut height = 0;
                for (row, &colour) in self.cells[from].iter().enumerate() {
                    if removed >> row & 1 == 0 {
                        kept[height] = colour;
                        height += 1;
                    }
                }
            }
            if kept[0] != 0 {
                self.cells[column] = kept;
                column += 1;
            }
        }
        self.cells[column..].fill([0; MAX_SIDE]);
        self.find_end();
    }

    /// Returns the points on a scale from 0 to 1. The bounds are those of 225 blocks: -223² points, and
    /// 223² + 1000.
    fn reward(&self, _: Player) -> f64 {
        let (least, most) = (-f64::from(223 * 223), f64::from(223 * 223 + 1000));
        ((f64::from(self.points) - least) / (most - least)).clamp(0.0, 1.0)
    }

    #[inline]
    fn is_legal(&self, group: Group) -> bool {
        let (cells, count) = self.flood(group);
        let is_first = |column: usize, row: usize| {
            cells[..column].iter().all(|&cells| cells == 0) && cells[column] & ((1 << row) - 1) == 0
        };
        count > 1 && is_first(group.column(), group.row())
    }
}

impl Scored for SameGame {
    fn score(&self) -> f64 {
        f64::from(self.points)
    }
}

impl ActionCode for SameGame {
    /// Returns a hash of the cells of the group and of its colour: the same blocks at the same place.
    fn action_code(&self, group: Group) -> u64 {
        let (cells, _) = self.flood(group);
        let mut code = u64::from(self.cells[group.column()][group.row()]);
        for four in cells.chunks(4) {
            let word = four.iter().fold(0, |word, &column| word << 16 | u64::from(column));
            code = (code ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            code ^= code >> 29;
        }
        code
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row() + 1)
    }
}

debug_as_display!(Group, SameGame);

impl FromStr for Group {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let expected = "a column, a to o, and a row, 1 to 15, such as c2";
        let text = text.trim();
        let mut letters = text.chars();
        let column =
            letters.next().filter(char::is_ascii_lowercase).map(|letter| letter as usize - 'a' as usize);
        let row = letters.as_str();
        let is_number = !row.starts_with('0') && row.bytes().all(|digit| digit.is_ascii_digit());
        let row: Option<usize> = row.parse().ok().filter(|&row| is_number && row > 0);
        let group = column.zip(row).and_then(|(column, row)| Group::at(column, row - 1));
        group.ok_or_else(|| ParseError::action(text, expected))
    }
}

/// Prints the rows, top row first: the number of the colour of each block, and a dot for no block. A line
/// `points:` follows if there are any points. An empty board is a dot.
impl fmt::Display for SameGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.cells.iter().filter(|column| column[0] != 0).count().max(1);
        let height = self.cells.iter().map(|column| column.iter().filter(|&&cell| cell != 0).count()).max();
        for row in (0..height.unwrap_or(0).max(1)).rev() {
            for column in 0..width {
                let space = if column == 0 { "" } else { " " };
                match self.cells[column][row] {
                    0 => write!(f, "{space}.")?,
                    colour => write!(f, "{space}{colour}")?,
                }
            }
            writeln!(f)?;
        }
        let earned = self.earned();
        if earned == 0 { Ok(()) } else { writeln!(f, "points: {earned}") }
    }
}

impl SameGame {
    /// Returns the points of the groups removed so far, without what the end earned or cost.
    fn earned(&self) -> i32 {
        let mut anew = SameGame::of(self.cells);
        if !self.is_over {
            anew.points = 0;
        }
        self.points - anew.points
    }
}

impl FromStr for SameGame {
    type Err = ParseError;

    /// Reads what `Display` prints: up to 15 rows of up to 15 blocks each. A block is one of the digits 1 to
    /// 9. Blocks must rest on blocks, and empty columns must be at the right. The line `points:` may be left
    /// out.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::of(text);
        // Each line, and the place and the colour of each of its cells.
        let mut rows: Vec<(Line<'_>, Vec<(usize, u8)>)> = Vec::new();
        let mut points = 0;
        let first = lines.next("a row of blocks")?;
        let mut next = Some(first);
        while let Some(line) = next {
            if let Some(value) = line.value("points:").filter(|_| !rows.is_empty()) {
                points = value
                    .parse()
                    .ok()
                    .filter(|&points| (0..=1 << 20).contains(&points))
                    .ok_or(line.wrong("`points:` and a number, at least 0"))?;
                lines.finish()?;
                break;
            }
            let mut row = Vec::new();
            for (column, found) in line.characters() {
                let colour = match found {
                    '.' => 0,
                    '1'..='9' => found as u8 - b'0',
                    _ => return Err(line.wrong_at(column, found, "a digit 1 to 9, or a dot")),
                };
                row.push((column, colour));
            }
            if row.len() > MAX_SIDE || rows.len() == MAX_SIDE {
                return Err(line.wrong("at most 15 rows of at most 15 blocks"));
            }
            rows.push((line, row));
            next = lines.next_or_end();
        }
        let mut cells = [[0; MAX_SIDE]; MAX_SIDE];
        for (height, (line, row)) in rows.iter().rev().enumerate() {
            for (column, &(place, colour)) in row.iter().enumerate().filter(|&(_, &(_, colour))| colour != 0)
            {
                if height > 0 && cells[column][height - 1] == 0 {
                    let found = char::from(b'0' + colour);
                    return Err(line.wrong_at(place, found, "a dot, because the cell below it is empty"));
                }
                if height == 0 && column > 0 && cells[column - 1][0] == 0 {
                    return Err(line.wrong("no empty column left of a block"));
                }
                cells[column][height] = colour;
            }
        }
        let mut board = SameGame::of(cells);
        board.points += points;
        Ok(board)
    }
}
