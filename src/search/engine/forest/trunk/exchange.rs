//! An exchange: adds what all trees found to the trunk of one tree, and to the tree itself.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, Player, Turn, unless_failed};
use crate::iteration::nodes::known;
use crate::iteration::path::{NodeOf, TreeOf};
use crate::iteration::{FedBy, Iterations, LeafOf, close_if_certain};
use crate::search::engine::forest::bounds::{ForestBackprop, ForestPolicy};
use crate::search::engine::forest::digest::{Digest, Entry};
use crate::search::engine::forest::plan::Exchange;
use crate::search::engine::forest::trunk::{
    Buffers, Busy, Children, NONE, NOWHERE, News, Spot, Trunk, TrunkNode, keep_fitting, refresh, sees_all,
};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::tree::ROOT;
use smallvec::SmallVec;

/// Adds what all trees found to the trunk of one tree and to the tree itself, and puts the children of busy
/// nodes into the trunk, as `exchange` says. The tree has the number `number`; a tree without a digest has
/// found nothing. It `is_ahead` if it made iterations after it wrote its digest; they are kept.
/// Returns how many nodes the trees had changed.
pub(crate) fn apply<S: Space, P, R: RolloutPolicy<S::Game>, B>(
    trunk: &mut Trunk<ActionOf<S>, P::Stats, B::Stats>,
    iterations: &mut Iterations<'_, '_, S, P, R, B>,
    leaf: &mut LeafOf<S, P, R>,
    digests: &[&Digest<P::Stats, B::Stats>],
    number: usize,
    is_ahead: bool,
    exchange: Exchange,
) -> Result<u64, GameFault>
where
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    B: ForestBackprop<S::Game>,
{
    let Some(visits_before) = trunk.nodes.first().map(|root| root.visits) else { return Ok(0) };
    trunk.merge_positions(iterations, digests, number, is_ahead)?;
    let Buffers { mut parents, children, entries: places, mut cursors, mut busy, mut changed } =
        core::mem::take(&mut trunk.buffers);
    cursors.clear();
    cursors.resize(digests.len(), 0);
    trunk.start_at_root(&mut parents);
    busy.clear();
    changed.clear();
    changed.push((0, (ROOT, 0)));
    let entries = Entries { digests, places, cursors };
    let (least, exchanged) = (0, 0);
    let mut exchanging = Exchanging {
        trunk,
        iterations,
        leaf,
        entries,
        number,
        is_ahead,
        parents,
        busy,
        changed,
        least,
        exchanged,
    };
    exchanging.merge_root();
    exchanging.least = exchange.least(exchanging.trunk.nodes[0].visits);
    let mut family = Family { index: 0, children, adopted: Adopted::default() };
    for index in 0..exchanging.trunk.families.len() {
        family.index = index;
        exchanging.merge_family(&mut family)?;
    }
    if !exchanging.entries.are_read() {
        return Err(GameFault::Changed); // other trees have other families
    }
    if B::DERIVES {
        refresh::refresh(exchanging.trunk, exchanging.iterations, &exchanging.changed)?;
    } else {
        refresh::check_undeclared(exchanging.trunk, exchanging.iterations)?;
    }
    exchanging.open_busy_nodes(exchange, visits_before)?;
    let Exchanging { trunk, entries, parents, busy, changed, exchanged, .. } = exchanging;
    let (Entries { places: entries, cursors, .. }, children) = (entries, family.children);
    trunk.buffers = Buffers { parents, children, entries, cursors, busy, changed };
    Ok(exchanged)
}

/// An exchange that is under way, in one tree.
struct Exchanging<'e, 'p, 's, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
{
    trunk: &'e mut Trunk<ActionOf<S>, P::Stats, B::Stats>,
    iterations: &'e mut Iterations<'p, 's, S, P, R, B>,
    leaf: &'e mut LeafOf<S, P, R>,
    entries: Entries<'e, P::Stats, B::Stats>,
    /// The number of the tree.
    number: usize,
    is_ahead: bool,
    /// For each family of the trunk, where its parent is in the tree.
    parents: Vec<Spot>,
    /// The nodes that may get their children into the trunk.
    busy: Vec<Busy>,
    /// The nodes whose values are to be derived again, each with its place in the tree.
    changed: Vec<(u32, Spot)>,
    /// The visits from which a node gets its children into the trunk.
    least: u32,
    /// The nodes that trees have told of.
    exchanged: u64,
}

/// A family of the trunk, its children of which trees have told or which are due, and what the tree has of
/// them.
struct Family {
    index: usize,
    children: Vec<(u32, Spot)>,
    adopted: Adopted,
}

