//! The path of an iteration: the nodes from the root to the leaf, each with its chooser and its turn.

use crate::backpropagation::Backprop;
use crate::game::{Player, Turn};
use crate::selection::TreePolicy;
use crate::space::{ActionOf, Space};
use crate::tree::{Block, Family, NodeRef, PackedNode, Tree};
use bumpalo::Bump;

/// One step of the path of an iteration: a node in the tree, the player who chose it, and the turn there.
pub(crate) struct PathStep<'t, A, P, B> {
    node: PackedNode<'t, A, P, B>,
    pub chooser: Player,
    pub turn: Turn,
}

impl<'t, A: Clone, P: Copy + Default, B: Copy + Default> PathStep<'t, A, P, B> {
    #[inline(always)]
    pub fn new(node: NodeRef<'t, A, P, B>, chooser: Player, turn: Turn) -> Self {
        PathStep { node: PackedNode::new(node), chooser, turn }
    }

    #[inline(always)]
    pub fn node(&self) -> NodeRef<'t, A, P, B> {
        self.node.get()
    }
}

impl<A, P, B> Clone for PathStep<'_, A, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, P, B> Copy for PathStep<'_, A, P, B> {}

/// The steps of an iteration, root first. They are stored in a buffer of the caller, or in an arena if the
/// buffer is too short.
pub(crate) struct Path<'p, 't, A, P, B> {
    steps: &'p mut [PathStep<'t, A, P, B>],
    len: usize,
    /// The most steps that an iteration takes. The buffer is never longer, so that a path that may not go on
    /// is one of the rare ones that fill it.
    most: usize,
    arena: &'p Bump,
}

impl<'p, 't, A: Clone, P: Copy + Default, B: Copy + Default> Path<'p, 't, A, P, B> {
    pub fn new(room: &'p mut [PathStep<'t, A, P, B>], most: usize, arena: &'p Bump) -> Self {
        Path { steps: room, len: 0, most, arena }
    }

    /// Resets the path to this one step.
    #[inline(always)]
    pub fn begin(&mut self, root: PathStep<'t, A, P, B>) {
        self.len = 0;
        self.put(root);
    }

    /// Adds a step to a path that is not full.
    #[inline(always)]
    pub fn put(&mut self, PathStep { node, chooser, turn }: PathStep<'t, A, P, B>) {
        if let Some(step) = self.steps.get_mut(self.len) {
            // Field by field: assigning the whole struct would store it in memory first and wait for that.
            step.node = node;
            step.chooser = chooser;
            step.turn = turn;
            self.len += 1;
        }
    }

    /// Adds a step, whether an iteration may take it or not. Returns `false` if the path is then longer than
    /// is possible in a tree of `nodes` nodes.
    #[inline(always)]
    #[must_use]
    pub fn push(&mut self, step: PathStep<'t, A, P, B>, nodes: impl FnOnce() -> usize) -> bool {
        if self.is_full() {
            if self.len > nodes() {
                return false;
            }
            self.lengthen();
        }
        self.put(step);
        true
    }

    /// Returns whether the buffer is full.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.len == self.steps.len()
    }

    /// Returns whether an iteration may take no further step.
    pub fn is_at_end(&self) -> bool {
        self.len >= self.most
    }

    /// Makes room for further steps of a path that fills the buffer.
    #[cold]
    #[inline(never)]
    pub fn lengthen(&mut self) {
        let room = (2 * self.len).min(self.most).max(self.len + 1);
        let steps = self.arena.alloc_slice_fill_copy(room, self.steps[0]);
        steps[..self.len].copy_from_slice(self.steps);
        self.steps = steps;
    }

    /// Returns the number of steps.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the whole buffer: the steps, followed by unused entries.
    #[inline(always)]
    pub fn room(&self) -> &[PathStep<'t, A, P, B>] {
        self.steps
    }

    /// Returns the last step.
    #[inline(always)]
    pub fn end(&self) -> &PathStep<'t, A, P, B> {
        &self.steps[self.len - 1]
    }

    #[inline(always)]
    pub fn steps(&self) -> &[PathStep<'t, A, P, B>] {
        &self.steps[..self.len]
    }
}

/// The number of steps that [`PathRoom`] holds without an allocation. Paths that are longer use the arena.
pub(crate) const USUAL_DEPTH: usize = 64;

/// A buffer for a path; `None` until there is a first step to fill it with.
pub(crate) type PathRoom<'t, A, P, B> = Option<[PathStep<'t, A, P, B>; USUAL_DEPTH]>;

/// The statistics of a tree policy for a child.
pub(crate) type PolicyStats<S, P> = <P as TreePolicy<<S as Space>::Game>>::Stats;

/// The statistics of a backpropagation for a child.
pub(crate) type BackpropStats<S, B> = <B as Backprop<<S as Space>::Game>>::Stats;

pub(crate) type TreeOf<S, P, B> = Tree<ActionOf<S>, PolicyStats<S, P>, BackpropStats<S, B>>;

pub(crate) type NodeOf<'t, S, P, B> = NodeRef<'t, ActionOf<S>, PolicyStats<S, P>, BackpropStats<S, B>>;

pub(crate) type StepOf<'t, S, P, B> = PathStep<'t, ActionOf<S>, PolicyStats<S, P>, BackpropStats<S, B>>;

pub(crate) type FamilyOf<'t, S, P, B> = Family<'t, ActionOf<S>, PolicyStats<S, P>, BackpropStats<S, B>>;

pub(crate) type BlockOf<'t, S, P, B> = Block<'t, ActionOf<S>, PolicyStats<S, P>, BackpropStats<S, B>>;
