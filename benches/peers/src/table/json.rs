//! The same as JSON, with the number of every run.

use super::Row;
use serde_json::{Value, json};
use std::path::Path;

/// Writes the rows into a file. Unknown values are `null`.
pub fn write(file: &Path, table: &str, clock: &str, rows: &[Row], sizes: &[u64]) -> Result<(), String> {
    let rows: Vec<_> = rows.iter().map(|row| self::row(row, sizes)).collect();
    let all = json!({ "table": table, "clock": clock, "rows": rows });
    std::fs::write(file, format!("{all:#}\n")).map_err(|error| format!("{}: {error}", file.display()))
}

fn row(row: &Row, sizes: &[u64]) -> Value {
    let columns = sizes.iter().zip(&row.columns).map(|(iterations, column)| {
        let nanoseconds: Vec<f64> = column.speeds.iter().map(|speed| 1e9 / speed).collect();
        json!({
            "iterations": iterations,
            "ns_per_iteration": nanoseconds,
            "bytes_per_iteration": column.size.bytes,
            "bytes_per_node": column.size.bytes_per_node,
            "mean_depth": column.size.mean_depth,
        })
    });
    json!({
        "name": row.peer.name,
        "package": row.peer.package,
        "version": row.version,
        "settings": row.peer.note,
        "verdict": row.verdict(),
        "columns": columns.collect::<Vec<_>>(),
    })
}
