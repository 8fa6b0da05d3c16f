//! Section F: the regret of every policy that is one of bandits.

use crate::experiments::Failure;
use crate::experiments::bandits::{self, Row};
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure::pictures::Picture;

/// The policies, and which of them the picture shows.
const POLICIES: [(&str, bool); 4] =
    [("ucb1", true), ("ucb1:c=0.5", true), ("ucb1-tuned", true), ("thompson", true)];

/// Those of section E, and harder ones: many arms, and a small gap.
fn bandits() -> [(&'static str, Vec<f64>); 5] {
    let best_and = |best: f64, others: f64, count: usize| [vec![best], vec![others; count]].concat();
    [
        ("easy", vec![0.9, 0.6]),
        ("ten arms", best_and(0.9, 0.6, 9)),
        ("ten arms, noisy", best_and(0.55, 0.45, 9)),
        ("fifty arms", best_and(0.7, 0.5, 49)),
        ("a small gap", vec![0.52, 0.5]),
    ]
}

/// Measures all of them.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let (plays, runs) = (setting.pick(50_000, 2_000), setting.pick(40, 4));
    let settings = bandits::Settings { plays, runs, seed: setting.seed, threads: setting.threads };
    let mut section = Section {
        title: "Regret on bandits".into(),
        about: format!(
            "What {plays} plays of Bernoulli arms lose against the best arm, mean of {runs} runs with 95 % intervals; each policy in the search \
             itself, with its default parameters where the text names none. The bound is that of theorem 1 of Auer et al. 2002."
        ),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    let heads = bandits().map(|(name, arms)| format!("{name}: {}", bandits::label(&arms)));
    let mut table = Table::new([&["policy".to_owned()][..], &heads].concat());
    let mut all: Vec<Vec<Row>> = Vec::new();
    for (policy, _) in POLICIES {
        let measured = bandits().map(|(_, arms)| bandits::measure(&arms, policy, settings));
        let rows = measured.into_iter().collect::<Result<Vec<_>, _>>()?;
        let cells = rows.iter().map(|row| format!("{:.0}", row.last().regret));
        table.row([format!("`{policy}`")].into_iter().chain(cells));
        all.push(rows);
    }
    let of = |policy: &str| all.iter().find(|rows| rows[0].policy == policy).ok_or("not measured");
    table.row(
        ["bound for UCB1".to_owned()]
            .into_iter()
            .chain(of("ucb1")?.iter().map(|row| format!("{:.0}", row.last().bound))),
    );
    let ucb1 = of("ucb1")?;
    let below = ucb1.iter().filter(|row| row.last().regret.value <= row.last().bound).count();
    section.findings.push(Finding::new(
        "The regret of UCB1 is below the bound of its theorem",
        "Auer et al. 2002, theorem 1",
        format!("{below} of {} bandits", ucb1.len()),
        Verdict::of(below == ucb1.len(), "see the table"),
    ));
    for (better, source) in
        [("ucb1-tuned", "Auer et al. 2002, section 4"), ("thompson", "Chapelle and Li 2011, section 3")]
    {
        let fewer = of(better)?
            .iter()
            .zip(ucb1)
            .filter(|(row, ucb1)| row.last().regret.high < ucb1.last().regret.low);
        let fewer = fewer.count();
        section.findings.push(Finding::new(
            format!("`{better}` loses less than UCB1, beyond the intervals of both"),
            source,
            format!("{fewer} of {} bandits", ucb1.len()),
            Verdict::of(fewer == ucb1.len(), "see the table"),
        ));
    }
    section.parts.push(Part::Table(table));
    let shown = POLICIES.iter().zip(&all).filter(|((_, shown), _)| *shown);
    let rows: Vec<Row> = shown.map(|(_, rows)| rows[1].clone()).collect();
    let (path, part) = setting.picture("regret_policies", "Regret over plays, ten arms")?;
    bandits::picture(&rows, runs).save(path)?;
    section.parts.push(part);
    Ok(section)
}
