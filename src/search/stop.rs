//! Stopping a search from elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops a search from another thread or from a Ctrl-C handler; see [`Mcts::stop_handle`](crate::Mcts::stop_handle).
///
/// ```
/// use ramure::prelude::*;
/// use ramure::StopReason;
/// let mut search = Mcts::new(ramure::games::Hex::new(11).unwrap());
/// let handle = search.stop_handle();
/// let helper = std::thread::spawn(move || handle.stop());
/// let report = search.run(Budget::until_stopped())?;
/// assert_eq!(report.stop_reason, StopReason::Stopped);
/// # helper.join().unwrap();
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Ends the run that is going on, within an iteration, or the next one if none is. A run uses the request up.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Takes back a request that no run has used up.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
