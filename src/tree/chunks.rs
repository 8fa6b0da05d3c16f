//! Blocks in chunks. Growing never moves a block, ids are 32 bits wide, and the bytes are bounded at every
//! moment.

use super::block::Block;
use bumpalo::Bump;
use core::alloc::Layout;
use core::cell::{Cell, RefCell, UnsafeCell};
use core::marker::PhantomData;
use core::mem::needs_drop;
use core::ptr::NonNull;

/// A growing store of blocks, each addressed by its id. A chunk holds blocks of one kind. Blocks that were
/// handed out stay until the store is dropped, with the actions in their lanes.
pub(super) struct Chunks<A, P, B> {
    /// The addresses of the chunks; the data of each is in `table`. Both are borrowed only inside the methods
    /// here, none of which calls code that could borrow them again.
    starts: UnsafeCell<Vec<NonNull<u8>>>,
    table: UnsafeCell<Vec<Chunk>>,
    /// The memory of the chunks. Each chunk has its own arena, so that no arena reserves more than its chunk.
    arenas: RefCell<Vec<Bump>>,
    /// The chunks of small and of large blocks that still have room.
    open: [Cell<Open>; 2],
    arena_bytes: Cell<usize>,
    table_bytes: Cell<usize>,
    /// The limit at which the last attempt to get a chunk of each kind failed. Up to that limit it is not
    /// tried again.
    full_at: [Cell<Option<usize>>; 2],
    /// If the test says so, how many chunks have ids.
    #[cfg(test)]
    pretended_chunks: Cell<Option<usize>>,
    of: PhantomData<Cell<(A, P, B)>>,
}

#[derive(Clone, Copy)]
struct Chunk {
    /// The lower bits of the first id.
    first: u32,
    /// The number of blocks handed out.
    count: u32,
}

#[derive(Clone, Copy, Default)]
struct Open {
    next_id: u32,
    left: u32,
}

impl<A, P, B> Chunks<A, P, B> {
    /// A chunk holds 2^SHIFT blocks: the most that fit into 128 KiB. For larger sizes, allocators call the
    /// system each time.
    const SHIFT: u32 = {
        let room = 120 * 1024 / Self::size(true);
        if room == 0 { 0 } else { room.ilog2() }
    };
    /// An id consists of, from the top: the number of the chunk, one bit for a chunk of large blocks, and the
    /// index in the chunk.
    const CHUNK: u32 = 1 << Self::SHIFT;
    const LAST_BITS: u32 = 2 * Self::CHUNK - 1;

    /// Returns the size of a block in bytes.
    pub const fn size(is_large: bool) -> usize {
        Block::<A, P, B>::size(is_large)
    }

    pub fn new() -> Self {
        Chunks {
            starts: UnsafeCell::default(),
            table: UnsafeCell::default(),
            arenas: RefCell::default(),
            open: Default::default(),
            arena_bytes: Cell::new(0),
            table_bytes: Cell::new(0),
            full_at: Default::default(),
            #[cfg(test)]
            pretended_chunks: Cell::new(None),
            of: PhantomData,
        }
    }

    /// Returns the block with this id.
    ///
    /// # Panics
    ///
    /// Panics if there is no such block.
    #[inline(always)]
    pub fn get(&self, id: u32) -> Block<'_, A, P, B> {
        match self.find(id) {
            Some(block) => block,
            None => panic!("no block has this id"),
        }
    }

    /// Returns the block with this id, if it exists.
    #[inline(always)]
    pub fn find(&self, id: u32) -> Option<Block<'_, A, P, B>> {
        let number = (id >> (Self::SHIFT + 1)) as usize;
        // SAFETY: see `starts`. The values read are copied. The two tables have the same length.
        let (chunk, start) = unsafe {
            let chunk = *(&*self.table.get()).get(number)?;
            (chunk, *(&*self.starts.get()).get_unchecked(number))
        };
        if (id & Self::LAST_BITS).wrapping_sub(chunk.first) >= chunk.count {
            return None;
        }
        // SAFETY: the id is of the chunk's kind and is one that `push` handed out, which initialized the
        // block. The arenas live as long as `self`.
        Some(unsafe { Block::at(start.add(Self::offset(id)), id & Self::CHUNK != 0) })
    }

    /// Returns the small block with this id. That it is small is then known when the program is compiled, as
    /// are the offsets in it.
    ///
    /// # Panics
    ///
    /// Panics if there is no such block.
    #[inline(always)]
    pub fn get_small(&self, id: u32) -> Block<'_, A, P, B> {
        match self.find(id & !Self::CHUNK) {
            Some(block) => block.known_small(),
            None => panic!("no small block has this id"),
        }
    }

    /// Returns the offset of the block with this id from the start of its chunk.
    #[inline(always)]
    fn offset(id: u32) -> usize {
        // The index times the size. The descent waits for this result, so it is computed without waiting for
        // the size.
        let (place, is_large) = ((id & (Self::CHUNK - 1)) as usize, (id >> Self::SHIFT & 1) as usize);
        let more = place * (Self::size(true) - Self::size(false));
        place * Self::size(false) + (more & is_large.wrapping_neg())
    }

    /// Returns the ids that were handed out, in order, from this one on.
    pub fn ids(&self, from: u32) -> Ids<'_> {
        Ids { table: &self.table, bits: Self::SHIFT + 1, next: from }
    }
}

