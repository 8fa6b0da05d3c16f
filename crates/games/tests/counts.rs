//! The games have the right numbers of lines of play, positions and outcomes.

use crate::common::sized;
use crate::support::{counts, mover, outcomes, perft, random_game, successors};
use ramure::{GameState, Rng, Turn};
use ramure_games::connect4::ConnectFour;
use ramure_games::hex::HexAction;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

#[test]
fn tic_tac_toe_has_the_known_number_of_lines() {
    let known = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872];
    assert_eq!(counts(&TicTacToe::new(), 9), known);
    assert_eq!(perft(&TicTacToe::new(), 10), 0);
}

#[test]
fn tic_tac_toe_has_the_known_outcomes() {
    assert_eq!(outcomes(&TicTacToe::new()), [131184, 46080, 77904]);
}

#[test]
fn tic_tac_toe_has_5478_positions() {
    let mut seen = HashSet::new();
    let mut open = vec![TicTacToe::new()];
    while let Some(game) = open.pop() {
        if seen.insert(game) {
            open.extend(successors(&game));
        }
    }
    assert_eq!(seen.len(), 5478);
}

#[test]
fn connect4_has_the_known_number_of_lines() {
    let known = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234];
    let depth = sized(7, 8);
    assert_eq!(counts(&Connect4::new(), depth), known[..depth]);
}

#[test]
fn connect4_has_13032_lines_that_end_with_the_seventh_stone() {
    fn finished(game: &Connect4, depth: usize) -> u64 {
        if depth == 0 {
            return u64::from(game.turn() == Turn::Over);
        }
        successors(game).map(|next| finished(&next, depth - 1)).sum()
    }
    assert_eq!(finished(&Connect4::new(), 7), 13032);
    assert_eq!(finished(&Connect4::new(), 6), 0);
}

/// Small boards are draws (J. Tromp, *John's Connect Four Playground*).
#[test]
fn small_boards_of_connect4_are_draws() {
    assert_drawn(ConnectFour::<4, 4>::new());
    if sized(false, true) {
        assert_drawn(ConnectFour::<5, 4>::new());
        assert_drawn(ConnectFour::<4, 5>::new());
        assert_drawn(ConnectFour::<5, 5>::new());
    }
}

/// Checks by alpha-beta with a table that neither player can force more than half a point.
fn assert_drawn<const COLUMNS: u8, const ROWS: u8>(start: ConnectFour<COLUMNS, ROWS>) {
    type Known<G> = HashMap<G, bool>;
    /// Whether player 0 can get more than `reward`.
    fn gets_more<G: GameState + Eq + Hash>(game: &G, reward: f64, known: &mut Known<G>) -> bool {
        let mover = match game.turn() {
            Turn::Player(mover) => mover,
            _ => return game.reward(0) > reward,
        };
        if let Some(&known) = known.get(game) {
            return known;
        }
        // One action that suits the mover is enough.
        let suits = successors(game).any(|next| gets_more(&next, reward, known) == (mover == 0));
        let more = suits == (mover == 0);
        known.insert(game.clone(), more);
        more
    }
    assert!(gets_more(&start, 0.25, &mut HashMap::new()), "{COLUMNS} x {ROWS} is lost");
    assert!(!gets_more(&start, 0.75, &mut HashMap::new()), "{COLUMNS} x {ROWS} is won");
}

#[test]
fn hex_has_the_known_number_of_lines() {
    let known = [9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960];
    let depth = sized(7, 9);
    assert_eq!(counts(&hex(3), depth), known[..depth]);
    let depth = sized(4, 5);
    assert_eq!(counts(&hex(4), depth), [16, 240, 3360, 43680, 524160][..depth]);
}

#[test]
fn hex_3x3_has_the_known_outcomes_and_no_draws() {
    assert_eq!(outcomes(&hex(3)), [165600, 0, 92160]);
}

#[test]
fn hex_with_swap_has_one_more_second_action() {
    assert_eq!(counts(&hex(3).with_swap(), 3), [9, 72 + 9, 504 + 9 * 8]);
}

#[test]
fn sudo_tic_tac_toe_has_the_known_number_of_lines() {
    let depth = sized(5, 6);
    let local_win = SudoTicTacToe::new(Mode::LocalWin);
    assert_eq!(counts(&local_win, depth), [81, 720, 6336, 55080, 473256, 4015008][..depth]);
    let ultimate = SudoTicTacToe::new(Mode::Ultimate);
    assert_eq!(counts(&ultimate, depth), [81, 720, 6336, 55080, 473256, 4020960][..depth]);
}

#[test]
fn hex_has_the_known_winning_first_actions() {
    assert_eq!(winning_first_actions(2), ["a2", "b1"]);
    assert_eq!(winning_first_actions(3), ["a2", "a3", "b2", "c1", "c2"]);
    if sized(false, true) {
        assert_eq!(winning_first_actions(4), ["a4", "b3", "c2", "d1"]);
    }
}

