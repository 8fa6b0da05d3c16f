//! The part of the loop for games whose actions are sampled: double progressive widening.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Turn};
use crate::iteration::path::NodeOf;
use crate::iteration::{CurrentNode, Iterations};
use crate::selection::{Choice, TreePolicy};
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use crate::tree::MAX_CHILDREN;

impl<'s, S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Refuses policies that do not work with sampled actions.
    pub const SAMPLES: bool = {
        if S::IS_SAMPLED {
            assert!(
                !P::Stats::INITIALIZES,
                "a search of a `Sampled` needs a tree policy that reads no priors, such as `Ucb1`: sampled actions have none"
            );
        }
        S::IS_SAMPLED
    };

    /// Samples an action or an outcome.
    pub fn sample(&mut self, state: &S::Game) -> Result<ActionOf<S>, GameFault> {
        state.random_action(self.rng).ok_or(GameFault::NoActions)
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
            Turn::Player(_) => self.widened(current.link, current.visits.max(1)).min(MAX_CHILDREN),
            Turn::Chance | Turn::Over => 0,
        };
        let is_visited = |child: NodeOf<'s, S, P, B>| child.visit_count() > 0;
        if self.tree.family_len(current.link) < width && self.tree.children_of(current.link).all(is_visited) {
            let action = self.sample(state)?;
            if self.tree.children_of(current.link).all(|child| child.action() != action) {
                self.add_children(current.node, [action])?;
                current.link = current.node.link();
            }
        }
        Ok(())
    }

    /// Draws an outcome at a chance node: one that is stored, a new one if there is room for it, or else the
    /// least visited one.
    #[inline(never)]
    pub fn draw_sampled(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        state: &S::Game,
    ) -> Result<Choice, GameFault> {
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
                if child.action() == outcome {
                    return Ok(Choice::new(id, lane, self.moment()));
                }
                if child.visit_count() < least.0 {
                    least = (child.visit_count(), id, lane);
                }
            }
        }
        if count < self.expansion.outcome_width(current.visits.max(1)).min(MAX_CHILDREN)
            && let Some(id) = self.add_children(current.node, [outcome])?
        {
            return Ok(Choice::new(id, self.tree.block(id).used() - 1, self.moment()));
        }
        Ok(Choice::new(least.1, least.2, self.moment()))
    }
}
