//! Games whose model fails: every search and agent returns the error of the model, uses nothing that the game
//! returned after it, and goes on in the next run.

use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::{Decisive, Evaluate};
use ramure::{
    ActionCode, BoxError, Bytes, GameFault, HiddenInformation, Rewards, RootActions, Scored, SearchError,
    SkipTurn, StaticEvaluation, StopHandle, StopReason, fail,
};
use ramure_agents::{Agent, AlphaBeta, Determinized, First, FlatMonteCarlo, MctsAgent, Minimax, Random};
use ramure_puzzles::{NestedSearch, Nrpa, Optimization, SinglePlayerMcts};
use ramure_rules as rules;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

/// The error of a model that is down.
#[derive(PartialEq, Debug)]
struct Down(Asked);

impl fmt::Display for Down {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model is down ({:?})", self.0)
    }
}

impl Error for Down {}

/// A question to the model.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Asked {
    Actions,
    Apply,
    Reward,
    Probability,
    Determinize,
    Evaluate,
    Score,
}

const QUESTIONS: [Asked; 7] = [
    Asked::Actions,
    Asked::Apply,
    Asked::Reward,
    Asked::Probability,
    Asked::Determinize,
    Asked::Evaluate,
    Asked::Score,
];

/// A model that fails once, at one question of one kind, and works again afterwards.
struct Model {
    fails_at: Asked,
    left: AtomicI64,
}

impl Model {
    fn ask<T>(&self, question: Asked, answer: T) -> Result<T, Down> {
        let fails = question == self.fails_at && self.left.fetch_sub(1, Ordering::Relaxed) == 1;
        if fails { Err(Down(question)) } else { Ok(answer) }
    }

    fn has_failed(&self) -> bool {
        self.left.load(Ordering::Relaxed) <= 0
    }
}

/// Players add 1, 2 or 3 in turn, and sometimes chance does. The game ends at 12. After an error in `apply`,
/// the state is broken, and nobody may ask it anything.
#[derive(Clone)]
struct Sum {
    model: Arc<Model>,
    sum: u8,
    plies: u8,
    players: u8,
    has_chance: bool,
    is_broken: bool,
}

impl Sum {
    fn new(players: u8, has_chance: bool, fails_at: Asked, at: i64) -> Self {
        let model = Arc::new(Model { fails_at, left: AtomicI64::new(at) });
        Sum { model, sum: 0, plies: 0, players, has_chance, is_broken: false }
    }

    fn check(&self) {
        assert!(!self.is_broken, "asked a state in which `apply` failed");
    }

    fn add(&mut self, number: u8) -> Result<(), Down> {
        self.is_broken = true;
        self.model.ask(Asked::Apply, ())?;
        self.is_broken = false;
        self.sum += number;
        self.plies += 1;
        Ok(())
    }
}

impl GameState for Sum {
    type Action = u8;

