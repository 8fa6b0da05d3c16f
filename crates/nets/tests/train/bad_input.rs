//! A training that cannot start or continue ends in an error that says why.

use crate::games::{Kind, Odd, sticks};
use crate::{path, tiny};
use ramure_games::{Connect4, TicTacToe};
use ramure_nets::train::{Settings, TrainError, Trainer};
use std::fs;

#[track_caller]
fn refused(kind: Kind) -> TrainError {
    let mut settings = tiny();
    settings.longest_game = 50;
    let trained =
        Trainer::new(Odd { kind, actions: 0 }, settings).and_then(|mut trainer| trainer.iterate(&|_| ()));
    trained.expect_err("it cannot be trained")
}

#[test]
fn games_that_no_network_can_play_are_refused() {
    let error = refused(Kind::TwoWinners);
    assert!(matches!(&error, TrainError::Rewards { found } if *found == [1.0, 1.0]), "{error}");
    let error = refused(Kind::Endless);
    assert!(matches!(error, TrainError::LongGame { limit: 50 }), "{error}");
    let error = refused(Kind::Simultaneous);
    assert!(error.to_string().contains("at the same time"), "{error}");
    let error = refused(Kind::HighReward);
    assert!(matches!(error, TrainError::Search(_) | TrainError::Rules(_)), "{error}");
    for kind in [Kind::Infinite, Kind::NoColumn] {
        let error = refused(kind);
        assert!(matches!(error, TrainError::Search(_)), "{error}");
    }
    let error = refused(Kind::Over);
    assert!(error.to_string().contains("over"), "{error}");
}

#[test]
fn settings_out_of_range_are_refused_by_name() {
    type Change = fn(&mut Settings);
    let changes: [(&str, Change); 17] = [
        ("blocks", |settings| settings.blocks = 101),
        ("filters", |settings| settings.filters = 0),
        ("hidden", |settings| settings.hidden = 0),
        ("search_iterations", |settings| settings.search_iterations = 1),
        ("games", |settings| settings.games = 0),
        ("gate_games", |settings| settings.gate_games = 0),
        ("evaluation_games", |settings| settings.evaluation_games = usize::MAX),
        ("replay", |settings| settings.replay = 0),
        ("batch", |settings| settings.batch = 0),
        ("evaluation_iterations", |settings| settings.evaluation_iterations = 0),
        ("opponent_iterations", |settings| settings.opponent_iterations = 0),
        ("longest_game", |settings| settings.longest_game = 0),
        ("reuse", |settings| settings.reuse = f32::NAN),
        ("learning_rate", |settings| settings.learning_rate = f64::INFINITY),
        ("weight_decay", |settings| settings.weight_decay = -0.1),
        ("averaging", |settings| settings.averaging = 1.0),
        ("gate_score", |settings| settings.gate_score = 17.0),
    ];
    for (expected, change) in changes {
        let mut settings = Settings::default();
        change(&mut settings);
        let error = Trainer::new(TicTacToe::new(), settings).expect_err(expected);
        assert!(matches!(error, TrainError::Setting { name, .. } if name == expected), "{error}");
    }
}

#[test]
fn a_network_that_needs_absurd_memory_is_refused() {
    let mut settings = Settings::default();
    (settings.blocks, settings.filters) = (100, 4096);
    let error = Trainer::new(TicTacToe::new(), settings).expect_err("100 GB of weights");
    assert!(matches!(error, TrainError::TooLarge { .. }), "{error}");
    let mut settings = Settings::default();
    (settings.batch, settings.filters) = (65_536, 1024);
    let error = Trainer::new(Connect4::new(), settings).expect_err("100 GB a step");
    assert!(matches!(error, TrainError::TooLarge { .. }), "{error}");
}

/// The actions are legal from another start, too, but the games do not end there.
#[test]
fn a_checkpoint_of_another_start_is_refused() {
    let path = path("start");
    let mut trainer = Trainer::new(sticks(13), tiny()).unwrap();
    trainer.iterate(&|_| ()).unwrap();
    trainer.save(&path).unwrap();
    let error = Trainer::load(&path, sticks(12), |_| ()).expect_err("another start");
    assert!(error.to_string().contains("another state"), "{error}");
    assert!(Trainer::load(&path, sticks(13), |_| ()).is_ok());
    fs::remove_file(path).unwrap();
}

/// A file that is cut off anywhere, or has one wrong bit, is refused; so is that of another game. A file that
/// cannot be written leaves the old one alone.
#[test]
fn damaged_and_foreign_checkpoints_are_refused() {
    let path = path("damaged");
    let mut settings = tiny();
    (settings.filters, settings.hidden, settings.games) = (1, 1, 1);
    let mut trainer = Trainer::new(TicTacToe::new(), settings).unwrap();
    trainer.iterate(&|_| ()).unwrap();
    trainer.save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let load = || Trainer::load(&path, TicTacToe::new(), |_| ());
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let error = load().expect_err("it is damaged");
        assert!(matches!(error, TrainError::Checkpoint { .. }), "{error}");
    };
    (0..bytes.len()).step_by(7).for_each(|length| refused(&bytes[..length]));
    for place in (0..bytes.len()).step_by(13) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        refused(&damaged);
    }
    fs::write(&path, &bytes).unwrap();
    let error = Trainer::load(&path, Connect4::new(), |_| ()).expect_err("another game");
    assert!(error.to_string().contains("another game or board: 2 planes of 3 x 3"), "{error}");

    // The first path leads through a file, and the second is that of a folder.
    assert!(matches!(trainer.save(path.join("inside")), Err(TrainError::File { .. })));
    assert!(matches!(trainer.save(std::env::temp_dir()), Err(TrainError::File { .. })));
    assert!(load().is_ok());
    fs::remove_file(&path).unwrap();
    assert!(matches!(load(), Err(TrainError::File { .. })));
}

#[test]
fn a_training_that_explodes_stops() {
    let mut settings = tiny();
    (settings.learning_rate, settings.weight_decay, settings.reuse, settings.games) = (1.0, 10.0, 400.0, 20);
    let mut trainer = Trainer::new(TicTacToe::new(), settings).unwrap();
    let error =
        (0..3).find_map(|_| trainer.iterate(&|_| ()).err()).expect("weights grow tenfold in each step");
    assert!(matches!(error, TrainError::Exploded { .. }), "{error}");
    let path = path("exploded");
    assert!(matches!(trainer.save(&path), Err(TrainError::Unfinished { .. })));
    assert!(!path.exists());
}
