//! What many searches find, to the bit: the same in debug and release, on every platform.
//!
//! Each search names all its policies and constants, so that a change of a default changes none of them.

use super::draw;
use super::four::Connect4;
use super::hashed::Hashed;
use super::kuhn::Kuhn;
use super::layered::Layered;
use super::nim::Nim;
use super::pig::Pig;
use super::rows;
use super::simple::Wide;
use super::tricks::Tricks;
use super::with_priors;
use ramure::backpropagation::{Average, Discounted, Solver};
use ramure::search::{InformationSet, MirrorImages, OpenLoop, Sampled, Space, Transpositions, Unobserved};
use ramure::selection::{
    AvailabilityUcb1, FirstPlay, Grave, Puct, RegretMatching, Thompson, Ucb1, Ucb1Tuned,
};
use ramure::simulation::{Cutoff, Mast, Uniform};
use ramure::{ActionSampler, Budget, Expansion, Mcts, Order, Rng, RootDecision, Search};
use ramure_games::TicTacToe;

/// The iterations of each of the two runs of a search: few for slow machines, such as Miri.
const ITERATIONS: u64 = if option_env!("RAMURE_FEW").is_some() { 40 } else { 4_000 };

/// The name of each search and the hash of what it finds. If a change of a search is intended, replace the
/// rows by those that the test `every_search_finds_the_same_as_before_to_the_bit` prints.
pub const EXPECTED: &[(&str, u64)] = &[
    ("plain", 0x14acc93ce1b92328),
    ("tuned, discounted", 0xf6af1a43fe542709),
    ("grave, mast", 0x5be7066c2890e7f2),
    ("puct, solver", 0x1dc8bff7136029e3),
    ("solver", 0xcdc6577bc9129436),
    ("thompson, cutoff, temperature", 0x75b4a1350dba5494),
    ("chance at the root", 0xb43e2ca0970eebf7),
    ("three players, secure", 0x0e596f2ef6c58463),
    ("chance, discounted", 0x82349ffd5fd9d98f),
    ("widening, in order, third visit", 0x9875687e6cf697ab),
    ("below the mean", 0x66bb7807bf925562),
    ("window", 0x5a9c151abf61fe93),
    ("information set", 0x770adc4ca85eae30),
    ("open loop", 0x085fb6bb82330e63),
    ("sampled", 0xcd0ea36a522a2133),
    ("graph", 0xe960cf863c9a0e5e),
    ("graph with rings, solver", 0x4bcdb8b6d5ddf066),
    ("mirror images", 0xf423f0e0640d36c6),
    ("window of a graph", 0x1379db255cf037d9),
    ("player trees", 0xb1d5c892ec444824),
];

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

