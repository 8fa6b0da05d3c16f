//! The law of keys on keys with typical mistakes. An exhaustive comparison of all short lines says how long
//! the shortest counterexample must be.

use crate::common::sized;
use ramure::{GameState, Keyed, Player, Turn, hash_key};
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, SudoTicTacToe, TicTacToe};
use ramure_rules::{Law, Violation};
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Debug;
use std::rc::Rc;

/// A game with a key that a function computes from its state.
#[derive(Clone, Debug)]
struct By<G> {
    state: G,
    key: fn(&G) -> u128,
}

impl<G: GameState> GameState for By<G> {
    type Action = G::Action;

    fn turn(&self) -> Turn {
        self.state.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = G::Action> {
        self.state.actions()
    }
    fn apply(&mut self, action: G::Action) {
        self.state.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.state.reward(player)
    }
    fn players(&self) -> u8 {
        self.state.players()
    }
}

impl<G: GameState> Keyed for By<G> {
    fn key(&self) -> u128 {
        (self.key)(&self.state)
    }
}

/// Go on a line of points, without suicide. A point at which a single stone was captured is closed for the
/// next action. The game ends with two passes in a row, and the player with more stones wins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Go {
    points: [Option<Player>; POINTS],
    player: Player,
    ko: Option<usize>,
    passes: u8,
}

const POINTS: usize = 4;
const PASS: usize = POINTS;

impl Go {
    const NEW: Go = Go { points: [None; POINTS], player: 0, ko: None, passes: 0 };

    /// Removes the stones of `player` that touch no free point, and returns their points.
    fn capture(&mut self, player: Player) -> Vec<usize> {
        let mut captured = Vec::new();
        let mut start = 0;
        while start < POINTS {
            let end = (start..POINTS).find(|&at| self.points[at] != self.points[start]).unwrap_or(POINTS);
            let is_free = |at: Option<usize>| at.is_some_and(|at| self.points.get(at) == Some(&None));
            if self.points[start] == Some(player) && !is_free(start.checked_sub(1)) && !is_free(Some(end)) {
                captured.extend(start..end);
            }
            start = end;
        }
        captured.iter().for_each(|&at| self.points[at] = None);
        captured
    }

    /// The state after a stone at this point, unless that is illegal; and the points of the captured stones.
    fn placed(&self, at: usize) -> Option<(Go, Vec<usize>)> {
        if self.points[at].is_some() || self.ko == Some(at) {
            return None;
        }
        let mut next = self.clone();
        next.points[at] = Some(self.player);
        let captured = next.capture(1 - self.player);
        if !next.capture(self.player).is_empty() {
            return None;
        }
        next.ko = if let [one] = captured[..] { Some(one) } else { None };
        (next.player, next.passes) = (1 - self.player, 0);
        Some((next, captured))
    }

    fn stones(&self, player: Player) -> usize {
        self.points.iter().filter(|&&point| point == Some(player)).count()
    }
}

impl GameState for Go {
    type Action = usize;

    fn turn(&self) -> Turn {
        if self.passes == 2 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = usize> {
        let runs = self.passes < 2;
        (0..=PASS).filter(move |&at| runs && (at == PASS || self.placed(at).is_some()))
    }
    fn apply(&mut self, at: usize) {
        *self = match at {
            PASS => Go { player: 1 - self.player, ko: None, passes: self.passes + 1, points: self.points },
            _ => self.placed(at).expect("a legal action").0,
        }
    }
    fn reward(&self, player: Player) -> f64 {
        0.5 + (self.stones(player) as f64 - self.stones(1 - player) as f64) / (2 * POINTS) as f64
    }
}

/// A token walks on a ring of four points. When it comes to a point for the third time, the player who moved
/// it there loses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ring {
    at: usize,
    visits: [u8; 4],
    player: Player,
}

impl Ring {
    const NEW: Ring = Ring { at: 0, visits: [1, 0, 0, 0], player: 0 };
}

impl GameState for Ring {
    type Action = usize;

