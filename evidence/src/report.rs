//! The findings of an experiment, as Markdown.

use ramure_lab::contest::Estimate;
use std::fmt::{self, Display, Write};

/// The results on the claims of one source.
pub struct Section {
    /// The title, such as "A. Bots for Connect 4".
    pub title: String,
    /// The source, and the settings with which its claims were tested here.
    pub about: String,
    pub findings: Vec<Finding>,
    /// The tables and pictures behind the findings.
    pub parts: Vec<Part>,
}

/// A claim and the result here.
pub struct Finding {
    pub claim: String,
    /// The source's figure.
    pub source: String,
    /// The measured figure, with its interval.
    pub ours: String,
    pub verdict: Verdict,
}

impl Finding {
    pub fn new(claim: impl Display, source: impl Display, ours: impl Display, verdict: Verdict) -> Self {
        Finding { claim: claim.to_string(), source: source.to_string(), ours: ours.to_string(), verdict }
    }
}

/// Whether a claim holds here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Our figure equals theirs, within the error of both.
    Reproduced,
    /// Our figure is better, beyond the error.
    Beaten,
    /// The claim may hold, but there were too few games to decide.
    Open,
    /// An observation, for which there was no claim.
    Observed(&'static str),
    /// The claim does not hold here, for this reason.
    Not(String),
}

impl Verdict {
    /// Returns `Reproduced` if the claim holds, or else `Not` with the reason `otherwise`.
    pub fn of(holds: bool, otherwise: &str) -> Self {
        if holds { Verdict::Reproduced } else { Verdict::Not(otherwise.to_owned()) }
    }

    /// Judges whether the score is even within five points, and the interval is that narrow. (Of two equal
    /// agents, the interval puts one ahead in one contest of twenty. That is not a reason to call them
    /// different.)
    pub fn even(score: Estimate) -> Self {
        if score.low > 0.55 || score.high < 0.45 {
            Verdict::Not("one agent is ahead".into())
        } else if (score.value - 0.5).abs() <= 0.05 && score.high - score.low <= 0.1 {
            Verdict::Reproduced
        } else {
            Verdict::Open
        }
    }

    /// Judges whether the score is no worse than even, within five points, by its interval.
    pub fn no_worse(score: Estimate, otherwise: &str) -> Self {
        if score.high < 0.5 {
            Verdict::Not(otherwise.to_owned())
        } else if score.low < 0.45 {
            Verdict::Open
        } else {
            Verdict::Reproduced
        }
    }

    /// Judges whether `more` is greater than `less`, by its interval.
    pub fn more(more: Estimate, less: f64) -> Self {
        if more.low > less {
            Verdict::Reproduced
        } else if more.high < less {
            Verdict::Not("it is smaller".into())
        } else {
            Verdict::Open
        }
    }
}

impl Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Reproduced => f.write_str("reproduced"),
            Verdict::Beaten => f.write_str("**beaten**"),
            Verdict::Open => f.write_str("open: too few games to decide"),
            Verdict::Observed(seen) => f.write_str(seen),
            Verdict::Not(why) => write!(f, "**not reproduced**: {why}"),
        }
    }
}

/// A part of the report below the findings.
pub enum Part {
    Text(String),
    Table(Table),
    /// A file beside the report, and its caption.
    Picture {
        file: String,
        shows: String,
    },
}

/// A table: a head, and rows with the same number of cells.
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<T: Display>(head: impl IntoIterator<Item = T>) -> Self {
        Table { head: head.into_iter().map(|cell| cell.to_string()).collect(), rows: Vec::new() }
    }

    pub fn row<T: Display>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(|cell| cell.to_string()).collect());
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
        writeln!(f, "{}", line(&self.head))?;
        // The first column is a name; the others are numbers, so they align right.
        let rule = (0..self.head.len()).map(|column| if column == 0 { "---" } else { "--:" });
        writeln!(f, "|{}|", rule.collect::<Vec<_>>().join("|"))?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{}", line(row)))
    }
}

impl Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## {}\n\n{}\n", self.title, self.about)?;
        if !self.findings.is_empty() {
            writeln!(f, "| claim | source | here | verdict |\n|---|---|---|---|")?;
        }
        for Finding { claim, source, ours, verdict } in &self.findings {
            writeln!(f, "| {claim} | {source} | {ours} | {verdict} |")?;
        }
        for part in &self.parts {
            f.write_char('\n')?;
            match part {
                Part::Text(text) => writeln!(f, "{text}")?,
                Part::Table(table) => write!(f, "{table}")?,
                // A link by name: the rustdoc of `ramure` gives the name another target.
                Part::Picture { file, shows } => {
                    let name = file.rsplit('/').next().unwrap_or(file);
                    writeln!(f, "![{shows}][{name}]\n\n[{name}]: {file}")?;
                }
            }
        }
        Ok(())
    }
}
