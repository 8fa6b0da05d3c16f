//! Matrix games.

use crate::posterior::guesses_are_fair;
use ramure::{GameState, Player, Turn};
use ramure_lab::games::MatrixGame;
use ramure_lab::games::matrix::{MOST_CHOICES, MatrixError};

/// What a player sees: its own choice; the other one after the step.
fn seen(state: &MatrixGame, player: Player) -> (Turn, Option<String>) {
    (state.turn(), (player == 0 || state.turn() == Turn::Over).then(|| format!("{state:?}")))
}

ramure_rules::laws!(
    mod laws, MatrixGame::random(3, 4, 1).expect("a small matrix");
    hidden = seen, constant_sum = 1.0, games = 200
);

#[test]
fn a_choice_before_the_step_ends_is_uniform_to_the_other() {
    let game = MatrixGame::random(4, 2, 7).expect("a small matrix");
    assert_eq!(guesses_are_fair(&game, |_| true, 10_000), 2);
}

#[test]
fn matrices_that_are_none_are_errors() {
    let new = MatrixGame::new;
    assert_eq!(new(&[]), Err(MatrixError::Size { rows: 0, columns: 0 }));
    assert_eq!(new(&[vec![]]), Err(MatrixError::Size { rows: 1, columns: 0 }));
    assert_eq!(
        MatrixGame::random(MOST_CHOICES + 1, 1, 0),
        Err(MatrixError::Size { rows: MOST_CHOICES + 1, columns: 1 })
    );
    assert_eq!(MatrixGame::random(2, 0, 0), Err(MatrixError::Size { rows: 2, columns: 0 }));
    assert_eq!(new(&[vec![0.0, 1.0], vec![1.0]]), Err(MatrixError::Ragged { row: 1, columns: 1 }));
    assert_eq!(new(&[vec![0.5, 1.5]]), Err(MatrixError::Payoff { row: 0, column: 1, payoff: 1.5 }));
    assert!(matches!(new(&[vec![f64::NAN]]), Err(MatrixError::Payoff { row: 0, column: 0, .. })));
    assert_eq!(MatrixGame::biased_rock_paper_scissors().payoff(0, 2), Some(1.0), "rock beats scissors");
    assert_eq!(MatrixGame::biased_rock_paper_scissors().payoff(0, 3), None);
}
