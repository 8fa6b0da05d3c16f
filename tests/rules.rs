//! The rules kit on games without a mistake, what it says of bad games, and its strategies. That it catches mistakes is shown in
//! `rules_evidence.rs`.

#![cfg(all(feature = "games", feature = "proptest"))]

mod common;

use common::nim::Nim;
use common::pig::Pig;
use common::simple::{Climb, Corridor};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use ramure::games::sudo_tic_tac_toe::Mode;
use ramure::games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure::rules::{self, Found, Law, Violation};
use ramure::{GameState, Player, Rng, Turn};
use std::time::Duration;

rules::laws!(
    mod tic_tac_toe, TicTacToe::new();
    hash, text, action_text, symmetry, evaluation, indices, constant_sum = 1.0, winner = TicTacToe::winner
);
rules::laws!(
    mod connect4, Connect4::new();
    hash, text, action_text, symmetry, evaluation, indices, constant_sum = 1.0, winner = Connect4::winner
);
rules::laws!(
    mod hex, Hex::new(5).expect("a size").with_swap();
    hash, text, action_text, symmetry, evaluation, indices, constant_sum = 1.0, winner = Hex::winner
);
rules::laws!(
    mod sudo_tic_tac_toe_local_win, SudoTicTacToe::new(Mode::LocalWin);
    hash, text, action_text, symmetry, evaluation, indices, constant_sum = 1.0, winner = SudoTicTacToe::winner
);
rules::laws!(
    mod sudo_tic_tac_toe_ultimate, SudoTicTacToe::new(Mode::Ultimate);
    hash, text, action_text, symmetry, evaluation, indices, constant_sum = 1.0, winner = SudoTicTacToe::winner
);
// Three players, dice, one player, no choice; a game that is over before it begins.
rules::laws!(mod three_players, Nim::<3> { sticks: 11, player: 0 }; hash, indices, evaluation, constant_sum = 1.0);
rules::laws!(mod dice, Pig::new(6); hash, indices, evaluation, constant_sum = 1.0, games = 400);
rules::laws!(mod one_player, Climb::new(9, 0b1_0110_0101); hash, indices, evaluation);
rules::laws!(mod no_choice, Corridor { left: 300 }; hash, constant_sum = 1.0, longest = 300);
rules::laws!(mod over, Corridor { left: 0 });

fn hex(size: u8) -> Hex {
    Hex::new(size).expect("a size")
}

#[test]
fn small_games_are_gone_through_completely() {
    let summary = rules::check(TicTacToe::new()).hash().states(20_000).games(40).run().expect("sound");
    assert_eq!((summary.distinct, summary.complete, summary.games), (Some(5478), true, 40));
    let summary = rules::check(Nim::<2> { sticks: 5, player: 0 }).run().expect("sound");
    // 1 + 3 + 6 + 7 + ... lines: compositions of 0..=5 into parts of 1 to 3 number 1, 1, 2, 4, 7, 13.
    let lines = 1 + 1 + 2 + 4 + 7 + 13;
    let of_games: u64 = summary.states - lines;
    assert!(summary.complete && of_games > 0 && summary.distinct.is_none(), "{summary:?}");
    assert!(!rules::check(Connect4::new()).run().expect("sound").complete);
}

#[test]
fn the_summary_tells_of_random_play() {
    let summary = rules::check(TicTacToe::new()).only([Law::Running]).games(20_000).run().expect("sound");
    // By exact counting: .5849 and .2881 of random games are won, and 7.63 actions are the mean length. With 15 000 games
    // five standard errors are at most .02, and .04 actions: a right kit fails with a probability below 2e-6.
    let share = |wins: u32| f64::from(wins) / 15_000.0;
    assert!((share(summary.wins[0]) - 0.5849).abs() < 0.02, "{summary}");
    assert!((share(summary.wins[1]) - 0.2881).abs() < 0.02, "{summary}");
    assert_eq!(summary.wins.iter().sum::<u32>() + summary.draws, 15_000);
    assert!((summary.lengths.mean - 7.63).abs() < 0.045, "{summary}");
    assert_eq!((summary.lengths.count, summary.lengths.least, summary.lengths.most), (15_000, 5, 9));
    assert_eq!((summary.branching.least, summary.branching.most), (1, 9));
    let text = summary.to_string();
    assert!(text.contains("20000, 15000 of them at random") && text.contains("player 0 wins 58."), "{text}");
}

