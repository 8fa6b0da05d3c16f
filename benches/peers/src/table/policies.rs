//! The table that compares ramure with itself under other policies.

use super::{Row, digits, ratio, with_spaces};

/// Prints the rows. The others are compared with the first.
pub fn print(rows: &[Row], sizes: &[u64]) {
    print!("| policies |");
    for &size in sizes {
        let size = with_spaces(size);
        print!(" {size} iterations: Mit/s | relative time | mean depth | bytes per iteration | per node |");
    }
    println!(" finds wins and threats |");
    println!("|---|{}---|", "---:|---:|---:|---:|---:|".repeat(sizes.len()));
    for row in rows {
        print!("| {} |", row.peer.note);
        for (index, column) in row.columns.iter().enumerate() {
            let size = column.size;
            print!(
                " {} | {} |",
                digits(column.speed().middle() / 1e6),
                ratio(&rows[0], row, index).with_range()
            );
            print!(
                " {} | {} | {} |",
                digits(size.mean_depth),
                digits(size.bytes),
                digits(size.bytes_per_node)
            );
        }
        println!(" {} |", row.verdict());
    }
}
