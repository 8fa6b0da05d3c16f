//! What the page shows, as the page receives it: JSON.

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
    /// The actions played.
    pub moves: Vec<String>,
    /// The position as a link, which `open` reads.
    pub link: String,
    /// What the search of the player to move has found, if it has run.
    pub report: Option<ReportView>,
    /// Whether that search has nothing left to find.
    pub is_exhausted: bool,
}

/// What a search has found.
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

/// What a search has found about an action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActionView {
    /// The action.
    pub action: String,
    /// Its visits.
    pub visits: u32,
    /// Its share of the visits of all actions.
    pub share: f64,
    /// The mean reward of the player to move, in [0, 1].
    pub mean: f32,
    /// An interval of the mean.
    pub interval: (f32, f32),
    /// The reward of the player to move, if it is proven.
    pub proof: Option<f32>,
}
