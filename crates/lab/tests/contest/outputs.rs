//! The output of the programs: no file overwrites another, and no figure lies outside its range.

use ramure_games::Hex;
use ramure_lab::commands::AnyGame;
use ramure_lab::commands::bandit;
use ramure_lab::commands::files::{Files, aside};
use ramure_lab::commands::p_game::{self, Kind};
use ramure_lab::commands::parallel::try_map;
use ramure_lab::contest::Estimate;
use ramure_lab::sgf;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Creates an empty folder with this name.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("outputs-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.join("here")).expect("a folder");
    path
}

/// Returns whether the check rejects these outputs because two of them are one file.
fn clashes(files: &Files, pictures: usize, others: &[&Path]) -> bool {
    match files.check(pictures, others.iter().map(|path| path.to_path_buf())) {
        Ok(()) => false,
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("are one file"), "{error}");
            true
        }
    }
}

fn files(csv: &Path, plot: Option<&Path>) -> Files {
    Files { csv: Some(csv.to_owned()), plot: plot.map(Path::to_owned), force: true }
}

#[test]
fn a_file_named_twice_is_rejected_in_any_spelling() {
    let folder = folder("spelled");
    let here = folder.join("here");
    let path = here.join("loss.jsonl");
    for is_there in [false, true] {
        if is_there {
            fs::write(&path, "games").expect("a file");
        }
        let spellings = [
            path.clone(),
            here.join(".").join("loss.jsonl"),
            here.join("..").join("here").join("loss.jsonl"),
            folder.join("here//loss.jsonl"),
        ];
        for spelled in &spellings {
            assert!(clashes(&files(spelled, None), 1, &[&path]), "{}", spelled.display());
            assert!(clashes(&files(&path, None), 1, &[&here.join("tidy.csv"), spelled]));
        }
        assert!(!clashes(&files(&here.join("loss.csv"), None), 1, &[&path]));
        assert!(!clashes(&files(&folder.join("loss.jsonl"), None), 1, &[&path]));
    }
    // The file to which unreadable lines are moved is an output, too.
    assert_eq!(aside(&path), here.join("loss.jsonl.aside"));
}

#[cfg(unix)]
#[test]
fn a_file_named_twice_through_a_link_is_rejected() {
    use std::os::unix::fs::symlink;
    let folder = folder("links");
    let path = folder.join("here").join("loss.jsonl");
    symlink(folder.join("here"), folder.join("there")).expect("a link");
    symlink("here/loss.jsonl", folder.join("link")).expect("a link");
    symlink("link", folder.join("link-to-link")).expect("a link");
    symlink("circle", folder.join("circle")).expect("a link");
    for is_there in [false, true] {
        if is_there {
            fs::write(&path, "games").expect("a file");
            fs::hard_link(&path, folder.join("second-name")).expect("a link");
            assert!(clashes(&files(&folder.join("second-name"), None), 1, &[&path]));
        }
        for link in ["there/loss.jsonl", "link", "link-to-link"] {
            assert!(clashes(&files(&folder.join(link), None), 1, &[&path]), "{link}, {is_there}");
        }
        assert!(!clashes(&files(&folder.join("circle"), None), 1, &[&path]));
    }
}

#[test]
fn names_of_numbered_pictures_are_checked_for_clashes() {
    let folder = folder("pictures");
    let [plot, first, third] = ["q.svg", "q-1.svg", "q-3.svg"].map(|name| folder.join(name));
    assert!(clashes(&files(&first, Some(&plot)), 2, &[]));
    assert!(clashes(&files(&folder.join("here/../q-1.svg"), Some(&plot)), 2, &[]));
    assert!(clashes(&files(&third, Some(&plot)), 3, &[]));
    assert!(clashes(&files(&plot, Some(&plot)), 1, &[]));
    // This file is not written, so there is no clash.
    assert!(!clashes(&files(&third, Some(&plot)), 2, &[]));
    assert!(!clashes(&files(&first, Some(&plot)), 1, &[]));
}