    fn players(&self) -> u8 {
        self.players
    }
    fn turn(&self) -> Turn {
        self.check();
        match self.sum {
            12.. => Turn::Over,
            _ if self.has_chance && self.plies % 3 == 2 => Turn::Chance,
            _ => Turn::Player(self.plies % self.players),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.check();
        // One action, and then the error.
        let all = self.model.ask(Asked::Actions, vec![1, 2, 3]);
        all.unwrap_or_else(|error| {
            fail::<(), _>(error);
            vec![1]
        })
    }
    fn apply(&mut self, number: u8) {
        self.check();
        self.add(number).unwrap_or_else(fail)
    }
    fn reward(&self, player: Player) -> f64 {
        self.check();
        let last = self.plies.wrapping_sub(1) % self.players;
        let reward = if self.players == 1 {
            f64::from(self.plies) / 12.0
        } else {
            f64::from(u8::from(player == last))
        };
        self.model.ask(Asked::Reward, reward).unwrap_or_else(fail)
    }
    fn probability(&self, _: u8) -> f64 {
        self.model.ask(Asked::Probability, 1.0 / 3.0).unwrap_or_else(fail)
    }
}

impl StaticEvaluation for Sum {
    fn evaluate(&self, _: Player) -> f64 {
        self.check();
        self.model.ask(Asked::Evaluate, 0.5).unwrap_or_else(fail)
    }
}

impl HiddenInformation for Sum {
    fn determinize(&mut self, _: Player, _: &mut Rng) {
        self.model.ask(Asked::Determinize, ()).unwrap_or_else(fail)
    }
}

impl SkipTurn for Sum {
    fn skip_turn(&mut self) {
        self.plies += 1;
    }
}

impl Scored for Sum {
    fn score(&self) -> f64 {
        self.check();
        self.model.ask(Asked::Score, f64::from(self.plies)).unwrap_or_else(fail)
    }
}

impl ActionCode for Sum {
    fn action_code(&self, number: u8) -> u64 {
        number.into()
    }
}

/// Checks that `error` is that of the model.
fn is_of(model: &Model, error: &SearchError, what: &str) {
    let source = error.source().and_then(|source| source.downcast_ref::<Down>());
    assert_eq!(source, Some(&Down(model.fails_at)), "{what}: {error}");
}

/// Lets the model fail at many places, one in each trial: `make` creates a search, whose calls then return
/// whether all went well.
fn fails_everywhere<C: FnMut() -> Result<u32, SearchError>>(
    what: &str,
    least: usize,
    mut make: impl FnMut(Asked, i64) -> (Arc<Model>, C),
) {
    let mut failed = 0;
    for question in QUESTIONS {
        for at in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144] {
            let what = &format!("{what}, {question:?} {at}");
            let (model, mut call) = make(question, at);
            let mut visits = 0;
            let mut errors = 0;
            for _ in 0..4 {
                match call() {
                    Ok(now) => {
                        assert!(now >= visits, "{what}: the tree was lost");
                        visits = now;
                    }
                    Err(error) => {
                        is_of(&model, &error, what);
                        errors += 1;
                    }
                }
            }
            assert_eq!(errors, usize::from(model.has_failed()), "{what}: each error is told once");
            assert!(visits > 0, "{what}: the search goes on");
            failed += errors;
            // The model is not asked so often, so it fails at no later question either.
            if errors == 0 {
                break;
            }
        }
    }
    assert!(failed >= least, "{what}: the model failed in {failed} trials only");
}

/// Tries searches of one space with many policies.
macro_rules! try_searches {
    ($($name:literal, $least:literal, $players:literal, $chance:literal, |$game:ident| $search:expr;)+) => { $(
        fails_everywhere($name, $least, |question, at| {
            let $game = Sum::new($players, $chance, question, at);
            let model = $game.model.clone();
            let mut search = $search;
            (model, move || search.run(Budget::iterations(40)).map(|report| report.root_visits))
        });
    )+ };
}

/// The random programs try the other spaces, windows and threads.
#[test]
fn searches_return_the_error_of_the_model_and_go_on() {
    try_searches! {
        "chance", 40, 2, true, |game| Mcts::new(game);
        "decisive", 30, 2, false, |game| Mcts::new(game).rollout_policy(Decisive::new().anti());
        "paranoid", 30, 3, false, |game| Mcts::new(ramure::search::Paranoid::new(game));
        "best reply", 30, 3, false, |game| Mcts::new(ramure::search::BestReply::new(game));
    }
}

/// A request to stop during a run that fails is for the next run.
#[test]
fn a_failed_run_answers_no_request_to_stop() {
    let (handle, calls) = (Arc::new(OnceLock::<StopHandle>::new()), Arc::new(AtomicI64::new(0)));
    let (shared, counted) = (Arc::clone(&handle), Arc::clone(&calls));
    let evaluate = move |_: &Sum, _: &[u8], _: &mut [f32]| {
        if counted.fetch_add(1, Ordering::Relaxed) % 20 == 19 {
            shared.get().expect("it was set").stop();
            return Err(BoxError::from(Down(Asked::Apply)));
        }
        Ok(Rewards::new(2, |_| 0.5))
    };
    let game = Sum::new(2, false, Asked::Actions, i64::MAX);
    let mut search = Mcts::new(game).tree_policy(Puct::default()).rollout_policy(Evaluate::by(evaluate));
    handle.set(search.stop_handle()).expect("it was empty");
    search.run(Budget::iterations(100)).expect_err("the evaluation fails");
    // It may be late, so a run with a bound uses up its budget.
    let report = search.run(Budget::iterations(5)).expect("the evaluation is back");
    assert_eq!((report.iterations, report.stop_reason), (5, StopReason::Stopped));
    search.run(Budget::iterations(100)).expect_err("the evaluation fails");
    let report =
        search.run(Budget::until_stopped().and_bytes(Bytes::mib(1))).expect("the evaluation is back");
    assert_eq!((report.iterations, report.stop_reason), (1, StopReason::Stopped));
    let report = search.run(Budget::iterations(5)).expect("the evaluation is back");
    assert_eq!((report.iterations, report.stop_reason), (5, StopReason::Iterations));
}

