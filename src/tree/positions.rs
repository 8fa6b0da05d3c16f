//! Positions: nodes that several actions lead to, found by their keys.
//!
//! In a tree that shares positions, the link of a node names a position, and the position links to the children. A position
//! is a lane in a block of its own kind, a *hub*, so everything that a node can do, a position can do. Beside the lanes there is
//! an entry for each position: its key, and the number of links to it. A position without links is freed, and then
//! its children join the list of what was cut off.
//!
//! The table of keys grows by linear hashing: one bucket at a time, so no iteration has to wait for a table to be built again.

use super::layout::LANES;
use super::{NONE, NodeRef, ROOT, Tree};

/// The number of bits of a link that name a position. The others name the transformation between the state in the search and
/// the state of the position.
const NUMBER_BITS: u32 = 28;
const NUMBER: u32 = (1 << NUMBER_BITS) - 1;

/// The number of bits of [`Entry::links`] that count links. The others name the player who chooses the position.
const LINK_BITS: u32 = 29;
const LINKS: u32 = (1 << LINK_BITS) - 1;

/// Returns the transformation that a link names.
#[inline(always)]
pub(crate) fn transformation(link: u32) -> u32 {
    link >> NUMBER_BITS
}

/// Returns the number of the position that a link leads to.
#[inline(always)]
pub(crate) fn position_number(link: u32) -> u32 {
    link & NUMBER
}

/// Returns whether two links lead to the same position.
#[inline(always)]
pub(crate) fn is_same_position(a: u32, b: u32) -> bool {
    (a ^ b) & NUMBER == 0
}

/// What is known of a position beside its lane.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: [u32; 4],
    /// The number of links to the position; in the upper bits, the player who chooses it.
    links: u32,
    /// The next position in the same bucket, or the next free number.
    next: u32,
    /// The next position to visit while the reachable ones are marked; [`UNMARKED`] outside of that.
    mark: u32,
}

const UNMARKED: u32 = u32::MAX;

/// A list in pages, which never move.
struct Pages<T, const SHIFT: u32> {
    pages: Vec<Box<[T]>>,
    len: usize,
}

impl<T: Copy + Default, const SHIFT: u32> Pages<T, SHIFT> {
    const BYTES: usize = (1 << SHIFT) * size_of::<T>();

    const fn new() -> Self {
        Pages { pages: Vec::new(), len: 0 }
    }

    #[inline(always)]
    fn get(&self, index: usize) -> &T {
        &self.pages[index >> SHIFT][index & ((1 << SHIFT) - 1)]
    }

    #[inline(always)]
    fn get_mut(&mut self, index: usize) -> &mut T {
        &mut self.pages[index >> SHIFT][index & ((1 << SHIFT) - 1)]
    }

    /// Returns the bytes that another element takes.
    fn bytes_to_push(&self) -> usize {
        let table = if self.pages.len() == self.pages.capacity() { TABLE_STEP * size_of::<Box<[T]>>() } else { 0 };
        if self.len >> SHIFT == self.pages.len() { Self::BYTES + table } else { 0 }
    }

    /// Adds an element. Returns `false` if the system has no memory for it.
    fn push(&mut self, element: T) -> bool {
        if self.len >> SHIFT == self.pages.len() {
            let mut page = Vec::new();
            let full = self.pages.len() == self.pages.capacity();
            if full && self.pages.try_reserve_exact(TABLE_STEP).is_err()
                || page.try_reserve_exact(1 << SHIFT).is_err()
            {
                return false;
            }
            page.resize(1 << SHIFT, T::default());
            self.pages.push(page.into_boxed_slice());
        }
        let index = self.len;
        self.len += 1;
        *self.get_mut(index) = element;
        true
    }

    fn bytes(&self) -> usize {
        self.pages.len() * Self::BYTES + self.pages.capacity() * size_of::<Box<[T]>>()
    }
}

