//! A lane of a block, where a child is stored, and the arithmetic of its mean.

use super::layout::{Columns, Offset, Start};
use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// The value of a reward of 1 in the fixed-point sums. Their unit is 2^-24.
const ONE: f64 = (1 << 24) as f64;

/// Adding this to a number from 0 to 2^51 leaves the nearest integer in the low bits. This is a fast conversion.
const SHIFT: f64 = (1u64 << 52) as f64;

/// Returns the nearest integer and its low bits, for a number from 0 to 2^51.
#[inline(always)]
fn whole(number: f64) -> (f64, u32) {
    let shifted = number + SHIFT;
    (shifted - SHIFT, shifted.to_bits() as u32)
}

/// Below this many visits, the count is exact as an `f32`, and the sum of the rewards is below 2^51 units.
const FEW: u32 = 1 << 24;

/// A child of a node, where it is stored. This is a reference into the tree; each method reads only what it needs.
///
/// `A` is the game's action; `S` is what the tree policy stores per child.
pub(crate) struct Lane<'a, A, S> {
    /// The block.
    pub(super) start: Start,
    /// The lane in the block.
    pub(super) lane: u32,
    cells: PhantomData<&'a (Cell<A>, Cell<S>)>,
}

impl<A, S> Clone for Lane<'_, A, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, S> Copy for Lane<'_, A, S> {}

impl<'a, A: Copy, S: Copy> Lane<'a, A, S> {
    /// # Safety
    ///
    /// The block at `start` must live for `'a` and have this lane.
    #[inline(always)]
    pub(super) unsafe fn new(start: Start, lane: u32) -> Self {
        Lane { start, lane, cells: PhantomData }
    }

    /// Adds a reward to the mean; `visits` is the number of visits including this one.
    #[inline(always)]
    pub(super) fn record(self, visits: u32, reward: f32) {
        let (reward, units) = whole(f64::from(reward) * ONE);
        let sum = self.sum(visits.wrapping_sub(1)) + reward;
        let low = self.low();
        low.set(low.get().wrapping_add(units));
        // With few visits, the division is in single precision. This is faster, but rounds twice.
        self.means().set(if visits < FEW {
            sum as f32 / (visits as i32 as f32 * ONE as f32)
        } else {
            (sum / (f64::from(visits) * ONE)) as f32
        });
    }

    /// Sets the mean of `visits` visits to `mean`, and their sum to match.
    #[inline(always)]
    pub(super) fn record_with_mean(self, visits: u32, mean: f32) {
        self.means().set(mean);
        self.low().set(Self::low_word(visits, mean).1);
    }

    /// Returns what the rounded `mean` of `visits` rewards says about their sum: the nearest integer in units of
    /// 2^-24, and its low word.
    #[inline(always)]
    fn low_word(visits: u32, mean: f32) -> (f64, u32) {
        let near = f64::from(mean) * f64::from(visits) * ONE;
        if visits < FEW {
            whole(near)
        } else {
            (near.round_ties_even(), near.round_ties_even() as u64 as u32)
        }
    }

    /// Returns the address of the child's entry in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column must hold values of type `T`.
    #[inline(always)]
    pub(super) unsafe fn address<T>(self, offset: Offset) -> NonNull<T> {
        // SAFETY: the block has this lane, so its entry is inside the block; see `Block::at`.
        unsafe { self.start.at::<T>(offset).add(self.lane as usize) }
    }

    /// Returns the child's entry in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column must hold values of type `T`.
    #[inline(always)]
    pub(super) unsafe fn cell<T>(self, offset: Offset) -> &'a Cell<T> {
        // SAFETY: the caller promises the type. The block was initialized, so there is a value.
        unsafe { self.address::<Cell<T>>(offset).as_ref() }
    }

    #[inline(always)]
    pub(super) fn means(self) -> &'a Cell<f32> {
        // SAFETY: this column holds this type, and so do the columns below.
        unsafe { self.cell(Columns::<A, S>::MEAN.0) }
    }

    #[inline(always)]
    pub(super) fn stats_cell(self) -> &'a Cell<S> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, S>::STATS.0) }
    }

    #[inline(always)]
    pub(super) fn links(self) -> &'a Cell<u32> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, S>::LINKS.0) }
    }

    #[inline(always)]
    pub(super) fn counts(self) -> &'a Cell<u32> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, S>::VISITS.0) }
    }

    #[inline(always)]
    pub(super) fn low(self) -> &'a Cell<u32> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, S>::LOW.0) }
    }

    #[inline(always)]
    pub(super) fn actions(self) -> &'a Cell<A> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, S>::ACTIONS.0) }
    }

    /// Returns the sum of the rewards of `visits` visits, in units of 2^-24. It is exact below 2^53, and rounded to a
    /// double above.
    ///
    /// The rounded mean gives the sum to within `visits` units, and the low word selects one of the candidates, which
    /// are 2^32 apart. So no reward is lost in up to 2^31 visits.
    #[inline(always)]
    fn sum(self, visits: u32) -> f64 {
        let (near, low) = Self::low_word(visits, self.mean());
        near + f64::from(self.low().get().wrapping_sub(low) as i32)
    }

    /// Returns the sum of the rewards of a child with these visits, this mean and this low word, in multiples of
    /// 2^-24.
    #[inline(always)]
    pub(super) fn reward_sum(visits: u32, mean: f32, low: u32) -> f64 {
        let (near, word) = Self::low_word(visits, mean);
        (near + f64::from(low.wrapping_sub(word) as i32)) / ONE
    }

    /// Returns the cell with the action that leads to this child.
    #[inline(always)]
    pub fn action_cell(self) -> &'a Cell<A> {
        self.actions()
    }

    /// Returns the action that leads to this child.
    #[inline(always)]
    pub fn action(self) -> A {
        self.actions().get()
    }

    /// Returns how many iterations went through this child.
    #[inline(always)]
    pub fn visit_count(self) -> u32 {
        self.counts().get()
    }

    /// Returns the mean reward of the player who chooses this child; 0 before the first visit.
    #[inline(always)]
    pub fn mean(self) -> f32 {
        self.means().get()
    }

    /// Returns what the tree policy stores for this child.
    #[inline(always)]
    pub fn stats(self) -> S {
        self.stats_cell().get()
    }
}
