//! The searches that have threads: the rows of the table of threads, and the players of the contest.

use crate::board::Connect4;
use crate::found::Found;
use crate::peer::{Peer, Program, Search};
use crate::{mctrust, mcts, minimax, ours, treant};
use std::time::Duration;

/// A search of a position on one thread.
const fn one([name, package]: [&'static str; 2], search: Search, note: &'static str) -> Peer {
    Peer { name, package, alike: name, note, program: Program::Rust(search) }
}

/// The same search on two threads; `alike` is the name of the row with one.
const fn two([name, package, alike]: [&'static str; 3], search: Search, note: &'static str) -> Peer {
    Peer { name, package, alike, note, program: Program::Rust(search) }
}

/// All rows of the table of threads: each search on one thread and on two.
pub const ROWS: [Peer; 11] = [
    one(["ramure-1", "ramure"], ours::defaults, "all defaults"),
    two(["ramure-2", "ramure", "ramure-1"], ours::two_threads, "all defaults"),
    one(["treant-1", "treant"], treant::proving, "c = 1, proves"),
    two(
        ["treant-2", "treant", "treant-1"],
        treant::two_threads::<true, 10>,
        "c = 1, proves, virtual loss of 10",
    ),
    two(
        ["treant-2-plain", "treant", "treant-1"],
        treant::two_threads::<true, 0>,
        "c = 1, proves, no virtual loss (its default)",
    ),
    one(["mcts-1", "mcts"], mcts::search, "c = 1"),
    two(["mcts-2", "mcts", "mcts-1"], mcts::two_threads, "c = 1"),
    one(["minimax-1", "minimax"], minimax::search, "c = 1.70 (fixed), proves, children on the second visit"),
    two(
        ["minimax-2", "minimax", "minimax-1"],
        minimax::two_threads,
        "c = 1.70 (fixed), proves, children on the second visit",
    ),
    one(["mctrust-1", "mctrust"], mctrust::search, "c = 1, no RAVE"),
    two(["mctrust-2", "mctrust", "mctrust-1"], mctrust::two_threads, "c = 1, no RAVE"),
];

/// A search on two threads that stops after a time.
pub struct Player {
    /// The name on the command line.
    pub name: &'static str,
    /// The crate.
    pub package: &'static str,
    pub note: &'static str,
    pub play: Play,
}

/// A function of a position, a time and a seed.
pub type Play = fn(Connect4, Duration, u64) -> Found;

const fn player([name, package]: [&'static str; 2], play: Play, note: &'static str) -> Player {
    Player { name, package, note, play }
}

/// All players.
pub const PLAYERS: [Player; 8] = [
    player(["ramure", "ramure"], ours::play, "all defaults"),
    player(["ramure-c1", "ramure"], ours::play_averaging, "c = 1, averages"),
    player(["ramure-c1-proving", "ramure"], ours::play_proving, "c = 1, `Solver`"),
    player(
        ["ramure-quarter", "ramure"],
        |b, t, s| ours::play(b, t / 4, s),
        "all defaults, a quarter of the time",
    ),
    player(["treant", "treant"], treant::play::<true, 10>, "c = 1, proves, virtual loss of 10"),
    player(["mcts", "mcts"], mcts::play, "c = 1"),
    player(["minimax", "minimax"], minimax::play, "c = 1.70 (fixed), proves"),
    player(["mctrust", "mctrust"], mctrust::play, "c = 1, no RAVE"),
];

/// Who plays whom: a player of ramure and another. Each other search meets ramure's defaults, and, if its
/// constant is not near the default, ramure with the same constant, with proofs if it proves. The last match
/// says what time is worth.
pub const MATCHES: [[&str; 2]; 8] = [
    ["ramure", "treant"],
    ["ramure", "mcts"],
    ["ramure", "minimax"],
    ["ramure", "mctrust"],
    ["ramure-c1-proving", "treant"],
    ["ramure-c1", "mcts"],
    ["ramure-c1", "mctrust"],
    ["ramure", "ramure-quarter"],
];

/// Who plays whom on one thread: ramure's defaults and the best row of each other search.
pub const ALONE: [[&str; 2]; 9] = [
    ["ramure-1", "treant-proving"],
    ["ramure-1", "mcts"],
    ["ramure-1", "minimax"],
    ["ramure-1", "mctrust"],
    ["ramure-1", "arbor"],
    ["ramure-1", "board-game"],
    ["ramure-1", "mc-tree-search"],
    ["ramure-1", "by-hand"],
    ["ramure-1", "open-spiel-proving"],
];