impl<'s, S: Space, P, R: RolloutPolicy<S::Game>, B> Exchanging<'_, '_, 's, S, P, R, B>
where
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    B: ForestBackprop<S::Game>,
{
    /// Adds what the trees found at the root.
    fn merge_root(&mut self) {
        let digests = self.entries.digests;
        let news: News<'_, _, _> = digests.iter().filter_map(|digest| digest.root.as_ref()).collect();
        if news.is_empty() {
            return;
        }
        let told = digests.get(self.number).and_then(|digest| digest.root.as_ref());
        let told = self.keeps(told);
        let (tree, chooser) = (self.iterations.tree, self.iterations.chooser);
        let own = self.sharing_position(0, Some(tree.root()));
        let (tree_policy, backprop) = (&*self.iterations.tree_policy, self.iterations.backprop);
        self.trunk.nodes[0].add::<S, P, B>(&news, own, told, tree, chooser, tree_policy, backprop);
        self.exchanged += 1;
    }

    /// Adds what the trees found at the children of a family.
    fn merge_family(&mut self, family: &mut Family) -> Result<(), GameFault> {
        let Children { count, is_due, .. } = self.trunk.families[family.index];
        family.children.clear();
        self.entries.read(family.index, count as usize, &mut family.children)?;
        if family.children.is_empty() && !is_due {
            return Ok(());
        }
        self.trunk.families[family.index].is_due = false;
        self.adopt_family(family, is_due)?;
        let has_news = |child: &&(u32, Spot)| self.entries.of(child.0).next().is_some();
        let siblings = family.children.iter().filter(has_news).count() as u32;
        for &child in &family.children {
            self.merge_child(family, child, siblings);
        }
        family.adopted.let_go::<S, P, B>(self.iterations.tree);
        self.entries.clear(&family.children);
        Ok(())
    }

    /// Finds the children of a family in the tree, and takes over those that only other trees have visited.
    fn adopt_family(&mut self, family: &mut Family, is_due: bool) -> Result<(), GameFault> {
        let Exchanging { trunk, iterations, leaf, entries, parents, .. } = self;
        family.adopted = Adopted::default();
        if let Some(parent) = trunk.parent_of(iterations.tree, family.index, parents) {
            let is_visited = |shared: &TrunkNode<_, _, _>, index| {
                shared.visits > 0 || entries.of(index).any(|entry| entry.visits > 0)
            };
            let (index, children) = (family.index, &mut family.children);
            family.adopted = adopt(trunk, iterations, leaf, index, parent, children, is_due, is_visited)?;
        } else if is_due {
            let count = trunk.families[family.index].count;
            family.children.clear();
            family.children.extend((0..count).map(|index| (index, NOWHERE)));
        }
        Ok(())
    }

    /// Adds what the trees found at one child, of whose family `siblings` have news.
    fn merge_child(&mut self, family: &Family, (index, spot): (u32, Spot), siblings: u32) {
        let Children { node: above, first, chooser, .. } = self.trunk.families[family.index];
        let (tree, node) = (self.iterations.tree, (first + index) as usize);
        let own = family.adopted.node::<S, P, B>(tree, (index, spot));
        let shared = &self.trunk.nodes[node];
        let has_news = self.entries.of(index).next().is_some();
        let is_changed = has_news || own.is_some() && !shared.is_held && shared.visits > 0;
        if is_changed {
            self.add(node, index, own, chooser);
            self.exchanged += u64::from(has_news);
        }
        let shared = &self.trunk.nodes[node];
        // The children of a node may tell visits that the node has told before.
        let below = self.trunk.families.get(shared.family as usize);
        if B::DERIVES && (is_changed || below.is_some_and(|below| below.is_due)) {
            self.changed.push((node as u32, spot));
        }
        if shared.family != NONE {
            self.parents[shared.family as usize] = spot;
        }
        // The children belong to the home of the node.
        if let Some(home) = self.trunk.home(node)
            && home.family == NONE
            && !home.is_over
            && home.visits >= self.least
            && above != NONE
            && !self.is_at_horizon(node as u32)
        {
            self.busy.push(Busy { node: node as u32, visits: home.visits, siblings });
        }
    }

    /// Returns whether iterations end at `node` of the trunk, so that no tree has children of it.
    fn is_at_horizon(&self, node: u32) -> bool {
        self.iterations.expansion.depth.is_some_and(|plies| self.trunk.is_as_deep(node, plies))
    }

    /// Adds the news of the child `index` of a family to `node` of the trunk, and to the tree, which has it
    /// as `own`.
    fn add(&mut self, node: usize, index: u32, mut own: Option<NodeOf<'s, S, P, B>>, chooser: Player) {
        let told = self.keeps(self.entries.of_tree(index, self.number));
        if self.trunk.nodes[node].visits > 0 || self.entries.of(index).any(|entry| entry.visits > 0) {
            own = self.sharing_position(node, own);
        }
        let (tree, news) = (self.iterations.tree, self.entries.of(index).collect::<News<'_, _, _>>());
        let (tree_policy, backprop) = (&*self.iterations.tree_policy, self.iterations.backprop);
        let shared = &mut self.trunk.nodes[node];
        shared.add::<S, P, B>(&news, own, told, tree, chooser, tree_policy, backprop);
        self.trunk.exchanged[node] = if shared.is_held { shared.visits } else { 0 };
        if B::PROVES
            && let Some(own) = own
        {
            let stats = known::<S, P, B>(tree, own).backprop();
            close_if_certain::<S, P, B>(backprop, own, own.visit_count(), stats, chooser, || {
                tree_policy.skips_refuted()
            });
        }
    }

    /// Returns what the tree keeps of what it has told, if it is ahead. In a graph, a tree does not tell of
    /// actions for whose positions it has no room.
    fn keeps<T>(&self, told: Option<T>) -> Option<Option<T>> {
        (self.is_ahead || self.trunk.shares() && told.is_none()).then_some(told)
    }

    /// Returns `own`, in a graph with its position, which then has the visits of all trees.
    fn sharing_position(
        &mut self,
        node: usize,
        own: Option<NodeOf<'s, S, P, B>>,
    ) -> Option<NodeOf<'s, S, P, B>> {
        match own {
            Some(own) => self.trunk.share_position(self.iterations, node, own),
            None => None,
        }
    }

    /// Puts the children of the busiest nodes into the trunk, as many as `exchange` allows for the visits
    /// since `visits_before`.
    fn open_busy_nodes(&mut self, exchange: Exchange, visits_before: u32) -> Result<(), GameFault> {
        let visits = self.trunk.nodes[0].visits;
        let added = visits - visits_before;
        let told = self.entries.digests.iter().filter(|digest| digest.root.is_some()).count();
        let room = exchange.most(added, told.max(1)) - self.exchanged as f64;
        keep_fitting(&mut self.busy, f64::from(added) / f64::from(visits.max(1)), room);
        for &Busy { node, .. } in &self.busy {
            // Several actions may lead to one position.
            if self.trunk.is_full || self.trunk.is_open(node as usize) {
                continue;
            }
            self.trunk.go_to::<S, _>(node, self.iterations.space.root(), self.leaf)?;
            let chooser = self.trunk.families[self.trunk.nodes[node as usize].parent as usize].chooser;
            self.trunk.open::<S>(node, self.leaf.state(), chooser);
            unless_failed::<S::Game>()?;
        }
        Ok(())
    }
}

