//! The command `ramure-lab`: contests, tuning and experiments on Monte-Carlo tree search.

use clap::{Parser, Subcommand};
use ramure_lab::commands::{
    bandit, book, compare, hidden, htp, leduc, output, p_game, plan, play, puzzle, tune, watch,
};
use std::process::ExitCode;

/// Contests, tuning and experiments on Monte-Carlo tree search
#[derive(Parser)]
#[command(version, max_term_width = 80)]
struct Command {
    #[command(subcommand)]
    program: Program,
}

#[derive(Subcommand)]
enum Program {
    Watch(watch::Options),
    Play(play::Options),
    Compare(compare::Options),
    Tune(tune::Options),
    Book(book::Options),
    Puzzle(puzzle::Options),
    Hidden(hidden::Options),
    Bandit(bandit::Options),
    PGame(p_game::Options),
    Plan(plan::Options),
    Leduc(leduc::Options),
    Htp(htp::Options),
}

fn main() -> ExitCode {
    output::ended(match Command::parse().program {
        Program::Book(options) => book::run(options),
        Program::Compare(options) => options.run(&compare::words_with_human()),
        Program::Tune(options) => tune::run(options),
        Program::Bandit(options) => bandit::run(options),
        Program::PGame(options) => p_game::run(options),
        Program::Hidden(options) => hidden::run(options),
        Program::Htp(options) => htp::run(options),
        Program::Leduc(options) => leduc::run(options),
        Program::Plan(options) => plan::run(options),
        Program::Play(options) => play::run(options),
        Program::Puzzle(options) => puzzle::run(options),
        Program::Watch(options) => watch::run(options),
    })
}
