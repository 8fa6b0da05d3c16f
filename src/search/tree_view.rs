//! A read-only view of the tree, to walk through or to draw.

use crate::backpropagation::Backprop;
use crate::game::{GameState, MAX_PLAYERS, Player, Turn};
use crate::iteration::nodes::{home, is_legal, known, play_known, shown_root};
use crate::iteration::path::NodeOf;
use crate::run::report::proof_name;
use crate::search::engine::Run;
use crate::search::one_tree::OneTree;
use crate::selection::TreePolicy;
use crate::simulation::{RolloutPolicy, Uniform};
use crate::space::transpositions::{stored, transformation_of};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use crate::tree::{ROOT, position_number, transformation};
use core::fmt;
use std::collections::BTreeMap;

/// A read-only view of the tree of a search.
///
/// ```
/// use ramure::prelude::*;
/// let mut search = Mcts::new(ramure_games::TicTacToe::new());
/// search.run(Budget::iterations(200))?;
/// let root = search.tree().root().expect("it ran");
/// let visits: u32 = root.children().map(|child| child.visits()).sum();
/// assert_eq!(visits, 200);
/// println!("{}", search.tree().dot(2, 10)); // for Graphviz: dot -Tsvg
/// # Ok::<(), SearchError>(())
/// ```
pub struct TreeView<'a, S, P = <S as Space>::TreePolicy, R = Uniform, B = <S as Space>::Backprop>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
{
    search: &'a OneTree<S, P, R, B>,
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Clone for TreeView<'_, S, P, R, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Copy for TreeView<'_, S, P, R, B> {}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> fmt::Debug for TreeView<'_, S, P, R, B> {
    /// Prints the root and the number of nodes. [`dot`](Self::dot) prints the tree.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (root, nodes) = (self.root(), self.node_count());
        f.debug_struct("TreeView").field("root", &root).field("nodes", &nodes).finish()
    }
}

/// A node in the tree of a search.
pub struct TreeNode<'a, S, P = <S as Space>::TreePolicy, R = Uniform, B = <S as Space>::Backprop>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
{
    search: &'a OneTree<S, P, R, B>,
    node: NodeOf<'a, S, P, B>,
    is_root: bool,
    state: S::Game,
    chooser: Player,
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Clone for TreeNode<'_, S, P, R, B> {
    fn clone(&self) -> Self {
        TreeNode { state: self.state.clone(), ..*self }
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> fmt::Debug for TreeNode<'_, S, P, R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeNode")
            .field("action", &self.action())
            .field("chooser", &self.chooser)
            .field("visits", &self.visits())
            .field("mean", &self.mean())
            .finish_non_exhaustive()
    }
}

impl<'a, S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> TreeView<'a, S, P, R, B> {
    pub(crate) fn new(search: &'a OneTree<S, P, R, B>) -> Self {
        TreeView { search }
    }

    /// Returns the root; `None` before the first run.
    pub fn root(&self) -> Option<TreeNode<'a, S, P, R, B>> {
        let search = self.search;
        let mut state = shown_root(&search.space);
        let transformation = transformation_of::<S>(&state);
        S::transform(&mut state, transformation);
        (!search.tree.is_empty()).then(|| TreeNode {
            search,
            node: search.tree.root(),
            is_root: true,
            state,
            chooser: search.chooser,
        })
    }

    /// Returns the number of nodes: the root and all stored children, visited or not. This is the number in
    /// [`Report::nodes`](crate::Report::nodes).
    pub fn node_count(&self) -> usize {
        self.search.tree.children()
    }

    /// Returns the tree in the DOT language of Graphviz, down to `depth` actions, without children of fewer
    /// than `min_visits` visits. Print it, or write it to a file with `write!`.
    ///
    /// In a search that [shares positions](crate::search::Transpositions), this is a graph: a position has
    /// one node, with its own visits and mean, and an action whose visits are not those of the position shows
    /// them in brackets.
    pub fn dot(&self, depth: usize, min_visits: u32) -> impl fmt::Display + use<'a, S, P, R, B> {
        Dot { root: self.root(), depth, min_visits }
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    TreeView<'_, S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Returns the best line of play from the root: the [`TreeNode::action`] of each of its nodes. These are
    /// the actions of [`Report::principal_variation`](crate::Report::principal_variation), but in a search of
    /// [`MirrorImages`](crate::search::MirrorImages) only the latter can be played in the game. Empty if
    /// the search cannot report, for example because the game is over.
    pub fn best_line(&self) -> Vec<ActionOf<S>> {
        let mut line = self.search.report().map_or_else(|_| Vec::new(), |report| report.principal_variation);
        let mut state = self.search.root().clone();
        for action in &mut line {
            let stored = stored::<S>(&state, action.clone());
            // After an error of the game, the rest of the line does not matter.
            let _ = play_known::<S>(&mut state, core::mem::replace(action, stored));
        }
        line
    }
}

