//! The grammar `word:value,name=value,..`, and the kinds of values.

use super::error::ReadError;
use core::time::Duration;
use ramure::{Budget, Bytes, GameClock};

/// The parts of a text.
#[derive(Debug)]
pub(super) struct Parts {
    /// The word before the colon.
    pub word: String,
    /// The value without a name after the colon.
    pub first: Option<String>,
    /// Names and values, each name once.
    pub named: Vec<(String, String)>,
}

/// Returns the text of a search or agent with one more parameter, such as `expand=4`.
pub fn with_parameter(text: &str, parameter: &str) -> String {
    let joint = if text.contains(':') { ',' } else { ':' };
    format!("{text}{joint}{parameter}")
}

/// Returns the text of a search, or of an agent with a search, with `solver=no`. A text that sets `solver`, or
/// a `backprop` other than `average`, which proves nothing by default, stays as it is.
pub fn without_proofs(text: &str) -> String {
    let says_more = text.split([':', ',']).map(str::trim).any(|part| {
        part.starts_with("solver=") || part.starts_with("backprop=") && part != "backprop=average"
    });
    if says_more { text.to_owned() } else { with_parameter(text, "solver=no") }
}

/// Splits a text into its parts. The word may be empty.
pub(super) fn split(text: &str) -> Result<Parts, ReadError> {
    let (word, rest) = text.split_once(':').unwrap_or((text, ""));
    let mut parts = Parts { word: word.trim().to_owned(), first: None, named: Vec::new() };
    for part in rest.split(',').filter(|_| !rest.trim().is_empty()) {
        let nothing =
            || ReadError::Nothing { part: if part.trim().is_empty() { rest } else { part }.trim().into() };
        match part.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
            Some(("", _) | (_, "")) => return Err(nothing()),
            Some((name, value)) => match parts.named.iter().find(|(other, _)| other == name) {
                Some((_, first)) => {
                    let text = |value: &str| format!("{name}={value}");
                    return Err(ReadError::Twice { first: text(first), second: text(value) });
                }
                None => parts.named.push((name.into(), value.into())),
            },
            None if part.trim().is_empty() => return Err(nothing()),
            None => match &parts.first {
                Some(first) => {
                    return Err(ReadError::Twice { first: first.clone(), second: part.trim().into() });
                }
                None => parts.first = Some(part.trim().into()),
            },
        }
    }
    Ok(parts)
}

/// Reads a whole number, which may be written as `1e6` or `10k`.
pub(super) fn count(text: &str) -> Option<u64> {
    if let Ok(count) = text.parse() {
        return Some(count);
    }
    let scales = [("k", 3), ("M", 6), ("G", 9)];
    let scaled = scales.iter().find_map(|&(end, zeros)| Some((text.strip_suffix(end)?, zeros)));
    // Not as a product, which may be rounded.
    let count = number(&scaled.map_or_else(|| text.into(), |(digits, zeros)| format!("{digits}e{zeros}")))?;
    // Above 2^53, an `f64` cannot represent every whole number.
    (count.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&count)).then_some(count as u64)
}

/// Reads a finite number.
pub(super) fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Writes a number as in names, so that it reads back as the same number.
pub(super) fn written(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The longest time for an action: a day.
const LONGEST: Duration = Duration::from_secs(86_400);

/// Reads a time above 0 and at most a day. `Debug` of the result reads back as the same time.
pub(super) fn time(text: &str) -> Option<Duration> {
    let units = [("ms", 1e3), ("µs", 1e6), ("us", 1e6), ("ns", 1e9), ("s", 1.0)];
    let (digits, per_second) = units.iter().find_map(|&(end, per)| Some((text.strip_suffix(end)?, per)))?;
    let time = Duration::try_from_secs_f64(number(digits)? / per_second).ok()?;
    (!time.is_zero() && time <= LONGEST).then_some(time)
}

/// A count, a time, or both joined by `+`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Limit {
    pub count: Option<u64>,
    pub time: Option<Duration>,
}