/// By how much a table of pages grows. Doubling it could exceed the limit.
const TABLE_STEP: usize = 64;

/// The table of all positions. Positions are numbered from 1.
pub(super) struct Positions {
    /// The entries. The first is unused.
    entries: Pages<Entry, 9>,
    /// The hubs: each holds the lanes of eight positions.
    hubs: Pages<u32, 10>,
    /// The first position of each bucket.
    buckets: Pages<u32, 10>,
    /// The number of buckets is `2^level + split`, and those below `split` have been split.
    level: u32,
    split: usize,
    /// The first free number.
    free: u32,
    live: usize,
    /// Whether a position has occurred twice on a path.
    has_cycles: bool,
}

impl Positions {
    pub const fn new() -> Self {
        Positions {
            entries: Pages::new(),
            hubs: Pages::new(),
            buckets: Pages::new(),
            level: 0,
            split: 0,
            free: NONE,
            live: 0,
            has_cycles: false,
        }
    }

    pub fn bytes(&self) -> usize {
        self.entries.bytes() + self.hubs.bytes() + self.buckets.bytes()
    }

    /// Returns whether there is a lane for another position, and the bytes that the table then needs.
    fn room(&self) -> (bool, usize) {
        let has_room = self.entries.len > 0 && (self.entries.len - 1) / LANES < self.hubs.len;
        let first = if self.buckets.len == 0 { self.buckets.bytes_to_push() } else { 0 };
        let hub = if has_room { 0 } else { self.hubs.bytes_to_push() };
        (has_room, self.entries.bytes_to_push() + hub + first)
    }

    /// Returns a number that has been freed.
    fn free_number(&mut self) -> Option<u32> {
        let number = self.free;
        if number == NONE {
            return None;
        }
        self.free = self.entry(number).next;
        Some(number)
    }

    /// Adds an entry, and its `hub` if the position is the first in it. Returns the number, or `None` if there is no memory or
    /// no number left.
    fn push(&mut self, hub: Option<u32>) -> Option<u32> {
        if self.entries.len > NUMBER as usize
            || self.buckets.len == 0 && !self.buckets.push(NONE)
            || self.entries.len == 0 && !self.entries.push(Entry::default())
            || hub.is_some_and(|hub| !self.hubs.push(hub))
        {
            return None;
        }
        let number = self.entries.len as u32;
        self.entries.push(Entry::default()).then_some(number)
    }

    fn entry(&mut self, number: u32) -> &mut Entry {
        self.entries.get_mut(number as usize)
    }

    /// Returns the bucket of a key.
    #[inline(always)]
    fn bucket(&self, key: [u32; 4]) -> usize {
        let hash = hash(key);
        let coarse = hash & ((1 << self.level) - 1);
        if coarse < self.split { hash & ((2 << self.level) - 1) } else { coarse }
    }

    fn find(&self, key: [u32; 4], chooser: u8) -> Option<u32> {
        if self.buckets.len == 0 {
            return None;
        }
        let mut number = *self.buckets.get(self.bucket(key));
        while number != NONE {
            let entry = self.entries.get(number as usize);
            if entry.key == key && entry.links >> LINK_BITS == u32::from(chooser) {
                return Some(number);
            }
            number = entry.next;
        }
        None
    }

    /// Adds a bucket and moves what belongs there. Does nothing if there is no memory: buckets are then longer.
    fn split_a_bucket(&mut self) {
        if !self.buckets.push(NONE) {
            return;
        }
        let (new, old) = (self.buckets.len - 1, self.split);
        let mut rest = *self.buckets.get(old);
        *self.buckets.get_mut(old) = NONE;
        self.split += 1;
        if self.split == 1 << self.level {
            (self.level, self.split) = (self.level + 1, 0);
        }
        debug_assert_eq!(new, old + (1 << self.level) - if self.split == 0 { (1 << self.level) / 2 } else { 0 });
        while rest != NONE {
            let next = self.entry(rest).next;
            self.put(rest);
            rest = next;
        }
    }

