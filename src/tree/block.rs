//! A block: up to four or eight siblings side by side. Each statistic is a column.

use super::child::Child;
use super::layout::{COMPLETE, Columns, Head, LANES, SMALL, Start};
use super::node_ref::NodeRef;
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::needs_drop;
use core::ptr::{NonNull, copy_nonoverlapping, slice_from_raw_parts_mut};
use smallvec::SmallVec;

/// A reference to the bytes of a block in the store. Everything in a block is a cell.
pub(crate) struct Block<'t, A, P, B> {
    start: Start,
    cells: PhantomData<&'t (Cell<A>, Cell<P>, Cell<B>)>,
}

impl<A, P, B> Clone for Block<'_, A, P, B> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, P, B> Copy for Block<'_, A, P, B> {}

impl<'t, A, P, B> Block<'t, A, P, B> {
    /// The alignment of a block in bytes.
    pub(super) const ALIGN: usize = {
        const fn max(a: usize, b: usize) -> usize {
            if a > b { a } else { b }
        }
        max(max(align_of::<Head>(), align_of::<A>()), max(align_of::<P>(), align_of::<B>()))
    };

    /// Returns the size of a block in bytes.
    #[inline]
    pub(super) const fn size(is_large: bool) -> usize {
        let (small, large) = Columns::<A, P>::backprop_column::<B>().1;
        (if is_large { large } else { small }).next_multiple_of(Self::ALIGN)
    }

    /// Returns the block at `start`.
    ///
    /// # Safety
    ///
    /// For `'t`, there must be `size(is_large)` bytes at `start`, which is a multiple of `ALIGN`, and no
    /// unique reference to any of them. [`begin`](Self::begin) must be called before any other method.
    #[inline]
    pub(super) unsafe fn at(start: NonNull<u8>, is_large: bool) -> Self {
        Block { start: Start { address: start, is_large: u32::from(is_large) }, cells: PhantomData }
    }

    /// Returns a block that is known to be small.
    #[inline]
    pub(super) fn known_small(self) -> Self {
        debug_assert_eq!(self.start.is_large, 0);
        Block { start: Start { is_large: 0, ..self.start }, cells: PhantomData }
    }

