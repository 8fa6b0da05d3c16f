//! Positions: nodes that several actions lead to, found by their keys.
//!
//! In a tree that shares positions, the link of a node names a position, and the position links to the
//! children. A position is a lane in a *hub*, a small block, so a position can do everything that a node can
//! do. In addition to its lane, each position has an entry: its key, and the number of links to it. When a
//! position loses its last link, it is freed, and its children join the list of cut-off blocks.
//!
//! The table of keys grows by linear hashing: one bucket at a time, so no iteration waits while a whole table
//! is built again.

#[cfg(feature = "save")]
pub(super) mod image;

use super::layout::SMALL;
use super::{NONE, NodeRef, Tree};

/// The number of bits of a link that name a position. The others name the transformation between the state in
/// the search and the state of the position.
const NUMBER_BITS: u32 = 28;
const NUMBER: u32 = (1 << NUMBER_BITS) - 1;

/// The number of bits of [`Entry::links`] below those that name the player who chooses the position.
const LINK_BITS: u32 = 29;
const LINKS: u32 = (1 << LINK_BITS) - 1;

/// Returns the transformation that a link names.
#[inline]
pub(crate) fn transformation(link: u32) -> u32 {
    link >> NUMBER_BITS
}

/// Returns the number of the position that a link leads to.
#[inline]
pub(crate) fn position_number(link: u32) -> u32 {
    link & NUMBER
}

/// Returns the word and the bit of the position that a link leads to, in a set of hashes.
#[inline(always)]
pub(crate) fn bit_of(link: u32) -> (usize, u64) {
    let hash = position_number(link).wrapping_mul(0x9E37_79B9) >> 24;
    (hash as usize / 64, 1 << (hash % 64))
}

/// Returns whether two links lead to the same position.
#[inline]
pub(crate) fn is_same_position(a: u32, b: u32) -> bool {
    (a ^ b) & NUMBER == 0
}

/// The part of a position that is not in its lane.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: [u32; 4],
    /// The number of links to the position; in the upper bits, the player who chooses it.
    links: u32,
    /// The next position in the same bucket, or the next free number.
    next: u32,
    /// The next position to visit, while the reachable positions are being marked; otherwise [`UNMARKED`].
    mark: u32,
}

const UNMARKED: u32 = u32::MAX;

/// A list in pages. A page never moves.
struct Pages<T, const SHIFT: u32> {
    pages: Vec<Box<[T]>>,
    len: usize,
}

impl<T: Copy, const SHIFT: u32> Clone for Pages<T, SHIFT> {
    /// The table of the copy has room for as many pages, because its bytes count.
    fn clone(&self) -> Self {
        let mut pages = Vec::with_capacity(self.pages.capacity());
        pages.extend_from_slice(&self.pages);
        Pages { pages, len: self.len }
    }
}

impl<T: Copy + Default, const SHIFT: u32> Pages<T, SHIFT> {
    const BYTES: usize = (1 << SHIFT) * size_of::<T>();

    const fn new() -> Self {
        Pages { pages: Vec::new(), len: 0 }
    }

    #[inline]
    fn get(&self, index: usize) -> &T {
        &self.pages[index >> SHIFT][index & ((1 << SHIFT) - 1)]
    }

