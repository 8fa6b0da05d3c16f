//! Boards of three by three cells as sets of nine bits, in reading order from the lowest bit.

use ramure::Rng;

/// All nine cells.
pub(super) const ALL: u16 = 0x1FF;

/// The eight lines: rows, columns, diagonals.
pub(super) const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// For each set, whether it contains a line.
static WON: [bool; 512] = {
    let mut table = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            table[set as usize] |= set & LINES[line] == LINES[line];
            line += 1;
        }
        set += 1;
    }
    table
};

/// For each set, its elements, four bits each from the lowest, and from bit 36 on their number.
static MEMBERS: [u64; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let (mut cell, mut count) = (0, 0);
        while set >> cell != 0 {
            if set >> cell & 1 == 1 {
                table[set] |= cell << (4 * count);
                count += 1;
            }
            cell += 1;
        }
        table[set] |= count << 36;
        set += 1;
    }
    table
};

/// Returns whether `set` contains a line.
#[inline(always)]
pub(super) fn has_line(set: u16) -> bool {
    WON[usize::from(set & ALL)]
}

/// Returns a uniformly random element of `set`; 0 if it is empty.
#[inline(always)]
pub(super) fn random_member(set: u16, rng: &mut Rng) -> u8 {
    let members = MEMBERS[usize::from(set & ALL)];
    (members >> (4 * rng.below((members >> 36) as usize)) & 15) as u8
}

/// Returns the elements of `set`, lowest first.
#[inline(always)]
pub(super) fn members(set: u16) -> impl Iterator<Item = u8> {
    let members = MEMBERS[usize::from(set & ALL)];
    (0..members >> 36).map(move |place| (members >> (4 * place) & 15) as u8)
}

/// Returns the sum over the lines without a cell of `others` of the square of the number of own cells in the
/// line.
pub(super) fn open_lines(own: u16, others: u16) -> u32 {
    let open = LINES.into_iter().filter(|line| line & others == 0);
    open.map(|line| (line & own).count_ones().pow(2)).sum()
}

/// The number of symmetries: three rotations and four reflections.
pub(super) const SYMMETRIES: usize = 7;

/// Returns the image of a cell. The binary digits of `symmetry + 1` select the steps, in this order: 1
/// mirrors left and right, 2 mirrors top and bottom, 4 mirrors at the main diagonal.
pub(super) fn transformed(cell: u8, symmetry: usize) -> u8 {
    let digits = symmetry + 1;
    let (row, column) = (cell / 3, cell % 3);
    let column = if digits & 1 == 0 { column } else { 2 - column };
    let row = if digits & 2 == 0 { row } else { 2 - row };
    if digits & 4 == 0 { 3 * row + column } else { 3 * column + row }
}

/// Returns the image of `set`; see [`transformed`].
pub(super) fn transformed_set(set: u16, symmetry: usize) -> u16 {
    members(set).map(|cell| 1 << transformed(cell, symmetry)).sum()
}
