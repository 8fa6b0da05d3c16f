//! Lines of play are counted correctly, and a table of known counts finds a wrong game.

mod games;
mod reading;

use crate::common::sized;
use crate::quick::shallow;
use crate::support::{outcomes, play, successors};
use games::{PlainTicTacToe, RACE, ROWS, Race};
use ramure::{GameState, Turn};
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use ramure_rules::{TableError, divide, perft, perft_table};

macro_rules! table {
    ($name:literal) => {
        include_str!(concat!("perft/", $name, ".perft"))
    };
}

#[test]
fn the_four_games_have_the_known_counts() {
    agrees(&TicTacToe::new(), table!("tic_tac_toe"), sized(80, 116));
    agrees(&Connect4::new(), table!("connect4"), sized(120, 134));
    agrees(&hex(3), table!("hex_3x3"), sized(20, 40));
    agrees(&hex(3).with_swap(), table!("hex_3x3_swap"), sized(64, 76));
    agrees(&hex(4), table!("hex_4x4"), sized(32, 53));
    agrees(&SudoTicTacToe::new(Mode::LocalWin), table!("sudo_local_win"), sized(88, 94));
    agrees(&SudoTicTacToe::new(Mode::Ultimate), table!("sudo_ultimate"), sized(84, 90));
}

/// The number is that of the file, so that a part of it cannot be skipped unnoticed.
#[track_caller]
fn agrees<G: GameState>(game: &G, table: &str, counts: usize) {
    let found = perft_table(game, &shallow(table, sized(15_500, u64::MAX)));
    assert_eq!(found.unwrap_or_else(|error| panic!("{error}")), counts);
}

#[test]
fn counts_are_those_of_a_plain_recursion() {
    assert_counted(&play(Connect4::new(), "3 3 3 3 3 2 2 4"), sized(4, 6));
    assert_counted(&play(TicTacToe::new(), "5 1"), 9);
    assert_counted(&hex(3), sized(5, 7));
    assert_counted(&play(SudoTicTacToe::new(Mode::LocalWin), "5.1 1.5 5.2 2.5"), sized(3, 4));
    assert_counted(&Race { sides: 2, players: 1, ..RACE }, 8);
    assert_counted(&Race { sides: 3, players: 2, ..RACE }, 7);
    assert_counted(&Race { sides: 2, players: 3, dice: true, ..RACE }, 9);
}

fn assert_counted<G: GameState>(game: &G, depth: usize) {
    fn count<G: GameState>(game: &G, depth: usize, is_counted: &dyn Fn(&G) -> bool) -> u64 {
        match (depth, game.turn()) {
            (0, _) => is_counted(game).into(),
            (_, Turn::Over) => 0,
            _ => successors(game).map(|next| count(&next, depth - 1, is_counted)).sum(),
        }
    }
    let perft = perft(game, depth);
    let players = 0..game.players();
    for depth in 1..=depth {
        // The last row is one of zeros if no line is that long.
        let row = &perft.rows[depth.min(perft.rows.len()) - 1];
        assert_eq!(row.lines, count(game, depth, &|_| true), "{depth}");
        let over = |state: &G| state.turn() == Turn::Over;
        assert_eq!(row.finished, count(game, depth, &over), "{depth}");
        for player in players.clone() {
            let best = |state: &G| match players.clone().filter(|&other| other != player) {
                _ if !over(state) => false,
                others if others.clone().count() == 0 => state.reward(player) > 0.5,
                mut others => {
                    let equal = others.clone().all(|other| state.reward(player) == state.reward(other));
                    !equal && others.all(|other| state.reward(player) >= state.reward(other))
                }
            };
            assert_eq!(row.wins[usize::from(player)], count(game, depth, &best), "{depth} {player}");
        }
    }
}

#[test]
fn the_games_of_all_depths_are_the_known_ones() {
    let sums = |rows: &[ramure_rules::PerftRow]| {
        let wins = |player: usize| rows.iter().map(|row| row.wins[player]).sum::<u64>();
        [wins(0), rows.iter().map(|row| row.draws).sum(), wins(1)]
    };
    let (tic_tac_toe, hex) = (TicTacToe::new(), hex(3));
    let all = sums(&perft(&tic_tac_toe, 9).rows);
    assert_eq!(all, [131184, 46080, 77904]);
    assert_eq!(all, outcomes(&tic_tac_toe));
    assert_eq!(sums(&perft(&hex, 9).rows), [165600, 0, 92160]);
}

