//! Where in a block everything lies.

use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// Siblings in a small block. A large one has twice as many.
pub(crate) const SMALL: usize = 4;
/// Siblings in a large block.
pub(crate) const LANES: usize = 2 * SMALL;
/// Where a block begins in its family is counted in steps of four children, with 15 bits.
pub(crate) const MAX_STEPS: usize = 1 << 15;

/// What is said of a block as a whole. It lies at its beginning.
#[repr(C)]
#[derive(Default)]
pub(super) struct Head {
    /// The id of the next block of the family, the first following on the last.
    pub next: Cell<u32>,
    /// How many lanes hold a child, and in the upper half of the byte how many of these were visited, or [`SETTLED`].
    pub lanes: Cell<u8>,
    /// Children whose result is proven, a bit per lane.
    pub closed: Cell<u8>,
    /// Where in its family the block begins, and in the top bit whether no more children will follow.
    pub place: Cell<u16>,
}

pub(super) const COMPLETE: u16 = 1 << 15;
pub(super) const SETTLED: u8 = 15 << 4;

impl Head {
    /// How many lanes hold a child.
    #[inline(always)]
    pub fn used(&self) -> usize {
        usize::from(self.lanes.get() & 15)
    }

    /// How many of these were visited.
    #[inline(always)]
    pub fn visited(&self) -> usize {
        if self.is_settled() { self.used() } else { usize::from(self.lanes.get() >> 4) }
    }

    /// Whether this block is the whole family, no more will follow, and all children were visited: what most of the blocks
    /// are that a way down the tree comes through.
    #[inline(always)]
    pub fn is_settled(&self) -> bool {
        self.lanes.get() >= SETTLED
    }

    /// Counts a child that is visited for the first time.
    #[inline(always)]
    pub fn count_visited(&self) {
        let (used, visited) = (self.lanes.get() & 15, (self.lanes.get() >> 4) + 1);
        let settles = visited == used && self.place.get() == COMPLETE;
        self.lanes.set(if settles { SETTLED | used } else { visited << 4 | used });
    }
}

/// Where a column begins, in a small and in a large block.
pub(super) type Offset = (usize, usize);

/// The offset of a column of `T`s after what ends at `offset`, and where it ends itself.
pub(super) const fn column<T>((small, large): Offset) -> (Offset, Offset) {
    let start = (small.next_multiple_of(align_of::<T>()), large.next_multiple_of(align_of::<T>()));
    (start, (start.0 + SMALL * size_of::<T>(), start.1 + LANES * size_of::<T>()))
}

/// The columns of a block, one after the other: where each begins, and where it ends. Tree policies see these; the
/// backpropagation's comes last.
pub(super) struct Columns<A, S>(PhantomData<(A, S)>);

impl<A, S> Columns<A, S> {
    pub const MEAN: (Offset, Offset) = column::<f32>((size_of::<Head>(), size_of::<Head>()));
    pub const STATS: (Offset, Offset) = column::<S>(Self::MEAN.1);
    pub const LINKS: (Offset, Offset) = column::<u32>(Self::STATS.1);
    pub const ACTIONS: (Offset, Offset) = column::<A>(Self::LINKS.1);
    pub const VISITS: (Offset, Offset) = column::<u32>(Self::ACTIONS.1);
    /// The sums of the rewards modulo 2^32, in units of 2^-24. With the rounded mean and the visits this gives the sum
    /// itself, so sums are exact and take four bytes.
    pub const LOW: (Offset, Offset) = column::<u32>(Self::VISITS.1);

    /// What the backpropagation keeps.
    pub const fn kept<B>() -> (Offset, Offset) {
        column::<B>(Self::LOW.1)
    }
}

/// Where a block begins, and 1 if it is a large one, else 0.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub address: NonNull<u8>,
    pub is_large: u32,
}

impl Start {
    /// The address `offset` bytes on, in a small or in a large block.
    ///
    /// # Safety
    ///
    /// It lies in the block.
    #[inline(always)]
    pub unsafe fn at<T>(self, (small, large): Offset) -> NonNull<T> {
        // A sum and a product, not a choice: the way down the tree must not wait for a branch.
        let offset = small + self.is_large as usize * (large - small);
        // SAFETY: as promised.
        unsafe { self.address.add(offset).cast() }
    }

    /// The head of the block.
    ///
    /// # Safety
    ///
    /// The block lasts as long as `'t`.
    #[inline(always)]
    pub unsafe fn head<'t>(self) -> &'t Head {
        // SAFETY: a block begins with its head.
        unsafe { self.at::<Head>((0, 0)).as_ref() }
    }
}
