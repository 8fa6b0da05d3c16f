//! The list of policies: ramure's search with each of them.

use crate::board::Connect4;
use crate::ours::{run, ucb1};
use crate::own_ucb1::{OwnUcb1, PlainUcb1};
use crate::peer::{Peer, Program, Search};
use ramure::Expansion;
use ramure::prelude::*;
use ramure::selection::{Grave, Puct, Rave, Thompson, Ucb1Tuned};
use ramure::simulation::{Mast, WithPriors};

const fn policy(name: &'static str, note: &'static str, search: Search) -> Peer {
    Peer { name, package: "ramure", alike: name, note, program: Program::Rust(search) }
}

/// All rows. The others are compared with the first.
pub const POLICIES: [Peer; 11] = [
    policy("ucb1", "`Ucb1`, `Average`", |board, n, seed| run(ucb1(1.0, board, seed), n)),
    policy("own-copy", "own copy of `Ucb1`", |board, n, seed| {
        run(ucb1(1.0, board, seed).tree_policy(OwnUcb1(1.0)), n)
    }),
    policy("own-plain", "own UCB1, as in books", |board, n, seed| {
        run(ucb1(1.0, board, seed).tree_policy(PlainUcb1(1.0)), n)
    }),
    policy("solver", "`Ucb1`, `Solver`", |board, n, seed| {
        run(ucb1(1.0, board, seed).backprop(Solver::new(Average)), n)
    }),
    policy("tuned", "`Ucb1Tuned`", |board, n, seed| {
        run(ucb1(1.0, board, seed).tree_policy(Ucb1Tuned::default()), n)
    }),
    policy("puct", "`Puct`, equal priors", |board, n, seed| run(puct(board, seed), n)),
    policy("puct-second", "`Puct`, children on the 2nd visit", |board, n, seed| {
        run(puct(board, seed).expansion(Expansion::default().on_visit(2)), n)
    }),
    policy("thompson", "`Thompson`", |board, n, seed| run(ucb1(1.0, board, seed).tree_policy(Thompson), n)),
    policy("grave", "`Grave`", |board, n, seed| run(ucb1(1.0, board, seed).tree_policy(Grave::default()), n)),
    policy("rave", "`Rave`", |board, n, seed| run(ucb1(1.0, board, seed).tree_policy(Rave::default()), n)),
    policy("mast", "`Ucb1`, `Mast`", |board, n, seed| {
        run(ucb1(1.0, board, seed).rollout_policy(Mast::default()), n)
    }),
];

type Action = <Connect4 as GameState>::Action;

#[expect(clippy::type_complexity, reason = "a closure has no name")]
fn puct(
    board: Connect4,
    seed: u64,
) -> Mcts<Connect4, Puct, WithPriors<Uniform, impl Fn(&Connect4, Action) -> f32>, Average> {
    let priors = WithPriors::new(Uniform, |_: &Connect4, _| 1.0);
    ucb1(1.0, board, seed).tree_policy(Puct::default()).rollout_policy(priors)
}
