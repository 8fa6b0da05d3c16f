//! The states that nodes keep, if the game [asks](GameState::KEEPS_STATES) for it: an iteration then clones
//! them instead of playing the actions that lead there.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, Turn};
use crate::iteration::nodes::family_of_state;
use crate::iteration::path::{NodeOf, TreeOf};
use crate::iteration::{FedBy, Iterations, LeafOf};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{NodeKind, Space};
use core::fmt;
use std::collections::BTreeMap;

/// The bytes that a kept state takes at most, besides its own: its entry in a map whose nodes are half empty,
/// and what the allocator adds.
const ENTRY: usize = 80;

/// The states of nodes with children, by the last block of the children.
pub(crate) struct States<G>(BTreeMap<u32, Box<G>>);

impl<G> Default for States<G> {
    fn default() -> Self {
        States(BTreeMap::new())
    }
}

/// A clone is empty: iterations fill it again.
impl<G> Clone for States<G> {
    fn clone(&self) -> Self {
        States::default()
    }
}

impl<G> fmt::Debug for States<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("States").field("count", &self.0.len()).finish_non_exhaustive()
    }
}

impl<G> States<G> {
    /// The bytes of a state.
    const BYTES: usize = size_of::<G>() + ENTRY;

    /// Returns the bytes of all states, without what they own on the heap.
    pub fn bytes(&self) -> usize {
        self.0.len() * Self::BYTES
    }

    /// Drops all states.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Drops the states that were kept at these blocks.
    fn forget(&mut self, freed: Vec<u32>) {
        if !freed.is_empty() {
            // If a drop panics, no state is left at a block that was freed.
            let mut states = core::mem::take(&mut self.0);
            freed.iter().for_each(|block| _ = states.remove(block));
            self.0 = states;
        }
    }
}

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Plays the action that leads to `node`, or takes over the state that is kept there.
    #[inline(always)]
    pub fn play(
        &mut self,
        turn: Turn,
        node: NodeOf<'s, S, P, B>,
        leaf: &mut LeafOf<S, P, R>,
    ) -> Result<(), GameFault> {
        let Some(family) = family_of_state::<S, P, B>(self.tree, node) else {
            return leaf.play(turn, node.action());
        };
        if let Some(state) = self.states.0.get(&family) {
            return leaf.take_over(turn, &node.action(), state);
        }
        leaf.play(turn, node.action())?;
        self.keep_state(family, leaf.state());
        Ok(())
    }

    /// Keeps the state of a node with these children, if there is room. The states take at most half of the
    /// memory, so that they leave room for nodes.
    pub fn keep_state(&mut self, family: u32, state: &S::Game) {
        if !S::HAVE_STATES {
            return;
        }
        let bytes = self.states.bytes() + States::<S::Game>::BYTES;
        if bytes <= self.memory_limit / 2 && bytes + self.tree.reserved_bytes() <= self.memory_limit {
            let state = Box::new(state.clone());
            self.forget_freed();
            self.tree.note_freed();
            self.states.0.insert(family, state);
        }
    }

    /// Does what [`forget_freed`] does.
    #[inline(always)]
    pub fn forget_freed(&mut self) {
        forget_freed::<S, P, B>(self.states, self.tree);
    }

    /// Takes the state of a node that is about to get more children, and so another last block.
    #[inline(always)]
    pub fn take_state(&mut self, node: NodeOf<'s, S, P, B>) -> Option<Box<S::Game>> {
        if S::HAVE_STATES { self.states.0.remove(&node.link()) } else { None }
    }

    /// Puts back the state of a node that has more children.
    #[inline(always)]
    pub fn put_state(&mut self, node: NodeOf<'s, S, P, B>, state: Option<Box<S::Game>>) {
        if S::HAVE_STATES {
            self.forget_freed();
            self.states.0.extend(state.map(|state| (node.link(), state)));
        }
    }

    /// Returns the bytes of all states.
    #[inline(always)]
    pub fn bytes_of_states(&self) -> usize {
        if S::HAVE_STATES { self.states.bytes() } else { 0 }
    }

    /// Returns the most bytes that the tree may take.
    #[inline(always)]
    pub fn room(&self) -> usize {
        self.memory_limit.saturating_sub(self.bytes_of_states())
    }
}

/// Drops the states of nodes that were freed.
#[inline(always)]
pub(crate) fn forget_freed<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    states: &mut States<S::Game>,
    tree: &TreeOf<S, P, B>,
) {
    if S::HAVE_STATES {
        states.forget(tree.take_freed());
    }
}
