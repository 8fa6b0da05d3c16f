//! What an experiment found, as Markdown.

use ramure_lab::contest::Estimate;
use std::fmt::{self, Display, Write};

/// What came of the claims of one source.
pub struct Section {
    /// As in "A. Bots for Connect 4".
    pub title: String,
    /// What the source is, and on what settings its claims were tried here.
    pub about: String,
    pub findings: Vec<Finding>,
    /// What the findings rest on.
    pub parts: Vec<Part>,
}

/// A claim beside what was found.
pub struct Finding {
    pub claim: String,
    /// The source's figure.
    pub source: String,
    /// Ours, with its interval.
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
    /// Ours is theirs, within the error of both.
    Reproduced,
    /// Ours is better, beyond the error.
    Beaten,
    /// It may hold; there were too few games to know.
    Open,
    /// There was no claim: what was seen.
    Told(&'static str),
    /// It does not hold here, and why that is.
    Not(String),
}

impl Verdict {
    /// Reproduced if it holds, else not, for this reason.
    pub fn of(holds: bool, otherwise: &str) -> Self {
        if holds { Verdict::Reproduced } else { Verdict::Not(otherwise.to_owned()) }
    }

    /// Whether the score is even within five points, and known that well. (Of two equals one is ahead in one contest of twenty,
    /// by the interval; that is no reason to call them different.)
    pub fn even(score: Estimate) -> Self {
        if score.low > 0.55 || score.high < 0.45 {
            Verdict::Not("one of the two is ahead".into())
        } else if (score.value - 0.5).abs() <= 0.05 && score.high - score.low <= 0.1 {
            Verdict::Reproduced
        } else {
            Verdict::Open
        }
    }

    /// Whether the score is no worse than even, within five points, by its interval.
    pub fn no_worse(score: Estimate, otherwise: &str) -> Self {
        if score.high < 0.5 {
            Verdict::Not(otherwise.to_owned())
        } else if score.low < 0.45 {
            Verdict::Open
        } else {
            Verdict::Reproduced
        }
    }

    /// Whether `more` is more than `less`, by their intervals.
    pub fn more(more: Estimate, less: f64) -> Self {
        if more.low > less {
            Verdict::Reproduced
        } else if more.high < less {
            Verdict::Not("it is less".into())
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
            Verdict::Open => f.write_str("open: too few games to say"),
            Verdict::Told(seen) => f.write_str(seen),
            Verdict::Not(why) => write!(f, "**not reproduced**: {why}"),
        }
    }
}

/// Something to look at below the findings.
pub enum Part {
    Text(String),
    Table(Table),
    /// A file beside the report, and what it shows.
    Picture {
        file: String,
        shows: String,
    },
}

/// A table: a head, rows of as many cells.
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
        // Numbers are read from the right, the first column is a name.
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
                Part::Picture { file, shows } => writeln!(f, "![{shows}]({file})")?,
            }
        }
        Ok(())
    }
}
