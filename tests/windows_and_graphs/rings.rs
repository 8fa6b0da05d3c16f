//! Graphs of games whose lines of play can return to a position.

use ramure::prelude::*;
use ramure::search::{Space, Transpositions};
use ramure::{Keyed, Player, RootActions};
use ramure_agents::{Agent, MctsAgent};
use serde::{Deserialize, Serialize};

/// A game of one player, from cell to cell. The key of a state is its cell.
#[derive(Clone, Copy, Debug)]
struct Cells {
    cell: u8,
    /// Where one can go from a cell. From the others, one goes to the next one.
    ways: &'static [(u8, &'static [u8])],
    /// The cells in which the game ends, with their rewards.
    ends: &'static [(u8, f64)],
    /// What a repetition is worth.
    repeated: f64,
}

impl Cells {
    fn new(ways: &'static [(u8, &'static [u8])], ends: &'static [(u8, f64)]) -> Self {
        Cells { cell: 0, ways, ends, repeated: 0.0 }
    }
}

impl GameState for Cells {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.ends.iter().any(|end| end.0 == self.cell) { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let ways = self.ways.iter().find(|(from, _)| *from == self.cell);
        ways.map_or_else(|| vec![self.cell + 1], |(_, to)| to.to_vec())
    }
    fn apply(&mut self, cell: u8) {
        self.cell = cell;
    }
    fn reward(&self, _: Player) -> f64 {
        self.ends.iter().find(|end| end.0 == self.cell).map_or(0.0, |end| end.1)
    }
}

impl Keyed for Cells {
    fn key(&self) -> u128 {
        self.cell.into()
    }
    fn repetition_reward(&self, _: Player) -> f64 {
        self.repeated
    }
}

/// Three cells in a ring. In each, one may go on, or leave to cell 90 for 1/4.
#[test]
fn lines_that_go_round_end_with_the_reward_of_a_repetition() {
    let ring = Cells::new(&[(0, &[1, 90]), (1, &[2, 90]), (2, &[0, 90])], &[(90, 0.25)]);
    for (repeated, best, value) in [(1.0, 1, 1.0), (0.0, 90, 0.25)] {
        let mut search = Mcts::new(Transpositions::new(Cells { repeated, ..ring }));
        let report = search.run(Budget::iterations(3_000)).unwrap();
        assert_eq!(report.best_action(), best, "{report}");
        assert!((f64::from(report.chosen_action().unwrap().mean) - value).abs() < 0.05, "{report}");
        assert!(report.nodes <= 7 && report.depth <= 3, "{report}");
        // Walking round the ring does not lose or double anything.
        for step in 1..8 {
            search.advance(step % 3).unwrap();
            assert!(search.run(Budget::iterations(10)).unwrap().nodes <= 7);
        }
    }
    let faulty = Cells { repeated: 1.5, ..ring };
    let error = Mcts::new(Transpositions::new(faulty)).run(Budget::iterations(1_000)).unwrap_err();
    assert!(error.to_string().contains("1.5"), "{error}");
}

/// In the only cell beside the first, the only action leads back. In the first, one can also win (90) or lose (91).
#[test]
fn a_win_that_is_forbidden_is_not_proven_by_a_line_back_to_the_root() {
    let start = Cells::new(&[(0, &[90, 91, 1]), (1, &[0])], &[(90, 1.0), (91, 0.0)]);
    let mut search = Mcts::new(Transpositions::new(start));
    assert_eq!(search.run(Budget::iterations(1_000)).unwrap().proof, Some(1.0));
    search.set_root_actions(RootActions::except([90]));
    let report = search.run(Budget::iterations(1_000)).unwrap();
    assert_eq!(report.proof, None, "{report}");
    let walk = report.actions.iter().find(|entry| entry.action == 1).unwrap();
    assert!(walk.proof.is_none() && walk.mean < 0.01, "{report}");
    // With the restriction lifted, the root is what it was, and so is the line back.
    search.set_root_actions(RootActions::default());
    let report = search.run(Budget::iterations(1_000)).unwrap();
    assert_eq!((report.proof, report.best_action()), (Some(1.0), 90), "{report}");
    assert_eq!(report.actions[2].proof, None, "{report}");
}

/// Walks between rooms. In room `n` the only player may walk to the next or to the previous room, stay, or
/// leave for `worth[n]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Rooms {
    worth: Vec<u8>,
    room: usize,
    left: bool,
}