#[test]
fn too_many_runs_or_trees_are_an_error_that_names_the_limit() {
    let settings = bandit::Settings { plays: 1, runs: u32::MAX, seed: 1, threads: 1 };
    let error = bandit::measure(&[0.9, 0.6], "ucb1", settings).expect_err("too many").to_string();
    assert!(error.contains(&bandit::MOST_RUNS.to_string()), "{error}");
    let settings = p_game::Settings { trees: u32::MAX, iterations: vec![1], seed: 1, threads: 1 };
    let error = p_game::measure(&Kind::new(2, 2, "ucb1"), &settings).expect_err("too many").to_string();
    assert!(error.contains(&p_game::MOST_TREES.to_string()), "{error}");
    // No memory is reserved for results that may never come.
    let first_nine = |index: usize| if index < 9 { Ok(index) } else { Err(index.to_string().into()) };
    let error = try_map(2, usize::MAX / 2, first_nine).expect_err("the tenth fails");
    assert_eq!(error.to_string(), "9");
}

#[test]
fn bandit_results_have_no_negative_zero_and_no_share_above_one() {
    for arms in [&[0.5][..], &[0.3, 0.3]] {
        assert_eq!(bandit::bound(arms, 1_000).to_bits(), 0.0_f64.to_bits(), "{arms:?}");
    }
    // With two runs, Student's interval is 12.7 standard deviations wide on each side, so some intervals
    // leave the possible range.
    let mut at_an_end = 0;
    for seed in 0..6 {
        let settings = bandit::Settings { plays: 60, runs: 2, seed, threads: 1 };
        let row = bandit::measure(&[0.9, 0.2], "thompson", settings).expect("a bandit");
        for point in &row.curve {
            let most = 0.7 * f64::from(point.plays) + 1e-9;
            for (figure, most) in [(point.best, 1.0), (point.regret, most)] {
                assert!(0.0 <= figure.low && figure.high <= most, "{figure} of at most {most}");
                assert!(figure.low <= figure.value && figure.value <= figure.high);
                at_an_end += u32::from(figure.low == 0.0 && figure.value > 0.0);
            }
        }
    }
    assert!(at_an_end > 0, "nothing was cut off");
}

#[test]
fn an_estimate_is_never_printed_as_negative_zero() {
    let estimate = Estimate { value: -0.0, low: -0.0004, high: -0.0 };
    assert_eq!(estimate.to_string(), "0.000 [0.000, 0.000]");
    assert_eq!(format!("{estimate:.4}"), "0.0000 [-0.0004, 0.0000]");
    assert_eq!(Estimate { value: -10.0, low: -20.4, high: 0.2 }.to_string(), "-10.000 [-20.400, 0.200]");
}

#[test]
fn a_mistyped_game_is_told_the_nearest_name() {
    let error = |text| AnyGame::read(text).expect_err("no game").to_string();
    assert!(error("conect4:5x4").ends_with("breakthrough:misere; did you mean `connect4`?"));
    assert!(error("chess").ends_with("breakthrough:misere"), "{}", error("chess"));
}

#[test]
fn the_games_of_a_contest_of_hex_are_written_as_records() {
    let path = folder("records").join("games.sgf");
    let compare = |game: &str| {
        let words = ["compare", game, "random", "random", "--games", "4", "--records"];
        let run = Command::new(env!("CARGO_BIN_EXE_ramure-lab")).args(words).arg(&path).output();
        let run = run.expect("the program starts");
        (run.status.success(), String::from_utf8_lossy(&run.stderr).into_owned())
    };
    let (is_done, error) = compare("hex:3");
    assert!(is_done, "{error}");
    let records = sgf::read(&fs::read_to_string(&path).expect("a file")).expect("four games");
    assert_eq!(records.len(), 4);
    for record in records {
        let positions = record.positions(Hex::new(record.size).expect("a size")).expect("legal moves");
        let winner = positions.last().and_then(Hex::winner).expect("the game is over");
        assert_eq!(record.result, ["B+", "W+"][usize::from(winner)]);
        assert_eq!(record.players, ["random", "random"]);
    }
    let (is_done, error) = compare("hex:3");
    assert!(!is_done && error.contains("exists already"), "{error}");
    fs::remove_file(&path).expect("the file");
    let (is_done, error) = compare("connect4");
    assert!(!is_done && error.contains("--records writes games of Hex only"), "{error}");
}
