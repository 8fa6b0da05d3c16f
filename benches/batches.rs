//! Measures searches that hold several leaves at a time, as two tables: an evaluator that works on a batch,
//! such as a network, and rollouts of a fixed time on several threads. `cargo bench -p ramure-benches --bench
//! batches`; with `-- --help`, the options.
//!
//! The evaluator and the rollouts only wait, in a loop that keeps the processor busy. All searches are of
//! Connect 4, from the empty board.

use clap::Parser;
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::{Evaluate, Evaluator, Leaf, Position, Trace};
use ramure::{BoxError, GameFault, Rewards, StaticEvaluation};
use ramure_games::Connect4;
use std::hint::spin_loop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Measures windows, batches and long rollouts.
#[derive(Parser)]
struct Cli {
    /// Measure these windows
    #[arg(long, value_delimiter = ',', default_values_t = [1, 16, 64, 128, 256])]
    windows: Vec<usize>,
    /// Let a call of the evaluator take this many microseconds
    #[arg(long, default_value_t = 200)]
    call: u64,
    /// Let the evaluator take this many microseconds more for each position
    #[arg(long, default_value_t = 2)]
    position: u64,
    /// Let a rollout take this many microseconds; several numbers give several rows
    #[arg(long, value_delimiter = ',', default_values_t = [10, 20, 50, 200])]
    rollouts: Vec<u64>,
    /// Simulate on this many threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Search this long for each figure, in milliseconds
    #[arg(long, default_value_t = 1_000)]
    millis: u64,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
    /// Runs a smoke test, as in criterion
    #[arg(long, hide = true)]
    test: bool,
}

fn wait(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        spin_loop();
    }
}

/// The work of an evaluator, in positions and nanoseconds.
#[derive(Clone, Default)]
struct Work(Arc<(AtomicU64, AtomicU64)>);

/// An evaluator that takes a fixed time.
struct Slow {
    call: Duration,
    position: Duration,
    work: Work,
}

impl Evaluator<Connect4> for Slow {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        let start = Instant::now();
        wait(self.call + self.position * batch.len() as u32);
        for position in batch.iter_mut() {
            let values = Rewards::new(2, |player| position.state.evaluate(player) as f32);
            position.set_value(values);
        }
        let (positions, time) = &*self.work.0;
        positions.fetch_add(batch.len() as u64, Ordering::Relaxed);
        time.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(())
    }
}

/// A random rollout that takes a fixed time.
struct Long(Duration);

impl<G: GameState> RolloutPolicy<G> for Long {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        let start = Instant::now();
        let rewards = leaf.play_out_at_random(rng);
        while start.elapsed() < self.0 {
            spin_loop();
        }
        rewards
    }
}

impl Cli {
    fn budget(&self) -> Budget {
        Budget::millis(self.millis)
    }

    /// Returns the evaluations per second, and the share of the time in which the evaluator worked.
    fn evaluator(&self, window: usize, is_beside: bool) -> Result<(f64, f64), SearchError> {
        let work = Work::default();
        let slow = Slow {
            call: Duration::from_micros(self.call),
            position: Duration::from_micros(self.position),
            work: work.clone(),
        };
        let search = Mcts::new(Connect4::new()).backprop(Average).tree_policy(Puct::default());
        let mut search = search.rollout_policy(Evaluate::new(slow)).window(window);
        let report = match is_beside {
            true => search.threads(2).run(self.budget())?,
            false => search.run(self.budget())?,
        };
        let (positions, nanos) = &*work.0;
        let seconds = report.time.as_secs_f64();
        Ok((
            positions.load(Ordering::Relaxed) as f64 / seconds,
            nanos.load(Ordering::Relaxed) as f64 / 1e9 / seconds,
        ))
    }

    fn evaluators(&self) -> Result<(), SearchError> {
        println!(
            "| window | evaluations per second | | evaluator busy | `threads(2)`: evaluations per second | evaluator busy |"
        );
        println!("|---:|---:|---:|---:|---:|---:|");
        let mut first = None;
        for &window in &self.windows {
            let (speed, busy) = self.evaluator(window, false)?;
            let (beside, busy_beside) = self.evaluator(window, true)?;
            let times = speed / *first.get_or_insert(speed);
            println!(
                "| {window} | {speed:.0} | {times:.1} times | {:.0} % | {beside:.0} | {:.0} % |",
                100.0 * busy,
                100.0 * busy_beside
            );
        }
        println!(
            "\nAn evaluator that takes {} microseconds per call and {} per position; `Puct`.\n",
            self.call, self.position
        );
        Ok(())
    }

    fn threads(&self) -> Result<(), SearchError> {
        let windows = [16, 32, 64];
        print!("| rollout |");
        windows.iter().for_each(|window| print!(" `window({window})` |"));
        println!("\n|---:|{}", "---:|".repeat(windows.len()));
        for &micros in &self.rollouts {
            let rollout = || Long(Duration::from_micros(micros));
            let search = || Mcts::new(Connect4::new()).backprop(Average).rollout_policy(rollout());
            let one = search().run(self.budget())?;
            print!("| {micros} microseconds |");
            for window in windows {
                let several = search().window(window).threads(self.threads).run(self.budget())?;
                let speed = |report: &ramure::Report<_>| report.iterations as f64 / report.time.as_secs_f64();
                print!(" {:.2} times |", speed(&several) / speed(&one));
            }
            println!();
        }
        println!("\n{} threads against a search without a window.", self.threads);
        Ok(())
    }
}

fn main() -> Result<(), SearchError> {
    let mut cli = Cli::parse();
    if cli.test {
        (cli.windows, cli.rollouts, cli.millis) = (vec![1, 4], vec![10], 20);
    }
    cli.evaluators()?;
    cli.threads()
}
