//! Sets of cells as rows of bits, and the set of free cells, from which a random cell can be drawn.

use super::{Cell, MAX_SIZE};
use core::hash::{Hash, Hasher};
use ramure::Rng;

/// The rows of the largest board, plus one above and one below.
const ROWS: usize = MAX_SIZE as usize + 2;

/// A set of cells: bit `column` of word `row`, both counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Rows([u32; ROWS]);

impl Rows {
    pub(super) fn none() -> Self {
        Rows([0; ROWS])
    }

    /// Returns the set with these bits in one row.
    pub(super) fn row(row: u8, bits: u32) -> Self {
        let mut rows = Self::none();
        rows.0[usize::from(row)] = bits;
        rows
    }

    /// Returns all cells of the board of this size.
    pub(super) fn full(size: u8) -> Self {
        let mut rows = Self::none();
        rows.0[1..=usize::from(size)].fill((1 << (size + 1)) - 2);
        rows
    }

    #[inline(always)]
    pub(super) fn holds(&self, row: u8, column: u8) -> bool {
        self.0[usize::from(row)] >> column & 1 == 1
    }

    /// Returns the bits of one row.
    #[inline(always)]
    pub(super) fn in_row(&self, row: u8) -> u32 {
        self.0[usize::from(row)]
    }

    #[inline(always)]
    pub(super) fn set_row(&mut self, row: u8, bits: u32) {
        self.0[usize::from(row)] = bits;
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, row: u8, column: u8) {
        self.0[usize::from(row)] |= 1 << column;
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, row: u8, column: u8) {
        self.0[usize::from(row)] &= !(1 << column);
    }

    /// Returns the cells in reading order, as rows and columns.
    #[inline]
    pub(super) fn cells(self) -> impl Iterator<Item = (u8, u8)> {
        let (mut row, mut bits) = (0, 0u32);
        core::iter::from_fn(move || {
            while bits == 0 {
                row += 1;
                bits = *self.0.get(row)?;
            }
            let column = bits.trailing_zeros() as u8;
            bits &= bits - 1;
            Some((row as u8, column))
        })
    }

    pub(super) fn mirrored(self) -> Self {
        let mut rows = Self::none();
        for (row, column) in self.cells() {
            rows.insert(column, row);
        }
        rows
    }

    #[inline(always)]
    pub(super) fn union(mut self, others: &Rows) -> Rows {
        for (own, others) in self.0.iter_mut().zip(&others.0) {
            *own |= others;
        }
        self
    }

    /// Returns the cells and all their neighbours that are in `within`.
    pub(super) fn grown(&self, within: &Rows) -> Rows {
        let mut grown = Self::none();
        for row in 1..ROWS - 1 {
            let [above, here, below] = [self.0[row - 1], self.0[row], self.0[row + 1]];
            grown.0[row] =
                within.0[row] & (above | above >> 1 | here | here << 1 | here >> 1 | below | below << 1);
        }
        grown
    }

    /// Returns the cells of `within` that are connected to these cells.
    pub(super) fn flooded(self, within: &Rows) -> Rows {
        core::iter::successors(Some(self), |rows| Some(rows.grown(within)).filter(|grown| grown != rows))
            .last()
            .unwrap_or(self)
    }
}

/// The free cells, from which a random one can be drawn.
///
/// Which cell is drawn depends on the set alone, not on the order of play, so equal positions continue in the
/// same way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Free {
    rows: Rows,
    /// The number of cells in each row, so that a draw counts none.
    in_rows: [u8; ROWS],
    left: u16,
}

/// Returns the number of a cell: `MAX_SIZE` cells per row, whatever the size of the board.
#[inline(always)]
pub(super) fn number(cell: Cell) -> usize {
    usize::from(cell.row()) * usize::from(MAX_SIZE) + usize::from(cell.column())
}

impl Free {
    /// Returns all cells of the board of this size.
    pub(super) fn all(size: u8) -> Self {
        let mut in_rows = [0; ROWS];
        in_rows[1..=usize::from(size)].fill(size);
        Free { rows: Rows::full(size), in_rows, left: u16::from(size).pow(2) }
    }

    #[inline(always)]
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    #[inline(always)]
    pub(super) fn holds(&self, cell: Cell) -> bool {
        self.rows.holds(cell.one_based_row(), cell.one_based_column())
    }

    /// Removes a cell, which must be free.
    #[inline(always)]
    pub(super) fn remove(&mut self, cell: Cell) {
        self.rows.remove(cell.one_based_row(), cell.one_based_column());
        self.in_rows[usize::from(cell.one_based_row())] -= 1;
        self.left -= 1;
    }

    /// Returns the number of free cells.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        usize::from(self.left)
    }

    /// Returns a uniformly random free cell; there must be one.
    #[inline(always)]
    pub(super) fn draw(&self, rng: &mut Rng) -> Cell {
        let (mut rank, mut row) = (rng.below(self.count()), 1);
        while rank >= usize::from(self.in_rows[row]) {
            rank -= usize::from(self.in_rows[row]);
            row += 1;
        }
        let mut bits = self.rows.0[row];
        for _ in 0..rank {
            bits &= bits - 1;
        }
        Cell::one_based(row as u8, bits.trailing_zeros() as u8)
    }
}

impl Hash for Free {
    /// Adds nothing to the hash: the free cells follow from the stones and the size of the board, which are
    /// hashed.
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
