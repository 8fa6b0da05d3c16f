//! A run may end anywhere, and loses nothing.

use crate::problems::{Digits, Maze};
use ramure::selection::SinglePlayer;
use ramure::{Budget, Bytes, GameState, Player, Scored, SearchError, StopHandle, Turn};
use ramure_games::{Morpion, SameGame};
use ramure_puzzles::{
    FlatSampling, NestedSearch, Nrpa, Optimization, Optimizer, SinglePlayerMcts, StopReason,
};

/// Runs `check` with each optimizer.
macro_rules! with_each {
    ($check:ident $(, $argument:expr)*) => {
        $check(FlatSampling $(, $argument)*);
        $check(NestedSearch::new(2) $(, $argument)*);
        $check(NestedSearch::new(2).beam(2, 3) $(, $argument)*);
        $check(Nrpa::new(2).iterations(5) $(, $argument)*);
        $check(Nrpa::new(2).iterations(5).rollouts(2).beam(1, 2) $(, $argument)*);
        $check(SinglePlayerMcts::new(17) $(, $argument)*);
        $check(SinglePlayerMcts::new(60).memory_limit(Bytes(2_000)) $(, $argument)*);
    };
}

#[test]
fn whenever_a_budget_ends_the_best_line_so_far_is_reported() {
    fn check<O: Optimizer<Maze> + Copy>(optimizer: O) {
        let maze = Maze::new(4);
        let mut whole = Optimization::new(maze.clone(), optimizer).seed(2);
        whole.run(Budget::iterations(80)).expect("a sound problem");
        let all = maze.take();
        assert_eq!(all.len(), 80);
        for count in 1..80 {
            let mut search = Optimization::new(maze.clone(), optimizer).seed(2);
            let found = search.run(Budget::iterations(count as u64)).expect("a sound problem");
            let scores = maze.take();
            assert_eq!(scores, all[..count], "a shorter run is the beginning of a longer one");
            let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert_eq!((found.score, found.rollouts), (best, count as u64));
            assert_eq!(found.stop_reason, StopReason::Rollouts);
            let mut end = maze.clone();
            for &action in &found.actions {
                assert!(end.is_legal(action));
                end.apply(action);
            }
            assert_eq!((end.turn(), end.score()), (Turn::Over, found.score));
            maze.take();
            assert_eq!(search.best(), Some((found.score, &found.actions[..])));
        }
    }
    with_each!(check);
}

/// A game that stops its search when its third line is finished.
#[derive(Clone)]
struct Stops {
    left: u8,
    finished: std::rc::Rc<std::cell::Cell<u32>>,
    handle: std::rc::Rc<std::cell::OnceCell<StopHandle>>,
}

