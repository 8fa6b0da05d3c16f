//! Images: the blocks of a tree as bytes, with their ids. A tree that is made from an image behaves like the
//! tree that was written: it has the same blocks in the same places, the same lists, and the same room.
//!
//! Nothing in an image is trusted. [`Restored::finish`] returns a tree only if a search can have made its
//! blocks: each is the root, or in one family, or in one list; the blocks of a family form a ring, and no
//! node is its own descendant. In a tree that shares positions, a block may also hold
//! [positions](super::positions), and each position has as many links as it counts.

use super::lane_image::{Flaw, Lane, MOST_EVENTS, take_bytes, unless};
use super::layout::{COMPLETE, SMALL};
use super::positions::image::PositionsOutline;
use super::recycling::{GRADES, Recycling};
use super::{NONE, NodeRef, ROOT, Tree};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// By how many visits the children of a node may exceed it. A policy that panics while an iteration is
/// recorded, from the leaf upwards, leaves the steps above without this visit.
const UNCOUNTED: u64 = 1_000;

/// Everything that a tree keeps in addition to its blocks.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub(crate) struct Outline {
    chunks: u32,
    free: [u32; 2],
    cut_off: u32,
    /// The lowest grade to keep, the next block, and whether any node has lost its children.
    recycling: Option<(u32, u32, bool)>,
    recycled: u64,
    has_adopted: bool,
    families_given_up: u64,
    full_at: [Option<u64>; 2],
}

impl Outline {
    /// Returns the number of chunks.
    pub fn chunks(&self) -> u32 {
        self.chunks
    }
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// Returns the sizes of a small and of a large block, and the number of blocks of a chunk. An image fits
    /// only trees with the same numbers.
    pub fn layout() -> [usize; 3] {
        super::Chunks::<A, P, B>::layout()
    }

    /// Returns the part of an image that is not in the chunks.
    pub fn outline(&self) -> Outline {
        Outline {
            chunks: self.chunks.chunks() as u32,
            free: [self.free[0].get(), self.free[1].get()],
            cut_off: self.cut_off.get(),
            recycling: self.recycling.get().map(Recycling::parts),
            recycled: self.recycled.get(),
            has_adopted: self.has_adopted.get(),
            families_given_up: self.families_given_up.get(),
            full_at: self.chunks.full_at().map(|limit| limit.map(|limit| limit as u64)),
        }
    }

