//! Trainings whose games are played by several ranks.

// The tests of contests over ranks use it, too.
#[path = "../../../lab/tests/contest/channels.rs"]
mod channels;

use super::{path, tiny, trace};
use channels::on_ranks;
use clap::Parser;
use ramure_games::{Connect4, TicTacToe};
use ramure_nets::program::train::{Options, run};
use ramure_nets::train::{Iteration, Played, Round, TrainError, Trainer};
use std::fs;
use std::path::Path;

/// The command.
#[derive(Parser)]
struct Command {
    #[command(flatten)]
    options: Options,
}

/// Returns the options of a short training of `game` in `folder`.
fn options(game: &str, folder: &Path, more: &[&str]) -> Options {
    let settings =
        ["blocks=1", "filters=8", "hidden=8", "games=4", "search_iterations=4", "batch=16", "gate_every=2"];
    let more_settings = [
        "gate_games=4",
        "evaluate_every=2",
        "evaluation_games=4",
        "evaluation_iterations=8",
        "opponent_iterations=8",
    ];
    let mut words = vec!["train", game, "--threads", "2", "--folder", folder.to_str().expect("text")];
    settings.iter().chain(&more_settings).for_each(|setting| words.extend(["--set", setting]));
    words.extend(more);
    Command::parse_from(words).options
}

/// The checkpoint, the network, and the figures without the times.
fn files(folder: &Path) -> (Vec<u8>, Vec<u8>, Vec<String>) {
    let read = |name| fs::read(folder.join(name)).expect("the file");
    let metrics = String::from_utf8(read("metrics.jsonl")).expect("text");
    let figures = metrics.lines().map(|line| {
        let mut iteration: Iteration = serde_json::from_str(line).expect("an iteration");
        (iteration.play_seconds, iteration.training_seconds, iteration.match_seconds) = (0.0, 0.0, 0.0);
        format!("{iteration:?}")
    });
    (read("checkpoint"), read("network.onnx"), figures.collect())
}

/// The other ranks have a folder that cannot be written.
#[test]
fn a_training_is_the_same_for_any_number_of_ranks_and_continues_with_another() {
    let mut found = Vec::new();
    for (first, rest) in [(1, 1), (2, 4), (4, 2)] {
        let folder = path(&format!("ranks-{first}"));
        for (ranks, more) in [(first, &["--iterations", "1"][..]), (rest, &["--iterations", "2", "--resume"])]
        {
            let ended = on_ranks(ranks, |rank| {
                let nowhere = Path::new("/dev/null/no");
                run(options("tic-tac-toe", if rank == 0 { &folder } else { nowhere }, more))
            });
            assert!(ended.iter().all(Result::is_ok), "{ended:?}");
        }
        for picture in ["strength.svg", "losses.svg"] {
            let svg = fs::read_to_string(folder.join(picture)).expect("a picture");
            assert!(svg.contains("seconds of training") || svg.contains("minutes of training"), "{picture}");
        }
        found.push(files(&folder));
        fs::remove_dir_all(folder).expect("the folder");
    }
    assert!(found[0].2[1].contains("gate: Some") && found[0].2[1].contains("evaluation: Some"));
    assert!(found.iter().all(|files| *files == found[0]), "the files differ");

    // A trainer that plays all games itself has the same network.
    let mut settings = tiny();
    (settings.games, settings.search_iterations) = (4, 4);
    let mut trainer = Trainer::new(TicTacToe::new(), settings).unwrap().symmetries();
    assert!(trace(&mut trainer, 2).1 == found[0].1, "the networks differ");
}

#[test]
fn a_rank_that_cannot_play_ends_the_training_on_all_ranks() {
    let folder = path("ranks-differ");
    let ended = on_ranks(3, |rank| {
        run(options(if rank == 2 { "connect4" } else { "tic-tac-toe" }, &folder, &["--iterations", "1"]))
    });
    fs::remove_dir_all(&folder).expect("the folder");
    for error in ended {
        assert!(error.expect_err("a network of another game").contains("the network cannot be used"));
    }
    // The first rank has an error, and the others wait for games.
    let ended =
        on_ranks(2, |_| run(options("tic-tac-toe", Path::new("/dev/null/no"), &["--iterations", "1"])));
    assert!(ended.into_iter().all(|ended| ended.expect_err("no folder").contains("/dev/null/no")));
}

/// Rounds and games go to another process and back as bytes, and lose nothing.
#[test]
fn games_that_were_sent_train_the_same_network() {
    let new = || {
        let mut settings = tiny();
        (settings.gate_every, settings.evaluate_every) = (1, 1);
        Trainer::new(TicTacToe::new(), settings).unwrap()
    };
    let (mut here, mut there) = (new(), new());
    let sent = &mut |round: &Round<TicTacToe>, _: &(dyn Fn(usize) + Sync)| {
        let round = Round::from_bytes(&round.to_bytes()?, TicTacToe::new())?;
        let games = (0..round.games()).map(|number| {
            let game = serde_json::to_string(&round.play(number)?).expect("it is plain data");
            Ok(serde_json::from_str::<Played>(&game).expect("it was written just now"))
        });
        games.collect::<Result<Vec<_>, TrainError>>()
    };
    for _ in 0..2 {
        let found = there.iterate_with(sent, &|_| ()).unwrap();
        let expected = here.iterate(&|_| ()).unwrap();
        assert_eq!((found.gate, found.evaluation), (expected.gate, expected.evaluation));
        assert!(there.onnx() == here.onnx(), "the networks differ");
    }
}

/// Returns the error of an iteration whose games `play` plays.
fn error(play: impl Fn(&Round<TicTacToe>) -> Result<Vec<Played>, TrainError>) -> String {
    let mut trainer = Trainer::new(TicTacToe::new(), tiny()).unwrap();
    trainer.iterate_with(&mut |round, _| play(round), &|_| ()).expect_err("it is wrong").to_string()
}

#[test]
fn games_that_do_not_belong_to_a_round_are_refused() {
    let all = |round: &Round<_>| {
        let games = (0..round.games()).map(|number| round.play(number));
        games.collect::<Result<Vec<_>, _>>()
    };
    let few = error(|round| all(round).map(|games| games[1..].to_vec()));
    assert!(few.contains("there are 5 games, and not 6"), "{few}");
    let swapped = error(|round| all(round).map(|games| games.into_iter().rev().collect()));
    assert!(swapped.contains("game 5 is in the place of game 0"), "{swapped}");
    let cut_off = error(|round| all(&Round::from_bytes(&round.to_bytes()?[..100], TicTacToe::new())?));
    assert!(cut_off.contains("a round of games is wrong"), "{cut_off}");
    let foreign = error(|round| {
        Round::from_bytes(&round.to_bytes()?, Connect4::new())?;
        all(round)
    });
    assert!(foreign.contains("the network cannot be used"), "{foreign}");
}
