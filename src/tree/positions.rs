//! Positions: nodes that several actions lead to, found by their keys.
//!
//! In a tree that shares positions, the link of a node names a position, and the position links to the children. A position
//! is a lane in a *hub*, a small block in a store of its own, so everything that a node can do, a position can do. Beside the lanes there is
//! an entry for each position: its key, and the number of links to it. A position without links is freed, and then
//! its children join the list of what was cut off.
//!
//! The table of keys grows by linear hashing: one bucket at a time, so no iteration has to wait for a table to be built again.

use super::chunks::Chunks;
use super::layout::SMALL;
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

/// The number of bits of a number that name neither the chunk nor the hub in it: the lane, and one bit for the kind of block.
const HUB_BITS: u32 = SMALL.ilog2() + 1;

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
        let table =
            if self.pages.len() == self.pages.capacity() { TABLE_STEP * size_of::<Box<[T]>>() } else { 0 };
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

/// The table of all positions. The number of a position names its lane: the id of the hub, and the lane in it.
pub(super) struct Positions {
    /// The entries: a page for each chunk of hubs.
    entries: Vec<Box<[Entry]>>,
    /// The head of each bucket; see [`TAG`].
    buckets: Pages<u32, 10>,
    /// The number of buckets is `2^level + split`, and those below `split` have been split.
    level: u32,
    split: usize,
    /// The first free number, and the next lane of the newest hub.
    free: u32,
    next: u32,
    /// The number of hubs in a chunk, as a power of two.
    shift: u32,
    live: usize,
    /// The bytes of the entries.
    bytes: usize,
    /// Whether a position has occurred twice on a path.
    has_cycles: bool,
}

impl Positions {
    pub const fn new() -> Self {
        Positions {
            entries: Vec::new(),
            buckets: Pages::new(),
            level: 0,
            split: 0,
            free: NONE,
            next: NONE,
            shift: 0,
            live: 0,
            bytes: 0,
            has_cycles: false,
        }
    }

    fn bytes(&self) -> usize {
        self.bytes + self.buckets.bytes()
    }

    /// Returns a number that has been freed, or that of the next lane of the newest hub.
    fn free_number(&mut self) -> Option<u32> {
        let number = self.free;
        if number != NONE {
            self.free = self.entry(number).next;
            return Some(number);
        }
        let number = self.next;
        let is_in_hub = number as usize % SMALL != 0;
        self.next += u32::from(is_in_hub);
        is_in_hub.then_some(number)
    }

    /// Adds a page of entries. Returns `false` if there is no memory.
    fn add_page(&mut self, len: usize) -> bool {
        let mut page = Vec::new();
        if self.entries.try_reserve_exact(1).is_err() || page.try_reserve_exact(len).is_err() {
            return false;
        }
        page.resize(len, Entry::default());
        self.entries.push(page.into_boxed_slice());
        self.bytes += len * size_of::<Entry>() + size_of::<Box<[Entry]>>();
        true
    }

    /// Returns the bucket of a key with this hash.
    #[inline(always)]
    fn bucket(&self, hash: usize) -> usize {
        let coarse = hash & ((1 << self.level) - 1);
        if coarse < self.split { hash & ((2 << self.level) - 1) } else { coarse }
    }

    fn get(&self, number: u32) -> &Entry {
        let (chunk, index) = self.place(number);
        &self.entries[chunk][index]
    }

    fn entry(&mut self, number: u32) -> &mut Entry {
        let (chunk, index) = self.place(number);
        &mut self.entries[chunk][index]
    }

    /// Returns the page and the index of an entry.
    #[inline(always)]
    fn place(&self, number: u32) -> (usize, usize) {
        let index = number & ((SMALL as u32) << self.shift) - 1;
        ((number >> (self.shift + HUB_BITS)) as usize, index as usize)
    }