/// The children of a family that a tree has taken over.
#[derive(Default)]
pub(super) struct Adopted {
    /// In a graph: positions that must not be freed until the family is done.
    held: SmallVec<[u32; 16]>,
    /// In a graph: children that this tree cannot take over, because it has no memory for their positions or
    /// knows no line of play to them.
    left_out: SmallVec<[u32; 16]>,
}

/// Finds `children` of a family in the tree, all of them if `all` says so, and takes over those that it has
/// not visited although another tree has.
#[expect(clippy::too_many_arguments, reason = "the body of a loop")]
pub(super) fn adopt<'s, S: Space, P, R: RolloutPolicy<S::Game>, B>(
    trunk: &mut Trunk<ActionOf<S>, P::Stats, B::Stats>,
    iterations: &mut Iterations<'_, 's, S, P, R, B>,
    leaf: &mut LeafOf<S, P, R>,
    family: usize,
    parent: NodeOf<'s, S, P, B>,
    children: &mut Vec<(u32, Spot)>,
    all: bool,
    is_visited: impl Fn(&TrunkNode<ActionOf<S>, P::Stats, B::Stats>, u32) -> bool,
) -> Result<Adopted, GameFault>
where
    P: FedBy<S::Game, R>,
    B: Backprop<S::Game>,
{
    let (tree, mut adopted) = (iterations.tree, Adopted::default());
    let Children { node, first, turn, .. } = trunk.families[family];
    let sees_all = sees_all::<S, P, R>() || turn == Turn::Chance;
    if trunk.shares() {
        adopted.held.push(trunk.hold_parent(tree, family));
    }
    trunk.find(tree, family, parent.link(), all, children);
    let is_missing = |&&(index, (block, lane)): &&(u32, Spot)| {
        let is_here =
            (block, lane) != NOWHERE && (sees_all || tree.block(block).node(lane as usize).visit_count() > 0);
        !is_here && is_visited(&trunk.nodes[(first + index) as usize], index)
    };
    let missing = children.iter().filter(is_missing);
    let mut missing: SmallVec<[u32; 16]> = missing.map(|&(index, _)| index).collect();
    if trunk.shares() {
        missing.retain(|&mut index| {
            // The trunk may know no line of play to these children any more.
            let hold = || trunk.hold(tree, (first + index) as usize, iterations.room());
            let position = if node == NONE { None } else { hold() };
            if position.is_none() {
                adopted.left_out.push(index);
            }
            adopted.held.extend(position);
            position.is_some()
        });
    }
    if !missing.is_empty() {
        missing.sort_unstable();
        let actions = missing.iter().map(|&index| trunk.nodes[(first + index) as usize].action.clone());
        let actions: Vec<_> = actions.collect(); // large actions would fill the stack
        let done = trunk.go_to::<S, _>(node, iterations.space.root(), leaf);
        let done = done.and_then(|()| iterations.adopt(parent, turn, leaf, &actions));
        if let Err(fault) = done {
            adopted.let_go::<S, P, B>(tree);
            return Err(fault);
        }
        trunk.find(tree, family, parent.link(), all, children);
    }
    Ok(adopted)
}