#[test]
fn chance_is_drawn_by_its_weights() {
    /// One throw of a coin that falls on 1 with a probability of 1/5.
    #[derive(Clone, Debug)]
    struct Coin(Option<u8>);
    impl GameState for Coin {
        type Action = u8;
        fn turn(&self) -> Turn {
            if self.0.is_some() { Turn::Over } else { Turn::Chance }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..if self.0.is_some() { 0 } else { 2 }
        }
        fn apply(&mut self, side: u8) {
            self.0 = Some(side);
        }
        fn reward(&self, player: Player) -> f64 {
            f64::from(u8::from(self.0 == Some(player)))
        }
        fn weight(&self, side: u8) -> f64 {
            [0.8, 0.2][usize::from(side)]
        }
    }
    let summary = rules::check(Coin(None)).games(8_000).run().expect("sound");
    // 6000 random games: five standard errors are .026.
    assert!((f64::from(summary.wins[1]) / 6_000.0 - 0.2).abs() < 0.026, "{summary}");
}

#[test]
fn a_seed_fixes_everything() {
    let run = |seed| rules::check(Connect4::new()).seed(seed).hash().games(50).run().expect("sound");
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
    let violation =
        |seed| rules::check(Bad::new(Fault::Panic, 9)).seed(seed).run().expect_err("it panics").to_string();
    assert_eq!(violation(3), violation(3));
}

#[test]
fn laws_are_chosen_and_left_out() {
    let summary =
        rules::check(TicTacToe::new()).hash().only([Law::Unique, Law::Equality]).run().expect("sound");
    assert_eq!(summary.laws, [Law::Unique, Law::Equality]);
    let summary =
        rules::check(TicTacToe::new()).without(Law::Clones).without(Law::Unique).run().expect("sound");
    assert!(!summary.laws.contains(&Law::Clones) && !summary.laws.contains(&Law::Unique));
    assert!(summary.laws.contains(&Law::RandomFair));
    let rewards = rules::check(Bad::new(Fault::Reward, 0));
    assert!(rewards.without(Law::Rewards).without(Law::Clones).run().is_ok());
}

#[test]
fn a_law_that_was_not_asked_for_is_not_said_to_hold() {
    let violation = rules::check(TicTacToe::new()).only([Law::Text]).run().expect_err("text() is missing");
    assert_eq!((violation.law, violation.found), (Law::Text, Found::NotAsked));
    assert!(violation.what.contains("ask for it"), "{violation}");
}

/// Ten steps left or right; from step `at` on, after a step to the right, something is wrong.
#[derive(PartialEq)]
struct Bad {
    fault: Fault,
    at: u8,
    steps: u8,
    wrong: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// `apply` panics.
    Panic,
    /// `turn` panics.
    Turn,
    /// The list does not end.
    EndlessList,
    /// The game does not end: no state comes twice.
    Endless,
    /// The game goes round and round.
    Circle,
    /// `reward` says 2.
    Reward,
    /// `clone` panics.
    Clone,
    /// `Debug` panics, and a reward is 2.
    Debug,
    /// `apply` does not return.
    Hang,
}

impl Clone for Bad {
    fn clone(&self) -> Self {
        assert!(!self.is(Fault::Clone), "no copies, please");
        Bad { ..*self }
    }
}

