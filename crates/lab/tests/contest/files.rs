//! Results files: which files a contest leaves unchanged, which faults it detects, and what remains if the
//! disk fails.

use crate::common::nim::Nim;
use ramure::SearchError;
use ramure::prelude::*;
use ramure_agents::{Agent, First, Random};
use ramure_games::TicTacToe;
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, Ended, Match, MatchResult, ResultsFile, in_full};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Creates an empty folder with this name.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// Returns the names of all files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Plays at random, and calls a function before its `at`th action over all games.
struct Calling {
    random: Random,
    left: Arc<AtomicUsize>,
    call: Arc<dyn Fn() + Send + Sync>,
}

impl<G: GameState> Agent<G> for Calling {
    fn name(&self) -> String {
        "random".into()
    }
    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            (self.call)();
        }
        self.random.choose(state)
    }
    fn new_game(&mut self, seed: u64) {
        self.random = Random::seeded(seed);
    }
}

fn calling(at: usize, call: impl Fn() + Send + Sync + 'static) -> Recipe<TicTacToe> {
    let (left, call) = (Arc::new(AtomicUsize::new(at)), Arc::new(call) as Arc<dyn Fn() + Send + Sync>);
    Recipe::new(move || Calling { random: Random::default(), left: left.clone(), call: call.clone() })
}

fn random() -> Recipe<TicTacToe> {
    calling(usize::MAX, || ())
}

fn run(agent: Recipe<TicTacToe>, games: u32, file: ResultsFile) -> Result<MatchResult, String> {
    let conditions = Conditions::games(games).openings(2).threads(1).results(file);
    Match::new(TicTacToe::new(), [agent, random()]).run(&conditions).map_err(|error| in_full(&error))
}

#[test]
fn other_files_beside_the_results_are_left_unchanged() {
    let folder = folder("beside");
    let path = folder.join("games.jsonl");
    let mine: Vec<PathBuf> =
        [".new", ".new-1", ".new-2", ".aside"].map(|end| folder.join(format!("games.jsonl{end}"))).into();
    let elsewhere = folder.join("letter");
    fs::write(&elsewhere, "dear aunt").expect("a file");
    for (number, path) in mine.iter().enumerate() {
        #[cfg(unix)]
        if number == 1 {
            std::os::unix::fs::symlink(&elsewhere, path).expect("a link");
            continue;
        }
        fs::write(path, format!("mine {number}")).expect("a file");
    }
    run(random(), 4, ResultsFile::create(&path)).expect("a contest");
    // A line that cannot be read is moved to a new file, not to one that exists already.
    let text = fs::read_to_string(&path).expect("text");
    fs::write(&path, text + "half a li").expect("a file");
    let result = run(random(), 6, ResultsFile::resume(&path)).expect("a contest");
    for (number, path) in mine.iter().enumerate() {
        let text = fs::read_to_string(path).expect("it is still there");
        assert!(text == format!("mine {number}") || text == "dear aunt", "{}: {text}", path.display());
    }
    assert_eq!(fs::read_to_string(&elsewhere).expect("it is still there"), "dear aunt");
    let aside = result.played.set_aside.expect("half a line").path;
    assert_eq!(fs::read_to_string(aside).expect("a file"), "half a li\n");
    assert_eq!(names(&folder).len(), mine.len() + 3, "{:?}", names(&folder));
}

/// Another contest may have opened the file just before it is replaced. That contest must not get the lock of
/// the file it opened.
#[test]
fn a_resumed_contest_locks_the_file_it_replaces() {
    let path = folder("lock").join("games.jsonl");
    run(random(), 2, ResultsFile::create(&path)).expect("a contest");
    let opened = fs::OpenOptions::new().append(true).open(&path).expect("it is there");
    let got = Arc::new(AtomicUsize::new(0));
    let counted = got.clone();
    let agent = calling(5, move || {
        counted.fetch_add(1 + usize::from(opened.try_lock().is_ok()), Ordering::Relaxed);
    });
    run(agent, 8, ResultsFile::resume(&path)).expect("a contest");
    assert_eq!(got.load(Ordering::Relaxed), 1, "the lock must be available");
}

/// The table matters more than the order of the lines. (A missing folder fails like a full disk.)
#[cfg(unix)]
#[test]
fn a_failure_to_sort_the_games_is_a_warning_beside_the_table() {
    let outer = folder("gone");
    let (inner, moved) = (outer.join("inner"), outer.join("moved"));
    fs::create_dir(&inner).expect("a folder");
    let (from, to) = (inner.clone(), moved.clone());
    let agent = calling(10, move || fs::rename(&from, &to).expect("it can be moved"));
    let result = run(agent, 20, ResultsFile::create(inner.join("games.jsonl"))).expect("the games are there");
    assert_eq!((result.played.ended, result.played.records.len()), (Ended::Played, 20));
    let text = result.to_string();
    assert!(text.contains("warning: ") && text.contains("games.jsonl has all games"), "{text}");
    let lines = fs::read_to_string(moved.join("games.jsonl")).expect("it was moved");
    assert_eq!(lines.lines().count(), 21);
    let again = run(random(), 20, ResultsFile::resume(moved.join("games.jsonl"))).expect("all are there");
    assert_eq!(again.played.resumed, 20);
    assert!(!again.to_string().contains("warning"));
}

#[test]
fn a_half_written_file_is_removed_after_a_failure() {
    let folder = folder("half");
    let path = folder.join("games.jsonl");
    let there = path.clone();
    // A folder takes the place of the file, and a file cannot replace a folder.
    let agent = calling(3, move || {
        fs::remove_file(&there).expect("it is there");
        fs::create_dir(&there).expect("a folder");
        fs::write(there.join("full"), "").expect("a file");
    });
    let result = run(agent, 4, ResultsFile::create(&path));
    assert_eq!(names(&folder), ["games.jsonl"]);
    assert_eq!(result.expect("a contest").played.records.len(), 4);
}

