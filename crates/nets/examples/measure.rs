//! Measures a network of Connect 4: `cargo run --release -p ramure-nets --example measure network.onnx [outputs]`.
//!
//! Prints the time per position for batches of several sizes, on one thread: for a network compiled for batches of one, and of the size of the batch. With a second argument, writes there the outputs for
//! 64 positions, as text: first the 84 numbers of the input, then the logits and the value. `compare.py` compares them with those of onnxruntime.

use ramure::games::Connect4;
use ramure::{GameState, Rng};
use ramure_nets::{Network, Planes};
use std::fmt::Write;
use std::time::Instant;

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

/// Returns the least time per position of fifteen rounds, in microseconds.
fn time(network: &Network<Connect4>, states: &[Connect4]) -> Result<f64, Box<dyn std::error::Error>> {
    let mut best = f64::INFINITY;
    for _ in 0..15 {
        let rounds = (256 / states.len()).max(1);
        let start = Instant::now();
        for _ in 0..rounds {
            std::hint::black_box(network.outputs(states)?);
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e6 / (rounds * states.len()) as f64);
    }
    Ok(best)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name the file of a network of Connect 4")?;
    let one = Network::load(path, &Connect4::new())?;
    println!("batch   microseconds per position: compiled for one   compiled for the batch");
    for size in [1, 8, 64, 256] {
        let states = positions(size);
        let whole = one.clone().batch_sizes(&[size])?;
        println!("{size:>5}   {:>43.1}   {:>22.1}", time(&one, &states)?, time(&whole, &states)?);
    }
    if let Some(path) = arguments.next() {
        let states = positions(64);
        let mut text = String::new();
        for (state, output) in states.iter().zip(one.outputs(&states)?) {
            let mut input = vec![0.0; state.shape().len()];
            state.write(&mut input);
            for number in input.iter().chain(&output.policy).chain(&output.value) {
                write!(text, "{number} ")?;
            }
            text.push('\n');
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}
