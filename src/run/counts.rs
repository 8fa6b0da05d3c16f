//! What a run counts: [`RunCounts`].

use crate::run::budget::StopReason;
use core::time::Duration;

/// The counts of a run.
#[derive(Clone, Copy)]
pub(crate) struct RunCounts {
    pub iterations: u64,
    pub depth: u32,
    pub depth_sum: u64,
    pub stop_reason: StopReason,
    pub time: Duration,
    /// The size of the other trees, if the search that reports is one of several.
    pub others: TreeSize,
}

/// The size of a tree, or of several.
#[derive(Clone, Copy, Default)]
pub(crate) struct TreeSize {
    pub nodes: usize,
    pub bytes: usize,
    pub recycled: u64,
}

impl RunCounts {
    pub fn new(stop_reason: StopReason) -> Self {
        let others = TreeSize::default();
        RunCounts { iterations: 0, depth: 0, depth_sum: 0, stop_reason, time: Duration::ZERO, others }
    }

    #[inline(always)]
    pub fn count(&mut self, depth: u32) {
        self.iterations += 1;
        self.depth = self.depth.max(depth);
        self.depth_sum += u64::from(depth);
    }
}