impl Rooms {
    fn of(worth: &[u8], room: usize) -> Transpositions<Self> {
        Transpositions::new(Rooms { worth: worth.to_vec(), room, left: false })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Walk {
    Stay,
    Back,
    On,
    Leave,
}

impl GameState for Rooms {
    type Action = Walk;
    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.left { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Walk> {
        let (room, rooms) = (self.room, self.worth.len());
        [Walk::Stay, Walk::Back, Walk::On, Walk::Leave].into_iter().filter(move |walk| match walk {
            Walk::Stay => rooms == 1,
            Walk::Back => room > 0,
            Walk::On => room + 1 < rooms,
            Walk::Leave => true,
        })
    }
    fn apply(&mut self, walk: Walk) {
        match walk {
            Walk::Stay => {}
            Walk::Back => self.room -= 1,
            Walk::On => self.room += 1,
            Walk::Leave => self.left = true,
        }
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.worth[self.room]) / 10.0
    }
}

impl Keyed for Rooms {
    fn key(&self) -> u128 {
        self.room as u128
    }
}

#[test]
fn a_game_of_one_player_does_not_wait_for_ever() {
    for seed in 0..20 {
        let mut search = Mcts::new(Rooms::of(&[3], 0)).seed(seed);
        let report = search.run(Budget::iterations(200)).unwrap();
        assert_eq!(report.best_action(), Walk::Leave, "{report}");
        assert!(report.actions.iter().all(|action| action.mean < 0.31), "{report}");
    }
}

/// From room 0 one may leave for .6, and from room 1 for .5.
#[test]
fn positions_before_the_root_are_repetitions() {
    let check = |search: &mut Mcts<Transpositions<Rooms>>, name: &str| {
        let report = search.run(Budget::iterations(500)).unwrap();
        assert_eq!(report.best_action(), Walk::Leave, "{name}: {report}");
        let back = report.actions.iter().find(|action| action.action == Walk::Back).unwrap();
        // Only the first visit, which looks up no position, may have another reward.
        assert!(back.mean * back.visits as f32 <= 0.61, "{name}: {report}");
    };
    for seed in 0..10 {
        let new = |room| Mcts::new(Rooms::of(&[6, 5], room)).seed(seed);
        let mut played = new(0);
        played.advance(Walk::On).unwrap();
        check(&mut played, "played from an empty tree");
        let mut told = new(0);
        told.advance_to(Walk::On, Rooms::of(&[6, 5], 1)).expect("no iteration is pending");
        check(&mut told, "told");
        let mut given = new(1);
        given.set_earlier_states([Rooms::of(&[6, 5], 0).root().clone()]);
        check(&mut given, "given");
        let mut file = Vec::new();
        played.save_to(&mut file).unwrap();
        let mut loaded = new(0);
        loaded.resume_from(&file[..]).unwrap();
        check(&mut loaded, "loaded");
        // A new game begins without them, and so does a position that the game has come back to.
        given.reset(Rooms::of(&[6, 5], 1));
        assert_eq!(given.run(Budget::iterations(500)).unwrap().best_action(), Walk::Back);
        played.advance(Walk::Back).unwrap();
        let report = played.run(Budget::iterations(500)).unwrap();
        assert_eq!(report.best_action(), Walk::Leave, "{report}");
    }
    // The links of an old tree lead to positions that the game has left since.
    let mut search = Mcts::new(Rooms::of(&[6, 0, 5], 0)).seed(1);
    search.run(Budget::iterations(500)).unwrap();
    search.advance(Walk::On).unwrap();
    assert_eq!(search.run(Budget::iterations(500)).unwrap().best_action(), Walk::On);
    search.advance(Walk::On).unwrap();
    check(&mut search, "played from a tree");
    let mut windowed = Mcts::new(Rooms::of(&[6, 5], 0)).window(4);
    windowed.advance(Walk::On).unwrap();
    assert_eq!(windowed.run(Budget::iterations(500)).unwrap().best_action(), Walk::Leave);
    windowed.reset(Rooms::of(&[6, 5], 1));
    windowed.set_earlier_states([Rooms::of(&[6, 5], 0).root().clone()]);
    assert_eq!(windowed.run(Budget::iterations(500)).unwrap().best_action(), Walk::Leave);
}

/// The agent with an empty tree for each action, and a boxed search.
#[test]
fn agents_remember_the_positions_of_their_game() {
    let make = |space: &Transpositions<Rooms>, seed| {
        Box::new(Mcts::new(space.clone()).seed(seed)) as Box<dyn Search<Space = Transpositions<Rooms>>>
    };
    let budget = Budget::iterations(200);
    let at = |room| Rooms::of(&[6, 5], room).root().clone();
    let new = || MctsAgent::new("rooms", budget, make);
    for (mut agent, tells) in
        [(new().without_tree_reuse(), true), (new().without_tree_reuse(), false), (new(), false)]
    {
        agent.choose(&at(0)).unwrap();
        if tells {
            agent.played(Walk::On);
        }
        assert_eq!(agent.choose(&at(1)), Ok(Walk::Leave), "{tells}");
        agent.new_game(1);
        assert_eq!(agent.choose(&at(1)), Ok(Walk::Back), "{tells}");
    }
    // The game was in room 1 between two choices.
    let at = |room| Rooms::of(&[0, 6, 5], room).root().clone();
    let mut agent = new().without_tree_reuse();
    agent.choose(&at(0)).unwrap();
    agent.played(Walk::On);
    agent.played(Walk::On);
    assert_eq!(agent.choose(&at(2)), Ok(Walk::Leave));
}

/// What was proven of a position as the root does not hold when a line comes back to it.
#[test]
fn a_proof_of_a_position_before_the_root_is_none_of_its_repetition() {
    let mut search = Mcts::new(Rooms::of(&[10, 5], 0)).backprop(Solver::new(Average));
    assert_eq!(search.run(Budget::iterations(500)).unwrap().proof, Some(1.0));
    search.advance(Walk::On).unwrap();
    let report = search.run(Budget::iterations(500)).unwrap();
    assert_eq!(report.best_action(), Walk::Leave, "{report}");
}

/// A proof that rests on a line back to a position is worth nothing when the game has left the position.
#[test]
fn a_proof_does_not_rest_on_a_position_that_the_game_has_left() {
    let start = Cells::new(&[(0, &[99, 1]), (1, &[2, 10]), (2, &[0, 10])], &[(31, 0.5), (99, 1.0)]);
    let new =
        |cell| Mcts::new(Transpositions::new(Cells { cell, ..start })).tree_policy(Ucb1::new(1.4)).seed(1);
    let mut search = new(0);
    let report = search.run(Budget::iterations(500)).expect("a sound game");
    assert_eq!(report.proof, Some(1.0));
    // Goes on below the other action, whose line back to 0 is then proven, too.
    search.set_root_actions(RootActions::only([1]));
    search.run(Budget::iterations(500)).expect("a sound game");
    search.advance(1).expect("it is legal");
    let report = search.run(Budget::iterations(500)).expect("a sound game");
    let mut fresh = new(1);
    fresh.set_earlier_states([start]);
    let known = fresh.run(Budget::iterations(500)).expect("a sound game");
    assert_eq!((report.proof, report.best_action()), (None, 10), "{report}");
    assert_eq!((known.proof, known.best_action()), (None, 10), "{known}");
}

/// Cell 1 leads back to 0, but also to 2, from where a long way leads to a win. What is proven by this way
/// holds when the game has left 0.
#[test]
fn a_proof_that_does_not_rest_on_the_position_left_is_found_again() {
    let start = Cells::new(&[(0, &[1]), (1, &[0, 2, 40]), (2, &[1, 50])], &[(40, 0.25), (80, 1.0)]);
    let mut search = Mcts::new(Transpositions::new(start)).tree_policy(Ucb1::new(1.4)).seed(1);
    assert_eq!(search.run(Budget::iterations(10_000)).expect("a sound game").proof, Some(1.0));
    search.advance(1).expect("it is legal");
    let report = search.run(Budget::iterations(10_000)).expect("a sound game");
    assert_eq!((report.proof, report.best_action()), (Some(1.0), 2), "{report}");
}

/// Two runs with different root actions close a ring that no line has gone round: 1 to 2, 2 to 3, 3 to 1.
#[test]
fn a_proof_by_a_ring_that_no_line_has_gone_round_is_forgotten() {
    let start = Cells::new(
        &[
            (0, &[1, 3]),
            (1, &[2, 50]),
            (2, &[3, 10]),
            (3, &[10, 11, 12, 13, 14, 15, 16, 17, 1]),
            (10, &[31]),
            (11, &[31]),
            (12, &[31]),
            (13, &[31]),
            (14, &[31]),
            (15, &[31]),
            (16, &[31]),
            (17, &[31]),
        ],
        &[(80, 1.0), (31, 0.5)],
    );
    let as_listed = ramure::Expansion::default().order(ramure::Order::AsListed);
    let search = Mcts::new(Transpositions::new(start)).tree_policy(Ucb1::new(1.4));
    let mut search = search.expansion(as_listed).seed(1);
    for first in [1, 3] {
        search.set_root_actions(RootActions::only([first]));
        search.run(Budget::iterations(10_000)).expect("a sound game");
    }
    search.advance(1).expect("it is legal");
    search.advance(2).expect("it is legal");
    let report = search.run(Budget::iterations(500)).expect("a sound game");
    assert_ne!(report.proof, Some(1.0), "{report}");
}
