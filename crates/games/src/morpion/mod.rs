//! Morpion Solitaire: draw as many lines as possible on a grid of points.

mod text;

use super::{IllegalAction, IllegalReason};
use ramure::{ActionCode, ActionIndex, GameState, Player, Rng, Scored, Turn};
use smallvec::SmallVec;

/// The number of points in each row and column of the paper.
const SIDE: usize = 32;
/// The paper and a margin, wide enough for a line that begins on the paper.
const STRIDE: usize = SIDE + 8;
const CELLS: usize = STRIDE * STRIDE;
/// The steps of the four directions: right, down, down right, down left.
const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];
/// The bit of a cell that holds a point. The four bits below it are the directions.
const POINT: u8 = 16;
/// Marks the cells of the margin, which never hold a point.
const MARGIN: u8 = 32;

/// For each set of nine cells in a row, which of the five lines through the middle one have exactly four of
/// them.
const FOUR_OF_FIVE: [u8; 512] = {
    let mut lines = [0; 512];
    let mut points = 0;
    while points < 512 {
        let mut first = 0;
        while first < 5 {
            lines[points] |= (((points >> first & 31).count_ones() == 4) as u8) << first;
            first += 1;
        }
        points += 1;
    }
    lines
};

/// Morpion Solitaire: a puzzle with pencil and paper.
///
/// At first, 36 points form a cross. An action, a [`Stroke`], adds a point and draws a line through it and
/// four existing points: five in a row, across, down or diagonally. In the variant 5T
/// ([`touching`](Self::touching)), two lines in the same direction may touch at their ends. In the variant 5D
/// ([`disjoint`](Self::disjoint)), they may have no point in common. The puzzle score is the number of lines.
///
/// The paper has 32 x 32 points, with the cross in the middle. No known game comes near its edge. A state
/// takes 1.7 KB and keeps its legal actions. Two states are equal if they show the same points and lines.
///
/// **Source:** Demaine, Demaine, Langerman and Langerman, *Morpion Solitaire*, 2006. The longest games known
/// have 178 lines in 5T and 82 in 5D, both found by NRPA (Rosin 2011).
///
/// ```
/// use ramure::GameState;
/// use ramure_games::Morpion;
/// let mut paper = Morpion::touching();
/// assert_eq!(paper.actions().into_iter().count(), 28);
/// let first = paper.actions().into_iter().next().expect("28 actions");
/// paper.apply(first);
/// assert_eq!(paper.lines(), 1);
/// println!("{paper}");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Morpion {
    cells: [u8; CELLS],
    /// The legal actions, in ascending order.
    strokes: SmallVec<[Stroke; 32]>,
    lines: u16,
    /// How many cells of a line, from the first one on, bar other lines in the same direction: 4 in 5T, 5 in
    /// 5D.
    barred: u8,
}

/// A stroke: a line through five points, and which of them is new. Its text is the first point of the line,
/// its direction and the number of the new point, from 1: `14,11 right 5`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stroke(u16);

impl Stroke {
    fn new(first: usize, direction: usize, new: usize) -> Self {
        Stroke(((first * 4 + direction) * 5 + new) as u16)
    }

    fn first(self) -> usize {
        usize::from(self.0) / 20
    }

    fn direction(self) -> usize {
        usize::from(self.0) / 5 % 4
    }

    fn step(self) -> usize {
        STEPS[self.direction()]
    }

    fn new_cell(self) -> usize {
        self.first() + usize::from(self.0) % 5 * self.step()
    }

    /// Returns the five points of the line: their columns and rows, counted from 0 at the top left of the
    /// paper.
    pub fn points(self) -> [(usize, usize); 5] {
        core::array::from_fn(|number| place(self.first() + number * self.step()))
    }

    /// Returns the column and the row of the new point.
    pub fn new_point(self) -> (usize, usize) {
        place(self.new_cell())
    }
}

/// Returns the cells of the cross with which a game starts.
fn cross() -> impl Iterator<Item = usize> {
    let cross = [
        "...####...",
        "...#..#...",
        "...#..#...",
        "####..####",
        "#........#",
        "#........#",
        "####..####",
        "...#..#...",
        "...#..#...",
        "...####...",
    ];
    let corner = 4 + (SIDE - cross.len()) / 2;
    cross.into_iter().enumerate().flat_map(move |(row, text)| {
        let points = text.bytes().enumerate().filter(|&(_, letter)| letter == b'#');
        points.map(move |(column, _)| (corner + row) * STRIDE + corner + column)
    })
}

/// Returns the column and the row of a cell.
fn place(cell: usize) -> (usize, usize) {
    ((cell % STRIDE).wrapping_sub(4), (cell / STRIDE).wrapping_sub(4))
}

impl Morpion {
    /// Creates the variant 5T: lines in the same direction may touch at their ends.
    pub fn touching() -> Self {
        Morpion::new(4)
    }

    /// Creates the variant 5D: lines in the same direction have no point in common.
    pub fn disjoint() -> Self {
        Morpion::new(5)
    }

    fn new(barred: u8) -> Self {
        let mut cells = [MARGIN; CELLS];
        for row in 4..4 + SIDE {
            cells[row * STRIDE + 4..][..SIDE].fill(0);
        }
        let mut paper = Morpion { cells, strokes: SmallVec::new(), lines: 0, barred };
        for cell in cross() {
            paper.cells[cell] = POINT;
        }
        paper.offer_all();
        paper
    }