#[test]
fn agents_and_optimizers_return_the_error_of_the_model() {
    macro_rules! try_agents {
        ($($name:literal, $least:literal, $players:literal, $agent:expr;)+) => { $(
            fails_everywhere($name, $least, |question, at| {
                let game = Sum::new($players, false, question, at);
                let (model, mut agent) = (game.model.clone(), $agent);
                (model, move || agent.choose(&game).map(|_| 1))
            });
        )+ };
    }
    let make = |state: &Sum, seed| Mcts::new(state.clone()).seed(seed);
    try_agents! {
        "first", 3, 2, First;
        "random", 3, 2, Random::seeded(1);
        "flat", 20, 2, FlatMonteCarlo::total(20);
        "minimax", 20, 2, Minimax::new(6);
        "alpha-beta", 20, 2, AlphaBeta::new(6);
        "mcts", 20, 2, MctsAgent::new("mcts", Budget::iterations(40), make);
        "determinized", 20, 2, Determinized::new("guesses", 3, Budget::iterations(20), make);
    }
    macro_rules! try_optimizers {
        ($($name:literal, $optimizer:expr;)+) => { $(
            fails_everywhere($name, 20, |question, at| {
                let game = Sum::new(1, false, question, at);
                let model = game.model.clone();
                let mut search = Optimization::new(game, $optimizer);
                (model, move || search.run(Budget::iterations(40)).map(|_| 1))
            });
        )+ };
    }
    try_optimizers! {
        "nested", NestedSearch::new(1);
        "nrpa", Nrpa::new(1);
        "single player", SinglePlayerMcts::new(40);
    }
}

/// Adds up to 12; the model fails wherever the sum is 5 or 6, in one of its methods.
#[derive(Clone)]
struct Always {
    sum: u8,
    fails_at: Asked,
}

impl GameState for Always {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.sum >= 12 { Turn::Over } else { Turn::Player(self.sum % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        if self.fails_at == Asked::Actions && matches!(self.sum, 5 | 6) {
            return fail(Down(Asked::Actions));
        }
        vec![1, 2]
    }
    fn apply(&mut self, number: u8) {
        if self.fails_at == Asked::Apply && matches!(self.sum, 5 | 6) {
            return fail(Down(Asked::Apply));
        }
        self.sum += number;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

#[test]
fn the_error_names_the_line_of_play_to_the_state_in_which_the_model_failed() {
    for fails_at in [Asked::Actions, Asked::Apply] {
        let mut window = Mcts::new(Always { sum: 3, fails_at }).window(1);
        let mut one = Mcts::new(Always { sum: 3, fails_at });
        let budget = Budget::iterations(400);
        for error in [one.run(budget), window.run(budget)].map(Result::unwrap_err) {
            let SearchError::Failed { line, ply, error } = &error else { panic!("{error}") };
            assert_eq!(error.get_ref().downcast_ref(), Some(&Down(fails_at)));
            if line.actions.len() == *ply as usize {
                let sum: u8 = 3 + line.actions.iter().map(|number| number.parse::<u8>().unwrap()).sum::<u8>();
                assert!(matches!(sum, 5 | 6), "{line:?}");
            } else {
                assert!(line.actions.len() < *ply as usize, "{line:?}");
            }
        }
    }
    let error =
        Mcts::new(Always { sum: 3, fails_at: Asked::Apply }).run(Budget::iterations(400)).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("(2 actions after the root of the search: 1, ") || text.contains("(1 action after"),
        "{text}"
    );
    assert!(text.starts_with("the game, the rollout policy or its evaluator failed ("), "{text}");
}

#[test]
fn a_root_that_fails_is_an_error_of_the_call_and_changes_nothing() {
    let game = |question, at| Sum::new(2, false, question, at);
    // `advance` asks for the actions of the root, and then plays on a copy.
    for question in [Asked::Actions, Asked::Apply] {
        let mut search = Mcts::new(game(question, 1));
        let model = search.state().model.clone();
        is_of(&model, &search.advance(2).unwrap_err(), "advance");
        assert_eq!(search.state().sum, 0);
        search.advance(2).unwrap();
        assert_eq!(search.state().sum, 2);
        let mut seats = Mcts::player_trees(game(question, 1));
        let model = seats.state().model.clone();
        is_of(&model, &seats.advance(2).unwrap_err(), "advance");
        seats.advance(2).unwrap();
        assert_eq!(seats.state().sum, 2);
    }
    let mut search = Mcts::new(game(Asked::Actions, 1)).root_actions(RootActions::only([2]));
    let model = search.state().model.clone();
    is_of(&model, &search.run(Budget::iterations(10)).unwrap_err(), "a restricted root");
    assert_eq!(search.run(Budget::iterations(10)).unwrap().best_action(), 2);
}

thread_local! {
    /// After how many questions the model of `Remote` fails.
    static LEFT: Cell<i64> = const { Cell::new(i64::MAX) };
}

/// Players add 1 or 2 up to 8, in turn or at the same time, by the rules of a model that can fail.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Remote {
    sum: u8,
    plies: u8,
    is_simultaneous: bool,
}

impl Remote {
    fn new(is_simultaneous: bool) -> Self {
        Remote { sum: 0, plies: 0, is_simultaneous }
    }

