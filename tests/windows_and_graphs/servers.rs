//! Tests of searches on several threads. The result depends neither on the threads nor on how long simulations
//! take, and stops, errors and panics lose nothing.

use crate::common::hashed::mix;
use crate::common::sized;
use crate::erased::shared;
use ramure::prelude::*;
use ramure::search::{Counted, TreeNode};
use ramure::selection::Puct;
use ramure::simulation::{Evaluator, Leaf, Position, RolloutPolicy, Trace};
use ramure::{BoxError, Every, Expansion, GameFault, Rewards, StopReason};
use ramure_games::{Connect4, connect4::Column};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

/// By how much longer a run may take on a busy machine than it should.
const SLACK: Duration = Duration::from_millis(120);

/// The visits and the mean of each action, the nodes and the depth.
type Found = (Vec<(u32, u32)>, usize, u32);

/// Runs three times, with moves between the runs.
fn runs(mut search: impl Search) -> Vec<Found> {
    let run = |_| {
        let report = search.run(Budget::iterations(sized(200, 1_000))).expect("a sound game");
        let most = report.actions.iter().max_by_key(|action| action.visits).expect("actions");
        search.advance(most.action.clone()).expect("legal");
        let actions = report.actions.iter().map(|action| (action.visits, action.mean.to_bits()));
        (actions.collect(), report.nodes, report.depth)
    };
    (0..3).map(run).collect()
}

/// Checks that nothing is pending, that the visits add up, and returns those of the node.
fn check<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>>(node: &TreeNode<'_, G, P, R, Counted<B>>) -> u32 {
    assert_eq!(node.backprop_stats().0.count, 0);
    let below: u32 = node.children().map(|child| check(&child)).sum();
    assert!(below <= node.visits());
    node.visits()
}

// The same bits.

/// Plays at random, and sleeps before some rollouts, by their random numbers.
#[derive(Clone)]
struct Uneven;

impl<G: GameState> RolloutPolicy<G> for Uneven {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        if rng.below(20) == 0 {
            thread::sleep(Duration::from_micros(rng.below(2_000) as u64));
        }
        leaf.play_out_at_random(rng)
    }
}

/// A network that takes its time, with values and priors by the position.
struct Network {
    largest: AtomicU32,
}

impl Evaluator<Connect4> for Network {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        self.largest.fetch_max(batch.len() as u32, SeqCst);
        thread::sleep(Duration::from_micros(50));
        for position in batch {
            let cells = (0..42).map(|cell| position.state.cell(cell / 7, cell % 7));
            let key = cells.fold(7, |key, cell| mix(key ^ cell.map_or(9, u64::from)));
            position.set_value(Rewards::new(2, |player| (key >> (8 * player) & 255) as f32 / 255.0));
            let priors = position.priors().iter_mut().zip(1..);
            priors.for_each(|(prior, n)| *prior = (mix(key ^ n) % 9) as f32 + 1.0);
        }
        Ok(())
    }
}

#[test]
fn a_network_on_any_number_of_threads_gives_the_same_bits_in_batches() {
    let run = |threads, on_visit| {
        let network = Network { largest: AtomicU32::new(0) };
        let search = Mcts::new(Connect4::new()).tree_policy(Puct::default());
        let search = search.rollout_policy(shared(&network)).window(24).threads(threads);
        let found = runs(search.expansion(Expansion::default().on_visit(on_visit)));
        (found, network.largest.into_inner())
    };
    for on_visit in [1, 3] {
        let (alone, batch) = run(1, on_visit);
        assert!((12..=24).contains(&batch), "{batch}");
        for threads in [2, 4] {
            let (found, batch) = run(threads, on_visit);
            assert!(found == alone, "{threads} threads");
            // Each server takes its share, so that the others have work, too.
            assert!((2..=24).contains(&batch), "{batch} with {threads} threads");
        }
    }
}

