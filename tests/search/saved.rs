//! Saved searches: load and run equals the uninterrupted run; what does not fit is refused by name.

use crate::common::with_priors;
use ramure::backpropagation::Average;
use ramure::backpropagation::*;
use ramure::saved::FileError;
use ramure::search::{ActionOf, Paranoid, PlayerTrees, Space, Unobserved};
use ramure::selection::TreePolicy;
use ramure::selection::*;
use ramure::simulation::RolloutPolicy;
use ramure::simulation::*;
use ramure::statistics::{Pack, Statistics};
use ramure::{
    ActionIndex, Budget, Bytes, Expansion, GameState, Mcts, Order, Persist, Report, Rewards, RootDecision,
    Turn,
};
use ramure_games::{Connect4, Hex, TicTacToe, tic_tac_toe};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

type Cell = tic_tac_toe::Cell;

/// The part of a report that does not depend on the clock.
pub(crate) fn timeless<A: Clone + std::fmt::Debug>(report: &Report<A>) -> String {
    let Report { actions, chosen, principal_variation, nodes, root_visits, recycled_nodes, .. } = report;
    let sizes = (nodes, report.bytes, root_visits, recycled_nodes, report.depth, report.mean_depth);
    format!("{actions:?} {chosen:?} {principal_variation:?} {sizes:?}")
}

/// Every node of the tree, with its statistics, down the tree. A position that several actions lead to is
/// visited once.
fn walk<S, P, R, B>(search: &Mcts<S, P, R, B>) -> String
where
    S: Space,
    P: TreePolicy<S::Game>,
    P::Stats: std::fmt::Debug,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    B::Stats: std::fmt::Debug,
{
    let mut text = String::new();
    let mut open: Vec<_> = search.tree().root().into_iter().collect();
    let mut known = HashSet::new();
    while let Some(node) = open.pop() {
        text += &format!(
            "{:?} {} {} {} {} {:?} {:?}\n",
            node.action(),
            node.visits(),
            node.mean(),
            node.position_visits(),
            node.position_mean(),
            node.stats(),
            node.backprop_stats()
        );
        if node.position().is_none_or(|position| known.insert(position)) {
            open.extend(node.children());
        }
    }
    text
}

