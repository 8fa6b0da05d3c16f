//! Lists of values in one line of text.

use core::fmt::Debug;

/// The values in a row; of many, only those at both ends.
pub(super) fn list<T: Debug>(items: &[T]) -> String {
    const ENDS: usize = 12;
    let text = |items: &[T]| items.iter().map(|item| format!("{item:?}")).collect::<Vec<_>>().join(", ");
    match items {
        [] => "none".to_owned(),
        _ if items.len() <= 3 * ENDS => text(items),
        _ => {
            let (first, last) = (&items[..ENDS], &items[items.len() - ENDS..]);
            format!("{}, ... {} more ..., {}", text(first), items.len() - 2 * ENDS, text(last))
        }
    }
}
