//! Single-player MCTS on a puzzle: against random lines, and with restarts.

use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure_lab::Failure;
use ramure_lab::commands::puzzle::{self, Puzzle, Recipe, Row};

/// Measures all searches on the same boards.
pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let (rollouts, instances) = (setting.pick(20_000, 400), setting.pick(100, 4));
    let texts = ["flat".to_owned(), format!("sp-mcts:{rollouts}"), format!("sp-mcts:{}", rollouts / 4)];
    let searches = texts.iter().map(|text| text.parse()).collect::<Result<Vec<Recipe>, _>>()?;
    crate::note(format_args!("  SameGame: {}", texts.join(", ")));
    let rows = puzzle::measure(&puzzle::Settings {
        puzzle: Puzzle::SameGame,
        searches,
        instances,
        rollouts: Some(rollouts),
        seed: setting.seed,
        threads: setting.threads,
    })?;
    let [flat, whole, restarting] = &rows[..] else { return Err("three searches have three rows".into()) };
    section.findings.push(more(
        "single-player MCTS finds better lines than random rollouts",
        "5",
        whole,
        flat,
    ));
    let claim = "single-player MCTS that starts again finds better lines than one tree";
    section.findings.push(more(claim, "4.3", restarting, whole));
    let mut table = Table::new(["search", "mean score", "above random lines, %"]);
    for row in &rows {
        let percent = row.above(flat).expect("no mean is 0").map(|share| 100.0 * share);
        let above = if row == flat { "0".to_owned() } else { format!("{percent:.0}") };
        table.row([format!("`{}`", row.search), format!("{:.0}", row.mean()), above]);
    }
    section.parts.push(Part::Text(format!(
        "The rule of `single-player` is made for the best line of one player. `ramure-lab puzzle same-game`, {instances} boards, {rollouts} \
         rollouts on each; a tree starts again after the number of iterations in its text:"
    )));
    section.parts.push(Part::Table(table));
    Ok(())
}

/// Judges whether a search scores more than another on the same boards.
fn more(claim: &str, place: &str, own: &Row, other: &Row) -> Finding {
    let above = own.above(other).expect("no mean is 0");
    let percent = above.map(|share| 100.0 * share);
    Finding::new(
        format!("SameGame: {claim}"),
        format!("Schadd et al. 2008, section {place}"),
        format!("`{}` scores {percent:.0} % more than `{}`", own.search, other.search),
        Verdict::of(above.low > 0.0, "not beyond the error"),
    )
}
