//! Random programs over one table-driven game: any search, any settings, any sequence of calls.
//!
//! A [`Program`](program::Program) is a [`Table`](table::Table), the settings of a search of one of twelve [`Kind`](kinds::Kind)s, and calls.
//! `runner` performs it, `laws` says what must hold after each call, `check` compares performances that must be the same, and `shrink` makes a
//! program that fails smaller, and prints it as Rust.

#![allow(clippy::unit_arg, reason = "a call that cannot fail is an outcome like any other")]

mod bounds;
mod check;
mod found;
mod kinds;
mod laws;
mod policies;
mod program;
mod quiet;
mod runner;
mod shrink;
mod space;
mod subject;
pub(crate) mod table;
mod twin;

use check::hunt;
use kinds::Kind;
use program::Program;
use std::time::{Duration, Instant};

/// The programs of each kind in `cargo test`: about ten seconds in all, unoptimised.
const FEW: u64 = 60;

/// The kinds divided by the cores of a usual machine.
const SHARES: f64 = 6.0;

fn variable(name: &str) -> Option<f64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Hunts among the programs of one kind: a few, or for as many minutes in all as `RAMURE_DEEP` says. `RAMURE_FROM` is the first seed, and
/// `RAMURE_PROGRAMS` the number of programs.
fn no_program_fails(kind: Kind) {
    let from = variable("RAMURE_FROM").unwrap_or(0.0) as u64;
    let minutes = variable("RAMURE_DEEP").or_else(|| std::env::var_os("RAMURE_DEEP").map(|_| 1.0));
    let time = minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes / SHARES));
    let count = variable("RAMURE_PROGRAMS")
        .map_or(if time.is_some() { u64::MAX - from } else { FEW }, |count| count as u64);
    let begin = Instant::now();
    let in_time = |_: &u64| time.is_none_or(|time| begin.elapsed() < time);
    if let Some((seed, program, flaw)) = hunt(kind, (from..from + count).take_while(in_time)) {
        panic!("seed {seed}, call {}: {}\n{}", flaw.call, flaw.text, program.rust("name_it"));
    }
}

/// Programs for Miri: actions that own memory, memory limits, and panics of their clones, comparisons and drops.
#[test]
fn a_core() {
    for kind in [Kind::LinesOwned, Kind::Mirror, Kind::Guesses, Kind::Sampled] {
        let seeds = 0..;
        let programs = seeds.map(|seed| Program::small(seed, kind)).filter(Program::is_demanding);
        let count = if cfg!(miri) { 1 } else { crate::sized(3, 30) };
        programs.take(count).for_each(|program| program.check());
    }
}

macro_rules! kinds {
    ($($name:ident: $kind:ident),+ $(,)?) => { $(
        #[test]
        fn $name() {
            no_program_fails(Kind::$kind);
        }
    )+ };
}
kinds! {
    lines: Lines, lines_with_actions_that_own: LinesOwned, graphs: Graph, mirror_images: Mirror, guesses: Guesses, open_loops: Open,
    samples: Sampled, plans: Planning, questions: Asks, graphs_with_threads: GraphThreads, threads: Threads, player_trees: PlayerTrees,
}
