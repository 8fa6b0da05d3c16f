//! `random_action` draws every action with the same probability, in every state of a random game.

use crate::common::sized;
use crate::support::{DRAWN_SUDO, assert_draws_evenly, assert_uniform, play, states};
use ramure::ParameterError;
use ramure::{GameState, Rng};
use ramure_games::connect4::ConnectFour;
use ramure_games::hex::HexAction;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};

#[test]
fn tic_tac_toe_draws_uniformly() {
    for seed in 0..10 {
        assert_uniform(&TicTacToe::new(), seed);
    }
}

#[test]
fn connect4_draws_uniformly() {
    for seed in 0..10 {
        assert_uniform(&Connect4::new(), seed);
        assert_uniform(&ConnectFour::<5, 4>::new(), seed);
    }
}

#[test]
fn hex_draws_uniformly_when_a_swap_is_possible() -> Result<(), ParameterError> {
    for seed in 0..3 {
        assert_uniform(&Hex::new(4)?, seed);
        assert_uniform(&Hex::new(4)?.with_swap(), seed);
    }
    assert_uniform(&Hex::new(sized(6, 11))?.with_swap(), 0);
    Ok(())
}

#[test]
fn hex_draws_a_swap_with_the_probability_of_a_cell() -> Result<(), ParameterError> {
    let game = play(Hex::new(2)?.with_swap(), "a1");
    let mut rng = Rng::seeded(19);
    let swaps = (0..30_000).filter(|_| game.random_action(&mut rng) == Some(HexAction::Swap)).count();
    // One action in four is a swap, to within seven standard deviations.
    assert!(swaps.abs_diff(7_500) < 525, "{swaps}");
    Ok(())
}

#[test]
fn hex_draws_uniformly_after_a_swap() -> Result<(), ParameterError> {
    let game = play(Hex::new(4)?.with_swap(), "b3 swap");
    assert_uniform(&game, 0);
    Ok(())
}

#[test]
fn sudo_tic_tac_toe_draws_uniformly_on_a_free_choice() {
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        for seed in 0..sized(1, 3) {
            assert_uniform(&SudoTicTacToe::new(mode), seed);
        }
    }
    // This game reaches unevenly filled boards with a free choice among them.
    let games = states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO);
    assert!(games[1..81].iter().any(|game| game.next_board().is_none()));
    let mut rng = Rng::seeded(1);
    games.iter().for_each(|game| assert_draws_evenly(game, &mut rng));
}