impl Limit {
    /// `None` if the text cannot be read, is zero, or has two counts or two times.
    pub fn read(text: &str) -> Option<Self> {
        let mut limit = Limit::default();
        for part in text.split('+').map(str::trim) {
            let (count, time) = (count(part).filter(|&count| count > 0), time(part));
            let contradicts = count.and(limit.count).is_some() || time.and(limit.time).is_some();
            if contradicts || (count, time) == (None, None) {
                return None;
            }
            limit = Limit { count: count.or(limit.count), time: time.or(limit.time) };
        }
        Some(limit)
    }

    pub fn written(&self) -> String {
        let (count, time) = (self.count.map(|n| n.to_string()), self.time.map(|time| format!("{time:?}")));
        Vec::from_iter(count.into_iter().chain(time)).join("+")
    }

    /// The budget, with the count as iterations.
    pub fn budget(&self) -> Budget {
        let budget = self.count.map_or(Budget::until_stopped(), Budget::iterations);
        self.time.map_or(budget, |time| budget.and_time(time))
    }
}

/// A time control: a time for the whole game, or for each of some moves, and an increment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TimeControl {
    /// The moves for which the time is given again and again; `None` if it is for the whole game.
    pub moves: Option<u32>,
    pub time: Duration,
    pub increment: Duration,
}

impl TimeControl {
    /// Reads `10s`, `10s+100ms`, `40/10s` or `40/10s+100ms`.
    pub fn read(text: &str) -> Option<Self> {
        let (moves, times) = match text.split_once('/') {
            Some((moves, times)) => {
                let moves = count(moves.trim()).and_then(|moves| u32::try_from(moves).ok());
                (Some(moves.filter(|&moves| moves > 0)?), times)
            }
            None => (None, text),
        };
        let (first, increment) = match times.split_once('+') {
            Some((first, increment)) => (first, time(increment.trim())?),
            None => (times, Duration::ZERO),
        };
        Some(TimeControl { moves, time: time(first.trim())?, increment })
    }

    pub fn written(&self) -> String {
        let moves = self.moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let increment = Some(self.increment).filter(|increment| !increment.is_zero());
        let increment = increment.map_or_else(String::new, |increment| format!("+{increment:?}"));
        format!("{moves}{:?}{increment}", self.time)
    }

    /// The clock at the start of a game.
    pub fn clock(&self) -> GameClock {
        let clock = GameClock::new(self.time).increment(self.increment);
        self.moves.map_or(clock, |moves| clock.periods(moves, self.time))
    }
}

const UNITS: [(&str, Bytes); 3] = [("GiB", Bytes::gib(1)), ("MiB", Bytes::mib(1)), ("KiB", Bytes::kib(1))];

/// Reads a number of bytes with a unit.
pub(super) fn bytes(text: &str) -> Option<Bytes> {
    let (digits, unit) = UNITS.iter().find_map(|&(end, unit)| Some((text.strip_suffix(end)?, unit)))?;
    let bytes = number(digits.trim())? * unit.0 as f64;
    (bytes.fract() == 0.0 && bytes > 0.0 && bytes < usize::MAX as f64).then_some(Bytes(bytes as usize))
}

