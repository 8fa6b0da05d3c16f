//! What a program's `--help` says of the texts it reads.

use super::parameters::Asked;
use core::fmt::Write;

/// How wide a help text is.
const WIDTH: usize = 80;

/// Where the second column begins.
const COLUMN: usize = 22;

/// Adds an entry: its form, what it is, and its parameters.
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

/// A row of two columns. The second goes on below itself where it is long.
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
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}", line.trim_end());
    line.clear();
}

/// A number with at most five digits that count; other words as they are.
fn short(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.len() > 6 => format!("{number:.4}"),
        _ => value.to_owned(),
    }
}
