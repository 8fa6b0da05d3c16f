//! Many things in one line.

use core::fmt::Debug;

/// Values in a row; of many, those at both ends.
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
