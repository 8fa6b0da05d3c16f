//! Work on several threads.

use super::TrainError;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `count` pieces of work on some threads. Returns the results in their order, or the first error in it.
pub(crate) fn side_by_side<T: Send>(
    threads: NonZero<usize>,
    count: usize,
    work: &(dyn Fn(usize) -> Result<T, TrainError> + Sync),
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<T>, TrainError> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<Result<T, TrainError>>>> = Mutex::new((0..count).map(|_| None).collect());
    thread::scope(|scope| {
        for _ in 0..threads.get().min(count) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let result = work(number);
                    if result.is_err() {
                        next.store(count, Ordering::Relaxed); // the others are of no use
                    }
                    results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(result);
                    progress(1 + done.fetch_add(1, Ordering::Relaxed));
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    // After an error, later results may be missing, but none before it that was begun.
    results.into_iter().flatten().collect()
}
