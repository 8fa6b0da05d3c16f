//! Measures a network of Connect 4: `cargo run --release -p ramure-nets --example measure network.onnx
//! [outputs] [picture.svg]`.
//!
//! Prints the evaluations per second for batches of several sizes, on one thread: for a network compiled for
//! batches of one, and of the size of the batch. Then it prints which share of its time a search with a
//! window spends in the network. An argument that ends in `.svg` is where it draws the evaluations per
//! second. To any other argument it writes the outputs for 64 positions, as text: first the 84 numbers of the
//! input, then the logits and the value. `compare.py` compares them with those of onnxruntime.

use ramure::selection::Puct;
use ramure::simulation::{Evaluate, Evaluator, Position};
use ramure::{BoxError, Budget, GameState, Mcts, Rng};
use ramure_games::Connect4;
use ramure_lab::pictures::{Curve, Curves, Picture, Scale};
use ramure_nets::{Network, Planes};
use std::cell::Cell;
use std::fmt::Write;
use std::time::{Duration, Instant};

const SIZES: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/// The iterations of a search with each window.
const ITERATIONS: u64 = 4096;

/// Returns positions of random games.
fn positions(count: usize) -> Vec<Connect4> {
    let (mut rng, mut states, mut state) = (Rng::seeded(1), Vec::new(), Connect4::new());
    while states.len() < count {
        match state.random_action(&mut rng) {
            None => state = Connect4::new(),
            Some(action) => {
                states.push(state);
                state.apply(action);
            }
        }
    }
    states
}

/// Returns the most evaluations per second of fifteen rounds.
fn speed(network: &Network<Connect4>, states: &[Connect4]) -> Result<f64, BoxError> {
    let mut best: f64 = 0.0;
    for _ in 0..15 {
        let rounds = (256 / states.len()).max(1);
        let start = Instant::now();
        for _ in 0..rounds {
            std::hint::black_box(network.outputs(states)?);
        }
        best = best.max((rounds * states.len()) as f64 / start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// Counts the time that a network takes.
struct Timed<'n> {
    network: &'n Network<Connect4>,
    time: Cell<Duration>,
}

impl Evaluator<Connect4> for &Timed<'_> {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        let start = Instant::now();
        let answer = self.network.evaluate(batch);
        self.time.set(self.time.get() + start.elapsed());
        answer
    }
}

/// Searches with a window. Returns iterations per second and the share of the time that the network works.
fn search(network: &Network<Connect4>, window: usize) -> Result<(f64, f64), BoxError> {
    let timed = Timed { network, time: Cell::default() };
    let search = Mcts::new(Connect4::new()).tree_policy(Puct::default());
    let mut search = search.rollout_policy(Evaluate::new(&timed)).window(window);
    let start = Instant::now();
    search.run(Budget::iterations(ITERATIONS))?;
    let time = start.elapsed().as_secs_f64();
    Ok((ITERATIONS as f64 / time, timed.time.get().as_secs_f64() / time))
}

fn outputs(network: &Network<Connect4>) -> Result<String, BoxError> {
    let states = positions(64);
    let mut text = String::new();
    for (state, output) in states.iter().zip(network.outputs(&states)?) {
        let mut input = vec![0.0; state.shape().len()];
        state.write(&mut input);
        for number in input.iter().chain(&output.policy).chain(&output.value) {
            write!(text, "{number} ")?;
        }
        text.push('\n');
    }
    Ok(text)
}

fn main() -> Result<(), BoxError> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name the file of a network of Connect 4")?;
    let one = Network::load(path, &Connect4::new())?;
    println!("batch   evaluations per second: compiled for one   compiled for the batch");
    let mut curves = [Vec::new(), Vec::new()];
    for size in SIZES {
        let states = positions(size);
        let whole = one.clone().batch_sizes(&[size])?;
        let speeds = [speed(&one, &states)?, speed(&whole, &states)?];
        println!("{size:>5}   {:>41.0}   {:>22.0}", speeds[0], speeds[1]);
        curves.iter_mut().zip(speeds).for_each(|(curve, speed)| curve.push((size as f64, speed)));
    }
    println!("window   iterations per second   share of the time in the network");
    for window in [1, 16, 64] {
        let (speed, share) = search(&one, window)?;
        println!("{window:>6}   {speed:>21.0}   {share:>32.3}");
    }
    for path in arguments {
        if path.ends_with(".svg") {
            let [one, whole] = &curves;
            let picture = Curves::new("A network of Connect 4 on one thread")
                .x_label("positions in a batch")
                .x_scale(Scale::Log2)
                .y_label("evaluations per second")
                .y_within(0.0, 0.0)
                .curve(Curve::new("compiled for one", one.iter().copied()))
                .curve(Curve::new("compiled for the batch", whole.iter().copied()));
            picture.save(path)?;
        } else {
            std::fs::write(path, outputs(&one)?)?;
        }
    }
    Ok(())
}
