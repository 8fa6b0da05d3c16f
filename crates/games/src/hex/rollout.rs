//! Computes the winner of a random game without playing it.
//!
//! A full board has exactly one winner, and a player who has joined the two sides stays the winner, whatever
//! actions follow. So the winner of a random game is the winner of the board filled at random, with each
//! player getting as many of the free cells as they have turns left.

use super::MAX_SIZE;
use super::rows::Rows;
use ramure::Rng;

/// Returns whether `stones`, together with a uniformly random set of `count` free cells, join row 1 to the
/// last row.
pub(super) fn joins_when_filled(stones: &Rows, free: &Rows, count: u32, size: u8, rng: &mut Rng) -> bool {
    joins(&stones.union(&drawn(free, count, size, rng)), size)
}

/// Draws a uniformly random set of `count` of these cells; there must be at least that many.
///
/// First a random bit decides on each cell. Then single cells are added or removed until the number is right.
/// Neither step prefers any cell.
#[inline(always)]
fn drawn(cells: &Rows, count: u32, size: u8, rng: &mut Rng) -> Rows {
    let mut drawn = Rows::none();
    let (mut all, mut have) = (0, 0);
    for row in (1..=size).step_by(2) {
        // Two rows at a time; there is one spare row below the last.
        let both = |rows: &Rows| u64::from(rows.in_row(row)) | u64::from(rows.in_row(row + 1)) << 32;
        let bits = both(cells) & rng.bits();
        drawn.set_row(row, bits as u32);
        drawn.set_row(row + 1, (bits >> 32) as u32);
        all += both(cells).count_ones();
        have += bits.count_ones();
    }
    while have > count {
        let (row, column) = any(size, rng, |row, column| drawn.holds(row, column));
        drawn.remove(row, column);
        have -= 1;
    }
    while have < count.min(all) {
        let (row, column) =
            any(size, rng, |row, column| cells.holds(row, column) && !drawn.holds(row, column));
        drawn.insert(row, column);
        have += 1;
    }
    drawn
}

/// Returns a random cell among those that are `wanted`; there must be one.
#[inline(always)]
fn any(size: u8, rng: &mut Rng, wanted: impl Fn(u8, u8) -> bool) -> (u8, u8) {
    loop {
        // The row and the column are the first two digits of a random fraction, to base `size`.
        let row = u128::from(rng.bits()) * u128::from(size);
        let column = u128::from(row as u64) * u128::from(size);
        let cell = ((row >> 64) as u8 + 1, (column >> 64) as u8 + 1);
        if wanted(cell.0, cell.1) {
            return cell;
        }
    }
}

/// Returns whether these stones join row 1 to the last row. The stones connected to row 1 are swept down the
/// rows and up again until none is added.
fn joins(stones: &Rows, size: u8) -> bool {
    let mut reached = [0u32; MAX_SIZE as usize + 2];
    reached[1] = stones.in_row(1);
    let last = usize::from(size);
    loop {
        let mut more = false;
        for row in 2..=last {
            let above = reached[row - 1];
            more |= spread(&mut reached[row], above | above >> 1, stones.in_row(row as u8));
        }
        if !more || reached[last] != 0 {
            return reached[last] != 0;
        }
        more = false;
        for row in (1..last).rev() {
            let below = reached[row + 1];
            more |= spread(&mut reached[row], below | below << 1, stones.in_row(row as u8));
        }
        if !more {
            return false;
        }
    }
}

/// Adds to `reached` the runs of stones in a row that `neighbours` touch. Returns whether any stone was
/// added.
#[inline(always)]
fn spread(reached: &mut u32, neighbours: u32, stones: u32) -> bool {
    let seeds = (neighbours | *reached) & stones;
    // To the right by the carry of an addition, to the left in steps of 1, 2, 4. The steps of 8 and 16 are
    // for nine stones in a row, which are rare.
    let right = (stones.wrapping_add(seeds) ^ stones) & stones;
    let (mut left, mut through) = (seeds, stones);
    for step in [1, 2, 4] {
        left |= through & left >> step;
        through &= through >> step;
    }
    if through != 0 {
        for step in [8, 16] {
            left |= through & left >> step;
            through &= through >> step;
        }
    }
    let spread = left | right;
    let more = spread != *reached;
    *reached = spread;
    more
}

#[cfg(test)]
mod tests {
    use super::{drawn, joins, spread};
    use crate::hex::rows::Rows;
    use ramure::Rng;

    #[test]
    fn a_run_is_reached_from_any_of_its_stones() {
        let mut rng = Rng::seeded(1);
        for _ in 0..10_000 {
            let stones = rng.bits() as u32 & ((1 << 20) - 2);
            let seeds = rng.bits() as u32 & rng.bits() as u32;
            let mut expected = seeds & stones;
            for _ in 0..20 {
                expected |= (expected << 1 | expected >> 1) & stones;
            }
            let mut reached = 0;
            assert_eq!(spread(&mut reached, seeds, stones), expected != 0);
            assert_eq!(reached, expected, "{stones:b} {seeds:b}");
        }
    }

    #[test]
    fn joining_sides_agrees_with_a_flood_fill() {
        let mut rng = Rng::seeded(2);
        for size in [2, 3, 5, 11, 19] {
            let all = Rows::full(size);
            let half = u32::from(size).pow(2).div_ceil(2);
            let joined = (0..500).filter(|_| {
                let stones = drawn(&all, half, size, &mut rng);
                assert_eq!(stones.cells().count(), half as usize);
                let flooded = Rows::row(1, stones.in_row(1)).flooded(&stones);
                assert_eq!(joins(&stones, size), flooded.in_row(size) != 0);
                joins(&stones, size)
            });
            // About half of them are joined.
            assert!((100..400).contains(&joined.count()));
        }
    }

    #[test]
    fn no_cell_is_drawn_where_none_is_wanted() {
        let mut rng = Rng::seeded(3);
        assert!((0..100).all(|_| drawn(&Rows::full(2), 0, 2, &mut rng).cells().next().is_none()));
    }

    /// All 126 sets of 4 of 9 cells are equally likely. Chi-squared with 125 degrees of freedom exceeds 125 +
    /// 2 sqrt(125 t) + 2 t with a probability below exp(-t) = 2e-9 for t = 20 (Laurent and Massart 2000).
    #[test]
    fn drawn_sets_are_equally_likely() {
        let mut rng = Rng::seeded(3);
        let mut counts = std::collections::HashMap::new();
        let draws = 126 * 200;
        for _ in 0..draws {
            *counts.entry(Vec::from_iter(drawn(&Rows::full(3), 4, 3, &mut rng).cells())).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 126);
        let excess: f64 = counts
            .values()
            .map(|&count| (f64::from(count) - 200.0) * (f64::from(count) - 200.0) / 200.0)
            .sum();
        assert!(excess < 125.0 + 2.0 * (125.0f64 * 20.0).sqrt() + 40.0, "{excess}");
    }
}