/// An observer that is called after some time interrupts the run, and the window stays as it is.
#[test]
fn an_observer_by_the_clock_changes_no_result() {
    let search =
        |threads| Mcts::new(Connect4::new()).rollout_policy(Uneven).seed(6).window(8).threads(threads);
    let budget = Budget::iterations(sized(600, 3_000));
    let found = |report: Report<Column>| {
        let actions = report.actions.iter().map(|action| (action.visits, action.mean.to_bits()));
        (actions.collect::<Vec<_>>(), report.nodes, report.depth)
    };
    let alone = found(search(1).run(budget).expect("a sound game"));
    for threads in [1, 3] {
        for micros in [1, 300] {
            let (mut search, mut seen) = (search(threads), 0);
            let every = Every::Time(Duration::from_micros(micros));
            let report = search.run_with(budget, every, &mut |_| seen += 1).expect("a sound game");
            assert!(seen > 1, "{seen}");
            assert_eq!(found(report), alone, "{threads} threads, {micros} us");
            check(&search.tree().root().expect("a tree"));
        }
    }
}

// Time.

/// How long simulations take, and how many are under way.
#[derive(Default)]
struct Watch {
    begun: AtomicU64,
    /// How many simulations go on now, and the most so far.
    now: AtomicU32,
    most: AtomicU32,
}

/// Simulations of [`SLOW`]. The first ones take a part of it, so that later ones end at different times.
#[derive(Clone, Default)]
struct Slow {
    watch: Arc<Watch>,
    learns: bool,
}

const SLOW: Duration = Duration::from_millis(200);

impl Slow {
    fn learning() -> Self {
        Slow { learns: true, ..Slow::default() }
    }
}

impl<G: GameState> RolloutPolicy<G> for Slow {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        let now = self.watch.now.fetch_add(1, SeqCst) + 1;
        self.watch.most.fetch_max(now, SeqCst);
        let begun = self.watch.begun.fetch_add(1, SeqCst);
        thread::sleep(if (1..=4).contains(&begun) { SLOW * begun as u32 / 5 } else { SLOW });
        self.watch.now.fetch_sub(1, SeqCst);
        leaf.play_out_at_random(rng)
    }
    fn learns(&self) -> bool {
        self.learns
    }
}

#[test]
fn a_stop_ends_a_run_within_one_simulation_although_all_servers_are_in_one() {
    for (policy, threads) in [(Slow::default(), 4), (Slow::default(), 1), (Slow::learning(), 4)] {
        let watch = Arc::clone(&policy.watch);
        let mut search = Mcts::new(Connect4::new()).rollout_policy(policy).window(16).threads(threads);
        let (handle, mut visits) = (search.stop_handle(), 0);
        for round in 0..sized(2, 4) {
            let stopped = thread::scope(|scope| {
                let (handle, watch) = (handle.clone(), &watch);
                let stopping = scope.spawn(move || {
                    while watch.now.load(SeqCst) == 0 {
                        thread::yield_now();
                    }
                    thread::sleep(SLOW + SLOW * round / 4);
                    handle.stop();
                    Instant::now()
                });
                let report = search.run(Budget::until_stopped()).expect("a sound game");
                let ended = Instant::now();
                assert_eq!(report.stop_reason, StopReason::Stopped);
                assert!(report.iterations > 0);
                visits += report.iterations;
                assert_eq!(u64::from(report.root_visits), visits);
                ended - stopping.join().expect("no panic")
            });
            assert!(stopped <= SLOW + SLACK, "{threads} threads: {stopped:?} after the stop");
            check(&search.tree().root().expect("a tree"));
        }
        // What was simulated is used, and what nobody had begun to simulate is taken back.
        assert_eq!(watch.begun.load(SeqCst), visits);
        assert_eq!(watch.most.load(SeqCst), threads as u32);
    }
}

/// Runs several times with budgets of time. Returns how many iterations these runs made.
fn runs_in_time(search: &mut impl Search, budgets: &[u64], name: &str) -> u64 {
    let mut visits = 0;
    for &millis in budgets {
        let begin = Instant::now();
        let report = search.run(Budget::millis(millis)).expect("a sound game");
        let (took, time) = (begin.elapsed(), Duration::from_millis(millis));
        assert!(took >= time && took <= time + SLOW + SLACK, "{name}: {took:?} for {time:?}");
        assert!(report.iterations > 0 && report.stop_reason == StopReason::Time, "{name}: {report}");
        visits += report.iterations;
        assert_eq!(u64::from(report.root_visits), visits, "{name}");
    }
    visits
}

