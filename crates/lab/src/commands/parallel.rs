//! Work spread over threads and ranks, with the same results for any number of them.

use crate::Failure;
use crate::ranks::{Jobs, RanksError, cores, is_first, on_first, perform};
use clap::Args;
use core::ops::ControlFlow;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The options of every program whose results depend on a seed, but not on the number of threads.
#[derive(Clone, Copy, Args)]
pub struct Work {
    /// Set the seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Use N threads; the results are the same for any N, if no agent has a time limit [default: one per
    /// core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

impl Work {
    /// The number of threads to use.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

/// Returns the results of `work` for 0, 1, ... below `count`, in this order. Each thread takes the next free
/// argument. Within [`ranks::run`](crate::ranks::run), so do the threads of all ranks, and all ranks return
/// all results.
///
/// `work` must depend only on its argument. Then the results are the same for any number of threads and
/// ranks. After a failure, no thread takes a new argument.
///
/// # Errors
///
/// Returns the failure with the smallest argument among those that happened.
///
/// # Panics
///
/// If `work` panics, panics with the same message.
pub fn try_map<T: Serialize + DeserializeOwned + Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    let done = results(threads, count, work, &mut |_| ())?;
    on_first("results of an experiment", || done.into_iter().collect())
}

/// Does as [`try_map`], but only the first rank gets the results; the others return `None`. Calls `progress`
/// there with the number of results so far.
///
/// # Errors
///
/// Returns the failure of `work` with the smallest argument among those that happened, on the first rank
/// alone. End the program with it; [`ranks::run`](crate::ranks::run) then ends the others.
///
/// # Panics
///
/// If `work` panics, panics with the same message.
pub fn try_gather<T: Serialize + DeserializeOwned + Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> Result<T, Failure> + Sync,
    progress: &mut dyn FnMut(usize),
) -> Result<Option<Vec<T>>, Failure> {
    let done = results(threads, count, work, progress)?;
    if is_first() { done.into_iter().collect::<Result<_, _>>().map(Some) } else { Ok(None) }
}

/// Returns the results that the first rank has got until the first failure, in the order of their arguments.
fn results<T: Serialize + DeserializeOwned + Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> Result<T, Failure> + Sync,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Result<T, Failure>>, RanksError> {
    let mut done = Vec::new();
    let jobs = Jobs {
        what: "jobs of an experiment",
        threads: threads.clamp(1, count.max(1)),
        job: &|number, _| Some(work(number)),
        is_stopped: &|| false,
    };
    perform(&jobs, &mut (0..count), &mut |number, result| {
        let has_failed = result.is_err();
        done.push((number, result));
        progress(done.len());
        if has_failed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    done.sort_by_key(|(number, _)| *number);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}
