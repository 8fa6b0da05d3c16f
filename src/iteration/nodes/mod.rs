//! What the loop does where a node does not stand for one line of play: one kind of node a file.

pub(crate) mod graph;
mod met;
mod sampled;
