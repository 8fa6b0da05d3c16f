//! Pictures against the positions that they show.

use crate::connect4::ConnectFour;
use crate::sudo_tic_tac_toe::Mode;
use crate::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure::{Picture, Rng};
use std::collections::BTreeSet;

/// Plays a random game, and checks the picture of each position.
fn check<G: Picture>(mut state: G, own: fn(&str) -> bool, stones: impl Fn(&G, u8) -> usize) {
    let mut rng = Rng::seeded(3);
    let mut last = None;
    let lines = state.picture(None).lines().count();
    loop {
        let picture = state.picture(last.clone());
        assert_eq!(picture.lines().count(), lines, "every picture has the same lines");
        assert_eq!(picture.matches('<').count(), picture.matches('>').count());
        let named: BTreeSet<&str> =
            picture.split(" data-action=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let legal: BTreeSet<String> = state
            .actions()
            .into_iter()
            .map(|action| format!("{action:?}"))
            .filter(|name| own(name))
            .collect();
        assert_eq!(named, legal.iter().map(String::as_str).collect());
        for player in 0..2 {
            let class = format!("class=\"p{player}");
            assert_eq!(picture.matches(&class).count(), stones(&state, player), "{picture}");
        }
        assert_eq!(picture.contains("last"), last.is_some());
        let Some(action) = state.random_action(&mut rng) else { break };
        state.apply(action.clone());
        last = Some(action);
    }
    assert_eq!(state.picture(None).contains(" win"), state.reward(0) != 0.5);
}

fn count(rows: u8, columns: u8, cell: impl Fn(u8, u8) -> Option<u8>, player: u8) -> usize {
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .filter(|&(row, column)| cell(row, column) == Some(player))
        .count()
}

#[test]
fn pictures_show_the_stones_and_name_the_legal_actions() {
    check(
        TicTacToe::new(),
        |_| true,
        |state, player| count(3, 3, |row, column| state.cell(row, column), player),
    );
    check(
        Connect4::new(),
        |_| true,
        |state, player| count(6, 7, |row, column| state.cell(row, column), player),
    );
    check(
        ConnectFour::<5, 4>::new(),
        |_| true,
        |state, player| count(4, 5, |row, column| state.cell(row, column), player),
    );
    let hex = Hex::new(5).expect("a size").with_swap();
    // The swap has no cell.
    check(
        hex,
        |name| name != "swap",
        |state, player| count(5, 5, |row, column| state.cell(row, column), player),
    );
}

#[test]
fn a_picture_of_sudo_tic_tac_toe_shows_cells_and_boards() {
    let mut state = SudoTicTacToe::new(Mode::LocalWin);
    assert_eq!(state.picture(None).matches("data-action").count(), 81);
    let first = "5.1".parse().expect("a cell");
    state.play(first).expect("legal");
    let picture = state.picture(Some(first));
    assert_eq!(picture.matches("data-action").count(), 9, "all cells of board 1");
    assert_eq!(picture.matches("class=\"p0 last\"").count(), 1);
    assert_eq!(picture.matches("fill-opacity=\".12\"").count(), 1, "the board to play in stands out");
}
