//! Trainings of tiny networks, and games and files that cannot be trained or continued.
#![cfg(feature = "train")]

mod bad_input;
mod games;
#[cfg(feature = "program")]
mod ranks;

use games::{Pile, sticks};
use ramure::{GameState, Symmetric};
use ramure_games::TicTacToe;
use ramure_nets::train::{Game, Method, Settings, TrainError, Trainer};
use std::num::NonZero;
use std::path::PathBuf;

/// Returns settings of a training that takes a moment.
fn tiny() -> Settings {
    let mut settings = Settings::default();
    (settings.blocks, settings.filters, settings.hidden) = (1, 8, 8);
    (settings.games, settings.search_iterations, settings.batch) = (6, 8, 16);
    (settings.gate_every, settings.gate_games) = (2, 4);
    (settings.evaluate_every, settings.evaluation_games) = (2, 4);
    (settings.evaluation_iterations, settings.opponent_iterations) = (8, 8);
    settings
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("ramure-nets-train-{}-{name}", std::process::id()))
}

/// Everything that a training says and knows after some iterations, times apart.
fn trace<G: Game>(trainer: &mut Trainer<G>, iterations: usize) -> (Vec<String>, Vec<u8>) {
    let mut lines = Vec::new();
    for _ in 0..iterations {
        let mut iteration = trainer.iterate(&|_| ()).unwrap();
        (iteration.play_seconds, iteration.training_seconds, iteration.match_seconds) = (0.0, 0.0, 0.0);
        lines.push(format!("{iteration:?}"));
    }
    (lines, trainer.onnx())
}

fn is_the_same_after_a_checkpoint<G: Game + Symmetric>(start: &G, settings: &Settings, name: &str) {
    let new = || Trainer::new(start.clone(), settings.clone()).unwrap().symmetries();
    let (lines, network) = trace(&mut new().threads(NonZero::new(3).unwrap()), 4);
    let (one, path) = (NonZero::new(1).unwrap(), path(name));
    let mut first = new().threads(one);
    let (begin, _) = trace(&mut first, 2);
    first.save(&path).unwrap();
    drop(first);
    let mut second = Trainer::load(&path, start.clone(), |_| ()).unwrap().symmetries().threads(one);
    assert_eq!(second.iterations(), 2);
    let (end, again) = trace(&mut second, 2);
    assert_eq!(lines, [begin, end].concat());
    assert!(network == again, "the networks differ");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_training_is_the_same_for_any_threads_and_after_a_checkpoint() {
    is_the_same_after_a_checkpoint(&TicTacToe::new(), &tiny(), "gumbel");
    let mut settings = tiny();
    (settings.method, settings.openings, settings.replay) = (Method::AlphaZero, 3, 40);
    is_the_same_after_a_checkpoint(&TicTacToe::new(), &settings, "alphazero");
}

/// The player to move loses if a multiple of four is left.
#[test]
fn a_network_of_features_learns_to_leave_multiples_of_four() {
    let mut settings = tiny();
    (settings.games, settings.filters, settings.hidden) = (24, 16, 16);
    (settings.gate_every, settings.evaluate_every) = (0, 0);
    (settings.learning_rate, settings.averaging, settings.reuse) = (0.01, 0.9, 8.0);
    for method in [Method::Gumbel, Method::AlphaZero] {
        settings.method = method;
        settings.search_iterations = 16;
        let mut trainer = Trainer::new(sticks(13), settings.clone()).unwrap();
        let losses: Vec<_> = (0..12).map(|_| trainer.iterate(&|_| ()).unwrap().value_loss.unwrap()).collect();
        assert!(losses[11] < 0.5 * losses[0], "{method:?}: {losses:?}");
        let network = trainer.network().unwrap();
        let states: Vec<_> = (1..=13).filter(|left| left % 4 != 0).map(sticks).collect();
        for (state, output) in states.iter().zip(network.outputs(&states).unwrap()) {
            let likes = |&taken: &u8| output.policy[usize::from(taken) - 1];
            let best = state.actions().into_iter().max_by(|one, other| likes(one).total_cmp(&likes(other)));
            assert_eq!(best, Some(state.sticks % 4), "{method:?}: {state:?} {output:?}");
        }
    }
}

/// A game may have as many actions as the limit says.
#[test]
fn the_longest_game_may_be_played() {
    let mut settings = tiny();
    settings.longest_game = 9;
    let mut trainer = Trainer::new(TicTacToe::new(), settings).unwrap();
    assert!(trainer.iterate(&|_| ()).unwrap().actions <= 9.0);
}

/// Until the first match, the latest network is the best: nobody gets the first, random one.
#[test]
fn the_latest_network_plays_until_the_first_match() {
    let mut settings = tiny();
    (settings.gate_every, settings.gate_score) = (3, 16.0);
    let mut trainer = Trainer::new(TicTacToe::new(), settings).unwrap();
    let first = trainer.onnx();
    let best: Vec<_> = (0..4).map(|_| (trainer.iterate(&|_| ()).unwrap().is_best, trainer.onnx())).collect();
    assert_eq!([true, true, false, false], [best[0].0, best[1].0, best[2].0, best[3].0]);
    assert!(best[0].1 != first && best[1].1 != best[0].1);
    assert!(best[1].1 == best[3].1, "no score is sixteen times that of equal players");
}

/// Of three players, the one who takes the last stick wins all. Whose turn that is depends on the others: the
/// value must not be that of two players.
#[test]
fn three_players_and_one_can_be_trained() {
    let mut settings = tiny();
    settings.openings = 2;
    for players in [1, 3] {
        let mut trainer = Trainer::new(Pile { left: 7, player: 0, players }, settings.clone()).unwrap();
        let last = (0..4).map(|_| trainer.iterate(&|_| ()).unwrap()).last().unwrap();
        assert_eq!(last.gate.is_some(), players == 3, "one player has nobody to play against");
        assert!(last.evaluation.is_some_and(|score| (0.0..=1.0).contains(&score.mean)));
        let columns = trainer.network().unwrap().outputs(&[Pile { left: 3, player: 0, players }]).unwrap();
        assert_eq!(columns[0].value.len(), usize::from(players));
    }
}

#[test]
fn a_changed_setting_takes_effect_after_a_checkpoint() {
    let path = path("changed");
    let mut trainer = Trainer::new(TicTacToe::new(), tiny()).unwrap();
    trainer.iterate(&|_| ()).unwrap();
    trainer.save(&path).unwrap();
    let mut changed = Trainer::load(&path, TicTacToe::new(), |settings| settings.games = 9).unwrap();
    assert_eq!(changed.iterate(&|_| ()).unwrap().games, 9);
    let error = Trainer::load(&path, TicTacToe::new(), |settings| settings.filters = 9).unwrap_err();
    assert!(
        matches!(&error, TrainError::Checkpoint { reason, .. } if reason.contains("other sizes")),
        "{error}"
    );
    std::fs::remove_file(path).unwrap();
}
