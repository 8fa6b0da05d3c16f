//! The table that compares ramure with other searches.

use super::{Row, Spread, digits, ratio, with_spaces};

/// Prints the rows. The others are compared with the first.
pub fn print(rows: &[Row], sizes: &[u64]) {
    print!("| search | settings |");
    for &size in sizes {
        print!(" {} iterations: Mit/s | ramure is faster by | alike | bytes |", with_spaces(size));
    }
    println!(" finds wins and threats |");
    println!("|---|---|{}---|", "---:|---:|---:|---:|".repeat(sizes.len()));
    for row in rows {
        print!("| {} | {} |", row.title(), row.peer.note);
        for (size, column) in row.columns.iter().enumerate() {
            let speed = Spread::of(column.speeds.iter().map(|speed| speed / 1e6));
            let alike = rows.iter().find(|other| other.peer.name == row.peer.alike);
            let alike = alike.map_or(f64::NAN, |alike| ratio(alike, row, size).middle());
            let ratio = ratio(&rows[0], row, size).with_range();
            print!(
                " {} | {ratio} | {} | {} |",
                digits(speed.middle()),
                digits(alike),
                digits(column.size.bytes)
            );
        }
        println!(" {} |", row.verdict());
    }
}

/// Prints the speed of ramure relative to the fastest row of each peer that finds the wins and threats.
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
            "\nSpeed of ramure relative to the best row of each peer, at {} iterations: {}.",
            with_spaces(iterations),
            best.join(", ")
        );
    }
}