    /// Puts a position into its bucket.
    fn put(&mut self, number: u32) {
        let bucket = self.bucket(self.entries.get(number as usize).key);
        self.entry(number).next = *self.buckets.get(bucket);
        *self.buckets.get_mut(bucket) = number;
    }

    /// Takes a position out of its bucket.
    fn take_out(&mut self, number: u32) {
        let Entry { key, next, .. } = *self.entry(number);
        let bucket = self.bucket(key);
        let mut at = *self.buckets.get(bucket);
        if at == number {
            *self.buckets.get_mut(bucket) = next;
            return;
        }
        while at != NONE {
            let entry = self.entry(at);
            if entry.next == number {
                entry.next = next;
                return;
            }
            at = entry.next;
        }
    }
}

fn words(key: u128) -> [u32; 4] {
    [key as u32, (key >> 32) as u32, (key >> 64) as u32, (key >> 96) as u32]
}

/// Spreads keys, which may be bits of a board, over the buckets.
#[inline(always)]
fn hash([a, b, c, d]: [u32; 4]) -> usize {
    let (low, high) = (u64::from(b) << 32 | u64::from(a), u64::from(d) << 32 | u64::from(c));
    let product = u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high ^ 0xD1B5_4A32_D192_ED03 | 1);
    let mixed = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    (mixed ^ mixed >> 32) as u32 as usize
}

