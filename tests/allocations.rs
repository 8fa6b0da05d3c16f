//! A warm search allocates only the chunks of its tree.

use ramure::Bytes;
use ramure::prelude::*;
use ramure::selection::{Grave, Puct};
use ramure::simulation::{Mast, WithPriors};
use ramure_games::{Connect4, Hex, SameGame};
use ramure_puzzles::{Optimization, SinglePlayerMcts};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// The bytes that are allocated, and the most so far.
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator, and counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        BYTES.set(BYTES.get() + layout.size() as isize);
        PEAK.set(PEAK.get().max(BYTES.get()));
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.set(BYTES.get() - layout.size() as isize);
        // SAFETY: the caller upholds the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the result of `work`, and the number of its allocations.
fn counted<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATIONS.get();
    let result = work();
    (result, ALLOCATIONS.get() - before)
}

/// Returns `full` if the environment variable `RAMURE_DEEP` is set, as in `.ci/deep`, and `quick` otherwise.
fn sized<T>(quick: T, full: T) -> T {
    if std::env::var_os("RAMURE_DEEP").is_some() { full } else { quick }
}

/// Returns the allocations of a run of `iterations` iterations on a search that has already run half as many.
fn allocations<S: Search>(mut search: S, iterations: u64) -> (usize, usize) {
    let before = search.run(Budget::iterations(iterations / 2)).expect("a sound game").bytes;
    let (report, allocations) = counted(|| search.run(Budget::iterations(iterations)).expect("a sound game"));
    (allocations, report.bytes - before)
}

/// A chunk takes 40 KiB or more and at most four allocations, tables included. A run and its report need a
/// few of their own.
fn assert_few(name: &str, (allocations, grown): (usize, usize)) {
    let chunks = grown / (40 * 1024) + 1;
    assert!(allocations <= 4 * chunks + 40, "{name}: {allocations} allocations, {grown} bytes more");
}

#[test]
fn iterations_of_a_warm_search_do_not_allocate() {
    let hex = Hex::new(sized(5, 7)).expect("a size");
    let iterations = sized(1_500, 20_000);
    assert_few("Ucb1", allocations(Mcts::new(Connect4::new()), iterations));
    assert_few("Solver", allocations(Mcts::new(Connect4::new()).backprop(Solver::new(Average)), iterations));
    let grave = Mcts::new(hex.clone()).tree_policy(Grave::default()).rollout_policy(Mast::default());
    assert_few("Grave and Mast", allocations(grave, iterations));
    let priors = WithPriors::new(Uniform, |_: &Connect4, _| 1.0);
    assert_few(
        "Puct",
        allocations(
            Mcts::new(Connect4::new()).tree_policy(Puct::default()).rollout_policy(priors),
            iterations,
        ),
    );
    assert_few("Hex", allocations(Mcts::new(hex), iterations));
}

/// The list of actions and the best line, both in the report.
#[test]
fn a_short_run_of_a_warm_search_allocates_twice() {
    let mut search = Mcts::new(Connect4::new());
    search.run(Budget::iterations(10_000)).expect("a sound game");
    for _ in 0..3 {
        search.reset(Connect4::new());
        let (report, allocations) = counted(|| search.run(Budget::iterations(100)).expect("a sound game"));
        assert_eq!((report.iterations, allocations), (100, 2));
    }
}

#[test]
fn a_tree_at_its_limit_does_not_allocate() {
    let (limit, iterations) = sized((128, 6_000), (512, 50_000));
    let mut search = Mcts::new(Connect4::new()).memory_limit(Bytes::kib(limit));
    let report = search.run(Budget::iterations(iterations)).expect("a sound game");
    assert!(report.recycled_nodes > 0, "the tree is at its limit");
    let mut allocations =
        |iterations| counted(|| search.run(Budget::iterations(iterations)).expect("a sound game")).1;
    // The report and similar allocations that every run needs.
    let few = allocations(1);
    let many = allocations(iterations);
    assert!(many <= few + 8, "{many} instead of {few}");
}

#[test]
fn a_tree_of_a_puzzle_stays_below_its_limit() {
    let peak = |limit| {
        let optimizer = SinglePlayerMcts::new(u64::MAX).memory_limit(limit);
        let mut search = Optimization::new(SameGame::random(3), optimizer);
        let before = BYTES.get();
        PEAK.set(before);
        search.run(Budget::iterations(3_000)).expect("a sound problem");
        (PEAK.get() - before) as usize
    };
    let limit = Bytes::kib(48);
    let (limited, unlimited) = (peak(limit), peak(Bytes(usize::MAX)));
    // Lists of actions and lines are not part of the tree.
    assert!(limited < limit.0 + 16 * 1024 && unlimited > 3 * limited, "{limited} and {unlimited} bytes");
}
