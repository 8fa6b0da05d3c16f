//! Checks that the actions in a tree are legal, so that no game has to play an illegal one.

use crate::game::{GameState, Player, Turn};
use crate::tree::{FamilyNodes, Flaw, MAX_CHILDREN, NodeRef, ROOT, Tree, transformation};

/// Plays all actions of a tree from this root state, which follows an action of `chooser`, each in the state of its node. In a tree that shares positions, also
/// checks their keys. Checks nothing if the search does not know the states below the root, because it guesses them or samples actions.
pub(super) fn check<G: GameState, P: Copy + Default, B: Copy + Default>(
    root: &G,
    chooser: Player,
    tree: &Tree<G::Action, P, B>,
) -> Result<(), Flaw> {
    if G::IS_GUESSED || G::IS_SAMPLED {
        return Ok(());
    }
    let levels = levels(tree);
    let mut check = Check { tree, actions: Vec::new(), is_met: Vec::new(), levels, positions: 0 };
    // The nodes on the way down, each with its state, the player who chose it, and the children that are still to be visited.
    let mut path = Vec::new();
    if !tree.is_empty() {
        path.extend(check.enter(root.clone(), chooser, tree.root(), 0)?);
    }
    loop {
        let level = path.len() as u32;
        let Some((state, chooser, children)) = path.last_mut() else { break };
        let Some(child) = children.find(|child| child.link() != ROOT) else {
            path.pop();
            continue;
        };
        let chooser = if let Turn::Player(player) = state.turn() { player } else { *chooser };
        let mut next = state.clone();
        next.apply(child.action());
        path.extend(check.enter(next, chooser, child, level)?);
    }
    let is_complete = check.positions == tree.positions();
    if is_complete { Ok(()) } else { Err(Flaw("the root does not lead to a position")) }
}

/// The level of a position that no way leads to, or that was checked.
const DONE: u32 = u32::MAX;

/// Returns for each position how many positions are before it on the shortest way from the root, by index. Empty if the tree shares no positions.
///
/// The check of a graph goes down shortest ways only. Any other way might be as long as there are positions, and lead to states that no search has seen.
fn levels<A: Copy, P: Copy + Default, B: Copy + Default>(tree: &Tree<A, P, B>) -> Vec<u32> {
    let mut levels = vec![DONE; tree.position_entries()];
    let (mut level, mut next) = (0, Vec::new());
    if tree.shares() && !tree.is_empty() && tree.root().link() != ROOT {
        next.push(tree.root().link());
    }
    while !next.is_empty() {
        for link in core::mem::take(&mut next) {
            let at = &mut levels[tree.key_of(link).0 as usize];
            if *at == DONE {
                *at = level;
                let children = tree.children_of(tree.position(link).link());
                next.extend(children.map(|child| child.link()).filter(|&link| link != ROOT));
            }
        }
        level += 1;
    }
    levels
}

struct Check<'t, A, P, B> {
    tree: &'t Tree<A, P, B>,
    /// The legal actions, and whether each of them has a child.
    actions: Vec<A>,
    is_met: Vec<bool>,
    /// The [`levels`] of the positions that are still to be checked; [`DONE`] for the others.
    levels: Vec<u32>,
    /// How many positions were checked.
    positions: usize,
}

/// A node with its state, the player who chose it, and the children that are still to be visited.
type Open<'t, G, P, B> = (G, Player, FamilyNodes<'t, <G as GameState>::Action, P, B>);

impl<'t, A: Copy + Eq, P: Copy + Default, B: Copy + Default> Check<'t, A, P, B> {
    /// Checks a node, whose state is given, and its children. Returns `None` if it has no children, or if they are checked at another node. There are
    /// `level` nodes above it.
    fn enter<G: GameState<Action = A>>(
        &mut self,
        mut state: G,
        chooser: Player,
        mut node: NodeRef<'t, A, P, B>,
        level: u32,
    ) -> Result<Option<Open<'t, G, P, B>>, Flaw> {
        if self.tree.shares() && node.link() != ROOT {
            let (index, key, player) = self.tree.key_of(node.link());
            if (key, transformation(node.link())) != state.position() || player != chooser {
                return Err(Flaw(
                    "a position has the key of another one; perhaps the keys of the game are wrong",
                ));
            }
            if self.levels[index as usize] != level {
                return Ok(None);
            }
            self.levels[index as usize] = DONE;
            self.positions += 1;
            state.transform(transformation(node.link()));
            node = self.tree.position(node.link());
        }
        if node.link() == ROOT {
            return Ok(None);
        }
        let children = self.family(&state, node.link())?;
        Ok(Some((state, chooser, children)))
    }

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
