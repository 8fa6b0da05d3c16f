//! Snapshots: restore and run equals the uninterrupted run, for every optimizer; what no search has found is
//! refused.

use ramure::{Budget, Bytes, GameState, Player, Rng, Scored, Turn, fail};
use ramure_games::{SameGame, same_game::Group};
use ramure_puzzles::{
    FlatSampling, NestedSearch, Nrpa, Optimization, Optimizer, SinglePlayerMcts, Snapshot, SnapshotError,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::Cell;
use std::error::Error;

fn saved<G, O>(search: &Optimization<G, O>) -> String
where
    G: Scored<Action: Serialize> + Serialize,
    O: Optimizer<G>,
{
    serde_json::to_string(&search.snapshot()).expect("it can be written")
}

fn read<G>(text: &str) -> Snapshot<G>
where
    G: Scored<Action: DeserializeOwned> + DeserializeOwned,
{
    serde_json::from_str(text).expect("it was written by a search")
}

fn board() -> SameGame {
    "1 2 1 2 3\n2 1 2 1 3\n2 1 1 2 1\n1 1 2 2 2".parse().expect("a board")
}

#[test]
fn every_optimizer_goes_on_as_if_it_had_not_been_interrupted() {
    fn check<O: Optimizer<SameGame> + Copy + Sync>(optimizer: O) {
        for (searches, threads) in [(1, 1), (3, 1), (3, 2)] {
            let new = || Optimization::new(board(), optimizer);
            let (mut whole, mut interrupted) =
                (new().searches(searches).seed(8), new().searches(searches).seed(8));
            // Most runs end within a pass.
            for rollouts in [1, 7, 30, 2, 41] {
                let budget = Budget::iterations(rollouts);
                let found = interrupted.run_on(threads, budget).expect("a sound problem");
                let expected = whole.run(budget).expect("a sound problem");
                let results = [found, expected].map(|all| (all.score, all.actions, all.rollouts, all.passes));
                assert_eq!(results[0], results[1]);
                let file = saved(&interrupted);
                assert_eq!(file, saved(&whole));
                // The seed and the number of searches are those of the snapshot.
                interrupted = new().seed(99);
                interrupted.restore(read(&file)).expect("it was saved by such a search");
                assert_eq!(interrupted.best(), whole.best());
                assert_eq!(saved(&interrupted), file);
            }
            assert_eq!(saved(&interrupted.searches(2)), saved(&whole.searches(2)));
        }
    }
    check(FlatSampling);
    check(NestedSearch::new(1));
    check(NestedSearch::new(2).beam(2, 3));
    check(Nrpa::new(2).iterations(5));
    check(Nrpa::new(2).iterations(5).rollouts(2).beam(1, 2));
    let bias = |_: &SameGame, group: Group| f64::from((group.column() % 3) as u8);
    check(Nrpa::new(1).iterations(9).bias(bias));
    check(SinglePlayerMcts::new(17));
    check(SinglePlayerMcts::new(30).memory_limit(Bytes(3_000)));
}

#[test]
fn another_optimizer_goes_on_from_the_best_lines() {
    let mut search = Optimization::new(board(), FlatSampling).searches(2);
    let first = search.run(Budget::iterations(20)).expect("a sound problem");
    let mut other = Optimization::new(board(), Nrpa::new(2).iterations(5));
    other.restore(search.snapshot()).expect("it has the same root state");
    assert_eq!(other.best(), search.best());
    let second = other.run(Budget::iterations(200)).expect("a sound problem");
    assert!(second.score >= first.score);
    assert_eq!(other.seed(4).best(), None);
}

#[test]
fn a_snapshot_of_another_root_state_is_refused_and_names_its_own() {
    let mut search = Optimization::new(SameGame::random(1), NestedSearch::new(1));
    search.run(Budget::iterations(30)).expect("a sound problem");
    let mut other = Optimization::new(SameGame::random(2), NestedSearch::new(1));
    other.run(Budget::iterations(5)).expect("a sound problem");
    let before = saved(&other);
    assert_eq!(other.restore(search.snapshot()), Err(SnapshotError::OtherState));
    assert_eq!(saved(&other), before);
    let snapshot: Snapshot<SameGame> = read(&saved(&search));
    other = Optimization::new(*snapshot.state(), NestedSearch::new(1));
    other.restore(snapshot).expect("it begins there");
    assert_eq!((other.state(), other.best()), (search.state(), search.best()));
    let [found, expected] =
        [other, search].map(|mut all| all.run(Budget::iterations(30)).expect("a sound problem").actions);
    assert_eq!(found, expected);
}

thread_local! {
    /// How many more questions the model of [`Sticks`] answers.
    static LEFT: Cell<u32> = const { Cell::new(u32::MAX) };

    /// Whether `apply` has failed: then nobody may ask that state anything.
    static IS_BROKEN: Cell<bool> = const { Cell::new(false) };
}

/// Take one to three of some sticks, until none is left. To take many scores much. A model says what is legal.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Sticks {
    left: u8,
    score: u16,
}

/// Asks the model. Returns whether it has answered.
fn ask() -> bool {
    match LEFT.get() {
        0 => fail("the model is down"),
        left => {
            LEFT.set(left - 1);
            true
        }
    }
}

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        assert!(!IS_BROKEN.get(), "asked a state in which `apply` failed");
        if self.left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        ask();
        1..=self.left.min(3)
    }
    fn apply(&mut self, taken: u8) {
        IS_BROKEN.set(!ask());
        self.left -= taken;
        self.score = self.score.saturating_add(u16::from(taken * taken));
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.score) / f64::from(u16::MAX)
    }
    fn players(&self) -> u8 {
        1
    }
}

