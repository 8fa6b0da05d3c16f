//! The trunk: the busy nodes, about which all trees of a forest agree.
//!
//! `node` is one of them, and `graph` has what is added if the trees share positions. This file opens nodes,
//! and gathers what one tree found for its digest. `exchange` adds what all trees found, `refresh` derives
//! values again, and `join` hands the trunk to a new tree.

mod exchange;
mod graph;
#[cfg(feature = "save")]
pub(crate) mod image;
mod join;
mod node;
mod refresh;

use crate::game::{GameFault, GameState, Player, Turn, has_failed};
use crate::iteration::FedBy;
use crate::search::engine::forest::digest::{Digest, Entry};
use crate::simulation::{Leaf, Trace};
use crate::space::{NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::{MAX_CHILDREN, NodeRef, ROOT, Tree};
use core::cmp::Reverse;
pub(crate) use exchange::apply;
pub(crate) use graph::keyed;
use graph::{Graph, Keyed};
pub(crate) use join::join;
use node::{News, TrunkNode};
use smallvec::SmallVec;

/// No family, no place, no entry.
const NONE: u32 = u32::MAX;

/// All children of a node, in the order in which the game lists them.
#[derive(Clone, Copy)]
struct Children {
    /// The parent.
    node: u32,
    first: u32,
    count: u32,
    turn: Turn,
    /// The player to whom the statistics of the children belong.
    chooser: Player,
    /// Whether the next exchange looks at this family even if its parent has no new visits.
    is_due: bool,
}

/// A node in the store: the id of its block, and its lane.
type Spot = (u32, u32);
const NOWHERE: Spot = (NONE, 0);

/// The trunk as one tree stores it. The trunks of all trees are equal, except for `is_held`, `exchanged`,
/// `indices`, `places` and local statistics.
pub(crate) struct Trunk<A, P, B> {
    nodes: Vec<TrunkNode<A, P, B>>,
    /// The families, parents before children.
    families: Vec<Children>,
    /// For each node, the visits that were exchanged and that the node of this tree has: 0 if it is not held.
    exchanged: Vec<u32>,
    /// For each family and each place among the visited children in this tree, the index of the action in
    /// the game's order; [`NONE`] if it is not known yet. Visited children keep their places.
    indices: Vec<u32>,
    /// For each node, its place among the children in this tree, or [`NONE`].
    places: Vec<u32>,
    /// If the trees share positions: the positions that the nodes lead to. Empty otherwise.
    graph: Graph<A, P, B>,
    /// The most bytes.
    limit: usize,
    /// Whether a family did not fit into the limit. Then no further nodes join.
    is_full: bool,
    buffers: Buffers,
}

impl<A: Clone, P: Copy, B: Copy> Clone for Trunk<A, P, B> {
    /// Copies all but the buffers.
    fn clone(&self) -> Self {
        Trunk {
            nodes: copied(&self.nodes),
            families: copied(&self.families),
            exchanged: copied(&self.exchanged),
            indices: copied(&self.indices),
            places: copied(&self.places),
            graph: self.graph.clone(),
            limit: self.limit,
            is_full: self.is_full,
            buffers: Buffers::default(),
        }
    }
}

/// Copies a list with its room, because its bytes count.
fn copied<T: Clone>(list: &Vec<T>) -> Vec<T> {
    let mut copy = Vec::with_capacity(list.capacity());
    copy.extend_from_slice(list);
    copy
}

// These two are functions, so that the sort is compiled once and not for each kind of search.

fn sort_by_index(children: &mut [(u32, Spot)]) {
    children.sort_unstable_by_key(|&(index, _)| index);
}

/// Sorts children by their places in this tree, where `places` begins with that of the first child.
fn sort_by_place(children: &mut [(u32, Spot)], places: &[u32]) {
    children.sort_unstable_by_key(|&(index, _)| places[index as usize]);
}

/// A node that may get children in the trunk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Busy {
    node: u32,
    visits: u32,
    /// How many of its siblings and itself have changed: the best guess how many of its children will change.
    siblings: u32,
}

