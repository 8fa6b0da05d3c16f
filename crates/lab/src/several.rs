//! Helpers for several things at once: write them as one text, and find the least and the greatest.

use core::fmt::Display;

/// Writes all items with this text between them.
pub(crate) fn joined(items: impl IntoIterator<Item: Display>, between: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(between)
}

/// Returns the least and the greatest of the values; infinities if there are none.
pub(crate) fn extent(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    values.into_iter().fold(ends, |(least, greatest), value| (least.min(value), greatest.max(value)))
}
