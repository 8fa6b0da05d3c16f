//! Changing arms: the part of section F on recency-weighted averages.

use super::super::changing::{self, Row};
use crate::commands::Failure;
use crate::commands::reproduce::report::{Finding, Part, Section, Table, Verdict};
use crate::commands::reproduce::setting::Setting;

/// The searches by text: each policy with the plain average, and with a recency-weighted one.
const SEARCHES: [&str; 11] = [
    "ucb1",
    "ucb1:backprop=recency-weighted",
    "ucb1:backprop=recency-weighted,alpha=0.001",
    "ucb1:backprop=discounted",
    "ucb1-tuned",
    "ucb1-tuned:backprop=recency-weighted",
    "epsilon-greedy",
    "epsilon-greedy:backprop=recency-weighted",
    "thompson",
    "thompson:backprop=recency-weighted",
    "exp3",
];

/// The arms before the change, which reverses them.
const ARMS: [f64; 2] = [0.9, 0.6];

/// Measures the searches, and adds the findings.
pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let (change, runs) = (setting.pick(10_000, 1_000), setting.pick(40, 4));
    let measured =
        SEARCHES.map(|search| changing::measure(&ARMS, search, change, runs, setting.seed, setting.threads));
    let rows = measured.into_iter().collect::<Result<Vec<_>, _>>()?;
    let of = |search: &str| rows.iter().find(|row| row.search == search).ok_or("not measured");
    for policy in ["ucb1", "epsilon-greedy", "thompson"] {
        section.findings.push(recovers(of(policy)?, of(&format!("{policy}:backprop=recency-weighted"))?));
    }
    section.parts.push(Part::Text(format!(
        "Arms that change, {} and {}: after {change} plays the two swap places, and {change} more plays follow. The table has the \
         regret of both halves, each against the best arm of that half, as a mean of {runs} runs. `recency-weighted` forgets old rewards. \
         `discounted` forgets nothing; it shrinks rewards by the steps to the end of the game. UCB1 never stops trying the \
         worse arm, so it notices the change sooner than policies that soon settle on an arm.",
        ARMS[0], ARMS[1]
    )));
    let mut table = Table::new(["search", "before the change", "after it"]);
    for Row { search, regret } in &rows {
        table.row([format!("`{search}`"), format!("{:.0}", regret[0]), format!("{:.0}", regret[1])]);
    }
    section.parts.push(Part::Table(table));
    Ok(())
}

/// Judges whether, after the change, the recency-weighted average has less regret.
fn recovers(average: &Row, recent: &Row) -> Finding {
    let [plain, forgetting] = [average, recent].map(|row| row.regret[1]);
    Finding::new(
        format!(
            "If the arms change halfway, `{}` loses less after the change than `{}`",
            recent.search, average.search
        ),
        "Kocsis and Szepesvári 2006b, on discounted UCB",
        format!("{forgetting:.0} against {plain:.0}"),
        match forgetting.high < plain.low {
            true => Verdict::Reproduced,
            false if forgetting.low > plain.high => Verdict::Not("it loses more".into()),
            false => Verdict::Open,
        },
    )
}
