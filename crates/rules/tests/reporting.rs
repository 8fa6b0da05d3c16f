//! The author's own invariants, and how a counterexample prints its states.

use crate::wrong_games::{nim, sticks};
use ramure::{GameState, Player, Turn};
use ramure_games::Connect4;
use ramure_rules::Law;
use std::fmt;

/// A game of putting one or two stones on a heap that holds five, with a mistake: the heap may reach six.
#[derive(Clone, Copy, Debug)]
struct Heap {
    stones: u8,
    player: Player,
}

impl Heap {
    const NEW: Heap = Heap { stones: 0, player: 0 };
}

impl GameState for Heap {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.stones >= 5 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        if self.stones >= 5 { 0..0 } else { 1..3 }
    }
    fn apply(&mut self, stones: u8) {
        (self.stones, self.player) = (self.stones + stones, 1 - self.player);
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player == self.player))
    }
}

/// The same game with a text.
#[derive(Clone, Copy, Debug)]
struct Shown(Heap);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a heap of {}", self.0.stones)
    }
}

impl std::str::FromStr for Shown {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let stones = text.rsplit(' ').next().unwrap_or_default().parse()?;
        Ok(Shown(Heap { stones, player: 0 }))
    }
}

impl GameState for Shown {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.0.actions()
    }
    fn apply(&mut self, stones: u8) {
        self.0.apply(stones);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
}

#[test]
fn a_broken_invariant_is_reported_with_a_shortest_line() {
    let violation =
        ramure_rules::check(Heap::NEW).invariant(|state| state.stones <= 5).run().expect_err("six");
    assert_eq!((violation.law, violation.actions.as_slice()), (Law::Invariant, [2, 2, 2].as_slice()));
    assert!(violation.is_shortest);
    assert_eq!(violation.after.map(|state| state.stones), Some(6));
    assert_eq!(violation.what, "the invariant does not hold here");
    let text = violation.to_string();
    assert!(
        text.starts_with("broken: the invariant holds (Law::Invariant)\nafter 3 actions: 2, 2, 2\n"),
        "{text}"
    );

    // An invariant that breaks in the initial state, and one of two invariants.
    let violation =
        ramure_rules::check(Heap::NEW).invariant(|state| state.stones > 0).run().expect_err("zero");
    assert_eq!((violation.law, violation.actions.len()), (Law::Invariant, 0));
    let two = ramure_rules::check(Heap::NEW)
        .invariant(|state| state.stones <= 6)
        .invariant(|state| state.stones != 3);
    assert_eq!(two.run().expect_err("three").actions, [1, 2]);
}

#[test]
fn an_invariant_that_holds_is_a_law_of_the_summary() {
    let check = ramure_rules::check(Connect4::new()).only([Law::Invariant]).invariant(|state| {
        let count = |player| (0..42).filter(|&cell| state.cell(cell / 7, cell % 7) == Some(player)).count();
        count(0) >= count(1) && count(0) <= count(1) + 1
    });
    assert_eq!(check.games(50).run().expect("it holds").laws, [Law::Invariant]);
    let not_asked = ramure_rules::check(Heap::NEW).only([Law::Invariant]).run().expect_err("there is none");
    assert!(not_asked.what.contains("ask for it"), "{not_asked}");
}

/// `assert!` in an invariant explains more than a `bool`.
#[test]
fn an_invariant_that_panics_does_not_hold() {
    let check = ramure_rules::check(Heap::NEW).invariant(|state| {
        assert!(state.stones <= 5, "{} stones", state.stones);
        true
    });
    let violation = check.run().expect_err("six");
    assert_eq!((violation.law, violation.actions.as_slice()), (Law::Invariant, [2, 2, 2].as_slice()));
    assert!(violation.what.starts_with("the invariant panicked: 6 stones ("), "{}", violation.what);
}

#[test]
fn counterexamples_print_states_with_display_on_request() {
    let text = |check: ramure_rules::Check<Shown>| check.run().expect_err("six").to_string();
    let by_debug = text(ramure_rules::check(Shown(Heap::NEW)).invariant(|state| state.0.stones <= 5));
    assert!(by_debug.contains("\nafter 2:\n    Shown(Heap { stones: 6"), "{by_debug}");
    let by_display =
        text(ramure_rules::check(Shown(Heap::NEW)).invariant(|state| state.0.stones <= 5).display());
    assert!(
        by_display.contains("\nbefore the last action:\n    a heap of 4\nafter 2:\n    a heap of 6\n"),
        "{by_display}"
    );
    // The law of texts requests the texts, too.
    let check = ramure_rules::check(Shown(Heap::NEW)).text().only([Law::Invariant]).invariant(|_| false);
    assert!(text(check).contains("the initial state:\n    a heap of 0\n"));
}

