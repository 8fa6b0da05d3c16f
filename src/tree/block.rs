//! A block: up to four or eight siblings side by side, each statistic a column.

use super::child::Child;
use super::lane::Lane;
use super::layout::{COMPLETE, Columns, Head, SMALL, Start};
use super::place::Place;
use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// A block in the store: a reference to its bytes. Everything in it is a cell.
pub(crate) struct Block<'t, A, P, B> {
    start: Start,
    cells: PhantomData<&'t (Cell<A>, Cell<P>, Cell<B>)>,
}

impl<A, P, B> Clone for Block<'_, A, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, P, B> Copy for Block<'_, A, P, B> {}

impl<'t, A, P, B> Block<'t, A, P, B> {
    /// What the start of a block must be a multiple of.
    pub(super) const ALIGN: usize = {
        const fn max(a: usize, b: usize) -> usize {
            if a > b { a } else { b }
        }
        max(max(align_of::<Head>(), align_of::<A>()), max(align_of::<P>(), align_of::<B>()))
    };

    /// The bytes of a block.
    #[inline(always)]
    pub(super) const fn size(is_large: bool) -> usize {
        let (small, large) = Columns::<A, P>::kept::<B>().1;
        (if is_large { large } else { small }).next_multiple_of(Self::ALIGN)
    }

    /// The block that lies at `start`.
    ///
    /// # Safety
    ///
    /// For as long as `'t`, there are `size(is_large)` bytes at `start`, a multiple of `ALIGN`, of which nobody has a unique
    /// reference; and before anything else but [`begin`](Self::begin) is called, that was.
    #[inline(always)]
    pub(super) unsafe fn at(start: NonNull<u8>, is_large: bool) -> Self {
        Block { start: Start { address: start, is_large: u32::from(is_large) }, cells: PhantomData }
    }

    #[inline(always)]
    fn head(self) -> &'t Head {
        // SAFETY: it lasts as long as `'t`; see `at`.
        unsafe { self.start.head() }
    }

    /// How many lanes there are.
    #[inline(always)]
    pub fn room(self) -> usize {
        SMALL + SMALL * self.start.is_large as usize
    }

    #[inline(always)]
    pub fn next(self) -> u32 {
        self.head().next.get()
    }

    #[inline(always)]
    pub fn set_next(self, id: u32) {
        self.head().next.set(id);
    }

    /// How many lanes hold a child.
    #[inline(always)]
    pub fn used(self) -> usize {
        self.head().used()
    }

    /// How many of its children were visited.
    #[inline(always)]
    pub fn visited(self) -> usize {
        self.head().visited()
    }

    /// Whether this block is the whole family, no more will follow, and all children were visited: what most of the blocks
    /// are that a way down the tree comes through.
    #[inline(always)]
    pub fn is_settled(self) -> bool {
        self.head().is_settled()
    }

    /// How many children of the family come before this block.
    #[inline(always)]
    pub fn start(self) -> usize {
        usize::from(self.head().place.get() & !COMPLETE) * SMALL
    }

    /// Whether all children of the family, whose last block this is, are stored and were visited.
    #[inline(always)]
    pub fn is_exhausted(self) -> bool {
        self.is_complete() && self.visited() == self.used()
    }

    /// Whether no more children will follow.
    #[inline(always)]
    pub fn is_complete(self) -> bool {
        self.head().place.get() & COMPLETE != 0
    }

    pub fn set_complete(self) {
        self.head().place.set(self.head().place.get() | COMPLETE);
    }

    /// A bit per lane whose result is proven.
    #[inline(always)]
    pub fn closed(self) -> u8 {
        self.head().closed.get()
    }

    /// Empties the block, and puts it before the free block `next`.
    pub fn vacate(self, next: u32) {
        self.head().lanes.set(0);
        self.set_next(next);
    }
}

impl<'t, A: Copy, P: Copy + Default, B: Copy + Default> Block<'t, A, P, B> {
    /// Makes it a family of its own, without children, `start` of which are elsewhere. Every lane gets an action, though it
    /// means nothing.
    #[inline(always)]
    pub fn begin(self, id: u32, start: usize, any: A) {
        let head = Head { next: Cell::new(id), place: Cell::new((start / SMALL) as u16), ..Head::default() };
        // SAFETY: a block begins with its head; see `at`. There is nothing to drop in what is overwritten.
        unsafe { self.start.at::<Head>((0, 0)).write(head) };
        for lane in 0..self.room() {
            self.place(lane).begin(any);
        }
    }

    /// Adds children, at most as many as there is room for.
    #[inline(always)]
    pub fn extend(self, actions: &[A]) {
        for (lane, &action) in (self.used()..).zip(actions) {
            self.child(lane).actions().set(action);
        }
        self.head().lanes.set(self.head().lanes.get() + actions.len() as u8);
    }

    /// Takes over the children of `other`, a small one.
    #[inline(always)]
    pub fn take_over(self, other: Self) {
        for lane in 0..SMALL {
            let (mine, theirs) = (self.place(lane), other.place(lane));
            mine.copy(theirs);
            mine.set_link(theirs.link());
            mine.child().actions().set(theirs.child().action());
        }
        self.head().lanes.set(other.head().lanes.get());
        self.head().closed.set(other.head().closed.get());
    }

    #[inline(always)]
    pub fn place(self, lane: usize) -> Place<'t, A, P, B> {
        Place::new(self.child(lane))
    }

    /// The children stored here.
    #[inline(always)]
    pub fn places(self) -> impl Iterator<Item = Place<'t, A, P, B>> + Clone {
        (0..self.used()).map(move |lane| self.place(lane))
    }

    /// One of its lanes.
    ///
    /// # Panics
    ///
    /// If there is none with this number.
    #[inline(always)]
    pub fn child(self, lane: usize) -> Lane<'t, A, P> {
        assert!(lane < self.room(), "no lane has this number");
        // SAFETY: so it is one of its lanes; see `at`.
        unsafe { Lane::new(self.start, lane as u32) }
    }

    /// Eight lanes as a tree policy sees them; in a small block the second four are the first again.
    #[inline(always)]
    pub fn eight(self) -> impl Fn(usize) -> Child<'t, A, P> {
        let second = self.room() - SMALL;
        move |lane| {
            let lane = if lane < SMALL { lane } else { lane % SMALL + second };
            // SAFETY: `second` is 4 only where there are eight lanes; see `at`.
            unsafe { Lane::new(self.start, lane as u32) }.shown()
        }
    }
}
