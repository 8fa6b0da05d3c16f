//! Measures wide nodes. `cargo bench -p ramure-benches --bench wide`.
//!
//! *Selection among 121*: a root with 121 children, all visited, and nothing below it: an iteration is the
//! choice of a child, a random reward, and its record. A plain loop over nodes of 16 bytes does the same with
//! the same generator, for comparison. The elements are children looked at.
//!
//! *Wide search*: Hex on boards of 11 x 11 and 19 x 19. The elements are iterations.

use criterion::{
    BatchSize, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use ramure::prelude::*;
use ramure::simulation::{Leaf, Trace};
use ramure::{Expansion, GameFault, Rewards};
use ramure_games::Hex;
use std::hint::black_box;
use std::time::Duration;

const CHILDREN: u8 = 121;
const C: f32 = 1.0;
const ITERATIONS: u64 = 10_000;
/// Iterations that visit every child, with different visit counts.
const WARM_UP: u64 = 20_000;

/// Returns whether `arm` pays this time. Each arm has its own probability, about one half.
#[inline(always)]
fn pays(arm: u8, rng: &mut Rng) -> bool {
    let chance = 112 + arm.wrapping_mul(157) % 32;
    (rng.bits() >> 56) < u64::from(chance)
}

/// One player chooses among 121 arms, without end.
#[derive(Clone)]
struct Arms {
    chosen: u8,
}

impl GameState for Arms {
    type Action = u8;

    fn turn(&self) -> Turn {
        Turn::Player(0)
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..CHILDREN
    }
    fn apply(&mut self, arm: u8) {
        self.chosen = arm;
    }
    fn reward(&self, _: Player) -> f64 {
        0.0 // never called, because the game has no end
    }
    fn players(&self) -> u8 {
        1
    }
}

/// Pulls the chosen arm, and plays no further.
struct Pull;

impl RolloutPolicy<Arms> for Pull {
    type Trace = ();

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<Arms, impl Trace<Arms>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        let pays = pays(leaf.state().chosen, rng);
        Ok(Rewards::new(1, |_| f32::from(u8::from(pays))))
    }
}

/// A node as you might write it by hand: 16 bytes.
#[derive(Clone, Copy)]
struct Child {
    visits: u32,
    mean: f32,
    link: u32,
    arm: u32,
}

const _: () = assert!(size_of::<Child>() == 16);

/// Runs a number of iterations over the children of one node, by hand.
#[inline(never)]
#[expect(clippy::disallowed_methods, reason = "plain code, which may differ between platforms")]
fn by_hand(c: f32, children: &mut [Child], visits: &mut u32, iterations: u64, rng: &mut Rng) -> u32 {
    let mut links = 0;
    for _ in 0..iterations {
        let log = (*visits as f32).ln();
        let (mut best, mut greatest) = (0, f32::NEG_INFINITY);
        for (index, child) in children.iter().enumerate() {
            let score = child.mean + c * (log / child.visits as f32).sqrt();
            if score > greatest {
                (best, greatest) = (index, score);
            }
        }
        let child = &mut children[best];
        let reward = f32::from(u8::from(pays(child.arm as u8, rng)));
        child.visits += 1;
        child.mean += (reward - child.mean) / child.visits as f32;
        *visits += 1;
        links |= child.link;
    }
    links
}

fn selection(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("selection among {CHILDREN}"));
    group.throughput(Throughput::Elements(u64::from(CHILDREN) * ITERATIONS));
    group.sampling_mode(SamplingMode::Flat);

    let flat = Expansion::default().on_visit(u32::MAX);
    let mut search = Mcts::new(Arms { chosen: 0 })
        .backprop(Average)
        .tree_policy(Ucb1::new(C))
        .rollout_policy(Pull)
        .expansion(flat);
    let report = search.run(Budget::iterations(WARM_UP)).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.actions.iter().all(|action| action.visits > 0), "a child was not visited");
    group.bench_function(BenchmarkId::from_parameter("ramure"), |bencher| {
        bencher.iter(|| search.run(Budget::iterations(ITERATIONS)).map(|report| report.root_visits));
    });

    let mut children: Vec<_> =
        (0..u32::from(CHILDREN)).map(|arm| Child { visits: 1, mean: 0.5, link: 0, arm }).collect();
    let (mut visits, mut rng) = (u32::from(CHILDREN), Rng::seeded(1));
    by_hand(C, &mut children, &mut visits, WARM_UP, &mut rng);
    group.bench_function(BenchmarkId::from_parameter("by hand"), |bencher| {
        bencher.iter(|| by_hand(black_box(C), &mut children, &mut visits, ITERATIONS, &mut rng));
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("wide search");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    for size in [11, 19] {
        let hex = Hex::new(size).unwrap_or_else(|error| panic!("{error}"));
        for iterations in [10_000, 100_000] {
            group.throughput(Throughput::Elements(iterations));
            group.bench_function(BenchmarkId::new(format!("hex {size}x{size}"), iterations), |bencher| {
                let mut seed = 0;
                bencher.iter_batched_ref(
                    || {
                        seed += 1;
                        Mcts::new(hex.clone()).backprop(Average).tree_policy(Ucb1::new(1.0)).seed(seed)
                    },
                    |search| search.run(Budget::iterations(iterations)).map(|report| report.root_visits),
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(4))
        .sample_size(20);
    targets = selection, search
}
criterion_main!(benches);
