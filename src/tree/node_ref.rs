//! A node in its block, with the operations that the search needs.

use super::child::Child;
use super::layout::{Columns, Head, Offset, Start};
#[cfg(feature = "save")]
use super::node_mean::are_sums;
use super::node_mean::{low_word, mean_of, units, units_of};
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::{needs_drop, replace, swap};
use core::ptr::NonNull;

/// A node of the tree: a lane of a block, which lies among its siblings. This is a reference into the tree;
/// each method reads only what it needs.
///
/// `A` is the game's action, `P` what the tree policy stores per node, and `B` what the backpropagation
/// stores.
pub(crate) struct NodeRef<'t, A, P, B> {
    /// The block.
    start: Start,
    /// The lane in the block.
    lane: u32,
    cells: PhantomData<&'t (Cell<A>, Cell<P>, Cell<B>)>,
}

impl<A, P, B> Clone for NodeRef<'_, A, P, B> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, P, B> Copy for NodeRef<'_, A, P, B> {}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> NodeRef<'t, A, P, B> {
    const BACKPROP: Offset = Columns::<A, P>::backprop_column::<B>().0;

    /// # Safety
    ///
    /// The block at `start` must live for `'t` and have this lane.
    #[inline]
    pub(super) unsafe fn new(start: Start, lane: u32) -> Self {
        NodeRef { start, lane, cells: PhantomData }
    }

    /// Returns the address of the node's entry in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column must hold values of type `T`.
    #[inline]
    unsafe fn address<T>(self, offset: Offset) -> NonNull<T> {
        // SAFETY: the block has this lane, so its entry is inside the block; see `Block::at`.
        unsafe { self.start.at::<T>(offset).add(self.lane as usize) }
    }

    /// Returns the node's entry in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column must hold values of type `T`.
    #[inline]
    unsafe fn cell<T>(self, offset: Offset) -> &'t Cell<T> {
        // SAFETY: the caller promises the type. The block was initialized, so there is a value.
        unsafe { self.address::<Cell<T>>(offset).as_ref() }
    }

    #[inline]
    fn head(self) -> &'t Head {
        // SAFETY: the block lives for `'t`.
        unsafe { self.start.head() }
    }

    #[inline]
    fn means(self) -> &'t Cell<f32> {
        // SAFETY: this column holds this type, and so do the columns below.
        unsafe { self.cell(Columns::<A, P>::MEAN.0) }
    }

    #[inline]
    fn stats_cell(self) -> &'t Cell<P> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, P>::STATS.0) }
    }

    #[inline]
    fn links(self) -> &'t Cell<u32> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, P>::LINKS.0) }
    }

    #[inline]
    fn counts(self) -> &'t Cell<u32> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, P>::VISITS.0) }
    }

    #[inline]
    fn low(self) -> &'t Cell<u32> {
        // SAFETY: see `means`.
        unsafe { self.cell(Columns::<A, P>::LOW.0) }
    }

    #[inline]
    fn backprop_cell(self) -> &'t Cell<B> {
        // SAFETY: see `means`.
        unsafe { self.cell(Self::BACKPROP) }
    }

    /// Returns the action that leads to this node.
    #[inline]
    pub fn action(self) -> A {
        // SAFETY: see `Child::action`.
        unsafe { self.start.action::<A>(Columns::<A, P>::ACTIONS.0, self.lane) }.clone()
    }

    /// Returns whether `action` leads to this node.
    #[inline]
    pub fn has_action(self, action: &A) -> bool
    where
        A: PartialEq,
    {
        // SAFETY: see `Child::action`.
        unsafe { self.start.action::<A>(Columns::<A, P>::ACTIONS.0, self.lane) == action }
    }

    /// Makes `action` the one that leads to this node, a child or the root.
    pub fn set_action(self, action: A) {
        self.assert_action();
        // SAFETY: the lane holds an action. The old one is dropped when nothing refers to it any more.
        let old = unsafe { replace(self.address::<A>(Columns::<A, P>::ACTIONS.0).as_mut(), action) };
        drop(old);
    }

    /// Writes the action of this lane, and does not drop what was there.
    ///
    /// # Safety
    ///
    /// The lane must hold no action that needs dropping.
    #[inline]
    pub(super) unsafe fn write_action(self, action: A) {
        // SAFETY: this column holds this type.
        unsafe { self.address::<A>(Columns::<A, P>::ACTIONS.0).write(action) };
    }

    /// Moves the action out of this lane.
    ///
    /// # Safety
    ///
    /// The lane must hold an action. From now on it holds none.
    #[inline]
    pub(super) unsafe fn read_action(self) -> A {
        // SAFETY: the caller promises that there is an action.
        unsafe { self.address::<A>(Columns::<A, P>::ACTIONS.0).read() }
    }

    /// Panics if this lane holds no action.
    #[inline]
    fn assert_action(self) {
        if const { needs_drop::<A>() } {
            assert!((self.lane as usize) < self.head().used(), "this lane holds no action");
        }
    }

    /// Returns whether both are the same lane of the same block.
    #[inline]
    pub fn is_same_lane(self, other: Self) -> bool {
        core::ptr::eq(self.means(), other.means())
    }

    /// Returns how many iterations went through this node.
    #[inline]
    pub fn visit_count(self) -> u32 {
        self.counts().get()
    }

    /// Returns the mean reward of the player who chooses this node; 0 before the first visit.
    #[inline]
    pub fn mean(self) -> f32 {
        self.means().get()
    }

    /// Returns what the tree policy stores for this node.
    #[inline]
    pub fn stats(self) -> P {
        self.stats_cell().get()
    }

    /// Returns the node as a tree policy sees it among the children of its parent.
    #[inline]
    pub fn child(self) -> Child<'t, A, P> {
        // SAFETY: this block lives for `'t` and has this lane.
        unsafe { Child::new(self.start, self.lane) }
    }

    /// Returns the last block of this node's children.
    #[inline]
    pub fn link(self) -> u32 {
        self.links().get()
    }

    #[inline]
    pub fn set_link(self, link: u32) {
        self.links().set(link);
    }

    /// Returns whether the node is closed: proven or pruned.
    #[inline]
    pub fn is_closed(self) -> bool {
        self.head().closed.get() >> self.lane & 1 != 0
    }

    pub fn close(self) {
        self.head().closed.set(self.head().closed.get() | 1 << self.lane);
    }

    #[inline]
    pub fn backprop(self) -> B {
        self.backprop_cell().get()
    }

    #[inline]
    pub fn set_backprop(self, stats: B) {
        self.backprop_cell().set(stats);
    }

    #[inline]
    pub fn set_stats(self, stats: P) {
        self.stats_cell().set(stats);
    }

    /// As if there had been so many visits.
    #[cfg(test)]
    pub fn pretend_to_have(self, visits: u32) {
        self.counts().set(visits);
    }

    /// Counts a visit and returns the new count.
    #[inline]
    pub fn count_visit(self) -> u32 {
        let visits = self.visit_count() + 1;
        self.counts().set(visits);
        if visits == 1 {
            self.head().count_visited();
        }
        visits
    }

    /// Adds a reward to the mean; `visits` is the number of visits including this one. Returns the sum of the
    /// rewards in units of 2^-24.
    #[inline]
    pub fn record(self, visits: u32, reward: f32) -> f64 {
        let (reward, added) = units_of(reward);
        let sum = units(visits.wrapping_sub(1), self.mean(), self.low().get()) + reward;
        let low = self.low();
        low.set(low.get().wrapping_add(added));
        self.means().set(mean_of(visits, sum));
        sum
    }

    /// Sets the mean of `visits` visits to `mean`, and their sum to match.
    #[inline]
    pub fn record_with_mean(self, visits: u32, mean: f32) {
        self.means().set(mean);
        self.low().set(low_word(visits, mean).1);
    }

    /// Initializes all of a lane but its action, whatever was there before.
    #[inline]
    pub(super) fn begin(self) {
        // SAFETY: the columns hold these types.
        unsafe {
            self.address::<f32>(Columns::<A, P>::MEAN.0).write(0.0);
            self.address::<P>(Columns::<A, P>::STATS.0).write(P::default());
            self.address::<u32>(Columns::<A, P>::LINKS.0).write(super::NONE);
            self.address::<u32>(Columns::<A, P>::VISITS.0).write(0);
            self.address::<u32>(Columns::<A, P>::LOW.0).write(0);
            self.address::<B>(Self::BACKPROP).write(B::default());
        }
    }

    /// Makes this a node that was visited once, with the reward `mean`, whatever was there before. Its action
    /// stays.
    pub(super) fn pretend(self, mean: f32, stats: P) {
        self.begin();
        self.counts().set(1);
        self.record(1, mean);
        self.set_stats(stats);
    }

    /// Returns the number of this node among its siblings, in the order of the family.
    pub fn index(self) -> usize {
        self.head().start() + self.lane as usize
    }

    /// Takes a visit back and returns the new count. A node other than the root that has visits must come
    /// before those that have none; see [`Tree::unvisit`](super::Tree::unvisit).
    pub fn uncount_visit(self) -> u32 {
        let visits = self.visit_count() - 1;
        self.counts().set(visits);
        visits
    }

    /// Takes back that this node was visited, in the counts of its block.
    pub(super) fn uncount_visited(self) {
        self.head().uncount_visited();
    }

    /// Divides the sum of the rewards, which the mean of `visits` visits gives, by `others` instead. The mean
    /// is 0 if that is 0.
    pub fn count_rewards(self, visits: u32, others: u32) {
        let sum = units(visits, self.mean(), self.low().get());
        self.means().set(if others > 0 { mean_of(others, sum) } else { 0.0 });
    }

    /// Exchanges the children in two lanes. Leaves the counts of the blocks as they are.
    pub(super) fn swap(self, other: Self) {
        self.means().swap(other.means());
        self.stats_cell().swap(other.stats_cell());
        self.links().swap(other.links());
        self.assert_action();
        other.assert_action();
        if !self.is_same_lane(other) {
            // SAFETY: the column holds this type, both lanes hold an action, and they are not the same.
            unsafe {
                let column = Columns::<A, P>::ACTIONS.0;
                swap(self.address::<A>(column).as_mut(), other.address::<A>(column).as_mut());
            }
        }
        self.counts().swap(other.counts());
        self.low().swap(other.low());
        self.backprop_cell().swap(other.backprop_cell());
        let (own_is_closed, is_closed) = (self.is_closed(), other.is_closed());
        self.set_closed(is_closed);
        other.set_closed(own_is_closed);
    }

    pub fn set_closed(self, is_closed: bool) {
        let closed = &self.head().closed;
        closed.set(closed.get() & !(1 << self.lane) | u8::from(is_closed) << self.lane);
    }

    /// Returns the sum of the rewards in units of 2^-24, an integer, of a node whose mean is that of `visits` visits.
    #[inline]
    pub fn reward_units_of(self, visits: u32) -> f64 {
        units(visits, self.mean(), self.low().get())
    }

    /// Returns whether `other` has the visits and the rewards of this node.
    #[inline]
    pub fn has_rewards_of(self, other: Self) -> bool {
        other.visit_count() == self.visit_count()
            && self.low().get() == other.low().get()
            && self.mean().to_bits() == other.mean().to_bits()
    }

    /// Copies the rewards of `other`, and what the tree policy stores for it.
    #[inline]
    pub fn copy_rewards_of(self, other: Self) {
        self.means().set(other.mean());
        self.low().set(other.low().get());
        self.set_stats(other.stats());
    }

    /// Returns the visits, the mean and the low word of the sum.
    #[cfg(feature = "save")]
    pub(super) fn sums(self) -> (u32, f32, u32) {
        (self.visit_count(), self.mean(), self.low().get())
    }

    /// Sets what [`sums`](Self::sums) returns, but not the counts of the block. Returns whether rewards can
    /// have this mean and this low word.
    #[cfg(feature = "save")]
    pub(super) fn restore(self, visits: u32, mean: f32, low: u32) -> bool {
        self.counts().set(visits);
        self.means().set(mean);
        self.low().set(low);
        are_sums(visits, mean, low)
    }

    /// Copies `other` except for its action and its link.
    #[inline]
    pub(super) fn copy(self, other: Self) {
        self.means().set(other.mean());
        self.set_stats(other.stats());
        self.counts().set(other.visit_count());
        self.low().set(other.low().get());
        self.set_backprop(other.backprop());
    }

    /// Copies `other` except for its action and its link. This node must be the root.
    pub fn become_copy(self, other: Self) {
        self.copy(other);
        self.head().lanes.set(if other.visit_count() == 0 { 1 } else { 1 | 16 });
        self.head().closed.set(u8::from(other.is_closed()));
    }

    /// Makes this the lane of the position that `other` is the first to lead to.
    pub(super) fn become_position(self, other: Self) {
        self.copy(other);
        self.set_closed(other.is_closed());
        self.set_link(super::NONE);
    }

    /// Makes the node unvisited. This node must be the root.
    pub fn reset(self) {
        self.begin();
        self.head().lanes.set(1);
        self.head().closed.set(0);
    }
}

/// A [`NodeRef`] packed for a path: two numbers, which are written as fast as one.
pub(crate) struct PackedNode<'t, A, P, B> {
    /// The address of the block, plus one if the block is large.
    start: NonNull<u8>,
    lane: u32,
    node: PhantomData<NodeRef<'t, A, P, B>>,
}

impl<A, P, B> Clone for PackedNode<'_, A, P, B> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, P, B> Copy for PackedNode<'_, A, P, B> {}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> PackedNode<'t, A, P, B> {
    #[inline]
    pub fn new(node: NodeRef<'t, A, P, B>) -> Self {
        let NodeRef { start, lane, .. } = node;
        // SAFETY: a block has more than one byte.
        PackedNode { start: unsafe { start.address.add(start.is_large as usize) }, lane, node: PhantomData }
    }

    #[inline]
    pub fn get(self) -> NodeRef<'t, A, P, B> {
        let is_large = self.start.addr().get() & 1; // blocks have even addresses
        // SAFETY: this reverses the addition in `new`.
        let start = Start { address: unsafe { self.start.sub(is_large) }, is_large: is_large as u32 };
        // SAFETY: this is the block and the lane of the node given to `new`.
        unsafe { NodeRef::new(start, self.lane) }
    }
}
