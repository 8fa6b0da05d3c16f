//! The positions that a path has passed: none of them may come again.

use crate::tree::{bit_of, is_same_position, position_number};
use std::collections::HashSet;

/// From this many steps on, positions are looked up by their numbers, because almost every hash has come before.
const LONG: usize = 128;

/// The positions on the path of an iteration, and those before the root.
#[derive(Default)]
pub(crate) struct Passed {
    /// A set of hashes. Most positions are new, and their hashes say so.
    hashes: [u64; 4],
    /// The numbers of the positions of a long path, up to the step `noted`.
    numbers: HashSet<u32>,
    noted: usize,
    /// The steps whose action has been linked to its position on this path while visits of it were pending.
    pub linked: Vec<usize>,
}

impl Passed {
    /// Begins a path, after positions with these hashes.
    #[inline(always)]
    pub fn begin(&mut self, earlier: [u64; 4]) {
        self.hashes = earlier;
        if self.noted > 0 {
            self.numbers.clear();
            self.noted = 0;
        }
    }

    /// Adds the hash of the position of a link. Returns whether it was there before.
    #[inline(always)]
    pub fn add(&mut self, link: u32) -> bool {
        let (word, bit) = bit_of(link);
        let word = &mut self.hashes[word];
        let was_there = *word & bit != 0;
        *word |= bit;
        was_there
    }

    /// Returns whether one of the first `steps` of the path leads to the position of `link`. `link_of` returns
    /// the link of a step.
    pub fn has(&mut self, link: u32, steps: usize, link_of: impl Fn(usize) -> u32) -> bool {
        if steps < LONG {
            return (0..steps).any(|step| is_same_position(link_of(step), link));
        }
        self.numbers.extend((self.noted..steps).map(|step| position_number(link_of(step))));
        self.noted = steps;
        self.numbers.contains(&position_number(link))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rng;
    use core::cell::Cell;

    /// Goes down a path with these links, and compares each answer with a search of all steps before. Returns
    /// how many links were looked at.
    fn follow(passed: &mut Passed, links: &[u32]) -> usize {
        let looks = Cell::new(0);
        passed.begin([0; 4]);
        for (steps, &link) in links.iter().enumerate() {
            let link_of = |step: usize| {
                looks.set(looks.get() + 1);
                links[step]
            };
            let is_passed = passed.add(link) && passed.has(link, steps, link_of);
            let before = links[..steps].iter().any(|&before| is_same_position(before, link));
            assert_eq!(is_passed, before, "step {steps}: {link}");
        }
        looks.get()
    }

    #[test]
    fn the_positions_of_a_path_of_any_length_are_known() {
        let (mut passed, mut rng) = (Passed::default(), Rng::seeded(1));
        for trial in 0..200 {
            let length = rng.below(if trial % 2 == 0 { 1_000 } else { LONG });
            let different = 1 + rng.below(2_000);
            let links: Vec<u32> = (0..length).map(|_| 1 + rng.below(different) as u32).collect();
            follow(&mut passed, &links);
        }
    }

    #[test]
    fn each_step_of_a_long_path_is_looked_at_once() {
        let links: Vec<u32> = (1..=10_000).collect();
        let looks = follow(&mut Passed::default(), &links);
        assert!(looks <= LONG * LONG / 2 + links.len(), "{looks} looks");
    }
}
