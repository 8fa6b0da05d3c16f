//! A search with a network, of a game that is yours: `cargo run --release -p ramure-nets --example
//! your_own_game [network.onnx]`.
//!
//! Players take one, two or three sticks in turn. The player who takes the last one wins. Without a file,
//! this runs the network `sticks.onnx` beside this program, a single layer that knows a little: it likes to
//! take one stick, and holds multiples of four for lost.

use ramure::ActionIndex;
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::Evaluate;
use ramure_nets::{Network, Planes, Shape};

#[derive(Clone)]
struct Sticks {
    left: u8,
    player: Player,
}

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(3)
    }
    fn apply(&mut self, taken: u8) {
        self.left -= taken;
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.player { 0.0 } else { 1.0 } // no sticks left: the player to move loses
    }
}

/// The column of each action in the policy of the network.
impl ActionIndex for Sticks {
    const ACTION_COUNT: usize = 3;

    fn action_index(taken: u8) -> usize {
        usize::from(taken) - 1
    }
}

/// The input of the network: a 1 at the number of sticks, and 0 elsewhere.
impl Planes for Sticks {
    fn shape(&self) -> Shape {
        Shape::Features(21)
    }
    fn write(&self, input: &mut [f32]) {
        input[usize::from(self.left) - 1] = 1.0;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Sticks { left: 21, player: 0 };
    let network = match std::env::args().nth(1) {
        Some(path) => Network::load(path, &start)?,
        None => Network::from_bytes(include_bytes!("sticks.onnx"), &start)?,
    };
    let mut search =
        Mcts::new(start).tree_policy(Puct::default()).rollout_policy(Evaluate::new(network)).window(16);
    let report = search.run(Budget::iterations(400))?;
    println!("{report}");
    println!("take {}", report.best_action());
    Ok(())
}
