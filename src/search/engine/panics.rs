//! A panic of the game or a policy on a thread that simulates for a search: the error of the leaf, in place of
//! its rewards. A panic on the thread that runs the search goes on to the caller, as does one of the observer.

use crate::custom_error::BoxError;
use core::any::Any;

/// Returns the error for what a panic carried.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> BoxError {
    let text = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    format!("the game or a policy panicked: {}", text.unwrap_or("without a message")).into()
}
