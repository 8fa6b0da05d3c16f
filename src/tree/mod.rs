//! The store of a search tree. It knows games only by their actions, and policies only by the plain numbers they keep.
//!
//! Siblings lie together in [blocks](block::Block) of eight *lanes*, a lane being one child: its statistics, its
//! action, and the link to its own children. Inside a block each statistic is a column of eight, so that a formula is
//! worked out for all siblings at once. A *family*, the children of one node, is a ring of blocks; the node's link
//! names the last one, whose `next` is the first. So a family grows by a block at a time, at its end, in constant
//! time, and every free block serves every family: nothing ever fragments.
//!
//! Blocks live in [chunks](chunks::Chunks) and never move; ids are 32 bits wide. There are no parent pointers: a
//! search keeps its path on a stack. The root is the only lane of block 0. All `unsafe` of the store is in `chunks`.

mod block;
mod chunks;
mod lanes;
#[cfg(test)]
mod tests;

pub use block::Child;
pub(crate) use block::{Block, LANES};
pub(crate) use lanes::greatest;

use chunks::Chunks;

/// The id of the root's block, which no link names: as a link it means "no children", in a list its end.
pub(crate) const ROOT: u32 = 0;
const NONE: u32 = ROOT;

/// The most children that a node may have.
pub(crate) const MAX_CHILDREN: usize = block::MAX_ORDINAL * LANES;

/// A tree whose children carry an action, `P` of the tree policy and `B` of the backpropagation.
pub(crate) struct Tree<A, P, B> {
    chunks: Chunks<Block<A, P, B>>,
    /// The first of the blocks given back, linked by their `next`.
    free: u32,
    free_blocks: usize,
    children: usize,
}

/// The number of [`grade`]s.
const GRADES: usize = 33 << 4;

/// Sorts visit counts by size: exactly up to 32, then to a sixteenth of an octave.
fn grade(visits: u32) -> usize {
    (((visits + 1) as f32).to_bits() >> 19) as usize - (127 << 4)
}

