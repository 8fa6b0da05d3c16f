//! Ranges of values in words.

use core::fmt::Display;
use core::ops::{Bound, RangeBounds};

/// Describes a range, as in `a number, at least 0`.
pub(super) fn words<T: Display>(what: &str, range: &impl RangeBounds<T>) -> String {
    let most = match range.end_bound() {
        Bound::Included(most) => Some(format!("at most {most}")),
        Bound::Excluded(most) => Some(format!("below {most}")),
        Bound::Unbounded => None,
    };
    let and = most.iter().map(|most| format!(" and {most}")).collect::<String>();
    match (range.start_bound(), range.end_bound()) {
        (Bound::Included(least), Bound::Included(most)) => format!("{what} from {least} to {most}"),
        (Bound::Included(least), _) => format!("{what}, at least {least}{and}"),
        (Bound::Excluded(least), _) => format!("{what} above {least}{and}"),
        (Bound::Unbounded, _) => most.map_or(what.to_owned(), |most| format!("{what}, {most}")),
    }
}

#[cfg(test)]
mod tests {
    use super::words;
    use core::ops::Bound;

    #[test]
    fn every_kind_of_range_is_described() {
        assert_eq!(words::<u64>("a number", &(1..)), "a number, at least 1");
        assert_eq!(words("a number", &(0.0..=1.0)), "a number from 0 to 1");
        let half_open = (Bound::Excluded(0.0), Bound::Included(1.0));
        assert_eq!(words("a number", &half_open), "a number above 0 and at most 1");
        assert_eq!(words("a number", &(0..10)), "a number, at least 0 and below 10");
        assert_eq!(words("a number", &(..0.5)), "a number, below 0.5");
        assert_eq!(words::<u64>("a number", &(..)), "a number");
    }
}
