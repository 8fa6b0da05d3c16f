//! A symmetry keeps the rules: playing and transforming commute.

use crate::common::sized;
use crate::support::{DRAWN_SUDO, peaceful_game, play, random_game, states};
use ramure::ParameterError;
use ramure::{Player, Rng, Symmetric, Turn};
use ramure_games::connect4::ConnectFour;
use ramure_games::hex::HexAction;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

#[test]
fn connect4_is_symmetric_under_reflection() {
    assert_symmetric(&Connect4::new(), 100, 2);
    assert_symmetric(&ConnectFour::<5, 4>::new(), 50, 2);
}

#[test]
fn tic_tac_toe_has_all_eight_symmetries() {
    assert_symmetric(&TicTacToe::new(), 100, 8);
}

#[test]
fn hex_is_symmetric_under_half_a_turn_with_and_without_swap() -> Result<(), ParameterError> {
    for (size, games) in [(2, 20), (3, 10), (5, 2), (6, 1)] {
        assert_symmetric(&Hex::new(size)?, games, 2);
        assert_symmetric(&Hex::new(size)?.with_swap(), games, 2);
    }
    assert_symmetric(&play(Hex::new(4)?.with_swap(), "b4 swap"), 3, 2);
    states(&Hex::new(19)?, "a1 s1 a19 s19").iter().for_each(assert_one_symmetric);
    Ok(())
}

#[test]
fn sudo_tic_tac_toe_has_all_eight_symmetries() {
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        assert_symmetric(&SudoTicTacToe::new(mode), sized(3, 10), 8);
    }
    states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO).iter().for_each(assert_one_symmetric);
}

#[test]
fn connect4_is_reflected_left_and_right() {
    let game = play(Connect4::new(), "0 0 1 5 6");
    assert_eq!(
        game.transformed(0).to_string(),
        "0123456\n.......\n.......\n.......\n.......\n......Y\nRY...RR\nmoves: 5\nstatus: Y to play"
    );
    let columns = ["0", "1", "2", "3", "4", "5", "6"].map(|text| text.parse().expect("a column"));
    let mirrored = columns.map(|column| game.transformed_action(column, 0).to_string());
    assert_eq!(mirrored, ["6", "5", "4", "3", "2", "1", "0"]);
}

#[test]
fn tic_tac_toe_is_reflected_and_rotated() {
    let game = play(TicTacToe::new(), "1 2 6");
    let board = |symmetry| game.transformed(symmetry).to_string()[..11].to_owned();
    assert_eq!(game.to_string()[..11], *"XO.\n..X\n...");
    assert_eq!(board(0), ".OX\nX..\n...", "left and right");
    assert_eq!(board(1), "...\n..X\nXO.", "top and bottom");
    assert_eq!(board(2), "...\nX..\n.OX", "both: half a turn");
    assert_eq!(board(3), "X..\nO..\n.X.", "at the main diagonal");
    assert_eq!(board(4), ".X.\nO..\nX..", "left and right, then at the diagonal");
    assert_eq!(board(5), "..X\n..O\n.X.", "top and bottom, then at the diagonal");
    assert_eq!(board(6), ".X.\n..O\n..X", "at the other diagonal");
    let cell = "4".parse().expect("a cell");
    let cells = [0, 1, 2, 3, 4, 5, 6].map(|symmetry| game.transformed_action(cell, symmetry).to_string());
    assert_eq!(cells, ["6", "4", "6", "2", "8", "2", "8"]);
}

#[test]
fn hex_is_rotated_by_half_a_turn() -> Result<(), ParameterError> {
    let game = play(Hex::new(4)?.with_swap(), "b4 swap c1 a2");
    assert_eq!(
        game.to_string(),
        "  a b c d\n1 . . X .\n 2 O . . O\n  3 . . . .\n   4 . . . .\nswap: taken\nmoves: 4\nstatus: X to play"
    );
    assert_eq!(
        game.transformed(0).to_string(),
        "  a b c d\n1 . . . .\n 2 . . . .\n  3 O . . O\n   4 . X . .\nswap: taken\nmoves: 4\nstatus: X to play"
    );
    assert_eq!(game.transformed_action("b1".parse().expect("a cell"), 0).to_string(), "c4");
    assert_eq!(play(Hex::new(4)?.with_swap(), "b1").transformed_action(HexAction::Swap, 0), HexAction::Swap);
    Ok(())
}

