//! The list of peers, with their settings.

use crate::board::Connect4;
use crate::found::Found;
use crate::{arbor, board_game, by_hand, mctrust, mcts, minimax, monte_carlo_tree_search, ours, treant};

/// How a peer is run.
pub enum Program {
    /// In this program: a function of a position, a number of iterations and a seed.
    Rust(Search),
    /// By `open_spiel.py`, with these arguments.
    OpenSpiel(&'static [&'static str]),
}

/// One row of the table: a peer with one choice of its settings.
pub struct Peer {
    /// The name on the command line.
    pub name: &'static str,
    /// The crate, or the Python package.
    pub package: &'static str,
    /// The row of ramure with the same exploration constant, and with proofs if this peer proves; empty for
    /// none.
    pub alike: &'static str,
    pub note: &'static str,
    pub program: Program,
}

pub type Search = fn(Connect4, u64, u64) -> Found;

const fn ours(name: &'static str, search: Search, note: &'static str) -> Peer {
    Peer { name, package: "ramure", alike: name, note, program: Program::Rust(search) }
}

const fn rust([name, package, alike]: [&'static str; 3], search: Search, note: &'static str) -> Peer {
    Peer { name, package, alike, note, program: Program::Rust(search) }
}

const fn open_spiel(
    [name, alike]: [&'static str; 2],
    arguments: &'static [&'static str],
    note: &'static str,
) -> Peer {
    Peer { name, package: "open_spiel", alike, note, program: Program::OpenSpiel(arguments) }
}

/// All rows. The others are compared with the first.
pub const PEERS: [Peer; 23] = [
    ours("ramure", |board, n, seed| ours::search(1.0, board, n, seed), "c = 1"),
    ours("ramure-0.5", |board, n, seed| ours::search(0.5, board, n, seed), "c = 0.5"),
    ours("ramure-1.4", |board, n, seed| ours::search(1.414, board, n, seed), "c = 1.41"),
    ours("ramure-proving", |board, n, seed| ours::proving(1.0, board, n, seed), "c = 1, `Solver`"),
    ours("ramure-proving-1.7", |board, n, seed| ours::proving(1.699, board, n, seed), "c = 1.70, `Solver`"),
    rust(["by-hand", "by hand", "ramure"], by_hand::search, "c = 1, for this game only, our rollout"),
    rust(["arbor", "arbor", "ramure"], arbor::search, "c = 1, our rollout"),
    rust(["arbor-own", "arbor", "ramure"], arbor::own_rollout, "c = 1, its own rollout"),
    rust(["board-game", "board-game", "ramure-proving"], board_game::search, "c = 1, proves"),
    rust(["mcts", "mcts", "ramure"], mcts::search, "c = 1"),
    rust(["treant", "treant", "ramure"], treant::search, "c = 1"),
    rust(["treant-proving", "treant", "ramure-proving"], treant::proving, "c = 1, proves"),
    rust(
        ["mc-tree-search", "monte-carlo-tree-search", "ramure-1.4"],
        monte_carlo_tree_search::search,
        "c = 1.41 (fixed), our rollout",
    ),
    rust(
        ["mc-tree-search-own", "monte-carlo-tree-search", "ramure-1.4"],
        monte_carlo_tree_search::own_rollout,
        "c = 1.41 (fixed), its own rollout",
    ),
    rust(
        ["minimax", "minimax", "ramure-proving-1.7"],
        minimax::search,
        "c = 1.70 (fixed), proves, our rollout, children on the second visit",
    ),
    rust(
        ["minimax-early", "minimax", "ramure-proving-1.7"],
        minimax::early_children,
        "c = 1.70 (fixed), proves, our rollout, children on the first visit (its default)",
    ),
    rust(
        ["minimax-own", "minimax", "ramure-proving-1.7"],
        minimax::own_rollout,
        "c = 1.70 (fixed), proves, its own rollout, children on the first visit: all defaults",
    ),
    rust(["mctrust", "mctrust", "ramure"], mctrust::search, "c = 1, no RAVE, our rollout"),
    rust(["mctrust-own", "mctrust", "ramure"], mctrust::own_rollout, "c = 1, no RAVE, its own rollout"),
    rust(["mctrust-rave", "mctrust", ""], mctrust::rave, "c = 1, RAVE, its own rollout: all defaults but c"),
    open_spiel(["open-spiel", "ramure"], &["--uct-c", "2"], "C++; c = 1, its own rollout"),
    open_spiel(["open-spiel-0.5", "ramure-0.5"], &["--uct-c", "1"], "C++; c = 0.5, its own rollout"),
    open_spiel(
        ["open-spiel-proving", "ramure-proving"],
        &["--uct-c", "2", "--solve"],
        "C++; c = 1, proves, its own rollout",
    ),
];

/// Returns the version in `Cargo.lock`, so that the table shows the version that runs; empty for a peer that
/// is not a package.
pub fn version(package: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = format!("name = \"{package}\"\nversion = \"");
    let version = lock.split(&entry).nth(1).and_then(|rest| rest.split('"').next());
    version.unwrap_or("")
}
