//! Lists of values in one line of text.

use core::fmt::Debug;

/// The values in a row; of many, only those at both ends.
pub(super) fn list<T: Debug>(items: &[T]) -> String {
    list_by(items, |item| format!("{item:?}"))
}

/// The values in a row, each written by `text`.
pub(super) fn list_by<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    const ENDS: usize = 12;
    let text = |items: &[T]| items.iter().map(&text).collect::<Vec<_>>().join(", ");
    match items {
        [] => "none".to_owned(),
        _ if items.len() <= 3 * ENDS => text(items),
        _ => {
            let (first, last) = (&items[..ENDS], &items[items.len() - ENDS..]);
            format!("{}, ... {} more ..., {}", text(first), items.len() - 2 * ENDS, text(last))
        }
    }
}
