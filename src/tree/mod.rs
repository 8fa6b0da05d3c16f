//! The store of a search tree. It depends only on the action type of the game and on the plain numbers that
//! policies store.
//!
//! Siblings are stored together in [blocks](block::Block) of four or eight *lanes*. A lane is one child: its
//! statistics, its action, and the link to its own children. Inside a block each statistic is a column, so a
//! formula is evaluated for all siblings at once. A *family*, the children of one node, is a ring of blocks:
//! the node's link names the last block, whose `next` is the first. A family therefore grows at its end, one
//! block at a time, in constant time, and a free block fits any family. The first four children get a small
//! block, because most nodes never have more; the next four move the family into a large block.
//!
//! Blocks are stored in [chunks](chunks::Chunks) and never move; ids are 32 bits wide. There are no parent
//! pointers: a search keeps its path on a stack. Everything in a tree is a cell, so an iteration can hold
//! references to the nodes on its path while the tree grows below them. The root is the only child in
//! block 0.
//!
//! In the store, `unsafe` is confined to `chunks`, which finds blocks, and to `layout`, `node_ref`, `child`
//! and `block`, which read and write them.

mod block;
mod child;
mod chunks;
mod family;
mod greatest;
#[cfg(feature = "save")]
mod image;
#[cfg(feature = "save")]
mod lane_image;
mod layout;
mod node_mean;
mod node_ref;
mod positions;
mod recycling;
#[cfg(test)]
mod tests;

pub(crate) use block::Block;
pub use child::Child;
#[cfg(test)]
pub(crate) use child::Loose;
pub(crate) use family::{Family, FamilyNodes};
pub(crate) use greatest::{LEAST, greatest};
#[cfg(feature = "save")]
pub(crate) use image::{Outline, Restored};
#[cfg(feature = "save")]
pub(crate) use lane_image::Flaw;
pub(crate) use layout::{LANES, SMALL};
#[cfg(test)]
pub(crate) use node_mean::{mean_of, sum_of};
pub(crate) use node_ref::{NodeRef, PackedNode};
#[cfg(feature = "save")]
pub(crate) use positions::image::PositionsOutline;
pub(crate) use positions::{bit_of, is_same_position, position_number, transformation};

use chunks::Chunks;
use core::cell::{Cell, RefCell};
use core::mem::needs_drop;
use positions::Positions;
use recycling::Recycling;

/// The id of the root's block. No link names it: as a link it means "no children", in a list "end of the
/// list".
pub(crate) const ROOT: u32 = 0;
const NONE: u32 = ROOT;

/// The most children that a node may have.
pub(crate) const MAX_CHILDREN: usize = layout::MAX_STEPS * SMALL;

/// A tree whose children store an action, a `P` for the tree policy and a `B` for the backpropagation.
pub(crate) struct Tree<A, P, B> {
    chunks: Chunks<A, P, B>,
    /// The heads of the lists of free blocks, small and large, linked by `next`.
    free: [Cell<u32>; 2],
    free_bytes: Cell<usize>,
    children: Cell<usize>,
    /// The head of the list of blocks that were cut off the tree and are not freed yet, linked by `next`. The
    /// families below them join the list when they are freed.
    cut_off: Cell<u32>,
    /// The state of recycling, while it is in progress, and the number of children that it has freed.
    recycling: Cell<Option<Recycling>>,
    recycled: Cell<u64>,
    /// Whether some node has children that are not in the order of this tree: the visit to one of them was taken
    /// back.
    has_adopted: Cell<bool>,
    /// How many nodes have ever lost their children by recycling.
    families_given_up: Cell<u64>,
    /// The blocks that were freed since they were [taken](Tree::take_freed), if they are noted.
    freed: RefCell<Vec<u32>>,
    notes_freed: Cell<bool>,
    /// Whether links name positions, which several nodes share, and not families; and the bytes that the
    /// table of positions takes.
    shares: Cell<bool>,
    positions: RefCell<Positions>,
    position_bytes: Cell<usize>,
}

/// The number of blocks that are freed at once when they are cut off, which takes a millisecond or two.
/// [`Tree::work`] frees the rest later.
const AT_ONCE: usize = 16_384;

/// The most blocks that are freed to find one of the right kind.
const TRIES: usize = 8;

