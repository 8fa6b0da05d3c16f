//! What a search found.

use crate::board::Column;
use std::any::Any;

/// What a search found.
pub struct Found {
    pub best: Column,
    /// The iterations it says it made, where it says so.
    pub iterations: Option<u64>,
    /// The nodes of the tree, where it says so.
    pub nodes: Option<usize>,
    /// How many actions after the root an iteration left the tree, on average, where it says so.
    pub mean_depth: Option<f64>,
    /// The tree: freed when the clock has stopped.
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
