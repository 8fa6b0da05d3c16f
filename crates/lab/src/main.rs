//! The command `ramure-lab`: contests, tuning and experiments on Monte-Carlo tree search.

use clap::{Parser, Subcommand};
use ramure_lab::experiments::games::AnyGame;
use ramure_lab::experiments::human::Human;
use ramure_lab::experiments::{compare, output};
use ramure_lab::programs::{bandit, book, hidden, htp, leduc, p_game, play, puzzle, reproduce, tune, watch};
use std::process::ExitCode;

/// Contests, tuning and experiments on Monte-Carlo tree search
#[derive(Parser)]
#[command(version)]
struct Command {
    #[command(subcommand)]
    program: Program,
}

#[derive(Subcommand)]
enum Program {
    Book(book::Options),
    Compare(compare::Options),
    Tune(tune::Options),
    Bandit(bandit::Options),
    PGame(p_game::Options),
    Hidden(hidden::Options),
    Htp(htp::Options),
    Leduc(leduc::Options),
    Play(play::Options),
    Puzzle(puzzle::Options),
    Reproduce(reproduce::Options),
    Watch(watch::Options),
}

fn main() -> ExitCode {
    output::ended(match Command::parse().program {
        Program::Book(options) => book::run(options),
        Program::Compare(options) => {
            options.run(&AnyGame::registry().with("human", "the person at the terminal", |_| Ok(|| Human)))
        }
        Program::Tune(options) => options.run(),
        Program::Bandit(options) => bandit::run(options),
        Program::PGame(options) => p_game::run(options),
        Program::Hidden(options) => hidden::run(&options),
        Program::Htp(options) => htp::run(options),
        Program::Leduc(options) => leduc::run(options),
        Program::Play(options) => play::run(&options),
        Program::Puzzle(options) => puzzle::run(options),
        Program::Reproduce(options) => reproduce::run(&options),
        Program::Watch(options) => watch::run(options),
    })
}
