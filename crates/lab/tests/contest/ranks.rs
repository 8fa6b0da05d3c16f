//! Contests and experiments over several ranks.

use crate::channels::on_ranks;
use ramure::StopHandle;
use ramure_agents::{FlatMonteCarlo, Random};
use ramure_games::TicTacToe;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::commands::parallel::try_map;
use ramure_lab::contest::{Conditions, Ended, Match, MatchResult, ResultsFile, Sprt, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

fn players() -> [Recipe<TicTacToe>; 2] {
    [Recipe::new(|| FlatMonteCarlo::per_action(2)), Recipe::new(Random::default)]
}

fn contest() -> Match<TicTacToe> {
    Match::new(TicTacToe::new(), players())
}

fn conditions(games: u32, threads: usize) -> Conditions {
    Conditions::games(games).openings(1).seed(9).threads(threads)
}

/// Returns a path where no file is.
fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("ramure-ranks-{name}-{}.jsonl", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// The lines of a results file without the times.
fn lines(path: &PathBuf) -> Vec<String> {
    let text = fs::read_to_string(path).expect("the file");
    text.lines().map(|line| line.split(r#","seconds""#).next().unwrap_or_default().to_owned()).collect()
}

/// The games of a result without the times.
fn games(result: &MatchResult) -> Vec<(u32, Vec<u32>, Vec<f64>)> {
    let of =
        |record: &ramure_lab::contest::Record| (record.game, record.actions.clone(), record.rewards.clone());
    result.played.records.iter().map(of).collect()
}

#[test]
fn any_number_of_ranks_writes_the_same_file_and_knows_all_games() {
    let alone = path("alone");
    let expected = contest().run(&conditions(60, 1).results(ResultsFile::create(&alone))).expect("a contest");
    for (count, threads) in [(1, 2), (2, 1), (3, 2), (4, 3)] {
        let file = path("together");
        let ended = on_ranks(count, |rank| {
            // Another file on other ranks: they must not write it.
            let file = if rank == 0 { file.clone() } else { path(&format!("rank{rank}")) };
            let found = contest().run(&conditions(60, threads).results(ResultsFile::create(&file)))?;
            assert_eq!((games(&found), found.played.ended), (games(&expected), Ended::Played));
            assert_eq!(file.exists(), rank == 0);
            Ok(())
        });
        assert!(ended.iter().all(Result::is_ok), "{ended:?}");
        assert_eq!(lines(&file), lines(&alone), "{count} ranks");
    }

    // A part of the file, and the last line torn.
    let text = fs::read_to_string(&alone).expect("the file");
    let part: String = text.split_inclusive('\n').take(24).collect();
    let file = path("resumed");
    fs::write(&file, &part[..part.len() - 9]).expect("a file");
    let ended = on_ranks(3, |_| {
        let found = contest().run(&conditions(60, 1).results(ResultsFile::resume(&file)))?;
        assert_eq!((games(&found), found.played.resumed), (games(&expected), 22));
        Ok(())
    });
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
    assert_eq!(lines(&file), lines(&alone));
}

#[test]
fn a_sequential_test_ends_all_ranks_after_the_same_games() {
    let run = || contest().test(&conditions(4_000, 1), Sprt::new(0.0, 150.0));
    let (expected, test) = run().expect("a contest");
    assert!(test.verdict == Verdict::Accept && expected.played.records.len() < 1_000);
    let ended = on_ranks(3, |_| {
        let (found, verdict) = run()?;
        assert_eq!((games(&found), verdict), (games(&expected), test));
        // The next contest of the program has the same ranks.
        assert_eq!(contest().run(&conditions(10, 1))?.played.records.len(), 10);
        Ok(())
    });
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
}

#[test]
fn all_ranks_get_the_results_of_all_jobs() {
    for count in [1, 2, 5] {
        let used = Mutex::new(Vec::new());
        let ended = on_ranks(count, |rank| {
            let work = |number: usize| {
                used.lock().expect("no panic").push(rank);
                // No job ends before each rank has begun one.
                let have_begun = || used.lock().expect("no panic").iter().collect::<BTreeSet<_>>().len();
                let begin = Instant::now();
                while have_begun() < count && begin.elapsed() < Duration::from_secs(60) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok((number, 1.0 / number as f64))
            };
            let expected = Vec::from_iter((0..40).map(|number| (number, 1.0 / number as f64)).skip(1));
            let found = try_map(1, 39, |number| work(number + 1))?;
            assert_eq!(found, expected);
            Ok(())
        });
        assert!(ended.iter().all(Result::is_ok), "{ended:?}");
        let mut used = used.into_inner().expect("no panic");
        assert_eq!(used.len(), 39, "each job is done once");
        used.sort_unstable();
        used.dedup();
        assert_eq!(used, Vec::from_iter(0..count), "each rank does some");
    }
}

#[test]
fn a_thousand_ranks_share_ten_games() {
    let ended = on_ranks(1_000, |_| {
        let found = contest().run(&conditions(10, 1))?;
        assert_eq!(found.played.records.len(), 10);
        Ok(())
    });
    assert!(ended.iter().all(Result::is_ok));
}

#[test]
fn the_error_of_one_rank_ends_all_with_its_number_and_message() {
    let errors = |program: &(dyn Fn(usize) -> Result<(), Failure> + Sync)| {
        let ended = on_ranks(4, program);
        Vec::from_iter(ended.into_iter().map(|result| result.expect_err("one rank failed")))
    };
    // A results file that cannot be written: the error of the first rank.
    let nowhere = PathBuf::from("/nowhere/at/all.jsonl");
    let found = errors(&|_| {
        contest().run(&conditions(10, 1).results(ResultsFile::create(&nowhere)))?;
        Ok(())
    });
    assert!(found[0].contains("cannot"), "{found:?}");
    assert!(
        found[1..].iter().all(|error| error.starts_with("rank 0: ") && error.contains("nowhere")),
        "{found:?}"
    );
    // A job that fails on whichever rank does it.
    let found = errors(&|_| {
        try_map(1, 50, |number| if number == 37 { Err("number 37".into()) } else { Ok(number) }).map(|_| ())
    });
    assert!(found.iter().all(|error| error.contains("number 37")), "{found:?}");
    // A rank that fails on its own, while the others play.
    let found = errors(&|rank| {
        if rank == 2 {
            return Err("out of luck".into());
        }
        contest().run(&conditions(1_000_000, 1))?;
        Ok(())
    });
    assert_eq!(found[2], "out of luck");
    assert!([0, 1, 3].iter().all(|&rank| found[rank] == "rank 2: out of luck"), "{found:?}");
    // The first rank fails when the others have ended.
    let found = errors(&|rank| if rank == 0 { Err("late".into()) } else { Ok(()) });
    assert_eq!(found, ["late", "rank 0: late", "rank 0: late", "rank 0: late"]);
}

#[test]
fn ranks_with_different_programs_are_told_so() {
    let ended = on_ranks(3, |rank| match rank {
        1 => try_map(1, 5, Ok).map(|_| ()),
        _ => {
            contest().run(&conditions(10, 1))?;
            Ok(())
        }
    });
    for error in ended {
        let error = error.expect_err("the ranks differ");
        assert!(error.contains("is at step") && error.contains("start all ranks with the same"), "{error}");
    }
}

#[test]
fn a_rank_that_goes_on_when_the_first_one_has_ended_is_told_so() {
    let ended = on_ranks(3, |rank| {
        contest().run(&conditions(4, 1))?;
        if rank == 1 {
            contest().run(&conditions(10, 1))?;
        }
        Ok(())
    });
    for error in ended {
        let error = error.expect_err("one rank takes another course");
        assert!(error.contains("rank 0 has ended, but this one is at step "), "{error}");
    }
}

#[test]
fn a_stop_on_any_rank_ends_the_contest_on_all() {
    let ended = on_ranks(3, |rank| {
        let stop = StopHandle::default();
        if rank == 2 {
            stop.stop();
        }
        let conditions = conditions(1_000_000, 1).stop_handle(stop.clone());
        let found = contest().run(&conditions)?;
        assert_eq!(found.played.ended, Ended::Stopped);
        assert!(!stop.is_stopped(), "the contest has used the request");
        Ok(())
    });
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
}
