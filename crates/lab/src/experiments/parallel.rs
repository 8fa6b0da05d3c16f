//! Work spread over threads, with results that do not depend on how many there are.

use clap::Args;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The options of every program whose results a seed fixes, whatever the number of threads.
#[derive(Clone, Copy, Args)]
pub struct Work {
    /// Fixes all that is random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Threads to work on; the results are the same for any number, if nobody looks at the clock [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

impl Work {
    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

/// As many threads as the machine can run at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// What `work` gives for 0, 1, ... below `count`, in this order; each thread takes the next one that nobody has.
///
/// `work` must depend on its argument alone: then the results are the same for any number of threads. Once it has failed,
/// nothing new is begun.
///
/// # Errors
///
/// The failure with the smallest argument among those that happened.
pub fn try_map<T: Send, E: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let one_thread = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let result = work(index);
            if result.is_err() {
                next.store(count, Ordering::Relaxed);
            }
            done.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            scope.spawn(one_thread);
        }
        one_thread();
    });
    let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
