//! What was found, and how numbers are shown. The tables have a file each.

mod growth;
mod json;
mod peers;
mod policies;

pub use growth::print as print_growth;
pub use json::write as write_json;
pub use peers::{print as print_peers, print_best};
pub use policies::print as print_policies;

use crate::peer::Peer;

/// What was found about a peer.
pub struct Row {
    pub peer: &'static Peer,
    pub version: String,
    /// For each number of iterations.
    pub columns: Vec<Column>,
    /// Whether it found the wins and threats; else what it did.
    pub verdict: Result<(), String>,
    /// The last run that did not end well.
    pub failure: Option<String>,
}

/// What was found about a peer with one number of iterations.
#[derive(Clone)]
pub struct Column {
    /// Iterations per second, a number for each round; not a number if the run failed.
    pub speeds: Vec<f64>,
    pub size: Size,
}

impl Column {
    fn speed(&self) -> Spread {
        Spread::of(self.speeds.iter().copied())
    }
}

/// How big a tree was; what a search does not tell is not a number.
#[derive(Clone, Copy)]
pub struct Size {
    /// Bytes per iteration.
    pub bytes: f64,
    /// Bytes per node, all that the search asked for.
    pub bytes_per_node: f64,
    /// How many actions after the root an iteration left the tree, on average.
    pub mean_depth: f64,
}

impl Row {
    pub fn new(peer: &'static Peer, version: String, sizes: usize) -> Self {
        let size = Size { bytes: f64::NAN, bytes_per_node: f64::NAN, mean_depth: f64::NAN };
        let column = Column { speeds: Vec::new(), size };
        Row { peer, version, columns: vec![column; sizes], verdict: Ok(()), failure: None }
    }

    /// Its package, and which version.
    fn title(&self) -> String {
        format!("{} {}", self.peer.package, self.version).trim().to_owned()
    }

    /// `yes` if it found the wins and threats; what went wrong, if anything did.
    fn verdict(&self) -> String {
        let verdict = self.verdict.as_ref().map_or_else(String::as_str, |()| "yes");
        let failure =
            self.failure.as_ref().map_or(String::new(), |failure| format!("; **failed**: {failure}"));
        format!("{verdict}{failure}")
    }
}

/// By how much one is faster than another, in each round.
fn ratio(faster: &Row, slower: &Row, size: usize) -> Spread {
    let speeds = faster.columns[size].speeds.iter().zip(&slower.columns[size].speeds);
    Spread::of(speeds.map(|(faster, slower)| faster / slower))
}

/// Numbers in order.
struct Spread(Vec<f64>);

impl Spread {
    fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut numbers: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
        numbers.sort_by(f64::total_cmp);
        Spread(numbers)
    }

    fn middle(&self) -> f64 {
        let count = self.0.len();
        if count == 0 { f64::NAN } else { (self.0[(count - 1) / 2] + self.0[count / 2]) / 2.0 }
    }

    fn with_range(&self) -> String {
        match (self.0.first(), self.0.last()) {
            (Some(&least), Some(&most)) if most > least => {
                format!("{} ({} to {})", digits(self.middle()), digits(least), digits(most))
            }
            _ => digits(self.middle()),
        }
    }
}

/// Three digits, or as many as there are before the point.
fn digits(number: f64) -> String {
    match number {
        _ if number.is_nan() => "-".into(),
        100.0.. => format!("{number:.0}"),
        10.0..100.0 => format!("{number:.1}"),
        1.0..10.0 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// `1000000` as `1 000 000`.
fn with_spaces(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let numbers = [0.1049, 1.304, 12.34, 329.4, f64::NAN];
        assert_eq!(numbers.map(digits), ["0.105", "1.30", "12.3", "329", "-"]);
        assert_eq!([7, 1_000, 1_000_000].map(with_spaces), ["7", "1 000", "1 000 000"]);
    }

    #[test]
    fn the_middle_of_what_is_a_number() {
        let spread = |numbers: &[f64]| Spread::of(numbers.iter().copied()).with_range();
        assert_eq!(spread(&[3.0, 1.0, f64::NAN, 2.0]), "2.00 (1.00 to 3.00)");
        assert_eq!(spread(&[1.0, 2.0]), "1.50 (1.00 to 2.00)");
        assert_eq!(spread(&[4.0]), "4.00");
        assert_eq!(spread(&[]), "-");
    }
}
