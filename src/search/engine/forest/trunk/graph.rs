//! The trunk of trees that share positions.
//!
//! A node of such a trunk is an action, and it leads to a position: this is its *way*. Actions and positions
//! have sums of their own, as they have in each tree (`iteration/nodes/graph.rs`), and each tree tells what
//! it added to each of them. So nothing is counted twice, however many actions lead to a position. A position
//! is known by its key and by the player who chose it. It has a family if its children are in the trunk. The
//! exchange goes through the families in the order in which they joined, so it comes to each position once.
//!
//! Two rules keep visits from being told twice. A tree tells the visits of an action only after it has linked
//! the action to its position; if it has no memory for the position, it waits. If an action has the
//! visits of all trees, so has its position: a position begins with the visits of the action that led to it
//! first, and here these are visits that other trees told.

#[cfg(all(test, feature = "games"))]
mod tests;

use crate::game::{GameFault, GameState, Player, Turn};
use crate::iteration::Iterations;
use crate::search::engine::forest::bounds::{ForestBackprop, ForestPolicy};
use crate::search::engine::forest::digest::{Digest, Entry};
use crate::search::engine::forest::trunk::node::{News, TrunkNode};
use crate::search::engine::forest::trunk::{Children, NONE, Trunk, copied};
use crate::simulation::RolloutPolicy;
use crate::space::{NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::{NodeRef, ROOT, Tree, is_same_position, position_number};
use std::collections::HashMap;

/// The positions of a trunk.
pub(crate) struct Graph<A, P, B> {
    /// The positions that nodes of the trunk lead to, in the order in which they joined.
    positions: Vec<Position<A, P, B>>,
    numbers: HashMap<Key, u32>,
    /// For each node of the trunk, where it leads. Empty if the trees share no positions.
    ways: Vec<Way>,
    /// For each family, the position whose children it has.
    parents: Vec<u32>,
    /// How many positions this tree had freed when [`Position::link`] was checked.
    freed: u64,
}

impl<A: Clone, P: Copy, B: Copy> Clone for Graph<A, P, B> {
    fn clone(&self) -> Self {
        Graph {
            positions: copied(&self.positions),
            numbers: self.numbers.clone(),
            ways: copied(&self.ways),
            parents: copied(&self.parents),
            freed: self.freed,
        }
    }
}

/// The key of a position, and the player who chose it.
type Key = (u128, Player);

/// A position, as it was after the last exchange.
#[derive(Clone)]
struct Position<A, P, B> {
    key: Key,
    /// Its sums, and the family of its children. The action is arbitrary.
    shared: TrunkNode<A, P, B>,
    /// The link to the position in this tree; [`ROOT`] if the tree does not have it, or if no action of the
    /// trunk has led to it in this tree.
    link: u32,
}

/// What the game says of the state that an action leads to: the key of the position, and the transformation
/// between the state after the action and that of the position; `None` if the game is over there.
pub(crate) type Keyed = Option<(Key, u32)>;

/// Asks the game for the key of `state`, which `chooser` chose.
pub(crate) fn keyed<S: Space>(state: &S::Game, chooser: Player) -> Keyed {
    let position = if state.turn() == Turn::Over { None } else { S::position(state) };
    position.map(|(key, transformation)| ((key, chooser), transformation))
}

/// Where a node of the trunk leads.
#[derive(Clone, Copy)]
struct Way {
    /// The number of the position; [`NONE`] if the game is over there.
    position: u32,
    /// The transformation that turns the state after the action into that of the position.
    transformation: u32,
}

impl<A, P, B> Graph<A, P, B> {
    pub fn new() -> Self {
        Graph {
            positions: Vec::new(),
            numbers: HashMap::new(),
            ways: Vec::new(),
            parents: Vec::new(),
            freed: 0,
        }
    }

    /// Returns the number of the position with this key, which joins if it is new. `any` is any action.
    fn number_of(&mut self, key: Key, any: &A) -> u32
    where
        A: Clone,
        P: Copy + Default,
        B: Copy + Default,
    {
        let positions = &mut self.positions;
        *self.numbers.entry(key).or_insert_with(|| {
            positions.push(Position { key, shared: TrunkNode::new(any.clone(), NONE), link: ROOT });
            positions.len() as u32 - 1
        })
    }

    /// Returns the positions and ways for a tree that has none of the positions.
    pub fn copy(&self) -> Self
    where
        A: Clone,
        P: Copy,
        B: Copy,
    {
        let copy = |position: &Position<A, P, B>| Position {
            key: position.key,
            shared: TrunkNode { is_held: false, ..position.shared.clone() },
            link: ROOT,
        };
        Graph {
            positions: self.positions.iter().map(copy).collect(),
            numbers: self.numbers.clone(),
            ways: self.ways.clone(),
            parents: self.parents.clone(),
            freed: 0,
        }
    }

    /// Returns the bytes that are needed if there are `count` more nodes; 0 if the trees share no positions.
    /// Digests have an entry of each position.
    pub fn bytes_with(&self, count: usize) -> usize {
        let of_position =
            size_of::<Position<A, P, B>>() + 2 * size_of::<(Key, u32)>() + 2 * size_of::<Entry<P, B>>();
        match self.ways.len() {
            0 => 0,
            ways => {
                (self.positions.len() + count) * of_position
                    + (ways + count) * size_of::<Way>()
                    + (self.parents.len() + 1) * size_of::<u32>()
            }
        }
    }

    /// Gives room that is not used back.
    pub fn shrink(&mut self) {
        self.positions.shrink_to_fit();
        self.numbers.shrink_to_fit();
        self.ways.shrink_to_fit();
        self.parents.shrink_to_fit();
    }

    /// Returns the bytes in use.
    pub fn bytes(&self) -> usize {
        self.positions.capacity() * size_of::<Position<A, P, B>>()
            + self.numbers.capacity() * size_of::<(Key, u32)>() * 4 / 3
            + self.ways.capacity() * size_of::<Way>()
            + self.parents.capacity() * size_of::<u32>()
    }
}

impl<A: Clone + Eq, P: Copy + Default, B: Copy + Default> Trunk<A, P, B> {
    /// Notes where `node`, the next one without a way, leads.
    pub(crate) fn note_way(&mut self, node: u32, keyed: Keyed) {
        debug_assert_eq!(self.graph.ways.len(), node as usize);
        let way = keyed.map_or(Way { position: NONE, transformation: 0 }, |(key, transformation)| {
            let position = self.graph.number_of(key, &self.nodes[node as usize].action);
            Way { position, transformation }
        });
        self.graph.ways.push(way);
    }

    /// Returns whether the trees share positions. Then the trunk has the one of its root.
    pub(crate) fn shares(&self) -> bool {
        !self.graph.ways.is_empty()
    }

    /// Makes the newest family that of `node`, or of the position that it leads to. The children lead to
    /// `keyed`, if the trees share positions.
    pub(crate) fn open_position(&mut self, node: u32, keyed: Vec<Keyed>) {
        let family = self.families.len() as u32 - 1;
        let Some(&Way { position, .. }) = self.graph.ways.get(node as usize) else {
            self.nodes[node as usize].family = family;
            return;
        };
        self.graph.parents.push(position);
        self.graph.positions[position as usize].shared.family = family;
        let Children { first, .. } = self.families[family as usize];
        (first..).zip(keyed).for_each(|(child, keyed)| self.note_way(child, keyed));
        self.find_lines(vec![family]);
    }

    /// Finds a line of play to each family that lies below `families`, to which there are lines.
    fn find_lines(&mut self, mut families: Vec<u32>) {
        let mut done = 0;
        while let Some(&family) = families.get(done) {
            done += 1;
            let Children { first, count, .. } = self.families[family as usize];
            for child in first..first + count {
                let below = self.home(child as usize).map_or(NONE, |home| home.family);
                if let Some(next) = self.families.get_mut(below as usize)
                    && next.node == NONE
                {
                    next.node = child;
                    families.push(below);
                }
            }
        }
    }

    /// Returns what all trees know of the node that has the children: the position that a node of the trunk
    /// leads to, or the node itself if the trees share no positions. `None` if the game is over there.
    pub(crate) fn home(&self, node: usize) -> Option<&TrunkNode<A, P, B>> {
        let Some(way) = self.graph.ways.get(node) else { return self.nodes.get(node) };
        self.graph.positions.get(way.position as usize).map(|position| &position.shared)
    }

    /// Returns whether the children of a node are in the trunk, or there are none.
    pub(crate) fn is_open(&self, node: usize) -> bool {
        self.home(node).is_none_or(|home| home.family != NONE)
    }

    /// Notes that the position that a node leads to has no children.
    pub(crate) fn close_position(&mut self, node: usize) {
        let position = self.graph.ways.get(node).map_or(NONE, |way| way.position);
        let position = self.graph.positions.get_mut(position as usize);
        position.into_iter().for_each(|position| position.shared.is_over = true);
    }

    /// Returns the transformation between the state after the action of a node and that of its position.
    pub(crate) fn transformation(&self, node: u32) -> u32 {
        self.graph.ways.get(node as usize).map_or(0, |way| way.transformation)
    }

    /// Returns the position whose children a family has, in this tree.
    pub(crate) fn parent_in<'t>(
        &mut self,
        tree: &'t Tree<A, P, B>,
        family: usize,
    ) -> Option<NodeRef<'t, A, P, B>> {
        self.position_in(tree, self.graph.parents[family] as usize)
    }

    /// Returns a position in this tree.
    fn position_in<'t>(&mut self, tree: &'t Tree<A, P, B>, position: usize) -> Option<NodeRef<'t, A, P, B>> {
        self.drop_freed_positions(tree);
        let link = self.graph.positions[position].link;
        (link != ROOT).then(|| tree.position(link))
    }

    /// If the tree has freed positions, drops those that it no longer has.
    fn drop_freed_positions(&mut self, tree: &Tree<A, P, B>) {
        let freed = tree.freed_positions();
        if core::mem::replace(&mut self.graph.freed, freed) == freed {
            return;
        }
        for position in 0..self.graph.positions.len() {
            let Position { key: (key, chooser), link, .. } = self.graph.positions[position];
            if link == ROOT {
                continue;
            }
            // Its number may have been given to a position that the trunk does not know.
            let is_there = tree.find_position(key, chooser) == Some(link) && tree.is_noted(link);
            if !is_there {
                self.drop_position(position);
            }
        }
    }

    /// Notes that this tree no longer has a position and its children. If it finds the position again, this
    /// is a new one.
    fn drop_position(&mut self, position: usize) {
        let Position { link, shared, .. } = &mut self.graph.positions[position];
        (*link, shared.is_held) = (ROOT, false);
        let Some(&Children { first, count, .. }) = self.families.get(shared.family as usize) else { return };
        for node in first as usize..(first + count) as usize {
            self.nodes[node].is_held = false;
            (self.exchanged[node], self.indices[node], self.places[node]) = (0, NONE, NONE);
        }
    }

    /// Writes what this tree found since the last exchange, as [`gather`](Self::gather) does.
    pub(super) fn gather_graph(
        &mut self,
        tree: &Tree<A, P, B>,
        sees_all: bool,
        credits: bool,
        limit: usize,
        digest: &mut Digest<P, B>,
    ) {
        let root = tree.root();
        if root.visit_count() == 0 || self.link_to_position(tree, 0, root, limit) {
            digest.root = self.nodes[0].news(0, root).filter(|news| news.visits > 0);
        }
        for family in 0..self.families.len() {
            let Some(lane) = self.parent_in(tree, family) else { continue };
            let held = self.hold_parent(tree, family);
            // An iteration through one of the children comes through the position, whichever way it comes to
            // it.
            let shared = &self.graph.positions[self.graph.parents[family] as usize].shared;
            let is_unchanged = shared.is_held && shared.visits == lane.visit_count();
            if !is_unchanged || self.families[family].is_due {
                self.gather_actions(tree, family, lane.link(), sees_all, credits, limit, digest);
                digest.end_family(family);
            }
            tree.let_go(held);
        }
        for position in 0..self.graph.positions.len() {
            let Some(lane) = self.position_in(tree, position) else { continue };
            let news = self.graph.positions[position].shared.news(position as u32, lane);
            digest.positions.extend(news.filter(|news| news.visits > 0));
        }
    }

    /// Writes what this tree found at the actions of a family since the last exchange.
    #[expect(clippy::too_many_arguments, reason = "the body of a loop")]
    fn gather_actions(
        &mut self,
        tree: &Tree<A, P, B>,
        family: usize,
        link: u32,
        sees_all: bool,
        credits: bool,
        limit: usize,
        digest: &mut Digest<P, B>,
    ) {
        let Children { first, count, turn, .. } = self.families[family];
        let (first, sees_all) = (first as usize, sees_all || turn == Turn::Chance);
        for (place, child) in tree.children_of(link).enumerate() {
            let visits = child.visit_count();
            if visits == 0 && !sees_all || place >= count as usize {
                return;
            }
            let Some(index) = self.changed(family, place, child, credits) else { continue };
            if visits > 0 && !self.link_to_position(tree, first + index, child, limit) {
                continue;
            }
            let Some(news) = self.nodes[first + index].news(index as u32, child) else { continue };
            if news.visits > 0 || credits {
                digest.entries.push(news);
            }
        }
    }

    /// Links `own`, which is `node` in this tree, to its position there. Returns `false` if the tree has no
    /// memory for the position.
    fn link_to_position(
        &mut self,
        tree: &Tree<A, P, B>,
        node: usize,
        own: NodeRef<'_, A, P, B>,
        limit: usize,
    ) -> bool {
        let Way { position, transformation } = self.graph.ways[node];
        if position == NONE {
            return true;
        }
        if own.link() == ROOT {
            let (key, chooser) = self.graph.positions[position as usize].key;
            match tree.find_position(key, chooser) {
                Some(number) => tree.link_to(own, number, transformation),
                None if tree.add_position(own, (key, transformation), chooser, limit) => {}
                None => return false,
            }
            // The tree may have freed others to get the memory.
            self.drop_freed_positions(tree);
        }
        let link = &mut self.graph.positions[position as usize].link;
        if *link == ROOT {
            *link = position_number(own.link());
            tree.note(*link);
        }
        true
    }

    /// If the trees share positions, adds what they found there to those of the trunk, and writes the results
    /// to the positions of this tree, which has the number `number`.
    pub(crate) fn merge_positions<S, T, R, U>(
        &mut self,
        iterations: &Iterations<'_, '_, S, T, R, U>,
        digests: &[&Digest<P, B>],
        number: usize,
        is_ahead: bool,
    ) -> Result<(), GameFault>
    where
        S: Space<Game: GameState<Action = A>>,
        T: ForestPolicy<S::Game, Stats = P>,
        R: RolloutPolicy<S::Game>,
        U: ForestBackprop<S::Game, Stats = B>,
        P: Statistics<S::Game, R>,
    {
        if !S::ARE_POSITIONS || !self.shares() {
            return Ok(());
        }
        let (tree, tree_policy, backprop) = (iterations.tree, &*iterations.tree_policy, iterations.backprop);
        // Each digest has its positions in their order. The next one is the least of those that come next.
        let mut cursors = vec![0; digests.len()];
        let mut is_proven = vec![];
        loop {
            let next =
                |(cursor, digest): (&usize, &&Digest<P, B>)| Some(digest.positions.get(*cursor)?.action);
            let Some(position) = cursors.iter().zip(digests).filter_map(next).min() else { break };
            if position as usize >= self.graph.positions.len() {
                return Err(GameFault::Changed); // another tree has other positions
            }
            let entry = |number: usize, cursors: &[usize]| {
                digests.get(number)?.positions.get(cursors[number]).filter(|entry| entry.action == position)
            };
            let own = self.position_in(tree, position as usize);
            let told = is_ahead.then(|| entry(number, &cursors));
            let at = &mut self.graph.positions[position as usize];
            let chooser = at.key.1;
            let certain = |stats| U::PROVES && backprop.certain(stats, chooser).is_some();
            let was_certain = certain(at.shared.backprop);
            let news: News<'_, _, _> =
                (0..digests.len()).filter_map(|number| entry(number, &cursors)).collect();
            at.shared.add::<S, T, U>(&news, own, told, tree, chooser, tree_policy, backprop);
            if certain(at.shared.backprop) && !was_certain {
                is_proven.resize(self.graph.positions.len(), false);
                is_proven[position as usize] = true;
            }
            for number in 0..digests.len() {
                cursors[number] += usize::from(entry(number, &cursors).is_some());
            }
        }
        if !is_proven.is_empty() {
            self.close_actions(tree, &is_proven);
        }
        Ok(())
    }

    /// Closes all actions of this tree that lead to positions that are proven.
    fn close_actions(&mut self, tree: &Tree<A, P, B>, is_proven: &[bool]) {
        let mut families = vec![false; self.families.len()];
        for (node, way) in self.nodes.iter().zip(&self.graph.ways) {
            if node.parent != NONE && is_proven.get(way.position as usize) == Some(&true) {
                families[node.parent as usize] = true;
            }
        }
        for family in (0..families.len()).filter(|&family| families[family]) {
            let Some(lane) = self.parent_in(tree, family) else { continue };
            let root = tree.root().link();
            // An action that leads back to the root is a repetition.
            let leads_to_proof = |child: &NodeRef<'_, A, P, B>| {
                let is_position = child.link() != ROOT && !is_same_position(child.link(), root);
                is_position && tree.position(child.link()).is_closed()
            };
            tree.children_of(lane.link()).filter(leads_to_proof).for_each(|child| child.close());
        }
    }

    /// If the trees share positions, links `own`, which is `node` in this tree and gets the visits of all
    /// trees, to its position, and gives the position the visits of all trees, too. Returns `None` if the
    /// tree has no memory for the position: then `own` keeps what it has.
    pub(crate) fn share_position<'t, S, T, R, U>(
        &mut self,
        iterations: &Iterations<'_, 't, S, T, R, U>,
        node: usize,
        own: NodeRef<'t, A, P, B>,
    ) -> Option<NodeRef<'t, A, P, B>>
    where
        S: Space<Game: GameState<Action = A>>,
        T: ForestPolicy<S::Game, Stats = P>,
        R: RolloutPolicy<S::Game>,
        U: ForestBackprop<S::Game, Stats = B>,
        P: Statistics<S::Game, R>,
    {
        if !S::ARE_POSITIONS || !self.shares() {
            return Some(own);
        }
        let (tree, tree_policy) = (iterations.tree, &*iterations.tree_policy);
        // If this creates the position, `own` has only what is of this tree alone.
        if !self.link_to_position(tree, node, own, iterations.room()) {
            return None;
        }
        let position = self.graph.positions.get_mut(self.graph.ways[node].position as usize);
        if let Some(Position { key: (_, chooser), link, shared }) = position
            && !shared.is_held
        {
            let (lane, told) = (Some(tree.position(*link)), Some(None));
            shared.add::<S, T, U>(&[], lane, told, tree, *chooser, tree_policy, iterations.backprop);
        }
        Some(own)
    }

    /// Keeps the position whose children a family has from being freed, until [`Tree::let_go`]: no node may
    /// lead to it any more. The tree must have it. Returns its number.
    pub(crate) fn hold_parent(&self, tree: &Tree<A, P, B>, family: usize) -> u32 {
        let link = self.graph.positions[self.graph.parents[family] as usize].link;
        tree.hold(link);
        link
    }

    /// Keeps the position of `node`, which this tree is about to adopt, until [`Tree::let_go`]; creates it if
    /// the tree does not have it. Returns its number, which is [`ROOT`] if the game is over there, or `None`
    /// if the tree has no memory for it.
    pub(crate) fn hold(&self, tree: &Tree<A, P, B>, node: usize, limit: usize) -> Option<u32> {
        let Some(position) = self.graph.positions.get(self.graph.ways[node].position as usize) else {
            return Some(ROOT);
        };
        tree.hold_position(position.key.0, position.key.1, &self.nodes[node].action, limit)
    }

    /// Returns how many positions the nodes of the trunk lead to.
    pub fn position_count(&self) -> usize {
        self.graph.positions.len()
    }

    /// Returns for each position of the trunk whether this tree has it.
    pub fn which_live<'t>(&'t self, tree: &'t Tree<A, P, B>) -> impl Iterator<Item = bool> + 't {
        let lives =
            |position: &Position<A, P, B>| tree.find_position(position.key.0, position.key.1).is_some();
        self.graph.positions.iter().map(lives)
    }

    /// Returns whether the trunk may have proofs that rest on what is known, by `knows`, of the positions
    /// that the game goes on from and to, which have these keys. A tree may have freed them.
    pub fn may_rest_on(&self, left: u128, next: u128, knows: impl Fn(B) -> bool) -> bool {
        let is_passed = |position: &Position<A, P, B>| {
            [left, next].contains(&position.key.0) && knows(position.shared.backprop)
        };
        if !self.graph.positions.iter().any(is_passed) {
            return false;
        }
        let leads_there = |(family, &parent): (&Children, &u32)| {
            let mut ways = self.graph.ways[family.first as usize..][..family.count as usize].iter();
            let leads = |way: &Way| self.graph.positions.get(way.position as usize).is_some_and(is_passed);
            self.graph.positions[parent as usize].key.0 != left && ways.any(leads)
        };
        self.families.iter().zip(&self.graph.parents).any(leads_there)
    }

    /// Makes another position the root. Keeps the positions that `lives` says: all that some tree has. They
    /// include positions to which no way through the trunk leads any more, because a tree may still find them
    /// by another one. `root` is the key of the new root with the player who chose it, and the transformation
    /// between the root state and its position; `None` if the game is over.
    pub fn advance_graph(&mut self, tree: &Tree<A, P, B>, root: Keyed, lives: &[bool]) {
        if self.nodes.is_empty() {
            return; // each tree has only what it found itself
        }
        self.drop_freed_positions(tree);
        // If the trees have not exchanged the children of the root, they may not have exchanged this position
        // either. Then each has only what it found there itself.
        let new_root = root.map_or(NONE, |(key, _)| self.graph.number_of(key, &self.nodes[0].action));
        let transformation = root.map_or(0, |root| root.1);
        let mut kept = Trunk::new();
        kept.buffers = core::mem::take(&mut self.buffers);
        kept.graph.freed = self.graph.freed;
        kept.limit = self.limit;
        if new_root == NONE {
            *self = kept; // the game is over
            return;
        }
        // For each position, its number in the new trunk.
        let mut moved = vec![NONE; self.graph.positions.len()];
        kept.keep_position(self, new_root, &mut moved);
        // The root of this tree is a copy of the position, if the tree has it.
        let position = &self.graph.positions[new_root as usize];
        let is_copy =
            !tree.is_empty() && position.link != ROOT && position_number(tree.root().link()) == position.link;
        let is_held = position.shared.is_held && is_copy;
        kept.nodes.push(TrunkNode { family: NONE, is_over: false, is_held, ..position.shared.clone() });
        kept.graph.ways.push(Way { position: 0, transformation });
        for family in 0..self.families.len() {
            let parent = self.graph.parents[family];
            if parent == new_root || lives[parent as usize] {
                kept.keep_family(self, family, &mut moved);
            }
        }
        // Those without children in the trunk, too: a tree may come to them by a way that the trunk does not
        // know.
        for old in (0..lives.len()).filter(|&old| lives[old]) {
            kept.keep_position(self, old as u32, &mut moved);
        }
        kept.resize();
        let root_family = kept.graph.positions[0].shared.family;
        if let Some(family) = kept.families.get_mut(root_family as usize) {
            family.node = 0;
            kept.find_lines(vec![root_family]);
        }
        kept.shrink();
        *self = kept;
    }

    /// Takes over a family of `from` with its position, and the positions that its children lead to. `moved`
    /// has the numbers of the positions here.
    fn keep_family(&mut self, from: &Self, family: usize, moved: &mut [u32]) {
        let Children { first, count, .. } = from.families[family];
        let (new_first, number) = (self.nodes.len() as u32, self.families.len() as u32);
        let parent = self.keep_position(from, from.graph.parents[family], moved);
        self.graph.positions[parent as usize].shared.family = number;
        self.graph.parents.push(parent);
        self.families.push(Children { node: NONE, first: new_first, ..from.families[family] });
        let range = first as usize..(first + count) as usize;
        for old in range.clone() {
            let mut way = from.graph.ways[old];
            if way.position != NONE {
                way.position = self.keep_position(from, way.position, moved);
            }
            self.nodes.push(TrunkNode { parent: number, ..from.nodes[old].clone() });
            self.graph.ways.push(way);
        }
        self.resize_to(new_first as usize);
        self.exchanged.extend_from_slice(&from.exchanged[range.clone()]);
        self.indices.extend_from_slice(&from.indices[range.clone()]);
        self.places.extend_from_slice(&from.places[range]);
    }

    /// Takes over a position of `from` without its family. Returns its number here.
    fn keep_position(&mut self, from: &Self, old: u32, moved: &mut [u32]) -> u32 {
        if moved[old as usize] == NONE {
            let number = self.graph.positions.len() as u32;
            let Position { key, ref shared, link } = from.graph.positions[old as usize];
            let shared = TrunkNode { family: NONE, ..shared.clone() };
            self.graph.positions.push(Position { key, shared, link });
            self.graph.numbers.insert(key, number);
            moved[old as usize] = number;
        }
        moved[old as usize]
    }
}
