//! One number for the results of many searches, to the bit: the same in debug and release, on every platform.

use super::four::Connect4;
use super::hashed::Hashed;
use super::nim::Nim;
use super::pig::Pig;
use super::rows::TicTacToe;
use super::simple::Wide;
use ramure::backpropagation::{Average, Discounted, Solver};
use ramure::search::{Exchange, Unobserved};
use ramure::selection::{Grave, Puct, Thompson, Ucb1Tuned};
use ramure::simulation::{Cutoff, Mast, Uniform, WithPriors};
use ramure::{Budget, Expansion, Mcts, Order, RootDecision, Search};

/// The value of [`fingerprint`]. A change to the search changes it: look at the reports, then set it again to the
/// number that `cargo test --test search determinism` prints (with `RAMURE_DEEP` set).
pub const EXPECTED: u64 = 0xc440_1b44_b9d0_4afd;

/// The value of [`short_fingerprint`], which the same command prints without `RAMURE_DEEP`.
pub const EXPECTED_SHORT: u64 = 0xf682_0d66_79ae_109e;

/// Fowler, Noll and Vo's hash, 64 bits, variant 1a.
pub struct Fnv(u64);

impl Fnv {
    /// Returns the hash of no numbers.
    pub fn new() -> Self {
        Fnv(0xCBF2_9CE4_8422_2325)
    }

    /// Adds a number to the hash.
    pub fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    /// Returns the hash.
    pub fn value(&self) -> u64 {
        self.0
    }
}

/// The hash so far, and the iterations of each run.
struct Runs {
    hash: Fnv,
    iterations: u64,
}

/// Runs `search`, advances it, runs it again, and adds every result that does not depend on the clock.
fn add(Runs { hash, iterations }: &mut Runs, mut search: impl Search) {
    for _ in 0..2 {
        let report = search.run(Budget::iterations(*iterations)).expect("a sound game");
        for action in &report.actions {
            hash.add(u64::from(action.visits));
            hash.add(u64::from(action.mean.to_bits()));
            hash.add(u64::from(action.proof.map_or(7, f32::to_bits)));
        }
        for number in
            [report.iterations, report.nodes as u64, u64::from(report.depth), u64::from(report.root_visits)]
        {
            hash.add(number);
        }
        hash.add(report.chosen.map_or(u64::MAX, |chosen| chosen as u64));
        hash.add(report.mean_depth.to_bits());
        if let Ok(action) = report.try_best_action() {
            search.advance(action).expect("it is legal");
            if search.report().is_err() {
                break; // the game is over
            }
        }
    }
}

/// Returns the fingerprint of searches with each policy, in games with one to three players and with chance.
pub fn fingerprint() -> u64 {
    fingerprint_of(3_000)
}

/// Returns the fingerprint of shorter runs of the same searches.
pub fn short_fingerprint() -> u64 {
    fingerprint_of(400)
}

fn fingerprint_of(iterations: u64) -> u64 {
    let mut runs = Runs { hash: Fnv::new(), iterations };
    let four = || Mcts::new(Connect4::default()).seed(1);
    add(&mut runs, four());
    add(&mut runs, four().tree_policy(Ucb1Tuned::default()).backprop(Discounted::new(0.99)));
    add(&mut runs, four().tree_policy(Grave::default()).rollout_policy(Mast::default()));
    let centre = |_: &Connect4, column: u8| f32::from(4 - column.abs_diff(3));
    let puct = four().rollout_policy(WithPriors::new(Uniform, centre)).tree_policy(Puct::default());
    add(&mut runs, puct.backprop(Solver::new(Average)));
    add(&mut runs, Mcts::new(TicTacToe::default()).backprop(Solver::new(Average)).seed(2));
    let pig = Mcts::new(Pig::new(6)).rollout_policy(Cutoff::new(5)).tree_policy(Thompson);
    add(&mut runs, pig.root_decision(RootDecision::Temperature(0.7)).seed(3));
    add(&mut runs, Mcts::new(Pig { rolling: true, ..Pig::new(4) }).seed(4));
    add(&mut runs, Mcts::new(Nim::<3> { sticks: 17, player: 2 }).root_decision(RootDecision::Secure(1.0)));
    add(&mut runs, Mcts::new(Hashed::new(9, 3, 8).with_chance()).backprop(Discounted::new(0.9)));
    let expansion = Expansion::default().widening(2.0, 0.4).order(Order::AsListed).on_visit(3);
    add(&mut runs, Mcts::new(Wide::new(300, 3)).expansion(expansion));
    let often = Exchange::new().least_iterations(20).least_visits(4).most_nodes(100.0).start(50);
    add(&mut runs, four().parallel(3).threads(1).exchange(often));
    let window = four().rollout_policy(WithPriors::new(Uniform, centre)).tree_policy(Puct::default());
    add(&mut runs, window.window(7).unobserved(Unobserved::Loss));
    runs.hash.value()
}
