//! Leaves in flight: what is reported, assumed and evaluated, failing batches, early stops. (The twin plays windows,
//! too, and the random programs ask, fail and run out of memory.)

use crate::common::hashed::mix;
use crate::erased::{boxed, shared};
use ramure::prelude::*;
use ramure::search::{Batcher, Counted, TreeNode, Unobserved, Window};
use ramure::selection::{Event, Puct, Ucb1Tuned, UcbV};
use ramure::simulation::{AskTell, Evaluator, Leaf, Position, RolloutPolicy, Trace};
use ramure::statistics::Moments;
use ramure::{BoxError, GameFault, Rewards, StopReason};
use ramure_games::Connect4;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Rewards that depend on the number of simulations so far; every multiple of `fails` fails.
#[derive(Clone)]
struct Counting {
    count: Cell<u64>,
    fails: u64,
}

impl Counting {
    fn failing(fails: u64) -> Self {
        Counting { count: Cell::new(0), fails }
    }
}

impl<G: GameState> RolloutPolicy<G> for Counting {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Rewards, GameFault> {
        self.count.set(self.count.get() + 1);
        if self.count.get().is_multiple_of(self.fails) {
            return Err(leaf.fail("a planned failure"));
        }
        let key = mix(self.count.get());
        Ok(Rewards::new(leaf.state().players(), |player| (key >> (8 * player) & 255) as f32 / 255.0))
    }
}

/// Half for everybody.
struct Half;

impl<G: GameState> Evaluator<G> for Half {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        for position in batch {
            let players = position.state.players();
            position.set_value(Rewards::new(players, |_| 0.5));
        }
        Ok(())
    }
}

/// Checks that no node has pending visits and that no node has fewer visits than its children. Returns the
/// number of nodes.
fn check<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>>(
    node: &TreeNode<'_, G, P, R, Counted<B>>,
) -> usize {
    assert_eq!(node.backprop_stats().0.count, 0);
    assert!(node.children().map(|child| child.visits()).sum::<u32>() <= node.visits());
    1 + node.children().map(|child| check(&child)).sum::<usize>()
}

// Questions that are taken back.

// Memory.

#[test]
fn a_report_after_ask_and_tell_counts_what_was_told() {
    let mut search = Mcts::new(Connect4::new()).rollout_policy(AskTell).window(8);
    let mut tickets = Vec::new();
    let mut answer = |search: &mut Mcts<Connect4, Ucb1, AskTell, Solver<Average>, Window>, told: u64| {
        for _ in 0..told {
            while let Some(question) = search.ask().expect("room for the root") {
                tickets.push(question.ticket);
            }
            search.tell(tickets.remove(0), Rewards::new(2, |_| 0.5), &[]).expect("an open question");
        }
        search.report().expect("a tree")
    };
    assert_eq!(answer(&mut search, 0).stop_reason, StopReason::NotRun);
    let report = answer(&mut search, 2_000);
    assert_eq!((report.stop_reason, report.iterations), (StopReason::AskAndTell, 1_999)); // the last waits for its turn
    assert!(report.depth > 1 && report.mean_depth > 1.0 && report.time > Duration::ZERO, "{report}");
    assert!(report.to_string().contains("per second): by ask and tell"), "{report}");
    search.finish().expect("sound answers");
    let report = search.report().expect("a tree");
    assert_eq!((report.iterations, report.root_visits), (2_000, 2_000));
    // A run and an advance begin anew.
    tickets.clear();
    search.advance(report.best_action()).expect("it is legal");
    let report = search.report().expect("a tree");
    assert_eq!((report.stop_reason, report.iterations), (StopReason::NotRun, 0));
}

// What the tree policy sees.

