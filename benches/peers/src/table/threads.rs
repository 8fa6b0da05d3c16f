//! The table of the searches with threads: one thread and two.

use super::{Row, Spread, digits, ratio, with_spaces};

/// Prints a line for each row with two threads, next to its row with one, which `alike` names.
pub fn print(rows: &[Row], sizes: &[u64]) {
    print!("| search | settings |");
    for &size in sizes {
        print!(" {} iterations: one thread, Mit/s | two threads | ratio |", with_spaces(size));
    }
    println!(" two threads find wins and threats |");
    println!("|---|---|{}---|", "---:|---:|---:|".repeat(sizes.len()));
    for row in rows {
        let one = rows.iter().find(|other| other.peer.name == row.peer.alike);
        let Some(one) = one.filter(|one| one.peer.name != row.peer.name) else { continue };
        print!("| {} | {} |", row.title(), row.peer.note);
        for (size, column) in row.columns.iter().enumerate() {
            let speeds = [&one.columns[size], column]
                .map(|column| digits(Spread::of(column.speeds.iter().map(|speed| speed / 1e6)).middle()));
            print!(" {} | {} |", speeds.join(" | "), ratio(row, one, size).with_range());
        }
        println!(" {} |", row.verdict());
    }
}
