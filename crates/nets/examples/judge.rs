//! Judges a network of Connect 4 by an exact solver: `cargo run --release -p ramure-nets --example judge
//! network.onnx [positions]`.
//!
//! Prints in how many random positions the network, a search with it, and a plain search choose an action
//! that keeps the value of the position: a win stays a win, a draw a draw. Only positions count in which some
//! actions do so and some do not. In the *quiet* ones, no action ends the game.

use ramure::backpropagation::{Average, Solver};
use ramure::selection::{AtRoot, CompletedValues, GumbelRoot};
use ramure::simulation::Evaluate;
use ramure::{Budget, GameState, Mcts, Rng, Turn};
use ramure_games::Connect4;
use ramure_nets::{Network, Planes};
use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The numbers of stones of the positions.
const STONES: [u32; 3] = [14, 18, 22];
/// The bits of a column are its six cells from the bottom, and one that is always empty.
const HEIGHT: u32 = 7;
/// The lowest cell of each column.
const BOTTOM: u64 = 0x0408_1020_4081;
const TABLE: usize = 1 << 22;

/// A position: the stones of the player to move, and all stones.
#[derive(Clone, Copy)]
struct Board {
    mine: u64,
    all: u64,
}

impl Board {
    fn of(state: &Connect4) -> Self {
        let (mover, mut board) = (state.viewer(), Board { mine: 0, all: 0 });
        for column in 0..7 {
            for row in 0..6 {
                if let Some(owner) = state.cell(row, column) {
                    let bit = 1 << (u32::from(column) * HEIGHT + u32::from(row));
                    board.all |= bit;
                    board.mine |= if owner == mover { bit } else { 0 };
                }
            }
        }
        board
    }

    /// Returns the board after a stone in `column`, seen by the other player; `None` if the column is full.
    fn after(self, column: u32) -> Option<Self> {
        let cell = (self.all + (1 << (column * HEIGHT))) & (0x3f << (column * HEIGHT));
        (cell != 0).then_some(Board { mine: self.mine ^ self.all, all: self.all | cell })
    }

    /// Whether the player who has just moved has four in a row.
    fn is_lost(self) -> bool {
        let theirs = self.mine ^ self.all;
        [1, HEIGHT, HEIGHT - 1, HEIGHT + 1].into_iter().any(|step| {
            let pairs = theirs & (theirs >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    fn is_full(self) -> bool {
        self.all.count_ones() == 42
    }
}

/// Solves positions exactly, by alpha-beta with a table.
struct Exact {
    /// The key of a position, with a lower and an upper bound of its value.
    table: Vec<(u64, i8, i8)>,
}

impl Exact {
    /// Returns the value for the player to move: 1, 0 or -1.
    fn value(&mut self, board: Board, mut alpha: i8, mut beta: i8) -> i8 {
        if board.is_lost() {
            return -1;
        }
        if board.is_full() {
            return 0;
        }
        let nexts = || [3, 2, 4, 1, 5, 0, 6].into_iter().filter_map(|column| board.after(column));
        if nexts().any(Board::is_lost) {
            return 1;
        }
        let key = board.all + board.mine + BOTTOM;
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 42) as usize;
        let (mut low, mut high) = (-1, 1);
        if self.table[slot].0 == key {
            (_, low, high) = self.table[slot];
        }
        (alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return alpha;
        }
        let (mut best, start) = (-1, alpha);
        for next in nexts() {
            best = best.max(-self.value(next, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        let bounds = if best >= beta {
            (best, high)
        } else if best <= start {
            (low, best)
        } else {
            (best, best)
        };
        self.table[slot] = (key, bounds.0, bounds.1);
        best
    }

    /// Returns the value of each action for the player to move.
    fn values(&mut self, state: &Connect4) -> Vec<i8> {
        let board = Board::of(state);
        let columns = state.actions().into_iter().map(|action| u32::from(action.number()));
        columns.filter_map(|column| board.after(column)).map(|next| -self.value(next, -1, 1)).collect()
    }
}

/// Returns a position after so many random actions, in which the game is not over.
fn random_position(stones: u32, rng: &mut Rng) -> Connect4 {
    loop {
        let mut state = Connect4::new();
        for _ in 0..stones {
            if let Some(action) = state.random_action(rng) {
                state.apply(action);
            }
        }
        if matches!(state.turn(), Turn::Player(_)) {
            return state;
        }
    }
}

fn ends_at_once(state: &Connect4) -> bool {
    state.actions().into_iter().any(|action| {
        let mut next = *state;
        next.apply(action);
        next.turn() == Turn::Over
    })
}

/// Returns the number of the action that the network likes best, without a search.
fn alone(network: &Network<Connect4>, state: &Connect4) -> Outcome<usize> {
    let outputs = network.outputs(std::slice::from_ref(state))?;
    let logit = |&(_, action): &(usize, _)| outputs[0].policy[state.policy_index(action)];
    let best =
        state.actions().into_iter().enumerate().max_by(|one, other| logit(one).total_cmp(&logit(other)));
    Ok(best.ok_or("no action")?.0)
}

fn searched(network: &Network<Connect4>, state: &Connect4, iterations: u64) -> Outcome<usize> {
    let policy = AtRoot::new(GumbelRoot::new(16).noise(0.0), CompletedValues::default());
    let search = Mcts::new(*state).rollout_policy(Evaluate::new(network.clone())).tree_policy(policy);
    let report = search.backprop(Solver::new(Average)).run(Budget::iterations(iterations))?;
    Ok(report.chosen.ok_or("no action")?)
}

fn plain(state: &Connect4, iterations: u64) -> Outcome<usize> {
    Ok(Mcts::new(*state).backprop(Average).run(Budget::iterations(iterations))?.chosen.ok_or("no action")?)
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name the file of a network of Connect 4")?;
    let count: usize = arguments.next().map_or(Ok(500), |text| text.parse())?;
    let network = Network::load(path, &Connect4::new())?;
    let mut exact = Exact { table: vec![(0, -1, 1); TABLE] };
    println!(
        "stones  kind   positions   network alone   16 iterations   64 iterations   UCT 1000   UCT 10000"
    );
    for stones in STONES {
        for is_quiet in [false, true] {
            let mut rng = Rng::seeded(u64::from(stones));
            let (mut asked, mut right) = (0, [0; 5]);
            while asked < count {
                let state = random_position(stones, &mut rng);
                if is_quiet && ends_at_once(&state) {
                    continue;
                }
                let values = exact.values(&state);
                let best = values.iter().copied().max().ok_or("no action")?;
                if values.iter().all(|&value| value == best) {
                    continue;
                }
                asked += 1;
                let chosen = [
                    alone(&network, &state)?,
                    searched(&network, &state, 16)?,
                    searched(&network, &state, 64)?,
                    plain(&state, 1_000)?,
                    plain(&state, 10_000)?,
                ];
                for (right, chosen) in right.iter_mut().zip(chosen) {
                    *right += usize::from(values[chosen] == best);
                }
            }
            let share = |right: usize| right as f64 / asked as f64;
            print!("{stones:>6}  {:<5}  {asked:>9}", if is_quiet { "quiet" } else { "any" });
            for (right, width) in right.into_iter().zip([16, 16, 16, 11, 12]) {
                print!("{:>width$.3}", share(right));
            }
            println!();
        }
    }
    Ok(())
}