/// Returns the number of blocks in these chunks.
fn blocks_of(chunks: &[Chunk]) -> usize {
    chunks.iter().map(|chunk| chunk.count as usize).sum()
}

/// The ids that were handed out, in order.
pub(super) struct Ids<'c> {
    table: &'c UnsafeCell<Vec<Chunk>>,
    /// The number of bits of an id below those of its chunk.
    bits: u32,
    next: u32,
}

impl Iterator for Ids<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.nth(0)
    }

    /// Skips whole chunks, so that a sample of a large tree takes no longer than one of a small tree.
    #[inline]
    fn nth(&mut self, mut skipped: usize) -> Option<u32> {
        loop {
            let number = self.next >> self.bits;
            // SAFETY: see `starts`. The value read is copied.
            let chunk = unsafe { (&*self.table.get()).get(number as usize).copied() }?;
            let first = number << self.bits | chunk.first;
            let id = self.next.max(first);
            let left = (first + chunk.count).saturating_sub(id) as usize;
            if skipped < left {
                self.next = id + skipped as u32 + 1;
                return Some(id + skipped as u32);
            }
            skipped -= left;
            self.next = (number + 1) << self.bits;
        }
    }
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Chunks<A, P, B> {
    /// Adds a block, initialized at `start` of its family, and returns its id. Returns `None` if the store
    /// would take more than `limit` bytes, if the allocation fails, or if the ids are used up.
    #[inline(always)]
    pub fn push(&self, is_large: bool, limit: usize, start: usize, any: &A) -> Option<u32> {
        let open = &self.open[usize::from(is_large)];
        if open.get().left == 0 && !self.add_chunk(is_large, limit) {
            return None;
        }
        let Open { next_id: id, left } = open.get();
        // SAFETY: see `starts`. The chunk was added with room for `left` more blocks of this kind.
        unsafe {
            let number = (id >> (Self::SHIFT + 1)) as usize;
            let address = (&*self.starts.get())[number].add(Self::offset(id));
            Block::<A, P, B>::at(address, is_large).begin(id, start, any);
            (&mut *self.table.get())[number].count += 1;
        }
        open.set(Open { next_id: id.wrapping_add(1), left: left - 1 });
        Some(id)
    }

    /// Returns the number of ids handed out.
    pub fn count(&self) -> usize {
        // SAFETY: see `starts`.
        blocks_of(unsafe { &*self.table.get() })
    }

    /// Returns the bytes taken from the system.
    #[inline(always)]
    pub fn bytes(&self) -> usize {
        self.arena_bytes.get() + self.table_bytes.get()
    }

    #[cold]
    #[inline(never)]
    fn add_chunk(&self, is_large: bool, limit: usize) -> bool {
        // SAFETY: see `starts`.
        let (starts, table) = unsafe { (&mut *self.starts.get(), &mut *self.table.get()) };
        let (number, full_at) = (table.len(), &self.full_at[usize::from(is_large)]);
        let is_past_ids = number >= self.most_chunks();
        if is_past_ids || full_at.get().is_some_and(|full| limit <= full) {
            return false;
        }
        let arenas = &mut *self.arenas.borrow_mut();
        // Near the limit, a smaller chunk may still fit.
        let mut count = Self::CHUNK;
        while count > 0 {
            if self.open(starts, table, arenas, is_large, count, limit) {
                return true;
            }
            count /= 2;
        }
        full_at.set(Some(limit));
        false
    }

    /// Returns how many chunks have ids.
    fn most_chunks(&self) -> usize {
        #[cfg(test)]
        if let Some(most) = self.pretended_chunks.get() {
            return most;
        }
        (u32::MAX >> (Self::SHIFT + 1)) as usize
    }

    /// Adds a chunk with room for `count` blocks. Returns whether it fits into the limit.
    fn open(
        &self,
        starts: &mut Vec<NonNull<u8>>,
        table: &mut Vec<Chunk>,
        arenas: &mut Vec<Bump>,
        is_large: bool,
        count: u32,
        limit: usize,
    ) -> bool {
        let Some((arena, start)) = self.allocate(starts, table, arenas, is_large, count, limit) else {
            return false;
        };
        self.arena_bytes.set(self.arena_bytes.get() + arena.allocated_bytes_including_metadata());
        arenas.push(arena);
        let (number, first) = (table.len() as u32, u32::from(is_large) * Self::CHUNK);
        starts.push(start);
        table.push(Chunk { first, count: 0 });
        self.open[usize::from(is_large)]
            .set(Open { next_id: number << (Self::SHIFT + 1) | first, left: count });
        true
    }

    /// Allocates room for `count` more blocks, if the total including all overhead stays within the limit.
    fn allocate(
        &self,
        starts: &mut Vec<NonNull<u8>>,
        table: &mut Vec<Chunk>,
        arenas: &mut Vec<Bump>,
        is_large: bool,
        count: u32,
        limit: usize,
    ) -> Option<(Bump, NonNull<u8>)> {
        const MORE: usize = 16; // doubling the tables could exceed the limit
        let entry = size_of::<NonNull<u8>>() + size_of::<Chunk>() + size_of::<Bump>();
        let bytes = Self::size(is_large).checked_mul(count as usize)?;
        let layout = Layout::from_size_align(bytes, Block::<A, P, B>::ALIGN).ok()?;
        if self.bytes() + MORE * entry + layout.size() > limit {
            return None;
        }
        if starts.len() == self.table_bytes.get() / entry {
            starts.try_reserve_exact(MORE).ok()?;
            table.try_reserve_exact(MORE).ok()?;
            arenas.try_reserve_exact(MORE).ok()?;
            self.table_bytes.set((starts.len() + MORE) * entry);
        }
        let arena = Bump::try_with_capacity(layout.size() + layout.align()).ok()?;
        if self.bytes() + arena.allocated_bytes_including_metadata() > limit {
            return None;
        }
        let start = arena.try_alloc_layout(layout).ok()?.cast();
        Some((arena, start))
    }
}

