//! Nodes that stand for all states that a guess may bring: each iteration begins with a guess,
//! and the actions that are legal in it are open.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Rng, Turn, try_apply};
use crate::iteration::path::{BlockOf, NodeOf};
use crate::iteration::root_actions::Mask;
use crate::iteration::{CurrentNode, FedBy, Iterations, LeafOf};
use crate::selection::{Choice, Event, TreePolicy};
use crate::simulation::{Leaf, RolloutPolicy, Trace};
use crate::space::{ActionOf, NodeKind, Space};

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Lists the actions that are legal in the guess of this iteration, stores those as children that the
    /// node lacks, and closes all other children. (Nothing is proven in such a search, so children are closed
    /// for no other reason.) Returns whether the iteration can go on to a child: if the memory is full, none
    /// of the legal ones may be stored, or not all outcomes of chance.
    #[inline(never)]
    pub fn open_guessed(
        &mut self,
        current: &mut CurrentNode<'s, S, P, B>,
        leaf: &LeafOf<S, P, R>,
    ) -> Result<bool, GameFault> {
        self.list_first(current.turn, leaf.state())?;
        let mut stored = self.open_legal(current.link);
        if stored < self.actions.len() {
            let mut new = Vec::new();
            self.list_first(current.turn, leaf.state())?; // new children are in the order of the list
            for action in self.actions.iter() {
                if self.tree.child_by(current.link, action).is_none() {
                    new.push(action.clone());
                }
            }
            self.add_children(current.node, &new)?;
            current.link = current.node.link();
            stored = self.open_legal(current.link);
        }
        // Chance may draw any of its outcomes.
        Ok(if current.turn == Turn::Chance { stored == self.actions.len() } else { stored > 0 })
    }

    /// Opens the children whose actions are listed, and closes the others. Returns how many are open. Puts
    /// their actions first, in their order.
    fn open_legal(&mut self, link: u32) -> usize {
        let mut open = 0;
        for child in self.tree.children_of(link) {
            let rest = &mut self.actions[open..];
            let place = rest.iter().position(|action| child.has_action(action));
            child.set_closed(place.is_none());
            if let Some(place) = place {
                rest.swap(0, place);
                open += 1;
            }
        }
        open
    }

    /// Returns the first child that the state of this iteration may have and that is not hidden, or else the
    /// first one.
    pub fn first_possible(&self, link: u32, mask: Option<&Mask<ActionOf<S>>>) -> Choice {
        if S::ARE_GUESSED || mask.is_some() {
            let is_hidden = |child| mask.is_some_and(|mask| mask.hides(child));
            let may_go = |child| is_possible::<S, P, B>(child) && !is_hidden(child);
            for (id, block, used) in self.tree.family(link) {
                if let Some(lane) = (0..used).find(|&lane| may_go(block.node(lane))) {
                    return Choice::new(id, lane, self.moment());
                }
            }
        }
        Choice::new(self.tree.block(link).next(), 0, self.moment())
    }

    /// In a search with guesses, refuses a child that is not legal in this guess. Counts that `chosen` and
    /// the other visited children that are legal in it could have been chosen.
    #[inline(always)]
    pub fn count_available(&self, link: u32, chosen: NodeOf<'s, S, P, B>) -> Result<(), GameFault> {
        if !S::ARE_GUESSED {
            return Ok(());
        }
        if chosen.is_closed() {
            return Err(GameFault::ForeignChoice);
        }
        for child in self.tree.children_of(link) {
            if child.is_same_lane(chosen) || child.visit_count() > 0 && !child.is_closed() {
                child.set_stats(self.tree_policy.notice(child.stats(), Event::Available));
            }
        }
        Ok(())
    }
}

/// Replaces what is hidden in the root state of `leaf`, if there is anything to guess.
#[inline(always)]
pub(crate) fn guess<S: Space, T: Trace<S::Game>>(
    leaf: &mut Leaf<S::Game, T>,
    space: &S,
    rng: &mut Rng,
) -> Result<(), GameFault> {
    if S::ARE_GUESSED {
        leaf.guess(rng, |state, rng| space.guess(state, rng))?;
    }
    Ok(())
}

/// Lets the space replace what is hidden in the state of `leaf`, at a node that has children or gets them.
#[inline(always)]
pub(crate) fn settle<S: Space, T: Trace<S::Game>>(leaf: &mut Leaf<S::Game, T>, space: &S) {
    if S::ARE_GUESSED {
        leaf.transform(|state| space.settle(state));
    }
}

/// Returns whether the state of this iteration may have `child`. In a search with guesses, the closed
/// children are those that are not legal in this guess.
#[inline(always)]
pub(crate) fn is_possible<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    child: NodeOf<'_, S, P, B>,
) -> bool {
    !S::ARE_GUESSED || !child.is_closed()
}

/// Returns a bit for each child of `block` that is closed and cannot be chosen. Proven children can, if they
/// are `asked_for`.
#[inline(always)]
pub(crate) fn shut<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    block: BlockOf<'_, S, P, B>,
    asked_for: bool,
) -> u8 {
    if S::ARE_GUESSED || B::PROVES && !asked_for { block.closed() } else { 0 }
}

/// Returns whether `action`, by which a node has a child, is legal in `state`.
pub(crate) fn is_legal<S: Space>(state: &S::Game, action: ActionOf<S>) -> bool {
    !S::ARE_GUESSED || state.is_legal(action)
}

/// Plays `action` after the root. A guess stays as it is: it would show what is hidden, and the action may
/// not be legal in it. Fails if the game does.
pub(crate) fn play_known<S: Space>(state: &mut S::Game, action: ActionOf<S>) -> Result<(), GameFault> {
    if S::ARE_GUESSED { Ok(()) } else { try_apply(state, action) }
}

/// Returns whether the player or chance to move at the root has a node. In an open loop, the outcomes of
/// chance share the node.
pub(crate) fn has_node<S: Space>(turn: Turn) -> bool {
    !S::SKIPS_CHANCE || turn != Turn::Chance
}

/// Returns the root state from which the actions of the tree can be played. In an open loop, they lead
/// through one way in which chance may go.
pub(crate) fn shown_root<S: Space>(space: &S) -> S::Game {
    let mut state = space.root().clone();
    if S::SKIPS_CHANCE {
        let _ = space.guess(&mut state, &mut Rng::seeded(0));
    }
    state
}
