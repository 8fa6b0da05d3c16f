//! A handle to stop a search from outside.

use crate::run::budget::{Budget, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stops the runs of a search from another thread or from a Ctrl-C handler; see
/// [`Mcts::stop_handle`](crate::Mcts::stop_handle).
///
/// ```
/// use ramure::prelude::*;
/// use ramure::StopReason;
/// let mut search = Mcts::new(ramure_games::Hex::new(11)?);
/// let handle = search.stop_handle();
/// for _ in 0..3 {
///     let handle = handle.clone();
///     let helper = std::thread::spawn(move || handle.stop());
///     let report = search.run(Budget::until_stopped())?;
///     assert_eq!(report.stop_reason, StopReason::Stopped);
///     # helper.join().unwrap();
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Which run stops
///
/// A handle works for all runs of its search. Each [`stop`](Self::stop) is answered by one run, whose report
/// says
/// [`StopReason::Stopped`]:
///
/// - If a run is going on, it ends within an iteration.
/// - Otherwise it is the next run, so a request that comes a moment before a run begins is not lost. The run
///   ends after its first iteration, unless the request may have been meant for the run before: a run has
///   ended since you took the handle, and the budget bounds the iterations or the time. Then the next run
///   uses up its budget.
///
/// A run that ends with an error answers no request: the next run does, as above. A run whose root is proven
/// answers it, and reports [`StopReason::Proven`].
///
/// So a request that comes too late never costs you the next search, and
/// [`Budget::until_stopped`](crate::Budget::until_stopped) always ends. If you know that no request is under
/// way, for example after you have joined the thread that asks, withdraw one that came too late with
/// [`clear`](Self::clear).
#[derive(Clone, Debug, Default)]
pub struct StopHandle {
    requests: Arc<Requests>,
    /// The number of runs that had ended when this handle was taken.
    taken: usize,
}

#[derive(Debug, Default)]
struct Requests {
    /// 0, or the number after [`StopHandle::taken`] of the handle that asks to stop; of several, the greatest.
    asked: AtomicUsize,
    /// The number of runs that have ended.
    ended: AtomicUsize,
}

impl StopHandle {
    /// Ends the run that is going on within an iteration, or else the next run; see
    /// [above](Self#which-run-stops).
    pub fn stop(&self) {
        self.requests.asked.fetch_max(self.taken + 1, Ordering::Relaxed);
    }

    /// Returns whether [`stop`](Self::stop) was called and no run has answered yet.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.requests.asked.load(Ordering::Relaxed) != 0
    }

    /// Withdraws the request to stop. A program that uses the handle to stop more than a search calls this
    /// once it has stopped.
    pub fn clear(&self) {
        self.requests.asked.store(0, Ordering::Relaxed);
    }

    /// Returns a handle to the same search, taken now.
    pub(crate) fn taken_now(&self) -> Self {
        let taken = self.requests.ended.load(Ordering::Relaxed);
        StopHandle { requests: Arc::clone(&self.requests), taken }
    }

    /// Begins a run. Returns whether it takes over a request that may be late and lets it use up its budget.
    /// `ends` says that it ends without a request.
    pub(crate) fn begin_run(&self, ends: bool) -> bool {
        let Requests { asked, ended } = &*self.requests;
        let request = asked.load(Ordering::Relaxed);
        let may_be_late = request > 0 && request <= ended.load(Ordering::Relaxed);
        // Another request may have come since. It belongs to this run.
        ends && may_be_late
            && asked.compare_exchange(request, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Ends a run, and takes the request that it has got. Returns the request, or 0.
    pub(crate) fn end_run(&self) -> usize {
        self.requests.ended.fetch_add(1, Ordering::Relaxed);
        self.requests.asked.swap(0, Ordering::Relaxed)
    }

    /// Ends a run that failed, and gives back the `request` that it has taken, if any. The next run answers it.
    pub(crate) fn fail_run(&self, request: usize) {
        let Requests { asked, ended } = &*self.requests;
        ended.fetch_add(1, Ordering::Relaxed);
        asked.fetch_max(request, Ordering::Relaxed);
    }
}

impl Budget {
    /// Returns whether a run within this budget ends without a request to stop. A bound on the bytes may
    /// never be reached.
    pub(crate) fn ends(&self) -> bool {
        self.iterations.is_some() || self.time.is_some()
    }
}

impl StopReason {
    /// Returns the reason to report of a run that was or was not asked to stop.
    pub(crate) fn or_asked(self, asked: bool) -> Self {
        match self {
            // More iterations would change nothing, and could not be made.
            StopReason::Proven | StopReason::CountFull => self,
            _ if asked => StopReason::Stopped,
            _ => self,
        }
    }
}
