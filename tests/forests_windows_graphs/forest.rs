//! Several trees on several threads.

use crate::common::hostile::{Hostile, lie};
use crate::common::{sized, visits};
use ramure::backpropagation::{Average, Solver};
use ramure::games::tic_tac_toe::Cell;
use ramure::games::{Connect4, TicTacToe};
use ramure::search::{ActionOf, Exchange, Forest, Space};
use ramure::selection::{Ucb1, Ucb1Tuned};
use ramure::simulation::{Evaluate, Uniform};
use ramure::{
    Budget, Bytes, Every, Expansion, GameState, Mcts, Order, Player, Report, Rewards, Search, SearchError,
    StopReason, Turn,
};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

/// The part of a report that does not depend on the clock: visits and means, the decision, nodes, visits and
/// depth.
type Timeless = (Vec<(u32, u32)>, Option<usize>, usize, u32, u32);

fn timeless<A>(report: &Report<A>) -> Timeless {
    let actions = report.actions.iter().map(|action| (action.visits, action.mean.to_bits())).collect();
    (actions, report.chosen, report.nodes, report.root_visits, report.depth)
}

/// Exchanges early and often, so that short tests have many.
fn often() -> Exchange {
    Exchange::new().least_iterations(20).least_visits(4).most_nodes(100.0).start(50)
}

/// Three runs and two moves.
fn game(mut search: impl Search<Space = Connect4>) -> Vec<Timeless> {
    let mut runs = Vec::new();
    for _ in 0..3 {
        let report = search.run(Budget::iterations(sized(1_500, 3_000))).expect("a sound game");
        search.advance(report.best_action()).expect("legal");
        runs.push(timeless(&report));
    }
    runs
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let forest = |threads| {
        let search = Mcts::new(Connect4::new()).tree_policy(Ucb1Tuned::default()).seed(8);
        search.backprop(Solver::new(Average)).parallel(5).threads(threads).exchange(often())
    };
    let alone = game(forest(1));
    let nodes = |threads| {
        let mut forest = forest(threads);
        forest.run(Budget::iterations(3_000)).expect("a sound game");
        (forest.exchanges().exchanges, forest.exchanges().nodes)
    };
    assert_eq!(nodes(1), nodes(3));
    for threads in [2, 3, 5, 64] {
        assert_eq!(game(forest(threads)), alone, "{threads} threads");
    }
    let other = Mcts::new(Connect4::new()).tree_policy(Ucb1Tuned::default()).seed(9);
    let other = other.backprop(Solver::new(Average)).parallel(5).threads(1).exchange(often());
    assert_ne!(game(other), alone, "the seed matters");
}

#[test]
fn all_cores_are_as_many_trees() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let search = || Mcts::new(Connect4::new()).seed(1);
    let all = game(search().all_cores().exchange(often()));
    assert_eq!(all, game(search().parallel(cores).exchange(often())));
}

#[test]
fn what_one_tree_proves_all_know() {
    let mut state = TicTacToe::new();
    let corner = state.actions().into_iter().next().expect("an empty board");
    state.apply(corner);
    let search = || Mcts::new(state).backprop(Solver::new(Average));
    let budget = Budget::iterations(1_000_000);
    let alone = search().run(budget).expect("a sound game");
    let report = search().parallel(4).threads(2).exchange(often()).run(budget).expect("a sound game");
    assert_eq!((report.proof, report.stop_reason), (Some(0.5), StopReason::Proven));
    // The trees share proofs only at the top, so together they need more than one tree.
    assert!(report.iterations < 4 * alone.iterations, "{} and {}", report.iterations, alone.iterations);
}

#[test]
fn a_budget_counts_the_iterations_of_all_trees() {
    let mut forest = Mcts::new(Connect4::new()).parallel(4).threads(2);
    let mut sum = 0;
    for iterations in [1, 2, 3, 998, 5_000, 10_001] {
        let report = forest.run(Budget::iterations(iterations)).expect("a sound game");
        sum += iterations;
        assert_eq!((report.iterations, u64::from(report.root_visits)), (iterations, sum));
        assert_eq!(report.stop_reason, StopReason::Iterations);
        assert_eq!(visits(&report).iter().sum::<u32>(), report.root_visits);
    }
    assert!(forest.exchanges().exchanges > 0 && forest.exchanges().nodes > 0);
}

#[test]
fn a_small_search_uses_one_tree() {
    let (mut alone, search) = (Mcts::new(Connect4::new()), Mcts::new(Connect4::new()));
    let alone = alone.run(Budget::iterations(900)).expect("a sound game");
    let report = search.parallel(3).run(Budget::iterations(900)).expect("a sound game");
    assert_eq!(visits(&report), visits(&alone));
}