/// Writes bytes in the greatest unit in which they are a whole number.
pub(super) fn written_bytes(bytes: Bytes) -> String {
    let unit = UNITS.iter().find(|(_, unit)| bytes.0.is_multiple_of(unit.0));
    match unit {
        Some((name, unit)) => format!("{}{name}", bytes.0 / unit.0),
        None => format!("{}KiB", written(bytes.0 as f64 / 1024.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Limit, TimeControl, bytes, count, number, split, time, written, written_bytes};
    use core::time::Duration;
    use proptest::prelude::*;

    #[test]
    fn counts_are_written_in_several_ways() {
        for (text, expected) in [
            ("0", Some(0)),
            ("384", Some(384)),
            ("18446744073709551615", Some(u64::MAX)),
            ("1e6", Some(1_000_000)),
            ("10k", Some(10_000)),
            ("1.5k", Some(1_500)),
            ("16.1k", Some(16_100)),
            ("8.2M", Some(8_200_000)),
            ("2M", Some(2_000_000)),
            ("1G", Some(1_000_000_000)),
            ("1.5", None),
            ("-3", None),
            ("1e300", None),
            ("nan", None),
            ("k", None),
            ("", None),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn proofs_are_left_out_of_texts_that_would_prove() {
        for (text, expected) in [
            ("ucb1", "ucb1:solver=no"),
            ("mcts:100,c=1", "mcts:100,c=1,solver=no"),
            ("ucb1:backprop=average", "ucb1:backprop=average,solver=no"),
            ("ucb1:backprop=max", "ucb1:backprop=max"),
            ("ucb1:solver=yes", "ucb1:solver=yes"),
        ] {
            assert_eq!(super::without_proofs(text), expected);
        }
    }

    #[test]
    fn times_have_a_unit_and_are_not_empty() {
        for (text, expected) in [
            ("100ms", Some(Duration::from_millis(100))),
            ("1.5s", Some(Duration::from_millis(1_500))),
            ("90us", Some(Duration::from_micros(90))),
            ("90µs", Some(Duration::from_micros(90))),
            ("86400s", Some(Duration::from_secs(86_400))),
            ("86401s", None),
            ("0ms", None),
            ("-1s", None),
            ("infs", None),
            ("100", None),
            ("ms", None),
        ] {
            assert_eq!(time(text), expected, "{text}");
        }
    }

    #[test]
    fn a_limit_names_each_kind_at_most_once() {
        for text in ["1+2", "1s+2s", "1+1s+2", "+", "", "1+", "0", "0+1s", "1+0s"] {
            assert_eq!(Limit::read(text), None, "{text}");
        }
        let both = Limit { count: Some(10_000), time: Some(Duration::from_millis(100)) };
        assert_eq!((Limit::read("10k+100ms"), Limit::read("100ms + 10k")), (Some(both), Some(both)));
    }

    #[test]
    fn a_time_control_has_one_time_and_may_have_moves_and_an_increment() {
        let second = Duration::from_secs(1);
        let tenth = Duration::from_millis(100);
        for (text, expected) in [
            ("10s", Some((None, 10 * second, Duration::ZERO))),
            ("10s+100ms", Some((None, 10 * second, tenth))),
            ("40/10s", Some((Some(40), 10 * second, Duration::ZERO))),
            (" 40 / 1s + 100ms", Some((Some(40), second, tenth))),
            ("10", None),
            ("0s", None),
            ("10s+0s", None),
            ("10s+1s+1s", None),
            ("0/10s", None),
            ("5e9/10s", None),
            ("/10s", None),
            ("40/", None),
            ("10s/40", None),
            ("-1s", None),
        ] {
            let expected = expected.map(|(moves, time, increment)| TimeControl { moves, time, increment });
            assert_eq!(TimeControl::read(text), expected, "{text}");
            let control = expected.map(|control| TimeControl::read(&control.written()));
            assert_eq!(control, expected.map(Some), "{text}");
        }
    }

    proptest! {
        #[test]
        fn written_text_is_read_back_unchanged(
            bits: u64, n in 1u64.., nanos in 1u64..=86_400_000_000_000, memory in 1usize..1 << 50,
        ) {
            let any = f64::from_bits(bits);
            prop_assert_eq!(number(&written(any)), any.is_finite().then_some(any));
            let limit = Limit { count: Some(n), time: Some(Duration::from_nanos(nanos)) };
            prop_assert_eq!(Limit::read(&limit.written()), Some(limit));
            let memory = ramure::Bytes(memory);
            prop_assert_eq!(bytes(&written_bytes(memory)), Some(memory));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in "[a-z0-9:=, .µ+-]{0,20}") {
            if let Ok(parts) = split(&text) {
                let values = parts.first.iter().chain(parts.named.iter().map(|(_, value)| value));
                values.for_each(|value| {
                    let _ = (Limit::read(value), bytes(value));
                });
            }
        }
    }
}
