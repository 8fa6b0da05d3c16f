//! A place, where a child is stored: the operations of the search on a node.

use super::lane::Lane;
use super::layout::{Columns, Head, Offset, Start};
use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// The place where a child is stored: a node, seen from its parent.
pub(crate) struct Place<'t, A, P, B> {
    child: Lane<'t, A, P>,
    kept: PhantomData<&'t Cell<B>>,
}

impl<A, P, B> Clone for Place<'_, A, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, P, B> Copy for Place<'_, A, P, B> {}

impl<'t, A: Copy, P: Copy + Default, B: Copy + Default> Place<'t, A, P, B> {
    const KEPT: Offset = Columns::<A, P>::kept::<B>().0;

    #[inline(always)]
    pub(super) fn new(child: Lane<'t, A, P>) -> Self {
        Place { child, kept: PhantomData }
    }

    #[inline(always)]
    pub fn child(self) -> Lane<'t, A, P> {
        self.child
    }

    #[inline(always)]
    fn head(self) -> &'t Head {
        // SAFETY: the block of the child lives for `'t`.
        unsafe { self.child.start.head() }
    }

    #[inline(always)]
    fn kept(self) -> &'t Cell<B> {
        // SAFETY: this column holds this type.
        unsafe { self.child.cell(Self::KEPT) }
    }

    /// Returns the last block of this node's children.
    #[inline(always)]
    pub fn link(self) -> u32 {
        self.child.links().get()
    }

    #[inline(always)]
    pub fn set_link(self, link: u32) {
        self.child.links().set(link);
    }

    /// Returns whether the node is closed: its reward is proven, or bounds have cut it off.
    #[inline(always)]
    pub fn is_closed(self) -> bool {
        self.head().closed.get() >> self.child.lane & 1 != 0
    }

    pub fn close(self) {
        self.head().closed.set(self.head().closed.get() | 1 << self.child.lane);
    }

    #[inline(always)]
    pub fn backprop(self) -> B {
        self.kept().get()
    }

    #[inline(always)]
    pub fn set_backprop(self, stats: B) {
        self.kept().set(stats);
    }

    #[inline(always)]
    pub fn set_stats(self, stats: P) {
        self.child.stats_cell().set(stats);
    }

    /// Counts a visit and returns the new count.
    #[inline(always)]
    pub fn count_visit(self) -> u32 {
        let visits = self.child.visit_count() + 1;
        self.child.counts().set(visits);
        if visits == 1 {
            self.head().count_visited();
        }
        visits
    }

    /// Adds a reward to the mean; `visits` is the number of visits including this one.
    #[inline(always)]
    pub fn record(self, visits: u32, reward: f32) {
        self.child.record(visits, reward);
    }

    /// Sets the mean of `visits` visits to `mean`.
    #[inline(always)]
    pub fn record_with_mean(self, visits: u32, mean: f32) {
        self.child.record_with_mean(visits, mean);
    }

    /// Initializes a place without a child, with `any` as a placeholder action, whatever was there before.
    #[inline(always)]
    pub(super) fn begin(self, any: A) {
        // SAFETY: the columns hold these types.
        unsafe {
            self.child.address::<f32>(Columns::<A, P>::MEAN.0).write(0.0);
            self.child.address::<P>(Columns::<A, P>::STATS.0).write(P::default());
            self.child.address::<u32>(Columns::<A, P>::LINKS.0).write(super::NONE);
            self.child.address::<A>(Columns::<A, P>::ACTIONS.0).write(any);
            self.child.address::<u32>(Columns::<A, P>::VISITS.0).write(0);
            self.child.address::<u32>(Columns::<A, P>::LOW.0).write(0);
            self.child.address::<B>(Self::KEPT).write(B::default());
        }
    }

    /// Makes this a place that was visited once, with the reward `mean`, whatever was there before.
    pub(super) fn pretend(self, action: A, mean: f32, stats: P) {
        self.begin(action);
        self.child.counts().set(1);
        self.record(1, mean);
        self.set_stats(stats);
    }

    /// Copies `other` except for its action and its link.
    #[inline(always)]
    pub(super) fn copy(self, other: Self) {
        self.child.means().set(other.child.mean());
        self.set_stats(other.child.stats());
        self.child.counts().set(other.child.visit_count());
        self.child.low().set(other.child.low().get());
        self.set_backprop(other.backprop());
    }

    /// Copies `other` except for its action and its link. This place must be the root's.
    pub fn become_copy(self, other: Self) {
        self.copy(other);
        self.head().lanes.set(if other.child.visit_count() == 0 { 1 } else { 1 | 16 });
        self.head().closed.set(u8::from(other.is_closed()));
    }

    /// Makes the node unvisited. This place must be the root's.
    pub fn reset(self) {
        self.begin(self.child.action());
        self.head().lanes.set(1);
        self.head().closed.set(0);
    }
}

/// A [`Place`] packed for a path: two numbers, which are written as fast as one.
pub(crate) struct PackedPlace<'t, A, P, B> {
    /// The address of the block, plus one if the block is large.
    start: NonNull<u8>,
    lane: u32,
    place: PhantomData<Place<'t, A, P, B>>,
}

impl<A, P, B> Clone for PackedPlace<'_, A, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, P, B> Copy for PackedPlace<'_, A, P, B> {}

impl<'t, A: Copy, P: Copy + Default, B: Copy + Default> PackedPlace<'t, A, P, B> {
    #[inline(always)]
    pub fn new(place: Place<'t, A, P, B>) -> Self {
        let Lane { start, lane, .. } = place.child;
        // SAFETY: a block has more than one byte.
        PackedPlace { start: unsafe { start.address.add(start.is_large as usize) }, lane, place: PhantomData }
    }

    #[inline(always)]
    pub fn get(self) -> Place<'t, A, P, B> {
        let is_large = self.start.addr().get() & 1; // blocks have even addresses
        // SAFETY: this reverses the addition in `new`.
        let start = Start { address: unsafe { self.start.sub(is_large) }, is_large: is_large as u32 };
        // SAFETY: this is the block and the lane of the place given to `new`.
        Place::new(unsafe { Lane::new(start, self.lane) })
    }
}
