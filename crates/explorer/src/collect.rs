//! Collects the nodes that a page shows.

use crate::Explorer;
use crate::page::{Node, Nodes};
use core::cmp::Reverse;
use ramure::backpropagation::Backprop;
use ramure::search::{Space, TreeNode};
use ramure::selection::TreePolicy;
use ramure::statistics::Statistics;
use ramure::{GameState, Turn};
use std::collections::{BTreeSet, BinaryHeap};

impl<'a, S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Explorer<'a, S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Collects the most visited nodes. A node comes after the one above it.
    pub(crate) fn collect(&self) -> Nodes {
        let mut nodes = Nodes::default();
        let Some(root) = self.tree.root() else { return nodes };
        let mut shown: Vec<TreeNode<'a, S, P, R, B>> = Vec::new();
        // The children that may come next: the node above each, and the place there. The most visited is taken
        // first, and of those the oldest. Only nodes that are shown get their states.
        let mut children: Vec<(usize, usize)> = Vec::new();
        let mut candidates = BinaryHeap::new();
        // The positions whose children are in the page.
        let mut open = BTreeSet::new();
        let mut next = Some((None, root));
        while let Some((above, node)) = next {
            let index = shown.len();
            self.add(&mut nodes, above, &node);
            let is_new = node.position().is_none_or(|position| open.insert(position));
            shown.push(node);
            if is_new {
                for (child, visits) in shown[index].child_visits().enumerate() {
                    // All candidates come before a child without visits. This bounds the memory for games
                    // with many actions.
                    if visits == 0 && shown.len() + candidates.len() >= self.nodes {
                        nodes.leave_out(index, 0);
                    } else {
                        candidates.push((visits, Reverse(children.len())));
                        children.push((index, child));
                    }
                }
            }
            let is_full = shown.len() == self.nodes;
            next = if is_full { None } else { candidates.pop() }.and_then(|(_, Reverse(place))| {
                let (above, child) = children[place];
                Some((Some(above), shown[above].child(child)?))
            });
        }
        for (visits, Reverse(place)) in candidates {
            nodes.leave_out(children[place].0, visits);
        }
        nodes.best = self.best_nodes(&shown, &nodes);
        nodes
    }

    fn add(&self, nodes: &mut Nodes, above: Option<usize>, node: &TreeNode<'a, S, P, R, B>) {
        let turn = match node.state().turn() {
            Turn::Player(player) => i16::from(player),
            Turn::Chance => -1,
            _ => -2,
        };
        let drawn = self.draw.as_ref().map(|(_, draw)| draw(node.state(), node.last_action()));
        let action = node.action().map_or_else(String::new, |action| format!("{action:?}"));
        let statistics = self.statistics.map(|print| print(node));
        nodes.push(
            Node {
                above,
                chooser: node.chooser(),
                turn,
                visits: node.visits(),
                mean: node.mean(),
                prior: node.stats().prior().filter(|_| above.is_some()),
                proof: node.proof(node.chooser()),
                position: node.position(),
                position_visits: node.position_visits(),
                position_mean: node.position_mean(),
            },
            &action,
            statistics.as_deref(),
            drawn.as_deref(),
        );
    }

    /// Returns the nodes of the best line, as far as the page shows them.
    fn best_nodes(&self, shown: &[TreeNode<'a, S, P, R, B>], nodes: &Nodes) -> Vec<usize> {
        let mut best = Vec::new();
        let mut above = 0;
        for action in &self.best_line {
            let home = nodes.home(above);
            let mut children = (0..shown.len()).filter(|&index| nodes.above(index) == Some(home));
            let Some(index) = children.find(|&index| shown[index].action().as_ref() == Some(action)) else {
                break;
            };
            best.push(index);
            above = index;
        }
        best
    }
}