#[test]
fn an_altered_record_is_detected() {
    let path = folder("altered").join("games.jsonl");
    run(random(), 2, ResultsFile::create(&path)).expect("a contest");
    let text = fs::read_to_string(&path).expect("text");
    run(random(), 2, ResultsFile::resume(&path)).expect("nothing was changed");
    let line = text.lines().nth(1).expect("a game");
    // Returns the list or number after a word, from its first character to the character before `end`.
    let field = |word: &str, end: char| {
        let start = line.find(word).expect("it is there") + word.len();
        let length = line[start..].find(end).expect("it ends");
        (start, &line[start..start + length])
    };
    let mut altered = Vec::new();
    let (start, choices) = field("\"choices\":[", ']');
    for wrong in ["0,0", "9,1", &format!("1{choices}"), &format!("{choices}0")] {
        altered.push((start, choices, wrong.to_owned(), "choose as many times"));
    }
    let (start, seconds) = field("\"seconds\":[", ']');
    for wrong in ["-1.0,0.0", "0.5,-0.001"] {
        altered.push((start, seconds, wrong.to_owned(), "time of player"));
    }
    let (start, opening) = field("\"opening\":", ',');
    for wrong in ["0", "1", "3", "4000000000"] {
        altered.push((start, opening, wrong.to_owned(), "opening"));
    }
    for (start, old, new, about) in altered {
        let changed = format!("{}{new}{}", &line[..start], &line[start + old.len()..]);
        fs::write(&path, text.replace(line, &changed)).expect("a file");
        let error = run(random(), 2, ResultsFile::resume(&path)).expect_err(&changed);
        assert!(error.contains("line 2") && error.contains(about), "{changed}: {error}");
    }
}

#[test]
fn an_altered_forfeit_is_detected() {
    struct Asleep;
    impl<const PLAYERS: u8> Agent<Nim<PLAYERS>> for Asleep {
        fn name(&self) -> String {
            "asleep".into()
        }
        fn choose(&mut self, _: &Nim<PLAYERS>) -> Result<u8, SearchError> {
            Err(SearchError::Agent("asleep".into()))
        }
    }
    let path = folder("given-away").join("games.jsonl");
    let run = || {
        let agents = [Recipe::new(|| First), Recipe::new(|| Asleep), Recipe::new(|| First)];
        let conditions = Conditions::games(3).threads(1).results(ResultsFile::resume(&path));
        Match::new(Nim::<3> { sticks: 9, player: 0 }, agents)
            .run(&conditions)
            .map_err(|error| in_full(&error))
    };
    run().expect("a contest");
    run().expect("nothing was changed");
    let text = fs::read_to_string(&path).expect("text");
    for (old, new) in [
        ("\"rewards\":[0.5,0.0,0.5]", "\"rewards\":[1.0,0.0,0.0]"),
        ("\"forfeit\":{\"player\":1", "\"forfeit\":{\"player\":7"),
        ("\"choices\":[1,1,0]", "\"choices\":[1,2,0]"),
        ("\"choices\":[1,1,0]", "\"choices\":[2,1,0]"),
    ] {
        assert!(text.contains(old), "{text}");
        fs::write(&path, text.replacen(old, new, 1)).expect("a file");
        run().expect_err(new);
    }
}

#[test]
fn too_many_games_are_an_error_that_names_the_limit() {
    let agents = || [random(), random()];
    for games in [100_000_000, u32::MAX - 1, 2_000_002] {
        // The contest is stopped before the first game, so that nothing is played if there is no error.
        let handle = ramure::StopHandle::default();
        handle.stop();
        let conditions = Conditions::games(games).stop_handle(handle);
        let error = Match::new(TicTacToe::new(), agents()).run(&conditions).expect_err("too many");
        assert!(error.to_string().contains("2000000"), "{error}");
    }
}

/// Twelve steps. After the first three, the player to move is wrong, or at the end, the number of players is.
#[derive(Clone)]
struct Odd {
    steps: u8,
    unknown: bool,
}

impl GameState for Odd {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.steps {
            12 => Turn::Over,
            3.. if self.unknown => Turn::Player(5),
            steps => Turn::Player(steps % 2),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.steps == 12 { 0 } else { 2 }
    }
    fn apply(&mut self, _: u8) {
        self.steps += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
    fn players(&self) -> u8 {
        if self.steps < 9 || self.unknown { 2 } else { 3 }
    }
}

#[test]
fn an_opening_rejects_states_of_unknown_players() {
    let run = |opening, unknown| {
        let agents = [Recipe::new(Random::default), Recipe::new(Random::default)];
        let conditions = Conditions::games(2).threads(1).openings(opening);
        Match::new(Odd { steps: 0, unknown }, agents)
            .run(&conditions)
            .expect_err("the game is wrong")
            .to_string()
    };
    let unknown = "3 actions after the start: `turn` returned player 5, but `players` returned 2 (2 unless you write that method)";
    for opening in [0, 2, 3, 4, 8] {
        let error = run(opening, true);
        assert!(error.starts_with(unknown), "{opening}: {error}");
    }
    // A game must not end with more players than it started with, whether the opening adds them or a later
    // action.
    for opening in [0, 8, 10] {
        let error = run(opening, false);
        assert!(error.contains("the number of rewards is 3; it must be 2"), "{opening}: {error}");
    }
}
