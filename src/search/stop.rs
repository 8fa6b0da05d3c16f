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
///
/// A handle is good for one run: the one that is going on when you take it, or else the next one. You may use it before that run
/// begins, which then ends after its first iteration. After that run it does nothing: for another run, take another handle.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Ends the run that this handle is for, within an iteration.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`stop`](Self::stop) was called.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes the request to stop back. A program that stops more than a search with the handle calls this when it has stopped.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Makes this the handle of another run: those that were given out do nothing any more.
    pub(crate) fn renew(&mut self) {
        match Arc::get_mut(&mut self.0) {
            Some(stopped) => *stopped.get_mut() = false,
            None => *self = StopHandle::default(),
        }
    }
}
