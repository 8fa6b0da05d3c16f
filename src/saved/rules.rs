//! Checks that the actions in a tree are legal, so that no game has to play an illegal one.

use crate::game::{GameState, Player, Rng, Turn, hash_key, try_apply};
use crate::iteration::expansion::Order;
use crate::iteration::order::arrange;
use crate::space::{ActionOf, NodeKind, Space};
use crate::tree::{FamilyNodes, Flaw, MAX_CHILDREN, NodeRef, ROOT, SMALL, Tree, transformation};
use serde::Serialize;
use std::collections::HashMap;

/// With more actions than this, and with more children than [`SOME`], children are found among the legal
/// actions by hashes of what is written of them.
const FEW: usize = 500;

/// To write an action and hash it takes as long as some hundred comparisons, so a search for so few children
/// is faster.
const SOME: usize = 64;

/// Plays all actions of a tree from this root state, which follows an action of `chooser`, each in the state
/// of its node. In a tree that shares positions, also checks their keys. `salt` and `order` say in which
/// order nodes get children. Checks nothing if the search does not know the states below the root, because it
/// guesses them or samples actions.
pub(crate) fn check<S: Space<Game: GameState<Action: Serialize>>, P: Copy + Default, B: Copy + Default>(
    root: &S::Game,
    chooser: Player,
    salt: u64,
    order: Order,
    tree: &Tree<ActionOf<S>, P, B>,
) -> Result<(), Flaw> {
    if !S::ARE_EXACT {
        return Ok(());
    }
    let levels = levels(tree);
    let (actions, is_met) = (Vec::new(), Vec::new());
    let mut check =
        Check { tree, salt, order, actions, is_met, places: HashMap::new(), levels, positions: 0 };
    // The nodes on the way down, each with its state, the player who chose it, and the children that are
    // still to be visited.
    let mut path = Vec::new();
    if !tree.is_empty() {
        path.extend(check.enter::<S>(root.clone(), chooser, tree.root(), 0)?);
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
        try_apply(&mut next, child.action()).map_err(|_| Flaw("the game failed"))?;
        path.extend(check.enter::<S>(next, chooser, child, level)?);
    }
    let is_complete = check.positions == tree.positions();
    if is_complete { Ok(()) } else { Err(Flaw("the root does not lead to a position")) }
}

/// The level of a position that no way leads to, or that was checked.
const DONE: u32 = u32::MAX;

/// Returns for each position how many positions are before it on the shortest way from the root, by index.
/// Empty if the tree shares no positions.
///
/// The check of a graph goes down shortest ways only. Any other way might be as long as there are positions,
/// and lead to states that no search has seen.
fn levels<A: Clone, P: Copy + Default, B: Copy + Default>(tree: &Tree<A, P, B>) -> Vec<u32> {
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
    salt: u64,
    order: Order,
    /// The legal actions, and whether each of them has a child.
    actions: Vec<A>,
    is_met: Vec<bool>,
    /// The places of many legal actions, by their hashes.
    places: HashMap<u128, usize>,
    /// The [`levels`] of the positions that are still to be checked; [`DONE`] for the others.
    levels: Vec<u32>,
    /// How many positions were checked.
    positions: usize,
}

/// A node with its state, the player who chose it, and the children that are still to be visited.
type Open<'t, S, P, B> = (<S as Space>::Game, Player, FamilyNodes<'t, ActionOf<S>, P, B>);

