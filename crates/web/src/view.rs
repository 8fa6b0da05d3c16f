//! The contents of the page, as JSON.

use crate::searches::{Explored, OnPage};
use core::fmt;
use ramure::search::ActionOf;
use ramure::{GameState, Report};
use serde::Serialize;

/// A position and what the search thinks of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The position as SVG.
    pub picture: String,
    /// The player to move; `None` if the game is over.
    pub player: Option<usize>,
    /// The result, if the game is over.
    pub result: Option<String>,
    /// The legal actions.
    pub legal: Vec<String>,
    /// The actions of the whole game.
    pub moves: Vec<String>,
    /// How many of these actions led to the position.
    pub ply: usize,
    /// The game as a link, which `open` reads.
    pub link: String,
    /// The findings of the analyst in each position of the game, the end included. `None` where it has not been.
    pub judged: Vec<Option<Judged>>,
    /// The results of the search of the player to move, or of the analyst in an earlier position.
    pub report: Option<ReportView>,
    /// Whether that search has nothing left to find.
    pub is_exhausted: bool,
}

/// A position of the game, and the action that was played in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judged {
    /// The player to move; `None` at the end.
    pub player: Option<usize>,
    /// The mean reward of the first player after the best action; the reward if it is proven.
    pub value: f32,
    /// The best action.
    pub best: Option<String>,
    /// How much the played action takes from the value for the player who chose it, if the next position is
    /// judged too. At least 0.
    pub loss: Option<f32>,
}

/// The findings of a search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReportView {
    /// The action to play.
    pub best: Option<String>,
    /// Every legal action.
    pub actions: Vec<ActionView>,
    /// The best line of play.
    pub line: Vec<String>,
    /// The reward of the player to move, if it is proven.
    pub proof: Option<f32>,
    /// The visits of the root, with those from before this move.
    pub visits: u32,
    /// The iterations for this move.
    pub iterations: u64,
    /// The seconds that they took.
    pub seconds: f64,
    /// The nodes of the tree.
    pub nodes: usize,
    /// The bytes of the tree.
    pub bytes: usize,
    /// The depth of the deepest node.
    pub depth: u32,
}

/// The findings of a search about an action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionView {
    /// The action.
    pub action: String,
    /// Its visits.
    pub visits: u32,
    /// Its [share of the visits](Report::visit_shares), which follows proofs.
    pub share: f64,
    /// The mean reward of the player to move, in [0, 1].
    pub mean: f32,
    /// An interval of the mean.
    pub interval: (f32, f32),
    /// The reward of the player to move, if it is proven.
    pub proof: Option<f32>,
    /// The action and the most visited ones after it.
    pub line: Vec<String>,
}

/// Returns an action as the page names it.
pub(crate) fn text<A: fmt::Debug>(action: &A) -> String {
    format!("{action:?}")
}

/// Returns the action that is legal in `state` and has this name on the page.
pub(crate) fn named<G: GameState>(state: &G, name: &str) -> Option<G::Action> {
    state.actions().into_iter().find(|legal| text(legal) == name)
}

/// The most actions of a line that the page shows.
const LINE_LENGTH: usize = 8;

/// Returns an action and the most visited ones after it.
fn line<G: OnPage>(search: &dyn Explored<Space = G>, action: &G::Action) -> Vec<String> {
    let mut line = vec![action.clone()];
    while line.len() < LINE_LENGTH {
        let replies = search.actions_after(&line);
        // Of replies with as many visits, the first.
        let most =
            replies.into_iter().filter(|reply| reply.visits > 0).rev().max_by_key(|reply| reply.visits);
        let Some(most) = most else { break };
        line.push(most.action);
    }
    line.iter().map(text).collect()
}

/// Returns what the page shows of a report.
pub(crate) fn report_view<G: OnPage>(
    report: &Report<ActionOf<G>>,
    search: &dyn Explored<Space = G>,
) -> ReportView {
    ReportView {
        best: report.chosen_action().map(|chosen| text(&chosen.action)),
        actions: report
            .actions
            .iter()
            .zip(report.visit_shares())
            .map(|(entry, share)| ActionView {
                action: text(&entry.action),
                visits: entry.visits,
                share: share.into(),
                mean: entry.mean,
                interval: entry.interval,
                proof: entry.proof,
                line: line(search, &entry.action),
            })
            .collect(),
        line: report.principal_variation.iter().map(text).collect(),
        proof: report.proof,
        visits: report.root_visits,
        iterations: report.iterations,
        seconds: report.time.as_secs_f64(),
        nodes: report.nodes,
        bytes: report.bytes,
        depth: report.depth,
    }
}
