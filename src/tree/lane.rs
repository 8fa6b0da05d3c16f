//! One lane of a block, where a child is stored, and the arithmetic of its mean.

use super::layout::{Columns, Offset, Start};
use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// The value of a reward of 1 in the fixed-point sums: rewards are counted in units of 2^-24.
const ONE: f64 = (1 << 24) as f64;

/// Added to a number from 0 to 2^51, this leaves the nearest whole number in the low bits: a quick conversion.
const SHIFT: f64 = (1u64 << 52) as f64;

/// The nearest whole number, and its low bits: of a number from 0 to 2^51.
#[inline(always)]
fn whole(number: f64) -> (f64, u32) {
    let shifted = number + SHIFT;
    (shifted - SHIFT, shifted.to_bits() as u32)
}

/// So many visits are few: as an `f32` they are exact, and sums of so many rewards are below 2^51 units.
const FEW: u32 = 1 << 24;

/// One child of a node where it is stored: a reference into the tree, read only where it is asked.
///
/// `A` is the game's action, `S` what the tree policy keeps per child.
pub(crate) struct Lane<'a, A, S> {
    /// Of the block.
    pub(super) start: Start,
    /// One of its lanes.
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
    /// A block that lasts as long as `'a` begins at `start`, and has such a lane.
    #[inline(always)]
    pub(super) unsafe fn new(start: Start, lane: u32) -> Self {
        Lane { start, lane, cells: PhantomData }
    }

    /// Takes the reward of the latest of so many visits into the mean.
    #[inline(always)]
    pub(super) fn record(self, visits: u32, reward: f32) {
        let (reward, units) = whole(f64::from(reward) * ONE);
        let sum = self.sum(visits.wrapping_sub(1)) + reward;
        let low = self.low();
        low.set(low.get().wrapping_add(units));
        // Few visits are divided by in single precision, which is quicker; that rounds twice.
        self.means().set(if visits < FEW {
            sum as f32 / (visits as i32 as f32 * ONE as f32)
        } else {
            (sum / (f64::from(visits) * ONE)) as f32
        });
    }

    /// Makes `mean` the mean of so many visits, and their sum what goes with it.
    #[inline(always)]
    pub(super) fn settle(self, visits: u32, mean: f32) {
        self.means().set(mean);
        self.low().set(Self::low_word(visits, mean).1);
    }

    /// What the rounded `mean` of `visits` rewards says of their sum: near which whole number it is, and the low word of that.
    #[inline(always)]
    fn low_word(visits: u32, mean: f32) -> (f64, u32) {
        let near = f64::from(mean) * f64::from(visits) * ONE;
        if visits < FEW {
            whole(near)
        } else {
            (near.round_ties_even(), near.round_ties_even() as u64 as u32)
        }
    }

    /// The address of its place in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column is of `T`s.
    #[inline(always)]
    pub(super) unsafe fn address<T>(self, offset: Offset) -> NonNull<T> {
        // SAFETY: the lane is one of the block's, and so lies in it; see `Block::at`.
        unsafe { self.start.at::<T>(offset).add(self.lane as usize) }
    }

    /// Its place in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column is of `T`s.
    #[inline(always)]
    pub(super) unsafe fn cell<T>(self, offset: Offset) -> &'a Cell<T> {
        // SAFETY: as promised; and the block was begun, so that there is a value.
        unsafe { self.address::<Cell<T>>(offset).as_ref() }
    }

    #[inline(always)]
    pub(super) fn means(self) -> &'a Cell<f32> {
        // SAFETY: this column is of such cells; and so in the next ones.
        unsafe { self.cell(Columns::<A, S>::MEAN.0) }
    }

    #[inline(always)]
    pub(super) fn stats_cell(self) -> &'a Cell<S> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::STATS.0) }
    }

    #[inline(always)]
    pub(super) fn links(self) -> &'a Cell<u32> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::LINKS.0) }
    }

    #[inline(always)]
    pub(super) fn counts(self) -> &'a Cell<u32> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::VISITS.0) }
    }

    #[inline(always)]
    pub(super) fn low(self) -> &'a Cell<u32> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::LOW.0) }
    }

    #[inline(always)]
    pub(super) fn actions(self) -> &'a Cell<A> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::ACTIONS.0) }
    }

    /// The sum of the rewards of `visits` visits, in units of 2^-24: exact while it is below 2^53, and rounded to a
    /// double above.
    ///
    /// The rounded mean tells it to within `visits` units, and the low word says which of the numbers 2^32 apart
    /// it is; so no reward is lost in up to 2^31 visits.
    #[inline(always)]
    fn sum(self, visits: u32) -> f64 {
        let (near, low) = Self::low_word(visits, self.mean());
        near + f64::from(self.low().get().wrapping_sub(low) as i32)
    }

    /// The sum of the rewards of a child with these visits, this mean and this low word, in multiples of 2^-24.
    #[inline(always)]
    pub(super) fn reward_sum(visits: u32, mean: f32, low: u32) -> f64 {
        let (near, word) = Self::low_word(visits, mean);
        (near + f64::from(low.wrapping_sub(word) as i32)) / ONE
    }

    /// Where the action that leads to this child is stored.
    #[inline(always)]
    pub fn action_cell(self) -> &'a Cell<A> {
        self.actions()
    }

    /// The action that leads to this child.
    #[inline(always)]
    pub fn action(self) -> A {
        self.actions().get()
    }

    /// How many iterations went through this child.
    #[inline(always)]
    pub fn visit_count(self) -> u32 {
        self.counts().get()
    }

    /// The mean reward of the player who chooses this child; 0 before the first visit.
    #[inline(always)]
    pub fn mean(self) -> f32 {
        self.means().get()
    }

    /// What the tree policy keeps of this child.
    #[inline(always)]
    pub fn stats(self) -> S {
        self.stats_cell().get()
    }
}
