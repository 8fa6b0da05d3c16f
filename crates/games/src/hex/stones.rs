//! The stones of one player, and which of them are connected to the player's first side.

use super::rows::Rows;

/// The stones of a player who joins row 1 to the last row.
///
/// The set of stones linked to row 1 is kept up to date. Each stone becomes linked at most once in a game, so
/// all the floods of a game together visit each stone once. The game is won when a stone of the last row is
/// linked. Both sets depend only on the position, unlike the trees of a union-find, which depend on the order
/// of play. They are also faster: 1.5 microseconds per random game on 11 x 11, where a union-find took 2.8.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stones {
    /// The stones linked to row 1, and all of row 0, which makes row 1 an ordinary row.
    linked: Rows,
    /// The other stones.
    loose: Rows,
}

impl Stones {
    pub(super) fn none() -> Self {
        Stones { linked: Rows::row(0, u32::MAX), loose: Rows::none() }
    }

    #[inline(always)]
    pub(super) fn holds(&self, row: u8, column: u8) -> bool {
        self.linked.holds(row, column) || self.loose.holds(row, column)
    }

    /// Returns the cells of the stones.
    pub(super) fn cells(&self) -> impl Iterator<Item = (u8, u8)> {
        self.linked.union(&self.loose).cells()
    }

    /// Returns all stones.
    #[inline(always)]
    pub(super) fn rows(&self) -> Rows {
        self.linked.union(&self.loose)
    }

    /// Adds a stone on a free cell.
    #[inline(always)]
    pub(super) fn place(&mut self, row: u8, column: u8) {
        if near(&self.linked, row, column) == 0 {
            self.loose.insert(row, column);
        } else {
            self.link(row, column);
        }
    }

    /// Returns whether the stones join row 1 to the last row.
    #[inline(always)]
    pub(super) fn join(&self, size: u8) -> bool {
        self.linked.in_row(size) != 0
    }

    /// Links a stone and all loose stones connected to it.
    fn link(&mut self, row: u8, column: u8) {
        self.loose.remove(row, column);
        self.linked.insert(row, column);
        let mut bits = near(&self.loose, row, column);
        while bits != 0 {
            let (down, right) = NEIGHBOURS[bits.trailing_zeros() as usize & 7];
            self.link(row + down - 1, column + right - 1);
            // The flood from that stone may have linked other neighbours.
            bits &= near(&self.loose, row, column);
        }
    }

    /// Returns the stones connected to the linked ones of the last row.
    pub(super) fn chain(&self, size: u8) -> Rows {
        Rows::row(size, self.linked.in_row(size)).flooded(&self.linked)
    }

    /// Returns the number of stones that are missing between row 1 and the last row if the opponent passes.
    /// If the opponent has cut the rows off, this is the number of cells of the board.
    pub(super) fn needed(&self, free: &Rows, size: u8) -> u32 {
        let mut reached = self.linked;
        let within = self.loose.union(free);
        let cells = u32::from(size).pow(2);
        for needed in 0..cells {
            if reached.in_row(size) != 0 {
                return needed;
            }
            let grown = reached.grown(&within).union(&reached);
            reached = grown.flooded(&self.loose.union(&grown));
        }
        cells
    }
}

/// Returns the neighbours of a cell that are in `rows`, as bits; see [`NEIGHBOURS`].
#[inline(always)]
fn near(rows: &Rows, row: u8, column: u8) -> u32 {
    let [above, here, below] = [rows.in_row(row - 1), rows.in_row(row), rows.in_row(row + 1)];
    above >> column & 3 | (here >> (column - 1) & 5) << 2 | (below >> (column - 1) & 3) << 5
}

/// The cells that the bits of [`near`] stand for: their rows and columns, relative to the cell above and to
/// the left.
const NEIGHBOURS: [(u8, u8); 8] = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (1, 1)];