impl std::fmt::Debug for Bad {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        assert!(!self.is(Fault::Debug), "nothing to be seen here");
        f.debug_struct("Bad")
            .field("at", &self.at)
            .field("steps", &self.steps)
            .field("wrong", &self.wrong)
            .finish()
    }
}

impl Bad {
    fn new(fault: Fault, at: u8) -> Self {
        Bad { fault, at, steps: 0, wrong: false }
    }

    fn is(&self, fault: Fault) -> bool {
        self.wrong && self.fault == fault
    }
}

impl GameState for Bad {
    type Action = bool;

    fn turn(&self) -> Turn {
        assert!(!self.is(Fault::Turn), "whose turn is it?");
        if self.steps == 10 { Turn::Over } else { Turn::Player(self.steps % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = bool> {
        let endless = self.is(Fault::EndlessList);
        let count = if endless {
            usize::MAX
        } else if self.steps == 10 {
            0
        } else {
            2
        };
        (0..count).map(|number| number % 2 == 1)
    }
    fn apply(&mut self, right: bool) {
        if right && self.steps >= self.at {
            assert!(self.fault != Fault::Panic, "{} steps are too many", self.steps);
            let hangs = self.fault == Fault::Hang;
            #[expect(clippy::while_immutable_condition, reason = "this is the fault")]
            while hangs {
                std::thread::sleep(Duration::from_millis(1));
            }
            self.wrong = true;
        }
        if self.is(Fault::Circle) {
            self.steps = self.at + (self.steps + 1 - self.at) % 3;
        } else if self.is(Fault::Endless) {
            self.at = self.at.wrapping_add(1);
            self.steps = self.steps % 5 + 1;
        } else {
            self.steps += 1;
        }
    }
    fn reward(&self, _: Player) -> f64 {
        if self.is(Fault::Reward) || self.is(Fault::Debug) { 2.0 } else { 0.5 }
    }
}

fn broken(fault: Fault, at: u8) -> Violation<Bad> {
    rules::check(Bad::new(fault, at)).states(200).run().expect_err("it is bad")
}

#[test]
fn a_panic_is_a_violation_with_its_line() {
    // Breadth-first up to 200 states means all lines up to six steps.
    let shallow = broken(Fault::Panic, 3);
    assert_eq!((shallow.law, shallow.found), (Law::Calls, Found::BreadthFirst));
    assert_eq!(shallow.actions, [false, false, false, true]);
    assert_eq!((shallow.before.map(|state| state.steps), shallow.after), (Some(3), None));
    assert!(shallow.what.starts_with("`apply` panicked: 3 steps are too many (tests"), "{}", shallow.what);

    let deep = broken(Fault::Panic, 9);
    assert_eq!(deep.actions, [[false; 9].as_slice(), &[true]].concat());
    assert!(matches!(deep.found, Found::Game { seed: 0, .. }), "{deep}");

    let turn = broken(Fault::Turn, 2);
    assert_eq!((turn.law, turn.actions.as_slice()), (Law::Calls, [false, false, true].as_slice()));
    assert!(turn.what.starts_with("`turn` panicked: whose turn is it?"), "{}", turn.what);
}

#[test]
fn a_panic_in_the_initial_state_is_a_violation_too() {
    let game = Bad { wrong: true, ..Bad::new(Fault::Turn, 0) };
    let violation = rules::check(game).run().expect_err("it is bad");
    assert_eq!((violation.law, violation.actions.len(), violation.before.is_none()), (Law::Calls, 0, true));
    assert!(violation.to_string().contains("in the initial state"), "{violation}");
}

#[test]
fn a_clone_that_panics_does_not_cost_the_counterexample() {
    let violation = broken(Fault::Clone, 3);
    assert_eq!(violation.law, Law::Calls);
    assert!(violation.what.starts_with("`clone` panicked: no copies, please"), "{violation}");
    // The state after four actions cannot be cloned, so no fifth one can be played.
    assert_eq!((violation.actions.len(), violation.before, violation.after), (5, None, None));
}

#[test]
fn a_debug_that_panics_does_not_cost_the_counterexample() {
    let check = rules::check(Bad::new(Fault::Debug, 3)).states(200).only([Law::Rewards]);
    let violation = check.run().expect_err("it is bad");
    let text = violation.to_string();
    assert!(text.contains("the reward of player 0 is 2"), "{text}");
    assert!(text.contains("(its `Debug` panicked: nothing to be seen here"), "{text}");
    assert!(
        rules::check(Bad::new(Fault::Debug, 3)).run().is_err_and(|violation| violation.law == Law::Calls)
    );
}

/// A twin that panics is not the game's fault.
#[test]
fn a_twin_that_panics_is_told_as_that() {
    let check = rules::agree(Bad::new(Fault::Reward, 20), Bad::new(Fault::Panic, 2)).states(200);
    let violation = check.run().expect_err("the twin is bad");
    assert_eq!((violation.law, violation.actions.len()), (Law::Agreement, 3));
    assert!(violation.what.starts_with("of the twin: the twin's `apply` panicked: 2 steps"), "{violation}");
}

#[test]
fn a_sum_that_is_not_a_number_is_nobodys() {
    let check = rules::check(TicTacToe::new()).constant_sum(f64::NAN);
    assert_eq!(check.run().expect_err("no sum is that").law, Law::ConstantSum);
}

/// Three players with ranks: to end the game at once may be worse than to go on.
#[test]
fn a_win_that_is_worth_little_need_not_be_found() {
    #[derive(Clone, Debug)]
    struct Ranks {
        points: u8,
        held: Option<u8>,
    }
    impl GameState for Ranks {
        type Action = bool;
        fn turn(&self) -> Turn {
            if self.held.is_some() || self.points == 12 { Turn::Over } else { Turn::Player(self.points % 2) }
        }
        fn actions(&self) -> impl IntoIterator<Item = bool> {
            [true, false].into_iter().filter(|_| self.turn() != Turn::Over)
        }
        fn apply(&mut self, hold: bool) {
            if hold { self.held = Some(self.points % 2) } else { self.points += 1 }
        }
        fn reward(&self, player: Player) -> f64 {
            let margin = 0.05 + f64::from(self.points) / 30.0;
            match self.held {
                Some(winner) if winner == player => 0.5 + margin,
                Some(_) => 0.5 - margin,
                None => 0.5,
            }
        }
    }
    let game = Ranks { points: 0, held: None };
    for seed in 0..20 {
        let check = rules::check(game.clone()).constant_sum(1.0).winner(|state| state.held).seed(seed);
        check.run().unwrap_or_else(|violation| panic!("{violation}"));
    }
}

#[test]
fn an_endless_list_is_a_violation() {
    let violation = broken(Fault::EndlessList, 2);
    assert_eq!((violation.law, violation.actions.as_slice()), (Law::Calls, [false, false, true].as_slice()));
    assert!(violation.what.contains("endless"), "{violation}");
}

#[test]
fn a_game_that_goes_round_is_shown_going_round() {
    let violation = broken(Fault::Circle, 2);
    assert_eq!(violation.law, Law::Ends);
    // Two steps, one to the right, and once round.
    assert!(violation.actions.len() <= 6, "{violation}");
    assert!(violation.what.contains("looks the same as after"), "{violation}");
    assert!(violation.what.contains("not ended after 1000 actions"), "{violation}");
}

#[test]
fn a_game_without_an_end_is_a_violation() {
    let check = rules::check(Bad::new(Fault::Endless, 2)).longest(120);
    let violation = check.run().expect_err("it is bad");
    assert_eq!((violation.law, violation.actions.len()), (Law::Ends, 120));
    let line = violation.to_string().lines().nth(1).map(|line| line.split(',').count());
    assert_eq!(line, Some(120), "it is told in full");
    // With a bound that is too low, a sound game is one too; the message says what to do.
    let violation = rules::check(TicTacToe::new()).longest(8).run().expect_err("it takes nine");
    assert_eq!(violation.law, Law::Ends);
    assert!(violation.what.contains("say so with `longest`"), "{violation}");
}

#[test]
fn other_laws_are_checked_as_far_as_a_bad_game_goes() {
    // As `laws!` does: one law, and the others are not its business.
    for law in [Law::Unique, Law::Rewards, Law::Replay] {
        let result = rules::check(Bad::new(Fault::Panic, 3)).only([law]).run();
        assert_eq!(result.expect_err("the panic is not lost").law, Law::Calls);
        rules::__uphold(rules::check(Bad::new(Fault::Panic, 3)), law);
    }
}

#[test]
#[should_panic(expected = "broken: every call returns (Law::Calls)")]
fn a_test_of_a_broken_law_fails() {
    rules::__uphold(rules::check(Bad::new(Fault::Panic, 3)), Law::Calls);
}

/// A process that hangs cannot test itself: this test starts the one below in a process of its own.
#[test]
fn a_call_that_never_returns_ends_the_process_and_prints_the_line() {
    let program = std::env::current_exe().expect("this program");
    let output = std::process::Command::new(program)
        .args(["--exact", "hangs", "--ignored"])
        .output()
        .expect("the test program can be started");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(101), "{text}");
    assert!(text.contains("`apply` has not returned for 300ms, after false, false, true"), "{text}");
}

#[test]
#[ignore = "hangs, until the watchdog ends the process"]
fn hangs() {
    let _ = rules::check(Bad::new(Fault::Hang, 2)).patience(Duration::from_millis(300)).run();
}

#[test]
fn a_violation_reads_well() {
    let violation = rules::check(Bad::new(Fault::Reward, 9)).run().expect_err("it is bad");
    let text = violation.to_string();
    assert!(
        text.starts_with(
            "broken: rewards are in range (Law::Rewards)\n\
             after 10 actions: false, false, false, false, false, false, false, false, false, true\n\n    \
             the reward of player 0 is 2; it must be in [0, 1]\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("before the last action:\n    Bad {") && text.contains("after true:\n    Bad {"),
        "{text}"
    );
    assert!(text.contains("shortened from") || text.contains("Found in game"), "{text}");
    assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
}

fn runner() -> TestRunner {
    let config = Config { cases: 200, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

/// The value to which the strategy shrinks what fails.
fn minimal<S: Strategy>(strategy: S, fails: impl Fn(&S::Value) -> bool) -> S::Value {
    let result =
        runner().run(&strategy, |value| if fails(&value) { Err(TestCaseError::fail("")) } else { Ok(()) });
    match result {
        Err(TestError::Fail(_, value)) => value,
        other => panic!("something should have failed: {}", other.is_ok()),
    }
}

#[test]
fn states_shrink_to_those_that_are_reached_soonest() {
    let won = minimal(rules::reachable(Connect4::new()), |state| state.winner() == Some(0));
    assert_eq!(won.to_string().lines().nth(7), Some("moves: 7"), "{won}");
    // Four stones of the first player, the others as far to the left as can be.
    let won = minimal(rules::reachable(TicTacToe::new()), |state| state.winner() == Some(0));
    assert_eq!(won.to_string().lines().nth(3), Some("moves: 5"), "{won}");
    let any = minimal(rules::reachable(hex(11)), |_| true);
    assert_eq!(any, hex(11));
}

#[test]
fn games_are_whole_and_shrink_to_whole_games() {
    let line = minimal(rules::games(TicTacToe::new()), |line| {
        assert_eq!(line.last().turn(), Turn::Over);
        assert_eq!(line.states.len(), line.actions.len() + 1);
        line.last().winner() == Some(1)
    });
    // The second player cannot win with fewer than six actions.
    assert_eq!(line.actions.len(), 6, "{line:?}");
    let mut again = line.states[0];
    for (action, after) in line.actions.iter().zip(&line.states[1..]) {
        again.apply(*action);
        assert_eq!(again, *after);
    }
}

#[test]
fn positions_and_actions_are_legal_and_shrink() {
    let (state, action) = minimal(rules::positions_and_actions(Connect4::new()), |(state, action)| {
        assert!(state.is_legal(*action));
        action.number() == 6
    });
    assert_eq!((state, action.number()), (Connect4::new(), 6));
    let none = rules::positions_and_actions(Corridor { left: 0 }).new_tree(&mut runner());
    assert!(none.is_err_and(|reason| reason.message().contains("over")));
}

#[test]
fn the_strategies_reach_states_of_all_depths() {
    let mut runner = runner();
    let mut seen = [0; 10];
    for _ in 0..1_000 {
        let tree = rules::reachable(TicTacToe::new()).new_tree(&mut runner).expect("a state");
        let state = tree.current();
        seen[(0..3)
            .map(|row| (0..3).filter(|&column| state.cell(row, column).is_some()).count())
            .sum::<usize>()] += 1;
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

#[test]
#[should_panic(expected = "`apply` panicked: 3 steps are too many")]
fn a_panic_in_a_strategy_tells_the_line() {
    let mut runner = runner();
    for _ in 0..50 {
        let _ = rules::games(Bad::new(Fault::Panic, 3)).new_tree(&mut runner);
    }
}

/// Random games seldom fill the board of Connect 4: 26 of 10 000 do.
#[test]
fn peaceful_games_fill_the_board() {
    let mut runner = runner();
    let drawn = (0..400).filter(|_| {
        let line = rules::games(Connect4::new()).new_tree(&mut runner).expect("a game").current();
        line.actions.len() == 42
    });
    assert!(drawn.count() >= 10);
}

#[test]
fn a_check_is_not_confused_by_a_panic_hook() {
    // The hook of others is called for panics that are not the game's.
    let caught = std::panic::catch_unwind(|| {
        let _ = rules::check(Bad::new(Fault::Panic, 3)).run();
        panic!("mine");
    });
    assert_eq!(caught.expect_err("it panicked").downcast_ref::<&str>(), Some(&"mine"));
    let mut rng = Rng::seeded(1);
    assert!(rng.below(3) < 3);
}

/// Sticks, with a shortcut for random games that looks right: it draws who takes the last stick by tossing a coin.
#[derive(Clone, Debug)]
struct Hasty(Nim<3>);

impl GameState for Hasty {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        Vec::from_iter(self.0.actions())
    }
    fn apply(&mut self, taken: u8) {
        self.0.apply(taken);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn players(&self) -> u8 {
        3
    }
    fn random_rollout(&mut self, rng: &mut Rng) {
        self.0 = Nim { sticks: 0, player: rng.below(2) as u8 };
    }
}

#[test]
fn a_shortcut_that_gives_other_chances_is_a_violation() {
    for seed in 0..20 {
        let check = rules::check(Hasty(Nim { sticks: 9, player: 0 })).seed(seed);
        let violation = check.run().expect_err("only two of three ever win");
        assert_eq!(violation.law, Law::RandomRollout);
        assert!(violation.actions.is_empty(), "{violation}");
        assert!(violation.what.contains("of as many by `random_rollout`"), "{violation}");
    }
}

/// A right game must not fail by chance: for 300 seeds, with a probability below 1e-7 each. (Draws that were not independent
/// of each other once made it fail for one seed in a few hundred.)
#[test]
fn a_loaded_die_that_is_drawn_as_it_should_be_never_fails() {
    for seed in 0..300 {
        let check = rules::check(Pig::new(4)).only([Law::RandomFair, Law::RandomRollout]).seed(seed);
        check.run().unwrap_or_else(|violation| panic!("seed {seed}: {violation}"));
    }
}
