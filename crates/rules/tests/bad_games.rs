//! The rules kit on bad games: no fault of a game may lose the line of play that leads to it.

use crate::common::bad::{Bad, Fault};
use ramure::prelude::*;
use ramure_games::TicTacToe;
use ramure_rules::{Law, Violation};
use std::time::Duration;

fn broken(fault: Fault, at: u8) -> Violation<Bad> {
    ramure_rules::check(Bad::new(fault, at)).states(200).run().expect_err("it is bad")
}

#[test]
fn a_panic_is_a_violation_with_its_line() {
    // A breadth-first walk of up to 200 states covers all lines of up to six steps.
    let shallow = broken(Fault::Panic, 3);
    assert!(shallow.law == Law::Calls && !shallow.to_string().contains("Found in game"), "{shallow}");
    assert_eq!(shallow.actions, [false, false, false, true]);
    assert_eq!((shallow.before.map(|state| state.steps), shallow.after), (Some(3), None));
    assert!(shallow.what.starts_with("`apply` panicked: 3 steps are too many ("), "{}", shallow.what);

    let deep = broken(Fault::Panic, 9);
    assert_eq!(deep.actions, [[false; 9].as_slice(), &[true]].concat());
    let text = deep.to_string();
    assert!(text.contains("Found in game") && text.contains(" of seed 0"), "{text}");

    let turn = broken(Fault::Turn, 2);
    assert_eq!((turn.law, turn.actions.as_slice()), (Law::Calls, [false, false, true].as_slice()));
    assert!(turn.what.starts_with("`turn` panicked: whose turn is it?"), "{}", turn.what);
}

#[test]
fn a_panic_in_the_initial_state_is_a_violation() {
    let game = Bad { wrong: true, ..Bad::new(Fault::Turn, 0) };
    let violation = ramure_rules::check(game).run().expect_err("it is bad");
    assert_eq!((violation.law, violation.actions.len(), violation.before.is_none()), (Law::Calls, 0, true));
    assert!(violation.to_string().contains("in the initial state"), "{violation}");
}

#[test]
fn a_clone_that_panics_does_not_lose_the_counterexample() {
    let violation = broken(Fault::Clone, 3);
    assert_eq!(violation.law, Law::Calls);
    assert!(violation.what.starts_with("`clone` panicked: no copies, please"), "{violation}");
    // The state after four actions cannot be cloned, so the check cannot play a fifth action.
    assert_eq!((violation.actions.len(), violation.before, violation.after), (5, None, None));
}

#[test]
fn a_debug_that_panics_does_not_lose_the_counterexample() {
    let check = ramure_rules::check(Bad::new(Fault::Debug, 3)).states(200).only([Law::Rewards]);
    let violation = check.run().expect_err("it is bad");
    let text = violation.to_string();
    assert!(text.contains("the reward of player 0 is 2"), "{text}");
    assert!(text.contains("(its `Debug` panicked: nothing to be seen here"), "{text}");
    assert!(
        ramure_rules::check(Bad::new(Fault::Debug, 3))
            .run()
            .is_err_and(|violation| violation.law == Law::Calls)
    );
}

/// A panic of the twin is not a fault of the game.
#[test]
fn a_panic_in_the_twin_is_reported_as_such() {
    let check = ramure_rules::check(Bad::new(Fault::Reward, 20))
        .twin(Bad::new(Fault::Panic, 2))
        .only([Law::Agreement])
        .states(200);
    let violation = check.run().expect_err("the twin is bad");
    assert_eq!((violation.law, violation.actions.len()), (Law::Agreement, 3));
    assert!(violation.what.starts_with("in the twin: the twin's `apply` panicked: 2 steps"), "{violation}");
}

#[test]
fn an_endless_list_is_a_violation() {
    let violation = broken(Fault::EndlessList, 2);
    assert_eq!((violation.law, violation.actions.as_slice()), (Law::Calls, [false, false, true].as_slice()));
    assert!(violation.what.contains("endless"), "{violation}");
}

#[test]
fn a_cycle_is_reported_as_a_repetition() {
    let violation = broken(Fault::Circle, 2);
    assert_eq!(violation.law, Law::Ends);
    // Two steps to the right place, one more to the right, and once round the circle.
    assert!(violation.actions.len() <= 6, "{violation}");
    assert!(violation.what.contains("looks the same as after"), "{violation}");
    assert!(violation.what.contains("within 1000 actions; count the actions"), "{violation}");
}

#[test]
fn a_game_without_an_end_is_a_violation() {
    let check = ramure_rules::check(Bad::new(Fault::Endless, 2)).longest(90);
    let violation = check.run().expect_err("it is bad");
    assert_eq!((violation.law, violation.actions.len()), (Law::Ends, 90));
    let line = violation.to_string().lines().nth(1).map(|line| line.split(',').count());
    assert_eq!(line, Some(90), "the line is complete");
    // If the bound is too low, a sound game fails, too; the message says what to do.
    let violation = ramure_rules::check(TicTacToe::new()).longest(8).run().expect_err("it takes nine");
    assert_eq!(violation.law, Law::Ends);
    assert!(violation.what.contains("raise the limit with `longest`"), "{violation}");
}

