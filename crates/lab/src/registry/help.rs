//! The part of a program's `--help` that describes the grammar of texts.

use super::parameters::Asked;
use core::fmt::Write;

/// The width of a help text, in columns.
const WIDTH: usize = 80;

/// The column at which descriptions begin.
const COLUMN: usize = 22;

/// Adds an entry: its form, its description and its parameters.
pub(super) fn add<'a>(
    text: &mut String,
    form: &str,
    about: &str,
    parameters: impl Iterator<Item = &'a Asked>,
) {
    row(text, 2, form, about);
    for asked in parameters {
        let default = asked.default.as_deref().map_or("..".into(), short);
        row(text, 4, &format!("{}={default}", asked.name), &format!("{}: {}", asked.about, asked.values));
    }
}

/// Adds a row of two columns. A long description continues in its own column.
fn row(text: &mut String, indent: usize, left: &str, right: &str) {
    let mut line = format!("{:indent$}{left}", "");
    if line.chars().count() + 2 > COLUMN {
        end(text, &mut line);
    }
    for word in right.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            end(text, &mut line);
        }
        let length = line.chars().count();
        let space = if length < COLUMN { COLUMN - length } else { 1 };
        line += &format!("{:space$}{word}", "");
    }
    end(text, &mut line);
}

fn end(text: &mut String, line: &mut String) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", line.trim_end());
    line.clear();
}

/// Shortens a number of more than six characters to four decimals; keeps other words.
fn short(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.len() > 6 => format!("{number:.4}"),
        _ => value.to_owned(),
    }
}