    #[inline]
    fn head(self) -> &'t Head {
        // SAFETY: the block lives for `'t`; see `at`.
        unsafe { self.start.head() }
    }

    /// Returns the number of lanes.
    #[inline]
    pub fn room(self) -> usize {
        SMALL + SMALL * self.start.is_large as usize
    }

    #[inline]
    pub fn next(self) -> u32 {
        self.head().next.get()
    }

    #[inline]
    pub fn set_next(self, id: u32) {
        self.head().next.set(id);
    }

    /// Returns how many lanes hold a child.
    #[inline]
    pub fn used(self) -> usize {
        self.head().used()
    }

    /// Returns how many of its children have been visited.
    #[inline]
    pub fn visited(self) -> usize {
        self.head().visited()
    }

    /// Returns whether this block is the whole family, no more children will follow, and all have been
    /// visited. This holds for most of the blocks on the way down the tree.
    #[inline]
    pub fn is_settled(self) -> bool {
        self.head().is_settled()
    }

    /// Returns how many children of the family are in earlier blocks.
    #[inline]
    pub fn start(self) -> usize {
        self.head().start()
    }

    /// Returns whether all children of the family are stored and have been visited. This block must be the
    /// last of the family.
    #[inline]
    pub fn is_exhausted(self) -> bool {
        self.is_complete() && self.visited() == self.used()
    }

    /// Returns whether no more children will follow.
    #[inline]
    pub fn is_complete(self) -> bool {
        self.head().place.get() & COMPLETE != 0
    }

    pub fn set_complete(self) {
        self.head().place.set(self.head().place.get() | COMPLETE);
    }

    /// Returns the closed lanes as a bit set. The children in them are proven or pruned.
    #[inline]
    pub fn closed(self) -> u8 {
        self.head().closed.get()
    }

    /// Takes back that a child of this block was visited.
    pub(super) fn uncount_visited(self) {
        self.head().uncount_visited();
    }

    /// Returns all that the head says: the next block, the lanes, the closed lanes, and the place.
    #[cfg(feature = "save")]
    pub(super) fn head_words(self) -> (u32, u8, u8, u16) {
        let head = self.head();
        (head.next.get(), head.lanes.get(), head.closed.get(), head.place.get())
    }

    /// Frees the block: empties it, makes the free block `next` its successor, calls `note`, which does the
    /// rest, and drops the actions. This comes last, because a drop may panic; the others are dropped
    /// nonetheless.
    #[inline]
    pub fn free(self, next: u32, note: impl FnOnce()) {
        let used = self.used();
        self.head().lanes.set(0);
        self.set_next(next);
        note();
        if const { needs_drop::<A>() } {
            // SAFETY: the column holds this type, and these lanes hold an action each. The head says that
            // none does, so nothing reads them, and they are not dropped again. Nobody has begun this block
            // since.
            unsafe {
                let first = self.start.at::<A>(Columns::<A, P>::ACTIONS.0);
                slice_from_raw_parts_mut(first.as_ptr(), used).drop_in_place();
            }
        }
    }
}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> Block<'t, A, P, B> {
    /// Initializes the block as a family of its own without children; `start` children of the family are in
    /// earlier blocks. If actions need no drop, every lane gets `any` as a placeholder.
    #[inline]
    pub fn begin(self, id: u32, start: usize, any: &A) {
        let head = Head { next: Cell::new(id), place: Cell::new((start / SMALL) as u16), ..Head::default() };
        // SAFETY: a block begins with its head; see `at`. The overwritten bytes hold nothing that needs
        // dropping.
        unsafe { self.start.at::<Head>((0, 0)).write(head) };
        for lane in 0..self.room() {
            let node = self.node(lane);
            node.begin();
            if const { !needs_drop::<A>() } {
                // SAFETY: the overwritten bytes hold nothing that needs dropping.
                unsafe { node.write_action(any.clone()) };
            }
        }
    }

    /// Initializes the block as a copy of `other`, which is of the same kind. If the clone of an action
    /// panics, nothing has changed.
    ///
    /// # Safety
    ///
    /// The bytes of the block must not be those of `other`, and must hold nothing that needs dropping.
    pub(super) unsafe fn begin_as_copy(self, other: Self) {
        debug_assert_eq!(self.room(), other.room());
        let lanes = if const { needs_drop::<A>() } { other.used() } else { other.room() };
        let actions: SmallVec<[A; LANES]> = (0..lanes).map(|lane| other.node(lane).action()).collect();
        let size = Self::size(self.room() == LANES);
        // SAFETY: both blocks have this size, and the caller promises that they do not overlap. The copied
        // bytes of actions are overwritten before anything reads them: in each lane that holds an action.
        unsafe {
            copy_nonoverlapping(other.start.address.as_ptr(), self.start.address.as_ptr(), size);
            for (lane, action) in actions.into_iter().enumerate() {
                self.node(lane).write_action(action);
            }
        }
    }

    /// Adds children, at most as many as there is room for.
    #[inline]
    pub fn extend(self, actions: impl ExactSizeIterator<Item = A>) {
        let more = actions.len() as u8;
        for (lane, action) in (self.used()..).zip(actions) {
            // SAFETY: a lane that is not used holds nothing that needs dropping.
            unsafe { self.node(lane).write_action(action) };
        }
        self.head().lanes.set(self.head().lanes.get() + more);
    }

    /// Sets all that the head says of an empty block, and what the caller stores in the lanes.
    ///
    /// # Panics
    ///
    /// Panics if the head says that another number of lanes is used, or more than there are.
    #[cfg(feature = "save")]
    pub(super) fn restore(
        self,
        (next, used, closed, place): (u32, u8, u8, u16),
        lanes: impl ExactSizeIterator<Item = (A, P, B)>,
    ) {
        assert!(usize::from(used & 15) == lanes.len() && lanes.len() <= self.room(), "lanes hold nothing");
        for (lane, (action, stats, backprop)) in lanes.enumerate() {
            let node = self.node(lane);
            // SAFETY: no lane of an empty block holds anything that needs dropping.
            unsafe { node.write_action(action) };
            node.set_stats(stats);
            node.set_backprop(backprop);
        }
        let head = self.head();
        head.next.set(next);
        head.lanes.set(used);
        head.closed.set(closed);
        head.place.set(place);
    }

    /// Takes the children of `other`, a full small block, which has none afterwards.
    #[inline]
    pub fn take_over(self, other: Self) {
        assert!(const { !needs_drop::<A>() } || other.used() == SMALL, "a lane holds no action");
        for lane in 0..SMALL {
            let (mine, theirs) = (self.node(lane), other.node(lane));
            mine.copy(theirs);
            mine.set_link(theirs.link());
            // SAFETY: if actions need drop, all lanes of `other` hold one, which belongs to this block from
            // now on. No lane of this block holds anything that needs dropping.
            unsafe {
                let action = if const { needs_drop::<A>() } { theirs.read_action() } else { theirs.action() };
                mine.write_action(action);
            }
        }
        self.head().lanes.set(other.head().lanes.get());
        self.head().closed.set(other.head().closed.get());
        other.head().lanes.set(0);
    }

    /// Returns the children stored in this block.
    #[inline]
    pub fn nodes(self) -> impl Iterator<Item = NodeRef<'t, A, P, B>> + Clone {
        (0..self.used()).map(move |lane| self.node(lane))
    }

    /// Returns the node in the lane with this number.
    ///
    /// # Panics
    ///
    /// Panics if there is no such lane.
    #[inline]
    pub fn node(self, lane: usize) -> NodeRef<'t, A, P, B> {
        assert!(lane < self.room(), "no lane has this number");
        // SAFETY: the lane exists by the assertion; see `at`.
        unsafe { NodeRef::new(self.start, lane as u32) }
    }

    /// Returns eight lanes as a tree policy sees them. In a small block the second four are the first four
    /// again.
    #[inline]
    pub fn eight(self) -> impl Fn(usize) -> Child<'t, A, P> {
        let second = self.room() - SMALL;
        move |lane| {
            let lane = if lane < SMALL { lane } else { lane % SMALL + second };
            // SAFETY: `second` is 4 only where there are eight lanes; see `at`.
            unsafe { Child::new(self.start, lane as u32) }
        }
    }
}
