//! The stones of one player, and which of them hang together with the side where he starts.

use super::rows::Rows;

/// The stones of a player who joins row 1 to the last row.
///
/// Which of them are linked to row 1 is kept up to date: each stone becomes linked once in a game, so all the floods of a
/// game together visit each stone once, and the game is won when one of the last row is linked. Both sets depend on
/// the position alone, not on the order of play as the trees of a union-find would. And they are faster: 1.5
/// microseconds a random game on 11 x 11 where a union-find took 2.8.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Stones {
    /// Linked to row 1, and all of row 0, which makes row 1 like any other.
    linked: Rows,
    /// The others.
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

    /// The cells of the stones.
    pub(super) fn cells(&self) -> impl Iterator<Item = (u8, u8)> {
        self.linked.union(&self.loose).cells()
    }

    /// All stones.
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

    /// Whether the stones join row 1 to the last row.
    #[inline(always)]
    pub(super) fn join(&self, size: u8) -> bool {
        self.linked.in_row(size) != 0
    }

    /// Links a stone and all loose ones that hang together with it.
    fn link(&mut self, row: u8, column: u8) {
        self.loose.remove(row, column);
        self.linked.insert(row, column);
        let mut bits = near(&self.loose, row, column);
        while bits != 0 {
            let (down, right) = NEIGHBOURS[bits.trailing_zeros() as usize & 7];
            self.link(row + down - 1, column + right - 1);
            // The flood from there may have linked others of these.
            bits &= near(&self.loose, row, column);
        }
    }

    /// The stones that hang together with linked ones of the last row.
    pub(super) fn chain(&self, size: u8) -> Rows {
        Rows::row(size, self.linked.in_row(size)).flooded(&self.linked)
    }

    /// The number of stones that are missing between row 1 and the last row, if the other player passes; as many as the
    /// board has cells if he has cut them off.
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

/// The neighbours of a cell that lie in `rows`, as bits; see [`NEIGHBOURS`].
#[inline(always)]
fn near(rows: &Rows, row: u8, column: u8) -> u32 {
    let [above, here, below] = [rows.in_row(row - 1), rows.in_row(row), rows.in_row(row + 1)];
    above >> column & 3 | (here >> (column - 1) & 5) << 2 | (below >> (column - 1) & 3) << 5
}

/// The cells that the bits of [`near`] stand for: their rows and columns, counted from those before the cell's own.
const NEIGHBOURS: [(u8, u8); 8] = [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (1, 1)];
