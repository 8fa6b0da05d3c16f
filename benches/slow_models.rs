//! Measures what threads are worth if a game waits for its model, as for a server: 500 iterations, where each
//! call of one method sleeps for a millisecond. `cargo bench -p ramure-benches --bench slow_models`.

use ramure::Rewards;
use ramure::prelude::*;
use ramure::simulation::Evaluate;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The slow method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Slow {
    Actions,
    Apply,
    Evaluation,
}

/// Results of the model by the method, the state and the action.
type Memo = Arc<Mutex<HashMap<(Slow, u64, u8), u64>>>;

/// A tree with five actions at each node, twelve plies deep. A position is a number.
#[derive(Clone)]
struct Model<const KEEPS: bool> {
    position: u64,
    plies: u8,
    slow: Slow,
    /// The answers of the model so far, shared by all clones.
    memo: Option<Memo>,
}

impl<const KEEPS: bool> Model<KEEPS> {
    /// Asks the model, unless it has answered this before.
    fn ask(&self, method: Slow, action: u8, answer: u64) -> u64 {
        let key = (method, self.position, action);
        let known = self.memo.as_ref().and_then(|memo| memo.lock().expect("no panic").get(&key).copied());
        known.unwrap_or_else(|| {
            if method == self.slow {
                sleep(Duration::from_millis(1));
            }
            self.memo.iter().for_each(|memo| _ = memo.lock().expect("no panic").insert(key, answer));
            answer
        })
    }

    fn worth(&self) -> f64 {
        (self.position % 1000) as f64 / 1000.0
    }
}

impl<const KEEPS: bool> GameState for Model<KEEPS> {
    type Action = u8;
    const KEEPS_STATES: bool = KEEPS;
    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.plies == 12 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..self.ask(Slow::Actions, 0, 5) as u8
    }
    fn apply(&mut self, action: u8) {
        let next =
            (self.position ^ u64::from(action + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17);
        self.position = self.ask(Slow::Apply, action, next);
        self.plies += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        self.worth()
    }
}

fn main() {
    println!("| a millisecond in each | helped by | one thread | `threads(8)` | times as fast |");
    println!("|---|---|---:|---:|---:|");
    for slow in [Slow::Actions, Slow::Apply, Slow::Evaluation] {
        row::<false>(slow, false, "nothing");
        row::<true>(slow, false, "kept states");
        row::<false>(slow, true, "a memo");
    }
}

fn row<const KEEPS: bool>(slow: Slow, has_memo: bool, help: &str) {
    let search = || {
        let memo = has_memo.then(Arc::default);
        let evaluate = Evaluate::by(|state: &Model<KEEPS>, _, _| {
            state.ask(Slow::Evaluation, 0, 0);
            Rewards::new(1, |_| state.worth() as f32)
        });
        Mcts::new(Model::<KEEPS> { position: 1, plies: 0, slow, memo }).rollout_policy(evaluate)
    };
    let (one, eight) = (time(search), time(|| search().threads(8)));
    let ratio = one.as_secs_f64() / eight.as_secs_f64();
    println!("| {slow:?} | {help} | {} ms | {} ms | {ratio:.1} |", one.as_millis(), eight.as_millis());
}

/// Returns the time of 500 iterations of a new search, the least of three.
fn time<S: Search>(search: impl Fn() -> S) -> Duration {
    let run = |_| {
        let (mut search, start) = (search(), Instant::now());
        search.run(Budget::iterations(500)).expect("a sound game");
        start.elapsed()
    };
    (0..3).map(run).min().unwrap_or_default()
}
