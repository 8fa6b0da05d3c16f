//! The JSON of the program `peers`.

use crate::numbers::median;
use serde_json::Value;
use std::error::Error;

/// A search and its measurements.
pub struct Row {
    pub package: String,
    pub settings: String,
    pub columns: Vec<Column>,
}

/// The measurements with one number of iterations.
pub struct Column {
    pub iterations: u64,
    /// One number per round; NaN if there was no run.
    pub nanoseconds: Vec<f64>,
}

impl Column {
    /// Returns the median of the nanoseconds per iteration.
    pub fn median(&self) -> f64 {
        median(self.nanoseconds.iter().copied().filter(|number| number.is_finite()).collect())
    }

    /// Returns the time relative to `other`: the median of the ratios within a round.
    pub fn times(&self, other: &Column) -> f64 {
        let rounds = self.nanoseconds.iter().zip(&other.nanoseconds);
        median(rounds.map(|(this, other)| this / other).filter(|ratio| ratio.is_finite()).collect())
    }
}

pub fn read(text: &str) -> Result<Vec<Row>, Box<dyn Error>> {
    let all: Value = serde_json::from_str(text)?;
    all["rows"].as_array().ok_or("no rows")?.iter().map(row).collect()
}

fn row(row: &Value) -> Result<Row, Box<dyn Error>> {
    let text = |name: &str| row[name].as_str().map(str::to_owned).ok_or(format!("a row without {name}"));
    let columns = row["columns"].as_array().ok_or("a row without columns")?;
    Ok(Row {
        package: text("package")?,
        settings: text("settings")?,
        columns: columns.iter().map(column).collect::<Result<_, _>>()?,
    })
}

fn column(column: &Value) -> Result<Column, Box<dyn Error>> {
    let runs = column["ns_per_iteration"].as_array().ok_or("a column without times")?;
    Ok(Column {
        iterations: column["iterations"].as_u64().ok_or("a column without iterations")?,
        nanoseconds: runs.iter().map(|run| run.as_f64().unwrap_or(f64::NAN)).collect(),
    })
}
