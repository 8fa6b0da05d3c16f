//! Images of trunks, in files of saved forests. An image has what the trees exchanged, family by family; the
//! actions are those that the game lists, so an image cannot have others.

#[cfg(all(test, feature = "games"))]
mod tests;

use crate::game::{GameState, MAX_PLAYERS, Player, has_failed};
use crate::search::engine::forest::digest::Entry;
use crate::search::engine::forest::trunk::{NONE, Trunk, TrunkNode};
use crate::space::Space;
use crate::statistics::Pack;
use crate::tree::{Flaw, NodeRef, ROOT, Tree};
use serde::{Deserialize, Serialize};

/// The most visits that a node can have.
const MOST_VISITS: u64 = i32::MAX as u64;

/// The greatest reward, in the units of sums.
const ONE: f64 = (1 << 24) as f64;

/// What a file has of a trunk.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Image {
    /// For each family, the number of the parent, and whether the next exchange looks at it in any case.
    families: Vec<(u32, bool)>,
    /// For each node, the visits, the sum of the rewards, and whether this tree has the node and the game is
    /// over there.
    nodes: Vec<(u32, f64, bool, bool)>,
    /// For each node, its statistics as words.
    words: Vec<u32>,
}

impl Image {
    /// Returns whether both are trunks of one forest: all trees agree about the nodes and their rewards.
    pub fn agrees_with(&self, other: &Image) -> bool {
        let shared = |image: &Image| -> Vec<(u32, u64, bool)> {
            image.nodes.iter().map(|&(visits, sum, _, is_over)| (visits, sum.to_bits(), is_over)).collect()
        };
        self.families == other.families && shared(self) == shared(other)
    }

    /// Returns the visits in all trees that are in the trunk, node by node.
    pub fn visits(&self) -> Vec<u64> {
        self.nodes.iter().map(|node| node.0.into()).collect()
    }
}

/// Returns whether these statistics are those of a node without visits.
fn is_default<B: Pack + Default>(stats: B) -> bool {
    let [mut words, mut default] = [vec![0; B::WORDS], vec![0; B::WORDS]];
    stats.pack(&mut words);
    B::default().pack(&mut default);
    words == default
}

fn unless(holds: bool, flaw: &'static str) -> Result<(), Flaw> {
    if holds { Ok(()) } else { Err(Flaw(flaw)) }
}

impl<A: Clone + Eq, P: Copy + Default + Pack, B: Copy + Default + Pack> Trunk<A, P, B> {
    /// Returns what a file has of this trunk.
    pub fn image(&self) -> Image {
        let mut words = vec![0; self.nodes.len() * (P::WORDS + B::WORDS)];
        for (node, words) in self.nodes.iter().zip(words.chunks_exact_mut((P::WORDS + B::WORDS).max(1))) {
            node.stats.pack(words);
            node.backprop.pack(&mut words[P::WORDS..]);
        }
        Image {
            families: self.families.iter().map(|family| (family.node, family.is_due)).collect(),
            nodes: self
                .nodes
                .iter()
                .map(|node| (node.visits, node.sum, node.is_held, node.is_over))
                .collect(),
            words,
        }
    }

    /// Makes the trunk of an image again, for a search with this root state and this tree. Adds the visits
    /// that the tree has and the trunk does not have yet to `news`. `derives` says that the values of nodes
    /// follow from those of their children.
    pub fn of_image<S: Space<Game: GameState<Action = A>>>(
        image: &Image,
        state: &S::Game,
        chooser: Player,
        tree: &Tree<A, P, B>,
        derives: bool,
        news: &mut [u64],
    ) -> Result<Self, Flaw> {
        let mut trunk = Trunk::new();
        if image.nodes.is_empty() {
            unless(image.families.is_empty() && image.words.is_empty(), "an empty trunk has families")?;
            return Ok(trunk);
        }
        unless(!tree.is_empty(), "there is a trunk without a tree")?;
        trunk.nodes.push(TrunkNode::new(tree.root().action(), NONE));
        trunk.resize(); // a trunk without families is one node
        for &(node, _) in &image.families {
            let is_open = trunk.nodes.get(node as usize).is_some_and(|node| node.family == NONE);
            unless(
                is_open && trunk.nodes.len() <= image.nodes.len(),
                "a family is in two places, or in none",
            )?;
            let parent = trunk.nodes[node as usize].parent;
            let acts = if parent == NONE { chooser } else { trunk.families[parent as usize].chooser };
            let families = trunk.families.len();
            trunk.open::<S>(node, &trunk.state_of::<S>(node, state)?, acts);
            unless(trunk.families.len() == families + 1, "a node has a family although the game is over")?;
            let fits = usize::from(trunk.families[families].chooser) < MAX_PLAYERS;
            unless(fits, "a player is not one of the game")?;
        }
        let fits = trunk.nodes.len() == image.nodes.len()
            && image.words.len() == image.nodes.len() * (P::WORDS + B::WORDS)
            && news.len() == image.nodes.len();
        unless(fits, "the nodes of the trunk are not those of its families")?;
        for (family, &(_, is_due)) in trunk.families.iter_mut().zip(&image.families) {
            family.is_due = is_due;
        }
        let mut words = image.words.chunks_exact((P::WORDS + B::WORDS).max(1));
        for (place, (node, &(visits, sum, is_held, is_over))) in
            trunk.nodes.iter_mut().zip(&image.nodes).enumerate()
        {
            let (stats, backprop) = words.next().unwrap_or_default().split_at(P::WORDS);
            unless(
                P::is_sound(stats) && B::is_sound(backprop),
                "the statistics of a node are not those of a search",
            )?;
            let most = f64::from(visits) * ONE;
            unless(
                u64::from(visits) <= MOST_VISITS && (0.0..=most).contains(&sum),
                "a mean is not that of rewards",
            )?;
            (node.visits, node.sum, node.is_held, node.is_over) = (visits, sum, is_held, is_over);
            (node.stats, node.backprop) = (P::unpack(stats), B::unpack(backprop));
            trunk.exchanged[place] = if is_held { visits } else { 0 };
        }
        trunk.compare(tree, derives, news)?;
        Ok(trunk)
    }