#[test]
fn other_laws_are_checked_until_the_game_fails() {
    // As in `laws!`, each check has one law and ignores the others.
    for law in [Law::Unique, Law::Rewards, Law::Replay] {
        let result = ramure_rules::check(Bad::new(Fault::Panic, 3)).only([law]).run();
        assert_eq!(result.expect_err("the panic is not lost").law, Law::Calls);
        ramure_rules::__uphold(ramure_rules::check(Bad::new(Fault::Panic, 3)), law);
    }
}

#[test]
#[should_panic(expected = "broken: every call returns (Law::Calls)")]
fn a_test_of_a_broken_law_fails() {
    ramure_rules::__uphold(ramure_rules::check(Bad::new(Fault::Panic, 3)), Law::Calls);
}

/// Runs `hangs`, which the watchdog must end, in a process of its own. Returns what it printed.
pub fn watched(test: &str, hangs: impl FnOnce()) -> String {
    in_its_own_process(test, 101, hangs)
}

/// Runs `call` in a process of its own, which must end with this `code`: the program of these tests with
/// nothing but `test`, the test that calls this. Returns what it printed.
pub fn in_its_own_process(test: &str, code: i32, call: impl FnOnce()) -> String {
    const IS_OWN: &str = "RAMURE_TEST_IS_OWN";
    if std::env::var_os(IS_OWN).is_some() {
        call();
        std::process::exit(0); // the watchdog did not end it
    }
    let program = std::env::current_exe().expect("this program");
    let mut command = std::process::Command::new(program);
    let output = command.args(["--exact", test, "--nocapture"]).env(IS_OWN, "1").output();
    let output = output.expect("the test program can be started");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

#[test]
fn a_call_that_never_returns_ends_the_process_and_prints_the_line() {
    let said = watched("bad_games::a_call_that_never_returns_ends_the_process_and_prints_the_line", || {
        let _ = ramure_rules::check(Bad::new(Fault::Hang, 2)).patience(Duration::from_millis(300)).run();
    });
    assert!(said.contains("`apply` has not returned for 300ms, after false, false, true"), "{said}");
}

#[test]
fn a_violation_prints_as_documented() {
    let violation = ramure_rules::check(Bad::new(Fault::Reward, 9)).run().expect_err("it is bad");
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

#[test]
fn a_check_works_with_a_panic_hook() {
    // Panics outside the game go to the previous hook.
    let caught = std::panic::catch_unwind(|| {
        let _ = ramure_rules::check(Bad::new(Fault::Panic, 3)).run();
        panic!("mine");
    });
    assert_eq!(caught.expect_err("it panicked").downcast_ref::<&str>(), Some(&"mine"));
}

/// 256 actions in each state, of which `random_action` draws some.
#[derive(Clone, Debug)]
struct Many {
    played: Vec<u16>,
    drawn: fn(&mut Rng) -> usize,
}

impl GameState for Many {
    type Action = u16;

    fn turn(&self) -> Turn {
        if self.played.len() == 6 { Turn::Over } else { Turn::Player(self.played.len() as u8 % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u16> {
        0..256
    }
    fn apply(&mut self, action: u16) {
        self.played.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.played.iter().sum::<u16>() % 2 == u16::from(player)))
    }
    fn random_action(&self, rng: &mut Rng) -> Option<u16> {
        Some((self.drawn)(rng) as u16)
    }
}

#[test]
fn a_random_action_that_leaves_out_half_of_many_is_unfair() {
    let check = |drawn| {
        let result = ramure_rules::check(Many { played: vec![], drawn }).only([Law::RandomFair]).run();
        result.map(|_| ()).map_err(|violation| violation.to_string())
    };
    let halves: [fn(&mut Rng) -> usize; 3] =
        [|rng| rng.below(128), |rng| 2 * rng.below(128), |rng| 128 + rng.below(128)];
    for half in halves {
        let text = check(half).expect_err("half of the actions are never drawn");
        assert!(text.contains("in 128 random groups"), "{text}");
    }
    check(|rng| rng.below(256)).expect("it is fair");
}

/// Player 1 moves second, and every action loses for it: one at once, the other after three more actions, of
/// which there are many.
#[derive(Clone, Debug)]
struct Trap(Vec<u8>);

impl Trap {
    fn winner(&self) -> Option<Player> {
        match self.0[..] {
            [_, 0, 0, ..] => Some(1),
            [_, 0, _, ..] if self.0.len() == 12 => Some(1),
            [_, 1, _, _, end] => Some(1 - end),
            _ => None,
        }
    }
}

impl GameState for Trap {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.winner().is_some() {
            Turn::Over
        } else {
            Turn::Player(u8::from(self.0.len().is_multiple_of(2)))
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..match self.0[..] {
            [] => 4,
            [_] | [_, 1, _, _] => 2,
            [_, 0] => 24,
            [_, 1, _] => 20,
            _ => 1,
        }
    }
    fn apply(&mut self, action: u8) {
        self.0.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.winner() == Some(player)))
    }
}

#[test]
fn a_search_may_choose_freely_where_the_other_actions_are_proven_to_lose() {
    for seed in 0..4 {
        let check = ramure_rules::check(Trap(vec![])).only([Law::BlocksLoss]).winner(Trap::winner).seed(seed);
        check.run().expect("the rules are sound");
    }
}

/// Sixty numbers, of which the players choose ten. After the third, `random_action` always draws the first.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Late(Vec<u8>);

impl GameState for Late {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.0.len() == 10 { Turn::Over } else { Turn::Player(self.0.len() as u8 % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        (0..60).filter(|number| !self.0.contains(number))
    }
    fn apply(&mut self, number: u8) {
        self.0.push(number);
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.0[9] % 2 == player))
    }
    fn random_action(&self, rng: &mut Rng) -> Option<u8> {
        let free = Vec::from_iter(self.actions());
        if self.0.len() >= 3 { free.first().copied() } else { free.get(rng.below(free.len())).copied() }
    }
}

