//! Checks that the actions in a tree are legal, so that no game has to play an illegal one.

use crate::game::{GameState, Turn};
use crate::tree::{FamilyNodes, Flaw, MAX_CHILDREN, ROOT, Tree};

/// Plays all actions of a tree from this root state, each in the state of its node. Checks nothing if the search does not know the states below the
/// root, because it guesses them or samples actions.
pub(super) fn check<G: GameState, P: Copy + Default, B: Copy + Default>(
    root: &G,
    tree: &Tree<G::Action, P, B>,
) -> Result<(), Flaw> {
    if G::IS_GUESSED || G::IS_SAMPLED || tree.is_empty() || tree.root().link() == ROOT {
        return Ok(());
    }
    let mut check = Check { tree, actions: Vec::new(), is_met: Vec::new() };
    // The states on the way down, each with the children that are still to be visited.
    let mut path = vec![(root.clone(), check.family(root, tree.root().link())?)];
    while let Some((state, children)) = path.last_mut() {
        let Some(child) = children.find(|child| child.link() != ROOT) else {
            path.pop();
            continue;
        };
        let mut next = state.clone();
        next.apply(child.action());
        let children = check.family(&next, child.link())?;
        path.push((next, children));
    }
    Ok(())
}

struct Check<'t, A, P, B> {
    tree: &'t Tree<A, P, B>,
    /// The legal actions, and whether each of them has a child.
    actions: Vec<A>,
    is_met: Vec<bool>,
}

impl<'t, A: Copy + Eq, P: Copy + Default, B: Copy + Default> Check<'t, A, P, B> {
    /// Checks the children of a node, whose state is given, and returns them.
    fn family<G: GameState<Action = A>>(
        &mut self,
        state: &G,
        link: u32,
    ) -> Result<FamilyNodes<'t, A, P, B>, Flaw> {
        if state.turn() == Turn::Over {
            return Err(Flaw("a node has children although the game is over"));
        }
        self.actions.clear();
        self.actions.extend(state.actions().into_iter().take(MAX_CHILDREN + 1));
        self.is_met.clear();
        self.is_met.resize(self.actions.len(), false);
        for (place, child) in self.tree.children_of(link).enumerate() {
            // Some families have the order of the list, so look first at the child's own place.
            let is_it = |&at: &usize| self.actions[at] == child.action();
            let start = place.min(self.actions.len());
            let at = (start..self.actions.len())
                .chain(0..start)
                .find(is_it)
                .ok_or(Flaw("an action is not legal"))?;
            if core::mem::replace(&mut self.is_met[at], true) {
                return Err(Flaw("a node has two children with the same action"));
            }
        }
        if self.tree.block(link).is_complete() && self.is_met.contains(&false) {
            return Err(Flaw("a node that lacks children is marked as complete"));
        }
        Ok(self.tree.children_of(link))
    }
}