#[test]
fn with_the_swap_rule_the_second_player_of_hex_wins() {
    for size in 2..=3 {
        assert!(!mover_wins(&hex(size).with_swap(), &mut HashMap::new()), "{size}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    fn best<G: GameState + Eq + Hash>(game: &G, known: &mut HashMap<G, i8>) -> i8 {
        if let Some(&value) = known.get(game) {
            return value;
        }
        let value = match game.turn() {
            Turn::Player(0) => successors(game).map(|next| best(&next, known)).max().unwrap_or(0),
            Turn::Player(_) => successors(game).map(|next| best(&next, known)).min().unwrap_or(0),
            _ => (2.0 * game.reward(0)) as i8,
        };
        known.insert(game.clone(), value);
        value
    }
    assert_eq!(best(&TicTacToe::new(), &mut HashMap::new()), 1, "1 is a draw, 0 a loss, 2 a win");
}

/// Computes the exact probabilities of random play, by a walk through all positions.
#[test]
fn random_play_of_tic_tac_toe_has_the_known_outcomes() {
    fn chances(game: &TicTacToe) -> [f64; 3] {
        if game.turn() == Turn::Over {
            return [1.0, 0.5, 0.0].map(|reward| f64::from(u8::from(game.reward(0) == reward)));
        }
        let next: Vec<[f64; 3]> = successors(game).map(|next| chances(&next)).collect();
        [0, 1, 2].map(|outcome| next.iter().map(|chances| chances[outcome]).sum::<f64>() / next.len() as f64)
    }
    let [won, drawn, lost] = chances(&TicTacToe::new());
    // Counts of random games from another source, which are within .001 of the truth.
    for (chance, counted) in [(won, 0.5845), (drawn, 0.1278), (lost, 0.2877)] {
        assert!((chance - counted).abs() < 1e-3, "{chance} {counted}");
    }
    assert_random_play(&TicTacToe::new(), sized(200_000, 1_000_000), [won, drawn, lost], (7.6264, 1.3));
}

#[test]
fn random_play_of_connect4_has_the_known_outcomes() {
    assert_random_play(&Connect4::new(), sized(100_000, 1_000_000), [0.5557, 0.0026, 0.4417], (21.313, 7.4));
}

#[test]
fn random_play_of_hex_has_the_known_outcomes() {
    // On 11 x 11, filling the board at random and looking for the winner gives the same .523.
    assert_random_play(&hex(7), sized(15_000, 300_000), [0.5442, 0.0, 0.4558], (42.265, 5.5));
    assert_random_play(&hex(11), sized(4_000, 100_000), [0.5230, 0.0, 0.4770], (107.51, 10.7));
}

#[test]
fn random_play_of_sudo_tic_tac_toe_has_the_known_outcomes() {
    let games = sized(20_000, 300_000);
    let local_win = SudoTicTacToe::new(Mode::LocalWin);
    assert_random_play(&local_win, games, [0.5331, 0.0, 0.4669], (29.25, 9.4));
    let ultimate = SudoTicTacToe::new(Mode::Ultimate);
    assert_random_play(&ultimate, games, [0.4116, 0.2222, 0.3662], (58.90, 6.6));
}

/// Checks that random play has these shares of wins, draws and losses of player 0, and a length with this
/// mean and deviation.
///
/// The expected figures are means of 6e6 to 2e8 games, so their own error is small compared with that of the
/// sample. The bound is five standard errors (plus .0003 for rounding), so a right game fails one of its four
/// comparisons once in 4e5 seeds.
fn assert_random_play<G: GameState>(start: &G, games: u32, expected: [f64; 3], length: (f64, f64)) {
    let mut rng = Rng::seeded(4);
    let (mut counted, mut total) = ([0.0; 3], 0.0);
    for _ in 0..games {
        let mut states = 0.0;
        let last = random_game(start, &mut rng, |_| states += 1.0);
        total += states - 1.0;
        counted[2 - (2.0 * last.reward(0)) as usize] += 1.0;
    }
    let games = f64::from(games);
    for (counted, expected) in counted.into_iter().zip(expected) {
        let error = (expected * (1.0 - expected) / games).sqrt();
        assert!((counted / games - expected).abs() <= 5.0 * error + 3e-4, "{} {expected}", counted / games);
    }
    let (mean, deviation) = length;
    assert!(
        (total / games - mean).abs() <= 5.0 * deviation / games.sqrt() + 0.01,
        "{} {mean}",
        total / games
    );
}

fn hex(size: u8) -> Hex {
    Hex::new(size).expect("a valid size")
}

fn winning_first_actions(size: u8) -> Vec<String> {
    let mut known = HashMap::new();
    let mut winning: Vec<String> = hex(size)
        .actions()
        .into_iter()
        .filter(|&action| {
            let mut next = hex(size);
            next.apply(action);
            !mover_wins(&next, &mut known)
        })
        .map(|action| action.to_string())
        .collect();
    winning.sort();
    winning
}

/// Whether the player to move wins, in a game without draws.
fn mover_wins(game: &Hex, known: &mut HashMap<u64, bool>) -> bool {
    if game.turn() == Turn::Over {
        return false;
    }
    let key = key(game);
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let wins = successors(game).any(|next| !mover_wins(&next, known));
    known.insert(key, wins);
    wins
}

/// Returns a number for each position of a board of at most 6 x 6 cells.
fn key(game: &Hex) -> u64 {
    let cells = (0..game.size()).flat_map(|row| (0..game.size()).map(move |column| (row, column)));
    let digits = cells.map(|(row, column)| game.cell(row, column).map_or(0, |player| u64::from(player) + 1));
    let digits = digits.chain([mover(game).into(), game.is_legal(HexAction::Swap).into()]);
    digits.fold(0, |key, digit| 3 * key + digit)
}
