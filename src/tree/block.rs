//! Eight siblings side by side, and the view of one of them.

use core::array::from_fn;
use core::cell::Cell;

/// Siblings per block.
pub(crate) const LANES: usize = 8;
/// Blocks per family are counted with 15 bits.
pub(super) const MAX_ORDINAL: usize = 1 << 15;

/// The value of a reward of 1 in the fixed-point sums: rewards are counted in units of 2^-24.
const ONE: f64 = (1 << 24) as f64;

/// The statistics, actions and links of eight siblings, a column each; `S` is what the tree policy keeps per child.
///
/// Seen from outside only through [`Child`].
#[repr(C)]
pub struct Columns<A, S> {
    mean: [Cell<f32>; LANES],
    stats: [Cell<S>; LANES],
    links: [Cell<u32>; LANES],
    actions: [A; LANES],
    /// The id of the next block of the family, the first following on the last.
    next: Cell<u32>,
    /// How many lanes hold a child, and in the upper half of the byte how many of these were visited.
    lanes: Cell<u8>,
    /// Children whose result is proven, a bit per lane.
    closed: Cell<u8>,
    /// Which block of the family this is, and in the top bit whether no more will follow.
    place: Cell<u16>,
    visits: [Cell<u32>; LANES],
    /// The sum of the rewards modulo 2^32, in units of 2^-24. With the rounded mean and the visits it gives the sum
    /// itself, so sums are exact and take four bytes.
    low: [Cell<u32>; LANES],
}

/// A block: what tree policies see, and what the backpropagation keeps.
#[repr(C)]
pub(crate) struct Block<A, P, B> {
    pub columns: Columns<A, P>,
    backprop: [Cell<B>; LANES],
}

const COMPLETE: u16 = 1 << 15;

impl<A: Copy, P: Copy + Default, B: Copy + Default> Block<A, P, B> {
    /// A block that is a family of its own. There is at least one action, and at most eight.
    #[inline(always)]
    pub fn new(id: u32, actions: &[A], ordinal: usize) -> Self {
        Block {
            columns: Columns {
                mean: from_fn(|_| Cell::new(0.0)),
                stats: from_fn(|_| Cell::new(P::default())),
                links: from_fn(|_| Cell::new(super::NONE)),
                actions: from_fn(|lane| actions[if lane < actions.len() { lane } else { 0 }]),
                next: Cell::new(id),
                lanes: Cell::new(actions.len() as u8),
                closed: Cell::new(0),
                place: Cell::new(ordinal as u16),
                visits: from_fn(|_| Cell::new(0)),
                low: from_fn(|_| Cell::new(0)),
            },
            backprop: from_fn(|_| Cell::new(B::default())),
        }
    }

    #[inline(always)]
    pub fn next(&self) -> u32 {
        self.columns.next.get()
    }

    #[inline(always)]
    pub fn set_next(&self, id: u32) {
        self.columns.next.set(id);
    }

    /// Empties the block, and puts it before the free block `next`.
    pub fn vacate(&self, next: u32) {
        self.columns.lanes.set(0);
        self.set_next(next);
    }

    #[inline(always)]
    pub fn used(&self) -> usize {
        usize::from(self.columns.lanes.get() & 15)
    }

    /// How many of its children were visited.
    #[inline(always)]
    pub fn visited(&self) -> usize {
        usize::from(self.columns.lanes.get() >> 4)
    }

    #[inline(always)]
    pub fn ordinal(&self) -> usize {
        usize::from(self.columns.place.get() & !COMPLETE)
    }

    /// Whether all children of the family, whose last block this is, are stored and were visited.
    #[inline(always)]
    pub fn is_exhausted(&self) -> bool {
        self.is_complete() && self.visited() == self.used()
    }

    /// Whether no more blocks will follow.
    #[inline(always)]
    pub fn is_complete(&self) -> bool {
        self.columns.place.get() & COMPLETE != 0
    }

    pub fn set_complete(&self) {
        self.columns.place.set(self.columns.place.get() | COMPLETE);
    }

    /// A bit per lane whose result is proven.
    #[inline(always)]
    pub fn closed(&self) -> u8 {
        self.columns.closed.get()
    }

    pub fn close(&self, lane: usize) {
        self.columns.closed.set(self.closed() | 1 << lane);
    }

    #[inline(always)]
    pub fn link(&self, lane: usize) -> u32 {
        self.columns.links[lane].get()
    }

    #[inline(always)]
    pub fn set_link(&self, lane: usize, link: u32) {
        self.columns.links[lane].set(link);
    }

