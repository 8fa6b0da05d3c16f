//! UCT for Hex on 11x11 only, written for speed: what a search without a framework can reach.
//!
//! The children of a node lie side by side, a column for each statistic, so the best of 121 is found eight at
//! a time. A rollout fills the board by bits, and looks once for the winner. Sums of rewards are whole
//! numbers, so means do not drift. More than 2^32 visits, a memory limit, errors and reports are not
//! supported.

use std::arch::x86_64::_pdep_u64;

pub const SIZE: usize = 11;
const CELLS: usize = SIZE * SIZE;
const ALL: u128 = (1 << CELLS) - 1;
const TOP: u128 = (1 << SIZE) - 1;
const LEFT: u128 = column(0);
const RIGHT: u128 = column(SIZE - 1);

const fn column(column: usize) -> u128 {
    let (mut cells, mut row) = (0, 0);
    while row < SIZE {
        cells |= 1 << (row * SIZE + column);
        row += 1;
    }
    cells
}

/// Wyrand, a generator of one word.
struct Generator(u64);

impl Generator {
    #[inline(always)]
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    #[inline(always)]
    fn below(&mut self, end: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(end)) >> 32) as u32
    }
}

/// Returns the set of the `n`-th of these cells.
#[inline]
#[target_feature(enable = "bmi2")]
fn nth(cells: u128, n: u32) -> u128 {
    let (low, high) = (cells as u64, (cells >> 64) as u64);
    let in_low = low.count_ones();
    if n < in_low {
        u128::from(_pdep_u64(1 << n, low))
    } else {
        u128::from(_pdep_u64(1 << (n - in_low), high)) << 64
    }
}

/// Draws a random set of `count` of these cells: a random bit for each, and then corrections.
#[inline]
#[target_feature(enable = "bmi2")]
fn drawn(cells: u128, count: u32, rng: &mut Generator) -> u128 {
    let mut drawn = (u128::from(rng.bits()) << 64 | u128::from(rng.bits())) & cells;
    let (all, mut have) = (cells.count_ones(), drawn.count_ones());
    while have > count {
        drawn &= !nth(drawn, rng.below(have));
        have -= 1;
    }
    while have < count {
        drawn |= nth(cells & !drawn, rng.below(all - have));
        have += 1;
    }
    drawn
}

/// Returns the stones of a row that are joined to the seeds.
#[inline(always)]
fn spread(stones: u32, seeds: u32) -> u32 {
    let right = (stones.wrapping_add(seeds) ^ stones) & stones;
    let (mut left, mut through) = (seeds, stones);
    for step in [1, 2, 4] {
        left |= through & left >> step;
        through &= through >> step;
    }
    if through != 0 {
        left |= through & left >> 8;
    }
    left | right
}

/// Returns whether these stones join the first row to the last.
#[inline]
fn joins_rows(stones: u128) -> bool {
    let rows: [u32; SIZE] = std::array::from_fn(|row| (stones >> (row * SIZE)) as u32 & TOP as u32);
    let mut joined = [0; SIZE];
    joined[0] = rows[0];
    loop {
        let mut more = false;
        for row in 1..SIZE {
            let seeds = rows[row] & (joined[row - 1] | joined[row - 1] >> 1 | joined[row]);
            let now = spread(rows[row], seeds);
            more |= now != joined[row];
            joined[row] = now;
        }
        if joined[SIZE - 1] != 0 || !more {
            return joined[SIZE - 1] != 0;
        }
        more = false;
        for row in (0..SIZE - 1).rev() {
            let seeds = rows[row] & (joined[row + 1] | joined[row + 1] << 1 | joined[row]);
            let now = spread(rows[row], seeds);
            more |= now != joined[row];
            joined[row] = now;
        }
        if !more {
            return false;
        }
    }
}

/// Returns whether these stones join the first column to the last: a flood, for stones in the tree.
#[cold]
fn joins_columns(stones: u128) -> bool {
    let mut joined = stones & LEFT;
    loop {
        let rightwards = (joined & !RIGHT) << 1 | (joined & !LEFT) << (SIZE - 1);
        let leftwards = (joined & !LEFT) >> 1 | (joined & !RIGHT) >> (SIZE - 1);
        let next = (joined | joined << SIZE | joined >> SIZE | rightwards | leftwards) & stones;
        if next & RIGHT != 0 || next == joined {
            return next & RIGHT != 0;
        }
        joined = next;
    }
}

/// A position. Player 0 joins the rows, player 1 the columns.
#[derive(Clone, Copy)]
pub struct Board {
    stones: [u128; 2],
    player: usize,
}

impl Board {
    pub const fn new() -> Self {
        Board { stones: [0; 2], player: 0 }
    }