#[test]
fn every_budget_and_the_observer_work() {
    let mut forest = Mcts::new(Connect4::new()).backprop(Average).parallel(2).exchange(often());
    let report = forest.run(Budget::millis(20)).expect("a sound game");
    assert_eq!(report.stop_reason, StopReason::Time);
    let report = forest.run(Budget::until_stopped().and_bytes(Bytes::mib(1))).expect("a sound game");
    assert_eq!(report.stop_reason, StopReason::Bytes);

    let mut seen = Vec::new();
    let every = Every::Iterations(1_000);
    let end = forest.run_with(Budget::iterations(4_500), every, &mut |report| seen.push(report.iterations));
    assert_eq!(seen, [1_000, 2_000, 3_000, 4_000]);
    let fresh = forest.report().expect("a sound game");
    assert_eq!(visits(&fresh), visits(&end.expect("a sound game")));

    let handle = forest.stop_handle();
    let stopper = std::thread::spawn(move || handle.stop());
    let report = forest.run(Budget::until_stopped()).expect("a sound game");
    assert_eq!(report.stop_reason, StopReason::Stopped);
    stopper.join().expect("it only stops");
    assert_eq!(
        forest.run(Budget::iterations(100)).expect("a sound game").stop_reason,
        StopReason::Iterations
    );

    // After three stones in a row, one action wins, and the leader cannot be overtaken soon.
    let mut state = Connect4::new();
    for column in [3, 0, 3, 0, 3, 0] {
        let action = state.actions().into_iter().nth(column).expect("legal");
        state.apply(action);
    }
    let mut forest = Mcts::new(state).backprop(Average).parallel(2).exchange(often());
    let report = forest.run(Budget::iterations(50_000).or_decided()).expect("a sound game");
    assert_eq!(report.stop_reason, StopReason::Decided);
    assert!(report.iterations < 40_000);
}

#[test]
fn settings_can_change_between_runs() {
    let mut forest = Mcts::new(Connect4::new()).parallel(3).threads(1).exchange(often());
    let first = forest.run(Budget::iterations(2_000)).expect("a sound game");
    forest.set_expansion(Expansion::default().order(Order::AsListed)); // empties the trees
    assert_eq!(forest.run(Budget::iterations(10)).expect("a sound game").root_visits, 10);
    forest.set_expansion(Expansion::default());
    forest.set_seed(0);
    forest.reset(Connect4::new());
    let again = forest.run(Budget::iterations(2_000)).expect("a sound game");
    assert_eq!(timeless(&first), timeless(&again));
    forest.set_memory_limit(Bytes(100));
    forest.reset(Connect4::new());
    let tight = forest.run(Budget::iterations(2_000)).expect_err("nothing fits into 33 bytes");
    assert_eq!(tight, SearchError::MemoryLimit { limit: 100 });
    forest.set_memory_limit(Bytes::kib(100));
    assert_eq!(forest.run(Budget::iterations(2_000)).expect("it fits").root_visits, 2_000);
}

#[test]
fn wrong_settings_are_errors() {
    let search = || Mcts::new(Connect4::new());
    let parameter = |mut forest: Mcts<Connect4, Ucb1, Uniform, Solver<Average>, Forest>, name| match forest
        .run(Budget::iterations(10))
    {
        Err(SearchError::Parameter(error)) => assert_eq!(error.name, name),
        other => panic!("{other:?}"),
    };
    parameter(search().parallel(0), "Mcts::parallel");
    parameter(search().parallel(5_000), "Mcts::parallel");
    parameter(search().parallel(2).threads(0), "Mcts::threads");
    parameter(search().parallel(2).exchange(Exchange::new().every(2.0)), "Exchange::every");
    assert_eq!(search().parallel(2).run(Budget::iterations(0)).err(), Some(SearchError::EmptyBudget));
    let limit = search().memory_limit(Bytes(50)).parallel(2).run(Budget::iterations(10));
    assert_eq!(limit.err(), Some(SearchError::MemoryLimit { limit: 50 }));
    let mut forest = search().parallel(2);
    let illegal = forest.state().actions().into_iter().next().expect("a first action");
    let mut full = Connect4::new();
    (0..6).for_each(|_| full.apply(illegal));
    forest.reset(full);
    assert!(matches!(forest.advance(illegal), Err(SearchError::IllegalAction { .. })));
    forest.run(Budget::iterations(100)).expect("the search is as it was");
}

/// Players take one or two of the sticks. Panics if as many are left as `FUSE` says.
#[derive(Clone, Debug)]
struct Sticks {
    left: u8,
    player: Player,
}

