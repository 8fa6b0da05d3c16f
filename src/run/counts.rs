//! The counters of a run: [`RunCounts`].

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
}

impl RunCounts {
    pub fn new(stop_reason: StopReason) -> Self {
        RunCounts { iterations: 0, depth: 0, depth_sum: 0, stop_reason, time: Duration::ZERO }
    }

    #[inline(always)]
    pub fn count(&mut self, depth: u32) {
        self.iterations += 1;
        self.depth = self.depth.max(depth);
        self.depth_sum += u64::from(depth);
    }
}