    fn turn(&self) -> Turn {
        if self.visits.contains(&3) { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = usize> {
        [1, 3].into_iter().filter(|_| self.turn() != Turn::Over)
    }
    fn apply(&mut self, steps: usize) {
        self.at = (self.at + steps) % 4;
        self.visits[self.at] += 1;
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player == self.player))
    }
}

/// Whether two states can be told apart by at most `depth` further actions.
fn differ<G: GameState>(one: &G, other: &G, depth: usize) -> bool {
    let (ones, others) = (Vec::from_iter(one.actions()), Vec::from_iter(other.actions()));
    if one.turn() != other.turn()
        || ones.len() != others.len()
        || ones.iter().any(|action| !others.contains(action))
        || one.turn() == Turn::Over && (0..2).any(|player| one.reward(player) != other.reward(player))
    {
        return true;
    }
    let after = |state: &G, action: &G::Action| {
        let mut next = state.clone();
        next.apply(action.clone());
        next
    };
    depth > 0 && ones.iter().any(|action| differ(&after(one, action), &after(other, action), depth - 1))
}

/// The least number of actions within which two lines reach states with the same key that can be told apart
/// by at most `depth` further actions.
fn shortest<G: GameState + Eq>(start: &G, key: fn(&G) -> u128, depth: usize) -> usize {
    let mut states: HashMap<u128, Vec<G>> = HashMap::new();
    let mut level = vec![start.clone()];
    for length in 0..10 {
        let mut next = Vec::new();
        for state in level {
            let same = states.entry(key(&state)).or_default();
            if same.contains(&state) {
                continue;
            }
            if same.iter().any(|other| differ(&state, other, depth)) {
                return length;
            }
            for action in state.actions() {
                let mut after = state.clone();
                after.apply(action);
                next.push(after);
            }
            same.push(state);
        }
        level = next;
    }
    panic!("no two states with the same key differ");
}

fn broken<G: Keyed + Debug + 'static>(game: G, seed: u64) -> Violation<G> {
    let check = ramure_rules::check(game).keys().only([Law::Keys]).longest(60).seed(seed);
    check.states(sized(300, 1_000)).games(sized(200, 1_000)).run().expect_err("the key is wrong")
}

fn seeds() -> std::ops::Range<u64> {
    0..sized(3, 20)
}

/// Checks that the law finds the mistake, in a line as short as the shortest.
#[track_caller]
fn assert_caught<G: GameState + Eq + Debug + 'static>(mistake: &str, state: G, key: fn(&G) -> u128) {
    let least = shortest(&state, key, 4);
    for seed in seeds() {
        let violation = broken(By { state: state.clone(), key }, seed);
        println!("{mistake}, with the seed {seed}\n{violation}\n");
        assert_eq!(
            (violation.law, violation.actions.len()),
            (Law::Keys, least),
            "{mistake}, seed {seed}\n{violation}"
        );
        assert!(violation.what.starts_with("the state (here) has the same key, 0x"), "{violation}");
    }
}

#[test]
fn a_key_that_forgets_a_part_of_the_state_is_caught() {
    assert_caught("the player to move", Go::NEW, |go| hash_key(&(go.points, go.ko, go.passes)));
    assert_caught("ko", Go::NEW, |go| hash_key(&(go.points, go.player, go.passes)));
    assert_caught("a pass before", Go::NEW, |go| hash_key(&(go.points, go.player, go.ko)));
    assert_caught("the owners", Go::NEW, |go| {
        hash_key(&(go.points.map(|point| point.is_some()), go.player, go.ko, go.passes))
    });
    assert_caught("repetitions", Ring::NEW, |ring| hash_key(&(ring.at, ring.player)));
}

#[test]
fn a_key_of_few_bits_is_caught() {
    assert_caught("8 bits of Go", Go::NEW, |go| hash_key(go) & 0xFF);
    assert_caught("6 bits of Tic-Tac-Toe", TicTacToe::new(), |game| hash_key(game) >> 122);
    // Random games find what no two short lines show: some two of 2000 keys of 16 bits are equal but for a
    // probability of 1e-13.
    for seed in seeds() {
        let violation = broken(By { state: Connect4::new(), key: |game| hash_key(game) >> 112 }, seed);
        assert!(violation.what.contains("as the state after"), "{violation}");
    }
}

