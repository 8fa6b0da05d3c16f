//! Pondering: the search runs while the opponent thinks, then keeps the subtree of the action that the
//! opponent plays. The time that takes is unknown, so the search has a memory limit.
//!
//! `cargo run --release --example ponder`

use ramure::prelude::*;
use ramure::{Bytes, StopHandle};
use ramure_agents::{Agent, FlatMonteCarlo};
use ramure_games::Connect4;
use ramure_games::connect4::Column;
use std::error::Error;
use std::thread;
use std::time::Duration;

/// The opponent: takes 50 ms to choose an action. In your program, this function waits for a person or for
/// the network.
fn opponent(state: &Connect4) -> Result<Column, Box<dyn Error + Send + Sync>> {
    thread::sleep(Duration::from_millis(50));
    Ok(FlatMonteCarlo::per_action(50).choose(state)?)
}

/// Stops a run when it goes out of scope, also after a panic. Otherwise the thread that ponders would never
/// end.
struct StopAtEnd(StopHandle);

impl Drop for StopAtEnd {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut search = Mcts::new(Connect4::new()).memory_limit(Bytes::mib(256));
    loop {
        let report = search.run(Budget::millis(50))?;
        let known = u64::from(report.root_visits) - report.iterations;
        println!("R plays {}: {known} iterations kept, {} more", report.best_action(), report.iterations);
        search.advance(report.best_action())?;
        if search.state().turn() == Turn::Over {
            break;
        }

        // The search runs on its own thread until the opponent has chosen. If that comes before the run
        // begins, it ends after its first iteration. If the run has already ended because the root is proven,
        // the next one still uses its whole budget.
        let state = *search.state();
        let stop = StopAtEnd(search.stop_handle());
        let (action, pondered) = thread::scope(|scope| {
            let pondering = scope.spawn(|| search.run(Budget::until_stopped()));
            let action = opponent(&state);
            drop(stop);
            (action, pondering.join())
        });
        pondered.map_err(|_| "the search panicked")??;
        let action = action?;
        println!("Y plays {action}");
        search.advance(action)?;
        if search.state().turn() == Turn::Over {
            break;
        }
    }
    println!("{}", search.state());
    Ok(())
}
