//! UCT for Connect 4 only, as you might write it in an afternoon, without a framework and without policies.
//! It shows the cost of generality.
//!
//! Nodes of 16 bytes in a `Vec`, siblings side by side, children on the second visit in a random order, the
//! logarithm once per node. Means are running means in `f32`, which drift in long searches. More than 2^32
//! nodes are not supported.

use crate::board::{Column, Columns, Connect4, End, GameState as _, Rng, end, mover, play_out};
use crate::found::Found;

const C: f32 = 1.0;

#[derive(Clone, Copy)]
struct Node {
    visits: u32,
    /// The mean reward of the player who chose `column`.
    mean: f32,
    /// The index of the first child.
    first: u32,
    children: u8,
    column: Column,
}

const _: () = assert!(size_of::<Node>() == 16);

/// Adds the children of this node, in a random order.
fn expand(nodes: &mut Vec<Node>, at: usize, board: &Connect4, rng: &mut Rng) {
    let first = nodes.len();
    let new = |column| Node { visits: 0, mean: 0.0, first: 0, children: 0, column };
    nodes.extend(Columns::of(board).map(new));
    rng.shuffle(&mut nodes[first..]);
    (nodes[at].first, nodes[at].children) = (first as u32, (nodes.len() - first) as u8);
}

/// Returns the first child without visits, or else the child with the greatest `mean + c sqrt(ln N / n)`.
#[expect(clippy::disallowed_methods, reason = "plain code, which may differ between platforms")]
fn select(nodes: &[Node], at: usize) -> usize {
    let Node { visits, first, children, .. } = nodes[at];
    let log = (visits as f32).ln();
    let (first, mut best, mut greatest) = (first as usize, 0, f32::NEG_INFINITY);
    for (index, child) in nodes[first..first + usize::from(children)].iter().enumerate() {
        if child.visits == 0 {
            return first + index;
        }
        let score = child.mean + C * (log / child.visits as f32).sqrt();
        if score > greatest {
            (best, greatest) = (index, score);
        }
    }
    first + best
}

pub fn search(start: Connect4, iterations: u64, seed: u64) -> Found {
    let mut rng = Rng::seeded(seed);
    let any = Columns::of(&start).next().expect("a game that is not over");
    let mut nodes = vec![Node { visits: 0, mean: 0.0, first: 0, children: 0, column: any }];
    expand(&mut nodes, 0, &start, &mut rng);
    let (mut path, mut depths) = (Vec::new(), 0);
    for _ in 0..iterations {
        let (mut board, mut at) = (start, 0);
        path.clear();
        path.push(at);
        loop {
            if nodes[at].children == 0 {
                if nodes[at].visits == 0 || end(&board).is_some() {
                    break;
                }
                expand(&mut nodes, at, &board, &mut rng);
            }
            at = select(&nodes, at);
            board.apply(nodes[at].column);
            path.push(at);
        }
        depths += path.len() as u64 - 1;
        let end = end(&board).unwrap_or_else(|| play_out(&board, &mut rng));
        let mut chooser = 1 - mover(&start);
        for &at in &path {
            let reward = match end {
                End::Drawn => 0.5,
                End::Won(winner) => f32::from(u8::from(winner == chooser)),
            };
            let node = &mut nodes[at];
            node.visits += 1;
            node.mean += (reward - node.mean) / node.visits as f32;
            chooser = 1 - chooser;
        }
    }
    let children = &nodes[nodes[0].first as usize..][..usize::from(nodes[0].children)];
    let best = children.iter().max_by_key(|child| child.visits).map_or(any, |child| child.column);
    let (visits, count) = (u64::from(nodes[0].visits), nodes.len());
    Found::new(best, Some(visits), nodes).with_tree(count, depths as f64 / iterations as f64)
}