    #[inline(always)]
    fn free(&self) -> u128 {
        ALL & !(self.stones[0] | self.stones[1])
    }

    #[inline(always)]
    pub fn place(&mut self, cell: u32) {
        self.stones[self.player] |= 1 << cell;
        self.player ^= 1;
    }

    /// Returns whether the player who has just placed a stone has won.
    #[inline(always)]
    pub fn is_won(&self) -> bool {
        let player = self.player ^ 1;
        let stones = self.stones[player];
        stones.count_ones() >= SIZE as u32
            && if player == 0 { joins_rows(stones) } else { joins_columns(stones) }
    }

    /// Plays to the end at random and returns the winner.
    #[inline]
    #[target_feature(enable = "bmi2")]
    fn random_winner(&self, rng: &mut Generator) -> usize {
        let free = self.free();
        let of_first = if self.player == 0 { free.count_ones().div_ceil(2) } else { free.count_ones() / 2 };
        usize::from(!joins_rows(self.stones[0] | drawn(free, of_first, rng)))
    }
}

/// The columns of a family after its header, each with `capacity` words.
const MEAN: usize = 0;
/// One divided by the root of the visits.
const WIDTH: usize = 1;
const VISITS: usize = 2;
const WINS: usize = 3;
/// The family of the child: none yet, or [`OVER`].
const LINK: usize = 4;
const CELL: usize = 5;
const COLUMNS: usize = 6;
/// The header: the number of children, the capacity, and the cells tried, in four words.
const HEADER: usize = 8;
const OVER: u32 = u32::MAX;
const LANES: usize = 8;

/// All families, one after the other in a list of words. Word 0 is unused, so no family has link 0.
struct Families {
    words: Vec<u32>,
    /// Families that have moved, by the logarithm of the capacity.
    free: [Vec<u32>; 8],
}

impl Families {
    fn new() -> Self {
        Families { words: vec![0; LANES], free: Default::default() }
    }

    fn create(&mut self, capacity: usize) -> u32 {
        let at = self.free[capacity.ilog2() as usize].pop().unwrap_or_else(|| {
            let at = self.words.len();
            self.words.resize(at + HEADER + COLUMNS * capacity, 0);
            u32::try_from(at).expect("16 GiB of words")
        });
        let family = &mut self.words[at as usize..][..HEADER + COLUMNS * capacity];
        family.fill(0);
        family[1] = capacity as u32;
        family[HEADER..][..capacity].fill(f32::NEG_INFINITY.to_bits());
        at
    }

    #[inline(always)]
    fn tried(&self, family: u32) -> u128 {
        let words = &self.words[family as usize + 4..][..4];
        (0..4).fold(0, |cells, word| cells | u128::from(words[word]) << (32 * word))
    }

    /// The place of a column of a child.
    #[inline(always)]
    fn place(&self, family: u32, column: usize, child: usize) -> usize {
        let family = family as usize;
        family + HEADER + column * self.words[family + 1] as usize + child
    }

    /// Adds a child. Returns the family, which may have moved, and the child.
    #[inline]
    fn push(&mut self, family: u32, cell: u32) -> (u32, usize) {
        let [children, capacity] = [0, 1].map(|word| self.words[family as usize + word] as usize);
        let family = if children == capacity { self.doubled(family, capacity) } else { family };
        let at = family as usize;
        self.words[at] += 1;
        self.words[at + 4 + cell as usize / 32] |= 1 << (cell % 32);
        let place = self.place(family, CELL, children);
        self.words[place] = cell;
        (family, children)
    }

    #[inline(never)]
    fn doubled(&mut self, old: u32, capacity: usize) -> u32 {
        let new = self.create(2 * capacity);
        let (from, to) = (old as usize, new as usize);
        self.words[to] = self.words[from];
        self.words.copy_within(from + 4..from + HEADER, to + 4);
        for column in 0..COLUMNS {
            let begin = from + HEADER + column * capacity;
            self.words.copy_within(begin..begin + capacity, to + HEADER + 2 * column * capacity);
        }
        self.free[capacity.ilog2() as usize].push(old);
        new
    }

