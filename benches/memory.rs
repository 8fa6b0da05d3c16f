//! A soak: ten million iterations at several memory limits. Prints what the report says of the bytes, and by how much the
//! process grew; fails if either passes its mark. `cargo bench --bench memory`, or with a number of iterations after `--`.

use ramure::Bytes;
use ramure::games::{Connect4, Hex};
use ramure::prelude::*;

/// The resident bytes of this process, where the system tells.
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
    let report =
        search.run_with(Budget::iterations(iterations), step, |report| most = most.max(report.bytes));
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            println!("{name}: {error}");
            return false;
        }
    };
    most = most.max(report.bytes);
    let growth = match (before, resident()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => 0,
    };
    let mark = limit.0 + limit.0 / 10 + Bytes::mib(1).0;
    let holds = most <= limit.0 && growth <= mark;
    println!(
        "{name:<12} limit {:>10}  reported at most {:>10}  process grew {:>10}  {:>9} nodes  {:>10} recycled  {:>9.0} it/s  {}",
        limit.to_string(),
        Bytes(most).to_string(),
        Bytes(growth).to_string(),
        report.nodes,
        report.recycled_nodes,
        report.iterations_per_second(),
        if holds { "holds" } else { "BROKEN" },
    );
    holds
}

fn main() {
    // Cargo passes `--bench` as well; `--test` asks whether it runs.
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
