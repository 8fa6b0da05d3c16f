//! A soak: ten million iterations at several memory limits, then short runs by time in the full tree. Prints
//! the bytes of the report, the growth of the process, and the most by which a run exceeded its time. Fails
//! if the bytes or the growth exceed their bounds. (The time also depends on the load of the machine, so it
//! is only printed.) `cargo bench -p ramure-benches --bench memory`, or with a number of iterations after
//! `--`.

use ramure::prelude::*;
use ramure::{Bytes, Every};
use ramure_games::{Connect4, Hex};
use std::time::{Duration, Instant};

/// Returns the resident bytes of this process, if the system reports them.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kib| kib << 10)
}

fn soak<G: GameState>(name: &str, start: &G, limit: Bytes, iterations: u64) -> bool {
    let before = resident();
    let mut search = Mcts::new(start.clone()).tree_policy(Ucb1::new(0.7)).memory_limit(limit);
    let mut most = 0;
    let step = (iterations / 1000).max(1);
    let report = search.run_with(Budget::iterations(iterations), Every::Iterations(step), &mut |report| {
        most = most.max(report.bytes)
    });
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            println!("{name}: {error}");
            return false;
        }
    };
    most = most.max(report.bytes);
    let overshoot = match worst_overshoot(&mut search, if iterations < 1_000_000 { 10 } else { 200 }) {
        Ok(overshoot) => overshoot,
        Err(error) => {
            println!("{name}: {error}");
            return false;
        }
    };
    most = most.max(search.memory_usage().0);
    let growth = match (before, resident()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => 0,
    };
    let mark = limit.0 + limit.0 / 10 + Bytes::mib(1).0;
    let holds = most <= limit.0 && growth <= mark;
    println!(
        "{name:<12} limit {:>10}  reported at most {:>10}  process grew {:>10}  {:>9} nodes  {:>10} recycled  {:>9.0} it/s  worst run {:>5.2} ms too long  {}",
        limit.to_string(),
        Bytes(most).to_string(),
        Bytes(growth).to_string(),
        report.nodes,
        report.recycled_nodes,
        report.iterations_per_second(),
        overshoot.as_secs_f64() * 1e3,
        if holds { "holds" } else { "BROKEN" },
    );
    holds
}

/// Returns the most by which one of `runs` runs of 20 ms exceeds its time.
fn worst_overshoot<G: GameState>(search: &mut Mcts<G>, runs: u32) -> Result<Duration, SearchError> {
    let budget = Duration::from_millis(20);
    let mut worst = Duration::ZERO;
    for _ in 0..runs {
        let start = Instant::now();
        search.run(Budget::time(budget))?;
        worst = worst.max(start.elapsed().saturating_sub(budget));
    }
    Ok(worst)
}

fn main() {
    // Cargo also passes `--bench`. `--test` asks for a smoke test.
    let test = std::env::args().any(|argument| argument == "--test");
    let iterations = std::env::args().find_map(|argument| argument.parse().ok());
    let iterations = iterations.unwrap_or(if test { 100_000 } else { 10_000_000 });
    let hex = Hex::new(11).unwrap_or_else(|error| panic!("{error}"));
    let mut all_hold = true;
    for mib in [1, 16, 256] {
        all_hold &= soak("Connect 4", &Connect4::new(), Bytes::mib(mib), iterations);
        all_hold &= soak("Hex 11x11", &hex, Bytes::mib(mib), iterations);
    }
    if !all_hold {
        std::process::exit(1);
    }
}