/// Keeps the nodes whose children fit into an exchange, those with the most visits first. `room` is how many
/// nodes may change, and `share` is what is added to the visits of a node between two exchanges.
fn keep_fitting(busy: &mut Vec<Busy>, share: f64, mut room: f64) {
    busy.sort_unstable();
    busy.dedup();
    busy.sort_by_key(|busy| Reverse(busy.visits));
    busy.retain(|busy| {
        let changing = (f64::from(busy.visits) * share).min(busy.siblings.into());
        let fits = changing <= room;
        room -= if fits { changing } else { 0.0 };
        fits
    });
    // The order in this tree must not decide the numbers of the new families.
    busy.sort_unstable();
}

/// Buffers, kept to reuse their memory.
#[derive(Default)]
struct Buffers {
    /// For each family, where its parent is in this tree.
    parents: Vec<Spot>,
    /// The children of the current family to look at: the index of each, and where it is in this tree.
    children: Vec<(u32, Spot)>,
    /// For each child of the current family and each tree, its entry in the digest. All are [`NONE`] between
    /// two families.
    entries: Vec<u32>,
    /// For each tree, the next family in its digest.
    cursors: Vec<usize>,
    busy: Vec<Busy>,
    /// If the backpropagation derives values: the nodes that have changed, and where they are in this tree.
    changed: Vec<(u32, Spot)>,
}

impl<A: Clone + Eq, P: Copy + Default, B: Copy + Default> Trunk<A, P, B> {
    pub fn new() -> Self {
        Trunk {
            nodes: Vec::new(),
            families: Vec::new(),
            exchanged: Vec::new(),
            indices: Vec::new(),
            places: Vec::new(),
            graph: Graph::new(),
            limit: usize::MAX,
            is_full: false,
            buffers: Buffers::default(),
        }
    }

    /// Returns a trunk for a new tree, which has none of the nodes yet.
    pub fn copy(&self) -> Self {
        let mut copy = Trunk {
            nodes: self.nodes.iter().map(|node| TrunkNode { is_held: false, ..node.clone() }).collect(),
            families: self.families.clone(),
            graph: self.graph.copy(),
            limit: self.limit,
            is_full: self.is_full,
            ..Trunk::new()
        };
        copy.resize();
        copy
    }

