//! The results in criterion's folder.

use serde_json::Value;
use std::error::Error;
use std::path::Path;

/// One bench.
pub struct Bench {
    group: String,
    /// Empty if the bench only has a parameter.
    function: String,
    parameter: String,
    /// The number of elements that the throughput counts.
    pub elements: f64,
    /// The median time.
    pub nanoseconds: f64,
}

impl Bench {
    pub fn per_element(&self) -> f64 {
        self.nanoseconds / self.elements
    }
}

/// All benches.
pub struct Benches(Vec<Bench>);

impl Benches {
    /// Reads all benches in the folder and in its subfolders.
    pub fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut benches = Benches(Vec::new());
        benches.look_into(folder)?;
        Ok(benches)
    }

    fn look_into(&mut self, folder: &Path) -> Result<(), Box<dyn Error>> {
        let bench = folder.join("new/benchmark.json");
        if bench.exists() {
            let names = json(&bench)?;
            let text = |name: &str| names[name].as_str().unwrap_or_default().to_owned();
            let median = json(&folder.join("new/estimates.json"))?["median"]["point_estimate"].as_f64();
            self.0.push(Bench {
                group: text("group_id"),
                function: text("function_id"),
                parameter: text("value_str"),
                elements: names["throughput"]["Elements"].as_f64().unwrap_or(f64::NAN),
                nanoseconds: median.ok_or(format!("{}: no median", folder.display()))?,
            });
        }
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                self.look_into(&path)?;
            }
        }
        Ok(())
    }

    /// Returns the bench with these names. `function` is empty if the bench only has a parameter.
    pub fn find(&self, group: &str, function: &str, parameter: &str) -> Option<&Bench> {
        let is_it = |bench: &&Bench| {
            [&bench.group, &bench.function, &bench.parameter] == [group, function, parameter]
        };
        self.0.iter().find(is_it)
    }

    /// Returns the nanoseconds per element, or NaN if the bench was not measured.
    pub fn per_element(&self, group: &str, function: &str, parameter: &str) -> f64 {
        self.find(group, function, parameter).map_or(f64::NAN, Bench::per_element)
    }
}

fn json(file: &Path) -> Result<Value, Box<dyn Error>> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(serde_json::from_str(&text)?)
}
