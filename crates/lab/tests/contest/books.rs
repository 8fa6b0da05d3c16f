//! Opening books: the order of their positions, what remains of an interrupted construction, which files are
//! refused, and the moves that are played from them.

use crate::common::sized;
use ramure::prelude::*;
use ramure::{Keyed, Search, Symmetric};
use ramure_agents::{Agent, First};
use ramure_games::{Connect4, TicTacToe};
use ramure_lab::book::{Book, BookAgent, BookError, Construction, Place, Positions};
use ramure_lab::commands::AnyGame;
use ramure_lab::lines::FileError;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Creates an empty folder with this name.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("books-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn boxed<G>(state: G, seed: u64) -> Box<dyn Search<Space = G> + Send>
where
    G: GameState<Action: Send> + Send + 'static,
{
    Box::new(Mcts::new(state).backprop(Solver::new(Average)).seed(seed))
}

fn tic_tac_toe<'a>(iterations: u64) -> Construction<'a, TicTacToe> {
    Construction::new("tic-tac-toe", TicTacToe::new(), "ucb1", boxed).iterations(iterations).seed(5)
}

/// However often it is interrupted, the book is the same, byte for byte.
#[test]
fn a_construction_that_was_interrupted_goes_on_to_the_same_book() {
    let folder = folder("resume");
    let (whole, parts) = (folder.join("whole"), folder.join("parts"));
    tic_tac_toe(60).positions(40).build(&whole).expect("a sound game");
    let whole = fs::read(&whole).expect("it was written");
    // Interrupted before the first save: the file is empty.
    fs::write(&parts, b"").expect("it can be written");
    for positions in [0, 1, 2, 25, 25, 40] {
        let book = tic_tac_toe(60).positions(positions).resume(&parts).expect("it is the same book");
        assert_eq!(book.len(), positions);
    }
    assert!(fs::read(&parts).expect("it was written") == whole);
    // Fewer positions than there are: the book stays.
    tic_tac_toe(60).positions(3).resume(&parts).expect("it is the same book");
    assert!(fs::read(&parts).expect("it was written") == whole);

    // A search that fails ends the construction. What was found before is in the file. Saving after each
    // position changes nothing.
    let failing = folder.join("failing");
    let mut searches = 0;
    let make = |state, seed| {
        searches += 1;
        let search = boxed(state, seed);
        if searches == 11 {
            Box::new(Mcts::new(TicTacToe::new()).tree_policy(Ucb1::new(-1.0)))
        } else {
            search
        }
    };
    let construction =
        Construction::new("tic-tac-toe", TicTacToe::new(), "ucb1", make).iterations(60).seed(5);
    let error = construction.save_every(Duration::ZERO).positions(40).build(&failing);
    assert!(matches!(error, Err(BookError::Search { .. })), "{error:?}");
    let read = Book::read(&failing, "tic-tac-toe", &TicTacToe::new()).expect("it was written");
    assert_eq!(read.len(), 10);
    tic_tac_toe(60).positions(40).save_every(Duration::ZERO).resume(&failing).expect("it is the same book");
    assert!(fs::read(&failing).expect("it was written") == whole);
    let names = fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(names, 3, "nothing is left over");
}

#[test]
fn every_damage_is_refused() {
    let folder = folder("damage");
    let path = folder.join("a.book");
    tic_tac_toe(12).positions(4).build(&path).expect("a sound game");
    let file = fs::read(&path).expect("it was written");
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("it can be written");
        let is_refused = Book::read(&path, "tic-tac-toe", &TicTacToe::new()).is_err();
        // An empty file is one that was never saved.
        let resumed = tic_tac_toe(12).positions(4).resume(&path);
        assert!(bytes.is_empty() || resumed.is_err() == is_refused);
        assert!(bytes.is_empty() || fs::read(&path).expect("it is there") == bytes, "it was changed");
        is_refused
    };
    for length in 0..file.len() {
        if length % 11 == 0
            || sized(false, true)
            || length + 3 > file.len()
            || file[length] == b'\n'
            || file[length.saturating_sub(1)] == b'\n'
        {
            assert!(refused(&file[..length]), "{length} bytes");
        }
    }
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        if at % 5 == 0 || file[at] == b'\n' || sized(false, true) {
            assert!(refused(&damaged), "byte {at}");
        }
    }
    // A file that was cut off is a book, but not a whole one, wherever it ends.
    let head = file.iter().position(|&byte| byte == b'\n').expect("there are lines");
    let cuts = [20, head, head + 1, head + 2, head + 40, file.len() / 2, file.len() - 1];
    for length in cuts {
        fs::write(&path, &file[..length]).expect("it can be written");
        let error = Book::read(&path, "tic-tac-toe", &TicTacToe::new()).expect_err("it is cut off");
        assert!(matches!(error, BookError::Incomplete(_)), "{length} bytes: {error}");
    }
    // Lines that are right alone, but not in this order.
    let lines: Vec<&[u8]> = file.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(lines.len(), 6);
    for (name, order) in [
        ("exchanged", vec![0, 1, 3, 2, 4, 5]),
        ("left out", vec![0, 1, 2, 4, 5]),
        ("twice", vec![0, 1, 2, 2, 3, 4, 5]),
        ("an early end", vec![0, 1, 2, 3, 5]),
        ("without an end", vec![0, 1, 2, 3, 4]),
        ("without a head", vec![1, 2, 3, 4, 5]),
        ("two ends", vec![0, 1, 2, 3, 4, 5, 5]),
    ] {
        let bytes: Vec<u8> = order.into_iter().flat_map(|line| lines[line].to_vec()).collect();
        assert!(refused(&bytes), "{name}");
    }
    assert!(refused(b"GIF89a") && refused(b"{\"ramure_contest\":1}\n") && refused(b"\n"));
    assert!(!refused(&file));
}

