//! The watchdog: one thread per process that watches all calls into games. A call that does not return cannot
//! be stopped, but the line of play that led to it can be printed before the process ends.

use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The progress of a running check.
pub(super) struct Progress {
    /// The actions played, as text.
    pub line: Vec<Arc<str>>,
    /// How many of them belong to the line; the others are only tried.
    pub announced: usize,
    /// The call that has not returned yet.
    pub call: Option<&'static str>,
    /// The number of calls so far.
    pub calls: u64,
    /// The time limit of a call.
    #[cfg_attr(target_family = "wasm", allow(dead_code, reason = "without threads, calls are not watched"))]
    pub patience: Duration,
}

impl Progress {
    pub fn line_text(&self) -> String {
        if self.line.is_empty() { "no action".to_owned() } else { self.line.join(", ") }
    }
}

/// Registers a check with the watchdog until its progress is dropped.
pub(super) fn watched(patience: Duration) -> Arc<Mutex<Progress>> {
    let progress = Progress { line: Vec::new(), announced: 0, call: None, calls: 0, patience };
    let progress = Arc::new(Mutex::new(progress));
    watcher::watch(&progress);
    progress
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Without threads, calls are not watched.
#[cfg(target_family = "wasm")]
mod watcher {
    use super::{Arc, Mutex, Progress};

    pub fn watch(_: &Arc<Mutex<Progress>>) {}
}

#[cfg(not(target_family = "wasm"))]
mod watcher {
    use super::{Arc, Duration, Mutex, Progress, lock};
    use std::io::Write as _;
    use std::sync::{Condvar, Once, PoisonError, Weak};

    /// The time between looks.
    const INTERVAL: Duration = Duration::from_millis(100);

    struct Entry {
        progress: Weak<Mutex<Progress>>,
        calls: u64,
        /// The number of consecutive looks that found the same call. Looks are counted instead of seconds, so
        /// that a process that was suspended is not mistaken for one that hangs.
        looks: u32,
    }

    static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
    static SOMEBODY: Condvar = Condvar::new();
    static START: Once = Once::new();

    pub fn watch(progress: &Arc<Mutex<Progress>>) {
        lock(&ENTRIES).push(Entry { progress: Arc::downgrade(progress), calls: 0, looks: 0 });
        SOMEBODY.notify_one();
        // If the thread cannot be started, the check goes on unwatched.
        START.call_once(|| drop(std::thread::Builder::new().name("rules watchdog".into()).spawn(patrol)));
    }

    fn patrol() {
        loop {
            let mut entries = lock(&ENTRIES);
            while entries.is_empty() {
                entries = SOMEBODY.wait(entries).unwrap_or_else(PoisonError::into_inner);
            }
            entries.retain_mut(look);
            drop(entries);
            std::thread::sleep(INTERVAL);
        }
    }

    /// Whether the check still runs.
    fn look(entry: &mut Entry) -> bool {
        let Some(progress) = entry.progress.upgrade() else { return false };
        let progress = lock(&progress);
        match progress.call {
            Some(call) if progress.calls == entry.calls => {
                entry.looks += 1;
                if INTERVAL * entry.looks > progress.patience {
                    end_the_process(call, &progress);
                }
            }
            _ => (entry.calls, entry.looks) = (progress.calls, 0),
        }
        true
    }

    fn end_the_process(call: &str, progress: &Progress) -> ! {
        let (played, patience) = (progress.line_text(), progress.patience);
        // Writes to the stream directly, because a test captures the output of `eprintln`, which would be
        // lost with the process.
        let text = format!(
            "\nramure::rules: {call} has not returned for {patience:?}, after {played}; the process ends here, since a call cannot be stopped\n"
        );
        let _ = std::io::stderr().write_all(text.as_bytes());
        std::process::exit(101)
    }
}