    /// Forgets everything, because the trees are empty.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.families.clear();
        self.graph = Graph::new();
        self.is_full = false;
        // After an error, entries of the exchange may be left in it.
        self.buffers.entries.clear();
        self.resize();
        self.shrink();
    }

    /// Makes the columns as long as the list of nodes.
    fn resize(&mut self) {
        self.resize_to(self.nodes.len());
    }

    fn resize_to(&mut self, len: usize) {
        self.exchanged.resize(len, 0);
        self.indices.resize(len, NONE);
        self.places.resize(len, NONE);
    }

    /// Returns the visits of the root in all trees together.
    pub fn visits(&self) -> u32 {
        self.nodes.first().map_or(0, |root| root.visits)
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the bytes in use.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<TrunkNode<A, P, B>>()
            + self.families.capacity() * size_of::<Children>()
            + (self.exchanged.capacity() + self.indices.capacity() + self.places.capacity())
                * size_of::<u32>()
            + self.graph.bytes()
    }

    /// Gives room that is not used back, so that moving on takes no memory.
    fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.families.shrink_to_fit();
        self.exchanged.shrink_to_fit();
        self.indices.shrink_to_fit();
        self.places.shrink_to_fit();
        self.graph.shrink();
    }

    /// Sets the most bytes that the trunk, with the digests of its tree, may take. What it has it keeps.
    pub fn set_limit(&mut self, limit: usize) {
        if limit != self.limit {
            (self.limit, self.is_full) = (limit, false);
        }
    }

    /// Returns whether `count` more nodes fit into the limit. All trees decide alike, so this depends on
    /// counts only: a buffer takes at most twice what it contains, and each tree has two digests.
    fn has_room(&self, count: usize) -> bool {
        let of_digests = 2 * size_of::<Entry<P, B>>();
        let of_node = size_of::<TrunkNode<A, P, B>>() + 3 * size_of::<u32>() + of_digests;
        let nodes = (self.nodes.len() + count) * of_node;
        let families = (self.families.len() + 1) * size_of::<Children>();
        self.limit == usize::MAX || 2 * (nodes + families + self.graph.bytes_with(count)) <= self.limit
    }

    /// Puts the root and its children into the trunk. `chooser` is the player who acted before the root.
    /// Returns `false` if they do not fit into the limit. If the game panics, nothing has changed, or only
    /// the root has joined.
    pub fn plant<S: Space<Game: GameState<Action = A>>>(&mut self, state: &S::Game, chooser: Player) -> bool {
        let Some(any) = state.actions().into_iter().next() else { return true };
        if self.nodes.is_empty() {
            if !self.has_room(1) {
                self.is_full = true;
                return false;
            }
            let keyed = S::ARE_POSITIONS.then(|| keyed::<S>(state, chooser));
            self.nodes.push(TrunkNode::new(any, NONE));
            keyed.into_iter().for_each(|keyed| self.note_way(0, keyed));
        }
        if self.is_open(0) {
            return true;
        }
        let mut stored = state.clone();
        S::transform(&mut stored, self.transformation(0));
        self.open::<S>(0, &stored, chooser);
        !self.is_full
    }

    /// Puts the children of `node`, whose state is `state`, into the trunk, if they fit into the limit. If
    /// the game panics or fails, nothing has changed.
    fn open<S: Space<Game: GameState<Action = A>>>(&mut self, node: u32, state: &S::Game, chooser: Player) {
        let turn = state.turn();
        let mut actions = Vec::new();
        if turn != Turn::Over {
            actions.extend(state.actions().into_iter().take(MAX_CHILDREN + 1));
        }
        if has_failed::<S::Game>() {
            return;
        }
        let count = actions.len();
        if !(1..=MAX_CHILDREN).contains(&count) {
            // The game is over, or broke its contract: then the search itself reports this.
            self.nodes[node as usize].is_over = true;
            self.close_position(node as usize);
            return;
        }
        if !self.has_room(count) {
            self.is_full = true;
            return;
        }
        let chooser = if let Turn::Player(player) = turn { player } else { chooser };
        let keyed = actions.iter().filter(|_| self.shares()).map_while(|action| {
            let mut after = state.clone();
            after.apply(action.clone());
            (!has_failed::<S::Game>()).then(|| graph::keyed::<S>(&after, chooser))
        });
        let keyed = Vec::from_iter(keyed);
        if has_failed::<S::Game>() {
            return;
        }
        // From here on, the game is not asked any more.
        let (first, family) = (self.nodes.len() as u32, self.families.len() as u32);
        self.nodes.extend(actions.into_iter().map(|action| TrunkNode::new(action, family)));
        self.families.push(Children { node, first, count: count as u32, turn, chooser, is_due: true });
        self.resize();
        self.open_position(node, keyed);
        // The trees have visited these children before, and tell so at the next exchange.
        let mut above = self.nodes[node as usize].parent;
        while above != NONE {
            self.families[above as usize].is_due = true;
            above = self.nodes[self.families[above as usize].node as usize].parent;
        }
    }

    /// Moves `leaf` from `root` to `node`, so that an error there has the ply from the root.
    fn go_to<S: Space<Game: GameState<Action = A>>, T: Trace<S::Game>>(
        &self,
        node: u32,
        root: &S::Game,
        leaf: &mut Leaf<S::Game, T>,
    ) -> Result<(), GameFault> {
        let mut line: SmallVec<[u32; 32]> = SmallVec::new();
        let mut at = node;
        while self.nodes[at as usize].parent != NONE {
            line.push(at);
            at = self.families[self.nodes[at as usize].parent as usize].node;
        }
        leaf.restart(root);
        leaf.transform(|state| S::transform(state, self.transformation(0)));
        line.iter().rev().try_for_each(|&node| {
            leaf.apply(self.nodes[node as usize].action.clone())?;
            leaf.transform(|state| S::transform(state, self.transformation(node)));
            Ok(())
        })
    }

    /// Returns whether `node` is at least so many plies below the root.
    fn is_as_deep(&self, mut node: u32, plies: u32) -> bool {
        (0..plies).all(|_| {
            let above = self.families.get(self.nodes[node as usize].parent as usize);
            node = above.map_or(NONE, |above| above.node);
            node != NONE
        })
    }

    /// Returns the index, in the game's order, of the child at `place` in this tree. Keeps it if the child
    /// stays there.
    fn index(
        &mut self,
        family: usize,
        place: usize,
        child: NodeRef<'_, A, P, B>,
        stays: bool,
    ) -> Option<usize> {
        let Children { first, count, .. } = self.families[family];
        let (first, count) = (first as usize, count as usize);
        if place >= count {
            return None; // the game lists other actions than before
        }
        let known = self.indices[first + place];
        if known != NONE {
            return Some(known as usize);
        }
        let found =
            self.nodes[first..first + count].iter().position(|node| child.has_action(&node.action))?;
        let known = self.places[first + found];
        if known != NONE && known as usize != place {
            return None; // the game lists this action twice
        }
        if stays {
            self.indices[first + place] = found as u32;
            self.places[first + found] = place as u32;
        }
        Some(found)
    }

    /// Forgets where this tree has the children, because some of them have changed places.
    pub fn forget_places(&mut self) {
        self.indices.fill(NONE);
        self.places.fill(NONE);
    }

    /// Returns the child of the root by a stored action.
    pub fn child(&self, action: &A) -> Option<u32> {
        let &Children { first, count, .. } = self.families.first()?;
        (first..first + count).find(|&child| self.nodes[child as usize].action == *action)
    }

    /// Keeps what is below `child`, which becomes the root. In a tree that shares positions, `root` says
    /// where it leads, and `lives`, which positions some tree has.
    pub fn advance(&mut self, tree: &Tree<A, P, B>, child: Option<u32>, root: Keyed, lives: &[bool]) {
        if tree.shares() {
            return self.advance_graph(tree, root, lives);
        }
        let mut kept = Trunk::new();
        if let Some(child) = child {
            let mut moved = vec![NONE; self.nodes.len()];
            kept.nodes.push(TrunkNode { parent: NONE, family: NONE, ..self.nodes[child as usize].clone() });
            moved[child as usize] = 0;
            for family in &self.families {
                let node = moved[family.node as usize];
                if node == NONE {
                    continue;
                }
                let (first, number) = (kept.nodes.len() as u32, kept.families.len() as u32);
                kept.families.push(Children { node, first, ..*family });
                kept.nodes[node as usize].family = number;
                kept.resize();
                for old in family.first..family.first + family.count {
                    moved[old as usize] = kept.nodes.len() as u32;
                    let node = self.nodes[old as usize].clone();
                    kept.nodes.push(TrunkNode { parent: number, family: NONE, ..node });
                }
                let range = family.first as usize..(family.first + family.count) as usize;
                kept.exchanged.extend_from_slice(&self.exchanged[range.clone()]);
                kept.indices.extend_from_slice(&self.indices[range.clone()]);
                kept.places.extend_from_slice(&self.places[range]);
            }
            kept.resize();
            kept.exchanged[0] = self.exchanged[child as usize];
        }
        kept.shrink();
        kept.buffers = core::mem::take(&mut self.buffers);
        kept.limit = self.limit;
        *self = kept;
    }

    /// Writes what this tree found since the last exchange. `sees_all` says that the visited children of a
    /// node need not be its first ones; `credits`, that the statistics of unvisited children change too;
    /// `derives`, that the values of nodes follow from those of their children. If the trees share positions,
    /// the tree may take `limit` bytes for those that nodes lead to.
    pub fn gather(
        &mut self,
        tree: &Tree<A, P, B>,
        sees_all: bool,
        credits: bool,
        derives: bool,
        limit: usize,
        digest: &mut Digest<P, B>,
    ) {
        digest.clear();
        if self.shares() {
            return self.gather_graph(tree, sees_all, credits, limit, digest);
        }
        let Some(root) = self.nodes.first() else { return };
        digest.root = root.news(0, tree.root()).filter(|news| news.visits > 0);
        let mut parents = core::mem::take(&mut self.buffers.parents);
        parents.clear();
        parents.resize(self.families.len(), NOWHERE);
        // If the game lied about its root, the trunk has no family.
        if let (Some(parent), Some(family)) = (parents.first_mut(), self.families.first())
            && (digest.root.is_some() || family.is_due)
        {
            *parent = (ROOT, 0);
        }
        for family in 0..self.families.len() {
            let (block, lane) = parents[family];
            if (block, lane) != NOWHERE {
                let link = tree.block(block).node(lane as usize).link();
                self.gather_family(tree, family, link, sees_all, credits, derives, &mut parents, digest);
                digest.end_family(family);
            }
        }
        self.buffers.parents = parents;
    }

    /// Returns the index, in the game's order, of the child at `place` in this tree, if there may be news of
    /// it. Most children have not changed.
    #[inline]
    fn changed(
        &mut self,
        family: usize,
        place: usize,
        child: NodeRef<'_, A, P, B>,
        credits: bool,
    ) -> Option<usize> {
        let (Children { first, is_due, .. }, visits) = (self.families[family], child.visit_count());
        let known = self.indices[first as usize + place];
        let is_unchanged = known != NONE && self.exchanged[(first + known) as usize] == visits;
        if !credits && (visits == 0 || is_unchanged && !is_due) {
            return None;
        }
        self.index(family, place, child, true)
    }

    #[expect(clippy::too_many_arguments, reason = "the body of a loop")]
    fn gather_family(
        &mut self,
        tree: &Tree<A, P, B>,
        family: usize,
        link: u32,
        sees_all: bool,
        credits: bool,
        derives: bool,
        parents: &mut [Spot],
        digest: &mut Digest<P, B>,
    ) {
        let Children { first, count, turn, .. } = self.families[family];
        let (first, sees_all) = (first as usize, sees_all || turn == Turn::Chance);
        let mut next = 0;
        for (block, children, used) in tree.family(link) {
            for lane in 0..used {
                let (child, place) = (children.node(lane), next);
                next += 1;
                let visits = child.visit_count();
                if visits == 0 && !sees_all || place >= count as usize {
                    return;
                }
                let Some(index) = self.changed(family, place, child, credits) else { continue };
                let shared = &self.nodes[first + index];
                let Some(mut news) = shared.news(index as u32, child) else { continue };
                let below = shared.family;
                if below != NONE && (news.visits > 0 || self.families[below as usize].is_due) {
                    parents[below as usize] = (block, lane as u32);
                }
                if news.visits > 0 || credits {
                    if derives {
                        news.sum = refresh::visits_below(tree, child);
                    }
                    digest.entries.push(news);
                }
            }
        }
    }

    /// Makes `parents` as long as the list of families. Only the parent of the first one is known to be in
    /// this tree: the root.
    fn start_at_root(&self, parents: &mut Vec<Spot>) {
        parents.clear();
        parents.resize(self.families.len(), NOWHERE);
        parents.first_mut().into_iter().for_each(|first| *first = (ROOT, 0));
    }

    /// Returns the parent of a family in this tree.
    fn parent_of<'t>(
        &mut self,
        tree: &'t Tree<A, P, B>,
        family: usize,
        parents: &[Spot],
    ) -> Option<NodeRef<'t, A, P, B>> {
        if self.shares() {
            return self.parent_in(tree, family);
        }
        let (block, lane) = parents[family];
        ((block, lane) != NOWHERE).then(|| tree.block(block).node(lane as usize))
    }

    /// Finds where children of a family are in this tree: all of them, or those in `children`.
    fn find(
        &mut self,
        tree: &Tree<A, P, B>,
        family: usize,
        link: u32,
        all: bool,
        children: &mut Vec<(u32, Spot)>,
    ) {
        let Children { first, count, .. } = self.families[family];
        let place = |trunk: &Self, index: u32| trunk.places[(first + index) as usize];
        if all || children.iter().any(|&(index, _)| place(self, index) == NONE) {
            if all {
                children.clear();
                children.extend((0..count).map(|index| (index, NOWHERE)));
            } else {
                // A child may have lost its place to an adopted one.
                children.iter_mut().for_each(|(_, spot)| *spot = NOWHERE);
                sort_by_index(children);
            }
            let mut at = 0;
            for (block, nodes, used) in tree.family(link) {
                for (lane, child) in nodes.nodes().take(used).enumerate() {
                    let index = self.index(family, at, child, child.visit_count() > 0);
                    let entry = index.and_then(|index| {
                        let found =
                            children.binary_search_by_key(&(index as u32), |&(index, _)| index).ok()?;
                        children.get_mut(found)
                    });
                    if let Some((_, spot)) = entry {
                        *spot = (block, lane as u32);
                    }
                    at += 1;
                }
            }
            return;
        }
        sort_by_place(children, &self.places[first as usize..]);
        let mut rest = children.iter_mut();
        let mut next = rest.next();
        let mut start = 0;
        for (block, _, used) in tree.family(link) {
            while let Some((index, spot)) = &mut next
                && (place(self, *index) as usize) < start + used
            {
                *spot = (block, place(self, *index) - start as u32);
                next = rest.next();
            }
            if next.is_none() {
                break;
            }
            start += used;
        }
    }
}

