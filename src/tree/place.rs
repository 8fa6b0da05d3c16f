//! Where a child is stored: what the search does with a node.

use super::lane::Lane;
use super::layout::{Columns, Head, Offset, Start};
use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// Where a child is stored: a node, seen from its parent.
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
        // SAFETY: the block of the child lasts as long as `'t`.
        unsafe { self.child.start.head() }
    }

    #[inline(always)]
    fn kept(self) -> &'t Cell<B> {
        // SAFETY: this column is of such cells.
        unsafe { self.child.cell(Self::KEPT) }
    }

    /// The last block of this node's children.
    #[inline(always)]
    pub fn link(self) -> u32 {
        self.child.links().get()
    }

    #[inline(always)]
    pub fn set_link(self, link: u32) {
        self.child.links().set(link);
    }

    /// Whether its result is proven.
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

    /// Counts a visit, gives the new count.
    #[inline(always)]
    pub fn count_visit(self) -> u32 {
        let visits = self.child.visit_count() + 1;
        self.child.counts().set(visits);
        if visits == 1 {
            self.head().count_visited();
        }
        visits
    }

    /// Takes the reward of the latest of so many visits into the mean.
    #[inline(always)]
    pub fn record(self, visits: u32, reward: f32) {
        self.child.record(visits, reward);
    }

    /// Makes `mean` the mean of so many visits.
    #[inline(always)]
    pub fn settle(self, visits: u32, mean: f32) {
        self.child.settle(visits, mean);
    }

    /// Makes it a place without a child, for an action that means nothing, whatever was there.
    #[inline(always)]
    pub(super) fn begin(self, any: A) {
        // SAFETY: the columns are of such numbers.
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

    /// Makes it a place that was visited once, with the reward `mean`, whatever was there.
    pub(super) fn pretend(self, action: A, mean: f32, stats: P) {
        self.begin(action);
        self.child.counts().set(1);
        self.record(1, mean);
        self.set_stats(stats);
    }

    /// Makes it what `other` is, action and link apart.
    #[inline(always)]
    pub(super) fn copy(self, other: Self) {
        self.child.means().set(other.child.mean());
        self.set_stats(other.child.stats());
        self.child.counts().set(other.child.visit_count());
        self.child.low().set(other.child.low().get());
        self.set_backprop(other.backprop());
    }

    /// Makes this place, the root's, what `other` is, action and link apart.
    pub fn become_copy(self, other: Self) {
        self.copy(other);
        self.head().lanes.set(if other.child.visit_count() == 0 { 1 } else { 1 | 16 });
        self.head().closed.set(u8::from(other.is_closed()));
    }

    /// Makes this place, the root's, a node never visited.
    pub fn reset(self) {
        self.begin(self.child.action());
        self.head().lanes.set(1);
        self.head().closed.set(0);
    }
}

/// A [`Place`] made small, to be kept on a path: two numbers, which are written as quickly as one.
pub(crate) struct PackedPlace<'t, A, P, B> {
    /// Where the block begins, and one more if it is a large one.
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
        let is_large = self.start.addr().get() & 1; // a block begins at an even address
        // SAFETY: this takes back what `new` did.
        let start = Start { address: unsafe { self.start.sub(is_large) }, is_large: is_large as u32 };
        // SAFETY: and so does this.
        Place::new(unsafe { Lane::new(start, self.lane) })
    }
}