#[test]
fn policies_that_read_the_variance_see_pending_visits() {
    let one = Moments::default().with(0.5, 1.0);
    for moments in [
        TreePolicy::<Connect4>::notice(&Ucb1Tuned::default(), one, Event::Recounted(4.0)),
        TreePolicy::<Connect4>::notice(&UcbV::default(), one, Event::Recounted(4.0)),
    ] {
        assert_eq!((moments.rarity, moments.variance), (0.5, 0.0));
    }
    // Otherwise all iterations of a window would take the same path.
    let mut search = Mcts::new(Connect4::new()).tree_policy(Ucb1Tuned::default()).window(64);
    search = search.unobserved(Unobserved::Mean);
    search.run(Budget::iterations(2_000)).expect("a sound game");
    while search.ask().expect("a sound game").is_some() {}
    let (mut next, mut depth) = (search.tree().root(), 0);
    while let Some(node) = next {
        next = node.children().find(|child| child.backprop_stats().0.count == 64);
        depth += u32::from(next.is_some());
    }
    assert!(depth < 3, "all iterations go to the same node at depth {depth}");
}

// Settings between a question and its answer.

#[test]
fn the_assumption_may_change_while_questions_are_open() {
    let search = Mcts::new(Connect4::new()).rollout_policy(Counting::failing(u64::MAX)).window(1_000);
    let mut search = search.unobserved(Unobserved::Mean);
    search.run(Budget::iterations(1_000)).expect("a sound game");
    let means = |search: &Mcts<Connect4, Ucb1, Counting, Solver<Average>, Window>| -> Vec<_> {
        let root = search.tree().root().expect("a tree");
        root.children().map(|child| (child.visits(), child.mean())).collect()
    };
    let before = means(&search);
    while search.ask().expect("a sound game").is_some() {}
    let mut search = search.unobserved(Unobserved::Loss);
    search.finish().expect("no answers");
    assert_eq!(means(&search), before);
}

// Evaluators.

#[test]
fn a_batcher_may_wait_for_ever() {
    // It waits until its batch is full.
    let batcher = Batcher::collecting(Half, 7, Duration::MAX).expect("a thread");
    let (start, actions) = (Connect4::new(), Vec::from_iter(Connect4::new().actions()));
    let answers = [3, 4].map(|count| batcher.submit(vec![(start, actions.clone()); count]));
    assert_eq!(answers.map(|answers| answers.wait().expect("an answer").len()), [3, 4]);
}

/// Fails always.
struct Down;

impl<G: GameState> Evaluator<G> for Down {
    fn evaluate(&self, _: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        Err(std::io::Error::other("the server is down").into())
    }
}

#[test]
fn each_search_of_a_failed_batch_gets_the_error() {
    let batcher = Batcher::collecting(Down, 2, Duration::MAX).expect("a thread");
    std::thread::scope(|scope| {
        let run = || {
            let search = Mcts::new(Connect4::new()).rollout_policy(boxed(batcher.clone()));
            let error = search.window(1).run(Budget::iterations(10)).expect_err("no server");
            let SearchError::Failed { error, .. } = error else { panic!("{error:?}") };
            let error = error.get_ref().downcast_ref::<std::io::Error>().expect("the error itself");
            assert_eq!(error.to_string(), "the server is down");
        };
        let searches = [scope.spawn(run), scope.spawn(run)];
        for search in searches {
            search.join().expect("no panic");
        }
    });
}

/// Counts the positions of each batch.
struct Sizes(RefCell<Vec<usize>>);

impl<G: GameState> Evaluator<G> for Sizes {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        self.0.borrow_mut().push(batch.len());
        Half.evaluate(batch)
    }
}

#[test]
fn an_early_stop_leaves_the_batches_full() {
    let sizes = Sizes(RefCell::default());
    let search = Mcts::new(Connect4::new()).rollout_policy(boxed(&sizes));
    let budget = Budget::iterations(640).and_time(Duration::from_secs(600)).or_decided();
    let report = search.window(64).run(budget).expect("a sound game");
    let sizes = sizes.0.borrow();
    assert!(sizes.len() <= 12, "{} batches for {} iterations: {sizes:?}", sizes.len(), report.iterations);
}

/// Gives each position a value and priors of its own. It may answer in another order.
struct ByStones {
    sorts: bool,
}