    fn ask(question: Asked) -> Result<(), Down> {
        LEFT.set(LEFT.get() - 1);
        if LEFT.get() == 0 { Err(Down(question)) } else { Ok(()) }
    }
}

impl GameState for Remote {
    type Action = u8;

    fn turn(&self) -> Turn {
        assert!(self.sum < 100, "asked a state in which `apply` failed");
        if self.sum >= 8 { Turn::Over } else { Turn::Player(self.plies % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        Remote::ask(Asked::Actions).map(|()| vec![1, 2]).unwrap_or_else(fail)
    }
    fn apply(&mut self, number: u8) {
        match Remote::ask(Asked::Apply) {
            Ok(()) => (self.sum, self.plies) = (self.sum + number, self.plies + 1),
            Err(error) => {
                self.sum = 100;
                fail(error)
            }
        }
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(self.plies + player) / 10.0
    }
    fn is_simultaneous(&self) -> bool {
        self.is_simultaneous
    }
}

#[test]
fn a_file_whose_game_fails_is_not_a_wrong_file() {
    macro_rules! try_to_load {
        ($($name:literal, $least:literal, $search:expr;)+) => { $(
            let (mut search, mut file, mut failed) = ($search, Vec::new(), 0);
            search.run(Budget::iterations(100)).unwrap();
            search.save_to(&mut file).unwrap();
            for at in 1.. {
                let mut later = $search;
                LEFT.set(at);
                let found = later.load_from(&file[..]);
                let has_failed = LEFT.replace(i64::MAX) <= 0;
                assert_eq!(found.is_err(), has_failed, "{}, {at}", $name);
                let Err(error) = found else { break };
                failed += 1;
                let source = error.source().and_then(|source| source.downcast_ref::<Down>());
                assert!(source.is_some(), "{}, {at}: {error}", $name);
                later.load_from(&file[..]).unwrap();
                let mut again = Vec::new();
                later.save_to(&mut again).unwrap();
                assert!(again == file, "{}, {at}: another search", $name);
            }
            assert!(failed >= $least, "{}: the model failed {failed} times only", $name);
        )+ };
    }
    try_to_load! {
        "a tree", 30, Mcts::new(Remote::new(false));
        "player trees", 2, Mcts::player_trees(Remote::new(true));
    }
}

#[test]
fn the_rules_kit_reports_the_error_of_the_model() {
    for at in [1, 2, 3, 10, 100, 1_000] {
        LEFT.set(at);
        let checked = rules::check(Remote::new(false)).games(20).run();
        let has_failed = LEFT.replace(i64::MAX) <= 0;
        assert_eq!(checked.is_err(), has_failed, "{at}");
        let violation = checked.unwrap_err();
        assert_eq!(violation.law, rules::Law::Calls, "{at}: {violation}");
        assert!(violation.what.contains("failed: the model is down"), "{at}: {violation}");
    }
    for at in [1, 2, 3, 30] {
        LEFT.set(at);
        let counted = std::panic::catch_unwind(|| rules::perft(&Remote::new(false), 8));
        LEFT.set(i64::MAX);
        let message = counted.unwrap_err().downcast::<String>().unwrap();
        assert!(message.contains("the game failed: the model is down"), "{at}: {message}");
    }
}

#[test]
fn an_error_at_any_of_the_last_questions_of_a_run_is_returned() {
    // The last questions are those of the report.
    macro_rules! last_questions {
        ($($name:literal, $question:expr, |$game:ident| $search:expr;)+) => { $(
            let run = |at: i64| {
                let $game = Sum::new(2, false, $question, at);
                let model = $game.model.clone();
                let mut search = $search;
                let found = search.run(Budget::iterations(40)).map(|_| ());
                (model, found, search)
            };
            let (model, found, _) = run(i64::MAX);
            assert_eq!(found, Ok(()));
            let calls = i64::MAX - model.left.load(Ordering::Relaxed);
            for at in calls - 30..=calls {
                let (model, found, mut search) = run(at);
                let what = &format!("{}, {at} of {calls}", $name);
                match found {
                    Err(error) => is_of(&model, &error, what),
                    Ok(()) => assert!(!model.has_failed(), "{what}: the error was lost"),
                }
                model.left.store(0, Ordering::Relaxed);
                search.run(Budget::iterations(10)).expect("it goes on");
                // The next question is one of a report without a run.
                model.left.store(1, Ordering::Relaxed);
                is_of(&model, &search.report().expect_err($name), $name);
                search.report().expect("it goes on");
            }
        )+ };
    }
    last_questions! {
        "actions", Asked::Actions, |game| Mcts::new(game).seed(1);
        "apply", Asked::Apply, |game| Mcts::new(game).seed(1);
        "restricted", Asked::Actions, |game| Mcts::new(game).root_actions(RootActions::except([2])).seed(1);
        "window", Asked::Apply, |game| Mcts::new(game).window(4).seed(1);
    }
}

#[test]
fn an_error_of_any_probability_is_returned_by_agents_that_look_ahead() {
    type Make = fn() -> Box<dyn Agent<Sum>>;
    let agents: [Make; 2] = [|| Box::new(Minimax::new(5)), || Box::new(AlphaBeta::new(5))];
    for make in agents {
        let choose = |at: i64| {
            let game = Sum::new(2, true, Asked::Probability, at);
            let found = make().choose(&game);
            (game.model, found)
        };
        let (model, found) = choose(i64::MAX);
        assert!(found.is_ok());
        let calls = i64::MAX - model.left.load(Ordering::Relaxed);
        for at in [1, calls / 2, calls - 1, calls] {
            let (model, found) = choose(at);
            is_of(&model, &found.expect_err("the model is down"), &format!("{at} of {calls}"));
        }
    }
}

#[test]
fn an_agent_that_follows_the_game_returns_the_error_and_follows_in_its_next_choice() {
    let mut game = Sum::new(2, false, Asked::Apply, i64::MAX);
    let make = |game: &Sum, seed| Mcts::new(game.clone()).seed(seed);
    let mut agent = MctsAgent::new("follows", Budget::iterations(30), make);
    for _ in 0..2 {
        let action = agent.choose(&game).expect("an action");
        game.apply(action);
        agent.played(action);
    }
    game.model.left.store(1, Ordering::Relaxed);
    is_of(&game.model, &agent.choose(&game).expect_err("the model is down"), "follows");
    let before = agent.report().expect("a report").root_visits;
    agent.choose(&game).expect("the model is up");
    let after = agent.report().expect("a report").root_visits;
    assert!(after > 30, "{before} and {after} visits: the tree was lost");
}

#[test]
fn an_error_may_be_a_fault_of_the_game() {
    /// A game that finds its own fault.
    #[derive(Clone)]
    struct Knows;
    impl GameState for Knows {
        type Action = u8;
        fn turn(&self) -> Turn {
            Turn::Player(0)
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            [0]
        }
        fn apply(&mut self, _: u8) {
            fail(GameFault::NoPrior)
        }
        fn reward(&self, _: Player) -> f64 {
            0.5
        }
    }
    let error = Mcts::new(Knows).run(Budget::iterations(10)).unwrap_err();
    assert!(matches!(error, SearchError::Game { fault: GameFault::NoPrior, .. }), "{error}");
}
