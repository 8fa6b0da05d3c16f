//! Collects the nodes that a page shows.

use crate::backpropagation::Backprop;
use crate::explorer::Explorer;
use crate::explorer::page::{Node, Nodes};
use crate::game::{GameState, Turn};
use crate::iteration::FedBy;
use crate::iteration::path::NodeOf;
use crate::search::tree_view::TreeNode;
use crate::space::Space;
use crate::statistics::Statistics;
use core::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

impl<'a, S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>> Explorer<'a, S, P, R, B> {
    /// Collects the most visited nodes. A node comes after the one above it.
    pub(crate) fn collect(&self) -> Nodes {
        let mut nodes = Nodes::default();
        let Some(root) = self.tree.root() else { return nodes };
        let mut shown: Vec<TreeNode<'a, S, P, R, B>> = Vec::new();
        // The children that may come next, each with the node above it. The most visited is taken first, and
        // of those the oldest.
        let mut children: Vec<(usize, NodeOf<'a, S, P, B>)> = Vec::new();
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
                for child in shown[index].stored_children() {
                    let visits = child.visit_count();
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
            next = if is_full { None } else { candidates.pop() }.map(|(_, Reverse(place))| {
                let (above, child) = children[place];
                (Some(above), shown[above].child(child))
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
            Turn::Over => -2,
        };
        let action = node.action();
        let drawn = self
            .draw
            .as_ref()
            .map(|(_, draw)| draw(node.state(), action.clone().filter(|_| !node.is_mirrored())));
        let action = action.map_or_else(String::new, |action| format!("{action:?}"));
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
