//! Work spread over threads, with the same results for any number of threads.

use clap::Args;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The options of every program whose results depend on a seed, but not on the number of threads.
#[derive(Clone, Copy, Args)]
pub struct Work {
    /// Set the seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Use N threads; the results are the same for any N, if no agent has a time limit [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

impl Work {
    /// The number of threads to use.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

/// The number of threads that the machine can run at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the results of `work` for 0, 1, ... below `count`, in this order. Each thread takes the next free argument.
///
/// `work` must depend only on its argument. Then the results are the same for any number of threads. After a failure, no
/// thread takes a new argument.
///
/// # Errors
///
/// Returns the failure with the smallest argument among those that happened.
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