static FUSE: AtomicU8 = AtomicU8::new(NEVER);
const NEVER: u8 = u8::MAX;

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(2)
    }

    fn apply(&mut self, action: u8) {
        self.left -= action;
        self.player = 1 - self.player;
        assert_ne!(self.left, FUSE.load(Ordering::Relaxed), "too few sticks");
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player != self.player))
    }
}

/// Returns the message of the panic that an error tells of.
fn message(error: &SearchError) -> String {
    let source = error.source().map(ToString::to_string).unwrap_or_default();
    let panic = source.strip_prefix("the game or a policy panicked: ");
    panic.unwrap_or_else(|| panic!("{error:?} is not a panic")).to_owned()
}

#[test]
fn a_panic_in_a_game_is_an_error_and_the_search_goes_on_afterwards() {
    // These panic in iterations and in exchanges.
    for (sticks, (trees, threads)) in
        (1..=9).step_by(sized(3, 1)).flat_map(|sticks| [(1, 1), (3, 1), (3, 3)].map(|size| (sticks, size)))
    {
        let case = format!("{sticks} sticks, {trees} trees, {threads} threads");
        let mut forest = Mcts::new(Sticks { left: 11, player: 0 })
            .backprop(Average)
            .parallel(trees)
            .threads(threads)
            .exchange(often());
        forest.run(Budget::iterations(1_000)).expect("the fuse is not lit");
        FUSE.store(sticks, Ordering::Relaxed);
        let error = forest.run(Budget::iterations(1_000)).expect_err("the fuse is lit");
        FUSE.store(NEVER, Ordering::Relaxed);
        assert!(matches!(error, SearchError::Failed { .. }), "{case}: {error:?}");
        assert!(message(&error).contains("too few sticks"), "{case}: {error:?}");
        let report = forest.run(Budget::iterations(2_000)).expect("the fuse is out");
        assert!(report.root_visits >= 3_000, "{case}: what was found before stays\n{report}");
        assert_eq!(report.best_action(), 2, "{case}: 9 sticks are lost for the player to move");
        FUSE.store(9, Ordering::Relaxed);
        assert!(catch_unwind(AssertUnwindSafe(|| forest.advance(2))).is_err(), "{case}");
        FUSE.store(NEVER, Ordering::Relaxed);
        assert_eq!((forest.state().left, forest.state().player), (11, 0), "{case}: nothing has changed");
        forest.run(Budget::iterations(500)).expect("the search goes on");
        forest.advance(2).expect("legal");
    }
}

#[test]
fn an_error_of_an_evaluator_stops_all_trees() {
    let late = |state: &TicTacToe, _: &[_], _: &mut [f32]| -> Result<Rewards, Box<dyn Error + Send + Sync>> {
        let stones = 9 - state.actions().into_iter().count();
        if stones == 4 { Err("four stones".into()) } else { Ok(Rewards::new(2, |_| 0.5)) }
    };
    let search = Mcts::new(TicTacToe::new()).rollout_policy(Evaluate::by(late));
    let mut forest = search.parallel(3).exchange(often());
    let error = forest.run(Budget::iterations(10_000)).expect_err("a state with four stones");
    assert!(
        matches!(&error, SearchError::Failed { error, ply: 4, .. } if error.to_string() == "four stones"),
        "{error:?}"
    );
    assert!(forest.report().expect("a sound game").root_visits > 10);
}

/// Searches `start`, which lies, with several trees. A lie is an error of the game, and never a panic of the
/// search. The lies are those of the test's own thread. Returns the number of errors.
pub fn lies_are_errors<S: Space<Game: Send + Sync> + Send + Sync>(start: &S, seed: u64) -> u32
where
    ActionOf<S>: Send + Sync,
{
    let mut errors = 0;
    lie(seed, 200);
    let search =
        Mcts::new(start.clone()).tree_policy(Ucb1::default()).backprop(Solver::new(Average)).seed(seed);
    let mut forest = search.parallel(3).threads(1).exchange(often());
    for _ in 0..3 {
        if let Err(error) = forest.run(Budget::iterations(300)) {
            errors += 1;
            assert!(error.source().is_none(), "seed {seed}: {error:?}");
        }
    }
    lie(0, 0);
    forest.reset(start.clone());
    let report = forest.run(Budget::iterations(300));
    assert!(report.is_ok(), "{report:?}");
    errors
}

#[test]
fn a_game_that_lies_neither_panics_nor_hangs() {
    // With the seed 331, the game says once that it is over at the root.
    let seeds = (0..sized(60, 1_000)).chain([331]);
    let errors: u32 = seeds.map(|seed| lies_are_errors(&Hostile::default(), seed)).sum();
    assert!(errors > 20, "{errors}");
}

/// A game of one action at each ply, so that a tree is as deep as it has iterations.
#[derive(Clone)]
struct Corridor {
    left: u32,
}