impl Evaluator<Connect4> for ByStones {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        let key = |position: &Position<'_, Connect4>| {
            let cells = (0..42).map(|cell| position.state.cell(cell / 7, cell % 7));
            cells.fold(7, |key, cell| mix(key ^ cell.map_or(9, u64::from)))
        };
        if self.sorts {
            batch.sort_by_key(|position| (position.actions.len(), key(position)));
        }
        for position in batch {
            let key = key(position);
            position
                .priors()
                .iter_mut()
                .zip(1..)
                .for_each(|(prior, n)| *prior = (mix(key ^ n) % 9) as f32 + 1.0);
            position.set_value(Rewards::new(2, |player| (key >> (8 * player) & 255) as f32 / 255.0));
        }
        Ok(())
    }
}

#[test]
fn an_evaluator_may_reorder_its_batch() {
    let found = |sorts| {
        let search = || Mcts::new(Connect4::new()).tree_policy(Puct::default());
        let batcher = Batcher::new(ByStones { sorts }).expect("a thread");
        let budget = Budget::iterations(400);
        let evaluators = [
            search().rollout_policy(boxed(ByStones { sorts })).window(16).run(budget),
            search().rollout_policy(boxed(ByStones { sorts }).pad_to(64)).window(16).run(budget),
            search().rollout_policy(boxed(batcher.clone())).window(16).run(budget),
            search().rollout_policy(shared(batcher.clone())).window(16).threads(2).run(budget),
        ];
        evaluators.map(|report| {
            let actions = report.expect("sound answers").actions.into_iter();
            actions.map(|action| (action.visits, action.mean.to_bits(), action.prior)).collect::<Vec<_>>()
        })
    };
    let (sorted, listed) = (found(true), found(false));
    assert_eq!(sorted, listed);
    assert!(listed[1] == listed[0] && listed[2] == listed[0], "{listed:?}");
}

/// A rollout policy that panics when it learns: from the 777th time on, as often as it and its copies have
/// lapses left.
#[derive(Clone)]
struct Forgetful {
    learned: u32,
    lapses: Arc<AtomicU32>,
}

impl Forgetful {
    fn new(lapses: u32) -> Self {
        Forgetful { learned: 0, lapses: Arc::new(AtomicU32::new(lapses)) }
    }
}

impl<G: GameState> RolloutPolicy<G> for Forgetful {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        Uniform.simulate(leaf, rng)
    }
    fn learns(&self) -> bool {
        true
    }
    fn learn(&mut self, (): &(), _: &Rewards) {
        self.learned += 1;
        let lapses = || self.lapses.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
        assert!(self.learned < 777 || !lapses(), "a lapse");
    }
}

#[test]
fn a_panic_while_a_policy_learns_leaves_nothing_pending() {
    let mut search = Mcts::new(Connect4::new()).rollout_policy(Forgetful::new(1)).window(32);
    let run = std::panic::AssertUnwindSafe(|| search.run(Budget::iterations(2_000)).is_ok());
    assert!(std::panic::catch_unwind(run).is_err());
    let report = search.run(Budget::iterations(1_000)).expect("a sound game");
    // The first iteration is alone. A policy that learns gets 32 at a time after it, and all of the 25th such
    // block but one are used.
    assert_eq!(report.root_visits, 1_000 + 1 + 25 * 32 - 1);
    check(&search.tree().root().expect("a root"));
}

#[test]
fn answers_of_a_batcher_can_be_looked_after() {
    let batcher = Batcher::new(ByStones { sorts: false }).expect("a thread");
    let start = Connect4::new();
    let positions = || vec![(start, start.actions().into_iter().collect::<Vec<_>>())];
    let expected = batcher.submit(positions()).wait().expect("an answer");
    let answers = batcher.submit(positions());
    let found = loop {
        if let Some(found) = answers.try_wait().expect("the thread goes on") {
            break found;
        }
        std::thread::yield_now();
    };
    let plain =
        |answer: &Result<(Rewards, Vec<f32>), BoxError>| answer.as_ref().expect("an answer").1.clone();
    assert_eq!(found.iter().map(plain).collect::<Vec<_>>(), expected.iter().map(plain).collect::<Vec<_>>());
    assert!(answers.try_wait().is_err(), "the answers were taken");
}