impl<A: Copy, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// Returns whether links name positions.
    #[inline(always)]
    pub fn shares(&self) -> bool {
        self.shares.get()
    }

    /// Makes this a tree whose links name positions. It must have no root.
    pub fn share(&self) {
        self.shares.set(true);
    }

    /// Returns the lane of the position that a link names.
    #[inline(always)]
    pub fn position(&self, link: u32) -> NodeRef<'_, A, P, B> {
        let index = ((link & NUMBER) - 1) as usize;
        let hub = *self.positions.borrow().hubs.get(index / LANES);
        self.block(hub).node(index % LANES)
    }

    /// Returns the node that holds what is known of the position which `node` leads to: the position, or the node itself if it
    /// leads to none.
    #[inline(always)]
    pub fn home<'t>(&'t self, node: NodeRef<'t, A, P, B>) -> NodeRef<'t, A, P, B> {
        if node.link() == NONE { node } else { self.position(node.link()) }
    }

    /// Returns the position with this key that `chooser` moves to, as a link without a transformation.
    pub fn find_position(&self, key: u128, chooser: u8) -> Option<u32> {
        self.positions.borrow().find(words(key), chooser)
    }

    /// Makes `node` lead to a position that exists.
    pub fn link_to(&self, node: NodeRef<'_, A, P, B>, number: u32, transformation: u32) {
        self.positions.borrow_mut().entry(number).links += 1;
        node.set_link(number | transformation << NUMBER_BITS);
    }

    /// Creates the position that `node` leads to, with the statistics of the node. Returns `false` if the limit leaves no room.
    pub fn add_position(
        &self,
        node: NodeRef<'_, A, P, B>,
        key: u128,
        transformation: u32,
        chooser: u8,
        limit: usize,
    ) -> bool {
        let Some(number) = self.new_number(node.action(), limit) else { return false };
        let key = words(key);
        {
            let positions = &mut *self.positions.borrow_mut();
            *positions.entry(number) =
                Entry { key, links: 1 | u32::from(chooser) << LINK_BITS, next: NONE, mark: UNMARKED };
            positions.put(number);
            positions.live += 1;
            // On average, a bucket holds one position.
            let needed = positions.buckets.bytes_to_push();
            if positions.live > positions.buckets.len && self.reserved_bytes() + needed <= limit {
                positions.split_a_bucket();
                self.position_bytes.set(positions.bytes());
            }
        }
        node.set_link(number | transformation << NUMBER_BITS);
        self.position(number).become_position(node);
        true
    }

    /// Returns a number for a new position, whose lane and entry exist.
    fn new_number(&self, any: A, limit: usize) -> Option<u32> {
        if let Some(number) = self.positions.borrow_mut().free_number() {
            return Some(number);
        }
        let (has_room, needed) = self.positions.borrow().room();
        if self.reserved_bytes() + needed > limit {
            return None;
        }
        // This may free positions, too.
        let hub = if has_room { None } else { Some(self.take(true, limit.saturating_sub(needed), 0, any)?) };
        let positions = &mut *self.positions.borrow_mut();
        let number = positions.push(hub);
        self.position_bytes.set(positions.bytes());
        if let (None, Some(hub)) = (number, hub) {
            self.set_free(hub);
        }
        number
    }

    /// Takes a link away. A position without links loses its children and its key.
    pub(super) fn release(&self, link: u32) {
        if link == NONE {
            return;
        }
        let number = link & NUMBER;
        let is_free = {
            let positions = &mut *self.positions.borrow_mut();
            let links = &mut positions.entry(number).links;
            *links -= 1;
            *links & LINKS == 0
        };
        if is_free {
            self.free_position(number);
        }
    }

    fn free_position(&self, number: u32) {
        let lane = self.position(number);
        self.cut_off(lane.link());
        lane.set_link(NONE);
        let positions = &mut *self.positions.borrow_mut();
        positions.take_out(number);
        positions.live -= 1;
        let free = positions.free;
        *positions.entry(number) = Entry { next: free, mark: UNMARKED, ..Entry::default() };
        positions.free = number;
    }

    /// Notes that a position has occurred twice on a path, so that links may form a ring.
    pub fn note_cycle(&self) {
        self.positions.borrow_mut().has_cycles = true;
    }

    /// Frees the positions that the root does not lead to, although there are links to them: they form rings. Walks through the whole graph if
    /// there may be any.
    ///
    /// The list of positions to visit runs through their entries, so a graph of any depth needs neither recursion nor memory for it.
    pub(super) fn free_rings(&self) {
        if !self.positions.borrow().has_cycles {
            return;
        }
        let mark = |link: u32, next: u32| {
            let number = link & NUMBER;
            let mut positions = self.positions.borrow_mut();
            let is_new = number != NONE && positions.entry(number).mark == UNMARKED;
            if is_new {
                positions.entry(number).mark = next;
            }
            if is_new { number } else { next }
        };
        let mut list = mark(self.root().link(), ROOT);
        while list != ROOT {
            let number = list;
            list = self.positions.borrow_mut().entry(number).mark;
            for child in self.children_of(self.position(number).link()) {
                list = mark(child.link(), list);
            }
        }
        let count = self.positions.borrow().entries.len as u32;
        for number in 1..count {
            let Entry { links, mark, .. } = *self.positions.borrow_mut().entry(number);
            if links & LINKS > 0 && mark == UNMARKED {
                // The children give back their links when their blocks are freed.
                let lane = self.position(number);
                self.cut_off(lane.link());
                lane.set_link(NONE);
            }
            self.positions.borrow_mut().entry(number).mark = UNMARKED;
        }
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.positions.borrow().live
    }

    /// Returns the lanes of the positions that have children, by number from `from` on.
    pub(super) fn positions_from(&self, from: u32) -> impl Iterator<Item = (u32, NodeRef<'_, A, P, B>)> {
        let count = self.positions.borrow().entries.len as u32;
        (from.max(1)..count).map(|number| (number, self.position(number)))
    }

    /// Sets the transformation between the root state and the state of its position.
    pub fn set_root_transformation(&self, transformation: u32) {
        let number = self.root_position();
        if number != NONE {
            self.root().set_link(number | transformation << NUMBER_BITS);
        }
    }

    /// Returns the number of the position that the root leads to.
    pub(super) fn root_position(&self) -> u32 {
        self.root().link() & NUMBER
    }
}
