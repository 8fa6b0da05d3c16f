//! The static evaluations match their documentation, compared with plain counts over lines and cells.

use crate::common::sized;
use crate::support::{play, random_game};
use ramure::ParameterError;
use ramure::{Player, Rng, StaticEvaluation, Symmetric, Turn};
use ramure_games::connect4::ConnectFour;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use std::fmt::Debug;

#[test]
fn evaluations_lie_in_0_to_1_sum_to_1_and_are_the_rewards_of_a_finished_game() -> Result<(), ParameterError> {
    fn check<G: StaticEvaluation + Debug>(start: &G) {
        let mut rng = Rng::seeded(14);
        for _ in 0..20 {
            random_game(start, &mut rng, |game| {
                let worths = [0, 1].map(|player| game.evaluate(player));
                assert!(worths.iter().all(|worth| (0.0..=1.0).contains(worth)), "{worths:?} {game:?}");
                assert_eq!(worths[0] + worths[1], 1.0, "{game:?}");
                if game.turn() == Turn::Over && game.reward(0) != 0.5 {
                    assert_eq!(worths, [0, 1].map(|player| game.reward(player)), "{game:?}");
                }
            });
        }
    }
    check(&TicTacToe::new());
    check(&Connect4::new());
    check(&Hex::new(2)?);
    check(&Hex::new(11)?.with_swap());
    check(&SudoTicTacToe::new(Mode::LocalWin));
    check(&SudoTicTacToe::new(Mode::Ultimate));
    Ok(())
}

#[test]
fn evaluations_are_the_same_from_every_side() -> Result<(), ParameterError> {
    fn check<G: StaticEvaluation + Symmetric + Debug>(start: &G) {
        let mut rng = Rng::seeded(18);
        for _ in 0..5 {
            random_game(start, &mut rng, |game| {
                for symmetry in 0..G::SYMMETRIES {
                    let (worth, transformed) = (game.evaluate(0), game.transformed(symmetry));
                    assert_eq!(transformed.evaluate(game.transformed_player(0, symmetry)), worth, "{game:?}");
                }
            });
        }
    }
    check(&TicTacToe::new());
    check(&Connect4::new());
    check(&Hex::new(5)?.with_swap());
    check(&SudoTicTacToe::new(Mode::LocalWin));
    check(&SudoTicTacToe::new(Mode::Ultimate));
    Ok(())
}

#[test]
fn tic_tac_toe_counts_the_lines_still_open() {
    // X has the centre, so its four lines are open for X. O has a corner, so two of its lines are open for O.
    let game = play(TicTacToe::new(), "5 1");
    assert_eq!(game.evaluate(0), (1.0 + 3.0) / (2.0 + 3.0 + 2.0));
    // Two in an open line count four times as much as one.
    let game = play(TicTacToe::new(), "5 1 4");
    assert_eq!(game.evaluate(0), (1.0 + 4.0 + 2.0) / (2.0 + 6.0 + 1.0));
}

#[test]
fn connect4_counts_the_fours_still_open() {
    fn check<const COLUMNS: u8, const ROWS: u8>(start: ConnectFour<COLUMNS, ROWS>) {
        let mut rng = Rng::seeded(15);
        for _ in 0..sized(40, 200) {
            random_game(&start, &mut rng, |game| {
                if game.winner().is_none() {
                    let worth = |player| f64::from(open_fours(game, player));
                    assert_eq!(game.evaluate(0), (1.0 + worth(0)) / (2.0 + worth(0) + worth(1)), "{game:?}");
                }
            });
        }
    }
    check(Connect4::new());
    check(ConnectFour::<5, 4>::new());
    check(ConnectFour::<7, 8>::new());
}

fn open_fours<const COLUMNS: u8, const ROWS: u8>(game: &ConnectFour<COLUMNS, ROWS>, player: Player) -> u32 {
    let mut worth = 0;
    let (rows, columns) = (i32::from(ROWS), i32::from(COLUMNS));
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        for (up, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let (last_row, last_column) = (row + 3 * up, column + 3 * right);
            if !(0..rows).contains(&last_row) || !(0..columns).contains(&last_column) {
                continue;
            }
            let cells =
                [0, 1, 2, 3].map(|step| game.cell((row + step * up) as u8, (column + step * right) as u8));
            if !cells.contains(&Some(1 - player)) {
                worth += cells.iter().filter(|cell| cell.is_some()).count().pow(2) as u32;
            }
        }
    }
    worth
}

#[test]
fn hex_counts_the_stones_that_are_missing() -> Result<(), ParameterError> {
    // X needs three more stones below c1 and c2, O four more beside a5.
    let game = play(Hex::new(5)?, "c1 a5 c2");
    assert_eq!(game.evaluate(0), (1.0 + 4.0) / (2.0 + 3.0 + 4.0));
    let mut rng = Rng::seeded(16);
    for (size, games) in [(2, 20), (3, 20), (5, sized(10, 20)), (9, sized(2, 20))] {
        for _ in 0..games {
            random_game(&Hex::new(size)?, &mut rng, |game| {
                if game.winner().is_none() {
                    let needed = |player| f64::from(needed(game, player));
                    assert_eq!(
                        game.evaluate(0),
                        (1.0 + needed(1)) / (2.0 + needed(0) + needed(1)),
                        "{game:?}"
                    );
                }
            });
        }
    }
    Ok(())
}

/// Returns the fewest stones that join a player's sides: shortest paths by relaxation until nothing changes.
fn needed(game: &Hex, player: Player) -> u32 {
    const FAR: u32 = 1000;
    let size = i32::from(game.size());
    let cost = |row: i32, column: i32| match game.cell(row as u8, column as u8) {
        Some(owner) if owner == player => 0,
        Some(_) => FAR,
        None => 1,
    };
    let along = |row: i32, column: i32| if player == 0 { row } else { column };
    let mut distance = vec![FAR; (size * size) as usize];
    loop {
        let before = distance.clone();
        for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            let neighbours = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];
            let neighbours = neighbours.map(|(down, right)| (row + down, column + right));
            let inside = neighbours
                .into_iter()
                .filter(|(row, column)| (0..size).contains(row) && (0..size).contains(column));
            let nearest =
                inside.map(|(row, column)| distance[(row * size + column) as usize]).min().unwrap_or(FAR);
            let nearest = if along(row, column) == 0 { 0 } else { nearest };
            let cell = &mut distance[(row * size + column) as usize];
            *cell = (*cell).min(nearest + cost(row, column));
        }
        if distance == before {
            break;
        }
    }
    let last = (0..size).map(|i| if player == 0 { (size - 1) * size + i } else { i * size + size - 1 });
    last.map(|cell| distance[cell as usize]).min().unwrap_or(FAR)
}

#[test]
fn sudo_tic_tac_toe_counts_the_lines_of_the_open_boards_and_in_mode_2_of_the_whole() {
    let game = play(SudoTicTacToe::new(Mode::LocalWin), "5.5 5.1");
    assert_eq!(game.evaluate(0), (1.0 + 3.0) / (2.0 + 3.0 + 2.0));
    // O has won board 1, which is closed and belongs to three lines of boards; X has marks in the corners of
    // boards 4 and 5.
    let game = play(SudoTicTacToe::new(Mode::Ultimate), "1.2 2.1 1.1 1.4 4.1 1.5 5.1 1.6");
    let (first, second) = (3.0 + 3.0, 3.0 + 9.0 * 3.0);
    assert_eq!(game.evaluate(0), (1.0 + first) / (2.0 + first + second));
}