#[test]
fn a_time_is_exceeded_by_one_simulation_at_most() {
    let budgets = sized(&[30, 250][..], &[30, 150, 250, 310, 350]);
    for (policy, name) in [(Slow::default(), "rollouts"), (Slow::learning(), "rollouts that learn")] {
        let begun = || policy.watch.begun.swap(0, SeqCst);
        let search = || Mcts::new(Connect4::new()).rollout_policy(policy.clone()).window(16);
        // What was simulated is used.
        for threads in [1, 4] {
            let (mut search, name) = (search().threads(threads), format!("{name}, {threads} threads"));
            assert_eq!(runs_in_time(&mut search, budgets, &name), begun());
            check(&search.tree().root().expect("a tree"));
        }
    }
}

#[test]
fn all_threads_simulate_from_the_first_window_on() {
    for first in [None, Some(Budget::millis(1))] {
        let watch = Arc::<Watch>::default();
        let policy = Slow { watch: Arc::clone(&watch), learns: false };
        let mut search = Mcts::new(Connect4::new()).rollout_policy(policy).window(12).threads(4);
        if let Some(budget) = first {
            search.run(budget).expect("a sound game");
        }
        search.run(Budget::iterations(13)).expect("a sound game");
        assert_eq!(watch.most.load(SeqCst), 4);
    }
}

// Panics.

/// Panics in the rollout with a certain number.
#[derive(Clone)]
struct Explosive {
    count: Arc<AtomicU32>,
    at: u32,
}

impl<G: GameState> RolloutPolicy<G> for Explosive {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        assert!(self.count.fetch_add(1, SeqCst) != self.at, "boom");
        leaf.play_out_at_random(rng)
    }
}

/// With a budget of time and one thread, a search makes one iteration after another, without a window.
#[test]
fn a_panic_in_a_simulation_is_an_error_and_the_search_goes_on() {
    for (threads, at) in [(1, 0), (3, 0), (1, 20), (3, 20), (1, 333), (3, 333)] {
        for budget in [Budget::iterations(500), Budget::time(Duration::from_secs(600))] {
            let policy = Explosive { count: Arc::default(), at };
            let mut search = Mcts::new(Connect4::new()).rollout_policy(policy).window(16).threads(threads);
            let error = search.run(budget).expect_err("a panic");
            assert!(matches!(error, SearchError::Failed { .. }), "{error:?}");
            let source = error.source().expect("the panic").to_string();
            assert_eq!(source, "the game or a policy panicked: boom");
            let visits = check(&search.tree().root().expect("a tree"));
            assert!((at..at + 16).contains(&visits), "{visits} visits with {threads} threads");
            let report = search.run(Budget::iterations(400)).expect("one panic only");
            assert_eq!(report.root_visits, visits + 400);
            check(&search.tree().root().expect("a tree"));
        }
    }
}

/// The clock interrupts a run while leaves are pending.
#[test]
fn a_panic_of_an_observer_by_the_clock_leaves_nothing_pending() {
    for threads in [1, 3] {
        let mut search = Mcts::new(Connect4::new()).rollout_policy(Uneven).window(16).threads(threads);
        let (mut calls, every) = (0, Every::Time(Duration::from_millis(3)));
        let run = catch_unwind(AssertUnwindSafe(|| {
            let mut observer = |_: &Report<_>| {
                calls += 1;
                assert!(calls < 5, "seen");
            };
            search.run_with(Budget::until_stopped(), every, &mut observer)
        }));
        assert!(run.is_err());
        search.finish().expect("nothing was answered");
        let visits = check(&search.tree().root().expect("a tree"));
        let report = search.run(Budget::iterations(100)).expect("a sound game");
        assert_eq!(report.root_visits, visits + 100);
        check(&search.tree().root().expect("a tree"));
    }
}

/// A panic of the observer goes on to the caller, and the search is as it was.
#[test]
fn a_panic_of_the_observer_leaves_nothing_pending() {
    let mut search = Mcts::new(Connect4::new()).window(16).threads(3);
    let run = catch_unwind(AssertUnwindSafe(|| {
        search.run_with(Budget::iterations(1_000), Every::Iterations(100), &mut |report| {
            assert!(report.iterations < 300, "seen")
        })
    }));
    assert!(run.is_err());
    assert_eq!(check(&search.tree().root().expect("a tree")), 300);
    assert_eq!(search.run(Budget::iterations(100)).expect("a sound game").root_visits, 400);
}

// Wrong answers.
