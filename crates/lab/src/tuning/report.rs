//! The table of a tuning, and what it says.

use super::{End, Row, Tuning};
use crate::contest::Estimate;
use core::f64::consts::SQRT_2;
use core::fmt;

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tried = match self.searched {
            Some((settings, games)) => {
                format!("{settings} settings tried in {games} games, the best of them ")
            }
            None => String::new(),
        };
        writeln!(f, "{tried}against {}, {} games, {}", self.reference, self.games(), self.end)?;
        let name = self.parameter.as_deref().unwrap_or_default();
        let columns = ["games", "score [95 % interval]", "dropped"];
        writeln!(f, "{name:>8} {:>6} {:<21} {:>7}  best is ahead by", columns[0], columns[1], columns[2])?;
        for (row, number) in self.rows.iter().zip(1..) {
            let lead = match self.lead_over(row) {
                _ if core::ptr::eq(row, self.best()) => "-".into(),
                lead => or_dash(lead),
            };
            let value = row.value.map_or_else(|| format!("({number})"), written);
            let dropped = row.dropped.map_or("-".into(), |round| format!("round {round}"));
            let (score, games) = (or_dash(row.score), row.tally.games());
            writeln!(f, "{value:>8} {games:>6} {score:<21} {dropped:>7}  {lead}")?;
        }
        for (row, number) in self.rows.iter().zip(1..).filter(|(row, _)| row.value.is_none()) {
            writeln!(f, "({number}) {}", row.agent)?;
        }
        for row in self.rows.iter().chain(&self.fresh).filter(|row| !row.forfeits.is_empty()) {
            let (games, first) = (row.forfeits.len(), &row.forfeits[0]);
            writeln!(f, "{} forfeited {games} games; the first: {first}", row.agent)?;
        }
        let best = self.best();
        writeln!(f, "best: {}, score {}", self.named(best), or_dash(best.score))?;
        let as_good = self.as_good().map(|row| row.value.map_or_else(|| row.agent.clone(), written));
        match &as_good.collect::<Vec<_>>()[..] {
            [] => {
                writeln!(f, "every other one is weaker, each by more than chance explains in one comparison")?
            }
            values if self.parameter.is_some() => {
                writeln!(f, "these games cannot distinguish it from: {}", values.join(", "))?;
            }
            others => writeln!(f, "these games cannot distinguish it from {} others", others.len())?,
        }
        self.confirmation(f)?;
        if self.parameter.is_none() {
            writeln!(f, "text: {}", best.agent)?;
            let code = self.code.as_deref().unwrap_or("none, because it has parts that the program added");
            writeln!(f, "Rust: {code}")?;
        }
        Ok(())
    }
}

impl Tuning {
    /// The name of an agent in a sentence.
    fn named(&self, row: &Row) -> String {
        match (&self.parameter, row.value) {
            (Some(name), Some(value)) => format!("{name} = {}", written(value)),
            _ => row.agent.clone(),
        }
    }

    /// Writes what the fresh games say.
    fn confirmation(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parameter.is_none() && self.best().agent == self.reference {
            return writeln!(f, "Nothing was found that is better than the default: keep it.");
        }
        if self.fresh.is_empty() {
            return writeln!(
                f,
                "The program was stopped before the fresh games, so the score of the best is biased upwards."
            );
        }
        writeln!(
            f,
            "In fresh games, which did not influence the choice (the score of the best of many is biased upwards):"
        )?;
        for row in &self.fresh {
            let (score, verdict) = (or_dash(row.score), verdict(row.score));
            writeln!(f, "  {}: score {score}, {verdict} {}", self.named(row), self.reference)?;
        }
        if let [Row { score: Some(best), .. }, Row { score: Some(other), .. }] = self.fresh[..] {
            writeln!(f, "  difference: {}", best.minus(other))?;
        }
        match (&self.parameter, &self.fresh[..]) {
            (None, [row]) if row.score.is_none_or(|score| score.low <= 0.5) => {
                writeln!(f, "Nothing was shown to be better than {}: keep it.", self.reference)
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Few => "until few were left",
            End::Spent => "until a further round would have exceeded the limit of games",
            End::Stopped => "stopped before the end",
        })
    }
}

fn verdict(score: Option<Estimate>) -> &'static str {
    match score {
        Some(score) if score.low > 0.5 => "stronger than",
        Some(score) if score.high < 0.5 => "weaker than",
        _ => "not distinguishable from",
    }
}

fn or_dash(estimate: Option<Estimate>) -> String {
    estimate.map_or("-".into(), |estimate| estimate.to_string())
}

/// Returns a value as text, in its shortest form.
pub fn written(value: f64) -> String {
    if value == SQRT_2 { "sqrt 2".into() } else { value.to_string() }
}