#[test]
fn unfair_draws_late_in_a_game_with_many_actions_are_found() {
    let check = ramure_rules::check(Late(Vec::new())).only([Law::RandomFair]);
    assert_eq!(check.run().expect_err("it is unfair").law, Law::RandomFair);
}

/// The players go on until one ends the game. The 20th time that they go on, the game panics.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stay {
    steps: u8,
    has_ended: bool,
}

impl GameState for Stay {
    type Action = bool;
    fn turn(&self) -> Turn {
        assert!(self.steps < 20, "too many steps");
        if self.has_ended { Turn::Over } else { Turn::Player(self.steps % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [true, false]
    }
    fn apply(&mut self, ends: bool) {
        if ends { self.has_ended = true } else { self.steps += 1 }
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player == self.steps % 2))
    }
}

/// Random games end long before, and those that avoid the end meet the panic while they look for an action.
#[test]
fn a_panic_on_the_way_that_avoids_the_end_is_shown_with_its_action() {
    let check = ramure_rules::check(Stay { steps: 0, has_ended: false }).only([Law::Calls]).states(5);
    let violation = check.run().expect_err("it panics");
    assert_eq!((violation.actions.len(), violation.after.is_none()), (20, true), "{violation}");
}

#[test]
fn an_action_is_found_that_is_listed_twice_far_apart() {
    #[derive(Clone, Debug)]
    struct Pass(u16);
    impl GameState for Pass {
        type Action = u16;
        fn turn(&self) -> Turn {
            if self.0 == 3 { Turn::Over } else { Turn::Player(self.0 as u8 % 2) }
        }
        fn actions(&self) -> impl IntoIterator<Item = u16> {
            (0..500).chain([0])
        }
        fn apply(&mut self, _: u16) {
            self.0 += 1;
        }
        fn reward(&self, player: Player) -> f64 {
            player.into()
        }
    }
    let violation = ramure_rules::check(Pass(0)).only([Law::Unique]).run().expect_err("0 is listed twice");
    assert_eq!(violation.law, Law::Unique);
}

#[test]
fn a_check_of_a_part_of_the_lines_is_not_complete() {
    let check = ramure_rules::check(TicTacToe::new()).only([Law::Rewards]).longest(2).games(10);
    let summary = check.run().expect("they are right");
    assert!(!summary.complete && summary.draws == 0, "{summary}");
    let check =
        ramure_rules::check(TicTacToe::new()).hash().only([Law::Rewards]).longest(9).states(20_000).games(10);
    assert!(check.run().expect("they are right").complete);
}

#[test]
fn a_draw_of_no_outcome_is_found() {
    /// Chance throws a coin, and the players say what it shows.
    #[derive(Clone, PartialEq, Eq, Debug, Default)]
    struct Coin(Vec<bool>);
    impl GameState for Coin {
        type Action = bool;
        fn turn(&self) -> Turn {
            match self.0.len() {
                0 => Turn::Chance,
                1 | 2 => Turn::Player(self.0.len() as u8 - 1),
                _ => Turn::Over,
            }
        }
        fn actions(&self) -> impl IntoIterator<Item = bool> {
            [false, true]
        }
        fn apply(&mut self, side: bool) {
            self.0.push(side);
        }
        fn reward(&self, player: Player) -> f64 {
            f64::from(u8::from(self.0[0] == self.0[1 + usize::from(player)]))
        }
        fn random_outcome(&self, _: &mut Rng) -> Option<bool> {
            None
        }
    }
    let violation = ramure_rules::check(Coin::default()).run().expect_err("it draws nothing");
    assert_eq!((violation.law, violation.actions.len()), (Law::RandomLegal, 0), "{violation}");
    assert!(violation.what.contains("`random_outcome` returned `None`"), "{violation}");
}
