//! A handle to stop a search from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops a search from another thread or from a Ctrl-C handler; see [`Mcts::stop_handle`](crate::Mcts::stop_handle).
///
/// ```
/// use ramure::prelude::*;
/// use ramure::StopReason;
/// let mut search = Mcts::new(ramure::games::Hex::new(11)?);
/// let handle = search.stop_handle();
/// let helper = std::thread::spawn(move || handle.stop());
/// let report = search.run(Budget::until_stopped())?;
/// assert_eq!(report.stop_reason, StopReason::Stopped);
/// # helper.join().unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A handle works for one run: the run that is in progress when you take the handle, or else the next one. If you
/// call [`stop`](Self::stop) before that run starts, the run ends after its first iteration. After that run the
/// handle does nothing; take another handle for another run.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Ends the run that this handle belongs to, within one iteration.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`stop`](Self::stop) was called.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Withdraws the request to stop. A program that uses the handle to stop more than a search calls this once it has
    /// stopped.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Makes this the handle of another run. Handles given out earlier no longer do anything.
    pub(crate) fn renew(&mut self) {
        match Arc::get_mut(&mut self.0) {
            Some(stopped) => *stopped.get_mut() = false,
            None => *self = StopHandle::default(),
        }
    }
}
