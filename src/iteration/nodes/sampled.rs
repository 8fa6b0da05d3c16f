//! Nodes that stand for a state whose actions are sampled: double progressive widening.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Rng, Turn, unless_failed};
use crate::iteration::expansion::Expansion;
use crate::iteration::path::{BlockOf, NodeOf, TreeOf};
use crate::iteration::root_actions::Mask;
use crate::iteration::{CurrentNode, FedBy, Iterations};
use crate::selection::{Choice, TreePolicy};
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, NodeKind, Space};
use crate::tree::{MAX_CHILDREN, NodeRef, ROOT};

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Samples an action or an outcome.
    pub fn sample(&mut self, state: &S::Game) -> Result<ActionOf<S>, GameFault> {
        let sampled = state.random_action(self.rng).ok_or(GameFault::NoActions)?;
        unless_failed()?;
        Ok(sampled)
    }

    /// At a node of a player, samples another child if the node may have one. Waits while there is an
    /// unvisited child.
    #[inline(never)]
    pub fn propose(
        &mut self,
        current: &mut CurrentNode<'s, S, P, B>,
        state: &S::Game,
    ) -> Result<(), GameFault> {
        let width = match current.turn {
            Turn::Player(_) => self.widened(current.link, self.visits_shown(current).max(1)),
            Turn::Chance | Turn::Over => 0,
        };
        let (mask, count) = (self.mask_here(), self.tree.family_len(current.link));
        // A width holds back actions that are drawn, not those that were named.
        let are_named = mask.is_some_and(|mask| mask.count < usize::MAX) && width > 0;
        let waits = |child: NodeOf<'s, S, P, B>| {
            child.visit_count() == 0 && mask.is_none_or(|mask| !mask.hides(child))
        };
        if count < MAX_CHILDREN
            && (count < width || are_named)
            && !self.tree.children_of(current.link).any(waits)
        {
            let action = match mask {
                Some(mask) => self.sample_shown(mask, current.link, state)?,
                None => Some(self.sample(state)?),
            };
            if let Some(action) = action
                && self.tree.children_of(current.link).all(|child| !child.has_action(&action))
            {
                self.add_children(current.node, &[action])?;
                current.link = current.node.link();
            }
        }
        Ok(())
    }

    /// Returns the visits of the node at the end of the path that did not go to hidden children.
    fn visits_shown(&self, current: &CurrentNode<'s, S, P, B>) -> u32 {
        let Some(mask) = self.mask_here() else { return current.visits };
        let hidden = self.tree.children_of(current.link).filter(|&child| mask.hides(child));
        current.visits.saturating_sub(hidden.map(NodeRef::visit_count).sum())
    }

    /// Samples an action that a masked root does not have yet, if it may get one: one of those that were
    /// listed, or else one that is drawn.
    pub fn sample_shown(
        &mut self,
        mask: &Mask<ActionOf<S>>,
        link: u32,
        state: &S::Game,
    ) -> Result<Option<ActionOf<S>>, GameFault> {
        let is_new = |action: &&ActionOf<S>| self.tree.child_by(link, action).is_none();
        if mask.count < usize::MAX {
            return Ok(mask.actions.listed().iter().find(is_new).cloned());
        }
        let has_any = self.tree.children_of(link).any(|child| !mask.hides(child));
        for _ in 0..if has_any { 1 } else { DRAWS } {
            let drawn = self.sample(state)?;
            if mask.shows(&drawn) {
                return Ok(Some(drawn));
            }
        }
        Ok(None)
    }

    /// Returns what [`shown`](Self::shown) does, where actions are sampled: an unvisited child was sampled.
    #[inline(always)]
    pub fn shown_sampled(
        &self,
        current: &CurrentNode<'s, S, P, B>,
        last: BlockOf<'s, S, P, B>,
    ) -> (usize, bool) {
        let visited = if P::SEES_UNVISITED { usize::MAX } else { self.visited(current.link, last) };
        (visited, !P::SEES_UNVISITED && visited < self.tree.family_len(current.link))
    }

    /// Draws an outcome at a chance node. If outcomes are sampled, draws one that is stored, a new one if
    /// there is room for it, or else the least visited one.
    #[inline(always)]
    pub fn draw(&mut self, current: &CurrentNode<'s, S, P, B>, state: &S::Game) -> Result<Choice, GameFault> {
        if !S::ARE_SAMPLED {
            return self.draw_listed(current.link, state);
        }
        let count = self.tree.family_len(current.link);
        let is_new = |child: NodeOf<'s, S, P, B>| child.visit_count() == 0;
        if count == 1 && self.tree.children_of(current.link).all(is_new) {
            // It was drawn when the node got it as its first child.
            return Ok(Choice::new(current.link, 0, self.moment()));
        }
        let outcome = self.sample(state)?;
        let mut least = (u32::MAX, 0, 0);
        for (id, block, used) in self.tree.family(current.link) {
            for lane in 0..used {
                let child = block.node(lane);
                if child.has_action(&outcome) {
                    // What is equal may still differ in what no node depends on: the reward of a step.
                    if S::IS_SIMULATED {
                        child.set_action(outcome);
                    }
                    return Ok(Choice::new(id, lane, self.moment()));
                }
                if child.visit_count() < least.0 {
                    least = (child.visit_count(), id, lane);
                }
            }
        }
        if count < self.expansion.outcome_width(current.visits.max(1)).min(MAX_CHILDREN)
            && let Some(id) = self.add_children(current.node, &[outcome])?
        {
            return Ok(Choice::new(id, self.tree.block(id).used() - 1, self.moment()));
        }
        Ok(Choice::new(least.1, least.2, self.moment()))
    }
}

