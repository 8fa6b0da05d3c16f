//! Minimax and alpha-beta: the same value, with fewer nodes, depending on the order of the actions.

use super::worst_first::WorstFirst;
use crate::positions::{random_position, stream};
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure_agents::{AlphaBeta, Minimax};
use ramure_games::sudo_tic_tac_toe::{Mode, SudoTicTacToe};
use ramure_games::{Connect4, Hex, TicTacToe};
use ramure_lab::Failure;
use ramure_lab::commands::AnyGame;
use ramure_lab::commands::parallel::try_map;
use serde::{Deserialize, Serialize};

/// The nodes of minimax, and of alpha-beta with the actions in the game's order, best first and worst first
/// by evaluation.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Nodes {
    minimax: u64,
    listed: u64,
    best_first: u64,
    worst_first: u64,
    /// Whether all four found the same value.
    agree: bool,
}

impl Nodes {
    fn of(state: &AnyGame, depth: u32) -> Result<Self, Failure> {
        let minimax = Minimax::new(depth).look_ahead(state)?;
        let listed = AlphaBeta::new(depth).look_ahead(state)?;
        let best_first = AlphaBeta::new(depth).by_evaluation().look_ahead(state)?;
        let worst_first = AlphaBeta::new(depth).look_ahead(&WorstFirst(state.clone()))?;
        let others = [listed.value, best_first.value, worst_first.value];
        Ok(Nodes {
            minimax: minimax.nodes,
            listed: listed.nodes,
            best_first: best_first.nodes,
            worst_first: worst_first.nodes,
            // The values of the second player are one minus those of the first, so they are rounded.
            agree: others.into_iter().all(|value| (value - minimax.value).abs() < 1e-9),
        })
    }
}

/// Returns the nodes on random positions after at most `most_actions` random actions.
fn of_positions(
    setting: &Setting,
    start: impl Into<AnyGame>,
    (most_actions, depth, positions): (usize, u32, usize),
) -> Result<Vec<Nodes>, Failure> {
    let start = &start.into();
    try_map(setting.threads, positions, |index| {
        let mut rng = stream(setting.seed, index);
        let actions = rng.below(most_actions + 1) as u32;
        Nodes::of(&random_position(start, actions, &mut rng), depth)
    })
}

/// Adds both claims to the section.
pub fn measure(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let positions = setting.pick(2500, 200);
    let mut checked = of_positions(setting, TicTacToe::new(), (8, 9, positions.min(500)))?;
    checked.extend(of_positions(setting, Connect4::new(), (30, 4, positions))?);
    checked.extend(of_positions(setting, Hex::new(5)?, (12, 2, positions))?);
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        checked.extend(of_positions(setting, SudoTicTacToe::new(mode), (24, 3, positions))?);
    }

    let mut table =
        Table::new(["Connect 4, depth", "minimax", "in the game's order", "best first", "worst first"]);
    let mut deepest = [0.0; 4];
    let many = setting.pick(50, 10);
    let most = setting.pick(8, 6);
    for depth in 1..=most {
        let nodes = of_positions(setting, Connect4::new(), (16, depth, many))?;
        deepest = [
            mean(nodes.iter().map(|nodes| nodes.minimax)),
            mean(nodes.iter().map(|nodes| nodes.listed)),
            mean(nodes.iter().map(|nodes| nodes.best_first)),
            mean(nodes.iter().map(|nodes| nodes.worst_first)),
        ];
        table.row([depth.to_string()].into_iter().chain(deepest.map(|nodes| format!("{nodes:.0}"))));
        checked.extend(nodes);
    }
    let full = Nodes::of(&TicTacToe::new().into(), 9)?;
    let row = [full.minimax, full.listed, full.best_first, full.worst_first];
    table.row(
        ["9, Tic-Tac-Toe from the start".to_owned()].into_iter().chain(row.map(|nodes| nodes.to_string())),
    );
    checked.push(full);
    section.parts.push(Part::Text(format!(
        "The nodes of minimax, and of alpha-beta with three orders of the actions, as means over {many} positions of Connect 4 after \
         up to 16 random actions. Best and worst are by the static evaluation of the state after the action."
    )));
    section.parts.push(Part::Table(table));

    let agree = checked.iter().filter(|nodes| nodes.agree).count();
    let no_more = checked.iter().filter(|nodes| nodes.best_first.max(nodes.listed) <= nodes.minimax).count();
    section.findings.push(Finding::new(
        "alpha-beta finds the value of minimax with fewer nodes",
        "the same result",
        format!(
            "the same value in three orders on {agree} of {} positions of the four games, and no more nodes on {no_more}; {:.0} times \
             fewer on Connect 4 at depth {most}, with the best actions first",
            checked.len(),
            deepest[0] / deepest[2],
        ),
        Verdict::of(agree == checked.len() && no_more == checked.len(), "on some position it finds another value, or takes more nodes"),
    ));
    section.findings.push(Finding::new(
        "the number of nodes depends on the order of the actions",
        "no figure",
        format!(
            "Connect 4, depth {most}, in percent of minimax's nodes: {:.1} % with the best first by evaluation, {:.1} % in the game's \
             order, {:.1} % with the worst first",
            100.0 * deepest[2] / deepest[0],
            100.0 * deepest[1] / deepest[0],
            100.0 * deepest[3] / deepest[0],
        ),
        Verdict::of(deepest[2] < deepest[1] && deepest[1] < deepest[3], "the orders do not differ as they should"),
    ));
    Ok(())
}

fn mean(counts: impl ExactSizeIterator<Item = u64>) -> f64 {
    let number = counts.len() as f64;
    counts.sum::<u64>() as f64 / number
}
