//! The table of the time per iteration in searches of all sizes.

use super::{Row, Spread, digits, with_spaces};

/// The biggest search is compared with this number of iterations.
const SMALL: u64 = 100_000;

pub fn print(rows: &[Row], sizes: &[u64]) {
    print!("| search | settings |");
    for (index, &size) in sizes.iter().enumerate() {
        let unit = if index == 0 { " iterations: ns per iteration" } else { "" };
        print!(" {}{unit} |", with_spaces(size));
    }
    println!(" finds wins and threats |");
    println!("|---|---|{}---|", "---:|".repeat(sizes.len()));
    for row in rows {
        print!("| {} | {} |", row.title(), row.peer.note);
        for column in &row.columns {
            print!(" {} |", digits(1e9 / column.speed().middle()));
        }
        println!(" {} |", row.verdict());
    }
    if let (Some(small), Some(&most)) = (sizes.iter().position(|&size| size == SMALL), sizes.last()) {
        print_last(rows, sizes, small, most);
    }
}

/// Prints the time per iteration in the biggest search, relative to the small one.
fn print_last(rows: &[Row], sizes: &[u64], small: usize, most: u64) {
    let times = |row: &Row| {
        let speeds = row.columns[small].speeds.iter().zip(&row.columns[sizes.len() - 1].speeds);
        Spread::of(speeds.map(|(small, most)| small / most))
    };
    let measured = rows.iter().map(|row| (row, times(row))).filter(|(_, times)| !times.middle().is_nan());
    let told: Vec<_> =
        measured.map(|(row, times)| format!("{} {}", row.peer.package, times.with_range())).collect();
    if most > SMALL && !told.is_empty() {
        println!(
            "\nTime per iteration at {} iterations, relative to {}: {}.",
            with_spaces(most),
            with_spaces(SMALL),
            told.join(", ")
        );
    }
}
