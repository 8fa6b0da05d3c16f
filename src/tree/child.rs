//! A child of a node, as tree policies see it.

use super::layout::{Columns, Offset, Start};
use super::node_mean::reward_sum;
use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;

/// A child of a node, as a tree policy sees it. This is a reference into the tree; each method reads only
/// what it needs.
///
/// `A` is the game's action; `S` is what the tree policy stores per child.
pub struct Child<'a, A, S> {
    /// The block.
    start: Start,
    /// The lane in the block.
    lane: u32,
    /// The offsets of the columns of actions, visits and low words. They depend on the type stored for the
    /// tree policy.
    columns: [Offset; 3],
    /// The statistics to return instead of those stored for the tree policy. If `None`, an `S` is stored.
    instead: Option<S>,
    cells: PhantomData<&'a (Cell<A>, Cell<S>)>,
}

impl<A, S: Copy> Clone for Child<'_, A, S> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, S: Copy> Copy for Child<'_, A, S> {}

impl<A: Clone + fmt::Debug, S: Copy + fmt::Debug> fmt::Debug for Child<'_, A, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Child")
            .field("action", &self.action())
            .field("visits", &self.visit_count())
            .field("mean", &self.mean())
            .field("stats", &self.stats())
            .finish()
    }
}

/// The numbers that a [`Child`] shows, outside of a tree: for a search of the tests that keeps its nodes in a `Vec`. It
/// begins as a small block with one lane does.
#[cfg(test)]
#[repr(C)]
pub(crate) struct Loose<A> {
    head: super::layout::Head,
    pub mean: Cell<f32>,
    pub visits: Cell<u32>,
    pub low: Cell<u32>,
    pub action: A,
}

#[cfg(test)]
impl<A> Loose<A> {
    /// Creates a child without visits.
    pub fn new(action: A) -> Self {
        let head = super::layout::Head::default();
        head.lanes.set(1);
        Loose { head, mean: Cell::new(0.0), visits: Cell::new(0), low: Cell::new(0), action }
    }

    /// Returns the view of this child with these statistics of the tree policy.
    pub fn child<S: Copy>(&self, stats: S) -> Child<'_, A, S> {
        let offset = |bytes| (bytes, bytes);
        let columns = [
            offset(core::mem::offset_of!(Self, action)),
            offset(core::mem::offset_of!(Self, visits)),
            offset(core::mem::offset_of!(Self, low)),
        ];
        const { assert!(core::mem::offset_of!(Self, mean) == Columns::<A, ()>::MEAN.0.0) };
        let address = core::ptr::NonNull::from(self).cast();
        Child {
            start: Start { address, is_large: 0 },
            lane: 0,
            columns,
            instead: Some(stats),
            cells: PhantomData,
        }
    }
}

impl<'a, A: Clone, S: Copy> Child<'a, A, S> {
    /// # Safety
    ///
    /// The block at `start` must live for `'a`, have this lane, and store an `S` for the tree policy.
    #[inline]
    pub(super) unsafe fn new(start: Start, lane: u32) -> Self {
        let columns = [Columns::<A, S>::ACTIONS.0, Columns::<A, S>::VISITS.0, Columns::<A, S>::LOW.0];
        Child { start, lane, columns, instead: None, cells: PhantomData }
    }

    /// Returns the same child with `stats` in place of the tree policy's statistics. A policy uses this to
    /// give an inner policy its part of the statistics.
    #[inline]
    pub(crate) fn with_stats<T: Copy>(self, stats: T) -> Child<'a, A, T> {
        let Child { start, lane, columns, .. } = self;
        Child { start, lane, columns, instead: Some(stats), cells: PhantomData }
    }

    /// Reads the child's entry in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column must hold values of type `T`.
    #[inline]
    unsafe fn read<T: Copy>(self, offset: Offset) -> T {
        // SAFETY: the caller promises the type. The block lives for `'a`, has this lane and was initialized,
        // so there is a value.
        unsafe { self.start.at::<Cell<T>>(offset).add(self.lane as usize).as_ref() }.get()
    }

    /// Returns the action that leads to this child.
    #[inline]
    pub fn action(self) -> A {
        // SAFETY: this column holds this type, and so do the columns below. Until the clone exists, only its
        // own code runs. It can hold a shared reference to a search, but only methods with a unique one write
        // or move actions.
        unsafe { self.start.action::<A>(self.columns[0], self.lane) }.clone()
    }

    /// Returns whether `action` leads to this child. This compares in place, without a clone.
    #[inline]
    pub fn has_action(self, action: &A) -> bool
    where
        A: PartialEq,
    {
        // SAFETY: see `action`.
        unsafe { self.start.action::<A>(self.columns[0], self.lane) == action }
    }

    /// Returns how many iterations went through this child, *n*, as a number to compute with. Rounded above
    /// 2^24.
    #[inline]
    pub fn visits(self) -> f32 {
        self.visit_count() as i32 as f32 // one instruction from a signed number
    }

    /// Returns how many iterations went through this child, exactly.
    #[inline]
    pub(crate) fn visit_count(self) -> u32 {
        // SAFETY: see `action`.
        unsafe { self.read(self.columns[1]) }
    }

    /// Returns the mean reward *Q*, in [0, 1], of the player who chooses this child; 0 before the first
    /// visit.
    #[inline]
    pub fn mean(self) -> f32 {
        // SAFETY: see `action`. This column comes before all columns whose offset depends on the type stored.
        unsafe { self.read(Columns::<A, S>::MEAN.0) }
    }

    /// Returns the mean reward, or `first_play` before the first visit.
    #[inline]
    pub(crate) fn mean_or(self, first_play: f32) -> f32 {
        let mean = self.mean(); // always read, so that the selection can be made for all lanes at once
        if self.visit_count() == 0 { first_play } else { mean }
    }

    /// Returns the sum of the rewards, *W*, in multiples of 2^-24; exact up to 2^29 visits.
    pub fn reward_sum(self) -> f64 {
        // SAFETY: see `action`.
        let low = unsafe { self.read(self.columns[2]) };
        reward_sum(self.visit_count(), self.mean(), low)
    }

    /// Returns what the tree policy stores for this child.
    #[inline]
    pub fn stats(self) -> S {
        match self.instead {
            Some(stats) => stats,
            // SAFETY: an `S` is stored, so this column holds this type.
            None => unsafe { self.read(Columns::<A, S>::STATS.0) },
        }
    }
}
