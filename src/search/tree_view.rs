//! A read-only view of the tree: to walk through, and to draw.

use super::Mcts;
use super::report::proof_name;
use super::view::PlaceOf;
use crate::backpropagation::Backprop;
use crate::game::{GameState, MAX_PLAYERS, Player, Turn};
use crate::selection::TreePolicy;
use crate::tree::Lane;
use core::fmt;

/// The tree of a search, to look at.
///
/// ```
/// use ramure::prelude::*;
/// let mut search = Mcts::new(ramure::games::TicTacToe::new());
/// search.run(Budget::iterations(200))?;
/// let root = search.tree().root().expect("it ran");
/// let visits: u32 = root.children().map(|child| child.visits()).sum();
/// assert_eq!(visits, 200);
/// println!("{}", search.tree().dot(2, 10)); // for Graphviz: dot -Tsvg
/// # Ok::<(), SearchError>(())
/// ```
pub struct TreeView<'a, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> {
    search: &'a Mcts<G, P, R, B>,
}

/// A node of the tree of a search.
pub struct TreeNode<'a, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> {
    search: &'a Mcts<G, P, R, B>,
    place: PlaceOf<'a, G, P, B>,
    is_root: bool,
    state: G,
    chooser: Player,
}

impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Clone for TreeNode<'_, G, P, R, B> {
    fn clone(&self) -> Self {
        TreeNode { state: self.state.clone(), ..*self }
    }
}

impl<'a, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> TreeView<'a, G, P, R, B> {
    pub(super) fn new(search: &'a Mcts<G, P, R, B>) -> Self {
        TreeView { search }
    }

    /// The root; `None` before the first run.
    pub fn root(&self) -> Option<TreeNode<'a, G, P, R, B>> {
        let search = self.search;
        (!search.tree.is_empty()).then(|| TreeNode {
            search,
            place: search.tree.root(),
            is_root: true,
            state: search.state.clone(),
            chooser: search.chooser,
        })
    }

    /// The number of nodes: the root and all stored children, visited or not; as [`Report::nodes`](crate::Report::nodes) counts them.
    pub fn node_count(&self) -> usize {
        self.search.tree.children()
    }

    /// The tree in the language of Graphviz, down to `depth` actions, leaving out children of fewer than `min_visits`
    /// visits. Write it to a file with `write!`.
    pub fn dot(&self, depth: usize, min_visits: u32) -> Dot<'a, G, P, R, B> {
        Dot { root: self.root(), depth, min_visits }
    }
}

impl<'a, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> TreeNode<'a, G, P, R, B> {
    fn child(&self) -> Lane<'a, G::Action, P::Stats> {
        self.place.child()
    }

    /// The action that leads here; `None` for the root.
    pub fn action(&self) -> Option<G::Action> {
        (!self.is_root).then(|| self.child().action())
    }

    /// The state, worked out by replaying the line.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Whose choice led here, and so whose mean [`mean`](Self::mean) is.
    pub fn chooser(&self) -> Player {
        self.chooser
    }

    /// How many iterations went through this node.
    pub fn visits(&self) -> u32 {
        self.child().visit_count()
    }

    /// The mean reward of the player who chose the action that leads here.
    pub fn mean(&self) -> f32 {
        self.child().mean()
    }

    /// What the tree policy keeps of it.
    pub fn stats(&self) -> P::Stats {
        self.child().stats()
    }

    /// What the backpropagation keeps of it.
    pub fn backprop_stats(&self) -> B::Stats {
        self.place.backprop()
    }

    /// The reward of `player`, if it is proven. `None` for a player that the game does not have.
    pub fn proof(&self, player: Player) -> Option<f32> {
        let exists = player < self.search.players && usize::from(player) < MAX_PLAYERS;
        if exists { self.search.backprop.certain(self.place.backprop(), player) } else { None }
    }

    /// The stored children, in the order in which they were made.
    pub fn children(&self) -> impl Iterator<Item = TreeNode<'a, G, P, R, B>> {
        let search = self.search;
        let chooser = match self.state.turn() {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => self.chooser,
        };
        search.tree.children_of(self.place.link()).map(move |place| {
            let mut state = self.state.clone();
            state.apply(place.child().action());
            TreeNode { search, place, is_root: false, state, chooser }
        })
    }
}

/// A tree in the language of Graphviz; see [`TreeView::dot`].
pub struct Dot<'a, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> {
    root: Option<TreeNode<'a, G, P, R, B>>,
    depth: usize,
    min_visits: u32,
}

impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> fmt::Display for Dot<'_, G, P, R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digraph ramure {{")?;
        writeln!(f, "  node [shape=box, fontname=\"sans-serif\"];")?;
        let mut next = 0;
        let mut pending: Vec<_> = self.root.iter().map(|root| (root.clone(), 0, None)).collect();
        while let Some((node, depth, above)) = pending.pop() {
            let own = next;
            next += 1;
            match (above, node.action()) {
                (Some(parent), Some(action)) => {
                    let proof = node.proof(node.chooser()).map_or("", proof_name);
                    let line = if proof.is_empty() { "" } else { "\\n" };
                    writeln!(f, "  n{own} [label=\"{}\\n{:.3}{line}{proof}\"];", node.visits(), node.mean())?;
                    let action = format!("{action:?}").replace('\\', "\\\\").replace('"', "\\\"");
                    writeln!(f, "  n{parent} -> n{own} [label=\"{action}\"];")?;
                }
                _ => writeln!(f, "  n{own} [label=\"{} visits\"];", node.visits())?,
            }
            if depth < self.depth {
                let children: Vec<_> =
                    node.children().filter(|child| child.visits() >= self.min_visits).collect();
                pending.extend(children.into_iter().rev().map(|child| (child, depth + 1, Some(own))));
            }
        }
        write!(f, "}}")
    }
}
