//! Images of positions: the table, and the lane of each position, as bytes.
//!
//! As with blocks, nothing in an image is trusted. No two positions of a finished tree have the same key, and
//! each has as many links as it counts. Whether a key is that of the state there, only the rules of the game
//! can tell.

use super::super::lane_image::{Flaw, Lane, put_number, take_bytes, take_number, unless};
use super::super::layout::SMALL;
use super::super::{AT_ONCE, NONE, Tree};
use super::{Entry, LINK_BITS, LINKS, NUMBER_BITS, UNMARKED, words};
use serde::{Deserialize, Serialize};

/// The number of hubs of one section of an image.
const HUBS_AT_ONCE: u32 = 1 << 12;

/// The numbers that an image holds of all positions together.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
pub(crate) struct PositionsOutline {
    hubs: u32,
    entries: u32,
    buckets: u32,
    free: u32,
    has_cycles: bool,
}

impl PositionsOutline {
    /// Returns the number of sections that hold the positions.
    pub fn sections(&self) -> u32 {
        self.hubs.div_ceil(HUBS_AT_ONCE)
    }
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// Frees all that the root does not lead to. In an image, a position that the root does not lead to could
    /// not be checked against the rules of the game, but its key could be found again.
    pub fn free_the_rest(&self) {
        if self.shares() && !self.is_empty() {
            while self.give_back(AT_ONCE) == AT_ONCE {}
            self.free_unreachable();
            while self.give_back(AT_ONCE) == AT_ONCE {}
        }
    }

    /// Returns the part of the image of the positions that is not in its sections.
    pub fn positions_outline(&self) -> PositionsOutline {
        let positions = self.positions.borrow();
        PositionsOutline {
            hubs: positions.hubs.len as u32,
            entries: positions.entries.len as u32,
            buckets: positions.buckets.len as u32,
            free: positions.free,
            has_cycles: positions.has_cycles,
        }
    }