/// Saves a search in the middle of a game and goes on with the copy. A second search goes on without
/// interruption.
pub(crate) fn goes_on<S, P, R, B>(name: &str, new: impl Fn() -> Mcts<S, P, R, B>)
where
    S: Space + Serialize + DeserializeOwned,
    ActionOf<S>: Serialize + DeserializeOwned,
    P: TreePolicy<S::Game> + Persist<S::Game>,
    P::Stats: Pack + Statistics<S::Game, R> + std::fmt::Debug,
    R: RolloutPolicy<S::Game> + Persist<S::Game>,
    B: Backprop<S::Game> + Persist<S::Game>,
    B::Stats: Pack + std::fmt::Debug,
{
    let saved = |search: &mut Mcts<S, P, R, B>| {
        let mut file = Vec::new();
        search.save_to(&mut file).expect("it can be written");
        file
    };
    let (mut whole, mut interrupted) = (new(), new());
    for iterations in [60, 45, 30] {
        let found = interrupted.run(Budget::iterations(iterations)).expect("a sound game");
        let expected = whole.run(Budget::iterations(iterations)).expect("a sound game");
        assert_eq!(timeless(&found), timeless(&expected), "{name}");
        let file = saved(&mut interrupted);
        interrupted = new();
        interrupted.resume_from(&file[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(walk(&interrupted), walk(&whole), "{name}");
        assert!(
            saved(&mut interrupted) == file,
            "{name}: the file of a search that was loaded is another one"
        );
        let outcome = |search: &Mcts<S, P, R, B>| search.space().root().actions().into_iter().last();
        let mut next = found.try_best_action().ok();
        while let Some(action) = next {
            whole.advance(action.clone()).expect("it is legal");
            interrupted.advance(action).expect("it is legal");
            next = if whole.state().turn() == Turn::Chance { outcome(&whole) } else { None };
        }
        if whole.state().turn() == Turn::Over {
            break;
        }
    }
    assert!(saved(&mut interrupted) == saved(&mut whole), "{name}");
}

fn ttt() -> Mcts<TicTacToe> {
    Mcts::new(TicTacToe::new()).seed(5)
}

/// A preference for the first cells. Functions cannot be saved: each search gets its own.
fn prior(_: &TicTacToe, cell: Cell) -> f32 {
    1.0 + f32::from(TicTacToe::action_index(cell) as u8)
}

fn evaluation(_: &TicTacToe, _: &[Cell], _: &mut [f32]) -> Rewards {
    Rewards::new(2, |player| if player == 0 { 0.6 } else { 0.4 })
}

/// The random programs save the others: searches of every kind, with policies that store plain numbers.
#[test]
fn policies_with_statistics_of_their_own_go_on_as_if_they_had_not_been_interrupted() {
    goes_on("alpha-amaf", || {
        ttt().tree_policy(AlphaAmaf::default()).rollout_policy(Nst::default()).backprop(PowerMean::default())
    });
    goes_on("bayes", || {
        let mixed = Mixed::new(Evaluate::by(evaluation), Softmax::new(1.0, prior));
        ttt().tree_policy(BayesUct::default()).rollout_policy(mixed).backprop(BayesBackup)
    });
    goes_on("grave", || ttt().tree_policy(Grave::default()).rollout_policy(Ppa::default()));
    goes_on("rave", || {
        ttt().tree_policy(Rave::default()).rollout_policy(MultipleRollouts::new(2, Mast::default()))
    });
    goes_on("progressive history", || {
        let greedy = EpsilonGreedyRollouts::new(0.3, prior);
        let bonus = RelativeBonus::new(1.4, 0.25, Average);
        ttt().tree_policy(ProgressiveHistory::default()).rollout_policy(greedy).backprop(bonus)
    });
    goes_on("shot", || ttt().tree_policy(Shot::new()).rollout_policy(Decisive::default()));
    goes_on("single player", || {
        let minimax = ImplicitMinimax::new(0.2, Average);
        ttt().tree_policy(SinglePlayer::default()).rollout_policy(Cutoff::new(2)).backprop(minimax)
    });
    goes_on("progressive bias", || {
        let expansion = Expansion::default().order(Order::Prior);
        ttt().rollout_policy(with_priors(prior)).tree_policy(ProgressiveBias::default()).expansion(expansion)
    });
}

/// A folder for the files of one test, which is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("ramure-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("there is a folder for temporary files");
        Folder(folder)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn file_of<G, P, R, B>(search: &mut Mcts<G, P, R, B>) -> Vec<u8>
where
    G: GameState + Serialize + DeserializeOwned,
    G::Action: Serialize + DeserializeOwned,
    P: TreePolicy<G> + Persist<G>,
    P::Stats: Pack,
    R: Persist<G>,
    B: Backprop<G> + Persist<G>,
    B::Stats: Pack,
{
    let mut file = Vec::new();
    search.save_to(&mut file).expect("it can be written");
    file
}

#[test]
fn a_file_holds_the_position_the_seed_and_the_tree() {
    let folder = Folder::new("holds");
    let path = folder.0.join("a.search");
    let mut search = Mcts::new(Connect4::new()).seed(9).root_decision(RootDecision::Temperature(1.0));
    for _ in 0..3 {
        let action = search.run(Budget::iterations(200)).expect("a sound game").best_action();
        search.advance(action).expect("it is legal");
    }
    search.save(&path).expect("the folder can be written");
    let mut other = Mcts::new(Connect4::new()).root_decision(RootDecision::Temperature(1.0));
    assert_eq!(other.load(&path), Err(FileError::OtherState));
    assert_eq!((other.state(), other.memory_usage()), (&Connect4::new(), Bytes(0)));
    other.resume(&path).expect("it was saved by the same search");
    assert_eq!(other.state(), search.state());
    assert_eq!(
        timeless(&other.report().expect("a sound game")),
        timeless(&search.report().expect("a sound game"))
    );
    // `reset` and `set_seed` work as ever, and the random decision goes by the seed of the file.
    for search in [&mut other, &mut search] {
        search.reset(Connect4::new());
    }
    let [other, search] = [other, search]
        .map(|mut search| timeless(&search.run(Budget::iterations(300)).expect("a sound game")));
    assert_eq!(other, search);
    assert_eq!(folder.names(), ["a.search"]);
}

/// A writer that fails after so many bytes, as a full disk does.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_save_that_fails_leaves_the_old_file() {
    let folder = Folder::new("old");
    let path = folder.0.join("a.search");
    let mut search = ttt();
    search.run(Budget::iterations(50)).expect("a sound game");
    search.save(&path).expect("the folder can be written");
    let old = fs::read(&path).expect("it was written");
    // The state cannot be serialized, after the settings were written.
    let mut refuses = Mcts::new(Refuses);
    let error = refuses.save(&path).expect_err("the state cannot be written");
    assert!(matches!(&error, FileError::Value { part: "the root state", .. }), "{error:?}");
    assert_eq!((fs::read(&path).expect("it is there"), folder.names()), (old, vec!["a.search".to_owned()]));
    let length = file_of(&mut search).len();
    for room in [0, 1, 8, 100, length / 2, length - 1] {
        assert!(matches!(search.save_to(Full(room)), Err(FileError::Write { .. })), "{room} bytes");
    }
    search.save_to(Full(length)).expect("there is room");
    // What a killed process leaves over is removed, unless it belongs to another file or a process still
    // writes it.
    let (left, other) = ("a.search.0123456789abcdef.tmp", "b.search.0123456789abcdef.tmp");
    let (open, own) = ("a.search.0123456789abcdee.tmp", "a.search.old.tmp");
    for name in [left, other, open, own] {
        fs::write(folder.0.join(name), b"half").expect("it can be written");
    }
    let writer = fs::File::open(folder.0.join(open)).expect("it is there");
    writer.lock().expect("the system has locks");
    search.run(Budget::iterations(50)).expect("a sound game");
    search.save(&path).expect("the folder can be written");
    assert_eq!(fs::read(&path).expect("it is there"), file_of(&mut search));
    assert_eq!(
        HashSet::from_iter(folder.names()),
        HashSet::from(["a.search", other, open, own].map(str::to_owned))
    );
    drop(writer);
    search.save(&path).expect("the folder can be written");
    assert_eq!(
        HashSet::from_iter(folder.names()),
        HashSet::from(["a.search", other, own].map(str::to_owned))
    );
    // There is no such folder, and no such file.
    assert!(matches!(search.save(folder.0.join("none").join("a.search")), Err(FileError::Write { .. })));
    assert!(matches!(search.load(folder.0.join("none")), Err(FileError::Read { .. })));
    assert!(matches!(search.save(""), Err(FileError::Write { .. })));
}

/// A game whose state cannot be serialized.
#[derive(Clone)]
struct Refuses;

impl Serialize for Refuses {
    fn serialize<Out: serde::Serializer>(&self, _: Out) -> Result<Out::Ok, Out::Error> {
        Err(serde::ser::Error::custom("never"))
    }
}

impl<'de> serde::Deserialize<'de> for Refuses {
    fn deserialize<In: serde::Deserializer<'de>>(_: In) -> Result<Self, In::Error> {
        Ok(Refuses)
    }
}

