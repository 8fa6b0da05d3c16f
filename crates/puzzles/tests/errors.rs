//! What is wrong with a game, a budget or a parameter is an error that says so.

use crate::problems::{Digits, Maze};
use ramure::selection::SinglePlayer;
use ramure::{
    ActionCode, Budget, Bytes, CustomError, GameFault, GameState, LineOfPlay, Player, Scored, SearchError,
    Turn,
};
use ramure_puzzles::{
    Attempts, Ended, FlatSampling, NestedSearch, Nrpa, Optimization, Optimizer, PuzzleError, SinglePlayerMcts,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A game of one player that breaks its contract after two actions.
#[derive(Clone, Copy)]
struct Broken {
    how: How,
    played: u8,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum How {
    Score(f64),
    Chance,
    SecondPlayer,
    NoActions,
    Endless,
    TwoPlayers,
    NoPlayers,
    Over,
}

impl GameState for Broken {
    type Action = u8;

    fn players(&self) -> u8 {
        match self.how {
            How::TwoPlayers => 2,
            How::NoPlayers => 0,
            _ => 1,
        }
    }
    fn turn(&self) -> Turn {
        match (self.how, self.played) {
            (How::Over, _) => Turn::Over,
            (How::Endless, _) => Turn::Player(0),
            (How::Chance, 2) => Turn::Chance,
            (How::SecondPlayer, 2) => Turn::Player(1),
            (_, 3) => Turn::Over,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let none = self.turn() == Turn::Over || (self.how == How::NoActions && self.played == 2);
        0..if none { 0 } else { 2 }
    }
    fn apply(&mut self, _: u8) {
        self.played = self.played.saturating_add(1);
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

impl Scored for Broken {
    fn score(&self) -> f64 {
        if let How::Score(score) = self.how { score } else { 1.0 }
    }
}

impl ActionCode for Broken {
    fn action_code(&self, action: u8) -> u64 {
        action.into()
    }
}

fn error<G: Scored>(state: G, optimizer: impl Optimizer<G>, budget: Budget) -> SearchError {
    Optimization::new(state, optimizer).run(budget).map(|_| ()).expect_err("this is wrong")
}

/// What is wrong, in words of `ramure` or of this crate.
#[derive(PartialEq, Debug)]
enum Wrong {
    Core(GameFault),
    Own(PuzzleError),
}

fn own(error: &CustomError) -> PuzzleError {
    *error.get_ref().downcast_ref().expect("an error of this crate")
}

/// Returns `ply` if the line has the actions that led there.
fn check_line(how: How, ply: u32, line: &LineOfPlay) -> u32 {
    assert_eq!(line.actions.len(), ply as usize, "{how:?}: {line:?}");
    assert!(line.actions.iter().all(|action| ["0", "1"].contains(&&action[..])), "{line:?}");
    ply
}

#[test]
fn every_optimizer_names_the_fault_of_a_game() {
    fn check(optimizer: impl Optimizer<Broken> + Copy) {
        let fault = |how| match error(Broken { how, played: 0 }, optimizer, Budget::iterations(100)) {
            SearchError::Game { fault, ply, line, .. } => (Wrong::Core(fault), check_line(how, ply, &line)),
            SearchError::Failed { error, ply, line } => {
                (Wrong::Own(own(&error)), check_line(how, ply, &line))
            }
            SearchError::Agent(error) => (Wrong::Own(own(&error)), 0),
            other => panic!("{how:?}: {other}"),
        };
        let score = f64::INFINITY;
        assert_eq!(fault(How::Score(score)), (Wrong::Own(PuzzleError::Score { score }), 3));
        let nan = fault(How::Score(f64::NAN));
        assert!(matches!(nan, (Wrong::Own(PuzzleError::Score { score }), 3) if score.is_nan()), "{nan:?}");
        assert_eq!(fault(How::Chance), (Wrong::Own(PuzzleError::Chance), 2));
        let unknown = GameFault::UnknownPlayer { player: 1, players: 1 };
        assert_eq!(fault(How::SecondPlayer), (Wrong::Core(unknown), 2));
        assert_eq!(fault(How::NoActions), (Wrong::Core(GameFault::NoActions), 2));
        assert_eq!(fault(How::TwoPlayers), (Wrong::Own(PuzzleError::Players { players: 2 }), 0));
        assert_eq!(fault(How::NoPlayers), (Wrong::Core(GameFault::Players { players: 0 }), 0));
        let over = error(Broken { how: How::Over, played: 0 }, optimizer, Budget::iterations(100));
        assert_eq!(over, SearchError::GameOver);
        for budget in [Budget::iterations(0), Budget::millis(0)] {
            assert_eq!(error(Digits::new(2, 3), FlatSampling, budget), SearchError::EmptyBudget);
        }
        let unused = Budget::iterations(10);
        for budget in
            [unused.and_bytes(Bytes::mib(1)), unused.or_decided(), unused.and_percent_if_unclear(10)]
        {
            match error(Digits::new(2, 3), FlatSampling, budget) {
                SearchError::Agent(error) => assert_eq!(own(&error), PuzzleError::Budget),
                other => panic!("{other}"),
            }
        }
    }
    check(FlatSampling);
    check(NestedSearch::new(2));
    check(NestedSearch::new(1).beam(1, 2));
    check(Nrpa::new(1));
    check(Nrpa::new(2).beam(2, 2));
    check(SinglePlayerMcts::new(50));
}

#[test]
fn a_line_without_an_end_is_an_error() {
    let game = Broken { how: How::Endless, played: 0 };
    let is_endless =
        |error| matches!(error, SearchError::Game { fault: GameFault::Endless { limit: 1_000_000 }, .. });
    assert!(is_endless(error(game, FlatSampling, Budget::iterations(1))));
}

#[test]
fn a_parameter_out_of_range_is_named() {
    let name = |error| match error {
        SearchError::Parameter(error) => error.name,
        other => panic!("{other}"),
    };
    let budget = Budget::iterations(5);
    let of_nested = |nested| name(error(Maze::new(0), nested, budget));
    for level in [0, 11] {
        assert_eq!(of_nested(NestedSearch::new(level)), "NestedSearch, level");
        assert_eq!(name(error(Maze::new(0), Nrpa::new(level), budget)), "Nrpa, level");
    }
    assert_eq!(of_nested(NestedSearch::new(2).beam(1, 0)), "NestedSearch::beam, width");
    for level in [0, 3] {
        assert_eq!(of_nested(NestedSearch::new(2).beam(level, 2)), "NestedSearch::beam, level");
        assert_eq!(name(error(Maze::new(0), Nrpa::new(2).beam(level, 2), budget)), "Nrpa::beam, level");
    }
    let of_nrpa = |nrpa| name(error(Maze::new(0), nrpa, budget));
    for alpha in [0.0, -1.0, 5.001, 1e300, f64::NAN, f64::INFINITY] {
        assert_eq!(of_nrpa(Nrpa::new(2).alpha(alpha)), "Nrpa::alpha");
    }
    assert_eq!(of_nrpa(Nrpa::new(2).iterations(0)), "Nrpa::iterations");
    assert_eq!(of_nrpa(Nrpa::new(2).rollouts(0)), "Nrpa::rollouts");
    assert_eq!(of_nrpa(Nrpa::new(2).beam(1, 0)), "Nrpa::beam, width");
    let of_tree = |tree| name(error(Maze::new(0), tree, budget));
    assert_eq!(of_tree(SinglePlayerMcts::new(0)), "SinglePlayerMcts, iterations");
    let with = |c, d| SinglePlayerMcts::new(9).tree_policy(SinglePlayer::new(c, d));
    assert_eq!(of_tree(with(-1.0, 0.0)), "SinglePlayer::c");
    assert_eq!(of_tree(with(1.0, f32::NAN)), "SinglePlayer::d");
    let search = || Optimization::new(Digits::new(2, 3), FlatSampling);
    for count in [0, 65_537, usize::MAX] {
        let mut search = search().searches(count);
        assert_eq!(name(search.run(budget).expect_err("out of range")), "Optimization::searches");
        assert_eq!(search.clone().seed(1).searches(2).run(budget).expect("in range").rollouts, 5);
    }
    assert_eq!(name(search().passes(0).run(budget).expect_err("none")), "Optimization::passes");
    assert_eq!(name(search().run_on(0, budget).expect_err("none")), "Optimization, threads");
}

#[test]
fn a_bias_must_be_finite_and_may_be_huge() {
    let with = |bias: f64| Nrpa::new(1).bias(move |_: &Maze, _: u8| bias);
    for bias in [f64::NAN, f64::INFINITY] {
        let fault = GameFault::Heuristic { index: 0 };
        assert_eq!(
            error(Maze::new(0), with(bias), Budget::iterations(5)),
            SearchError::Game { fault, ply: 0, line: LineOfPlay::default() }
        );
    }
    for bias in [1e300, -1e300] {
        let mut search = Optimization::new(Maze::new(0), with(bias).alpha(5.0).iterations(20));
        assert_eq!(search.run(Budget::iterations(60)).expect("a sound problem").rollouts, 60);
    }
}

#[test]
fn what_was_found_before_an_error_is_kept() {
    let mut search = Optimization::new(Digits::new(2, 3), Fails);
    assert!(search.run(Budget::iterations(10)).is_err());
    assert_eq!(search.best().map(|(score, line)| (score, line.len())), Some((3.0, 3)));

    /// An optimizer that plays a line, and then fails.
    struct Fails;

    impl Optimizer<Digits> for Fails {
        fn pass(&self, attempts: &mut Attempts<'_, Digits>) -> Result<(), Ended> {
            let mut state = attempts.root().clone();
            (0..3).for_each(|_| state.apply(1));
            attempts.finish(&state, &[1, 1, 1])?;
            Err(SearchError::CountFull.into())
        }
    }
}

/// A pass that plays nothing would be repeated for ever.
#[test]
fn an_optimizer_that_plays_nothing_is_an_error() {
    struct Idle;
    impl<G: Scored> Optimizer<G> for Idle {
        fn pass(&self, _: &mut Attempts<'_, G>) -> Result<(), Ended> {
            Ok(())
        }
    }
    let fault = GameFault::NoActions;
    assert_eq!(
        error(Digits::new(2, 3), Idle, Budget::until_stopped()),
        SearchError::Game { fault, ply: 0, line: LineOfPlay::default() }
    );
}

/// The first pass fails, and all others would go on until they are stopped.
struct FirstFails(AtomicUsize);

impl Optimizer<Broken> for FirstFails {
    fn pass(&self, attempts: &mut Attempts<'_, Broken>) -> Result<(), Ended> {
        let mut actions = Vec::new();
        if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
            attempts.list(&Broken { how: How::NoActions, played: 2 }, &[0, 0], &mut actions)?;
        }
        attempts.finish(&Broken { how: How::Over, played: 3 }, &[0, 0, 0]).map(drop)
    }
}

/// Without that, the test does not end.
#[test]
fn an_error_in_one_search_stops_the_others() {
    for threads in [1, 2, 3] {
        let optimizer = FirstFails(AtomicUsize::new(0));
        let state = Broken { how: How::Score(1.0), played: 0 };
        let mut search = Optimization::new(state, optimizer).searches(3);
        let error = search.run_on(threads, Budget::until_stopped()).expect_err("the first pass fails");
        assert!(matches!(error, SearchError::Game { fault: GameFault::NoActions, ply: 2, .. }), "{error}");
    }
}

/// A game of one action, which panics when the `count`-th state of all of its copies is reached.
#[derive(Clone)]
struct Fused<'a> {
    count: &'a AtomicUsize,
    played: u8,
}

impl GameState for Fused<'_> {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.played == 3 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..2
    }
    fn apply(&mut self, _: u8) {
        self.played += 1;
        assert_ne!(self.count.fetch_sub(1, Ordering::Relaxed), 0, "the fuse has burnt");
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

impl Scored for Fused<'_> {
    fn score(&self) -> f64 {
        1.0
    }
}

impl ActionCode for Fused<'_> {
    fn action_code(&self, action: u8) -> u64 {
        action.into()
    }
}

/// The other searches have no other reason to stop.
#[test]
fn a_panic_in_one_search_stops_the_others_and_goes_on() {
    for (threads, count) in [(2, 500), (3, 10), (1, 0)] {
        let count = AtomicUsize::new(count);
        let mut search = Optimization::new(Fused { count: &count, played: 0 }, Nrpa::new(2)).searches(3);
        let run = AssertUnwindSafe(|| search.run_on(threads, Budget::until_stopped()));
        let panic = catch_unwind(run).expect_err("it panics");
        let message = panic.downcast_ref::<String>().expect("a message");
        assert!(message.contains("the fuse has burnt"), "{message}");
        // The search can go on, and the request to stop was for the run that has ended.
        let report = search.run_on(threads, Budget::iterations(60)).expect("the fuse has burnt");
        assert_eq!(report.rollouts, 60);
    }
}
