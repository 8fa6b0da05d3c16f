//! What a search found.

use crate::board::Column;
use std::any::Any;

/// What a search found.
pub struct Found {
    pub best: Column,
    /// The iterations it says it made, where it says so.
    pub iterations: Option<u64>,
    /// The tree: freed when the clock has stopped.
    _tree: Box<dyn Any>,
}

impl Found {
    pub fn new(best: Column, iterations: Option<u64>, tree: impl Any) -> Self {
        Found { best, iterations, _tree: Box::new(tree) }
    }
}
