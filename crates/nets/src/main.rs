//! The command `ramure-nets`: networks that learn by self-play, and contests with them.

use clap::{Parser, Subcommand};
use ramure_lab::Failure;
use ramure_lab::commands::{compare, output};
use ramure_nets::program::{train, with_net};
use std::process::ExitCode;

/// Neural networks for Monte-Carlo tree search
#[derive(Parser)]
#[command(version, max_term_width = 80)]
struct Command {
    #[command(subcommand)]
    program: Program,
}

#[derive(Subcommand)]
enum Program {
    Train(train::Options),
    #[command(after_help = EXAMPLES)]
    Compare(compare::Options),
}

const EXAMPLES: &str = "\
An agent with a network is net:BUDGET,file=FILE, with policy=gumbel or puct and orientation=same or average. Connect 4 \
and Hex 7 need no file:
  ramure-nets compare connect4 net:200 human --games 2
  ramure-nets compare connect4 net:64,file=run/network.onnx mcts:1000
  ramure-nets compare hex:5 net:50ms,policy=puct,file=run/network.onnx human --games 2

All other agents are those of ramure-lab compare.";

fn compare(options: &compare::Options) -> Result<(), Failure> {
    options.run(&with_net(compare::words_with_human(), &options.start()?))
}

fn main() -> ExitCode {
    output::ended(match Command::parse().program {
        Program::Train(options) => train::run(options),
        Program::Compare(options) => compare(&options),
    })
}