/// Returns the settings of a run: actions and outcomes that are sampled are widened by default.
pub(crate) fn expansion<S: Space>(set: Expansion) -> Expansion {
    if S::ARE_SAMPLED { set.sampled(S::OUTCOME_WIDENING) } else { set }
}

/// Returns any action, which the root needs although none led there.
pub(crate) fn any_action<S: Space>(root: &S::Game, rng: &mut Rng) -> Option<ActionOf<S>> {
    if S::ARE_SAMPLED { root.random_action(rng) } else { root.actions().into_iter().next() }
}

/// Returns the legal actions, if they are listed.
pub(crate) fn listed<S: Space>(state: &S::Game) -> Option<impl Iterator<Item = ActionOf<S>>> {
    if S::ARE_SAMPLED { None } else { Some(state.actions().into_iter()) }
}

/// Returns whether the tree has `action` at the root, where actions are sampled.
pub(crate) fn is_sampled<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    action: &ActionOf<S>,
) -> bool {
    S::ARE_SAMPLED
        && !tree.is_empty()
        && tree.children_of(tree.root().link()).any(|child| child.has_action(action))
}

/// How often a search of sampled actions draws at a root whose children are all hidden.
pub(crate) const DRAWS: usize = 1_000;

/// Returns whether a search of sampled actions may come to one that the mask of its root `shows`: it has one,
/// or draws one with this seed.
pub(crate) fn samples_shown<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    root: &S::Game,
    shows: &dyn Fn(&ActionOf<S>) -> bool,
    seed: u64,
) -> bool {
    if !S::ARE_SAMPLED {
        return true;
    }
    let mut rng = Rng::seeded(seed);
    let link = if tree.is_empty() { ROOT } else { tree.root().link() };
    tree.children_of(link).any(|child| shows(&child.action()))
        || (0..DRAWS).any(|_| root.random_action(&mut rng).is_some_and(|action| shows(&action)))
}

/// Returns whether `action`, by which a node had a child, can be played in `state`, although the game may
/// have gone another way this time.
pub(crate) fn can_play<S: Space>(state: &S::Game, action: ActionOf<S>) -> bool {
    S::ARE_SAMPLED || state.is_legal(action)
}
