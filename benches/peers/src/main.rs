//! ramure beside other searches: the same position, rules, rollout and number of iterations, one thread. Prints a
//! table. `run.sh` builds it, gets OpenSpiel, and runs it.

mod arbor;
mod board;
mod board_game;
mod child;
mod found;
mod mctrust;
mod mcts;
mod memory;
mod minimax;
mod monte_carlo_tree_search;
mod ours;
mod peer;
mod position;
mod table;
mod treant;

use clap::{Args, Parser, Subcommand, ValueEnum};
use peer::{PEERS, Peer, Program};
use std::path::PathBuf;
use std::process::ExitCode;
use table::Row;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// Compares ramure with other searches: Connect 4 from the empty board, one thread
///
/// Each search is a process of its own. In each round every peer makes one run, all with the same seed, and each round
/// begins with another peer, so that whatever else the machine does hits all alike.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    part: Option<Part>,
    #[command(flatten)]
    options: Options,
}

#[derive(Args)]
struct Options {
    /// Iterations per search, one or several numbers
    #[arg(long, value_delimiter = ',', default_values_t = [100_000, 1_000_000])]
    iterations: Vec<u64>,
    /// Rounds: runs of each peer, with the seeds 1, 2, 3, ...
    #[arg(long, default_value_t = 9)]
    runs: u64,
    /// Iterations for each of the positions with one right answer
    #[arg(long, default_value_t = 10_000)]
    check_iterations: u64,
    /// Only these peers, beside ramure
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The time that counts: of the processor or on the wall
    #[arg(long, value_enum, default_value_t = Clock::Cpu)]
    clock: Clock,
    /// The Python in which OpenSpiel is installed; without it, OpenSpiel is left out
    #[arg(long)]
    python: Option<PathBuf>,
    /// A smoke test of a few seconds: 20 000 iterations, one run. The figures mean little
    #[arg(long)]
    quick: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Clock {
    Cpu,
    Wall,
}

/// What the program asks of itself, in a process each.
#[derive(Subcommand)]
enum Part {
    /// Prints the time, the iterations and the bytes of one search
    #[command(hide = true)]
    Measure(child::Search),
    /// Prints the columns chosen in positions
    #[command(hide = true)]
    Check {
        #[command(flatten)]
        search: child::Search,
        positions: Vec<String>,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.part {
        Some(Part::Measure(search)) => search.measure(),
        Some(Part::Check { search, positions }) => search.check(&positions),
        None => compare(cli.options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(mut options: Options) -> Result<(), String> {
    let mut seeds = 3;
    if options.quick {
        (options.iterations, options.runs, seeds) = (vec![20_000], 1, 1);
    }
    if options.iterations.is_empty() || options.runs == 0 || options.iterations.contains(&0) {
        return Err("at least one number of iterations, at least 1, and at least one run".into());
    }
    if let Some(name) = options.only.iter().find(|&name| PEERS.iter().all(|peer| peer.name != name)) {
        let names: Vec<_> = PEERS.iter().map(|peer| peer.name).collect();
        return Err(format!("no peer is called `{name}`; there are {}", names.join(", ")));
    }
    let runner = child::Runner::new(options.python.clone(), options.clock == Clock::Cpu)?;
    let asked_for = |peer: &Peer| {
        let can_run = matches!(peer.program, Program::Rust(_)) || options.python.is_some();
        can_run && (options.only.is_empty() || options.only.iter().any(|name| name == peer.name))
    };
    let needed = |peer: &Peer| PEERS.iter().any(|other| asked_for(other) && other.alike == peer.name);
    let chosen = |(index, peer): &(usize, &'static Peer)| *index == 0 || asked_for(peer) || needed(peer);
    let peers = PEERS.iter().enumerate().filter(chosen).map(|(_, peer)| peer);
    let sizes = options.iterations.len();
    let mut rows: Vec<Row> = peers.map(|peer| Row::new(peer, runner.version(peer), sizes)).collect();

    for row in &mut rows {
        eprintln!("does it find wins and threats: {}", row.peer.name);
        row.verdict = runner.verdict(row.peer, options.check_iterations, seeds);
    }
    for row in &mut rows {
        eprintln!("bytes: {}", row.peer.name);
        for (&iterations, column) in options.iterations.iter().zip(&mut row.columns) {
            match runner.bytes(row.peer, iterations) {
                Ok(bytes) => column.bytes = bytes,
                Err(error) => row.failure = Some(error),
            }
        }
    }
    for round in 0..options.runs {
        eprintln!("round {} of {}", round + 1, options.runs);
        for (size, &iterations) in options.iterations.iter().enumerate() {
            for step in 0..rows.len() {
                let index = (step + round as usize) % rows.len();
                let row = &mut rows[index];
                match runner.speed(row.peer, iterations, round + 1) {
                    Ok(speed) => row.columns[size].speeds.push(speed),
                    Err(error) => {
                        row.columns[size].speeds.push(f64::NAN);
                        row.failure = Some(error);
                    }
                }
            }
        }
    }
    table::print(&rows, &options.iterations);
    table::print_best(&rows, &options.iterations);
    if options.python.is_none() {
        println!("\nOpenSpiel is not in the table: no `--python` with it was given.");
    }
    Ok(())
}