impl<A, P, B> Chunks<A, P, B> {
    /// Returns the number of chunks.
    pub fn chunks(&self) -> usize {
        // SAFETY: see `starts`.
        unsafe { (&*self.table.get()).len() }
    }

    /// Returns whether the blocks of this chunk are large, how many it has room for, and the ids of those
    /// handed out. The chunk must exist.
    pub fn chunk(&self, number: u32) -> (bool, u32, core::ops::Range<u32>) {
        // SAFETY: see `starts`. The value read is copied.
        let Chunk { first, count } = unsafe { (&*self.table.get())[number as usize] };
        let is_large = first != 0;
        let start = number << (Self::SHIFT + 1) | first;
        let Open { next_id, left } = self.open[usize::from(is_large)].get();
        let is_open = left > 0 && next_id >> (Self::SHIFT + 1) == number;
        (is_large, count + if is_open { left } else { 0 }, start..start + count)
    }
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Clone for Chunks<A, P, B> {
    /// Copies all blocks, to the same ids. The copy takes as many bytes from the system.
    ///
    /// If the clone of an action panics, what was copied before is dropped.
    fn clone(&self) -> Self {
        let copy = Chunks::new();
        for number in 0..self.chunks() as u32 {
            let (is_large, room, ids) = self.chunk(number);
            // SAFETY: see `starts`.
            let (starts, table) = unsafe { (&mut *copy.starts.get(), &mut *copy.table.get()) };
            if !copy.open(starts, table, &mut copy.arenas.borrow_mut(), is_large, room, usize::MAX) {
                panic!("the system has no memory for a copy of the tree");
            }
            for id in ids {
                // SAFETY: see `starts`. The chunk was just added, with room for all of these blocks, of the
                // same kind. Nothing refers to this one, because it is not handed out yet.
                unsafe {
                    let address = (&*copy.starts.get())[number as usize].add(Self::offset(id));
                    Block::<A, P, B>::at(address, is_large).begin_as_copy(self.get(id));
                    (&mut *copy.table.get())[number as usize].count += 1;
                }
            }
        }
        for is_large in [0, 1] {
            copy.open[is_large].set(self.open[is_large].get());
            copy.full_at[is_large].set(self.full_at[is_large].get());
        }
        copy
    }
}

/// The chunks in an image of a tree.
#[cfg(feature = "save")]
impl<A: Clone, P: Copy + Default, B: Copy + Default> Chunks<A, P, B> {
    /// Returns the sizes of a small and of a large block, and the number of blocks of a chunk.
    pub const fn layout() -> [usize; 3] {
        [Self::size(false), Self::size(true), Self::CHUNK as usize]
    }