#[test]
fn the_whole_board_of_sudo_tic_tac_toe_is_reflected_and_rotated() {
    let game = play(SudoTicTacToe::new(Mode::Ultimate), "4.2 2.3 3.9 9.1 1.6 6.2 2.4");
    for (row, column) in (0..9).flat_map(|row| (0..9).map(move |column| (row, column))) {
        let places = [
            (row, 8 - column),
            (8 - row, column),
            (8 - row, 8 - column),
            (column, row),
            (8 - column, row),
            (column, 8 - row),
            (8 - column, 8 - row),
        ];
        for (symmetry, (to_row, to_column)) in places.into_iter().enumerate() {
            let transformed = game.transformed(symmetry);
            assert_eq!(transformed.cell(to_row, to_column), game.cell(row, column), "{transformed}");
        }
    }
    let next = [0, 1, 2, 3, 4, 5, 6].map(|symmetry| game.transformed(symmetry).next_board());
    assert_eq!((game.next_board(), next), (Some(3), [5, 3, 5, 1, 7, 1, 7].map(Some)));
    let cell = "2.1".parse().expect("a cell");
    let cells = [0, 1, 2, 3, 4, 5, 6].map(|symmetry| game.transformed_action(cell, symmetry).to_string());
    assert_eq!(cells, ["2.3", "8.7", "8.9", "4.1", "4.7", "6.3", "6.9"]);
}

/// Checks that the states of random and of peaceful games obey [`assert_one_symmetric`], and that in some
/// state, all `sides` views of it, including itself, differ.
fn assert_symmetric<G: Symmetric + Eq + Hash + Debug>(start: &G, games: usize, sides: usize) {
    let mut rng = Rng::seeded(17);
    let mut most = 0;
    let mut visit = |game: &G| {
        assert_one_symmetric(game);
        let views: HashSet<G> =
            (0..G::SYMMETRIES).map(|symmetry| game.transformed(symmetry)).chain([game.clone()]).collect();
        most = most.max(views.len());
    };
    for _ in 0..games {
        random_game(start, &mut rng, &mut visit);
        peaceful_game(start, &mut rng, &mut visit);
    }
    assert_eq!((most, G::SYMMETRIES), (sides, sides - 1));
}

/// Checks each symmetry: the transformed state has the transformed turn, rewards and actions; playing an
/// action commutes with transforming; and some number of applications leads back.
fn assert_one_symmetric<G: Symmetric + Eq + Debug>(game: &G) {
    for symmetry in 0..G::SYMMETRIES {
        let transformed = game.transformed(symmetry);
        let player = |player: Player| game.transformed_player(player, symmetry);
        match game.turn() {
            Turn::Player(mover) => assert_eq!(transformed.turn(), Turn::Player(player(mover)), "{game:?}"),
            turn => assert_eq!(transformed.turn(), turn, "{game:?}"),
        }
        if game.turn() == Turn::Over {
            for each in 0..game.players() {
                assert_eq!(transformed.reward(player(each)), game.reward(each), "{game:?}");
            }
        }
        let actions: Vec<G::Action> = game.actions().into_iter().collect();
        let theirs: Vec<G::Action> = transformed.actions().into_iter().collect();
        assert_eq!(actions.len(), theirs.len(), "{game:?}");
        for action in actions {
            let their_action = game.transformed_action(action.clone(), symmetry);
            assert!(theirs.contains(&their_action), "{action:?} as {their_action:?} in {transformed:?}");
            let (mut next, mut their_next) = (game.clone(), transformed.clone());
            next.apply(action.clone());
            their_next.apply(their_action);
            assert_eq!(next.transformed(symmetry), their_next, "{action:?} in {game:?}");
        }
        let mut turning = transformed;
        let leads_back = (0..4).any(|_| {
            let back = turning == *game;
            turning = turning.transformed(symmetry);
            back
        });
        assert!(leads_back, "{symmetry} {game:?}");
    }
}
