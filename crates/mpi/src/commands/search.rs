//! `ramure-mpi search`: one search, and what its exchanges cost.

use crate::Setting;
use ramure::GameState;
use ramure::search::Link;
use ramure_lab::Failure;
use std::fmt::Display;
use std::time::Duration;

pub fn run<G>(setting: &Setting, state: G, link: &mut impl Link) -> Result<(), Failure>
where
    G: GameState<Action: Display + Send + Sync> + Send + Sync,
{
    let mut search = setting.forest(state, link);
    let report = search.run_linked(setting.budget(), link)?;
    if link.rank() > 0 {
        return Ok(());
    }
    println!("{report}");
    let counts = search.exchanges();
    let exchanges = counts.exchanges.max(1);
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / exchanges as f64;
    println!(
        "{} trees on {} ranks: {:.0} iterations per second",
        setting.trees(link),
        link.ranks(),
        report.iterations as f64 / report.time.as_secs_f64()
    );
    println!(
        "{} exchanges; each: {} nodes, {} bytes sent to each rank, {:.0} microseconds, {:.0} of them waiting",
        counts.exchanges,
        counts.nodes / exchanges,
        counts.bytes / exchanges,
        micros(counts.time),
        micros(counts.waiting),
    );
    Ok(())
}