    #[inline]
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

/// The table of all positions. A position has an index in this table, from 1 on, and a number for links,
/// which consists of the id of its hub and its lane there.
#[derive(Clone)]
pub(super) struct Positions {
    /// The entries. The first is unused.
    entries: Pages<Entry, 9>,
    /// The ids of the hubs.
    hubs: Pages<u32, 10>,
    /// The head of each bucket; see [`TAG`].
    buckets: Pages<u32, 10>,
    /// The number of buckets is `2^level + split`, and those below `split` have been split.
    level: u32,
    split: usize,
    /// The first free index.
    free: u32,
    live: usize,
    /// Whether a position has occurred twice on a path.
    has_cycles: bool,
    /// The keys of the positions that the game had before the root, in ascending order.
    earlier: Vec<u128>,
    /// A set of hashes of those that are in the tree.
    earlier_set: [u64; 4],
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
            earlier: Vec::new(),
            earlier_set: [0; 4],
        }
    }

    fn bytes(&self) -> usize {
        self.entries.bytes() + self.hubs.bytes() + self.buckets.bytes()
    }

    /// Returns an index that has been freed.
    fn take_free(&mut self) -> Option<u32> {
        let index = self.free;
        if index == NONE {
            return None;
        }
        self.free = self.entry(index).next;
        Some(index)
    }

    /// Returns whether the newest hub has a lane for another position, and the bytes that the table needs for
    /// it.
    fn room(&self) -> (bool, usize) {
        let has_lane = self.entries.len < self.hubs.len * SMALL;
        let hub = if has_lane { 0 } else { self.hubs.bytes_to_push() };
        let first = if self.buckets.len == 0 { self.buckets.bytes_to_push() } else { 0 };
        (has_lane, self.entries.bytes_to_push() + hub + first)
    }

    /// Adds an entry, whose lane exists. Returns its index, or `None` if there is no memory.
    fn push(&mut self) -> Option<u32> {
        if self.buckets.len == 0 && !self.buckets.push(NONE)
            || self.entries.len == 0 && !self.entries.push(Entry::default())
        {
            return None;
        }
        self.entries.push(Entry::default()).then(|| self.entries.len as u32 - 1)
    }

    /// Returns the number of the position with this index.
    #[inline]
    fn number(&self, index: u32) -> u32 {
        *self.hubs.get(index as usize / SMALL) * SMALL as u32 + index % SMALL as u32
    }

    #[inline]
    fn get(&self, index: u32) -> &Entry {
        self.entries.get(index as usize)
    }

    #[inline]
    fn entry(&mut self, index: u32) -> &mut Entry {
        self.entries.get_mut(index as usize)
    }

    /// Returns the bucket of a key with this hash.
    #[inline]
    fn bucket(&self, hash: usize) -> usize {
        let coarse = hash & ((1 << self.level) - 1);
        if coarse < self.split { hash & ((2 << self.level) - 1) } else { coarse }
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
        let mut index = head & NUMBER;
        while index != NONE {
            let entry = self.get(index);
            if entry.key == key && entry.links >> LINK_BITS == u32::from(chooser) {
                return Some(index);
            }
            index = entry.next;
        }
        None
    }

    /// Adds a bucket and moves the positions that belong there. Does nothing if there is no memory: buckets
    /// then become longer.
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
    fn put(&mut self, index: u32) {
        let hash = hash(self.get(index).key);
        let bucket = self.bucket(hash);
        let next = *self.buckets.get(bucket) & NUMBER;
        self.entry(index).next = next;
        *self.buckets.get_mut(bucket) = index | tag(hash) | if next == NONE { 0 } else { MORE };
    }

    /// Takes a position out of its bucket.
    fn take_out(&mut self, index: u32) {
        // A bucket is short, so it is simply filled again.
        let bucket = self.bucket(hash(self.get(index).key));
        let mut rest = *self.buckets.get(bucket) & NUMBER;
        *self.buckets.get_mut(bucket) = NONE;
        while rest != NONE {
            let next = self.entry(rest).next;
            if rest != index {
                self.put(rest);
            }
            rest = next;
        }
    }
}

fn words(key: u128) -> [u32; 4] {
    [key as u32, (key >> 32) as u32, (key >> 64) as u32, (key >> 96) as u32]
}

/// The head of a bucket is the number of its first position, three bits of the hash of that position's key,
/// and whether there are more positions in the bucket.
const TAG: u32 = 7 << NUMBER_BITS;
const MORE: u32 = 1 << 31;

/// Returns the bits of a hash that the head of a bucket keeps.
#[inline]
fn tag(hash: usize) -> u32 {
    (hash as u32 >> 29) << NUMBER_BITS
}

