//! Blocks in chunks: growing never moves one, ids are 32 bits wide, and the bytes are bounded at every moment.

use bumpalo::Bump;
use core::alloc::Layout;
use core::ops::Range;
use core::ptr::NonNull;

/// A growing sequence of `T`, addressed by number. Nothing is dropped one by one: `T` must not need it.
pub(super) struct Chunks<T> {
    /// Where each chunk begins. Each is valid for reads and writes of its `T`s for as long as `arenas` is not touched.
    starts: Vec<NonNull<T>>,
    /// The memory of the chunks, one arena each, so that none reserves more than its chunk.
    arenas: Vec<Bump>,
    /// The number that the next `T` gets; all before it that were handed out are initialised.
    top: usize,
    /// Where the last chunk ends.
    end: usize,
    /// Numbers that were never handed out: a chunk that was cut short by a limit, which was raised later.
    holes: Vec<Range<usize>>,
    arena_bytes: usize,
    /// The limit under which the last attempt to get a chunk failed: it is not tried again.
    full_at: Option<usize>,
}

impl<T> Chunks<T> {
    /// A chunk holds 2^SHIFT `T`s: the most that fit into 128 KiB, beyond which allocators go to the system each time.
    const SHIFT: u32 = {
        let room = 120 * 1024 / if size_of::<T>() == 0 { 1 } else { size_of::<T>() };
        if room == 0 { 0 } else { room.ilog2() }
    };
    const CHUNK: usize = 1 << Self::SHIFT;

    pub fn new() -> Self {
        const { assert!(!core::mem::needs_drop::<T>()) }
        Chunks {
            starts: Vec::new(),
            arenas: Vec::new(),
            top: 0,
            end: 0,
            holes: Vec::new(),
            arena_bytes: 0,
            full_at: None,
        }
    }

    #[inline(always)]
    pub fn get(&self, id: u32) -> &T {
        let id = id as usize;
        assert!(id < self.top);
        // SAFETY: `id` is below `top`, so the chunk exists; ids come only from `push`, which initialised the place;
        // the arenas live as long as `self`, and places are overwritten only through `&mut self`.
        unsafe { self.starts.get_unchecked(id >> Self::SHIFT).add(id & (Self::CHUNK - 1)).as_ref() }
    }

    /// Adds what `make` makes of its number, or nothing if that takes more than `limit` bytes in all, if memory
    /// cannot be had, or if the numbers are used up.
    #[inline(always)]
    pub fn push(&mut self, limit: usize, make: impl FnOnce(u32) -> T) -> Option<u32> {
        if self.top == self.end && !self.add_chunk(limit) {
            return None;
        }
        let id = self.top;
        // SAFETY: `id` lies between the start of the last chunk and `end`, so the chunk exists and has room there.
        unsafe {
            self.starts.get_unchecked(id >> Self::SHIFT).add(id & (Self::CHUNK - 1)).write(make(id as u32))
        };
        self.top += 1;
        Some(id as u32)
    }

    /// The number that `push` will give.
    #[inline(always)]
    pub fn next_id(&self) -> u32 {
        if self.top == self.end { (self.starts.len() << Self::SHIFT) as u32 } else { self.top as u32 }
    }

    /// All numbers that were handed out.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        (0..self.top as u32).filter(|&id| self.holds(id))
    }

    /// Whether this number was handed out.
    pub fn holds(&self, id: u32) -> bool {
        (id as usize) < self.top && !self.holes.iter().any(|hole| hole.contains(&(id as usize)))
    }

    /// Overwrites what has this number.
    #[inline(always)]
    pub fn replace(&mut self, id: u32, value: T) {
        let id = id as usize;
        assert!(id < self.top);
        // SAFETY: as in `get`; `&mut self` says that nobody looks.
        unsafe { self.starts.get_unchecked(id >> Self::SHIFT).add(id & (Self::CHUNK - 1)).write(value) };
    }

    /// The bytes taken from the system.
    pub fn bytes(&self) -> usize {
        self.arena_bytes
            + self.starts.capacity() * size_of::<NonNull<T>>()
            + self.arenas.capacity() * size_of::<Bump>()
    }

    #[cold]
    #[inline(never)]
    fn add_chunk(&mut self, limit: usize) -> bool {
        let first = self.starts.len() << Self::SHIFT;
        if self.full_at.is_some_and(|full| limit <= full) || first + Self::CHUNK > u32::MAX as usize {
            return false;
        }
        // Near the limit a smaller chunk may still fit. It is the last one then, unless the limit is raised.
        let mut count = Self::CHUNK;
        while count > 0 {
            if let Some((arena, start)) = self.allocate(count, limit) {
                self.arena_bytes += arena.allocated_bytes_including_metadata();
                self.arenas.push(arena);
                self.starts.push(start);
                if self.top < first {
                    self.holes.push(self.top..first);
                }
                (self.top, self.end) = (first, first + count);
                return true;
            }
            count /= 2;
        }
        self.full_at = Some(limit);
        false
    }

    /// Room for `count` more, if it stays under the limit with everything that it takes.
    fn allocate(&mut self, count: usize, limit: usize) -> Option<(Bump, NonNull<T>)> {
        const MORE: usize = 16; // a table that doubled could jump over the limit
        let layout = Layout::array::<T>(count).ok()?;
        let tables = MORE * (size_of::<NonNull<T>>() + size_of::<Bump>());
        if self.bytes() + tables + layout.size() > limit {
            return None;
        }
        if self.starts.len() == self.starts.capacity() {
            self.starts.try_reserve_exact(MORE).ok()?;
            self.arenas.try_reserve_exact(MORE).ok()?;
        }
        let arena = Bump::try_with_capacity(layout.size() + layout.align()).ok()?;
        if self.bytes() + arena.allocated_bytes_including_metadata() > limit {
            return None;
        }
        let start = arena.try_alloc_layout(layout).ok()?.cast();
        Some((arena, start))
    }
}

// SAFETY: the pointers lead into the arenas, which belong to this value alone and move with it.
unsafe impl<T: Send> Send for Chunks<T> {}