impl<A: Copy, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// No nodes, not even a root.
    pub fn new() -> Self {
        Tree { chunks: Chunks::new(), free: NONE, free_blocks: 0, children: 0 }
    }

    /// Whether there is no root yet.
    pub fn is_empty(&self) -> bool {
        self.children == 0
    }

    /// Makes the root, or says that the limit leaves no room for it. The root's lane needs an action that means nothing.
    pub fn plant(&mut self, any: A, limit: usize) -> bool {
        self.allocate(&[any], 0, limit).is_some()
    }

    /// Forgets everything; the memory is kept for what grows next.
    pub fn clear(&mut self) {
        if !self.is_empty() {
            let link = self.block(ROOT).link(0);
            self.release(link);
            self.block(ROOT).reset();
        }
    }

    #[inline(always)]
    pub fn block(&self, id: u32) -> &Block<A, P, B> {
        self.chunks.get(id)
    }

    /// The blocks of a family with their ids, first to last; none for a node without children.
    #[inline(always)]
    pub fn family(&self, link: u32) -> impl Iterator<Item = (u32, &Block<A, P, B>)> + Clone {
        let mut next = if link == NONE { None } else { Some(self.block(link).next()) };
        core::iter::from_fn(move || {
            let id = next?;
            let block = self.block(id);
            next = if id == link { None } else { Some(block.next()) };
            Some((id, block))
        })
    }

    /// The number of children of a family.
    #[inline(always)]
    pub fn family_len(&self, link: u32) -> usize {
        if link == NONE {
            return 0;
        }
        let last = self.block(link);
        last.ordinal() * LANES + last.used()
    }

    /// Adds children for `actions`, at most eight, to the family of the node at `(id, lane)`; `complete` says that
    /// these are the last. Gives the id of their block, or nothing if the limit in bytes leaves no room.
    ///
    /// The last block of the family must be full: families grow by whole blocks.
    #[inline(always)]
    pub fn grow(
        &mut self,
        (id, lane): (u32, usize),
        actions: &[A],
        complete: bool,
        limit: usize,
    ) -> Option<u32> {
        let last = self.block(id).link(lane);
        let ordinal = if last == NONE { 0 } else { self.block(last).ordinal() + 1 };
        let new = self.allocate(actions, ordinal, limit)?;
        if last != NONE {
            self.block(new).set_next(self.block(last).next());
            self.block(last).set_next(new);
        }
        if complete {
            self.block(new).set_complete();
        }
        self.block(id).set_link(lane, new);
        Some(new)
    }

    /// Takes a node's children away, and gives their memory back to this tree.
    pub fn prune(&mut self, id: u32, lane: usize) {
        let link = self.block(id).link(lane);
        self.block(id).set_link(lane, NONE);
        self.release(link);
    }

    /// Makes the root's child by `action` the root, or forgets everything if there is no such child.
    pub fn advance(&mut self, action: A)
    where
        A: Eq,
    {
        if self.is_empty() {
            return;
        }
        let child = self.family(self.block(ROOT).link(0)).find_map(|(id, block)| {
            (0..block.used()).find(|&lane| block.child(lane).action() == action).map(|lane| (id, lane))
        });
        match child {
            Some((id, lane)) => self.reroot(id, lane),
            None => self.clear(),
        }
    }

    /// Makes the node at `(id, lane)` the root; what does not hang below it is given back.
    fn reroot(&mut self, id: u32, lane: usize) {
        let kept = self.block(id).link(lane);
        self.block(id).set_link(lane, NONE);
        self.block(ROOT).become_copy(self.block(id), lane);
        let rest = self.block(ROOT).link(0);
        self.block(ROOT).set_link(0, kept);
        self.release(rest);
    }

    /// The id that the next block will get.
    #[inline(always)]
    pub fn next_id(&self) -> u32 {
        if self.free == NONE { self.chunks.next_id() } else { self.free }
    }

    /// Takes away the children of the least visited nodes, until `share` of all blocks are free; the root keeps its own.
    /// Gives the number of children taken away.
    ///
    /// Goes through the blocks in the order of their ids, twice, so that it needs no memory.
    pub fn recycle(&mut self, share: f64) -> usize {
        let before = self.children;
        let all = self.chunks.ids().count();
        // How many blocks the nodes with about so many visits have for their children.
        let mut blocks_below = [0usize; GRADES];
        let mut free = all;
        for (id, lane, link) in self.parents() {
            let blocks = self.block(link).ordinal() + 1;
            if id != ROOT {
                blocks_below[grade(self.block(id).child(lane).visit_count())] += blocks;
            }
            free -= blocks;
        }
        let wanted = (all as f64 * share) as usize;
        let mut least = 0;
        while least < GRADES && free < wanted {
            free += blocks_below[least];
            least += 1;
        }
        for id in 0..self.chunks.next_id() {
            let used = if self.chunks.holds(id) { self.block(id).used() } else { 0 };
            for lane in 0..used {
                let block = self.block(id);
                if id != ROOT && block.link(lane) != NONE && grade(block.child(lane).visit_count()) < least {
                    self.prune(id, lane);
                }
            }
        }
        before - self.children
    }

    /// All nodes that have children: block, lane and link.
    fn parents(&self) -> impl Iterator<Item = (u32, usize, u32)> {
        let lanes = self.chunks.ids().flat_map(|id| (0..self.block(id).used()).map(move |lane| (id, lane)));
        lanes.map(|(id, lane)| (id, lane, self.block(id).link(lane))).filter(|&(_, _, link)| link != NONE)
    }

    /// Children stored, the root included.
    pub fn children(&self) -> usize {
        self.children
    }

    /// The bytes taken from the system for this tree, whether in use or given back to the tree.
    pub fn reserved_bytes(&self) -> usize {
        self.chunks.bytes()
    }

    /// The same without the blocks given back.
    #[inline(always)]
    pub fn used_bytes(&self) -> usize {
        self.reserved_bytes() - self.free_blocks * size_of::<Block<A, P, B>>()
    }

    #[inline(always)]
    fn allocate(&mut self, actions: &[A], ordinal: usize, limit: usize) -> Option<u32> {
        let id = if self.free == NONE {
            self.chunks.push(limit, |id| Block::new(id, actions, ordinal))?
        } else {
            let id = self.free;
            self.free = self.block(id).next();
            self.free_blocks -= 1;
            self.chunks.replace(id, Block::new(id, actions, ordinal));
            id
        };
        self.children += actions.len();
        Some(id)
    }

    /// Gives back a family and all that hangs below it. The list of what is still to be done runs through the blocks
    /// themselves, so a tree of any depth needs neither recursion nor memory.
    fn release(&mut self, link: u32) {
        let mut pending = NONE;
        self.put_before(&mut pending, link);
        while pending != NONE {
            let id = pending;
            let block = self.block(id);
            pending = block.next();
            for lane in 0..block.used() {
                self.put_before(&mut pending, block.link(lane));
            }
            self.children -= block.used();
            self.block(id).vacate(self.free);
            self.free = id;
            self.free_blocks += 1;
        }
    }

    /// Opens a family's ring and puts it before a list.
    fn put_before(&self, list: &mut u32, link: u32) {
        if link != NONE {
            let last = self.block(link);
            let first = last.next();
            last.set_next(*list);
            *list = first;
        }
    }
}
