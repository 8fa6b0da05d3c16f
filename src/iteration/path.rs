//! The path of an iteration: the nodes from the root to the leaf, each with its chooser and its turn.

use crate::backpropagation::Backprop;
use crate::game::{GameState, Player, Turn};
use crate::selection::TreePolicy;
use crate::tree::{Block, Family, NodeRef, PackedNode, Tree};
use bumpalo::Bump;
use smallvec::SmallVec;

/// One step of the path of an iteration: a node in the tree, the player who chose it, and the turn there.
pub(crate) struct PathStep<'t, G: GameState, P: TreePolicy<G>, B: Backprop<G>> {
    node: PackedNode<'t, G::Action, P::Stats, B::Stats>,
    pub chooser: Player,
    pub turn: Turn,
}

impl<'t, G: GameState, P: TreePolicy<G>, B: Backprop<G>> PathStep<'t, G, P, B> {
    #[inline(always)]
    pub fn new(node: NodeOf<'t, G, P, B>, chooser: Player, turn: Turn) -> Self {
        PathStep { node: PackedNode::new(node), chooser, turn }
    }

    #[inline(always)]
    pub fn node(&self) -> NodeOf<'t, G, P, B> {
        self.node.get()
    }
}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Clone for PathStep<'_, G, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Copy for PathStep<'_, G, P, B> {}

/// The steps of an iteration, root first. They are stored in a buffer of the caller, or in an arena if the buffer is
/// too short.
pub(crate) struct Path<'p, 't, G: GameState, P: TreePolicy<G>, B: Backprop<G>> {
    steps: &'p mut [PathStep<'t, G, P, B>],
    len: usize,
    arena: &'p Bump,
}

impl<'p, 't, G: GameState, P: TreePolicy<G>, B: Backprop<G>> Path<'p, 't, G, P, B> {
    pub fn new(room: &'p mut [PathStep<'t, G, P, B>], arena: &'p Bump) -> Self {
        Path { steps: room, len: 0, arena }
    }

    /// Resets the path to this one step.
    #[inline(always)]
    pub fn begin(&mut self, root: PathStep<'t, G, P, B>) {
        self.len = 0;
        self.put(root);
    }

    #[inline(always)]
    fn put(&mut self, PathStep { node, chooser, turn }: PathStep<'t, G, P, B>) {
        if let Some(step) = self.steps.get_mut(self.len) {
            // Field by field: assigning the whole struct would store it in memory first and wait for that.
            step.node = node;
            step.chooser = chooser;
            step.turn = turn;
            self.len += 1;
        }
    }

    /// Adds a step. Returns `false` if the path is then longer than is possible in a tree of `nodes` nodes.
    #[inline(always)]
    #[must_use]
    pub fn push(&mut self, step: PathStep<'t, G, P, B>, nodes: impl FnOnce() -> usize) -> bool {
        if self.len == self.steps.len() {
            // Checked only here, where it costs nothing: so a path is never more than twice as long as it may be.
            if self.len > nodes() {
                return false;
            }
            self.move_out();
        }
        self.put(step);
        true
    }

    #[cold]
    #[inline(never)]
    fn move_out(&mut self) {
        let steps = self.arena.alloc_slice_fill_copy(2 * self.len, self.steps[0]);
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
    pub fn room(&self) -> &[PathStep<'t, G, P, B>] {
        self.steps
    }

    /// Returns the last step.
    #[inline(always)]
    pub fn end(&self) -> &PathStep<'t, G, P, B> {
        &self.steps[self.len - 1]
    }

    #[inline(always)]
    pub fn steps(&self) -> &[PathStep<'t, G, P, B>] {
        &self.steps[..self.len]
    }
}

/// The number of steps that [`PathRoom`] holds without an allocation. Paths that are longer use the arena.
pub(crate) const USUAL_DEPTH: usize = 64;

/// A buffer for a path.
pub(crate) type PathRoom<'t, G, P, B> = SmallVec<[PathStep<'t, G, P, B>; USUAL_DEPTH]>;

/// Returns the node that holds what is known of the position that `node` leads to: the node itself, unless positions are shared.
/// `node` is a child or the root, not a position.
#[inline(always)]
pub(crate) fn home<'t, G: GameState, P: TreePolicy<G>, B: Backprop<G>>(
    tree: &'t TreeOf<G, P, B>,
    node: NodeOf<'t, G, P, B>,
) -> NodeOf<'t, G, P, B> {
    if G::IS_KEYED { tree.home(node) } else { node }
}

pub(crate) type TreeOf<G, P, B> =
    Tree<<G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

pub(crate) type NodeOf<'t, G, P, B> =
    NodeRef<'t, <G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

pub(crate) type FamilyOf<'t, G, P, B> =
    Family<'t, <G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

pub(crate) type BlockOf<'t, G, P, B> =
    Block<'t, <G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;