#[test]
fn the_parts_of_a_divide_add_up_to_the_count() {
    let game = play(Connect4::new(), "3 3 3 3 3 2 2 4");
    for depth in 1..=5 {
        let divide = divide(&game, depth);
        let lines = |game: &Connect4, depth: usize| perft(game, depth).rows[depth - 1].lines;
        assert_eq!(divide.total(), lines(&game, depth), "{depth}");
        for &(action, count) in &divide.parts {
            let mut next = game;
            next.apply(action);
            let below = if depth == 1 { 1 } else { lines(&next, depth - 1) };
            assert_eq!(count, below, "{action} {depth}");
        }
    }
    let text = divide(&Connect4::new(), 1).to_string();
    assert_eq!(text, "0: 1\n1: 1\n2: 1\n3: 1\n4: 1\n5: 1\n6: 1\ntotal: 7 lines of 1 action\n");
    let won = play(TicTacToe::new(), "1 4 2 5 3");
    assert_eq!(divide(&won, 3).to_string(), "total: 0 lines of 3 actions\n");
    assert_eq!(divide(&game, 0).parts, []);
}

#[test]
fn a_row_of_zeros_follows_the_longest_line() {
    let rows = perft(&TicTacToe::new(), 1000).rows;
    assert_eq!(rows.len(), 10);
    assert_eq!((rows[9].depth, rows[9].lines, rows[9].finished, &rows[9].wins[..]), (10, 0, 0, &[0, 0][..]));
    assert_eq!(perft(&TicTacToe::new(), 9).rows.len(), 9);
    assert_eq!(perft(&TicTacToe::new(), 0).rows, []);
    let won = play(TicTacToe::new(), "1 4 2 5 3");
    assert_eq!(perft(&won, 5).rows.len(), 1);
    assert_eq!(perft(&won, 5).rows[0].lines, 0);
}

#[test]
fn a_corridor_may_be_a_million_actions_long() {
    let length = sized(200_000, 1_000_000);
    let perft = perft(&Race { goal: length, ..RACE }, length as usize);
    assert_eq!(perft.rows.len(), length as usize);
    assert!(perft.rows.iter().all(|row| row.lines == 1));
    assert_eq!(perft.rows.iter().map(|row| row.finished).sum::<u64>(), 1);
    assert_eq!(perft.rows[length as usize - 1].finished, 1);
}

#[test]
fn printed_counts_are_a_valid_table() {
    let game = play(Connect4::new(), "3 3 3 3 3 2 2 4");
    let printed = perft(&game, 6).to_string();
    assert_eq!(perft_table(&game, &printed), Ok(6 * 4));
    assert!(perft_table(&Connect4::new(), &printed).is_err());
    for players in 1..=3 {
        let game = Race { sides: 2, players, ..RACE };
        let printed = perft(&game, 99).to_string();
        let depths = printed.lines().count() - 1;
        let counts = perft_table(&game, &printed).expect("it is its own");
        assert_eq!(counts, depths * (2 + usize::from(players)));
    }
}

#[test]
fn every_wrong_count_is_found() {
    let (actions, depth) = sized(("5 1", 7), ("5", 8));
    let game = play(TicTacToe::new(), actions);
    let printed = perft(&game, depth).to_string();
    let words: Vec<&str> =
        printed.split_inclusive('\n').skip(1).flat_map(|line| line.split_inclusive(' ')).collect();
    let mut changed = 0;
    for index in 0..words.len() {
        let Ok(count) = words[index].trim().parse::<u64>() else { continue };
        let mut words = words.clone();
        let other = words[index].replace(&count.to_string(), &(count + 1).to_string());
        words[index] = &other;
        changed += usize::from(perft_table(&game, &words.concat()).is_err());
    }
    assert_eq!(changed, 5 * depth, "each row has a depth and four counts");
}

#[test]
fn a_wrong_count_is_reported_with_its_position() {
    let plain = |rows| PlainTicTacToe { rows, played: Vec::new() };
    let table = shallow(table!("tic_tac_toe"), sized(15_500, u64::MAX));
    assert!(perft_table(&plain(&ROWS), &table).is_ok());
    // The table without the last diagonal.
    let Err(error) = perft_table(&plain(&ROWS[..7]), &table) else { panic!("it passed") };
    let TableError::Difference { depth: 5, column, expected: 1440, found, divide, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!((column.as_str(), *found), ("finished", 1260));
    assert_eq!(divide.as_ref().map(|divide| (divide.parts.len(), divide.total())), Some((9, 1260)));

    let error = perft_table(&plain(&ROWS[..7]), "after 3; 1; 5; 2\n1 5 1\n").expect_err("7 wins");
    assert_eq!(
        error.to_string(),
        "line 2: finished at depth 1 after 3; 1; 5; 2: the table has 1, the game has 0; by the first action:\n\
         4: 0\n6: 0\n7: 0\n8: 0\n9: 0\ntotal: 0 finished at depth 1\n\
         to find the wrong position, compare `rules::divide` with that of a correct program",
    );
    // 49 first actions are too many to list.
    let error = perft_table(&hex(7), "1 50").expect_err("there are 49");
    assert_eq!(
        error.to_string(),
        "line 1: lines at depth 1 from the initial position: the table has 50, the game has 49\n\
         to find the wrong position, compare `rules::divide` with that of a correct program",
    );
}

fn hex(size: u8) -> Hex {
    Hex::new(size).expect("a valid size")
}