/// Returns a hash that spreads keys over the buckets. A key need not be a hash: it may be the bits of a
/// board.
#[inline]
fn hash([a, b, c, d]: [u32; 4]) -> usize {
    let (low, high) = (u64::from(b) << 32 | u64::from(a), u64::from(d) << 32 | u64::from(c));
    let product = u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high ^ 0xD1B5_4A32_D192_ED03 | 1);
    let mixed = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    (mixed ^ mixed >> 32) as u32 as usize
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// Returns whether links name positions.
    #[inline]
    pub fn shares(&self) -> bool {
        self.shares.get()
    }

    /// Makes this a tree whose links name positions. It must have no root.
    pub fn share(&self) {
        self.shares.set(true);
    }

    /// Returns the lane of the position that a link names.
    #[inline]
    pub fn position(&self, link: u32) -> NodeRef<'_, A, P, B> {
        let number = link & NUMBER;
        self.chunks.get_small(number / SMALL as u32).node(number as usize % SMALL)
    }

    /// Returns the node that holds the statistics of the position that `node` leads to: the position, or the
    /// node itself if it leads to none.
    #[inline]
    pub fn home<'t>(&'t self, node: NodeRef<'t, A, P, B>) -> NodeRef<'t, A, P, B> {
        if node.link() == NONE { node } else { self.position(node.link()) }
    }

    /// Returns the index of the position that a link names.
    fn index_of(&self, link: u32) -> u32 {
        let number = link & NUMBER;
        // A hub is not part of a family, so its `next` can hold the index of the hub.
        self.block(number / SMALL as u32).next() * SMALL as u32 + number % SMALL as u32
    }

    /// Returns the position with this key that `chooser` moves to, as a link without a transformation.
    pub fn find_position(&self, key: u128, chooser: u8) -> Option<u32> {
        let positions = self.positions.borrow();
        positions.find(words(key), chooser).map(|index| positions.number(index))
    }

    /// Returns the index, the key and the chooser of the position that a link names.
    pub fn key_of(&self, link: u32) -> (u32, u128, u8) {
        let index = self.index_of(link);
        let Entry { key, links, .. } = *self.positions.borrow().get(index);
        let key = key.iter().rev().fold(0, |key, &word| key << 32 | u128::from(word));
        (index, key, (links >> LINK_BITS) as u8)
    }

    /// Sets the keys, in ascending order, of the positions that the game of so many players has had.
    pub fn set_earlier(&self, keys: Vec<u128>, players: u8) {
        let mut set = [0; 4];
        for &key in &keys {
            for number in (0..players).filter_map(|player| self.find_position(key, player)) {
                let (word, bit) = bit_of(number);
                set[word] |= bit;
            }
        }
        let positions = &mut *self.positions.borrow_mut();
        (positions.earlier, positions.earlier_set) = (keys, set);
    }

    /// Returns whether the game has had the position with this key.
    pub fn is_earlier(&self, key: u128) -> bool {
        self.positions.borrow().earlier.binary_search(&key).is_ok()
    }

    /// Returns a set of hashes of the positions in the tree that the game has had.
    #[inline]
    pub fn earlier_set(&self) -> [u64; 4] {
        self.positions.borrow().earlier_set
    }

    /// Makes `node` lead to a position that exists.
    pub fn link_to(&self, node: NodeRef<'_, A, P, B>, number: u32, transformation: u32) {
        self.positions.borrow_mut().entry(self.index_of(number)).links += 1;
        node.set_link(number | transformation << NUMBER_BITS);
    }

    /// Creates the position that `node` leads to, with the statistics of the node. Returns `false` if the
    /// limit leaves no room.
    pub fn add_position(
        &self,
        node: NodeRef<'_, A, P, B>,
        (key, transformation): (u128, u32),
        chooser: u8,
        limit: usize,
    ) -> bool {
        let Some(number) = self.enter((key, chooser), &node.action(), limit) else { return false };
        node.set_link(number | transformation << NUMBER_BITS);
        self.position(number).become_position(node);
        true
    }

    /// Enters a new position with one link into the table. Returns its number, or `None` if the limit leaves
    /// no room. Its lane is not initialized.
    fn enter(&self, (key, chooser): (u128, u8), any: &A, limit: usize) -> Option<u32> {
        let (index, number) = self.new_position(any, limit)?;
        let positions = &mut *self.positions.borrow_mut();
        let links = 1 | u32::from(chooser) << LINK_BITS;
        *positions.entry(index) = Entry { key: words(key), links, next: NONE, mark: UNMARKED };
        positions.put(index);
        positions.live += 1;
        if positions.earlier.binary_search(&key).is_ok() {
            let (word, bit) = bit_of(number);
            positions.earlier_set[word] |= bit;
        }
        // There are two buckets for each position.
        for _ in 0..2 {
            let needed = positions.buckets.bytes_to_push();
            if 2 * positions.live > positions.buckets.len && self.reserved_bytes() + needed <= limit {
                positions.split_a_bucket();
                self.position_bytes.set(positions.bytes());
            }
        }
        Some(number)
    }

    /// Returns the index and the number of a new position, whose lane and entry exist.
    fn new_position(&self, any: &A, limit: usize) -> Option<(u32, u32)> {
        let (has_lane, needed) = {
            let positions = &mut *self.positions.borrow_mut();
            if let Some(index) = positions.take_free() {
                return Some((index, positions.number(index)));
            }
            positions.room()
        };
        if self.reserved_bytes() + needed > limit {
            return None;
        }
        // This may free positions, too.
        let hub = if has_lane { None } else { Some(self.new_hub(any, limit - needed)?) };
        let positions = &mut *self.positions.borrow_mut();
        if let Some(hub) = hub {
            if !positions.hubs.push(hub) {
                self.set_free(hub);
                return None;
            }
            self.block(hub).set_next(positions.hubs.len as u32 - 1);
        }
        let index = positions.push();
        self.position_bytes.set(positions.bytes());
        Some((index?, positions.number(index?)))
    }

    /// Returns a block for the lanes of four positions.
    fn new_hub(&self, any: &A, limit: usize) -> Option<u32> {
        let hub = self.take(false, limit, 0, any)?;
        if hub < NUMBER / SMALL as u32 {
            return Some(hub);
        }
        // The id is too great for the number of a position.
        self.set_free(hub);
        None
    }

    /// Takes a link away. A position without links loses its children and its key.
    pub(super) fn release(&self, link: u32) {
        if link == NONE {
            return;
        }
        let index = self.index_of(link);
        let is_free = {
            let positions = &mut *self.positions.borrow_mut();
            let links = &mut positions.entry(index).links;
            *links -= 1;
            *links & LINKS == 0
        };
        if is_free {
            self.free_position(index, self.position(link));
        }
    }

    fn free_position(&self, index: u32, lane: NodeRef<'_, A, P, B>) {
        self.cut_off(lane.link());
        lane.set_link(NONE);
        let positions = &mut *self.positions.borrow_mut();
        positions.take_out(index);
        positions.live -= 1;
        let free = positions.free;
        *positions.entry(index) = Entry { next: free, mark: UNMARKED, ..Entry::default() };
        positions.free = index;
    }

    /// Makes `node` lead to no position. If positions are not shared, removes its children.
    pub fn unlink(&self, node: NodeRef<'_, A, P, B>) {
        if !self.shares() {
            return self.prune(node);
        }
        self.release(node.link());
        node.set_link(NONE);
    }

    /// Notes that a position has occurred twice on a path, so links may form a ring.
    pub fn note_cycle(&self) {
        self.positions.borrow_mut().has_cycles = true;
    }

    /// Returns all positions, each with its number. Some are free, and have no children.
    pub fn all_positions(&self) -> impl Iterator<Item = (u32, NodeRef<'_, A, P, B>)> {
        self.position_indices(NONE).map(|index| {
            let number = self.positions.borrow().number(index);
            (number, self.position(number))
        })
    }

    /// Frees rings of positions that the root does not lead to. Walks through the whole graph, but only if a
    /// path has ever gone round a ring.
    pub(super) fn free_rings(&self) {
        if self.positions.borrow().has_cycles {
            self.free_unreachable();
        }
    }

    /// Frees the positions that the root does not lead to.
    ///
    /// The list of positions to visit runs through their entries, so the walk needs no recursion and no
    /// memory, however deep the graph is.
    pub(super) fn free_unreachable(&self) {
        let mark = |link: u32, next: u32| {
            if link == NONE {
                return next;
            }
            let index = self.index_of(link);
            let entry = &mut *self.positions.borrow_mut();
            let entry = entry.entry(index);
            if entry.mark != UNMARKED {
                return next;
            }
            entry.mark = next;
            index
        };
        let mut list = mark(self.root().link(), NONE);
        while list != NONE {
            let (lane, next) = {
                let positions = self.positions.borrow();
                (self.position(positions.number(list)), positions.get(list).mark)
            };
            list = next;
            for child in self.children_of(lane.link()) {
                list = mark(child.link(), list);
            }
        }
        for index in self.position_indices(NONE) {
            let lane = self.position_with(index);
            let Entry { links, mark, .. } = *self.positions.borrow().get(index);
            if links & LINKS > 0 && mark == UNMARKED {
                // The children release their links when their blocks are freed.
                self.cut_off(lane.link());
                lane.set_link(NONE);
            }
            self.positions.borrow_mut().entry(index).mark = UNMARKED;
        }
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.positions.borrow().live
    }

    /// Returns the indices of the positions, from `from` on. Some are free, and have no children.
    pub(super) fn position_indices(&self, from: u32) -> core::ops::Range<u32> {
        from.max(1)..self.positions.borrow().entries.len as u32
    }

    /// Returns the lane of the position with this index.
    pub(super) fn position_with(&self, index: u32) -> NodeRef<'_, A, P, B> {
        self.position(self.positions.borrow().number(index))
    }

    /// Sets the transformation between the root state and the state of its position.
    pub fn set_root_transformation(&self, transformation: u32) {
        let number = self.root().link() & NUMBER;
        if number != NONE {
            self.root().set_link(number | transformation << NUMBER_BITS);
        }
    }

    /// Returns the index of the position that the root leads to.
    pub(super) fn root_position(&self) -> u32 {
        if self.root().link() == NONE { NONE } else { self.index_of(self.root().link()) }
    }
}
