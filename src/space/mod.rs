//! What a search can search besides the tree of a game: views of a game that say what a node of the tree stands for. This layer uses
//! `game` and nothing else.

pub(crate) mod information_set;
pub(crate) mod observed_moves;
pub(crate) mod open_loop;
pub(crate) mod sampled;
pub(crate) mod seat;
pub(crate) mod transpositions;