impl Scored for Sticks {
    fn score(&self) -> f64 {
        ask();
        f64::from(self.score)
    }
}

fn new() -> Optimization<Sticks, FlatSampling> {
    Optimization::new(Sticks { left: 20, score: 0 }, FlatSampling).searches(2).seed(3)
}

/// A snapshot of a search that has run, after a change that no search makes.
fn forged(forge: impl FnOnce(&mut Value)) -> Snapshot<Sticks> {
    let mut search = new();
    search.run(Budget::iterations(20)).expect("a sound problem");
    let mut value = serde_json::to_value(search.snapshot()).expect("it can be written");
    forge(&mut value);
    serde_json::from_value(value).expect("it has the right types")
}

#[test]
fn a_forged_line_is_refused() {
    let refused = |snapshot: Snapshot<Sticks>| {
        let mut search = new();
        let error = search.restore(snapshot).expect_err("no search has found this");
        assert_eq!((search.best(), saved(&search)), (None, saved(&new())));
        let text = error.to_string();
        text.strip_prefix("the snapshot is invalid: ").unwrap_or(&text).to_owned()
    };
    // The score and the line of the second search.
    let score = |forge: fn(f64) -> f64| {
        forged(|value| {
            let score = &mut value["searches"][1]["best"][0];
            *score = forge(score.as_f64().expect("a number")).into();
        })
    };
    let line = |forge: fn(&mut Vec<Value>)| {
        forged(|value| forge(value["searches"][1]["best"][1].as_array_mut().expect("a line")))
    };
    new().restore(forged(|_| {})).expect("it was not changed");
    let wrong_score = "a score is not that of the line";
    assert_eq!(refused(score(|score| score + 1.0)), wrong_score);
    assert_eq!(refused(score(|score| score * 1.000_001)), wrong_score);
    // On another machine, the last bits of a score may differ. The line has the score of this machine.
    let mut search = new();
    search.restore(score(|score| f64::from_bits(score.to_bits() ^ 1))).expect("it is nearly equal");
    let (found, actions) = search.best().expect("there is a line");
    let mut end = *search.state();
    actions.iter().for_each(|&action| end.apply(action));
    assert_eq!(found, end.score());
    let too_short = "a line ends before the game is over";
    assert_eq!(refused(line(|line| drop(line.pop()))), too_short);
    assert_eq!(refused(line(|line| line.clear())), too_short);
    let too_long = "a line goes on after the end of the game";
    assert_eq!(refused(line(|line| line.push(line[0].clone()))), too_long);
    assert_eq!(refused(line(|line| line[0] = 4.into())), "an action is not legal");
    let count = "the number of searches is not from 1 to 65536";
    assert_eq!(refused(forged(|value| value["searches"] = json!([]))), count);
    let many = |value: &mut Value| value["searches"] = vec![value["searches"][0].clone(); 65_537].into();
    assert_eq!(refused(forged(many)), count);
    let over = forged(|value| {
        value["state"]["left"] = 0.into();
        value["searches"][0]["best"] = json!([0.0, []]);
    });
    let mut search = Optimization::new(*over.state(), FlatSampling);
    let error = search.restore(over).expect_err("the game is over");
    assert!(error.to_string().ends_with("no search begins like this"), "{error}");
}

/// No number of a snapshot is trusted.
#[test]
fn damaged_snapshots_are_refused_or_do_no_harm() {
    let mut search = new();
    search.run(Budget::iterations(20)).expect("a sound problem");
    let (text, mut draws) = (saved(&search), Rng::seeded(5));
    let (mut unread, mut refused, mut accepted) = (0, 0, 0);
    for _ in 0..crate::common::sized(3_000, 100_000) {
        let mut text = text.clone().into_bytes();
        for _ in 0..1 + draws.below(2) {
            let at = draws.below(text.len());
            text[at] = if text[at].is_ascii_digit() { b'0' + draws.below(10) as u8 } else { text[at] };
        }
        let Ok(snapshot) = serde_json::from_slice::<Snapshot<Sticks>>(&text) else {
            unread += 1;
            continue;
        };
        let mut search = Optimization::new(*snapshot.state(), FlatSampling);
        if search.restore(snapshot).is_err() {
            assert_eq!(search.best(), None);
            refused += 1;
            continue;
        }
        accepted += 1;
        // In a damaged root state, the game may be over.
        let _ = search.run(Budget::iterations(6));
        let mut again = Optimization::new(*search.state(), FlatSampling);
        again.restore(read(&saved(&search))).expect("it was saved by a search");
    }
    assert!(
        refused > 300 && accepted > 1_000,
        "{unread} cannot be read, {refused} refused, {accepted} accepted"
    );
}

#[test]
fn a_failure_of_the_game_is_its_error_and_changes_nothing() {
    let snapshot = forged(|_| {});
    let mut failed = 0;
    for questions in 0.. {
        let mut search = new();
        LEFT.set(questions);
        let found = search.restore(snapshot.clone());
        let has_failed = LEFT.replace(u32::MAX) == 0;
        IS_BROKEN.set(false);
        let Err(error) = found else { break };
        failed += 1;
        assert!(has_failed);
        assert!(matches!(error, SnapshotError::Failed { .. }), "{error}");
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("the model is down"));
        assert_eq!(search.best(), None);
        search.restore(snapshot.clone()).expect("the model is up again");
    }
    assert!(failed >= 20, "the model failed {failed} times only");
}
