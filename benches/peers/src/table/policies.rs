//! ramure with other policies, beside itself.

use super::{Row, digits, ratio, with_spaces};

/// Prints the rows; the first is what the others are compared with.
pub fn print(rows: &[Row], sizes: &[u64]) {
    print!("| policies |");
    for &size in sizes {
        let size = with_spaces(size);
        print!(
            " {size} iterations: Mit/s | takes times as long | mean depth | bytes per iteration | per node |"
        );
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