impl Adopted {
    /// Lets positions be freed again.
    pub(super) fn let_go<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
        &self,
        tree: &TreeOf<S, P, B>,
    ) {
        self.held.iter().for_each(|&position| tree.let_go(position));
    }

    /// Returns the child in this tree, if it is there and leads to its position.
    pub(super) fn node<'t, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
        &self,
        tree: &'t TreeOf<S, P, B>,
        (index, (block, lane)): (u32, Spot),
    ) -> Option<NodeOf<'t, S, P, B>> {
        let is_here = (block, lane) != NOWHERE && !self.left_out.contains(&index);
        is_here.then(|| tree.block(block).node(lane as usize))
    }
}

/// The entries of all digests for one family: for each child and each tree, the place in the digest of the
/// tree, or [`NONE`].
struct Entries<'d, P, B> {
    digests: &'d [&'d Digest<P, B>],
    places: Vec<u32>,
    /// For each tree, the next family in its digest.
    cursors: Vec<usize>,
}

impl<'d, P, B> Entries<'d, P, B> {
    /// Reads the entries of `family`, which has `count` children, and adds the children that have some to
    /// `children`.
    fn read(
        &mut self,
        family: usize,
        count: usize,
        children: &mut Vec<(u32, Spot)>,
    ) -> Result<(), GameFault> {
        let trees = self.digests.len();
        if self.places.len() < count * trees {
            self.places.resize(count * trees, NONE);
        }
        for (number, digest) in self.digests.iter().enumerate() {
            let cursor = self.cursors[number];
            let Some(&(_, end)) = digest.families.get(cursor).filter(|next| next.0 as usize == family) else {
                continue;
            };
            let start = cursor.checked_sub(1).map_or(0, |last| digest.families[last].1);
            for (entry, place) in digest.entries[start as usize..end as usize].iter().zip(start..) {
                if entry.action as usize >= count {
                    return Err(GameFault::Changed);
                }
                let row = entry.action as usize * trees;
                if self.places[row..row + trees].iter().all(|&place| place == NONE) {
                    children.push((entry.action, NOWHERE));
                }
                self.places[row + number] = place;
            }
            self.cursors[number] = cursor + 1;
        }
        Ok(())
    }

    /// Returns what the trees told of a child.
    fn of(&self, index: u32) -> impl Iterator<Item = &'d Entry<P, B>> + Clone {
        let trees = self.digests.len();
        let known = self.places[index as usize * trees..][..trees].iter().zip(self.digests);
        known.filter(|(place, _)| **place != NONE).map(|(&place, digest)| &digest.entries[place as usize])
    }

    /// Returns what one tree told of a child.
    fn of_tree(&self, index: u32, number: usize) -> Option<&'d Entry<P, B>> {
        let digest = self.digests.get(number)?;
        digest.entries.get(self.places[index as usize * self.digests.len() + number] as usize)
    }

    /// Forgets the entries of these children.
    fn clear(&mut self, children: &[(u32, Spot)]) {
        let trees = self.digests.len();
        for &(index, _) in children {
            self.places[index as usize * trees..][..trees].fill(NONE);
        }
    }

    /// Returns whether all families of all digests were read.
    fn are_read(&self) -> bool {
        self.cursors.iter().zip(self.digests).all(|(&cursor, digest)| cursor == digest.families.len())
    }
}
