//! The result of a search.

use crate::board::Column;
use std::any::Any;

/// The result of a search.
pub struct Found {
    pub best: Column,
    /// The number of iterations, if the search reports it.
    pub iterations: Option<u64>,
    /// The number of nodes in the tree, if the search reports it.
    pub nodes: Option<usize>,
    /// The mean number of actions from the root to the leaf of an iteration, if the search reports it.
    pub mean_depth: Option<f64>,
    /// The tree, freed after the clock has stopped.
    _tree: Box<dyn Any>,
}

impl Found {
    pub fn new(best: Column, iterations: Option<u64>, tree: impl Any) -> Self {
        Found { best, iterations, nodes: None, mean_depth: None, _tree: Box::new(tree) }
    }

    pub fn with_tree(self, nodes: usize, mean_depth: f64) -> Self {
        Found { nodes: Some(nodes), mean_depth: Some(mean_depth), ..self }
    }
}