    /// Returns the state of a node, where the root has `state`.
    fn state_of<S: Space<Game: GameState<Action = A>>>(
        &self,
        node: u32,
        state: &S::Game,
    ) -> Result<S::Game, Flaw> {
        let (mut line, mut at) = (Vec::new(), node);
        while self.nodes[at as usize].parent != NONE {
            line.push(&self.nodes[at as usize].action);
            at = self.families[self.nodes[at as usize].parent as usize].node;
        }
        let mut state = state.clone();
        for &action in line.iter().rev() {
            state.apply(action.clone());
            unless(!has_failed::<S::Game>(), "the game failed")?;
        }
        Ok(state)
    }

    /// Checks that the tree can have found what it has to tell since the last exchange, and counts the
    /// visits.
    ///
    /// Whether the tree has a node of the trunk cannot be seen in the tree: it may have given the node up,
    /// and grown it again. But then it has found the node again below a parent that it visits as often.
    fn compare(&self, tree: &Tree<A, P, B>, derives: bool, news: &mut [u64]) -> Result<(), Flaw> {
        let may_lose = tree.families_given_up() > 0;
        let mut links = vec![ROOT; self.families.len()];
        // What the tree found at the parent of each family.
        let mut above = vec![0; self.families.len()];
        let mut note = |place: usize, node: NodeRef<'_, A, P, B>, links: &mut [u32], above: &mut [u64]| {
            let shared = &self.nodes[place];
            // A node that has lost visits tells nothing. A full tree may have given it up and grown it again, so
            // that its rewards are others.
            let entry = shared.news(0, node);
            unless(entry.is_some() || may_lose, "a tree that was never full has lost visits")?;
            let visits = entry.map_or(0, |entry| entry.visits.into());
            news[place] += visits;
            if shared.family != NONE {
                links[shared.family as usize] = node.link();
                above[shared.family as usize] = visits;
            }
            let error = 1.0 + 1e-9 * shared.sum;
            let fits =
                |entry: Entry<P, B>| (-error..=f64::from(entry.visits) * ONE + error).contains(&entry.sum);
            // A tree that proves a loss sets the mean to it.
            let may_differ = derives || may_lose || !is_default(node.backprop());
            unless(
                may_differ || entry.is_none_or(fits),
                "the rewards of a node are not those that it had at the last exchange, and more",
            )?;
            Ok(visits)
        };
        note(0, tree.root(), &mut links, &mut above)?;
        for (number, family) in self.families.iter().enumerate() {
            let range = family.first as usize..(family.first + family.count) as usize;
            let is_held = |child: &TrunkNode<A, P, B>| child.visits > 0 && child.is_held;
            let holds_any = self.nodes[range.clone()].iter().any(is_held);
            let flaw = "a tree has a node of the trunk, but not its parent";
            unless(self.nodes[family.node as usize].is_held || !holds_any, flaw)?;
            if links[number] == ROOT {
                continue;
            }
            let mut below = 0;
            for child in tree.children_of(links[number]) {
                let found = self.nodes[range.clone()].iter().position(|node| child.has_action(&node.action));
                if let Some(found) = found {
                    below += note(range.start + found, child, &mut links, &mut above)?;
                }
            }
            // The children of a node that has just become busy tell all visits, and the node has told its
            // own.
            let is_new = self.nodes[range].iter().all(|child| child.visits == 0);
            unless(is_new || below <= above[number], "a tree has found more below a node than at the node")?;
        }
        Ok(())
    }
}

/// Checks that no node gets more visits than it can count when the trees tell what they have found.
pub fn check_visits(shared: &[u64], news: &[u64]) -> Result<(), Flaw> {
    let fits = shared.iter().zip(news).all(|(shared, news)| shared + news <= MOST_VISITS);
    unless(fits, "a node has more visits than it can count")
}