impl GameState for Refuses {
    type Action = u8;
    fn turn(&self) -> Turn {
        Turn::Player(0)
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..2
    }
    fn apply(&mut self, _: u8) {}
    fn reward(&self, _: u8) -> f64 {
        0.0
    }
}

#[test]
fn a_file_of_another_search_is_refused_by_name() {
    let mut search = ttt();
    search.run(Budget::iterations(100)).expect("a sound game");
    let file = file_of(&mut search);
    let different = |error: Result<(), FileError>| match error {
        Err(FileError::Different { setting, saved, search }) => {
            assert_ne!(saved, search);
            setting
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(different(Mcts::new(Connect4::new()).load_from(&file[..])), "game");
    assert_eq!(different(Mcts::new(Paranoid::new(TicTacToe::new())).load_from(&file[..])), "game");
    assert_eq!(different(ttt().tree_policy(Ucb1::new(1.0)).load_from(&file[..])), "tree policy");
    assert_eq!(different(ttt().tree_policy(Thompson).load_from(&file[..])), "tree policy");
    assert_eq!(different(ttt().rollout_policy(Mast::default()).load_from(&file[..])), "rollout policy");
    assert_eq!(different(ttt().backprop(Average).load_from(&file[..])), "backpropagation");
    assert_eq!(
        different(ttt().expansion(Expansion::default().on_visit(1)).load_from(&file[..])),
        "expansion"
    );
    assert_eq!(different(ttt().expansion(Expansion::default().depth(4)).load_from(&file[..])), "expansion");
    assert_eq!(different(ttt().root_decision(RootDecision::Max).load_from(&file[..])), "root decision");
    let learned = |alpha| ttt().rollout_policy(Ppa::new(alpha));
    assert_eq!(different(learned(0.5).load_from(&file_of(&mut learned(1.0))[..])), "rollout policy");
    let mut windowed = ttt().window(3);
    // A window is part of the backpropagation, too.
    assert_eq!(different(windowed.load_from(&file[..])), "backpropagation");
    let mut in_window = Vec::new();
    windowed.save_to(&mut in_window).expect("it can be written");
    assert_eq!(different(ttt().window(4).load_from(&in_window[..])), "window");
    assert_eq!(different(ttt().window(3).unobserved(Unobserved::Mean).load_from(&in_window[..])), "window");
    ttt().window(3).load_from(&in_window[..]).expect("it was saved by the same search");
    // Who simulates changes no result.
    ttt().window(3).threads(2).load_from(&in_window[..]).expect("it was saved by the same search");

    // Two boards of one game have the same type. Only the state says which it is.
    let mut hex = Mcts::new(Hex::new(4).expect("a size of Hex")).backprop(Average);
    hex.run(Budget::iterations(100)).expect("a sound game");
    let mut other = Mcts::new(Hex::new(5).expect("a size of Hex")).backprop(Average);
    let error = other.load_from(&file_of(&mut hex)[..]).expect_err("it is another board");
    assert_eq!(error, FileError::OtherState);
    assert!(error.to_string().contains("another root state"), "{error}");
    assert_eq!(other.state(), &Hex::new(5).expect("a size of Hex"));
    other.resume_from(&file_of(&mut hex)[..]).expect("it is a position of Hex");
    assert_eq!(other.state(), hex.state());
    // A search that went on has another root state, too.
    let mut later = ttt();
    let action = later.run(Budget::iterations(50)).expect("a sound game").best_action();
    later.advance(action).expect("it is legal");
    assert_eq!(later.load_from(&file[..]), Err(FileError::OtherState));

    let foreign = ttt().load_from(&b"GIF89a, or any other file"[..]);
    assert_eq!(foreign, Err(FileError::Foreign));
    for (version, word) in [(2u32, "older"), (4, "newer")] {
        let mut file = file.clone();
        file[8..12].copy_from_slice(&version.to_le_bytes());
        let error = ttt().load_from(&file[..]).expect_err("it has another format");
        assert_eq!(error, FileError::Version { found: version, supported: 3 });
        assert!(error.to_string().contains(word), "{error}");
    }
    let folder = Folder::new("foreign");
    let path = folder.0.join("longer");
    fs::write(&path, [&file[..], b"x"].concat()).expect("the folder can be written");
    assert!(matches!(ttt().load(&path), Err(FileError::Invalid { part: "the end", .. })));
}

/// Three digits of a sum. The reward is the sum of the digits, at most 27.
#[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
struct Digits(Vec<u8>);

impl GameState for Digits {
    type Action = u8;
    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.0.len() == 3 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..10
    }
    fn apply(&mut self, digit: u8) {
        self.0.push(digit);
    }
    fn reward(&self, _: u8) -> f64 {
        f64::from(self.0.iter().sum::<u8>()) / 27.0
    }
}

/// The best line in a file is one that can be played from the root state, with the reward that it says.
#[test]
fn a_best_line_that_breaks_the_rules_is_refused() {
    type Best = BestLine<Uniform, u8>;
    let check = |state: &[u8], line: &[u8], reward: f32| {
        let learned = (Some((line.to_vec(), reward)), ());
        Persist::<Digits>::check_learned(&Best::default(), &Digits(state.to_vec()), &learned).is_ok()
    };
    let worth = |sum: u8| (f64::from(sum) / 27.0) as f32;
    assert!(check(&[], &[9, 1, 2], worth(12)) && check(&[9], &[1, 2], worth(12)));
    assert!(!check(&[], &[9, 1, 2], worth(13)), "another reward");
    assert!(!check(&[], &[9, 1], worth(10)) && !check(&[9], &[9, 1, 2], worth(21)), "too short, too long");
    assert!(!check(&[], &[10, 0, 2], worth(12)), "not legal");
    assert!(!check(&[], &[9, 1, 2], f32::NAN));

    // The file has the line from the root state on, or none if the game took another course.
    let new = || Mcts::new(Digits::default()).rollout_policy(Best::default()).seed(3);
    let mut search = new();
    search.run(Budget::iterations(400)).expect("a sound game");
    let best = |search: &Mcts<Digits, Ucb1, Best>| {
        search.rollout_policy_ref().best().map(|(line, reward)| (line.to_vec(), reward))
    };
    let (line, reward) = best(&search).expect("a line was finished");
    let resumed = |search: &mut Mcts<Digits, Ucb1, Best>| {
        let mut later = new();
        later.resume_from(&file_of(search)[..]).expect("it was saved by the same search");
        assert!(file_of(&mut later) == file_of(search));
        best(&later)
    };
    assert_eq!(resumed(&mut search), Some((line.clone(), reward)));
    search.advance(line[0]).expect("it is legal");
    assert_eq!(resumed(&mut search), Some((line[1..].to_vec(), reward)));
    search.advance((line[1] + 1) % 10).expect("it is legal");
    assert_eq!(resumed(&mut search), None);
}

/// Players who choose at the same time, and players with secrets.
#[test]
fn the_trees_of_players_go_on_as_if_they_had_not_been_interrupted() {
    let new = || Mcts::player_trees(Duel::default()).tree_policy(RegretMatching::default()).seed(8);
    let saved = |search: &mut Mcts<Duel, RegretMatching, Uniform, Average, PlayerTrees>| {
        let mut file = Vec::new();
        search.save_to(&mut file).expect("it can be written");
        file
    };
    let (mut whole, mut interrupted) = (new(), new());
    for moment in 0..5 {
        // In the middle of a step, a search cannot run, but it can be saved.
        if moment % 2 == 0 {
            let [found, expected] = [&mut interrupted, &mut whole]
                .map(|search| search.run(Budget::iterations(90)).expect("a sound game"));
            assert_eq!(timeless(&found), timeless(&expected), "moment {moment}");
        }
        let file = saved(&mut interrupted);
        assert!(file == saved(&mut whole), "moment {moment}");
        interrupted = new();
        if moment > 0 {
            assert_eq!(interrupted.load_from(&file[..]), Err(FileError::OtherState));
        }
        interrupted.resume_from(&file[..]).unwrap_or_else(|error| panic!("moment {moment}: {error}"));
        assert!(file == saved(&mut interrupted), "moment {moment}");
        interrupted.load_from(&file[..]).expect("it has the same state");
        for player in 0..2 {
            assert_eq!(interrupted.strategy(player, &[]), whole.strategy(player, &[]));
        }
        for search in [&mut interrupted, &mut whole] {
            search.advance(moment % 3).expect("it is legal");
        }
    }
    let file = saved(&mut whole);
    let before = saved(&mut interrupted);
    for length in (0..file.len()).step_by(7) {
        let error = interrupted.load_from(&file[..length]).expect_err("it is incomplete");
        assert!(matches!(error, FileError::Incomplete { .. }), "{length} bytes: {error}");
    }
    assert!(saved(&mut interrupted) == before, "a search that loads nothing stays as it was");
    let other =
        Mcts::player_trees(Duel::default()).tree_policy(RegretMatching::new(0.3)).load_from(&file[..]);
    assert!(matches!(other, Err(FileError::Different { setting, .. }) if setting == "tree policy"));
}

/// Rock-paper-scissors, best of three rounds.
#[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Duel {
    pub chosen: Vec<u8>,
}

