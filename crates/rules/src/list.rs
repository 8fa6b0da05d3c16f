//! Lists of values: in one line of text, and in order.

use core::fmt::Debug;

/// The values in a row; of many, only those at both ends.
pub(super) fn list<T: Debug>(items: &[T]) -> String {
    list_by(items, |item| format!("{item:?}"))
}

/// The values in a row, each written by `text`.
pub(super) fn list_by<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    in_a_row(items.len(), &|number| text(&items[number]))
}

/// So many texts in a row. This is compiled once, and not for each type of values.
fn in_a_row(count: usize, text: &dyn Fn(usize) -> String) -> String {
    const ENDS: usize = 12;
    let texts = |numbers: core::ops::Range<usize>| numbers.map(text).collect::<Vec<_>>().join(", ");
    match count {
        0 => "none".to_owned(),
        _ if count <= 3 * ENDS => texts(0..count),
        _ => {
            let (first, last) = (texts(0..ENDS), texts(count - ENDS..count));
            format!("{first}, ... {} more ..., {last}", count - 2 * ENDS)
        }
    }
}

/// The places of the keys in ascending order. Equal keys keep their order.
pub(super) fn order_of<K: Ord>(keys: &[K]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&one, &other| keys[one].cmp(&keys[other]));
    order
}