/// Runs `search`, advances it, runs it again, and returns the hash of every result that does not depend on
/// the clock.
pub fn hash_of(mut search: impl Search) -> u64 {
    let mut hash = Fnv::new();
    for _ in 0..2 {
        let report = search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
        for action in &report.actions {
            hash.add(u64::from(action.visits));
            hash.add(u64::from(action.mean.to_bits()));
            hash.add(action.proof.map_or(7, |proof| u64::from(proof.to_bits())));
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
    hash.value()
}

/// UCB1 with c = sqrt 2, with everything that has a default set.
fn ucb1<S: Space>(start: S) -> Mcts<S, Ucb1, Uniform, Average> {
    Mcts::new(start)
        .tree_policy(Ucb1::new(core::f32::consts::SQRT_2))
        .rollout_policy(Uniform)
        .backprop(Average)
        .expansion(all_at_once())
        .root_decision(RootDecision::Robust)
        .seed(1)
}

/// All children on the second visit, each tried once before any is tried again.
fn all_at_once() -> Expansion {
    by_policy().first_play(FirstPlay::Infinite)
}

/// All children on the second visit, for tree policies that rate unvisited children themselves.
fn by_policy() -> Expansion {
    Expansion::default().on_visit(2).order(Order::Random)
}

/// Samples every action with the same probability, and outcomes by theirs.
impl ActionSampler for Hashed {
    fn sample_action(&self, rng: &mut Rng) -> Option<u8> {
        draw(self, rng)
    }
}

/// Returns the name of each search and the hash of what it finds, in games with one to three players, with
/// chance and with secrets.
pub fn fingerprints() -> Vec<(&'static str, u64)> {
    let four = || ucb1(Connect4::default());
    let centre = |_: &Connect4, column: u8| f32::from(4 - column.abs_diff(3));
    let puct = || {
        let search =
            four().rollout_policy(with_priors(centre)).tree_policy(Puct::new(1.25).fpu_reduction(0.0));
        search.expansion(by_policy())
    };
    let tricks = || Tricks::new(3, 4, 1);
    let kuhn = || Kuhn { cards: vec![1, 2], acts: Vec::new() };
    let layered = || Layered::new(3, 2, 9, 6);
    vec![
        ("plain", hash_of(four())),
        ("tuned, discounted", {
            hash_of(four().tree_policy(Ucb1Tuned::new(1.0)).backprop(Discounted::new(0.99)))
        }),
        ("grave, mast", {
            let search = four().tree_policy(Grave::new(50.0, 0.0)).rollout_policy(Mast::new(0.4));
            hash_of(search.expansion(by_policy()))
        }),
        ("puct, solver", hash_of(puct().backprop(Solver::new(Average)))),
        ("solver", hash_of(ucb1(rows::TicTacToe::default()).backprop(Solver::new(Average)).seed(2))),
        ("thompson, cutoff, temperature", {
            let search = ucb1(Pig::new(6)).tree_policy(Thompson).rollout_policy(Cutoff::new(5));
            hash_of(search.expansion(by_policy()).root_decision(RootDecision::Temperature(0.7)).seed(3))
        }),
        ("chance at the root", hash_of(ucb1(Pig { rolling: true, ..Pig::new(4) }).seed(4))),
        ("three players, secure", {
            hash_of(ucb1(Nim::<3> { sticks: 17, player: 2 }).root_decision(RootDecision::Secure(1.0)))
        }),
        ("chance, discounted", {
            hash_of(ucb1(Hashed::new(9, 3, 8).with_chance()).backprop(Discounted::new(0.9)))
        }),
        ("widening, in order, third visit", {
            let expansion = Expansion::default().widening(2.0, 0.4).order(Order::AsListed).on_visit(3);
            hash_of(ucb1(Wide::new(300, 3)).expansion(expansion))
        }),
        ("below the mean", {
            hash_of(four().expansion(all_at_once().first_play(FirstPlay::BelowMean(0.2))))
        }),
        ("window", hash_of(puct().window(7).unobserved(Unobserved::Loss))),
        ("information set", {
            let search = ucb1(InformationSet::new(tricks())).tree_policy(AvailabilityUcb1::new(0.7));
            hash_of(search.expansion(by_policy()))
        }),
        ("open loop", {
            let search = ucb1(OpenLoop::new(Pig::new(6))).tree_policy(AvailabilityUcb1::new(0.7));
            hash_of(search.expansion(by_policy()))
        }),
        ("sampled", {
            let expansion = all_at_once().widening(1.0, 0.5).outcome_widening(1.0, 0.5);
            hash_of(ucb1(Sampled::new(Hashed::new(5, 2, 8).with_chance())).expansion(expansion))
        }),
        ("graph", hash_of(ucb1(Transpositions::new(layered())))),
        ("graph with rings, solver", {
            hash_of(ucb1(Transpositions::new(layered().with_rings())).backprop(Solver::new(Average)))
        }),
        ("mirror images", hash_of(ucb1(MirrorImages::new(TicTacToe::new())))),
        ("window of a graph", {
            hash_of(ucb1(Transpositions::new(layered())).window(5).unobserved(Unobserved::Loss))
        }),
        ("player trees", {
            let search =
                Mcts::player_trees(kuhn()).tree_policy(RegretMatching::new(0.1)).rollout_policy(Uniform);
            hash_of(search.expansion(by_policy()).root_decision(RootDecision::Robust).seed(1))
        }),
    ]
}

/// Returns one number for all searches.
pub fn fingerprint() -> u64 {
    let mut hash = Fnv::new();
    fingerprints().iter().for_each(|(_, found)| hash.add(*found));
    hash.value()
}
