//! A block: up to four or eight siblings side by side, each statistic a column. All that reads or writes its bytes.

use core::cell::Cell;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// Siblings in a small block. A large one has twice as many.
pub(crate) const SMALL: usize = 4;
/// Siblings in a large block.
pub(crate) const LANES: usize = 2 * SMALL;
/// Where a block begins in its family is counted in steps of four children, with 15 bits.
pub(super) const MAX_STEPS: usize = 1 << 15;

/// The value of a reward of 1 in the fixed-point sums: rewards are counted in units of 2^-24.
const ONE: f64 = (1 << 24) as f64;

/// What is said of a block as a whole. It lies at its beginning.
#[repr(C)]
#[derive(Default)]
struct Head {
    /// The id of the next block of the family, the first following on the last.
    next: Cell<u32>,
    /// How many lanes hold a child, and in the upper half of the byte how many of these were visited, or [`SETTLED`].
    lanes: Cell<u8>,
    /// Children whose result is proven, a bit per lane.
    closed: Cell<u8>,
    /// Where in its family the block begins, and in the top bit whether no more children will follow.
    place: Cell<u16>,
}

const COMPLETE: u16 = 1 << 15;
const SETTLED: u8 = 15 << 4;

/// Where a column begins, in a small and in a large block.
type Offset = (usize, usize);

/// The offset of a column of `T`s after what ends at `offset`, and where it ends itself.
const fn column<T>((small, large): Offset) -> (Offset, Offset) {
    let start = (small.next_multiple_of(align_of::<T>()), large.next_multiple_of(align_of::<T>()));
    (start, (start.0 + SMALL * size_of::<T>(), start.1 + LANES * size_of::<T>()))
}

/// The columns that tree policies see, one after the other.
struct Columns<A, S>(PhantomData<(A, S)>);

impl<A, S> Columns<A, S> {
    const MEAN: (Offset, Offset) = column::<f32>((size_of::<Head>(), size_of::<Head>()));
    const STATS: (Offset, Offset) = column::<S>(Self::MEAN.1);
    const LINKS: (Offset, Offset) = column::<u32>(Self::STATS.1);
    const ACTIONS: (Offset, Offset) = column::<A>(Self::LINKS.1);
    const VISITS: (Offset, Offset) = column::<u32>(Self::ACTIONS.1);
    /// The sums of the rewards modulo 2^32, in units of 2^-24. With the rounded mean and the visits this gives the sum
    /// itself, so sums are exact and take four bytes.
    const LOW: (Offset, Offset) = column::<u32>(Self::VISITS.1);
}

/// Where a block begins, and 1 if it is a large one, else 0.
#[derive(Clone, Copy)]
struct Start {
    address: NonNull<u8>,
    is_large: u32,
}

impl Start {
    /// The address `offset` bytes on, in a small or in a large block.
    ///
    /// # Safety
    ///
    /// It lies in the block.
    #[inline(always)]
    unsafe fn at<T>(self, (small, large): Offset) -> NonNull<T> {
        // A sum and a product, not a choice: the way down the tree must not wait for a branch.
        let offset = small + self.is_large as usize * (large - small);
        // SAFETY: as promised.
        unsafe { self.address.add(offset).cast() }
    }