impl<'t, A: Clone + Eq + Serialize, P: Copy + Default, B: Copy + Default> Check<'t, A, P, B> {
    /// Checks a node, whose state is given, and its children. Returns `None` if it has no children, or if
    /// they are checked at another node. There are `level` nodes above it.
    fn enter<S: Space<Game: GameState<Action = A>>>(
        &mut self,
        mut state: S::Game,
        chooser: Player,
        mut node: NodeRef<'t, A, P, B>,
        level: u32,
    ) -> Result<Option<Open<'t, S, P, B>>, Flaw> {
        if self.tree.shares() && node.link() != ROOT {
            let (index, key, player) = self.tree.key_of(node.link());
            if Some((key, transformation(node.link()))) != S::position(&state) || player != chooser {
                return Err(Flaw(
                    "a position has the key of another one; perhaps the keys of the game are wrong",
                ));
            }
            if self.levels[index as usize] != level {
                return Ok(None);
            }
            self.levels[index as usize] = DONE;
            self.positions += 1;
            S::transform(&mut state, transformation(node.link()));
            node = self.tree.position(node.link());
        }
        if node.link() == ROOT {
            return Ok(None);
        }
        let children = self.family::<S>(&state, node.link())?;
        Ok(Some((state, chooser, children)))
    }

    /// Checks the children of a node, whose state is given, and returns them.
    fn family<S: Space<Game: GameState<Action = A>>>(
        &mut self,
        state: &S::Game,
        link: u32,
    ) -> Result<FamilyNodes<'t, A, P, B>, Flaw> {
        if state.turn() == Turn::Over {
            return Err(Flaw("a node has children although the game is over"));
        }
        self.actions.clear();
        self.actions.extend(state.actions().into_iter().take(MAX_CHILDREN + 1));
        self.is_met.clear();
        self.is_met.resize(self.actions.len(), false);
        self.places.clear();
        if self.actions.len() > FEW && self.tree.family_len(link) > SOME {
            let hashes = self.actions.iter().map(hash_of).zip(0..);
            self.places.extend(hashes.filter_map(|(hash, place)| Some((hash?, place))));
        }
        for (place, child) in self.tree.children_of(link).enumerate() {
            let at = self.find(&child.action(), place).ok_or(Flaw("an action is not legal"))?;
            if core::mem::replace(&mut self.is_met[at], true) {
                return Err(Flaw("a node has two children with the same action"));
            }
        }
        if !self.continues(state.turn(), link) {
            return Err(Flaw("the children of a node are not those that come first"));
        }
        // A search that proves leaves out the outcomes that never happen.
        let may_be = |action: &A| state.turn() != Turn::Chance || state.probability(action.clone()) > 0.0;
        let lacks =
            || self.actions.iter().zip(&self.is_met).any(|(action, is_met)| !is_met && may_be(action));
        if self.tree.block(link).is_complete() && lacks() {
            return Err(Flaw("a node that lacks children is marked as complete"));
        }
        Ok(self.tree.children_of(link))
    }

    /// Returns the place of an action among the legal ones, if it is legal. It belongs to the child with the
    /// number `child`.
    fn find(&self, action: &A, child: usize) -> Option<usize> {
        let known = || self.places.get(&hash_of(action)?).copied().filter(|&at| self.actions[at] == *action);
        let hashed = if self.places.is_empty() { None } else { known() };
        hashed.or_else(|| {
            // Some families have the order of the list, so look first at the child's own place.
            let start = child.min(self.actions.len());
            (start..self.actions.len()).chain(0..start).find(|&at| self.actions[at] == *action)
        })
    }

    /// Returns whether a family that is not complete can get its other children: the search adds the children
    /// that come next in its order, after as many as there are. In a tree that shares positions, or with
    /// children that have changed places, it looks which of them are there.
    fn continues(&mut self, turn: Turn, link: u32) -> bool {
        if self.tree.block(link).is_complete() || self.tree.shares() || self.tree.has_adopted() {
            return true;
        }
        let have = self.tree.family_len(link);
        if turn != Turn::Chance && self.order != Order::AsListed {
            let first: Vec<A> = self.tree.children_of(link).take(SMALL).map(|child| child.action()).collect();
            // The generator draws nothing that comes after the first children.
            let is_made = |place: usize, action: &_| first[place] == *action;
            arrange::<_, ()>(
                &mut self.actions,
                &mut [],
                first.len(),
                is_made,
                have,
                self.salt,
                &mut Rng::seeded(0),
            );
        }
        self.tree.children_of(link).zip(&self.actions).all(|(child, action)| child.has_action(action))
    }
}

/// Returns a hash of what is written of an action.
fn hash_of(action: &impl Serialize) -> Option<u128> {
    postcard::to_allocvec(action).ok().map(|bytes| hash_key(&bytes[..]))
}