    fn find(&self, key: [u32; 4], chooser: u8) -> Option<u32> {
        if self.buckets.len == 0 {
            return None;
        }
        let hash = hash(key);
        let head = *self.buckets.get(self.bucket(hash));
        if head & MORE == 0 && (head ^ tag(hash)) & TAG != 0 {
            return None; // most buckets are empty or hold one position, so this is the usual end
        }
        let mut number = head & NUMBER;
        while number != NONE {
            let entry = self.get(number);
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
        let mut rest = *self.buckets.get(old) & NUMBER;
        *self.buckets.get_mut(old) = NONE;
        self.split += 1;
        if self.split == 1 << self.level {
            (self.level, self.split) = (self.level + 1, 0);
        }
        debug_assert_eq!(
            new,
            old + (1 << self.level) - if self.split == 0 { (1 << self.level) / 2 } else { 0 }
        );
        while rest != NONE {
            let next = self.entry(rest).next;
            self.put(rest);
            rest = next;
        }
    }

    /// Puts a position into its bucket.
    fn put(&mut self, number: u32) {
        let hash = hash(self.get(number).key);
        let bucket = self.bucket(hash);
        let next = *self.buckets.get(bucket) & NUMBER;
        self.entry(number).next = next;
        *self.buckets.get_mut(bucket) = number | tag(hash) | if next == NONE { 0 } else { MORE };
    }

    /// Takes a position out of its bucket.
    fn take_out(&mut self, number: u32) {
        // A bucket is short, so it is filled anew.
        let bucket = self.bucket(hash(self.get(number).key));
        let mut rest = *self.buckets.get(bucket) & NUMBER;
        *self.buckets.get_mut(bucket) = NONE;
        while rest != NONE {
            let next = self.entry(rest).next;
            if rest != number {
                self.put(rest);
            }
            rest = next;
        }
    }
}

fn words(key: u128) -> [u32; 4] {
    [key as u32, (key >> 32) as u32, (key >> 64) as u32, (key >> 96) as u32]
}

/// The head of a bucket is the number of its first position, three bits of the hash of that position's key, and whether there are more
/// positions in the bucket.
const TAG: u32 = 7 << NUMBER_BITS;
const MORE: u32 = 1 << 31;

/// Returns the bits of a hash that the head of a bucket keeps.
#[inline(always)]
fn tag(hash: usize) -> u32 {
    (hash as u32 >> 29) << NUMBER_BITS
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
        let number = link & NUMBER;
        self.hubs.get(number / SMALL as u32).node(number as usize % SMALL)
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
            // There are two buckets for each position.
            for _ in 0..2 {
                let needed = positions.buckets.bytes_to_push();
                if 2 * positions.live > positions.buckets.len && self.reserved_bytes() + needed <= limit {
                    positions.split_a_bucket();
                    self.position_bytes.set(positions.bytes());
                }
            }
        }
        node.set_link(number | transformation << NUMBER_BITS);
        self.position(number).become_position(node);
        true
    }

    /// Returns a number for a new position, whose lane and entry exist.
    fn new_number(&self, any: A, limit: usize) -> Option<u32> {
        let positions = &mut *self.positions.borrow_mut();
        if let Some(number) = positions.free_number() {
            return Some(number);
        }
        let first = if positions.buckets.len == 0 { positions.buckets.bytes_to_push() } else { 0 };
        // A chunk of hubs comes with a page of entries.
        let (lane, entry) = (Chunks::<A, P, B>::size(false) / SMALL, size_of::<Entry>());
        let left = limit.checked_sub(self.reserved_bytes() + first + size_of::<Box<[Entry]>>())?;
        let for_hubs = self.hubs.bytes() + (left as f64 * lane as f64 / (lane + entry) as f64) as usize;
        let id = self.hubs.push(false, for_hubs, 0, any)?;
        let (chunk, _) = Chunks::<A, P, B>::place(id);
        let has_page =
            chunk < positions.entries.len() || positions.add_page((self.hubs.left_of(false) + 1) * SMALL);
        let number = id.checked_mul(SMALL as u32).filter(|&number| number < NUMBER - SMALL as u32);
        let has_room = has_page && (positions.buckets.len > 0 || positions.buckets.push(NONE));
        positions.shift = Chunks::<A, P, B>::SHIFT;
        self.position_bytes.set(positions.bytes());
        // The number 0 means "no position".
        let number = number.filter(|_| has_room)?.max(1);
        positions.next = number + 1;
        Some(number)
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
        for (number, lane) in self.positions_from(ROOT) {
            let Entry { links, mark, .. } = *self.positions.borrow_mut().entry(number);
            if links & LINKS > 0 && mark == UNMARKED {
                // The children give back their links when their blocks are freed.
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

    /// Returns the lanes of the positions, by number from `from` on; among them are free ones, which have no children.
    pub(super) fn positions_from(&self, from: u32) -> impl Iterator<Item = (u32, NodeRef<'_, A, P, B>)> {
        let lanes = |hub: u32| (0..SMALL as u32).map(move |lane| hub * SMALL as u32 + lane);
        let numbers = self.hubs.ids(from / SMALL as u32).flat_map(lanes);
        numbers.filter(move |&number| number >= from).map(|number| (number, self.position(number)))
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