    /// Adds a chunk with room for this many blocks, as one that was read. Returns `Ok(false)` if it does not
    /// fit into the limit.
    pub fn restore(&self, is_large: bool, room: u32, limit: usize) -> Result<bool, super::Flaw> {
        // SAFETY: see `starts`.
        let (starts, table) = unsafe { (&mut *self.starts.get(), &mut *self.table.get()) };
        if !(1..=Self::CHUNK).contains(&room) || table.len() >= (u32::MAX >> (Self::SHIFT + 1)) as usize {
            return Err(super::Flaw("a chunk has another size"));
        }
        if self.open[usize::from(is_large)].get().left > 0 {
            return Err(super::Flaw("a chunk follows one that is not full"));
        }
        Ok(self.open(starts, table, &mut self.arenas.borrow_mut(), is_large, room, limit))
    }

    /// Returns the limits at which the store was found to be full.
    pub fn full_at(&self) -> [Option<usize>; 2] {
        [self.full_at[0].get(), self.full_at[1].get()]
    }

    /// Sets the limits at which the store was found to be full, if it is. A store was also found to be full
    /// if the system had no more memory, perhaps on another machine. Then it is to ask again.
    pub fn set_full_at(&self, limits: [Option<u64>; 2]) {
        // What a tree takes that was made from an image may differ a little from what it took before.
        const MORE: usize = 1 << 13;
        let nearly = |is_large| self.bytes().saturating_add(Self::size(is_large)).saturating_add(MORE);
        for (is_large, limit) in [false, true].into_iter().zip(limits) {
            let limit = limit.and_then(|limit| usize::try_from(limit).ok());
            self.full_at[usize::from(is_large)].set(limit.filter(|&limit| limit < nearly(is_large)));
        }
    }

    /// As if ids had fewer bits: they are used up when there are `most` chunks.
    #[cfg(test)]
    pub fn pretend_to_have_ids_for(&self, most: usize) {
        self.pretended_chunks.set(Some(most));
    }

    #[cfg(test)]
    pub fn pretend_to_be_full_at(&self, limit: u64) {
        for full in &self.full_at {
            full.set(usize::try_from(limit).ok());
        }
    }

    /// Returns a number for an id, below [`places`](Self::places).
    pub fn place(&self, id: u32) -> usize {
        (id >> (Self::SHIFT + 1) << Self::SHIFT | id & (Self::CHUNK - 1)) as usize
    }

    pub fn places(&self) -> usize {
        self.chunks() << Self::SHIFT
    }
}

impl<A, P, B> Drop for Chunks<A, P, B> {
    /// Drops all actions, also those of blocks that were lost because a panic interrupted the search. If a
    /// drop panics, the others are dropped nonetheless.
    fn drop(&mut self) {
        struct Rest<'c, A, P, B>(&'c Chunks<A, P, B>, u32);
        impl<A, P, B> Rest<'_, A, P, B> {
            fn free(&mut self) {
                for id in self.0.ids(self.1) {
                    self.1 = id + 1;
                    self.0.get(id).free(0, || ());
                }
            }
        }
        impl<A, P, B> Drop for Rest<'_, A, P, B> {
            fn drop(&mut self) {
                self.free();
            }
        }
        if const { needs_drop::<A>() } {
            Rest(self, 0).free();
        }
    }
}

// SAFETY: the pointers lead into the arenas, which only this value owns and which move with it.
unsafe impl<A: Send, P: Send, B: Send> Send for Chunks<A, P, B> {}
