//! The table, in Markdown.

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
    /// Bytes per iteration.
    pub bytes: f64,
}

impl Row {
    pub fn new(peer: &'static Peer, version: String, sizes: usize) -> Self {
        let column = Column { speeds: Vec::new(), bytes: f64::NAN };
        Row { peer, version, columns: vec![column; sizes], verdict: Ok(()), failure: None }
    }
}

/// Prints the rows; the first is what the others are compared with.
pub fn print(rows: &[Row], sizes: &[u64]) {
    print!("| search | settings |");
    for &size in sizes {
        print!(" {} iterations: Mit/s | ramure is faster by | alike | bytes |", with_spaces(size));
    }
    println!(" finds wins and threats |");
    println!("|---|---|{}---|", "---:|---:|---:|---:|".repeat(sizes.len()));
    for row in rows {
        print!("| {} {} | {} |", row.peer.package, row.version, row.peer.note);
        for (size, column) in row.columns.iter().enumerate() {
            let speed = Spread::of(column.speeds.iter().map(|speed| speed / 1e6));
            let alike = rows.iter().find(|other| other.peer.name == row.peer.alike);
            let alike = alike.map_or(f64::NAN, |alike| ratio(alike, row, size).middle());
            let ratio = ratio(&rows[0], row, size).with_range();
            print!(" {} | {ratio} | {} | {} |", digits(speed.middle()), digits(alike), digits(column.bytes));
        }
        let verdict = row.verdict.as_ref().map_or_else(String::as_str, |()| "yes");
        let failure =
            row.failure.as_ref().map_or(String::new(), |failure| format!("; **failed**: {failure}"));
        println!(" {verdict}{failure} |");
    }
}

/// Prints by how much ramure is faster than the fastest right row of each peer.
pub fn print_best(rows: &[Row], sizes: &[u64]) {
    let mut packages: Vec<_> = rows.iter().map(|row| row.peer.package).collect();
    packages.dedup();
    for (size, &iterations) in sizes.iter().enumerate() {
        let best = packages[1..].iter().map(|&package| {
            let right = rows.iter().filter(|row| row.peer.package == package && row.verdict.is_ok());
            let ratios = right.map(|row| ratio(&rows[0], row, size).middle());
            format!("{package} {}", digits(ratios.fold(f64::NAN, f64::min)))
        });
        let best: Vec<_> = best.collect();
        println!(
            "\nAgainst the best of each at {} iterations: {}.",
            with_spaces(iterations),
            best.join(", ")
        );
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