impl<'a, S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> TreeNode<'a, S, P, R, B> {
    /// Returns the action that leads to this node; `None` for the root.
    pub fn action(&self) -> Option<ActionOf<S>> {
        (!self.is_root).then(|| self.node.action())
    }

    /// Returns the action of the game that led to [`state`](Self::state), for
    /// [`Picture::picture`](crate::Picture::picture). `None` for the root, for an action that the searching
    /// player does not see, and for a mirror image, which is not the state after the action.
    pub fn last_action(&self) -> Option<<S::Real as GameState>::Action> {
        let is_mirrored = self.search.tree.shares() && transformation(self.node.link()) != 0;
        self.action().filter(|_| !is_mirrored).and_then(S::to_real)
    }

    /// Returns the state of this node.
    pub fn state(&self) -> &S::Real {
        S::real(&self.state)
    }

    /// Returns the player who chose the action that leads to this node. [`mean`](Self::mean) is this
    /// player's. For an outcome of chance, this is the player who acted before it. For the root, it is the
    /// player who acted last before the root, if the search has advanced, and otherwise player 0.
    pub fn chooser(&self) -> Player {
        self.chooser
    }

    /// Returns how many iterations went through this node.
    pub fn visits(&self) -> u32 {
        self.node.visit_count()
    }

    /// Returns the mean reward of the player who chose the action that leads to this node.
    pub fn mean(&self) -> f32 {
        self.node.mean()
    }

    /// Returns what the tree policy stores for this node.
    pub fn stats(&self) -> P::Stats {
        self.node.stats()
    }

    /// Returns what the backpropagation stores for this node.
    pub fn backprop_stats(&self) -> B::Stats {
        self.known().backprop()
    }

    /// Returns a number that names the position which this node leads to, in a search that [shares
    /// positions](crate::search::Transpositions): nodes with the same number have the same children. `None`
    /// in other searches, and for nodes without children.
    pub fn position(&self) -> Option<u32> {
        (self.search.tree.shares() && self.node.link() != ROOT).then(|| position_number(self.node.link()))
    }

    /// Returns how many iterations went through the position which this node leads to, whichever way they
    /// came. In a search that does not share positions, these are the [`visits`](Self::visits).
    pub fn position_visits(&self) -> u32 {
        self.home().visit_count()
    }

    /// Returns the mean reward over the iterations through the position which this node leads to, for the
    /// player who chose the action. In a search that does not share positions, this is the
    /// [`mean`](Self::mean).
    pub fn position_mean(&self) -> f32 {
        self.home().mean()
    }

