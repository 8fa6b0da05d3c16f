//! One child of a node, as tree policies see it.

use super::lane::Lane;
use super::layout::{Columns, Offset, Start};
use core::cell::Cell;
use core::marker::PhantomData;

/// One child of a node, as a tree policy sees it: a reference into the tree, read only where it is asked.
///
/// `A` is the game's action, `S` what the tree policy keeps per child.
pub struct Child<'a, A, S> {
    /// Of the block.
    start: Start,
    /// One of its lanes.
    lane: u32,
    /// Where the columns of the actions, the visits and the low words begin: these depend on what is stored for the tree policy.
    columns: [Offset; 3],
    /// What is shown instead of what is stored for the tree policy; if nothing, an `S` is stored.
    instead: Option<S>,
    cells: PhantomData<&'a (Cell<A>, Cell<S>)>,
}

impl<A, S: Copy> Clone for Child<'_, A, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, S: Copy> Copy for Child<'_, A, S> {}

impl<'a, A: Copy, S: Copy> Lane<'a, A, S> {
    /// It, as a tree policy sees it.
    #[inline(always)]
    pub fn shown(self) -> Child<'a, A, S> {
        let columns = [Columns::<A, S>::ACTIONS.0, Columns::<A, S>::VISITS.0, Columns::<A, S>::LOW.0];
        Child { start: self.start, lane: self.lane, columns, instead: None, cells: PhantomData }
    }
}

impl<'a, A: Copy, S: Copy> Child<'a, A, S> {
    /// The same child with `stats` in the place of what is kept for the tree policy: for a policy that shows another one a part
    /// of its own.
    #[inline(always)]
    pub fn with_stats<T: Copy>(self, stats: T) -> Child<'a, A, T> {
        let Child { start, lane, columns, .. } = self;
        Child { start, lane, columns, instead: Some(stats), cells: PhantomData }
    }

    /// What is in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column is of `T`s.
    #[inline(always)]
    unsafe fn read<T: Copy>(self, offset: Offset) -> T {
        // SAFETY: as promised; the lane is one of a block's that lasts as long as `'a` and was begun, so that there is a value.
        unsafe { self.start.at::<Cell<T>>(offset).add(self.lane as usize).as_ref() }.get()
    }

    /// The action that leads to this child.
    #[inline(always)]
    pub fn action(self) -> A {
        // SAFETY: this column is of such cells, and so are the next ones.
        unsafe { self.read(self.columns[0]) }
    }

    /// How many iterations went through this child, *n*, as a number to calculate with. Rounded above 2^24.
    #[inline(always)]
    pub fn visits(self) -> f32 {
        self.visit_count() as i32 as f32 // from a signed number it is one instruction
    }

    /// How many iterations went through this child, exactly.
    #[inline(always)]
    pub fn visit_count(self) -> u32 {
        // SAFETY: as there.
        unsafe { self.read(self.columns[1]) }
    }

    /// The mean reward *Q*, in [0, 1], of the player who chooses this child; 0 before the first visit.
    #[inline(always)]
    pub fn mean(self) -> f32 {
        // SAFETY: as there; this column comes before all that depends on what is stored.
        unsafe { self.read(Columns::<A, S>::MEAN.0) }
    }

    /// The mean reward, or `first_play` before the first visit.
    #[inline(always)]
    pub fn mean_or(self, first_play: f32) -> f32 {
        let mean = self.mean(); // read in any case: a choice between two numbers can be made for all lanes at once
        if self.visit_count() == 0 { first_play } else { mean }
    }

    /// The sum of the rewards, *W*; in multiples of 2^-24, exact up to 2^29 visits.
    pub fn reward_sum(self) -> f64 {
        // SAFETY: as there.
        let low = unsafe { self.read(self.columns[2]) };
        Lane::<A, S>::reward_sum(self.visit_count(), self.mean(), low)
    }

    /// What the tree policy keeps of this child.
    #[inline(always)]
    pub fn stats(self) -> S {
        match self.instead {
            Some(stats) => stats,
            // SAFETY: an `S` is stored, so this column is of such cells.
            None => unsafe { self.read(Columns::<A, S>::STATS.0) },
        }
    }
}