impl<A: Clone, P: Copy + Default, B: Copy + Default> Clone for Tree<A, P, B> {
    /// Copies everything, also what is free: so the copy grows and frees as this tree does.
    fn clone(&self) -> Self {
        Tree {
            chunks: self.chunks.clone(),
            free: self.free.clone(),
            free_bytes: self.free_bytes.clone(),
            children: self.children.clone(),
            cut_off: self.cut_off.clone(),
            recycling: self.recycling.clone(),
            recycled: self.recycled.clone(),
            has_adopted: self.has_adopted.clone(),
            families_given_up: self.families_given_up.clone(),
            freed: RefCell::default(),
            notes_freed: Cell::new(false),
            shares: self.shares.clone(),
            positions: self.positions.clone(),
            position_bytes: self.position_bytes.clone(),
        }
    }
}

impl<A: Clone, P: Copy + Default, B: Copy + Default> Tree<A, P, B> {
    /// Creates a tree without nodes, not even a root.
    pub fn new() -> Self {
        Tree {
            chunks: Chunks::new(),
            free: [const { Cell::new(NONE) }; 2],
            free_bytes: Cell::new(0),
            children: Cell::new(0),
            cut_off: Cell::new(NONE),
            recycling: Cell::new(None),
            recycled: Cell::new(0),
            has_adopted: Cell::new(false),
            families_given_up: Cell::new(0),
            freed: RefCell::default(),
            notes_freed: Cell::new(false),
            shares: Cell::new(false),
            positions: RefCell::new(Positions::new()),
            position_bytes: Cell::new(0),
        }
    }

    /// Notes the blocks that are freed from now on.
    pub fn note_freed(&self) {
        self.notes_freed.set(true);
    }

    /// Returns the blocks that were freed since the last call, if they are noted.
    pub fn take_freed(&self) -> Vec<u32> {
        self.freed.take()
    }

    /// Returns whether some node has children that are not in the order of this tree.
    #[inline]
    pub fn has_adopted(&self) -> bool {
        self.has_adopted.get()
    }

    /// Notes that a node has children that are not in the order of this tree.
    pub fn set_adopted(&self) {
        self.has_adopted.set(true);
    }

    /// Returns whether there is no root.
    pub fn is_empty(&self) -> bool {
        self.children() == 0
    }

    /// Creates the root. Returns `false` if the limit leaves no room for it. The root's lane needs an action;
    /// `any` serves as a placeholder.
    pub fn plant(&self, any: A, limit: usize) -> bool {
        self.allocate(&[any], 0, limit).is_some()
    }

    /// Removes all nodes. The memory is kept for reuse.
    pub fn clear(&self) {
        if !self.is_empty() {
            let link = self.root().link();
            self.root().reset();
            self.stop_recycling();
            self.cut_off_below(link);
            if self.shares() {
                // Positions that are left would be found again.
                self.free_unreachable();
                while self.give_back(AT_ONCE) == AT_ONCE {}
            } else {
                self.give_back(AT_ONCE);
            }
        }
    }

