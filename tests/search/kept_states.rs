//! States that nodes keep: every search finds the same with them, with fewer calls of `apply`, and leaves none.

use crate::common::{hashed::Hashed, pig::Pig, tricks::Tricks};
use ramure::backpropagation::{Average, Solver};
use ramure::games::{Connect4, TicTacToe, connect4::Column};
use ramure::prelude::*;
use ramure::search::{Exchange, InformationSet, MirrorImages, OpenLoop, Sampled, Space, Transpositions};
use ramure::selection::{AvailabilityUcb1, Puct};
use ramure::simulation::{Evaluate, WithPriors};
use ramure::{ActionSampler, Bytes, Expansion, HiddenInformation, Keyed, Rewards, Symmetric};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// How many states are alive.
    static ALIVE: Cell<usize> = const { Cell::new(0) };
    /// How often an action was played.
    static APPLIED: Cell<u64> = const { Cell::new(0) };
    /// How many clones of states, and then how many actions, do not panic.
    static LEFT: Cell<[usize; 2]> = const { Cell::new([usize::MAX; 2]) };
}

/// Panics once, in the call that comes after as many as there are left.
fn spend(what: usize) {
    let mut left = LEFT.get();
    let is_last = left[what] == 0;
    left[what] = left[what].wrapping_sub(1);
    LEFT.set(left);
    assert!(!is_last, "a planned panic");
}

/// Counts the states that are alive.
#[derive(Debug)]
struct Token;

impl Default for Token {
    fn default() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Token
    }
}

impl Clone for Token {
    fn clone(&self) -> Self {
        spend(0);
        Default::default()
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// A game whose states are counted, and kept or not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept<G, const KEEPS: bool> {
    game: G,
    #[serde(skip)]
    _token: Token,
}

impl<G, const KEEPS: bool> Kept<G, KEEPS> {
    pub(crate) fn new(game: G) -> Self {
        Kept { game, _token: Default::default() }
    }
}

impl<G: GameState, const KEEPS: bool> GameState for Kept<G, KEEPS> {
    type Action = G::Action;
    const KEEPS_STATES: bool = KEEPS;