impl GameState for Duel {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.chosen.len() < 6 { Turn::Player(self.chosen.len() as u8 % 2) } else { Turn::Over }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..3
    }
    fn apply(&mut self, action: u8) {
        self.chosen.push(action);
    }
    fn reward(&self, player: u8) -> f64 {
        let points = |pair: &[u8]| [0.5, 1.0, 0.0][usize::from((3 + pair[0] - pair[1]) % 3)];
        let first = self.chosen.chunks_exact(2).map(points).sum::<f64>() / 3.0;
        if player == 0 { first } else { 1.0 - first }
    }
    fn is_simultaneous(&self) -> bool {
        true
    }
}

/// Some keep a book on another disk, and a link to it.
#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    let at = |name: &str| folder.0.join(name);
    fs::create_dir(at("disk")).expect("the folder can be written");
    let mut search = ttt();
    search.save(at("disk/book")).expect("the folder can be written");
    symlink("disk/book", at("near")).expect("the folder can be written");
    symlink(at("near"), at("far")).expect("the folder can be written");
    for link in ["near", "far"] {
        search.run(Budget::iterations(20)).expect("a sound game");
        search.save(at(link)).expect("it leads to a file");
        assert!(at("near").is_symlink() && at("far").is_symlink());
        assert_eq!(fs::read(at("disk/book")).expect("it is there"), file_of(&mut search));
    }
    symlink("nowhere", at("dangling")).expect("the folder can be written");
    symlink("second", at("first")).expect("the folder can be written");
    symlink("first", at("second")).expect("the folder can be written");
    let before = folder.names().len();
    for link in ["dangling", "first"] {
        let error = search.save(at(link)).expect_err("it leads to no file");
        assert!(
            matches!(error, FileError::Write { .. }) && error.to_string().contains("leads to no file"),
            "{error}"
        );
        assert!(matches!(search.load(at(link)), Err(FileError::Read { .. })));
    }
    assert_eq!((folder.names().len(), fs::read_dir(at("disk")).expect("it is there").count()), (before, 1));
}

