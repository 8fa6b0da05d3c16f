//! Work on several threads.

use super::TrainError;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `count` pieces of work on some threads. Returns the results in their order, or the first error in it.
/// A panic ends the other threads and goes on here.
pub(crate) fn side_by_side<T: Send>(
    threads: NonZero<usize>,
    count: usize,
    work: &(dyn Fn(usize) -> Result<T, TrainError> + Sync),
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<T>, TrainError> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results = Mutex::new(Vec::from_iter((0..count).map(|_| None)));
    let begin = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < count);
    let worker = || {
        while let Some(number) = begin() {
            let end = catch_unwind(AssertUnwindSafe(|| {
                let result = work(number);
                progress(1 + done.fetch_add(1, Ordering::Relaxed));
                result
            }));
            if !matches!(end, Ok(Ok(_))) {
                next.store(count, Ordering::Relaxed); // the others are of no use
            }
            results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(end);
        }
    };
    thread::scope(|scope| (0..threads.get().min(count)).for_each(|_| drop(scope.spawn(worker))));
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    // After an error, later results may be missing, but none before it that was begun.
    results.into_iter().flatten().map(|end| end.unwrap_or_else(|panic| resume_unwind(panic))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The other thread would do all of the work.
    #[test]
    fn a_panic_ends_the_other_threads() {
        let (begun, panics) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |number: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            if number == 0 {
                panics.store(1, Ordering::Relaxed);
                panic!("the first piece");
            }
            while panics.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_micros(100));
            Ok(())
        };
        let threads = NonZero::new(2).expect("not zero");
        let all = || side_by_side(threads, 1_000_000, &work, &|_| {});
        let panic = catch_unwind(AssertUnwindSafe(all)).expect_err("it panics");
        assert_eq!(panic.downcast_ref(), Some(&"the first piece"));
        assert!(begun.into_inner() < 100_000);
    }
}
