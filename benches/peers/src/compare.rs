//! The rounds: runs every peer equally often, in turn, and prints a table.

use crate::child::Runner;
use crate::contest::Contest;
use crate::peer::{PEERS, Peer, Program};
use crate::policies::POLICIES;
use crate::table::{self, Row};
use crate::threads;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub struct Options {
    /// Selects the table to print
    #[arg(long, value_enum, default_value_t = Table::Peers)]
    table: Table,
    /// Sets the iterations per search, one or several numbers [default: depends on the table]
    #[arg(long, value_delimiter = ',')]
    iterations: Vec<u64>,
    /// Sets the number of rounds; each peer runs once per round, with the seeds 1, 2, 3, ...
    #[arg(long, default_value_t = 9)]
    runs: u64,
    /// Sets the iterations for each of the positions with one right answer
    #[arg(long, default_value_t = 10_000)]
    check_iterations: u64,
    /// Runs only these rows and the first, for example `arbor,minimax`; in the contest, only the matches of
    /// these players
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Selects processor time or wall time [default: wall time for the table of threads, otherwise processor
    /// time]
    #[arg(long, value_enum)]
    clock: Option<Clock>,
    /// Sets the games of each match of the contest
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Sets the milliseconds per action in the contest [default: 50, and 20 on one thread]
    #[arg(long)]
    millis: Option<u64>,
    /// Sets the minutes for which the contest may wait for a quiet machine, and play disturbed games again
    #[arg(long, default_value_t = 30)]
    patience: u64,
    /// Names the Python in which OpenSpiel is installed; without it, the table leaves out OpenSpiel
    #[arg(long)]
    python: Option<PathBuf>,
    /// Also writes the measurements to this file, as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// Runs a smoke test of a few seconds: few iterations, one round; the figures mean little
    #[arg(long)]
    quick: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    /// Compares ramure with other searches
    Peers,
    /// Compares ramure with itself under other policies
    Policies,
    /// Measures the time per iteration in searches of all sizes
    Growth,
    /// Measures the searches that have threads with one thread and with two
    Threads,
    /// Plays these searches on two threads against ramure on two threads
    Contest,
    /// Plays these searches on one thread against ramure on one thread
    ContestAlone,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Clock {
    Cpu,
    Wall,
}

/// The rows of the table of growth: the best rows of the peers that take some minutes at most.
const GROWING: [&str; 6] = ["ramure", "by-hand", "arbor", "board-game", "minimax", "mcts"];
/// Above this number of iterations, the table of growth runs only [`GROWING_LARGE`].
const LARGE: u64 = 1_000_000;
const GROWING_LARGE: [&str; 2] = ["ramure", "by-hand"];

impl Table {
    /// The name on the command line.
    fn name(self) -> &'static str {
        match self {
            Table::Peers => "peers",
            Table::Policies => "policies",
            Table::Growth => "growth",
            Table::Threads => "threads",
            Table::Contest => "contest",
            Table::ContestAlone => "contest-alone",
        }
    }

    fn rows(self) -> Vec<&'static Peer> {
        match self {
            Table::Peers => PEERS.iter().collect(),
            Table::Policies => POLICIES.iter().collect(),
            Table::Growth => PEERS.iter().filter(|peer| GROWING.contains(&peer.name)).collect(),
            Table::Threads => threads::ROWS.iter().collect(),
            Table::Contest | Table::ContestAlone => vec![],
        }
    }

    fn iterations(self, quick: bool) -> Vec<u64> {
        match (self, quick) {
            (Table::Peers, false) => vec![100_000, 1_000_000],
            (Table::Policies, false) => vec![100_000],
            (Table::Growth, false) => vec![1_000, 10_000, 100_000, 1_000_000, 10_000_000],
            (Table::Threads, false) => vec![1_000_000],
            (Table::Peers | Table::Policies | Table::Threads, true) => vec![20_000],
            (Table::Contest | Table::ContestAlone, _) => vec![],
            (Table::Growth, true) => vec![1_000, 10_000, 100_000],
        }
    }

    fn leaves_out(self, peer: &Peer, iterations: u64) -> bool {
        self == Table::Growth && iterations > LARGE && !GROWING_LARGE.contains(&peer.name)
    }

    fn has_bytes(self) -> bool {
        matches!(self, Table::Peers | Table::Policies)
    }

    fn clock(self) -> Clock {
        if self == Table::Threads { Clock::Wall } else { Clock::Cpu }
    }
}