    /// Appends the chunk with this number to `bytes`. `put` appends what the caller stores in a lane.
    pub fn write_chunk<E>(
        &self,
        number: u32,
        bytes: &mut Vec<u8>,
        mut put: impl FnMut(A, P, B, &mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (is_large, room, ids) = self.chunks.chunk(number);
        bytes.push(u8::from(is_large));
        bytes.extend(room.to_le_bytes());
        bytes.extend((ids.len() as u32).to_le_bytes());
        for id in ids {
            let block = self.block(id);
            let (next, mut lanes, mut closed, mut place) = block.head_words();
            if lanes & 15 == 0 {
                (lanes, closed, place) = (0, 0, 0); // a free block, or one of positions, which have an image of their own
            }
            bytes.extend(next.to_le_bytes());
            bytes.extend([lanes, closed]);
            bytes.extend(place.to_le_bytes());
            for node in block.nodes() {
                Lane::of(node).write(bytes);
                put(node.action(), node.stats(), node.backprop(), bytes)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
impl<A: Clone, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// Notes that there was no room at this limit, whatever the tree takes.
    pub fn pretend_to_be_full_at(&self, limit: u64) {
        self.chunks.pretend_to_be_full_at(limit);
    }

    /// As if ids had fewer bits: they are used up when there are `most` chunks of blocks.
    pub fn pretend_to_have_ids_for(&self, most: usize) {
        self.chunks.pretend_to_have_ids_for(most);
    }
}

/// A tree that is being made from an image.
pub(crate) struct Restored<A, P, B> {
    tree: Tree<A, P, B>,
    outline: Outline,
    /// The positions, if the tree shares them.
    positions: Option<PositionsOutline>,
    any: Option<A>,
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Restored<A, P, B> {
    pub fn new(outline: Outline, positions: Option<PositionsOutline>) -> Self {
        let tree = Tree::new();
        if positions.is_some() {
            tree.share();
        }
        Restored { tree, outline, positions, any: None }
    }

    /// Reads the next chunk. `take` reads what the caller stores in a lane, and advances the slice past it.
    /// Returns `Ok(false)` if the chunk does not fit into `limit` bytes.
    pub fn read_chunk<E: From<Flaw>>(
        &mut self,
        bytes: &mut &[u8],
        limit: usize,
        mut take: impl FnMut(&mut &[u8]) -> Result<(A, P, B), E>,
    ) -> Result<bool, E> {
        let [kind] = take_bytes(bytes)?;
        let (room, count) = (u32::from_le_bytes(take_bytes(bytes)?), u32::from_le_bytes(take_bytes(bytes)?));
        unless(kind <= 1, "a chunk has an unknown kind")?;
        let is_large = kind == 1;
        match self.tree.chunks.restore(is_large, room, limit) {
            Err(flaw) => return Err(flaw.into()),
            Ok(false) => return Ok(false),
            Ok(true) => {}
        }
        unless((1..=room).contains(&count), "a chunk holds more blocks than it has room for, or none")?;
        let mut lanes: SmallVec<[(Lane, A, P, B); 8]> = SmallVec::new();
        for _ in 0..count {
            let next = u32::from_le_bytes(take_bytes(bytes)?);
            let [used, closed] = take_bytes(bytes)?;
            let place = u16::from_le_bytes(take_bytes(bytes)?);
            let count = used & 15;
            unless(
                usize::from(count) <= if is_large { 2 * SMALL } else { SMALL },
                "a block has more children than lanes",
            )?;
            lanes.clear();
            for _ in 0..count {
                let lane = Lane::take(bytes)?;
                let (action, stats, backprop) = take(bytes)?;
                lanes.push((lane, action, stats, backprop));
            }
            if self.any.is_none() {
                self.any = lanes.first().map(|(_, action, ..)| action.clone());
            }
            let any = self.any.as_ref().ok_or(Flaw("the root is missing"))?;
            let Some(id) = self.tree.chunks.push(is_large, limit, 0, any) else {
                return Err(Flaw("a chunk holds more blocks than it has room for").into());
            };
            let block = self.tree.block(id);
            let visited = lanes.iter().filter(|(sums, ..)| sums.visits > 0).count();
            for (lane, (sums, ..)) in lanes.iter().enumerate() {
                sums.restore(block.node(lane))?;
            }
            let kept = lanes.drain(..).map(|(_, action, stats, backprop)| (action, stats, backprop));
            block.restore((next, used, closed, place), kept);
            let is_settled = block.is_settled();
            unless(
                block.visited() == visited && used >> 4 <= 8 || is_settled,
                "a block does not know which children were visited",
            )?;
            unless(
                !is_settled || (visited, place) == (usize::from(count), COMPLETE) && count > 0,
                "a block that is not complete is settled",
            )?;
            unless(closed.checked_shr(count.into()).unwrap_or(0) == 0, "a lane without a child is closed")?;
        }
        Ok(true)
    }

    /// Reads the next section of positions, which come after all chunks. Returns `Ok(false)` if the table
    /// does not fit into `limit` bytes.
    pub fn read_positions<E: From<Flaw>>(
        &mut self,
        bytes: &mut &[u8],
        limit: usize,
        take: impl FnMut(&mut &[u8]) -> Result<(A, P, B), E>,
    ) -> Result<bool, E> {
        let outline = self.positions.ok_or(Flaw("a tree without positions has some"))?;
        self.tree.read_positions(&outline, bytes, limit, take)
    }

    /// Checks the tree and returns it. Returns `Ok(None)` if the table of positions does not fit into `limit`
    /// bytes.
    pub fn finish(self, limit: usize) -> Result<Option<Tree<A, P, B>>, Flaw> {
        let Restored { tree, outline, positions, .. } = self;
        if let Some(positions) = positions {
            unless(outline.cut_off == NONE, "nodes that were cut off lead to positions")?;
            if !tree.finish_positions(&positions, limit)? {
                return Ok(None);
            }
        }
        let chunks = tree.chunks.chunks();
        unless(chunks == outline.chunks as usize, "chunks are missing")?;
        if let Some((least, ..)) = outline.recycling {
            unless(least as usize <= GRADES, "recycling has a grade that does not exist")?;
        }
        if chunks == 0 {
            let lists = [outline.free[0], outline.free[1], outline.cut_off];
            unless(lists == [NONE; 3] && outline.recycling.is_none(), "an empty tree has lists")?;
        } else {
            let mut census = Census {
                tree: &tree,
                seen: vec![0; tree.chunks.places().div_ceil(64)],
                count: 0,
                children: 0,
                links: vec![0; tree.position_entries()],
            };
            census.take(&outline)?;
            census.count_links()?;
            tree.children.set(census.children);
            tree.free_bytes.set(census.free(outline.free)?);
            unless(census.count == tree.chunks.count(), "a block is in no family and in no list")?;
        }
        tree.free[0].set(outline.free[0]);
        tree.free[1].set(outline.free[1]);
        tree.cut_off.set(outline.cut_off);
        tree.recycling.set(outline.recycling.map(Recycling::of));
        tree.recycled.set(outline.recycled.min(MOST_EVENTS));
        tree.has_adopted.set(outline.has_adopted);
        tree.families_given_up.set(outline.families_given_up.min(MOST_EVENTS));
        tree.chunks.set_full_at(outline.full_at);
        Ok(Some(tree))
    }
}

/// Counts all blocks of a tree, each exactly once.
struct Census<'t, A, P, B> {
    tree: &'t Tree<A, P, B>,
    /// A bit for each id.
    seen: Vec<u64>,
    count: usize,
    children: usize,
    /// The links to each position that were found.
    links: Vec<u32>,
}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> Census<'t, A, P, B> {
    /// Counts the blocks below the root and the blocks that were cut off.
    fn take(&mut self, outline: &Outline) -> Result<(), Flaw> {
        let (next, lanes, _, place) = self.see(ROOT)?.head_words();
        let is_root = (next, lanes & 15, place) == (ROOT, 1, 0) && self.tree.block(ROOT).room() == SMALL;
        unless(is_root, "the first block is not the root")?;
        self.children += 1;
        let root = self.tree.root();
        // The families whose blocks are still to be counted, and the visits of their parents.
        let mut families = Vec::new();
        self.below(root, &mut families)?;
        self.all(&mut families)?;
        for hub in self.tree.hubs() {
            self.see(hub)?;
        }
        for index in self.tree.position_indices(ROOT) {
            let lane = self.tree.position_with(index);
            families.extend((lane.link() != NONE).then_some((lane.link(), lane.visit_count())));
            self.all(&mut families)?;
        }
        let mut id = outline.cut_off;
        while id != NONE {
            let block = self.see(id)?;
            unless(block.used() > 0, "a block without children was cut off")?;
            self.children += block.used();
            families
                .extend(block.nodes().filter(|node| node.link() != NONE).map(|node| (node.link(), u32::MAX)));
            self.all(&mut families)?;
            id = block.next();
        }
        Ok(())
    }

    /// Adds the children of a node to the families that are still to be counted. If positions have the
    /// children, counts the link instead.
    fn below(&mut self, node: NodeRef<'t, A, P, B>, families: &mut Vec<(u32, u32)>) -> Result<(), Flaw> {
        if node.link() == NONE {
            return Ok(());
        }
        if self.tree.shares() {
            let index = self.tree.find_index(node.link()).ok_or(Flaw("a link leads to no position"))?;
            self.links[index as usize] += 1;
        } else {
            families.push((node.link(), node.visit_count()));
        }
        Ok(())
    }

    /// Checks that each position has as many links as it counts.
    fn count_links(&self) -> Result<(), Flaw> {
        let fits = (0..).zip(&self.links).skip(1).all(|(index, &links)| self.tree.links_to(index) == links);
        unless(fits, "a position counts more links, or fewer, than it has")
    }

    /// Counts the blocks of these families and of all below them.
    fn all(&mut self, families: &mut Vec<(u32, u32)>) -> Result<(), Flaw> {
        while let Some((link, visits)) = families.pop() {
            let last = self.tree.find(link).ok_or(Flaw("a link leads to no block"))?;
            let (mut id, mut start, mut sum) = (last.next(), 0, 0);
            loop {
                let block = self.see(id)?;
                unless(block.used() > 0, "a family has a block without children")?;
                unless(block.start() == start, "a block is not where its family continues")?;
                start += block.used();
                self.children += block.used();
                for node in block.nodes() {
                    sum += u64::from(node.visit_count());
                    self.below(node, families)?;
                }
                if id == link {
                    unless(
                        !block.is_settled() || block.next() == link,
                        "a family of several blocks is settled",
                    )?;
                    break;
                }
                unless(!block.is_complete(), "a complete family continues")?;
                id = block.next();
            }
            unless(sum <= u64::from(visits) + UNCOUNTED, "children have more visits than their parent")?;
        }
        Ok(())
    }

    /// Counts the blocks of the lists of free blocks. Returns their bytes.
    fn free(&mut self, heads: [u32; 2]) -> Result<usize, Flaw> {
        let mut bytes = 0;
        for (is_large, head) in [false, true].into_iter().zip(heads) {
            let mut id = head;
            while id != NONE {
                let block = self.see(id)?;
                let is_free = block.used() == 0 && (block.room() > SMALL) == is_large;
                unless(is_free, "a block in the list of free blocks is not free")?;
                bytes += super::Chunks::<A, P, B>::size(is_large);
                id = block.next();
            }
        }
        Ok(bytes)
    }

    /// Returns a block that has not been seen before.
    fn see(&mut self, id: u32) -> Result<super::Block<'t, A, P, B>, Flaw> {
        let block = self.tree.find(id).ok_or(Flaw("a link leads to no block"))?;
        let place = self.tree.chunks.place(id);
        let (word, bit) = (&mut self.seen[place / 64], 1 << (place % 64));
        unless(*word & bit == 0, "a block is in two places")?;
        *word |= bit;
        self.count += 1;
        Ok(block)
    }
}

impl Recycling {
    fn parts(self) -> (u32, u32, bool) {
        (self.least as u32, self.next, self.gave_up_any)
    }

    fn of((least, next, gave_up_any): (u32, u32, bool)) -> Self {
        Recycling { least: least as usize, next, gave_up_any }
    }
}
