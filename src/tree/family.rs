//! Walks through a family, the children of one node: block by block, or child by child.

use super::{Block, NONE, NodeRef, Tree};

/// The blocks of a family, first to last, each with its id and the number of children to show.
pub(crate) struct Family<'t, A, P, B> {
    tree: &'t Tree<A, P, B>,
    next: u32,
    /// The id of the last block, and the block itself.
    link: u32,
    last: Option<Block<'t, A, P, B>>,
    /// How many children are left to show.
    left: usize,
}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> Family<'t, A, P, B> {
    /// Returns the family whose last block is `last`, with the id `link`. Shows the first `shown` children,
    /// or all if there are fewer.
    #[inline]
    pub fn new(tree: &'t Tree<A, P, B>, link: u32, last: Block<'t, A, P, B>, shown: usize) -> Self {
        Family { tree, next: last.next(), link, last: Some(last), left: shown }
    }

    /// Returns the family of a node without children.
    #[inline]
    pub fn empty(tree: &'t Tree<A, P, B>) -> Self {
        Family { tree, next: NONE, link: NONE, last: None, left: 0 }
    }

    /// Returns the children that are shown.
    #[inline]
    pub fn nodes(self) -> FamilyNodes<'t, A, P, B> {
        FamilyNodes { id: self.link, block: self.last, lane: 0, shown: 0, blocks: self }
    }
}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> Iterator for Family<'t, A, P, B> {
    type Item = (u32, Block<'t, A, P, B>, usize);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let id = self.next;
        let block = if id == self.link { self.last? } else { self.tree.block(id) };
        let shown = self.left.min(block.used());
        self.next = block.next();
        self.left = if id == self.link { 0 } else { self.left - shown };
        Some((id, block, shown))
    }
}

/// The children of a family, in order.
pub(crate) struct FamilyNodes<'t, A, P, B> {
    blocks: Family<'t, A, P, B>,
    /// The current block, its id, the lane to show next, and the number of lanes to show.
    id: u32,
    block: Option<Block<'t, A, P, B>>,
    lane: usize,
    shown: usize,
}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> FamilyNodes<'t, A, P, B> {
    /// Returns the id of the block and the lane of the next child, and the child itself.
    #[inline(always)]
    pub fn next_lane(&mut self) -> Option<(u32, usize, NodeRef<'t, A, P, B>)> {
        while self.lane == self.shown {
            let (id, block, shown) = self.blocks.next()?;
            (self.id, self.block, self.shown, self.lane) = (id, Some(block), shown, 0);
        }
        let lane = self.lane;
        self.lane += 1;
        Some((self.id, lane, self.block?.node(lane)))
    }
}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> Iterator for FamilyNodes<'t, A, P, B> {
    type Item = NodeRef<'t, A, P, B>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        self.next_lane().map(|(_, _, node)| node)
    }

    /// Walks block by block, which is faster than child by child.
    #[inline]
    fn fold<T, F: FnMut(T, Self::Item) -> T>(mut self, mut value: T, mut f: F) -> T {
        loop {
            if let Some(block) = self.block {
                for lane in self.lane..self.shown {
                    value = f(value, block.node(lane));
                }
            }
            let Some((_, block, shown)) = self.blocks.next() else { return value };
            (self.block, self.shown, self.lane) = (Some(block), shown, 0);
        }
    }
}

impl<A, P, B> Clone for Family<'_, A, P, B> {
    #[inline]
    fn clone(&self) -> Self {
        Family { ..*self }
    }
}

impl<A, P, B> Clone for FamilyNodes<'_, A, P, B> {
    #[inline]
    fn clone(&self) -> Self {
        FamilyNodes { blocks: self.blocks.clone(), ..*self }
    }
}