impl GameState for Corridor {
    type Action = ();

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player((self.left % 2) as Player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = ()> {
        core::iter::once(()).take(self.left.min(1) as usize)
    }

    fn apply(&mut self, (): ()) {
        self.left -= 1;
    }

    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

/// The second tree is the deeper one: what the first finds while it is alone, both know only as far as the
/// trunk goes.
#[test]
fn trees_may_be_as_deep_as_the_longest_game() {
    let plies = sized(600, 100_000);
    let expansion = Expansion::default().on_visit(1);
    let mut forest = Mcts::new(Corridor { left: plies as u32 })
        .expansion(expansion)
        .parallel(2)
        .threads(1)
        .exchange(often());
    let report = forest.run(Budget::iterations(2 * plies)).expect("a sound game");
    assert!(u64::from(report.depth) >= plies - 100, "{report}");
    for _ in 0..3 {
        forest.advance(()).expect("legal");
        forest.run(Budget::iterations(10)).expect("a sound game");
    }
    forest.reset(Corridor { left: 1 });
    assert_eq!(forest.run(Budget::iterations(100)).expect("a sound game").depth, 1);
}

#[test]
fn a_time_limit_ends_long_rounds() {
    let mut forest =
        Mcts::new(Connect4::new()).parallel(2).exchange(Exchange::new().least_iterations(u32::MAX));
    let report = forest.run(Budget::time(Duration::from_millis(5))).expect("a sound game");
    assert_eq!(report.stop_reason, StopReason::Time);
}

#[test]
fn a_panic_of_an_observer_ends_the_threads() {
    let mut forest = Mcts::new(Connect4::new()).parallel(2).exchange(often());
    let observed = catch_unwind(AssertUnwindSafe(|| {
        forest.run_with(Budget::iterations(5_000), Every::Iterations(1_000), &mut |_| panic!("enough"))
    }));
    assert!(observed.is_err());
    let report = forest.run(Budget::iterations(1_000)).expect("a sound game");
    assert_eq!(report.root_visits, 2_000);
}

/// A game that panics when it is cloned, on every thread but the first.
struct Unclonable(std::thread::ThreadId, TicTacToe);

impl Clone for Unclonable {
    fn clone(&self) -> Self {
        assert_eq!(std::thread::current().id(), self.0, "not on this thread");
        Unclonable(self.0, self.1)
    }
}

impl GameState for Unclonable {
    type Action = <TicTacToe as GameState>::Action;

    fn turn(&self) -> Turn {
        self.1.turn()
    }

    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        self.1.actions()
    }

    fn apply(&mut self, action: Self::Action) {
        self.1.apply(action);
    }

    fn reward(&self, player: Player) -> f64 {
        self.1.reward(player)
    }
}

#[test]
fn a_panic_on_another_thread_has_its_message() {
    let game = Unclonable(std::thread::current().id(), TicTacToe::new());
    let mut forest = Mcts::new(game).parallel(2).exchange(often());
    let error = forest.run(Budget::iterations(5_000)).expect_err("the second thread clones");
    assert!(message(&error).contains("not on this thread"), "{error:?}");
    let report = forest.threads(1).run(Budget::iterations(100)).expect("the first thread clones");
    assert!(report.root_visits >= 100);
}

/// Tic-Tac-Toe that says once how many players it has. Asked again near its start, it has nine.
#[derive(Clone)]
struct Growing(TicTacToe, Arc<AtomicBool>);

impl GameState for Growing {
    type Action = Cell;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn players(&self) -> u8 {
        let is_start = self.actions().into_iter().count() > 7;
        if is_start && self.1.swap(true, Ordering::Relaxed) { 9 } else { 2 }
    }
    fn actions(&self) -> impl IntoIterator<Item = Cell> {
        self.0.actions()
    }
    fn apply(&mut self, action: Cell) {
        self.0.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
}

/// Each tree asked its game how many players there are, and only the first tree checked the answer: a game that
/// told another tree of more players than a search can have was a panic.
#[test]
fn all_trees_have_the_players_of_the_first() {
    let asked = Arc::<AtomicBool>::default();
    let mut game = Growing(TicTacToe::new(), Arc::clone(&asked));
    let mut forest = Mcts::new(game.clone()).seed(1).parallel(3).threads(1).exchange(often());
    let report = forest.run(Budget::iterations(1_000)).expect("it has two players");
    assert!(forest.exchanges().exchanges > 0);
    asked.store(false, Ordering::Relaxed);
    game.apply(report.best_action());
    forest.advance_to(report.best_action(), game).expect("it is legal");
    forest.run(Budget::iterations(1_000)).expect("it still has two players");
}
