//! The keys of the four games: equal where the futures are equal, and different in different positions.

use crate::common::sized;
use crate::support::successors;
use ramure::Keyed;
use ramure_games::connect4::ConnectFour;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure_rules::Law;
use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

#[test]
fn equal_keys_have_equal_futures() {
    fn check<G: Keyed + Debug + 'static>(game: G) {
        let check = ramure_rules::check(game).keys().only([Law::Keys]).states(sized(300, 20_000));
        check.games(sized(40, 4_000)).run().unwrap_or_else(|violation| panic!("{violation}"));
    }
    check(TicTacToe::new());
    check(Connect4::new());
    check(ConnectFour::<5, 4>::new());
    for size in [2, 3, 5] {
        check(hex(size));
        check(hex(size).with_swap());
    }
    check(SudoTicTacToe::new(Mode::LocalWin));
    check(SudoTicTacToe::new(Mode::Ultimate));
}

/// The numbers of positions after each number of actions are known: 5478 in all (Tic-Tac-Toe); sequence
/// A212693 of the OEIS (Connect 4).
#[test]
fn there_are_as_many_keys_as_positions() {
    assert_eq!(keys(&TicTacToe::new(), 9).iter().sum::<usize>(), 5478);
    let known = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275];
    let depth = sized(5, 8);
    assert_eq!(keys(&Connect4::new(), depth), known[..=depth]);
    // 161 029 positions in all (J. Tromp, *John's Connect Four Playground*), counted by a program of its own
    // that writes boards as text.
    let small =
        [1, 4, 16, 52, 160, 436, 1128, 2512, 5084, 9276, 14788, 21720, 26698, 28922, 24912, 18076, 7244];
    let depth = sized(8, 16);
    assert_eq!(keys(&ConnectFour::<4, 4>::new(), depth), small[..=depth]);
    assert_eq!(small.iter().sum::<usize>(), 161_029);
    // A stone in each of 9 cells, then another in each of the other 8; with a swap, the only stone belongs to
    // the other player.
    assert_eq!(keys(&hex(3), 2), [1, 9, 72]);
    assert_eq!(keys(&hex(3).with_swap(), 2), [1, 9, 72 + 9]);
    // Three marks can be made in one order only, so each line is another position.
    let lines = [1, 81, 720, 6336];
    let depth = sized(2, 3);
    assert_eq!(keys(&SudoTicTacToe::new(Mode::Ultimate), depth), lines[..=depth]);
}

/// The numbers of different keys after 0 to `depth` actions; as many as there are states, so that none is
/// found again later.
fn keys<G: Keyed + Eq + Hash>(start: &G, depth: usize) -> Vec<usize> {
    let (mut level, mut all, mut numbers) = (HashSet::from([start.clone()]), HashSet::new(), Vec::new());
    let mut states = 0;
    for length in 0..=depth {
        let keys = HashSet::<u128>::from_iter(level.iter().map(|state| state.key()));
        assert_eq!(keys.len(), level.len());
        numbers.push(keys.len());
        states += level.len();
        all.extend(keys);
        if length < depth {
            level = level.iter().flat_map(|state| Vec::from_iter(successors(state))).collect();
        }
    }
    assert_eq!(all.len(), states, "positions after different numbers of actions differ in all four games");
    numbers
}

fn hex(size: u8) -> Hex {
    Hex::new(size).expect("a size")
}