/// The mark just made names the board to play in. Marks in a circle of boards, such as 1.2, 2.3, 3.4 and 4.1,
/// can be made from the first or from the third on, and lead to different boards. No shorter line has another
/// order of the same marks.
#[test]
fn a_key_without_the_board_to_play_in_is_caught() {
    let marks = |game: &SudoTicTacToe| {
        hash_key(&(Vec::from_iter((0..81).map(|i| game.cell(i / 9, i % 9))), game.turn() == Turn::Player(0)))
    };
    let (mut runs, mut shortest) = (0, 0);
    for mode in sized(&[Mode::Ultimate][..], &[Mode::LocalWin, Mode::Ultimate]) {
        for seed in 0..sized(1, 20) {
            let violation = broken(By { state: SudoTicTacToe::new(*mode), key: marks }, seed);
            // In a few runs, a board that is won opens another way, in a longer line that no single change
            // makes shorter.
            let found = violation.actions.len();
            assert!(
                found == 4 || *mode == Mode::Ultimate && found > 4 && !violation.is_shortest,
                "{violation}"
            );
            shortest += usize::from(found == 4);
            runs += 1;
            assert!(violation.what.contains("can be played here"), "{violation}");
        }
    }
    assert!(shortest * 4 >= runs * 3, "{shortest} of {runs}");
    // No two lines of up to three actions meet in the same marks with another board to play in.
    let start = SudoTicTacToe::new(Mode::LocalWin);
    let (mut level, mut known) = (vec![start], HashMap::from([(marks(&start), start.next_board())]));
    for _ in 0..3 {
        let after = |state: &SudoTicTacToe, action| {
            let mut next = *state;
            next.apply(action);
            next
        };
        level = Vec::from_iter(
            level
                .iter()
                .flat_map(|state| state.actions().into_iter().map(move |action| after(state, action))),
        );
        for state in &level {
            assert_eq!(*known.entry(marks(state)).or_insert(state.next_board()), state.next_board());
        }
    }
    assert_eq!(level.len(), 6336);
}

/// Go with a key that is kept up to date, and perhaps forgets to take out the captured stones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Zobrist {
    go: Go,
    stones: u128,
    forgets: bool,
}

impl Zobrist {
    fn new(forgets: bool) -> Self {
        Zobrist { go: Go::NEW, stones: 0, forgets }
    }

    fn of_stones(&self) -> u128 {
        let stones = self.go.points.iter().enumerate();
        stones.fold(0, |sum, (at, owner)| owner.map_or(sum, |player| sum ^ hash_key(&(at, player))))
    }

    fn with_stones(&self, stones: u128) -> u128 {
        stones ^ hash_key(&(self.go.player, self.go.ko, self.go.passes))
    }

    fn fresh(&self) -> u128 {
        self.with_stones(self.of_stones())
    }
}

impl GameState for Zobrist {
    type Action = usize;

