//! Memory: bounded in bytes at every moment, released on advancing, and never an obstacle to a deep tree.

use crate::common::four::Connect4;
use crate::common::simple::{Corridor, Wide};
use crate::common::{sized, visits};
use ramure::backpropagation::{Average, Backprop, Solver};
use ramure::selection::{TreePolicy, Ucb1};
use ramure::simulation::RolloutPolicy;
use ramure::statistics::Statistics;
use ramure::{Budget, Bytes, Every, GameState, Mcts, StopReason, Turn};

/// Runs under `limit` and checks every 100 iterations. Returns whether nodes were recycled.
fn stays_below<G, P, R, B>(search: Mcts<G, P, R, B>, limit: Bytes, iterations: u64) -> bool
where
    G: GameState,
    P: TreePolicy<G, Stats: Statistics<G, R>>,
    R: RolloutPolicy<G>,
    B: Backprop<G>,
{
    let mut search = search.memory_limit(limit);
    let report = search
        .run_with(Budget::iterations(iterations), Every::Iterations(100), &mut |report| {
            assert!(report.bytes <= limit.0, "{}", report.bytes)
        })
        .expect("the limit leaves room");
    assert_eq!(report.iterations, iterations, "the search continues at the limit");
    assert!(report.bytes <= limit.0);
    assert_eq!(Bytes(report.bytes), search.memory_usage());
    assert_eq!(walk(&search), report.nodes);
    let counted: u64 = visits(&report).iter().map(|&visits| u64::from(visits)).sum();
    assert_eq!(counted, iterations);
    report.recycled_nodes > 0
}

/// Counts the nodes of the tree one by one.
fn walk<G, P, R, B>(search: &Mcts<G, P, R, B>) -> usize
where
    G: GameState,
    P: TreePolicy<G>,
    R: RolloutPolicy<G>,
    B: Backprop<G>,
{
    let mut pending = Vec::from_iter(search.tree().root());
    let mut count = 0;
    while let Some(node) = pending.pop() {
        count += 1;
        pending.extend(node.children());
    }
    count
}

#[test]
fn the_limit_holds_at_every_moment() {
    let iterations = sized(2_500, 60_000);
    for &kib in sized(&[40][..], &[40, 100, 300, 1_000]) {
        let limit = Bytes::kib(kib);
        assert!(stays_below(Mcts::new(Connect4::default()), limit, iterations));
        let full = stays_below(Mcts::new(Wide::new(300, 4)), limit, iterations / 2);
        assert!(full || kib == 1_000);
    }
    let search = Mcts::new(Connect4::default());
    assert!(!stays_below(search, Bytes::mib(64), iterations), "there is room for all");
}

/// New games and new positions start while memory is being released.
#[test]
fn a_tree_change_during_recycling_loses_no_memory() {
    let limit = Bytes::kib(sized(40, 300));
    let mut search = Mcts::new(Connect4::default()).memory_limit(limit);
    for game in 0..sized(14, 60) {
        // Runs of all lengths, so that some end during recycling.
        let report =
            search.run(Budget::iterations(sized(500 + 97 * game, 500 + 331 * game))).expect("there is room");
        assert!(report.bytes <= limit.0);
        match game % 3 {
            0 => search.reset(Connect4::default()),
            _ => search.advance(report.best_action()).expect("it is legal"),
        }
        if search.state().turn() == Turn::Over {
            search.reset(Connect4::default());
        }
        let report = search.run(Budget::iterations(1)).expect("there is room");
        assert_eq!((walk(&search), report.recycled_nodes), (report.nodes, 0), "game {game}");
    }
}

#[test]
fn a_raised_limit_lets_a_full_tree_grow_again() {
    let mut search = Mcts::new(Connect4::default()).memory_limit(Bytes::kib(sized(60, 200)));
    let iterations = sized(8_000, 50_000);
    let full = search.run(Budget::iterations(iterations)).expect("there is room");
    let mut search = search.memory_limit(Bytes::mib(8));
    let grown = search.run(Budget::iterations(iterations)).expect("there is room");
    assert!(full.recycled_nodes > 0 && grown.recycled_nodes == 0, "{full}\n{grown}");
    assert!(grown.nodes > full.nodes && grown.bytes > full.bytes && grown.bytes <= Bytes::mib(8).0);
}

#[test]
fn a_budget_of_bytes_ends_the_run_and_a_memory_limit_does_not() {
    let mut search = Mcts::new(Connect4::default());
    let least = Bytes::kib(sized(512, 1_024));
    let budget = Budget::iterations(10_000_000).and_bytes(least);
    let report = search.run(budget).expect("a sound game");
    assert_eq!(report.stop_reason, StopReason::Bytes);
    assert!(report.bytes >= least.0 && report.bytes < 2 * least.0, "{report}");
}

#[test]
fn reset_empties_the_tree_and_keeps_its_memory() {
    let mut search = Mcts::new(Connect4::default());
    let iterations = sized(8_000, 20_000);
    let first = search.run(Budget::iterations(iterations.into())).expect("a sound game");
    search.reset(Connect4::default());
    assert_eq!((search.tree().node_count(), search.memory_usage()), (1, Bytes(first.bytes)));
    let second = search.run(Budget::iterations(iterations.into())).expect("a sound game");
    assert_eq!(second.root_visits, iterations);
    assert!(second.bytes <= first.bytes + Bytes::kib(256).0);
}

/// Runs `what` on a stack too small for ten thousand frames; in the quick size, too small for a thousand of
/// those that are not optimised.
fn on_a_small_stack(what: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(sized(80, 128) << 10).spawn(what).expect("a thread");
    thread.join().expect("no overflow, no panic");
}

#[test]
fn a_tree_of_depth_twelve_thousand_works_on_a_small_stack() {
    on_a_small_stack(|| {
        let depth: u32 = sized(1_000, 12_000);
        let mut search = Mcts::new(Corridor { left: depth }).backprop(Average);
        let report = search.run(Budget::iterations(u64::from(depth))).expect("a sound game");
        assert_eq!((report.depth, report.principal_variation.len()), (depth, depth as usize));
        assert_eq!(report.nodes, depth as usize + 1);
        for left in (0..50).rev() {
            search.advance(()).expect("the one action");
            assert_eq!(search.tree().node_count(), (depth - 50 + left) as usize + 1);
        }
        let report = search.run(Budget::iterations(10)).expect("a sound game");
        assert_eq!(report.root_visits, depth - 50 + 1 + 10);
        drop(search);
    });
}

#[test]
fn a_deep_tree_is_reset_on_a_small_stack() {
    on_a_small_stack(|| {
        let left = sized(1_000, 6_000);
        let mut search = Mcts::new(Corridor { left }).backprop(Solver::new(Average));
        let report = search.run(Budget::iterations(10_000)).expect("a sound game");
        assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5)));
        let nodes = search.tree().node_count();
        search.reset(Corridor { left });
        assert!(nodes > sized(800, 5_000) && search.tree().node_count() == 1);
    });
}

#[test]
fn more_than_256_children_are_counted_correctly() {
    for width in [255_u16, 256, 257, 1_000] {
        let mut search = Mcts::new(Wide::new(width, 2)).tree_policy(Ucb1::new(1_000.0));
        let report = search.run(Budget::iterations(3 * u64::from(width))).expect("a sound game");
        assert!(visits(&report).iter().all(|&visits| visits == 3), "{width}");
    }
}