/// Measures and prints the selected table.
pub fn run(mut options: Options) -> Result<(), String> {
    let table = options.table;
    let mut seeds = 3;
    if options.quick {
        (options.runs, seeds) = (1, 1);
        (options.games, options.millis, options.patience) = (2, Some(2), 0);
    }
    if matches!(table, Table::Contest | Table::ContestAlone) {
        let Options { games, millis, only, python, json, .. } = options;
        let patience = Duration::from_secs(60 * options.patience);
        let one_thread = table == Table::ContestAlone;
        let millis = millis.unwrap_or(if one_thread { 20 } else { 50 });
        return Contest { games, millis, patience, only, one_thread, python, json }.run();
    }
    let clock = options.clock.unwrap_or(table.clock());
    if options.quick || options.iterations.is_empty() {
        options.iterations = table.iterations(options.quick);
    }
    if options.runs == 0 || options.iterations.contains(&0) {
        return Err("`--iterations` or `--runs` is 0; both must be at least 1".into());
    }
    let all = table.rows();
    if let Some(name) = options.only.iter().find(|&name| all.iter().all(|peer| peer.name != name)) {
        let names: Vec<_> = all.iter().map(|peer| peer.name).collect();
        return Err(format!("no row has the name `{name}`; the rows are {}", names.join(", ")));
    }
    let asked_for = |peer: &Peer| {
        let can_run = matches!(peer.program, Program::Rust(_)) || options.python.is_some();
        can_run && (options.only.is_empty() || options.only.iter().any(|name| name == peer.name))
    };
    let needed = |peer: &Peer| all.iter().any(|other| asked_for(other) && other.alike == peer.name);
    let chosen = |(index, peer): &(usize, &Peer)| *index == 0 || asked_for(peer) || needed(peer);
    let peers = all.iter().copied().enumerate().filter(chosen).map(|(_, peer)| peer);
    let runner = Runner::new(options.python.clone(), clock == Clock::Cpu)?;
    let sizes = options.iterations.len();
    let mut rows: Vec<Row> = peers.map(|peer| Row::new(peer, runner.version(peer), sizes)).collect();

    for row in &mut rows {
        eprintln!("wins and threats: {}", row.peer.name);
        row.verdict = runner.verdict(row.peer, options.check_iterations, seeds);
    }
    if table.has_bytes() {
        weigh(&mut rows, &options, &runner);
    }
    measure(&mut rows, &options, &runner);
    match table {
        Table::Peers => {
            table::print_peers(&rows, &options.iterations);
            table::print_best(&rows, &options.iterations);
            if options.python.is_none() {
                println!(
                    "\nThe table leaves out OpenSpiel. To include it, give a Python that has it with `--python`."
                );
            }
        }
        Table::Policies => table::print_policies(&rows, &options.iterations),
        Table::Growth => table::print_growth(&rows, &options.iterations),
        Table::Threads => table::print_threads(&rows, &options.iterations),
        Table::Contest | Table::ContestAlone => {}
    }
    match &options.json {
        None => Ok(()),
        Some(file) => {
            let clock = if clock == Clock::Cpu { "cpu" } else { "wall" };
            table::write_json(file, table.name(), clock, &rows, &options.iterations)
        }
    }
}

/// Measures bytes, in separate runs, because counting takes time.
fn weigh(rows: &mut [Row], options: &Options, runner: &Runner) {
    for row in rows {
        eprintln!("bytes: {}", row.peer.name);
        for (&iterations, column) in options.iterations.iter().zip(&mut row.columns) {
            match runner.size(row.peer, iterations) {
                Ok(size) => column.size = size,
                Err(error) => row.failure = Some(error),
            }
        }
    }
}

fn measure(rows: &mut [Row], options: &Options, runner: &Runner) {
    for round in 0..options.runs {
        eprintln!("round {} of {}", round + 1, options.runs);
        for (size, &iterations) in options.iterations.iter().enumerate() {
            for step in 0..rows.len() {
                let index = (step + round as usize) % rows.len();
                let row = &mut rows[index];
                let speed = if options.table.leaves_out(row.peer, iterations) {
                    f64::NAN
                } else {
                    runner.speed(row.peer, iterations, round + 1).unwrap_or_else(|error| {
                        row.failure = Some(error);
                        f64::NAN
                    })
                };
                row.columns[size].speeds.push(speed);
            }
        }
    }
}