    /// Adds all legal strokes.
    fn offer_all(&mut self) {
        for cell in 0..CELLS {
            if self.cells[cell] & POINT != 0 {
                self.offer_through(cell);
            }
        }
    }

    /// Adds the legal strokes along the lines through `point`, a cell of the paper.
    fn offer_through(&mut self, point: usize) {
        for (direction, step) in STEPS.into_iter().enumerate() {
            let start = point - 4 * step;
            // The points among the nine cells in this direction, a bit for each.
            let mut points = 0;
            for number in 0..9 {
                points |= u32::from(self.cells[start + number * step] & POINT) << number;
            }
            let points = points >> POINT.trailing_zeros();
            let mut lines = u32::from(FOUR_OF_FIVE[points as usize]);
            while lines != 0 {
                let first = lines.trailing_zeros() as usize;
                lines &= lines - 1;
                // In 5T, the last cell of a line may be the first cell of the next one.
                let barring = (0..usize::from(self.barred)).map(|number| start + (first + number) * step);
                if barring.fold(0, |all, cell| all | self.cells[cell]) >> direction & 1 == 1 {
                    continue;
                }
                let points = points >> first;
                let (first, new) = (start + first * step, points.trailing_ones() as usize);
                if self.cells[first + new * step] & MARGIN == 0 {
                    let stroke = Stroke::new(first, direction, new);
                    if let Err(place) = self.strokes.binary_search(&stroke) {
                        self.strokes.insert(place, stroke);
                    }
                }
            }
        }
    }

    /// Returns the number of lines drawn.
    pub fn lines(&self) -> u16 {
        self.lines
    }

    /// Returns whether lines in the same direction may touch: the variant 5T.
    fn may_touch(&self) -> bool {
        self.barred == 4
    }

    /// Returns whether there is a point in this column and row, counted from 0 at the top left of the paper.
    pub fn has_point(&self, column: usize, row: usize) -> bool {
        column < SIDE && row < SIDE && self.cells[(row + 4) * STRIDE + column + 4] & POINT != 0
    }

    /// Draws a line.
    ///
    /// # Errors
    ///
    /// Returns [`IllegalReason::NoLine`] if the rules forbid it.
    pub fn play(&mut self, stroke: Stroke) -> Result<(), IllegalAction<Stroke>> {
        if !self.is_legal(stroke) {
            return Err(IllegalReason::NoLine.of(stroke));
        }
        self.apply(stroke);
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl GameState for Morpion {
    type Action = Stroke;

    fn players(&self) -> u8 {
        1
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.strokes.is_empty() { Turn::Over } else { Turn::Player(0) }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = Stroke> {
        self.strokes.iter().copied()
    }

    fn apply(&mut self, stroke: Stroke) {
        let (first, step, direction) = (stroke.first(), stroke.step(), stroke.direction());
        let new = stroke.new_cell();
        for number in 0..usize::from(self.barred) {
            self.cells[first + number * step] |= 1 << direction;
        }
        self.cells[new] |= POINT;
        self.lines += 1;
        let (cells, barred) = (&self.cells, usize::from(self.barred));
        let is_legal = |other: Stroke| {
            // The line bars only lines in its own direction.
            let is_barred = || {
                let first = other.first();
                (0..barred).any(|number| cells[first + number * step] >> direction & 1 == 1)
            };
            other.new_cell() != new && !(other.direction() == direction && is_barred())
        };
        // A loop of its own, because `SmallVec::retain` takes longer than what it asks.
        let (strokes, mut kept) = (&mut self.strokes[..], 0);
        for number in 0..strokes.len() {
            let other = strokes[number];
            strokes[kept] = other;
            kept += usize::from(is_legal(other));
        }
        self.strokes.truncate(kept);
        // Each line that becomes legal goes through the new point.
        self.offer_through(new);
    }

    /// Returns the number of lines as a share of the proven upper bound: 485 in 5T (Michalewski, Nagórko and
    /// Pawlewicz 2015), 121 in 5D (Kawamura, Okamoto, Tatsu, Uno and Yamato 2013).
    fn reward(&self, _: Player) -> f64 {
        let most = if self.may_touch() { 485.0 } else { 121.0 };
        (f64::from(self.lines) / most).min(1.0)
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<Stroke> {
        self.strokes.get(rng.below(self.strokes.len())).copied()
    }

    #[inline]
    fn is_legal(&self, stroke: Stroke) -> bool {
        self.strokes.binary_search(&stroke).is_ok()
    }
}

impl Scored for Morpion {
    fn score(&self) -> f64 {
        f64::from(self.lines)
    }
}

impl ActionIndex for Morpion {
    const ACTION_COUNT: usize = CELLS * 20;

    #[inline]
    fn action_index(stroke: Stroke) -> usize {
        usize::from(stroke.0)
    }
}

impl ActionCode for Morpion {
    /// Returns the number of the stroke: the same line with the same new point.
    #[inline]
    fn action_code(&self, stroke: Stroke) -> u64 {
        u64::from(stroke.0)
    }
}