    fn turn(&self) -> Turn {
        self.game.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = G::Action> {
        self.game.actions()
    }
    fn apply(&mut self, action: G::Action) {
        spend(1);
        APPLIED.set(APPLIED.get() + 1);
        self.game.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
    fn players(&self) -> u8 {
        self.game.players()
    }
    fn probability(&self, outcome: G::Action) -> f64 {
        self.game.probability(outcome)
    }
}

impl<G: Keyed, const KEEPS: bool> Keyed for Kept<G, KEEPS> {
    fn key(&self) -> u128 {
        self.game.key()
    }
}

impl<G: Symmetric, const KEEPS: bool> Symmetric for Kept<G, KEEPS> {
    const SYMMETRIES: usize = G::SYMMETRIES;
    fn transformed(&self, symmetry: usize) -> Self {
        Kept::new(self.game.transformed(symmetry))
    }
    fn transformed_action(&self, action: G::Action, symmetry: usize) -> G::Action {
        self.game.transformed_action(action, symmetry)
    }
}

impl<G: HiddenInformation, const KEEPS: bool> HiddenInformation for Kept<G, KEEPS> {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        self.game.determinize(observer, rng);
    }
}

impl<G: ActionSampler, const KEEPS: bool> ActionSampler for Kept<G, KEEPS> {
    fn sample_action(&self, rng: &mut Rng) -> Option<G::Action> {
        self.game.sample_action(rng)
    }
}

/// The iterations of each run.
const ITERATIONS: u64 = 300;

/// Searches, advances, searches again, resets the search, and searches again; so does a copy. Returns what was
/// found, without the bytes and the time.
fn found<S: Space>(mut search: impl Search<Space = S> + Clone, start: S) -> String {
    let mut text = String::new();
    for round in 0..4 {
        let mut copy = search.clone();
        let [report, of_copy] =
            [&mut search.run(Budget::iterations(ITERATIONS)), &mut copy.run(Budget::iterations(ITERATIONS))]
                .map(|report| {
                    let report = report.as_mut().expect("a sound game");
                    (report.bytes, report.time) = (0, Default::default());
                    format!("{report:?}")
                });
        assert_eq!(report, of_copy);
        text += &report;
        drop(copy);
        if round == 2 {
            search.reset(start.clone());
            assert!(ALIVE.get() < 100, "{} states are alive after a reset", ALIVE.get());
        } else if let Ok(action) = search.report().and_then(|report| report.try_best_action()) {
            search.advance(action).expect("it is legal");
            if search.report().is_err() {
                break; // the game is over
            }
        }
    }
    text
}

type Searches = Vec<(&'static str, Box<dyn Fn() -> String>)>;

fn searches<const KEEPS: bool>() -> Searches {
    fn four<const KEEPS: bool>() -> Kept<Connect4, KEEPS> {
        Kept::new(Connect4::new())
    }
    let often = Exchange::new().every(0.02).share(0.01).overlap(false);
    let often = often.least_iterations(20).least_visits(2).most_nodes(500.0).start(20);
    let mut all: Searches = Vec::new();
    macro_rules! search {
        ($name:literal, $start:expr, |$space:ident| $search:expr) => {
            all.push((
                $name,
                Box::new(move || {
                    found(
                        {
                            let $space = $start;
                            $search
                        },
                        $start,
                    )
                }),
            ));
        };
    }
    search!("default", four::<KEEPS>(), |start| Mcts::new(start).seed(1));
    search!("puct", four::<KEEPS>(), |start| {
        let prior = |_: &Kept<Connect4, KEEPS>, column: Column| f32::from(4 - column.number().abs_diff(3));
        Mcts::new(start).rollout_policy(WithPriors::new(Uniform, prior)).tree_policy(Puct::new(1.2)).seed(1)
    });
    search!("third visit, widening", four::<KEEPS>(), |start| {
        Mcts::new(start).expansion(Expansion::default().on_visit(3).widening(1.5, 0.4)).seed(1)
    });
    search!("window", four::<KEEPS>(), |start| Mcts::new(start).seed(1).window(6));
    search!("forest", four::<KEEPS>(), |start| {
        Mcts::new(start).seed(1).parallel(3).threads(1).exchange(often)
    });
    search!("graph", Transpositions::new(four::<KEEPS>()), |start| Mcts::new(start).seed(1));
    search!("forest of graphs", Transpositions::new(four::<KEEPS>()), |start| {
        Mcts::new(start).seed(1).parallel(2).threads(1).exchange(often)
    });
    search!("mirror images", MirrorImages::new(Kept::<_, KEEPS>::new(TicTacToe::new())), |start| {
        Mcts::new(start).backprop(Solver::new(Average)).seed(1)
    });
    search!("chance", Kept::<_, KEEPS>::new(Pig { rolling: true, ..Pig::new(6) }), |start| {
        Mcts::new(start).seed(1)
    });
    search!("sampled", Sampled::new(Kept::<_, KEEPS>::new(Hashed::new(5, 2, 8).with_chance())), |start| {
        Mcts::new(start).seed(1)
    });
    search!("information set", InformationSet::new(Kept::<_, KEEPS>::new(Tricks::new(3, 4, 1))), |start| {
        Mcts::new(start).tree_policy(AvailabilityUcb1::new(0.7)).seed(1)
    });
    search!("open loop", OpenLoop::new(Kept::<_, KEEPS>::new(Pig::new(6))), |start| {
        Mcts::new(start).seed(1)
    });
    all.push((
        "saved and loaded",
        Box::new(|| {
            let new = || Mcts::new(four::<KEEPS>()).seed(1);
            let mut search = new();
            search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
            let mut file = Vec::new();
            search.save_to(&mut file).expect("it can be written");
            let mut loaded = new();
            loaded.resume_from(&file[..]).expect("it can be read");
            let text = found(loaded, four::<KEEPS>());
            assert_eq!(text, found(search, four::<KEEPS>()));
            text
        }),
    ));
    all
}

#[test]
fn every_search_finds_the_same_whether_nodes_keep_their_states() {
    for ((name, without), (_, with)) in searches::<false>().iter().zip(&searches::<true>()) {
        let before = ALIVE.get();
        assert_eq!(without(), with(), "{name}");
        assert_eq!(ALIVE.get(), before, "{name}: states are left");
    }
}

/// Wherever a clone or the game panics, no state is dropped twice, and none is left after the search.
#[test]
fn panics_leave_no_state_alive() {
    let mut panics = [0; 2];
    for (name, search) in searches::<true>() {
        for (what, panics) in panics.iter_mut().enumerate() {
            for count in [0, 40, 900] {
                let mut left = [usize::MAX; 2];
                left[what] = count;
                LEFT.set(left);
                let tried = catch_unwind(AssertUnwindSafe(&search));
                LEFT.set([usize::MAX; 2]);
                *panics += usize::from(tried.is_err());
                assert_eq!(ALIVE.get(), 0, "{name}, {what}, {count}");
            }
        }
    }
    assert!(panics.iter().all(|&count| count > 30), "{panics:?}");
}

/// Searches Connect 4 without rollouts. Returns the calls of `apply` and the greatest number of states alive.
fn calls_of_apply<const KEEPS: bool>(iterations: u64) -> (f64, f64) {
    let evaluation = Evaluate::by(|state: &Kept<Connect4, KEEPS>, _, _| {
        Rewards::new(2, |player| {
            if usize::from(player) == state.game.actions().into_iter().count() % 2 { 0.4 } else { 0.6 }
        })
    });
    let mut search = Mcts::new(Kept::new(Connect4::new())).rollout_policy(evaluation).seed(1);
    APPLIED.set(0);
    let report = search.run(Budget::iterations(iterations)).expect("a sound game");
    (APPLIED.get() as f64 / iterations as f64, report.mean_depth)
}

#[test]
fn an_iteration_plays_one_or_two_actions_in_the_tree_at_any_depth() {
    let ((without, depth), (with, same)) = (calls_of_apply::<false>(4_000), calls_of_apply::<true>(4_000));
    assert_eq!(depth, same);
    // One line in 128 is played again, as a check.
    assert!(depth > 3.5 && without >= depth && without < depth * 1.02, "{without} at depth {depth}");
    assert!(with > 1.0 && with < 1.6, "{with}");
}

#[test]
fn states_take_at_most_half_of_the_memory_and_go_with_their_nodes() {
    let new = |limit| Mcts::new(Kept::<_, true>::new(Connect4::new())).seed(1).memory_limit(Bytes(limit));
    for limit in [100_000, 1_000_000] {
        let mut search = new(limit);
        let report = search.run(Budget::iterations(20_000)).expect("a sound game");
        assert!(report.recycled_nodes > 0 && report.bytes <= limit, "{} of {limit}", report.bytes);
        assert_eq!(search.memory_usage(), Bytes(report.bytes));
        let most = limit / 2 / size_of::<Kept<Connect4, true>>();
        assert!((10..most).contains(&ALIVE.get()), "{} states in {limit} bytes", ALIVE.get());
    }
    let mut search = new(usize::MAX);
    search.run(Budget::iterations(5_000)).expect("a sound game");
    let before = ALIVE.get();
    assert!(before > 1_000, "{before} states");
    for _ in 0..2 {
        let action = search.report().expect("a sound game").best_action();
        search.advance(action).expect("it is legal");
    }
    assert!(ALIVE.get() < before / 2, "{} of {before} states are left", ALIVE.get());
    search.reset(Kept::new(Connect4::new()));
    assert!(ALIVE.get() < 10, "{} states are left", ALIVE.get());
}

/// Players name numbers, and player 0 wins if the sum is even, or if it is odd.
#[derive(Clone, Debug)]
struct Parity {
    numbers: Vec<u8>,
    even: bool,
}

impl GameState for Parity {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.numbers.len() == 6 { Turn::Over } else { Turn::Player(self.numbers.len() as u8 % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..3
    }
    fn apply(&mut self, number: u8) {
        self.numbers.push(number);
    }
    fn reward(&self, player: Player) -> f64 {
        let is_even = self.numbers.iter().sum::<u8>() % 2 == 0;
        if (is_even == self.even) == (player == 0) { 1.0 } else { 0.0 }
    }
}

#[test]
fn a_state_that_does_not_follow_takes_the_place_of_those_kept() {
    fn means<const KEEPS: bool>() -> Vec<f32> {
        let start = Parity { numbers: Vec::new(), even: true };
        let mut search = Mcts::new(Kept::<_, KEEPS>::new(start)).backprop(Average).seed(1);
        search.run(Budget::iterations(2_000)).expect("a sound game");
        search.advance_to(1, Kept::new(Parity { numbers: vec![1], even: false })).expect("it is legal");
        let report = search.run(Budget::iterations(2_000)).expect("a sound game");
        report.actions.iter().map(|action| action.mean).collect()
    }
    assert_eq!(means::<true>(), means::<false>());
}
