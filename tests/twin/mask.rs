//! What an iteration does at a root whose actions are restricted: a mask hides the others from the tree policy.

use super::{Current, Id, ROOT, Twin};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, Player};
use crate::iteration::nodes::DRAWS;
use crate::iteration::root_actions::Mask;
use crate::iteration::{FedBy, LeafOf};
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, NodeKind, Space};

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Twin<S, P, R, B> {
    /// Returns the mask of the node at the end of the path, if that is a masked root.
    pub(super) fn mask_here(&self) -> Option<&Mask<ActionOf<S>>> {
        self.mask.as_ref().filter(|_| self.path.len() == 1)
    }

    /// Returns whether the mask of the node at the end of the path hides `child`.
    pub(super) fn is_hidden(&self, child: Id) -> bool {
        self.mask_here().is_some_and(|mask| !mask.shows(&self.nodes[child].child.action))
    }

    /// Returns the visits of the node at the end of the path that did not go to hidden children.
    pub(super) fn visits_shown(&self, current: &Current) -> u32 {
        let children = self.nodes[current.node].children.iter();
        let hidden = children.filter(|&&child| self.is_hidden(child));
        current.visits.saturating_sub(hidden.map(|&child| self.nodes[child].visits()).sum())
    }

    /// Prepares a masked root for a choice: it gets all its children, because the next one may be hidden, and no child counts as pruned, because
    /// a hidden one may be the reason. Returns how many children to show, whether there is one to try, and one that has too few visits.
    pub(super) fn prepare_masked(
        &mut self,
        current: &mut Current,
        player: Player,
        leaf: &LeafOf<S, P, R>,
    ) -> Result<(usize, bool, Option<Id>), GameFault> {
        let node = current.node;
        if !P::SEES_UNVISITED && S::ARE_EXACT && !self.nodes[node].is_complete {
            let actions = Vec::from_iter(crate::GameState::actions(leaf.state()));
            let all = actions.len();
            self.grow(node, current.turn, actions, Vec::new(), all);
        }
        current.visits = self.visits_shown(current);
        let mut seen = self.nodes[node].children.clone();
        seen.retain(|&child| !self.is_hidden(child));
        let certain = |child: Id| self.backprop.certain(self.nodes[self.known(child)].backprop.get(), player);
        if B::PROVES {
            let unproven = seen.iter().filter(|&&child| certain(child).is_none());
            unproven.for_each(|&child| self.nodes[child].is_closed.set(false));
        }
        let is_open = |&child: &Id| !self.nodes[child].is_closed.get();
        let visits = |child: Id| self.nodes[child].visits();
        let least = self.mask_here().map_or(0, |mask| mask.least());
        let in_need = seen.iter().copied().filter(is_open).min_by_key(|&child| visits(child));
        let in_need = in_need.filter(|&child| visits(child) < least);
        if S::ARE_GUESSED {
            return Ok((usize::MAX, false, in_need)); // the others are closed
        }
        let is_widened = self.expansion.is_widened() && !S::ARE_SAMPLED;
        if P::SEES_UNVISITED {
            let width = if is_widened { self.widened(node, current.visits.max(1)) } else { usize::MAX };
            return Ok((width, false, in_need));
        }
        let open =
            seen.iter().filter(|child| visits(**child) > 0 && is_open(child) && certain(**child).is_none());
        let fits = !is_widened || open.count() < self.expansion.width(current.visits.max(1));
        let is_new = in_need.is_some_and(|child| visits(child) == 0);
        let more = is_new || fits && seen.iter().any(|&child| visits(child) == 0);
        let shown = if is_new { 0 } else { self.visited(node) };
        Ok((shown, more, in_need.filter(|_| !is_new)))
    }

    /// Moves the first unvisited child that is not hidden before the other unvisited ones, because the visited children come first.
    pub(super) fn move_up(&mut self, node: Id) {
        let (visited, children) = (self.visited(node), &self.nodes[node].children);
        let is_new = |&child: &Id| self.nodes[child].visits() == 0 && !self.is_hidden(child);
        if let Some(place) = children.iter().position(is_new) {
            self.nodes[node].children[visited..=place].rotate_right(1);
        }
    }

    /// Where actions are sampled: returns one that a masked root lacks and that was listed, or draws one.
    pub(super) fn sample_shown(
        &mut self,
        node: Id,
        state: &S::Game,
    ) -> Result<Option<ActionOf<S>>, GameFault> {
        let is_listed = self.mask.as_ref().is_some_and(|mask| mask.count < usize::MAX);
        if is_listed {
            let made = self.actions_of(node);
            return Ok(self.root_actions.listed().iter().find(|action| !made.contains(action)).cloned());
        }
        let has_any = self.nodes[node].children.iter().any(|&child| !self.is_hidden(child));
        for _ in 0..if has_any { 1 } else { DRAWS } {
            let drawn = self.sample(state)?;
            if self.mask.as_ref().is_some_and(|mask| mask.shows(&drawn)) {
                return Ok(Some(drawn));
            }
        }
        Ok(None)
    }

    /// Returns the reward that `player` gets by the actions that the mask shows, if it is certain.
    pub(super) fn masked_proof(&self, mask: &Mask<ActionOf<S>>, player: Player) -> Option<f32> {
        let children = self.nodes[self.home(ROOT)].children.iter().copied();
        let shown = children.filter(|&child| mask.shows(&self.nodes[child].child.action));
        let certain = |child: Id| self.backprop.certain(self.nodes[self.known(child)].backprop.get(), player);
        let proofs: Vec<f32> = shown.filter_map(certain).collect();
        let best = proofs.iter().copied().reduce(f32::max).filter(|_| B::PROVES)?;
        (best == 1.0 || proofs.len() == mask.count).then_some(best)
    }
}