    fn turn(&self) -> Turn {
        self.go.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = usize> {
        self.go.actions()
    }
    fn apply(&mut self, at: usize) {
        if let Some((_, captured)) = (at != PASS).then(|| self.go.placed(at)).flatten() {
            self.stones ^= hash_key(&(at, self.go.player));
            let captured = captured.iter().filter(|_| !self.forgets);
            let opponent = 1 - self.go.player;
            self.stones = captured.fold(self.stones, |sum, &at| sum ^ hash_key(&(at, opponent)));
        }
        self.go.apply(at);
    }
    fn reward(&self, player: Player) -> f64 {
        self.go.reward(player)
    }
}

impl Keyed for Zobrist {
    fn key(&self) -> u128 {
        self.with_stones(self.stones)
    }
}

#[test]
fn a_key_that_keeps_a_captured_stone_is_caught() {
    for seed in seeds() {
        let check =
            ramure_rules::check(Zobrist::new(true)).only([Law::Keys]).keys_by(Zobrist::fresh).seed(seed);
        let violation = check.longest(60).run().expect_err("the key is wrong");
        // The second stone captures the first, if that is at the edge.
        assert_eq!(
            (violation.actions.as_slice(), violation.is_shortest),
            ([0, 1].as_slice(), true),
            "{violation}"
        );
        assert!(violation.what.starts_with("the key is 0x"), "{violation}");
        assert!(violation.what.contains(", but computed from scratch it is 0x"), "{violation}");
    }
}

#[test]
fn right_keys_break_no_law() {
    for seed in seeds() {
        // Players who do not want the game to end can go on forever.
        let check =
            ramure_rules::check(Zobrist::new(false)).hash().keys_by(Zobrist::fresh).without(Law::Ends);
        let summary = check.longest(60).games(sized(30, 300)).states(sized(300, 1_000)).seed(seed).run();
        let summary = summary.unwrap_or_else(|violation| panic!("{violation}"));
        assert_eq!(summary.laws.last(), Some(&Law::Keys));
    }
    let ring = By { state: Ring::NEW, key: hash_key };
    ramure_rules::check(ring).keys().games(sized(100, 1_000)).run().expect("a right key");
}

/// The key of the line of play: no position is recognised.
#[derive(Clone, Debug)]
struct Lines<G> {
    state: G,
    actions: Vec<usize>,
}

impl<G: GameState<Action = usize>> GameState for Lines<G> {
    type Action = usize;

