//! The texts of positions and lines of Morpion Solitaire.

use super::{CELLS, Morpion, POINT, SIDE, STEPS, STRIDE, Stroke, cross, place};
use crate::ParseError;
use crate::text::{Lines, debug_as_display};
use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

/// The texts of the directions.
const DIRECTIONS: [&str; 4] = ["right", "down", "down-right", "down-left"];

/// Reads a column and a row, such as `14,11`. Returns the cell, if it is on the paper.
fn read_cell(text: &str) -> Option<usize> {
    let (column, row) = text.split_once(',')?;
    let (column, row): (usize, usize) = (column.parse().ok()?, row.parse().ok()?);
    (column < SIDE && row < SIDE).then(|| (row + 4) * STRIDE + column + 4)
}

/// Reads the first cell and the direction of a line, such as `14,11 right`, if the line is on the paper.
fn read_line(text: &str) -> Option<(usize, usize)> {
    let (cell, word) = text.trim().split_once(char::is_whitespace)?;
    let first = read_cell(cell)?;
    let direction = DIRECTIONS.iter().position(|&direction| direction == word.trim())?;
    let (column, row) = place(first + 4 * STEPS[direction]);
    (column < SIDE && row < SIDE).then_some((first, direction))
}

impl fmt::Display for Stroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (column, row) = place(self.first());
        write!(f, "{column},{row} {} {}", DIRECTIONS[self.direction()], self.0 % 5 + 1)
    }
}

impl fmt::Debug for Stroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({self})")
    }
}

impl FromStr for Stroke {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let parse = || {
            let (line, new) = text.trim().rsplit_once(char::is_whitespace)?;
            let (first, direction) = read_line(line)?;
            let new: usize = Some(new).filter(|word| word.len() == 1)?.parse().ok()?;
            (1..=5).contains(&new).then(|| Stroke::new(first, direction, new - 1))
        };
        let expected = "the first point, a direction and the number of the new point, such as 14,11 right 5";
        parse().ok_or_else(|| ParseError::action(text, expected))
    }
}

impl Morpion {
    /// Returns the first cell and the direction of each line.
    fn drawn(&self) -> impl Iterator<Item = (usize, usize)> {
        STEPS.into_iter().enumerate().flat_map(move |(direction, step)| {
            let is_marked = move |cell: usize| self.cells[cell] >> direction & 1 == 1;
            // The marks of lines in one direction do not overlap, so each row of marks consists of whole
            // lines.
            let is_first = move |cell: usize| {
                let marks = (1..).map(|number| cell.checked_sub(number * step));
                let before = marks.take_while(|mark| mark.is_some_and(is_marked)).count();
                is_marked(cell) && before.is_multiple_of(usize::from(self.barred))
            };
            (0..CELLS).filter(move |&cell| is_first(cell)).map(move |cell| (cell, direction))
        })
    }
}

/// Prints the variant and the place of the picture, then the points, as `o`, and the free cells between them,
/// as `.`, and the lines by their first points.
impl fmt::Display for Morpion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has = |line: &dyn Fn(usize) -> bool| -> RangeInclusive<usize> {
            let first = (0..SIDE).find(|&at| line(at)).unwrap_or(0);
            first..=(0..SIDE).rev().find(|&at| line(at)).unwrap_or(0)
        };
        let rows = has(&|row| (0..SIDE).any(|column| self.has_point(column, row)));
        let columns = has(&|column| (0..SIDE).any(|row| self.has_point(column, row)));
        let variant = if self.may_touch() { "5T" } else { "5D" };
        writeln!(f, "{variant} from {},{}", columns.start(), rows.start())?;
        for row in rows {
            for column in columns.clone() {
                f.write_str(if self.has_point(column, row) { "o" } else { "." })?;
            }
            writeln!(f)?;
        }
        writeln!(f, "lines: {}", self.lines)?;
        for (first, direction) in self.drawn() {
            let (column, row) = place(first);
            writeln!(f, "{column},{row} {}", DIRECTIONS[direction])?;
        }
        Ok(())
    }
}

debug_as_display!(Morpion);

impl FromStr for Morpion {
    type Err = ParseError;

    /// Reads what `Display` prints. The points must be those of the cross and one for each line, the lines
    /// must go through points, and the rules must allow them side by side. Whether they can be drawn one
    /// after another is not checked.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::of(text);
        let line = lines.next("the variant, such as `5D from 11,11`")?;
        let header = line.text.trim().split_once(" from ");
        let (barred, corner) = header
            .and_then(|(variant, corner)| {
                let barred = ["5T", "5D"].iter().position(|&name| name == variant)? as u8 + 4;
                Some((barred, read_cell(corner)?))
            })
            .ok_or(line.wrong("`5D` or `5T`, and the place of the picture, as in `5D from 11,11`"))?;
        let mut paper = Morpion::new(barred);
        paper.strokes.clear();
        cross().for_each(|cell| paper.cells[cell] = 0);
        let (left, top) = place(corner);
        let mut row = top;
        while !lines.starts_with("lines:") {
            let line = lines.next("a row of points, or `lines:`")?;
            for (index, (column, found)) in line.characters().enumerate() {
                if left + index >= SIDE || row >= SIDE {
                    return Err(line.wrong("a picture that fits on the 32 x 32 points of the paper"));
                }
                match found {
                    'o' => paper.cells[(row + 4) * STRIDE + left + index + 4] = POINT,
                    '.' => {}
                    _ => return Err(line.wrong_at(column, found, "`o` or `.`")),
                }
            }
            row += 1;
        }
        if !cross().all(|cell| paper.cells[cell] == POINT) {
            return Err(line.wrong("a picture with all 36 points of the cross"));
        }
        let points = paper.cells.iter().filter(|&&cell| cell == POINT).count();
        let line = lines.next("`lines:`")?;
        let is_count = line.value("lines:").and_then(|count| count.parse().ok()) == Some(points - 36);
        if !is_count {
            return Err(line.wrong("`lines:` and the number of points that are not in the cross"));
        }
        for _ in 36..points {
            let line = lines.next("a line, such as `14,11 right`")?;
            let (first, direction) =
                read_line(line.text).ok_or(line.wrong("a line on the paper, such as `14,11 right`"))?;
            let cells = (0..5).map(|number| first + number * STEPS[direction]);
            if !cells.clone().all(|cell| paper.cells[cell] & POINT != 0) {
                return Err(line.wrong("a line through five points"));
            }
            for cell in cells.take(barred.into()) {
                if paper.cells[cell] >> direction & 1 == 1 {
                    return Err(line.wrong("a line that the lines above allow"));
                }
                paper.cells[cell] |= 1 << direction;
            }
            paper.lines += 1;
        }
        lines.finish()?;
        paper.offer_all();
        Ok(paper)
    }
}
