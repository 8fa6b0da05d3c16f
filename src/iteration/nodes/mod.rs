//! What the loop does where a node does not stand for one line of play, one kind of node a file: a position
//! (`graph`), all states that a guess may bring (`met`), and a state with sampled actions (`sampled`).

pub(crate) mod graph;
mod met;
mod sampled;