#[test]
fn another_book_is_refused_by_name() {
    let folder = folder("other");
    let path = folder.join("a.book");
    let new = || tic_tac_toe(30).positions(3);
    new().build(&path).expect("a sound game");
    assert!(matches!(new().build(&path), Err(BookError::File(FileError::Exists(_)))));
    let before = fs::read(&path).expect("it was written");
    let what = |book: Result<Book<TicTacToe>, BookError>| match book {
        Err(BookError::Other { what, file, asked, .. }) => {
            assert_ne!(file, asked);
            what
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(what(new().iterations(31).resume(&path)), "the iterations");
    assert_eq!(what(new().seed(6).resume(&path)), "the seed");
    assert_eq!(what(new().depth(2).resume(&path)), "the depth");
    let other = |game: &str, search: &str| {
        let construction = Construction::new(game, TicTacToe::new(), search, boxed).iterations(30).seed(5);
        construction.positions(3).resume(&path)
    };
    assert_eq!(what(other("noughts-and-crosses", "ucb1")), "the game");
    assert_eq!(what(other("tic-tac-toe", "ucb1:c=1")), "the search");
    let mut later = TicTacToe::new();
    later.apply("5".parse().expect("a cell"));
    assert_eq!(what(Book::read(&path, "tic-tac-toe", &later)), "the start");
    assert_eq!(what(Book::read(&path, "connect4", &TicTacToe::new())), "the game");
    assert_eq!(fs::read(&path).expect("it is there"), before);
    new().replace(&path).expect("it may be replaced");
    assert_eq!(fs::read(&path).expect("it is there"), before);
    assert!(matches!(
        Book::read(folder.join("none"), "", &later),
        Err(BookError::File(FileError::System { .. }))
    ));
}

/// Right checksums, but not what this construction writes: the searches that are made now find something
/// else.
#[test]
fn a_book_whose_positions_do_not_follow_from_each_other_is_refused() {
    let folder = folder("follow");
    let path = folder.join("a.book");
    // A game that lists its actions in another order, under the name of the first one.
    let reversed = |state, seed| boxed::<Reversed>(state, seed);
    let start = Reversed(TicTacToe::new());
    Construction::new("tic-tac-toe", start, "ucb1", reversed)
        .iterations(30)
        .seed(5)
        .positions(3)
        .build(&path)
        .expect("a sound game");
    let error = tic_tac_toe(30).positions(5).resume(&path);
    assert!(matches!(&error, Err(BookError::Invalid { line: 2, .. })), "{error:?}");
}

#[derive(Clone)]
struct Reversed(TicTacToe);

impl GameState for Reversed {
    type Action = <TicTacToe as GameState>::Action;
    fn turn(&self) -> Turn {
        self.0.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        let mut actions: Vec<_> = self.0.actions().into_iter().collect();
        actions.reverse();
        actions
    }
    fn apply(&mut self, action: Self::Action) {
        self.0.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
}

impl Positions for Reversed {
    fn place(&self) -> Place {
        self.0.place()
    }
    fn name_of(&self, action: Self::Action, symmetry: Option<usize>) -> String {
        self.0.name_of(action, symmetry)
    }
}

/// The number of positions of Tic-Tac-Toe after 0, 1 and 2 marks, where mirror images and rotations are one:
/// 1, 3 and 12.
#[test]
fn a_book_up_to_a_depth_has_all_positions_up_to_it() {
    let folder = folder("depth");
    for (depth, positions) in [(0, 1), (1, 4), (2, 16)] {
        let book = tic_tac_toe(200).depth(depth).build(folder.join(depth.to_string())).expect("a sound game");
        assert_eq!(book.len(), positions, "depth {depth}");
        assert!(book.entries().iter().all(|entry| entry.depth <= depth));
    }
}

/// Recomputes all weights from nothing for each position, and finds that no open position was more likely.
#[test]
fn the_next_position_is_always_the_most_likely_one() {
    let path = folder("order").join("a.book");
    let book = tic_tac_toe(60).positions(60).build(&path).expect("a sound game");
    let mut states = HashMap::from([(TicTacToe::new().place().name, TicTacToe::new())]);
    // The weights with which positions were searched.
    let mut searched: Vec<f64> = Vec::new();
    for (number, entry) in book.entries().iter().enumerate() {
        let done: BTreeSet<&str> = book.entries()[..number].iter().map(|entry| &entry.position[..]).collect();
        let mut weights = HashMap::from([(TicTacToe::new().place().name, 1.0)]);
        for (before, weight) in book.entries()[..number].iter().zip(&searched) {
            let state = states[&before.position];
            let total: u32 = before.actions.iter().map(|action| action.visits).sum();
            for action in state.actions() {
                let name = state.name_of(action, state.place().symmetry);
                let found = before.actions.iter().find(|found| found.action == name).expect("it is legal");
                let mut next = state;
                next.apply(action);
                if next.turn() != Turn::Over && found.visits > 0 {
                    *weights.entry(next.place().name).or_insert(0.0) +=
                        weight * f64::from(found.visits) / f64::from(total);
                    states.entry(next.place().name).or_insert(next);
                }
            }
        }
        weights.retain(|name, _| !done.contains(&name[..]));
        let weight = weights[&entry.position];
        assert!(weights.values().all(|&other| other <= weight * (1.0 + 1e-12)), "position {number}");
        searched.push(weight);
    }
    assert!(searched.len() == 60 && searched.is_sorted_by(|a, b| a >= b || b / a < 4.0));
}

/// In every position of a book and in all its mirror images, the book plays a legal action, and always to the
/// same position.
#[test]
fn a_position_and_its_mirror_images_have_the_same_move() {
    fn check<G: Keyed + Symmetric<Action: std::fmt::Display>>(book: &Book<G>, start: G, plies: u32) -> usize {
        let (mut found, mut open) = (0, vec![(start, 0)]);
        while let Some((state, ply)) = open.pop() {
            let move_in = |state: &G| {
                let action = book.best_action(state)?;
                assert!(state.actions().into_iter().any(|legal| legal == action));
                let mut next = state.clone();
                next.apply(action);
                Some(next.place().name)
            };
            let reached = move_in(&state);
            assert_eq!(reached.is_some(), book.find(&state).is_some());
            for symmetry in 0..G::SYMMETRIES {
                assert_eq!(move_in(&state.transformed(symmetry)), reached);
            }
            found += usize::from(reached.is_some());
            if ply < plies {
                for action in state.actions() {
                    let mut next = state.clone();
                    next.apply(action);
                    open.push((next, ply + 1));
                }
            }
        }
        found
    }
    let folder = folder("mirror");
    let book = tic_tac_toe(60).positions(30).build(folder.join("t")).expect("a sound game");
    let found = check(&book, TicTacToe::new(), 3);
    assert!(found > 60, "{found} of 1 + 9 + 72 + 504 states");
    let start = Connect4::new();
    let construction = Construction::new("connect4", start, "ucb1", boxed).iterations(100).positions(30);
    let book = construction.build(folder.join("c")).expect("a sound game");
    let found = check(&book, start, 3);
    assert!(found > 30, "{found} of 1 + 7 + 49 + 343 states");
}

/// The agent plays from the book while it can, and every action is legal.
#[test]
fn an_agent_plays_from_the_book_and_then_asks_the_other_agent() {
    let path = folder("agent").join("a.book");
    let book = tic_tac_toe(60).positions(30).build(&path).expect("a sound game");
    let mut rng = ramure::Rng::seeded(3);
    let (mut from_book, mut asked) = (0, 0);
    for game in 0..30 {
        let mut agent = BookAgent::new(book.clone(), First);
        agent.new_game(game);
        let mut state = TicTacToe::new();
        while let Turn::Player(player) = state.turn() {
            let action = if u64::from(player) == game % 2 {
                let action = agent.choose(&state).expect("the game is not over");
                match book.best_action(&state) {
                    Some(best) => {
                        assert_eq!(action, best);
                        assert!(agent.thoughts(&state).is_some_and(|text| text.starts_with("from the book")));
                        from_book += 1;
                    }
                    None => {
                        assert_eq!(Some(action), state.actions().into_iter().next(), "the first action");
                        asked += 1;
                    }
                }
                action
            } else {
                state.random_action(&mut rng).expect("the game is not over")
            };
            agent.played(action);
            state.apply(action);
        }
        assert!(agent.choose(&state).is_err(), "the game is over");
        assert_eq!(agent.name(), "book+first");
    }
    assert!(from_book > 30 && asked > 5, "{from_book} from the book, {asked} from the other agent");
}

/// The texts of the command: `book:FILE,AGENT`.
#[test]
fn an_agent_with_a_book_can_be_named_by_a_text() {
    let path = folder("text").join("a.book");
    let (start, known) = (AnyGame::read("hex:3").expect("a board"), AnyGame::registry());
    let make = |state, seed| -> Box<dyn Search<Space = AnyGame> + Send> {
        known.search("ucb1", state, seed).expect("a search")
    };
    let game = start.game_name();
    assert_eq!(game, "hex:3");
    let construction = Construction::new(game, start.clone(), "ucb1", make).iterations(50);
    construction.positions(5).build(&path).expect("a sound game");
    let text = format!("book:{},random", path.display());
    let recipe = start.read_agent(&known, &text).expect("a book and an agent");
    assert_eq!(recipe.name(), text);
    assert_eq!(start.read_agent(&known, "random").expect("an agent").name(), "random");
    let action = recipe.make().choose(&start).expect("the game is not over");
    assert_eq!(Some(action), Book::read(&path, "hex:3", &start).expect("a book").best_action(&start));
    for (wrong, why) in
        [("book:x", "no agent"), ("book:x,random", "cannot read x"), ("book:x,rondom", "rondom")]
    {
        let error = start.read_agent(&known, wrong).expect_err(wrong).to_string();
        assert!(error.contains(why), "{error}");
    }
    let other = AnyGame::read("hex:4").expect("a board");
    assert!(other.read_agent(&known, &text).is_err(), "the book is of another board");
}

#[test]
fn a_game_with_chance_has_no_book() {
    #[derive(Clone)]
    struct Coin(Option<bool>);
    impl GameState for Coin {
        type Action = bool;
        fn turn(&self) -> Turn {
            if self.0.is_some() { Turn::Over } else { Turn::Chance }
        }
        fn actions(&self) -> impl IntoIterator<Item = bool> {
            [false, true]
        }
        fn apply(&mut self, side: bool) {
            self.0 = Some(side);
        }
        fn reward(&self, _: Player) -> f64 {
            0.5
        }
        fn probability(&self, _: bool) -> f64 {
            0.5
        }
    }
    impl Positions for Coin {
        fn place(&self) -> Place {
            Place { name: format!("{:?}", self.0), symmetry: None }
        }
        fn name_of(&self, side: bool, _: Option<usize>) -> String {
            side.to_string()
        }
    }
    let path = folder("chance").join("a.book");
    let book = Construction::new("coin", Coin(None), "ucb1", |state, seed| boxed(state, seed)).build(&path);
    assert!(matches!(book, Err(BookError::Chance)));
    assert!(!path.exists());
}