    #[inline(always)]
    fn head<'t>(self) -> &'t Head {
        // SAFETY: a block begins with its head; see `Block::at`, which is where the lifetime comes from.
        unsafe { self.at::<Head>((0, 0)).as_ref() }
    }
}

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
    const BACKPROP: (Offset, Offset) = column::<B>(Columns::<A, P>::LOW.1);

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
        let (small, large) = Self::BACKPROP.1;
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
        self.start.head()
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
        usize::from(self.head().lanes.get() & 15)
    }

    /// How many of its children were visited.
    #[inline(always)]
    pub fn visited(self) -> usize {
        if self.is_settled() { self.used() } else { usize::from(self.head().lanes.get() >> 4) }
    }

    /// Whether this block is the whole family, no more will follow, and all children were visited: what most of the blocks
    /// are that a way down the tree comes through.
    #[inline(always)]
    pub fn is_settled(self) -> bool {
        self.head().lanes.get() >= SETTLED
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
        Place { child: self.child(lane), kept: PhantomData }
    }

    /// The children stored here.
    #[inline(always)]
    pub fn places(self) -> impl Iterator<Item = Place<'t, A, P, B>> + Clone {
        (0..self.used()).map(move |lane| self.place(lane))
    }

    /// A lane as a tree policy sees it.
    ///
    /// # Panics
    ///
    /// If there is none with this number.
    #[inline(always)]
    pub fn child(self, lane: usize) -> Child<'t, A, P> {
        assert!(lane < self.room(), "no lane has this number");
        Child { start: self.start, lane: lane as u32, cells: PhantomData }
    }

    /// Eight lanes as a tree policy sees them; in a small block the second four are the first again.
    #[inline(always)]
    pub fn eight(self) -> impl Fn(usize) -> Child<'t, A, P> {
        let second = self.room() - SMALL;
        move |lane| {
            let lane = if lane < SMALL { lane } else { lane % SMALL + second };
            Child { start: self.start, lane: lane as u32, cells: PhantomData }
        }
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
        let Child { start, lane, .. } = place.child;
        // SAFETY: a block has more than one byte.
        PackedPlace { start: unsafe { start.address.add(start.is_large as usize) }, lane, place: PhantomData }
    }

    #[inline(always)]
    pub fn get(self) -> Place<'t, A, P, B> {
        let is_large = self.start.addr().get() & 1; // a block begins at an even address
        // SAFETY: this takes back what `new` did.
        let start = Start { address: unsafe { self.start.sub(is_large) }, is_large: is_large as u32 };
        Place { child: Child { start, lane: self.lane, cells: PhantomData }, kept: PhantomData }
    }
}

/// Where a child is stored: a node, seen from its parent.
pub(crate) struct Place<'t, A, P, B> {
    child: Child<'t, A, P>,
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
    #[inline(always)]
    pub fn child(self) -> Child<'t, A, P> {
        self.child
    }

    #[inline(always)]
    fn head(self) -> &'t Head {
        self.child.start.head()
    }

    #[inline(always)]
    fn kept(self) -> &'t Cell<B> {
        // SAFETY: this column is of such cells.
        unsafe { self.child.cell(Block::<A, P, B>::BACKPROP.0) }
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
            self.count_visited();
        }
        visits
    }

    /// Counts a child that is visited for the first time.
    #[inline(always)]
    fn count_visited(self) {
        let Head { lanes, place, .. } = self.head();
        let (used, visited) = (lanes.get() & 15, (lanes.get() >> 4) + 1);
        lanes.set(if visited == used && place.get() == COMPLETE {
            SETTLED | used
        } else {
            visited << 4 | used
        });
    }

    /// Takes the reward of the latest of so many visits into the mean.
    #[inline(always)]
    pub fn record(self, visits: u32, reward: f32) {
        let (reward, units) = whole(f64::from(reward) * ONE);
        let sum = self.child.sum(visits.wrapping_sub(1)) + reward;
        let low = self.child.low();
        low.set(low.get().wrapping_add(units));
        // Few visits are divided by in single precision, which is quicker; that rounds twice.
        self.child.means().set(if visits < FEW {
            sum as f32 / (visits as i32 as f32 * ONE as f32)
        } else {
            (sum / (f64::from(visits) * ONE)) as f32
        });
    }

    /// Makes it a place without a child, for an action that means nothing, whatever was there.
    #[inline(always)]
    fn begin(self, any: A) {
        // SAFETY: the columns are of such numbers.
        unsafe {
            self.child.address::<f32>(Columns::<A, P>::MEAN.0).write(0.0);
            self.child.address::<P>(Columns::<A, P>::STATS.0).write(P::default());
            self.child.address::<u32>(Columns::<A, P>::LINKS.0).write(super::NONE);
            self.child.address::<A>(Columns::<A, P>::ACTIONS.0).write(any);
            self.child.address::<u32>(Columns::<A, P>::VISITS.0).write(0);
            self.child.address::<u32>(Columns::<A, P>::LOW.0).write(0);
            self.child.address::<B>(Block::<A, P, B>::BACKPROP.0).write(B::default());
        }
    }

    /// Makes it what `other` is, action and link apart.
    #[inline(always)]
    fn copy(self, other: Self) {
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

/// One child of a node, as a tree policy sees it: a reference into the tree, read only where it is asked.
///
/// `A` is the game's action, `S` what the tree policy keeps per child.
pub struct Child<'a, A, S> {
    /// Of the block.
    start: Start,
    /// One of its lanes.
    lane: u32,
    cells: PhantomData<&'a (Cell<A>, Cell<S>)>,
}

