//! The memory layout of a block.

use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::needs_drop;
use core::ptr::NonNull;

/// The number of siblings in a small block.
pub(crate) const SMALL: usize = 4;
/// The number of siblings in a large block.
pub(crate) const LANES: usize = 2 * SMALL;
/// The number of possible starts of a block in its family. They are counted in steps of four children, in 15
/// bits.
pub(crate) const MAX_STEPS: usize = 1 << 15;

/// The head of a block, which describes the block as a whole. It is at the start of the block.
#[repr(C)]
#[derive(Default)]
pub(super) struct Head {
    /// The id of the next block of the family. The first block follows the last.
    pub next: Cell<u32>,
    /// In the lower half of the byte, how many lanes hold a child. In the upper half, how many of them have
    /// been visited, or [`SETTLED`].
    pub lanes: Cell<u8>,
    /// The closed children, which are proven or pruned: a bit per lane.
    pub closed: Cell<u8>,
    /// The start of the block in its family. The top bit says whether no more children will follow.
    pub place: Cell<u16>,
}

pub(super) const COMPLETE: u16 = 1 << 15;
pub(super) const SETTLED: u8 = 15 << 4;

impl Head {
    /// Returns how many lanes hold a child.
    #[inline]
    pub fn used(&self) -> usize {
        usize::from(self.lanes.get() & 15)
    }

    /// Returns how many children of the block have been visited.
    #[inline]
    pub fn visited(&self) -> usize {
        if self.is_settled() { self.used() } else { usize::from(self.lanes.get() >> 4) }
    }

    /// Returns whether this block is the whole family, no more children will follow, and all have been
    /// visited. This holds for most of the blocks on the way down the tree.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.lanes.get() >= SETTLED
    }

    /// Returns how many children of the family are in earlier blocks.
    #[inline]
    pub fn start(&self) -> usize {
        usize::from(self.place.get() & !COMPLETE) * SMALL
    }

    /// Takes back that a child was visited.
    pub fn uncount_visited(&self) {
        self.lanes.set((self.visited() as u8 - 1) << 4 | self.lanes.get() & 15);
    }

    /// Counts a child that is visited for the first time.
    #[inline]
    pub fn count_visited(&self) {
        let (used, visited) = (self.lanes.get() & 15, (self.lanes.get() >> 4) + 1);
        let settles = visited == used && self.place.get() == COMPLETE;
        self.lanes.set(if settles { SETTLED | used } else { visited << 4 | used });
    }
}

/// The offset of a column, in a small and in a large block.
pub(super) type Offset = (usize, usize);

/// Returns the offset of a column of `T`s that follows what ends at `offset`, and the offset of the end of
/// the column.
pub(super) const fn column<T>((small, large): Offset) -> (Offset, Offset) {
    let start = (small.next_multiple_of(align_of::<T>()), large.next_multiple_of(align_of::<T>()));
    (start, (start.0 + SMALL * size_of::<T>(), start.1 + LANES * size_of::<T>()))
}

/// The columns of a block, in order: for each the offset of its start and of its end. Tree policies see
/// these; the column of the backpropagation comes last.
pub(super) struct Columns<A, S>(PhantomData<(A, S)>);

impl<A, S> Columns<A, S> {
    pub const MEAN: (Offset, Offset) = column::<f32>((size_of::<Head>(), size_of::<Head>()));
    pub const STATS: (Offset, Offset) = column::<S>(Self::MEAN.1);
    pub const LINKS: (Offset, Offset) = column::<u32>(Self::STATS.1);
    pub const ACTIONS: (Offset, Offset) = column::<A>(Self::LINKS.1);
    pub const VISITS: (Offset, Offset) = column::<u32>(Self::ACTIONS.1);
    /// The sums of the rewards modulo 2^32, in units of 2^-24. Together with the rounded mean and the visits
    /// this gives the exact sum in only four bytes.
    pub const LOW: (Offset, Offset) = column::<u32>(Self::VISITS.1);

    /// The column of the backpropagation.
    pub const fn backprop_column<B>() -> (Offset, Offset) {
        column::<B>(Self::LOW.1)
    }
}

/// The address of a block, and 1 if the block is large, else 0.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub address: NonNull<u8>,
    pub is_large: u32,
}

impl Start {
    /// Returns the address at `offset`, which depends on the kind of the block.
    ///
    /// # Safety
    ///
    /// The address must be inside the block.
    #[inline]
    pub unsafe fn at<T>(self, (small, large): Offset) -> NonNull<T> {
        // A sum and a product instead of a branch: the descent must not wait for one.
        let offset = small + self.is_large as usize * (large - small);
        // SAFETY: the caller promises this.
        unsafe { self.address.add(offset).cast() }
    }

    /// Returns the head of the block.
    ///
    /// # Safety
    ///
    /// The block must live for `'t`.
    #[inline]
    pub unsafe fn head<'t>(self) -> &'t Head {
        // SAFETY: a block begins with its head.
        unsafe { self.at::<Head>((0, 0)).as_ref() }
    }

    /// Returns the action of a lane, which is in the column at `offset`. If actions need drop, a lane without
    /// a child has the action of the first child.
    ///
    /// # Panics
    ///
    /// Panics if actions need drop and the block has no child.
    ///
    /// # Safety
    ///
    /// The block must be initialized and have this lane, and the column must hold values of type `A`. Until
    /// the last use of the reference, no action may be written or dropped.
    #[inline(always)]
    pub unsafe fn action<'t, A: 't>(self, offset: Offset, lane: u32) -> &'t A {
        let mut lane = lane as usize;
        if const { needs_drop::<A>() } {
            // SAFETY: the caller promises that the block lives.
            let used = unsafe { self.head() }.used();
            assert!(used > 0, "no lane holds an action");
            lane = if lane < used { lane } else { 0 };
        }
        // SAFETY: the caller promises the type and the lane. The lane holds an action: if actions need no
        // drop, all lanes do, and otherwise those that are used.
        unsafe { self.at::<A>(offset).add(lane).as_ref() }
    }
}