/// Threads stand for processes: each save has a file of its own, and each lock is one of an open file.
#[test]
fn searches_that_save_to_one_name_at_once_leave_one_whole_file() {
    let folder = Folder::new("at once");
    let path = folder.0.join("a.search");
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let mut search = ttt().seed(seed);
                for _ in 0..20 {
                    search.run(Budget::iterations(10)).expect("a sound game");
                    search.save(path).expect("the folder can be written");
                    ttt().load(path).expect("it is whole at every moment");
                }
            });
        }
    });
    assert_eq!(folder.names(), ["a.search"]);
}

/// The plan of the last run is not that of the file.
#[test]
fn a_loaded_search_reports_like_a_new_one_that_loads() {
    let new = |seed| {
        Mcts::new(TicTacToe::new())
            .tree_policy(AtRoot::new(SequentialHalving::default(), Ucb1::default()))
            .backprop(Average)
            .seed(seed)
    };
    for seed in 1..20 {
        let mut search = new(seed);
        search.run(Budget::iterations(300)).expect("a sound game");
        let mut file = Vec::new();
        search.save_to(&mut file).expect("it can be written");
        let [fresh, used] = [0, 1].map(|runs| {
            let mut search = new(0);
            for _ in 0..runs {
                search.run(Budget::iterations(300)).expect("a sound game");
            }
            search.load_from(&file[..]).expect("it was saved by the same search");
            search.report().expect("a sound game")
        });
        assert_eq!((fresh.chosen, &fresh.actions), (used.chosen, &used.actions), "{fresh}{used}");
    }
}

