//! What becomes of a panic of the game or a policy in a run on several threads: an error of the run. No
//! thread waits for one that panicked, and what the trees found before stays.
//!
//! - While a tree iterates (`Member::iterate_at` in `forest/crew.rs`), it takes back the visits that have no
//!   rewards, and tells the error with the next exchange.
//! - While it exchanges (`gather` and `exchange` there), it is *broken*: it takes part in no further
//!   exchange, and another tree joins in its place (`Grove::mend` in `forest/mod.rs`).
//! - Anywhere else on a thread (`Desk::perform` in `forest/crew.rs`), the trees may disagree afterwards. So
//!   the next run keeps only what the first one has (`Grove::agree`).
//! - While a thread simulates a leaf of a window (`window/workers.rs`), the leaf has the error in place of
//!   rewards.
//!
//! A panic of the observer is not one of the search, and goes on to the caller.

use crate::custom_error::BoxError;
use crate::run::error::SearchError;
use crate::run::line_of_play::LineOfPlay;
use core::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the error for what a panic carried.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> BoxError {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    format!("the game or a policy panicked: {}", text.unwrap_or("without a message")).into()
}

/// Returns the error of the search for a panic at this ply.
pub(crate) fn panicked_at(panic: &(dyn Any + Send), ply: u32) -> SearchError {
    SearchError::Failed { error: panicked(panic).into(), ply, line: LineOfPlay::default() }
}

/// Does `work`. A panic is an error at the root of the search.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, SearchError>) -> Result<T, SearchError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked_at(&*panic, 0)))
}