impl<A, S> Clone for Child<'_, A, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, S> Copy for Child<'_, A, S> {}

impl<'a, A: Copy, S: Copy> Child<'a, A, S> {
    /// The address of its place in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column is of `T`s.
    #[inline(always)]
    unsafe fn address<T>(self, offset: Offset) -> NonNull<T> {
        // SAFETY: the lane is one of the block's, and so lies in it; see `Block::at`.
        unsafe { self.start.at::<T>(offset).add(self.lane as usize) }
    }

    /// Its place in the column at `offset`.
    ///
    /// # Safety
    ///
    /// The column is of `T`s.
    #[inline(always)]
    unsafe fn cell<T>(self, offset: Offset) -> &'a Cell<T> {
        // SAFETY: as promised; and the block was begun, so that there is a value.
        unsafe { self.address::<Cell<T>>(offset).as_ref() }
    }

    #[inline(always)]
    fn means(self) -> &'a Cell<f32> {
        // SAFETY: this column is of such cells; and so in the next ones.
        unsafe { self.cell(Columns::<A, S>::MEAN.0) }
    }

    #[inline(always)]
    fn stats_cell(self) -> &'a Cell<S> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::STATS.0) }
    }

    #[inline(always)]
    fn links(self) -> &'a Cell<u32> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::LINKS.0) }
    }

    #[inline(always)]
    fn counts(self) -> &'a Cell<u32> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::VISITS.0) }
    }

    #[inline(always)]
    fn low(self) -> &'a Cell<u32> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::LOW.0) }
    }

    #[inline(always)]
    fn actions(self) -> &'a Cell<A> {
        // SAFETY: as there.
        unsafe { self.cell(Columns::<A, S>::ACTIONS.0) }
    }

    /// The sum of the rewards of `visits` visits, in units of 2^-24: exact while it is below 2^53, and rounded to a
    /// double above.
    ///
    /// The rounded mean tells it to within `visits / 2` units, and the low word says which of the numbers 2^32 apart
    /// it is; so no reward is lost in up to 2^31 visits.
    #[inline(always)]
    fn sum(self, visits: u32) -> f64 {
        let near = f64::from(self.mean()) * f64::from(visits) * ONE;
        let (near, low) = if visits < FEW {
            whole(near)
        } else {
            (near.round_ties_even(), near.round_ties_even() as u64 as u32)
        };
        near + f64::from(self.low().get().wrapping_sub(low) as i32)
    }

    /// The action that leads to this child.
    #[inline(always)]
    pub fn action(self) -> A {
        self.actions().get()
    }

    /// How many iterations went through this child, *n*, as a number to calculate with. Rounded above 2^24.
    #[inline(always)]
    pub fn visits(self) -> f32 {
        self.visit_count() as i32 as f32 // from a signed number it is one instruction
    }

    /// How many iterations went through this child, exactly.
    #[inline(always)]
    pub fn visit_count(self) -> u32 {
        self.counts().get()
    }

    /// The mean reward *Q*, in [0, 1], of the player who chooses this child; 0 before the first visit.
    #[inline(always)]
    pub fn mean(self) -> f32 {
        self.means().get()
    }

    /// The mean reward, or `first_play` before the first visit.
    #[inline(always)]
    pub fn mean_or(self, first_play: f32) -> f32 {
        let mean = self.mean(); // read in any case: a choice between two numbers can be made for all lanes at once
        if self.visit_count() == 0 { first_play } else { mean }
    }

    /// The sum of the rewards, *W*; in multiples of 2^-24, exact up to 2^29 visits.
    pub fn reward_sum(self) -> f64 {
        self.sum(self.visit_count()) / ONE
    }

    /// What the tree policy keeps of this child.
    #[inline(always)]
    pub fn stats(self) -> S {
        self.stats_cell().get()
    }
}
