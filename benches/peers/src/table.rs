//! The results of the peers, and the format of numbers. Each table has a file of its own.

mod growth;
mod json;
mod peers;
mod policies;
mod threads;

pub use growth::print as print_growth;
pub use json::write as write_json;
pub use peers::{print as print_peers, print_best};
pub use policies::print as print_policies;
pub use threads::print as print_threads;

use crate::peer::Peer;

/// The results of a peer.
pub struct Row {
    pub peer: &'static Peer,
    pub version: String,
    /// For each number of iterations.
    pub columns: Vec<Column>,
    /// Whether the peer found the wins and threats; otherwise the columns that it played.
    pub verdict: Result<(), String>,
    /// The last run that failed.
    pub failure: Option<String>,
}

/// The results of a peer with one number of iterations.
#[derive(Clone)]
pub struct Column {
    /// Iterations per second, one number per round; NaN if the run failed.
    pub speeds: Vec<f64>,
    pub size: Size,
}

impl Column {
    fn speed(&self) -> Spread {
        Spread::of(self.speeds.iter().copied())
    }
}

/// The size of a tree. Numbers that a search does not report are NaN.
#[derive(Clone, Copy)]
pub struct Size {
    /// Bytes per iteration.
    pub bytes: f64,
    /// Bytes per node, counting all memory that the search allocated.
    pub bytes_per_node: f64,
    /// The mean number of actions from the root to the leaf of an iteration.
    pub mean_depth: f64,
}

impl Row {
    pub fn new(peer: &'static Peer, version: String, sizes: usize) -> Self {
        let size = Size { bytes: f64::NAN, bytes_per_node: f64::NAN, mean_depth: f64::NAN };
        let column = Column { speeds: Vec::new(), size };
        Row { peer, version, columns: vec![column; sizes], verdict: Ok(()), failure: None }
    }

    /// The package and its version.
    fn title(&self) -> String {
        format!("{} {}", self.peer.package, self.version).trim().to_owned()
    }

    /// `yes` if the peer found the wins and threats, and the failure if there was one.
    fn verdict(&self) -> String {
        let verdict = self.verdict.as_ref().map_or_else(String::as_str, |()| "yes");
        let failure =
            self.failure.as_ref().map_or(String::new(), |failure| format!("; **failed**: {failure}"));
        format!("{verdict}{failure}")
    }
}

/// The ratio of the speeds of two rows, in each round.
fn ratio(faster: &Row, slower: &Row, size: usize) -> Spread {
    let speeds = faster.columns[size].speeds.iter().zip(&slower.columns[size].speeds);
    Spread::of(speeds.map(|(faster, slower)| faster / slower))
}

/// Numbers in ascending order.
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

/// Three significant digits, or all digits before the point.
fn digits(number: f64) -> String {
    match number {
        _ if !number.is_finite() => "-".into(),
        10_000.0.. => with_spaces(number.round() as u64),
        100.0.. => format!("{number:.0}"),
        10.0..100.0 => format!("{number:.1}"),
        1.0..10.0 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// `1000000` as `1 000 000`, and `1000` as it is.
fn with_spaces(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len() > 4 && (digits.len() - index).is_multiple_of(3) {
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
        assert_eq!([7, 1_000, 1_000_000].map(with_spaces), ["7", "1000", "1 000 000"]);
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