#[test]
fn a_display_that_panics_does_not_lose_the_counterexample() {
    #[derive(Clone, Copy, Debug)]
    struct Shy(Heap);
    impl fmt::Display for Shy {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            panic!("nothing to be seen")
        }
    }
    impl GameState for Shy {
        type Action = u8;
        fn turn(&self) -> Turn {
            self.0.turn()
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            self.0.actions()
        }
        fn apply(&mut self, stones: u8) {
            self.0.apply(stones);
        }
        fn reward(&self, player: Player) -> f64 {
            self.0.reward(player)
        }
    }
    let check = ramure_rules::check(Shy(Heap::NEW)).display().invariant(|state| state.0.stones <= 5);
    let text = check.run().expect_err("six").to_string();
    assert!(text.contains("(its `Display` panicked: nothing to be seen"), "{text}");
}

/// Whether the invariants of the two modules below must break.
fn is_sound() -> bool {
    std::env::var_os("RAMURE_TEST_BREAKS_INVARIANTS").is_none()
}

ramure_rules::laws!(mod plain, Heap::NEW; invariant = |state| state.stones <= 6 && is_sound(), games = 20);
ramure_rules::laws!(mod with_text, Shown(Heap::NEW); invariant = |state| state.0.stones <= 6 && is_sound(), games = 20);

/// The tests that `laws!` generates must pass here, so this test runs two of them in processes in which they
/// fail.
#[test]
fn laws_prints_states_with_display_if_implemented_and_debug_otherwise() {
    let failure = |test: &str| {
        let program = std::env::current_exe().expect("this program");
        let output = std::process::Command::new(program)
            .args(["--exact", &format!("{}::{test}", module_path!().split_once("::").expect("a module").1)])
            .env("RAMURE_TEST_BREAKS_INVARIANTS", "1")
            .output()
            .expect("the test program can be started");
        assert_eq!(output.status.code(), Some(101));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let (plain, with_text) =
        (failure("plain::the_invariant_holds"), failure("with_text::the_invariant_holds"));
    assert!(plain.contains("the initial state:\n    Heap { stones: 0, player: 0 }\n"), "{plain}");
    assert!(with_text.contains("the initial state:\n    a heap of 0\n"), "{with_text}");
}

/// Checks what a violation says.
fn assert_says<G: GameState + fmt::Debug + 'static>(game: G, law: Law, words: &[&str]) {
    let violation = ramure_rules::check(game).run().expect_err("there is a mistake");
    assert_eq!(violation.law, law, "{violation}");
    for words in words {
        assert!(violation.what.contains(words), "{violation}");
    }
    assert_eq!(format!("{violation:?}"), violation.to_string());
}

#[test]
fn a_violation_says_what_to_do() {
    let nim = nim::Nim::new(&[3, 4, 5], nim::Mistake::WholeHeapListedTwice);
    assert_says(nim, Law::Unique, &["list it once", "two equal cards"]);
    let sticks = |mistake| sticks::Sticks::new(12, mistake);
    let words = &["it is the turn of player 2, but `players` says that there are 2"];
    assert_says(sticks(sticks::Mistake::PlayersForgotten), Law::Turns, words);
    let words = &["player 1 is never to move", "pass the turn on", "`without(Law::Moves)`"];
    assert_says(sticks(sticks::Mistake::TurnStays), Law::Moves, words);
    let words = &["[1.0, 1.0, 1.0] in each of", "`without(Law::Results)`"];
    assert_says(sticks(sticks::Mistake::AllArePaid), Law::Results, words);
    for mistake in [sticks::Mistake::TurnStays, sticks::Mistake::AllArePaid] {
        let check = ramure_rules::check(sticks(mistake)).without(Law::Moves).without(Law::Results);
        if let Err(violation) = check.run() {
            panic!("{violation}");
        }
    }
}

/// A game without an end that counts its actions.
#[derive(Clone, Copy, Debug)]
struct Endless(u32);

impl GameState for Endless {
    type Action = u32;

    fn turn(&self) -> Turn {
        Turn::Player(0)
    }
    fn actions(&self) -> impl IntoIterator<Item = u32> {
        [self.0]
    }
    fn apply(&mut self, _: u32) {
        self.0 += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.0
    }
}

#[test]
fn of_a_long_line_the_first_and_the_last_ten_actions_are_printed() {
    let violation = ramure_rules::check(Endless(0)).only([Law::Ends]).run().expect_err("no end");
    assert_eq!(violation.actions.len(), 1_000);
    let text = violation.to_string();
    let line = "after 1000 actions: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, then 980 more (the field `actions` has all), \
                and at last 990, 991, 992, 993, 994, 995, 996, 997, 998, 999\n";
    assert!(text.contains(line), "{text}");
    let violation = ramure_rules::check(Endless(0)).only([Law::Ends]).longest(100).run().expect_err("no end");
    assert!(violation.to_string().contains(", 50, 51, 52, "), "{violation}");
}