    #[inline]
    pub fn block(&self, id: u32) -> Block<'_, A, P, B> {
        self.chunks.get(id)
    }

    /// Returns the block with this id, if it exists.
    pub fn find(&self, id: u32) -> Option<Block<'_, A, P, B>> {
        self.chunks.find(id)
    }

    /// Returns the root, which must exist.
    #[inline]
    pub fn root(&self) -> NodeRef<'_, A, P, B> {
        self.block(ROOT).node(0)
    }

    /// Returns the lane of the root's block that [`prepare_stand_in`](Self::prepare_stand_in) writes. It
    /// holds no child.
    #[inline]
    pub fn stand_in(&self) -> NodeRef<'_, A, P, B> {
        self.block(ROOT).node(1)
    }

    /// Writes a child that represents all unvisited ones: visited once, with the reward `mean` and the action
    /// of `like`.
    pub fn prepare_stand_in(&self, like: NodeRef<'_, A, P, B>, mean: f32, stats: P)
    where
        A: PartialEq,
    {
        self.stand_in().pretend(mean, stats);
        let action = like.action();
        if const { !needs_drop::<A>() } {
            self.stand_in().set_action(action);
        } else if !self.root().has_action(&action) {
            // A lane without a child has the action of the first child, here of the root. No search asks for
            // the root's own.
            self.root().set_action(action);
        }
    }

    /// Returns the blocks of a family, first to last; none for a node without children.
    #[inline]
    pub fn family(&self, link: u32) -> Family<'_, A, P, B> {
        if link == NONE { Family::empty(self) } else { Family::new(self, link, self.block(link), usize::MAX) }
    }

    /// Returns the children of a family, in order.
    #[inline]
    pub fn children_of(&self, link: u32) -> FamilyNodes<'_, A, P, B> {
        self.family(link).nodes()
    }

    /// Returns the child of a family that `action` leads to.
    pub fn child_by(&self, link: u32, action: &A) -> Option<NodeRef<'_, A, P, B>>
    where
        A: PartialEq,
    {
        let mut children = self.children_of(link);
        loop {
            let child = children.next()?;
            if child.has_action(action) {
                return Some(child);
            }
        }
    }

    /// Returns the number of children of a family.
    #[inline]
    pub fn family_len(&self, link: u32) -> usize {
        if link == NONE {
            return 0;
        }
        let last = self.block(link);
        last.start() + last.used()
    }

    /// Gives a node more children, so that it has at least `needed`. `actions` starts with those of its
    /// existing children, in their order, and has at least `needed`; the rest follows if it fits into the
    /// same blocks. `complete` says that the node can have no more children than these. Returns the last
    /// block of the family, or `None` if the limit in bytes leaves no room; some of the children may have
    /// been added even then.
    ///
    /// The last block is the first one that has room for the last child needed. If the visited children come
    /// first and the next child needed is the next one to visit, all blocks before the last have been
    /// visited.
    #[inline]
    pub fn grow(
        &self,
        node: NodeRef<'_, A, P, B>,
        actions: &[A],
        needed: usize,
        complete: bool,
        limit: usize,
    ) -> Option<u32> {
        let have = self.family_len(node.link());
        let link = self.add(node, &actions[have..], needed.saturating_sub(have), limit)?;
        if complete && self.family_len(link) == actions.len() {
            self.block(link).set_complete();
        }
        Some(link)
    }

    /// Gives a node at least `needed` more children, by the first of `actions`; the rest follows if it fits
    /// into the same blocks. Returns what [`grow`](Self::grow) does.
    #[inline]
    pub fn add(&self, node: NodeRef<'_, A, P, B>, actions: &[A], needed: usize, limit: usize) -> Option<u32> {
        let mut link = node.link();
        let before = self.family_len(link);
        let mut have = before;
        if link != NONE {
            link = self.widen(node, have, actions, limit);
            have = self.family_len(link);
        }
        while have < before + needed {
            let new = self.allocate(&actions[have - before..], have, limit)?;
            if link != NONE {
                self.block(new).set_next(self.block(link).next());
                self.block(link).set_next(new);
            }
            node.set_link(new);
            link = new;
            have = self.family_len(link);
        }
        Some(link)
    }

    /// Adds as many of `actions` as fit to the last block of a node's family of `have` children. If the
    /// family is a single full small block, a large block replaces it where memory allows. Returns the last
    /// block.
    #[inline]
    fn widen(&self, node: NodeRef<'_, A, P, B>, have: usize, actions: &[A], limit: usize) -> u32 {
        let mut link = node.link();
        let mut last = self.block(link);
        if have == SMALL
            && last.room() == SMALL
            && let Some(any) = actions.first()
            && let Some(id) = self.take(true, limit, 0, any)
        {
            let large = self.block(id);
            large.take_over(last);
            node.set_link(id);
            self.set_free(link);
            (link, last) = (id, large);
        }
        let more = &actions[..actions.len().min(last.room() - last.used())];
        self.extend(last, more, Self::owned(more));
        link
    }

    /// Returns clones of actions that need drop. They are made before anything changes, because a clone may
    /// panic.
    #[inline]
    fn owned(actions: &[A]) -> Vec<A> {
        if const { needs_drop::<A>() } { actions.to_vec() } else { Vec::new() }
    }

    /// Adds children to a block that has room for them. If actions need drop, `owned` has clones of them.
    #[inline]
    fn extend(&self, block: Block<'_, A, P, B>, actions: &[A], owned: Vec<A>) {
        if const { needs_drop::<A>() } {
            debug_assert_eq!(owned.len(), actions.len());
            block.extend(owned.into_iter());
        } else {
            block.extend(actions.iter().cloned());
        }
        self.children.set(self.children.get() + actions.len());
    }

    /// Makes a child of the family `link` unvisited, whose only visit was taken back. It changes places with
    /// the last visited child, because the visited children of this family come first. Where they do not, use
    /// [`unvisit_in_place`](Self::unvisit_in_place).
    pub fn unvisit(&self, link: u32, node: NodeRef<'_, A, P, B>) {
        let last = self.family(link).filter(|(_, block, _)| block.visited() > 0).last();
        if let Some((_, block, _)) = last {
            node.swap(block.node(block.visited() - 1));
            block.uncount_visited();
            self.set_adopted();
        }
    }

    /// Makes a node unvisited, whose only visit was taken back and whose place among its siblings means
    /// nothing.
    pub fn unvisit_in_place(&self, node: NodeRef<'_, A, P, B>) {
        node.uncount_visited();
    }

    /// Returns whether no more children will follow in a family.
    pub fn is_complete(&self, link: u32) -> bool {
        link != NONE && self.block(link).is_complete()
    }

    /// Moves the first unvisited child of a family that is `wanted` before the other unvisited ones, which keep
    /// their order.
    pub fn move_up(&self, link: u32, is_wanted: impl Fn(NodeRef<'_, A, P, B>) -> bool) {
        let unvisited = self.children_of(link).filter(|child| child.visit_count() == 0);
        let Some(wanted) = unvisited.clone().find(|&child| is_wanted(child)) else { return };
        for place in unvisited {
            if place.is_same_lane(wanted) {
                break;
            }
            // The child that was here waits in the place of the wanted one, for the next place.
            wanted.swap(place);
            if !self.is_complete(link) {
                self.set_adopted();
            }
        }
    }

    /// Removes a node's children and frees their memory for reuse by this tree.
    pub fn prune(&self, node: NodeRef<'_, A, P, B>) {
        let link = node.link();
        node.set_link(NONE);
        self.cut_off(link);
        self.give_back(AT_ONCE);
    }

    /// Returns where a line of play leads from the root, a block and a lane, if the tree has it.
    pub fn find_line<'a>(&self, line: impl IntoIterator<Item = &'a A>) -> Option<(u32, u32)>
    where
        A: Eq + 'a,
    {
        if self.is_empty() {
            return None;
        }
        let mut spot = (ROOT, 0);
        for action in line {
            spot = self.find_child(spot, action)?;
        }
        Some(spot)
    }

    /// Returns where the child by `action` is, of the node that is at `spot`.
    fn find_child(&self, spot: (u32, u32), action: &A) -> Option<(u32, u32)>
    where
        A: Eq,
    {
        let node = self.block(spot.0).node(spot.1 as usize);
        let node = if self.shares() { self.home(node) } else { node };
        for (id, block, used) in self.family(node.link()) {
            for lane in 0..used {
                if block.node(lane).has_action(action) {
                    return Some((id, lane as u32));
                }
            }
        }
        None
    }

    /// Makes the node at `to`, a block and a lane, the root. With `None`, removes all nodes. Compares no
    /// actions.
    pub fn advance(&self, to: Option<(u32, u32)>) {
        match to {
            Some((block, lane)) => self.reroot(self.block(block).node(lane as usize)),
            None => self.clear(),
        }
    }

    /// Makes a position the root, and frees what it does not lead to.
    pub fn advance_to_position(&self, number: u32) {
        let (root, rest) = (self.root(), self.root().link());
        root.become_copy(self.position(number));
        self.link_to(root, number, 0);
        self.stop_recycling();
        self.cut_off_below(rest);
        self.free_rings();
        self.give_back(AT_ONCE);
    }

    /// Makes a node the root, and frees everything outside its subtree.
    fn reroot(&self, node: NodeRef<'_, A, P, B>) {
        let kept = node.link();
        node.set_link(NONE);
        let (root, rest) = (self.root(), self.root().link());
        if self.shares() && kept != NONE {
            root.become_copy(self.position(kept));
        } else {
            root.become_copy(node);
        }
        root.set_link(kept);
        self.stop_recycling();
        self.cut_off_below(rest);
        self.free_rings();
        self.give_back(AT_ONCE);
    }

    /// Returns the number of nodes: the root and all stored children, plus those cut off but not freed yet.
    pub fn children(&self) -> usize {
        self.children.get()
    }

    /// Returns the bytes that this tree takes from the system, whether in use or free.
    pub fn reserved_bytes(&self) -> usize {
        self.chunks.bytes() + self.position_bytes.get()
    }

    /// Returns the bytes in use: those taken from the system without the free blocks.
    #[inline]
    pub fn used_bytes(&self) -> usize {
        self.reserved_bytes() - self.free_bytes.get()
    }

    /// Returns a block with as many of `actions` as fit, as a family of its own; `start` children of the
    /// family are in earlier blocks. If no block of the suitable kind is available, the other kind is used.
    #[inline]
    fn allocate(&self, actions: &[A], start: usize, limit: usize) -> Option<u32> {
        let (is_large, any) = (actions.len() > SMALL, &actions[0]);
        let mut owned = Self::owned(&actions[..actions.len().min(LANES)]);
        let take = |is_large| self.take(is_large, limit, start, any);
        let id = take(is_large).or_else(|| {
            owned.truncate(SMALL); // before anything changes, because a drop may panic
            take(!is_large)
        })?;
        let block = self.block(id);
        self.extend(block, &actions[..actions.len().min(block.room())], owned);
        Some(id)
    }

    /// Returns a free block or a new one, initialized as a family of its own.
    #[inline]
    fn take(&self, is_large: bool, limit: usize, start: usize, any: &A) -> Option<u32> {
        let free = &self.free[usize::from(is_large)];
        if free.get() == NONE && self.cut_off.get() != NONE {
            self.find_free(is_large);
        }
        let id = free.get();
        if id == NONE {
            return self.chunks.push(is_large, limit.saturating_sub(self.position_bytes.get()), start, any);
        }
        let block = self.block(id);
        free.set(block.next());
        block.begin(id, start, any);
        self.free_bytes.set(self.free_bytes.get() - Chunks::<A, P, B>::size(is_large));
        Some(id)
    }

    /// Frees blocks that were cut off until one of them is of the kind wanted.
    #[cold]
    #[inline(never)]
    fn find_free(&self, is_large: bool) {
        for _ in 0..TRIES {
            if self.give_back(1) == 0 || self.free[usize::from(is_large)].get() != NONE {
                break;
            }
        }
    }

    /// Puts a block on the list of free ones.
    fn set_free(&self, id: u32) {
        let block = self.block(id);
        let is_large = block.room() == LANES;
        let free = &self.free[usize::from(is_large)];
        if self.notes_freed.get() {
            self.freed.borrow_mut().push(id);
        }
        block.free(free.get(), || {
            free.set(id);
            self.free_bytes.set(self.free_bytes.get() + Chunks::<A, P, B>::size(is_large));
        });
    }

    /// Frees up to `most` of the blocks that were cut off. Returns how many. The list of pending blocks runs
    /// through the blocks themselves, so a tree of any depth needs neither recursion nor memory for it.
    fn give_back(&self, most: usize) -> usize {
        let is_recycling = self.is_recycling();
        for done in 0..most {
            let id = self.cut_off.get();
            if id == NONE {
                return done;
            }
            let block = self.block(id);
            self.cut_off.set(block.next());
            block.nodes().for_each(|place| self.cut_off_below(place.link()));
            self.children.set(self.children.get() - block.used());
            if is_recycling {
                self.recycled.set(self.recycled.get() + block.used() as u64);
            }
            self.set_free(id);
        }
        most
    }

    /// Cuts off what a link of a freed node leads to.
    fn cut_off_below(&self, link: u32) {
        if self.shares() { self.release(link) } else { self.cut_off(link) }
    }

    /// Puts a family that is no longer below any node at the front of the list of blocks to free, and opens
    /// its ring for that.
    fn cut_off(&self, link: u32) {
        if link != NONE {
            let last = self.block(link);
            let first = last.next();
            last.set_next(self.cut_off.get());
            self.cut_off.set(first);
        }
    }
}
