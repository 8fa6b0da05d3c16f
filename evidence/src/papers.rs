//! Section E: the regret table of the paper on UCB1, and the failure rates of the paper on UCT.

use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::{SaveOnFirst, Setting};
use ramure_lab::Failure;
use ramure_lab::commands::Claim;
use ramure_lab::commands::bandit::{self, POLICIES};
use ramure_lab::commands::p_game::{self, Kind, Verdict as Cell};

/// Tests the claims.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let mut section = Section {
        title: "E. The papers on UCB1 and UCT".into(),
        about: "The bandits are those of Auer, Cesa-Bianchi and Fischer 2002, the P-games those of Kocsis and Szepesvári 2006. \
                Another program measured the reference figures for this project. Every policy runs in the search itself."
            .into(),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    regret(setting, &mut section)?;
    failures(setting, &mut section)?;
    Ok(section)
}

/// Returns a claim with several cases as a finding.
fn finding(claim: &Claim, source: &str) -> Finding {
    let Claim { text, held, cases } = claim;
    Finding::new(
        text,
        source,
        format!("{held} of {cases}"),
        Verdict::of(claim.holds(), "not in all cases, see the table"),
    )
}

fn regret(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let settings = bandit::Settings {
        plays: setting.pick(bandit::PUBLISHED_PLAYS, 10_000),
        runs: setting.pick(100, 20),
        seed: setting.seed,
        threads: setting.threads,
    };
    let mut rows = Vec::new();
    for (arms, ..) in bandit::PUBLISHED {
        for policy in POLICIES {
            rows.push(bandit::measure(arms, policy, settings)?);
        }
    }
    for claim in bandit::claims(&rows) {
        section.findings.push(finding(&claim, "table of section E"));
    }
    let mut table =
        Table::new(["arms", "policy", "regret", "table", "plays of the best arm", "table", "bound"]);
    for row in &rows {
        let last = row.last();
        let (regret, best) = row.published.map_or((String::new(), String::new()), |(regret, best)| {
            (regret.to_string(), format!("{:.2} %", 100.0 * best))
        });
        table.row([
            bandit::label(&row.arms),
            row.policy.clone(),
            format!("{:.1}", last.regret),
            regret,
            format!("{:.2} %", 100.0 * last.best.value),
            best,
            // The theorem covers only UCB1.
            if row.policy == "ucb1:c=1.4142135" { format!("{:.0}", last.bound) } else { String::new() },
        ]);
    }
    section.parts.push(Part::Text(format!(
        "The regret after {} plays, mean of {} runs:",
        settings.plays, settings.runs
    )));
    section.parts.push(Part::Table(table));
    for (number, rows) in [(0, &rows[..3]), (4, &rows[12..15])] {
        let label = bandit::label(&rows[0].arms);
        let (path, part) = setting
            .picture(&format!("regret_{}", number + 1), &format!("Regret over plays, arms {label}"))?;
        bandit::picture(rows, settings.runs).save_on_first(path)?;
        section.parts.push(part);
    }
    Ok(())
}

fn failures(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let iterations: Vec<u32> = p_game::PUBLISHED_ITERATIONS[..setting.pick(7, 4)].to_vec();
    let settings = p_game::Settings {
        trees: p_game::PUBLISHED_TREES,
        iterations: iterations.clone(),
        seed: setting.seed,
        threads: setting.threads,
    };
    let mut rows = Vec::new();
    for kind in p_game::published() {
        rows.push(p_game::measure(&kind, &settings)?);
    }
    let proving = p_game::measure(&Kind::new(2, 10, "ucb1:c=1.4142135,solver=yes"), &settings)?;
    let plain = rows.clone();
    rows.push(proving);
    for claim in p_game::claims(&rows) {
        section.findings.push(finding(&claim, "table of section E"));
    }
    let head = iterations.iter().map(u32::to_string);
    let mut table = Table::new(std::iter::once("tree, iterations".to_owned()).chain(head));
    for row in &rows {
        let cells = row.cells.iter().map(|cell| match (row.kind.solves(), cell.published) {
            (true, _) => format!("{:.3}, {} proven", cell.share.value, cell.proven),
            (_, None) => format!("{:.3}", cell.share.value),
            (_, Some((share, Cell::Same))) => format!("{:.3} ({share})", cell.share.value),
            (_, Some((share, verdict))) => format!("{:.3} ({share}, {verdict})", cell.share.value),
        });
        let name = row.kind.to_string();
        table.row(std::iter::once(name).chain(cells));
    }
    section.parts.push(Part::Text(format!(
        "The share of wrong actions in {} trees, with the table's share in brackets:",
        p_game::PUBLISHED_TREES
    )));
    section.parts.push(Part::Table(table));
    let (path, part) = setting.picture("p_games", "Share of wrong actions over iterations")?;
    p_game::picture(&plain, p_game::PUBLISHED_TREES).save_on_first(path)?;
    section.parts.push(part);
    Ok(())
}
