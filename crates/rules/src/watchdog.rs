//! The watchdog: one thread per process that watches all calls into games. A call that does not return cannot
//! be stopped, but the line of play that led to it can be printed before the process ends. It also says how
//! far a long check is, and when its time is up.

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
    pub long: Long,
}

/// The progress of a check that may take long.
#[cfg_attr(target_family = "wasm", allow(dead_code, reason = "without threads, checks are not watched"))]
pub(super) struct Long {
    /// The activity of the check, as the object of "checking"; empty if nobody wants to know.
    pub what: String,
    /// The number of states and of games so far.
    pub counts: (u64, u32),
    /// The time limit of the check.
    pub time: Duration,
    /// Whether the time is up.
    pub is_over: bool,
}

impl Progress {
    pub fn line_text(&self) -> String {
        if self.line.is_empty() { "no action".to_owned() } else { self.line.join(", ") }
    }
}

/// Registers a check with the watchdog until its progress is dropped.
pub(super) fn watched(patience: Duration, time: Duration, what: String) -> Arc<Mutex<Progress>> {
    let long = Long { what, counts: (0, 0), time, is_over: false };
    let progress = Progress { line: Vec::new(), announced: 0, call: None, calls: 0, patience, long };
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
    use super::{Arc, Duration, Long, Mutex, Progress, lock};
    use std::io::Write as _;
    use std::sync::{Condvar, Once, PoisonError, Weak};

    /// The time between looks.
    const INTERVAL: Duration = Duration::from_millis(100);

    /// A check says how far it is after this time, then after twice, four times .. this time.
    const QUIET: Duration = Duration::from_secs(5);

    struct Entry {
        progress: Weak<Mutex<Progress>>,
        calls: u64,
        /// The number of consecutive looks that found the same call. Looks are counted instead of seconds, so
        /// that a process that was suspended is not mistaken for one that hangs.
        looks: u32,
        /// The number of all looks.
        all_looks: u32,
        /// The time after which the check says how far it is.
        next_word: Duration,
    }

    static ENTRIES: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
    static SOMEBODY: Condvar = Condvar::new();
    static START: Once = Once::new();

    pub fn watch(progress: &Arc<Mutex<Progress>>) {
        let progress = Arc::downgrade(progress);
        lock(&ENTRIES).push(Entry { progress, calls: 0, looks: 0, all_looks: 0, next_word: QUIET });
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
        let mut progress = lock(&progress);
        look_at_time(entry, &mut progress.long);
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

    fn look_at_time(entry: &mut Entry, long: &mut Long) {
        entry.all_looks = entry.all_looks.saturating_add(1);
        let spent = INTERVAL * entry.all_looks;
        if long.is_over {
            return;
        }
        let (what, (states, games)) = (&long.what, long.counts);
        if spent >= long.time {
            long.is_over = true;
            let time = long.time;
            say(&format!(
                "checked {what} for {time:?}, and stopped (`time`): {states} states and {games} games"
            ));
        } else if spent >= entry.next_word && !what.is_empty() {
            entry.next_word *= 2;
            let most = match long.time {
                Duration::MAX => String::new(),
                time => format!(", at most {time:?} (`time`)"),
            };
            say(&format!("checking {what} for {spent:?}{most}: {states} states and {games} games so far"));
        }
    }

    /// Writes to the stream directly, because a test captures the output of `eprintln`.
    fn say(text: &str) {
        let _ = std::io::stderr().write_all(format!("\nramure-rules: {text}\n").as_bytes());
    }

    fn end_the_process(call: &str, progress: &Progress) -> ! {
        let (played, patience) = (progress.line_text(), progress.patience);
        say(&format!(
            "{call} has not returned for {patience:?}, after {played}; the process ends here, since a call cannot be stopped"
        ));
        std::process::exit(101)
    }
}
