//! Where threads wait for each other. `.ci/deep` checks all interleavings, with the atomics of `loom`.

#[cfg(not(all(test, ramure_loom)))]
use core::hint::spin_loop;
#[cfg(not(all(test, ramure_loom)))]
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
#[cfg(all(test, ramure_loom))]
use loom::hint::spin_loop;
#[cfg(all(test, ramure_loom))]
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
#[cfg(all(test, ramure_loom))]
use loom::sync::{Condvar, Mutex};
use std::sync::PoisonError;
#[cfg(not(all(test, ramure_loom)))]
use std::sync::{Condvar, Mutex};

/// How often a thread looks for the others before it sleeps: some ten microseconds. To wake a thread takes as
/// long.
const LOOKS: usize = if cfg!(ramure_loom) { 1 } else { 2_000 };

/// A barrier that threads use again and again. Unlike [`std::sync::Barrier`] it spins for a while: the
/// threads of a forest arrive within microseconds of each other.
pub(crate) struct Meeting {
    /// How many threads meet. It changes only while none of them is here.
    threads: AtomicUsize,
    /// How many threads have arrived.
    arrived: AtomicUsize,
    /// How many meetings have ended.
    ended: AtomicUsize,
    /// Whether a thread will never come again.
    is_abandoned: AtomicBool,
    sleep: Mutex<()>,
    end: Condvar,
}

impl Meeting {
    pub fn new(threads: usize) -> Self {
        Meeting {
            threads: AtomicUsize::new(threads),
            arrived: AtomicUsize::new(0),
            ended: AtomicUsize::new(0),
            is_abandoned: AtomicBool::new(false),
            sleep: Mutex::new(()),
            end: Condvar::new(),
        }
    }

    /// Sets how many threads meet from now on. None of them may be here.
    pub fn set_threads(&self, threads: usize) {
        self.threads.store(threads, Ordering::Relaxed);
    }

    /// Waits until all threads are here. What each of them wrote before is then visible to all. Returns
    /// `false` if a thread will never come, because it panicked.
    #[must_use]
    pub fn wait(&self) -> bool {
        let threads = self.threads.load(Ordering::Relaxed);
        if threads == 1 {
            return true; // waking others is a system call, even if none wait
        }
        let meeting = self.ended.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.end();
        } else if !self.spin(meeting) {
            let mut sleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
            while !self.has_ended(meeting) {
                sleep = self.end.wait(sleep).unwrap_or_else(PoisonError::into_inner);
            }
        }
        !self.is_abandoned.load(Ordering::Acquire)
    }

    /// Ends this meeting and all later ones, because this thread panics.
    pub fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Release);
        self.end();
    }

    fn has_ended(&self, meeting: usize) -> bool {
        self.ended.load(Ordering::Acquire) != meeting || self.is_abandoned.load(Ordering::Acquire)
    }

    /// Looks for the end of the meeting. Returns whether it has ended.
    fn spin(&self, meeting: usize) -> bool {
        (0..LOOKS).any(|_| {
            spin_loop();
            self.has_ended(meeting)
        })
    }

    fn end(&self) {
        let sleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        self.ended.fetch_add(1, Ordering::AcqRel);
        drop(sleep);
        self.end.notify_all();
    }
}

#[cfg(all(test, ramure_loom))]
mod tests {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    /// All interleavings with up to three preemptions: after each meeting, both threads see what both wrote
    /// before it.
    #[test]
    fn no_thread_leaves_a_meeting_before_the_other_has_come() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            let shared = Arc::new((Meeting::new(2), AtomicUsize::new(0)));
            let work = |(meeting, count): &(Meeting, AtomicUsize)| {
                for round in 1..=2 {
                    count.fetch_add(1, Ordering::Relaxed);
                    assert!(meeting.wait());
                    assert!(count.load(Ordering::Relaxed) >= 2 * round);
                }
            };
            let other = Arc::clone(&shared);
            let thread = thread::spawn(move || work(&other));
            work(&shared);
            thread.join().expect("it does not panic");
            assert_eq!(shared.1.load(Ordering::Relaxed), 4);
        });
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panics() {
        loom::model(|| {
            let meeting = Arc::new(Meeting::new(2));
            let other = Arc::clone(&meeting);
            let thread = thread::spawn(move || other.abandon());
            assert!(!meeting.wait());
            thread.join().expect("it does not panic");
        });
    }
}
