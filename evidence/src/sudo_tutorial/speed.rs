//! The number of iterations per second.

use super::MODES;
use super::players::{Backup, C, Rollout, search};
use crate::positions::{quiet_position, stream};
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure::Budget;
use ramure_games::SudoTicTacToe;
use ramure_lab::Failure;
use ramure_lab::ranks::is_first;
use std::f32::consts::SQRT_2;

/// The target, in iterations per second.
const TARGET: f64 = 1e6;

/// The numbers of random actions before a search.
const PLIES: [u32; 4] = [0, 10, 20, 30];

/// The searches whose speed is measured, each with its exploration constant and its rollouts; the first is
/// for the claim.
const KINDS: [(&str, f32, Rollout); 3] = [
    ("c = sqrt 2", SQRT_2, Rollout::Light),
    ("c = 0.0707", C, Rollout::Light),
    ("cut off after 10", SQRT_2, Rollout::Cutoff(10)),
];

/// Measures one search at a time, on the first rank, and adds the results to the section.
pub fn measure(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    if !is_first() {
        return Ok(());
    }
    let millis = setting.pick(1000, 100);
    let positions = setting.pick(4, 3);
    let mut table = Table::new(["million iterations per second"].into_iter().chain(KINDS.map(|kind| kind.0)));
    for (name, mode) in MODES {
        let start = SudoTicTacToe::new(mode);
        let mut all = KINDS.map(|_| Vec::new());
        for plies in PLIES {
            let mut cells = vec![format!("{name}, after {plies} actions")];
            for (&(_, c, rollout), all) in KINDS.iter().zip(&mut all) {
                let mut speeds = Vec::new();
                for index in 0..if plies == 0 { 1 } else { positions } {
                    let state = quiet_position(&start, plies, &mut stream(setting.seed, index));
                    let report = search(state, c, rollout, Backup::Switched).run(Budget::millis(millis))?;
                    speeds.push(report.iterations_per_second());
                }
                cells.push(format!("{:.2}", median(&mut speeds) / 1e6));
                all.append(&mut speeds);
            }
            table.row(cells);
        }
        let least = all[0].iter().copied().fold(f64::INFINITY, f64::min);
        let [ours, deep, cut] = all.each_mut().map(|speeds| median(speeds) / 1e6);
        let why = format!(
            "an iteration plays a random game to its end, which takes most of its time (`docs/benchmarks.md`); with a cutoff \
             after ten actions, the static evaluation costs as much as the cutoff saves: {cut:.2} million in the median"
        );
        section.findings.push(Finding::new(
            format!("{name}: one second per action is enough for at least a million iterations"),
            "about a second per action",
            format!(
                "one thread, from {} positions of all phases: at least {:.2} million, {ours:.2} million in the median; {deep:.2} \
                 million with the tutorial's small c, which makes deeper trees",
                all[0].len(),
                least / 1e6,
            ),
            if least >= TARGET { Verdict::Beaten } else { Verdict::Not(why) },
        ));
    }
    section.parts.push(Part::Text(format!(
        "The speed of one search at a time, on one thread, {} s each, from the start of the game and, as medians, from {positions} \
         random positions in which no action ends the game.",
        millis as f64 / 1e3
    )));
    section.parts.push(Part::Table(table));
    Ok(())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