    #[inline(always)]
    pub fn child(&self, lane: usize) -> Child<'_, A, P> {
        Child { columns: &self.columns, lane }
    }

    #[inline(always)]
    pub fn backprop(&self, lane: usize) -> B {
        self.backprop[lane].get()
    }

    #[inline(always)]
    pub fn set_backprop(&self, lane: usize, stats: B) {
        self.backprop[lane].set(stats);
    }

    #[inline(always)]
    pub fn set_stats(&self, lane: usize, stats: P) {
        self.columns.stats[lane].set(stats);
    }

    /// Counts a visit, gives the new count.
    #[inline(always)]
    pub fn count_visit(&self, lane: usize) -> u32 {
        let visits = self.columns.visits[lane].get() + 1;
        self.columns.visits[lane].set(visits);
        if visits == 1 {
            self.columns.lanes.set(self.columns.lanes.get() + 16);
        }
        visits
    }

    /// Takes the reward of the latest of so many visits into the mean.
    #[inline(always)]
    pub fn record(&self, lane: usize, visits: u32, reward: f32) {
        let units = units(f64::from(reward));
        let sum = self.columns.sum(lane, visits.wrapping_sub(1)) + f64::from(units);
        let low = &self.columns.low[lane];
        low.set(low.get().wrapping_add(units));
        self.columns.mean[lane].set((sum / (f64::from(visits) * ONE)) as f32);
    }

    /// Makes the only lane of this block, the root's, what `from` is in `other`, action and link apart.
    pub fn become_copy(&self, other: &Self, from: usize) {
        let (mine, theirs) = (&self.columns, &other.columns);
        mine.mean[0].set(theirs.mean[from].get());
        mine.stats[0].set(theirs.stats[from].get());
        mine.visits[0].set(theirs.visits[from].get());
        mine.low[0].set(theirs.low[from].get());
        mine.lanes.set(if theirs.visits[from].get() == 0 { 1 } else { 1 | 16 });
        mine.closed.set(other.closed() >> from & 1);
        self.backprop[0].set(other.backprop[from].get());
    }

    /// Makes the only lane of this block, the root's, a node never visited.
    pub fn reset(&self) {
        self.become_copy(&Block::new(0, &[self.columns.actions[0]], 0), 0);
        self.set_link(0, super::NONE);
    }
}

impl<A, S> Columns<A, S> {
    /// The sum of the rewards of `visits` visits, in units of 2^-24: exact while it is below 2^53, and rounded to a
    /// double above.
    ///
    /// The rounded mean tells it to within `visits / 2` units, and the low word says which of the numbers 2^32 apart
    /// it is; so no reward is lost in up to 2^31 visits.
    #[inline(always)]
    fn sum(&self, lane: usize, visits: u32) -> f64 {
        let near = f64::from(self.mean[lane].get()) * f64::from(visits) * ONE;
        let (near, low) = if visits < 1 << 27 {
            let shifted = near + SHIFT;
            (shifted - SHIFT, shifted.to_bits() as u32)
        } else {
            (near.round_ties_even(), near.round_ties_even() as u64 as u32)
        };
        near + f64::from(self.low[lane].get().wrapping_sub(low) as i32)
    }
}

/// Added to a number from 0 to 2^51, this leaves the nearest whole number in the low bits: a quick conversion.
const SHIFT: f64 = (1u64 << 52) as f64;

/// A reward in [0, 1] in units of 2^-24.
#[inline(always)]
fn units(reward: f64) -> u32 {
    (reward * ONE + SHIFT).to_bits() as u32
}

/// One child of a node, as a tree policy sees it: a reference into the tree, read only where it is asked.
///
/// `A` is the game's action, `S` what the tree policy keeps per child.
pub struct Child<'a, A, S> {
    columns: &'a Columns<A, S>,
    lane: usize,
}

impl<A, S> Clone for Child<'_, A, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, S> Copy for Child<'_, A, S> {}

impl<'a, A: Copy, S: Copy> Child<'a, A, S> {
    /// The action that leads to this child.
    #[inline(always)]
    pub fn action(self) -> A {
        self.columns.actions[self.lane]
    }

    /// How many iterations went through this child, *n*, as a number to calculate with. Rounded above 2^24.
    #[inline(always)]
    pub fn visits(self) -> f32 {
        self.columns.visits[self.lane].get() as i32 as f32 // from a signed number it is one instruction
    }

    /// How many iterations went through this child, exactly.
    #[inline(always)]
    pub fn visit_count(self) -> u32 {
        self.columns.visits[self.lane].get()
    }

    /// The mean reward *Q*, in [0, 1], of the player who chooses this child; 0 before the first visit.
    #[inline(always)]
    pub fn mean(self) -> f32 {
        self.columns.mean[self.lane].get()
    }

    /// The mean reward, or `first_play` before the first visit.
    #[inline(always)]
    pub fn mean_or(self, first_play: f32) -> f32 {
        if self.visit_count() == 0 { first_play } else { self.mean() }
    }

    /// The sum of the rewards, *W*; in multiples of 2^-24, exact up to 2^29 visits.
    pub fn reward_sum(self) -> f64 {
        self.columns.sum(self.lane, self.visit_count()) / ONE
    }

    /// What the tree policy keeps of this child.
    #[inline(always)]
    pub fn stats(self) -> S {
        self.columns.stats[self.lane].get()
    }
}