    /// Appends the section with this number to `bytes`. `put` appends what the caller stores in a lane.
    pub fn write_positions<E>(
        &self,
        number: u32,
        bytes: &mut Vec<u8>,
        mut put: impl FnMut(A, P, B, &mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let positions = self.positions.borrow();
        let first = number * HUBS_AT_ONCE;
        for hub in first..(first + HUBS_AT_ONCE).min(positions.hubs.len as u32) {
            let id = *positions.hubs.get(hub as usize);
            let block = self.block(id);
            let (_, lanes, closed, _) = block.head_words();
            bytes.extend(id.to_le_bytes());
            bytes.extend([lanes, closed]);
            for lane in 0..SMALL {
                let index = hub as usize * SMALL + lane;
                if index == 0 || index >= positions.entries.len {
                    continue;
                }
                let Entry { key, links, next, .. } = *positions.entries.get(index);
                put_number(links & LINKS, bytes);
                if links & LINKS == 0 {
                    bytes.extend(next.to_le_bytes());
                    continue;
                }
                bytes.push((links >> LINK_BITS) as u8);
                key.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
                let node = block.node(lane);
                Lane::of(node).write(bytes);
                // A position has no action.
                put(self.root().action(), node.stats(), node.backprop(), bytes)?;
            }
        }
        Ok(())
    }

    /// Reads the next section into a tree with all its chunks. Returns `Ok(false)` if the table does not fit
    /// into `limit` bytes.
    pub(in super::super) fn read_positions<E: From<Flaw>>(
        &self,
        outline: &PositionsOutline,
        bytes: &mut &[u8],
        limit: usize,
        mut take: impl FnMut(&mut &[u8]) -> Result<(A, P, B), E>,
    ) -> Result<bool, E> {
        let positions = &mut *self.positions.borrow_mut();
        while !bytes.is_empty() {
            let id = u32::from_le_bytes(take_bytes(bytes)?);
            let [lanes, closed] = take_bytes(bytes)?;
            let block = self.find(id).ok_or(Flaw("a position is in no block"))?;
            let hub = positions.hubs.len;
            let (next, used, ..) = block.head_words();
            let is_hub =
                block.room() == SMALL && used == 0 && next as usize == hub && id < 1 << (NUMBER_BITS - 2);
            unless(is_hub && hub < outline.hubs as usize, "positions are in a block that is not for them")?;
            unless(lanes & 15 == 0 && closed < 1 << SMALL, "a position is not where it was")?;
            let needed = positions.hubs.bytes_to_push() + positions.entries.bytes_to_push();
            if self.reserved_bytes() + needed > limit || !positions.hubs.push(id) {
                return Ok(false);
            }
            block.restore((next, lanes, closed, 0), core::iter::empty());
            for lane in 0..SMALL {
                let index = hub * SMALL + lane;
                if index >= outline.entries as usize {
                    break;
                }
                if !positions.entries.push(Entry::default()) {
                    return Ok(false);
                }
                if index == 0 {
                    continue;
                }
                let links = take_number(bytes)?;
                unless(links <= LINKS, "a position has too many links")?;
                if links == 0 {
                    let next = u32::from_le_bytes(take_bytes(bytes)?);
                    *positions.entry(index as u32) = Entry { next, mark: UNMARKED, ..Entry::default() };
                    continue;
                }
                let [chooser] = take_bytes(bytes)?;
                unless(chooser < 1 << (32 - LINK_BITS), "a position has an unknown player")?;
                let key = words(u128::from_le_bytes(take_bytes(bytes)?));
                let links = links | u32::from(chooser) << LINK_BITS;
                *positions.entry(index as u32) = Entry { key, links, next: NONE, mark: UNMARKED };
                let (sums, (_, stats, backprop)) = (Lane::take(bytes)?, take(bytes)?);
                let node = block.node(lane);
                sums.restore(node)?;
                node.set_stats(stats);
                node.set_backprop(backprop);
            }
            self.position_bytes.set(positions.bytes());
        }
        Ok(true)
    }

    /// Makes the table of keys after the last section, and checks the list of free positions. Returns
    /// `Ok(false)` if the table does not fit into `limit` bytes.
    pub(in super::super) fn finish_positions(
        &self,
        outline: &PositionsOutline,
        limit: usize,
    ) -> Result<bool, Flaw> {
        let positions = &mut *self.positions.borrow_mut();
        let (hubs, entries) = (positions.hubs.len, positions.entries.len);
        unless(
            hubs == outline.hubs as usize && entries == outline.entries as usize,
            "positions are missing",
        )?;
        // One bucket comes before the first entry.
        let fits = outline.buckets as usize <= (2 * entries).max(1) && (outline.buckets > 0 || entries == 0);
        unless(fits, "the table of positions has another size")?;
        for _ in 0..outline.buckets {
            let needed = positions.buckets.bytes_to_push();
            if self.reserved_bytes() + needed > limit || !positions.buckets.push(NONE) {
                return Ok(false);
            }
            self.position_bytes.set(positions.bytes());
        }
        positions.level = outline.buckets.checked_ilog2().unwrap_or(0);
        positions.split = (outline.buckets as usize).saturating_sub(1 << positions.level);
        // Sorted, because buckets may be few and long in an image.
        let mut keys = Vec::new();
        for index in 1..entries as u32 {
            let Entry { key, links, .. } = *positions.get(index);
            if links & LINKS > 0 {
                keys.push((key, links >> LINK_BITS));
                positions.put(index);
                positions.live += 1;
            }
        }
        keys.sort_unstable();
        unless(keys.windows(2).all(|pair| pair[0] != pair[1]), "two positions have the same key")?;
        let mut free = outline.free;
        for _ in positions.live + 1..entries {
            let is_free = (1..entries).contains(&(free as usize)) && positions.get(free).links & LINKS == 0;
            unless(is_free, "a position in the list of free positions is not free")?;
            free = positions.get(free).next;
        }
        unless(free == NONE, "the list of free positions has another length")?;
        positions.free = outline.free;
        positions.has_cycles = outline.has_cycles;
        Ok(true)
    }

    /// Returns the number of entries of the table, one of which is unused.
    pub fn position_entries(&self) -> usize {
        self.positions.borrow().entries.len
    }

    /// Returns the ids of the hubs.
    pub(in super::super) fn hubs(&self) -> Vec<u32> {
        let positions = self.positions.borrow();
        (0..positions.hubs.len).map(|hub| *positions.hubs.get(hub)).collect()
    }

    /// Returns the index of the live position that a link names, if there is one.
    pub(in super::super) fn find_index(&self, link: u32) -> Option<u32> {
        let number = link & super::NUMBER;
        let block = self.find(number / SMALL as u32)?;
        let positions = self.positions.borrow();
        let hub = block.next() as usize;
        let is_hub = hub < positions.hubs.len && *positions.hubs.get(hub) == number / SMALL as u32;
        let index = hub * SMALL + number as usize % SMALL;
        let is_live = is_hub
            && (1..positions.entries.len).contains(&index)
            && positions.get(index as u32).links & LINKS > 0;
        is_live.then_some(index as u32)
    }

    /// Returns the number of links to the position with this index; 0 if it is free.
    pub(in super::super) fn links_to(&self, index: u32) -> u32 {
        self.positions.borrow().get(index).links & LINKS
    }
}