    fn turn(&self) -> Turn {
        self.state.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = usize> {
        self.state.actions()
    }
    fn apply(&mut self, action: usize) {
        self.state.apply(action);
        self.actions.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.state.reward(player)
    }
}

#[test]
fn keys_that_are_finer_than_necessary_are_accepted() {
    type Key = fn(&Lines<Go>) -> u128;
    let keys: [Key; 2] =
        [|line| hash_key(&(&line.state, line.actions.len())), |line| hash_key(&line.actions)];
    for key in keys {
        let check = ramure_rules::check(By { state: Lines { state: Go::NEW, actions: Vec::new() }, key });
        check.keys().only([Law::Keys]).longest(60).games(sized(100, 1_000)).run().expect("a right key");
    }
    // As a key of the last action only, it is found at once.
    let last: Key = |line| hash_key(&line.actions.last());
    let violation = broken(By { state: Lines { state: Go::NEW, actions: Vec::new() }, key: last }, 0);
    assert!(violation.actions.len() <= 2, "{violation}");
}

/// Three of four actions, listed in an order that depends on the way, and with keys that misbehave.
#[derive(Clone, Debug)]
struct Odd {
    taken: Vec<u8>,
    fault: Fault,
    asked: Cell<u128>,
    shared: Rc<Cell<u128>>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    CountsCalls,
    CountsLooks,
    SharesTheKey,
    RewardOfTwo,
    RewardByTheWay,
    Panics,
}

impl Odd {
    fn new(fault: Fault) -> Self {
        Odd { taken: Vec::new(), fault, asked: Cell::new(0), shared: Rc::default() }
    }
}

impl GameState for Odd {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.taken.len() == 3 { Turn::Over } else { Turn::Player(self.taken.len() as u8 % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        if self.fault == Fault::CountsLooks {
            self.asked.set(self.asked.get() + 1);
        }
        let mut free = Vec::from_iter((0..4).filter(|action| !self.taken.contains(action)));
        if self.taken.first() == Some(&1) {
            free.reverse();
        }
        free
    }
    fn apply(&mut self, action: u8) {
        self.taken.push(action);
        self.shared.set(self.taken.len() as u128);
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

impl Keyed for Odd {
    fn key(&self) -> u128 {
        let mut taken = self.taken.clone();
        taken.sort();
        let key = hash_key(&taken) & !0xFF;
        match self.fault {
            Fault::CountsCalls => self.asked.set(self.asked.get() + 1),
            Fault::SharesTheKey => return key + self.shared.get(),
            Fault::Panics if self.taken == [0, 2] => panic!("no key"),
            _ => {}
        }
        key + self.asked.get()
    }

    fn repetition_reward(&self, _: Player) -> f64 {
        match self.fault {
            Fault::RewardOfTwo if self.taken.contains(&1) => 2.0,
            Fault::RewardByTheWay if self.taken == [2, 1] => 0.25,
            _ => 0.5,
        }
    }
}

#[test]
fn keys_that_do_not_stay_the_same_are_caught() {
    let check = |fault| ramure_rules::check(Odd::new(fault)).keys().only([Law::Keys]);
    assert!(check(Fault::None).run().is_ok(), "the order of the actions does not matter");
    for (fault, length, what) in [
        (Fault::CountsCalls, 0, "but that of a clone is"),
        (Fault::CountsLooks, 0, "asked again after other calls, it is"),
        (Fault::SharesTheKey, 0, " was played on a clone, but the key changed from"),
        (Fault::RewardOfTwo, 1, "the reward of player 0 for a repetition is 2; it must be in [0, 1]"),
        (Fault::RewardByTheWay, 2, "but the reward of player 0 for a repetition is"),
        (Fault::Panics, 2, "`key` panicked: no key"),
    ] {
        let violation = check(fault).run().expect_err("the key is wrong");
        assert_eq!((violation.law, violation.actions.len()), (Law::Keys, length), "{fault:?}\n{violation}");
        assert!(violation.what.contains(what), "{fault:?}\n{violation}");
    }
    let check = ramure_rules::check(Odd::new(Fault::None))
        .keys_by(|_| panic!("no figure"))
        .only([Law::Calls, Law::Keys]);
    let panics = check.run().expect_err("no key");
    assert_eq!((panics.law, panics.actions.len()), (Law::Keys, 0));
    assert!(panics.what.starts_with("the function of `keys_by` panicked: no figure"), "{panics}");
}

/// The counterexample in the chapter on tests of rules.
#[test]
fn a_counterexample_names_both_ways_and_what_differs() {
    #[derive(Clone, Debug)]
    struct Sticks {
        left: u8,
        player: Player,
    }
    impl GameState for Sticks {
        type Action = u8;
        fn turn(&self) -> Turn {
            if self.left == 0 { Turn::Over } else { Turn::Player(self.player) }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            1..=self.left.min(3)
        }
        fn apply(&mut self, taken: u8) {
            *self = Sticks { left: self.left - taken, player: 1 - self.player };
        }
        fn reward(&self, player: Player) -> f64 {
            f64::from(u8::from(player != self.player))
        }
    }
    impl Keyed for Sticks {
        fn key(&self) -> u128 {
            self.left.into()
        }
    }
    let violation =
        ramure_rules::check(Sticks { left: 9, player: 0 }).keys().run().expect_err("no player in the key");
    let text = "broken: equal keys have equal futures (Law::Keys)\nafter 2 actions: 1, 1\n\n    \
        the state (here) has the same key, 0x7, as the state after 2 (there), but the turn is Player(0) here and Player(1) there\n\n\
        before the last action:\n    Sticks { left: 8, player: 1 }\nafter 1:\n    Sticks { left: 7, player: 0 }\n\n\
        All shorter lines of play were checked.";
    assert_eq!(violation.to_string().trim_end(), text);
}

#[test]
fn a_law_of_keys_that_was_not_asked_for_is_an_error() {
    let violation =
        ramure_rules::check(TicTacToe::new()).only([Law::Keys]).run().expect_err("`keys` is missing");
    assert!(violation.what.contains("ask for it"), "{violation}");
}

// Both words write the test `equal_keys_have_equal_futures`.
ramure_rules::laws!(mod ring, By { state: Ring::NEW, key: hash_key }; keys, games = 20);
ramure_rules::laws!(mod go, Zobrist::new(false); keys_by = Zobrist::fresh, games = 20, longest = 60, without = Law::Ends);