/// Returns whether the visited children of a node need not be its first ones, because all children are
/// created at once.
pub(crate) fn sees_all<S: Space, P: FedBy<S::Game, R>, R>() -> bool {
    P::SEES_UNVISITED || P::Stats::INITIALIZES
}

/// A node of the trunk, for tests: its line of play, and what all trees found there.
#[cfg(all(test, feature = "games"))]
pub(crate) struct FoundNode<A> {
    pub line: Vec<A>,
    pub visits: u32,
    pub sum: f64,
}

/// A node of the trunk, for tests: its visits, its mean, and the statistics of its backpropagation.
#[cfg(all(test, feature = "games"))]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Value<B> {
    pub visits: u32,
    pub mean: f32,
    pub backprop: B,
}

/// A node with children, for tests: its value, the player who chose it, its turn, and the children that were
/// visited.
#[cfg(all(test, feature = "games"))]
type Above<B> = (Value<B>, Player, Turn, Vec<Value<B>>);

#[cfg(all(test, feature = "games"))]
impl<A: Clone + Eq, P: Copy + Default, B: Copy + Default> Trunk<A, P, B> {
    /// Returns the nodes whose children are in the trunk.
    pub fn values(&self) -> Vec<Above<B>> {
        let value = |node: &TrunkNode<A, P, B>| Value {
            visits: node.visits,
            mean: if node.visits == 0 { 0.0 } else { crate::tree::mean_of(node.visits, node.sum) },
            backprop: node.backprop,
        };
        let all = self.families.iter().map(|family| {
            let parent = &self.nodes[family.node as usize];
            let chooser = match self.families.get(parent.parent as usize) {
                Some(above) => above.chooser,
                None => 0,
            };
            let range = family.first as usize..(family.first + family.count) as usize;
            let children = self.nodes[range].iter().filter(|child| child.visits > 0).map(value);
            (value(parent), chooser, family.turn, children.collect())
        });
        all.collect()
    }

    /// Returns all nodes that have been exchanged. Those whose parent has just become busy wait for the next
    /// exchange.
    pub fn all(&self) -> Vec<FoundNode<A>> {
        let line = |mut at: usize| {
            let mut line = Vec::new();
            while self.nodes[at].parent != NONE {
                line.push(self.nodes[at].action.clone());
                at = self.families[self.nodes[at].parent as usize].node as usize;
            }
            line.reverse();
            line
        };
        let waits = |node: &TrunkNode<A, P, B>| {
            node.visits == 0 && node.parent != NONE && self.families[node.parent as usize].is_due
        };
        let nodes = self.nodes.iter().enumerate().filter(|(_, node)| !waits(node));
        let all = nodes.map(|(at, node)| FoundNode { line: line(at), visits: node.visits, sum: node.sum });
        all.collect()
    }
}