/// The steps above the one at which the policy panicked do not count the visit.
#[test]
fn a_search_is_loaded_after_a_policy_has_panicked() {
    /// UCB1, but the update number 1000 panics.
    #[derive(Clone)]
    struct Panics(std::cell::Cell<u32>);
    impl<G: GameState> TreePolicy<G> for Panics {
        type Stats = f32;
        fn select(&self, node: impl Node<G, f32>, rng: &mut ramure::Rng) -> Choice {
            TreePolicy::<G>::select(&Ucb1::new(1.0), node, rng)
        }
        fn update(&self, stats: f32, visits: f32, reward: f32) -> f32 {
            self.0.set(self.0.get() + 1);
            assert_ne!(self.0.get(), 1_000, "the policy panics");
            TreePolicy::<G>::update(&Ucb1::new(1.0), stats, visits, reward)
        }
    }
    impl<G: GameState> Persist<G> for Panics {
        type Learned = ();
        fn settings(&self) -> String {
            "Panics".into()
        }
        fn learned(&self, _: &G) {}
        fn restore(&mut self, (): ()) {}
    }
    let new = || Mcts::new(Connect4::new()).tree_policy(Panics(std::cell::Cell::new(0))).backprop(Average);
    let mut search = new();
    let run = |search: &mut Mcts<_, _, _, _>| search.run(Budget::iterations(2_000)).map(|_| ());
    assert!(catch_unwind(AssertUnwindSafe(|| run(&mut search))).is_err());
    let found = search.report().expect("a sound game");
    let mut file = Vec::new();
    search.save_to(&mut file).expect("it can be written");
    let mut later = new();
    later.load_from(&file[..]).expect("it was saved by the same search");
    assert_eq!(later.report().expect("a sound game").actions, found.actions);
    run(&mut search).expect("it goes on");
}