impl GameState for Stops {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.left == 0 { 0 } else { 3 }
    }
    fn apply(&mut self, _: u8) {
        self.left -= 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

impl Scored for Stops {
    fn score(&self) -> f64 {
        self.finished.set(self.finished.get() + 1);
        if let Some(handle) = self.handle.get().filter(|_| self.finished.get() == 3) {
            handle.stop();
        }
        1.0
    }
}

impl ramure::ActionCode for Stops {
    fn action_code(&self, action: u8) -> u64 {
        action.into()
    }
}

#[test]
fn a_stop_handle_ends_a_run_after_the_line_in_progress() {
    fn check(optimizer: impl Optimizer<Stops>) {
        let game = Stops { left: 4, finished: Default::default(), handle: Default::default() };
        let mut search = Optimization::new(game.clone(), optimizer);
        game.handle.set(search.stop_handle()).expect("it was empty");
        let found = search.run(Budget::until_stopped()).expect("a sound problem");
        assert_eq!((found.rollouts, found.stop_reason), (3, StopReason::Stopped));
        // The handle was that of the first run.
        let found = search.run(Budget::iterations(5)).expect("a sound problem");
        assert_eq!((found.rollouts, found.stop_reason), (5, StopReason::Rollouts));
    }
    with_each!(check);
}

/// A request before the first run ends it at once. A later one may have been meant for the run before, so it
/// ends only a run that would not end by itself.
#[test]
fn a_stop_handle_ends_the_next_run_unless_it_may_be_late() {
    let mut search = Optimization::new(Digits::new(2, 3), FlatSampling).passes(100);
    let mut run = |budget, stops: bool| {
        if stops {
            search.stop_handle().stop();
        }
        let found = search.run(budget).expect("a sound problem");
        (found.rollouts, found.stop_reason)
    };
    assert_eq!(run(Budget::iterations(7), true), (1, StopReason::Stopped));
    assert_eq!(run(Budget::iterations(7), false), (7, StopReason::Rollouts));
    assert_eq!(run(Budget::iterations(7), true), (7, StopReason::Stopped));
    assert_eq!(run(Budget::until_stopped(), true), (100, StopReason::Stopped));
    let mut endless = Optimization::new(Digits::new(2, 3), FlatSampling);
    endless.run(Budget::iterations(7)).expect("a sound problem");
    endless.stop_handle().stop();
    let found = endless.clone().run(Budget::iterations(7)).expect("a sound problem");
    assert_eq!(found.stop_reason, StopReason::Rollouts, "a clone has handles of its own");
    let found = endless.run(Budget::until_stopped()).expect("a sound problem");
    assert_eq!((found.rollouts, found.stop_reason), (1, StopReason::Stopped));
}

#[test]
fn a_time_ends_a_run() {
    let mut search = Optimization::new(Morpion::disjoint(), Nrpa::new(5));
    let found = search.run(Budget::millis(3)).expect("a sound problem");
    assert_eq!((found.stop_reason, found.passes), (StopReason::Time, 0));
    assert!(found.rollouts > 0 && found.score > 0.0);
}

#[test]
fn a_number_of_passes_ends_a_run() {
    let run = |search: Optimization<Maze, Nrpa>| {
        search.passes(3).run(Budget::until_stopped()).expect("a sound problem")
    };
    let nrpa = Nrpa::new(2).iterations(4).rollouts(2);
    let found = run(Optimization::new(Maze::new(1), nrpa));
    assert_eq!((found.rollouts, found.passes, found.stop_reason), (96, 3, StopReason::Passes));
    let found = run(Optimization::new(Maze::new(1), nrpa).searches(2));
    assert_eq!((found.rollouts, found.passes, found.stop_reason), (192, 6, StopReason::Passes));
    let text = found.to_string();
    assert!(
        text.starts_with(&format!("puzzle score {} in", found.score))
            && text.contains("192 rollouts, 6 passes"),
        "{text}"
    );
}

#[test]
fn the_threads_do_not_change_the_result() {
    fn check<O: Optimizer<SameGame> + Copy + Sync>(optimizer: O) {
        let board: SameGame = "1 2 1 2\n2 1 2 1\n2 1 1 2\n1 1 2 2".parse().expect("a board");
        let search = Optimization::new(board, optimizer).searches(5).seed(9);
        let budget = Budget::iterations(23); // 5, 5, 5, 4 and 4
        let alone = search.clone().run(budget).expect("a sound problem");
        assert_eq!(alone.rollouts, 23);
        for threads in [1, 2, 3, 8] {
            let found = search.clone().run_on(threads, budget).expect("a sound problem");
            let same = (found.score, &found.actions, found.rollouts, found.stop_reason);
            assert_eq!(same, (alone.score, &alone.actions, alone.rollouts, alone.stop_reason));
        }
        // Fewer iterations than searches: some do nothing.
        assert_eq!(search.clone().run_on(2, Budget::iterations(3)).expect("a sound problem").rollouts, 3);
    }
    with_each!(check);
}

#[test]
fn several_searches_are_at_least_as_good_as_the_first_of_them() {
    let one = Optimization::new(Digits::new(10, 9), FlatSampling).seed(5);
    let best = |searches: usize| {
        let mut search = one.clone().searches(searches);
        search.run(Budget::iterations(4 * searches as u64)).expect("a sound problem").score
    };
    let scores: Vec<f64> = (1..10).map(best).collect();
    assert!(scores.is_sorted() && scores[8] > scores[0], "{scores:?}");
}

#[test]
fn a_seed_fixes_the_result_and_another_changes_it() {
    let run = |seed| {
        let mut search = Optimization::new(Morpion::touching(), NestedSearch::new(1)).seed(seed);
        search.run(Budget::iterations(50)).expect("a sound problem").actions
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// A tree at its limit forgets nodes, but no line that ended.
#[test]
fn a_limit_of_memory_ends_the_growth_of_a_tree_and_not_the_search() {
    let maze = Maze::new(4);
    let run = |limit: usize| {
        let optimizer = SinglePlayerMcts::new(2_000).tree_policy(SinglePlayer::new(1.0, 0.1));
        let optimizer = optimizer.memory_limit(Bytes(limit));
        let mut search = Optimization::new(maze.clone(), optimizer).seed(2);
        let result = search.run(Budget::iterations(2_000));
        let scores = maze.take();
        if let Ok(found) = &result {
            let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert_eq!((found.score, found.rollouts, found.passes), (best, 2_000, 0));
        }
        result.map(|_| scores)
    };
    let unlimited = run(usize::MAX);
    assert!(unlimited.is_ok());
    assert!(run(1 << 30) == unlimited, "no tree reaches this limit");
    assert!(run(4_000) != unlimited, "the tree would be larger");
    assert!(run(100) == Err(SearchError::MemoryLimit { limit: 100 }), "the root does not fit");

    // For every limit, the best line that ended is there, whether the root fits or not.
    for limit in (0..3_000).step_by(50) {
        let mut search = Optimization::new(maze.clone(), SinglePlayerMcts::new(9).memory_limit(Bytes(limit)));
        let result = search.run(Budget::iterations(30));
        let best = maze.take().into_iter().reduce(f64::max);
        assert_eq!(search.best().map(|(score, _)| score), best, "{limit} bytes");
        match result {
            Ok(found) => assert_eq!(found.rollouts, 30),
            Err(error) => assert_eq!(error, SearchError::MemoryLimit { limit }),
        }
    }
}