    /// Returns the child with the greatest `mean + factor * width`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn best(&self, family: u32, factor: f32) -> usize {
        let capacity = self.words[family as usize + 1] as usize;
        let columns = &self.words[family as usize + HEADER..][..2 * capacity];
        let (means, widths) = columns.split_at(capacity);
        let (mut greatest, mut best) = ([f32::NEG_INFINITY; LANES], [0u32; LANES]);
        let blocks = means.as_chunks::<LANES>().0.iter().zip(widths.as_chunks::<LANES>().0);
        for (block, (means, widths)) in blocks.enumerate() {
            for lane in 0..LANES {
                let value = f32::from_bits(means[lane]) + factor * f32::from_bits(widths[lane]);
                let better = value > greatest[lane];
                greatest[lane] = if better { value } else { greatest[lane] };
                best[lane] = if better { block as u32 } else { best[lane] };
            }
        }
        let mut winner = 0;
        for lane in 1..LANES {
            if greatest[lane] > greatest[winner] {
                winner = lane;
            }
        }
        best[winner] as usize * LANES + winner
    }

    #[inline(always)]
    fn record(&mut self, family: u32, child: usize, won: bool) -> u32 {
        let capacity = self.words[family as usize + 1] as usize;
        let columns = &mut self.words[family as usize + HEADER + child..][..WINS * capacity + 1];
        columns[VISITS * capacity] += 1;
        columns[WINS * capacity] += u32::from(won);
        let (visits, wins) = (columns[VISITS * capacity] as f32, columns[WINS * capacity] as f32);
        let width = visits.sqrt().recip();
        columns[WIDTH * capacity] = width.to_bits();
        columns[MEAN * capacity] = (wins * width * width).to_bits();
        columns[VISITS * capacity]
    }
}

/// Searches for this number of iterations, and returns the mean of the best action.
pub fn search(start: Board, c: f32, iterations: u32, seed: u64) -> f32 {
    let features = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt");
    assert!(features, "this program is written for processors with AVX2 and BMI2");
    // SAFETY: the processor has these instructions.
    unsafe { search_by_vectors(start, c, iterations, seed) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn search_by_vectors(start: Board, c: f32, iterations: u32, seed: u64) -> f32 {
    #[expect(clippy::disallowed_methods, reason = "plain code, which may differ between platforms")]
    let factor = |visits: u32| c * (visits.max(1) as f32).ln().sqrt();
    let table = Vec::from_iter((0..1 << 14).map(factor));
    let mut rng = Generator(seed);
    let mut families = Families::new();
    let mut root = families.create(LANES);
    let mut path = Vec::with_capacity(CELLS);
    for iteration in 0..iterations {
        let (mut board, mut family, mut visits) = (start, root, iteration);
        path.clear();
        let winner = loop {
            let untried = board.free() & !families.tried(family);
            if untried != 0 {
                let cell = nth(untried, rng.below(untried.count_ones())).trailing_zeros();
                let (moved, child) = families.push(family, cell);
                if moved != family {
                    match path.last() {
                        Some(&(parent, child)) => {
                            let link = families.place(parent, LINK, child);
                            families.words[link] = moved;
                        }
                        None => root = moved,
                    }
                }
                path.push((moved, child));
                board.place(cell);
                if !board.is_won() {
                    break board.random_winner(&mut rng);
                }
                let link = families.place(moved, LINK, child);
                families.words[link] = OVER;
                break board.player ^ 1;
            }
            let factor = table.get(visits as usize).copied().unwrap_or_else(|| factor(visits));
            let child = families.best(family, factor);
            path.push((family, child));
            board.place(families.words[families.place(family, CELL, child)]);
            visits = families.words[families.place(family, VISITS, child)];
            let link = families.place(family, LINK, child);
            if families.words[link] == OVER {
                break board.player ^ 1;
            }
            if families.words[link] == 0 {
                families.words[link] = families.create(LANES);
            }
            family = families.words[link];
        };
        let mut player = start.player;
        for &(family, child) in &path {
            families.record(family, child, player == winner);
            player ^= 1;
        }
    }
    let visits = |child: &usize| families.words[families.place(root, VISITS, *child)];
    let children = families.words[root as usize] as usize;
    let best = (0..children).max_by_key(visits).expect("at least one iteration");
    f32::from_bits(families.words[families.place(root, MEAN, best)])
}

#[cfg(test)]
mod tests {
    use super::{Board, CELLS, Generator, SIZE};
    use ramure::prelude::*;
    use ramure_games::Hex;
    use ramure_games::hex::{Cell, HexAction};

    /// Random games end when ramure's do.
    #[test]
    fn both_have_the_same_rules() {
        let mut rng = Generator(1);
        for _ in 0..1000 {
            let (mut board, mut hex) = (Board::new(), Hex::new(SIZE as u8).unwrap());
            let mut cells = Vec::from_iter(0..CELLS as u32);
            while hex.turn() != Turn::Over {
                let cell = cells.swap_remove(rng.below(cells.len() as u32) as usize);
                board.place(cell);
                let [row, column] = [cell as usize / SIZE, cell as usize % SIZE].map(|place| place as u8);
                hex.apply(HexAction::Place(Cell::new(row, column).unwrap()));
                assert_eq!(board.is_won(), hex.turn() == Turn::Over);
            }
        }
    }
}