    /// Returns the node with the children.
    fn home(&self) -> NodeOf<'a, S, P, B> {
        home::<S, P, B>(&self.search.tree, self.node)
    }

    /// Returns the node with what the backpropagation stores.
    fn known(&self) -> NodeOf<'a, S, P, B> {
        if self.is_root { self.home() } else { known::<S, P, B>(&self.search.tree, self.node) }
    }

    /// Returns the reward of `player` if it is proven. `None` for a player that the game does not have.
    pub fn proof(&self, player: Player) -> Option<f32> {
        let exists = player < self.search.players && usize::from(player) < MAX_PLAYERS;
        if exists { self.search.backprop.certain(self.known().backprop(), player) } else { None }
    }

    /// Returns the stored children, in the order in which they were created. In a search of an
    /// [`InformationSet`](crate::search::InformationSet), returns only those that are legal in the state of
    /// this node.
    ///
    /// The iterator gives each child a state: a copy of that of this node, in which it plays the action.
    pub fn children(&self) -> impl Iterator<Item = TreeNode<'a, S, P, R, B>> {
        self.stored().map(|node| self.child_of(node))
    }

    /// Returns the visits of the [`children`](Self::children), in their order. This makes no states.
    pub fn child_visits(&self) -> impl Iterator<Item = u32> {
        self.stored().map(|node| node.visit_count())
    }

    /// Returns the child at this place of the [`children`](Self::children). Use it to look at few of many
    /// children: it makes the state of this child and no other.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let mut search = Mcts::new(ramure_games::TicTacToe::new());
    /// search.run(Budget::iterations(200))?;
    /// let root = search.tree().root().expect("it ran");
    /// let busy = (0..).zip(root.child_visits()).filter(|&(_, visits)| visits >= 50);
    /// for child in busy.filter_map(|(index, _)| root.child(index)) {
    ///     println!("{}", child.state());
    /// }
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn child(&self, index: usize) -> Option<TreeNode<'a, S, P, R, B>> {
        self.stored().nth(index).map(|node| self.child_of(node))
    }

    /// Returns the stored children, without their states.
    fn stored(&self) -> impl Iterator<Item = NodeOf<'a, S, P, B>> {
        let children = self.search.tree.children_of(self.home().link());
        children.filter(|node| is_legal::<S>(&self.state, node.action()))
    }

    /// Returns one of the [`stored`](Self::stored) children with its state.
    fn child_of(&self, node: NodeOf<'a, S, P, B>) -> TreeNode<'a, S, P, R, B> {
        let chooser = match self.state.turn() {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => self.chooser,
        };
        let mut state = self.state.clone();
        state.apply(node.action());
        S::transform(&mut state, transformation(node.link()));
        TreeNode { search: self.search, node, is_root: false, state, chooser }
    }
}

/// A tree that prints in the DOT language of Graphviz; see [`TreeView::dot`].
struct Dot<'a, S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> {
    root: Option<TreeNode<'a, S, P, R, B>>,
    depth: usize,
    min_visits: u32,
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> fmt::Display for Dot<'_, S, P, R, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digraph ramure {{")?;
        writeln!(f, "  node [shape=box, fontname=\"sans-serif\"];")?;
        let mut next = 0;
        // The numbers of the positions drawn so far: each is drawn once, where the walk meets it first.
        let mut drawn = BTreeMap::new();
        let mut pending: Vec<_> = self.root.iter().map(|root| (root.clone(), 0, None)).collect();
        while let Some((node, depth, above)) = pending.pop() {
            let known = node.position().and_then(|position| drawn.get(&position).copied());
            let own = known.unwrap_or(next);
            if known.is_none() {
                next += 1;
                drawn.extend(node.position().map(|position| (position, own)));
            }
            match (above, node.action()) {
                (Some(parent), Some(action)) => {
                    let proof = node.proof(node.chooser()).map_or("", proof_name);
                    let line = if proof.is_empty() { "" } else { "\\n" };
                    let (visits, mean) = (node.position_visits(), node.position_mean());
                    if known.is_none() {
                        writeln!(f, "  n{own} [label=\"{visits}\\n{mean:.3}{line}{proof}\"];")?;
                    }
                    let action = format!("{action:?}").replace('\\', "\\\\").replace('"', "\\\"");
                    let way =
                        if node.visits() == visits { String::new() } else { format!(" ({})", node.visits()) };
                    writeln!(f, "  n{parent} -> n{own} [label=\"{action}{way}\"];")?;
                }
                _ => writeln!(f, "  n{own} [label=\"{} visits\"];", node.visits())?,
            }
            if depth < self.depth && known.is_none() {
                let children: Vec<_> =
                    node.children().filter(|child| child.visits() >= self.min_visits).collect();
                pending.extend(children.into_iter().rev().map(|child| (child, depth + 1, Some(own))));
            }
        }
        write!(f, "}}")
    }
}
