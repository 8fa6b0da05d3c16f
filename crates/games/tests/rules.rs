//! The rules of the four games, case by case, including the mistakes that other programs have made.

use crate::support::{DRAWN_SUDO, legal, mover, play, random_game, reason, states};
use ramure::{ActionIndex, GameState, Rng, Turn};
use ramure_games::hex::HexAction;
use ramure_games::sudo_tic_tac_toe::{self, Mode};
use ramure_games::{Connect4, Hex, IllegalReason, SudoTicTacToe, TicTacToe};
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

#[test]
fn a_row_of_three_wins_in_all_eight_directions() {
    for (line, others) in [
        ("123", "45"),
        ("456", "12"),
        ("789", "12"),
        ("147", "23"),
        ("258", "13"),
        ("369", "12"),
        ("159", "23"),
        ("357", "12"),
    ] {
        let cells: Vec<String> = line.chars().map(String::from).collect();
        let others: Vec<String> = others.chars().map(String::from).collect();
        let order = [&cells[0], &others[0], &cells[1], &others[1], &cells[2]].map(String::as_str).join(" ");
        let game = play(TicTacToe::new(), &order);
        assert_eq!(
            (game.turn(), game.winner(), game.reward(0), game.reward(1)),
            (Turn::Over, Some(0), 1.0, 0.0)
        );
        let found = game.winning_line().expect("a line").map(|cell| cell.to_string());
        assert_eq!(found.concat(), line);
    }
}

#[test]
fn a_full_board_without_a_row_is_a_draw() {
    let game = play(TicTacToe::new(), "1 2 3 5 4 6 8 7 9");
    assert_eq!((game.turn(), game.winner(), game.reward(0), game.reward(1)), (Turn::Over, None, 0.5, 0.5));
    assert_eq!((game.winning_line(), game.actions().into_iter().count()), (None, 0));
}

#[test]
fn a_win_with_the_ninth_mark_is_not_a_draw() {
    let game = play(TicTacToe::new(), "1 2 3 4 5 7 6 8 9");
    assert_eq!((game.winner(), game.reward(0)), (Some(0), 1.0));
    let found = game.winning_line().expect("a line").map(|cell| cell.to_string());
    assert_eq!(found, ["3", "6", "9"]);
}

#[test]
fn a_vertical_four_wins() {
    for column in 0..7 {
        let other = (column + 1) % 7;
        let game =
            play(Connect4::new(), &format!("{column} {other} {column} {other} {column} {other} {column}"));
        assert_eq!((game.turn(), game.winner()), (Turn::Over, Some(0)), "{game}");
        assert_eq!(game.winning_line(), Some([0, 1, 2, 3].map(|row| (row, column))));
        // A line at the upper end of the column, whose first two stones are the opponent's.
        let order =
            format!("{other} {column} {other} {column} {column} {other} {column} 6 {column} 6 {column}");
        if other != 6 && column != 6 {
            assert_eq!(play(Connect4::new(), &order).winner(), Some(0), "{order}");
        }
    }
}

#[test]
fn a_horizontal_four_wins_and_does_not_run_over_the_edge() {
    for first in 0..4 {
        let order: Vec<String> = (first..first + 3).map(|column| format!("{column} {column}")).collect();
        let order = format!("{} {}", order.join(" "), first + 3);
        assert_eq!(play(Connect4::new(), &order).winner(), Some(0), "{order}");
    }
    assert_eq!(
        play(Connect4::new(), "4 0 5 3 6 3 0").winner(),
        None,
        "row 0 from the right goes on in row 1 at the left"
    );
    assert_eq!(
        play(Connect4::new(), "0 0 0 0 0 6 0 6 1 5 1").winner(),
        None,
        "column 0 goes on at the foot of column 1"
    );
}

#[test]
fn a_diagonal_four_wins() {
    let rising = "0 1 1 2 2 3 2 3 3 6 3";
    assert_eq!(play(Connect4::new(), rising).winner(), Some(0));
    assert_eq!(play(Connect4::new(), rising).winning_line(), Some([(0, 0), (1, 1), (2, 2), (3, 3)]));
    let falling = "6 5 5 4 4 3 4 3 3 0 3";
    assert_eq!(play(Connect4::new(), falling).winner(), Some(0));
}

#[test]
fn two_fours_from_the_same_cell_are_a_win() {
    for (rows, column) in [
        // A line to the right rising from the bottom left, and a line to the right falling from the top left.
        ([".......", ".......", "...R...", "..RY...", ".RYY..Y", ".RRR.YY"], "0"),
        ([".......", ".......", ".RRR...", "YRYY...", "YYRY...", "RYYRR.."], "0"),
    ] {
        let before: Connect4 = format!("0123456\n{}", rows.join("\n")).parse().expect("a board");
        assert_eq!(before.winner(), None, "{before}");
        assert_eq!(play(before, column).winner(), Some(0), "{before}");
    }
}

#[test]
fn a_win_with_the_forty_second_stone_is_not_a_draw() {
    // A full board with a winning line, found among random games. These must also include full boards without
    // a line.
    let (mut won, mut drawn) = (None, None);
    let mut rng = Rng::seeded(11);
    for _ in 0..20_000 {
        let last = random_game(&Connect4::new(), &mut rng, |_| {});
        if (0..7).all(|column| last.cell(5, column).is_some()) {
            *if last.winner().is_some() { &mut won } else { &mut drawn } = Some(last);
        }
    }
    let (won, drawn) = (won.expect("found"), drawn.expect("found"));
    // The second player places the last of 42 stones.
    assert_eq!(
        (won.turn(), won.winner(), won.reward(0), won.reward(1)),
        (Turn::Over, Some(1), 0.0, 1.0),
        "{won}"
    );
    assert_eq!(
        (drawn.turn(), drawn.winner(), drawn.reward(0), drawn.reward(1)),
        (Turn::Over, None, 0.5, 0.5),
        "{drawn}"
    );
}

#[test]
fn a_full_column_is_not_an_action() {
    let mut game = play(Connect4::new(), "3 3 3 3 3 3");
    assert_eq!(legal(&game), ["0", "1", "2", "4", "5", "6"]);
    let before = game;
    assert_eq!(reason(game.play("3".parse().expect("a column"))), Some(IllegalReason::ColumnFull));
    assert_eq!(game, before);
    assert_eq!(
        (game.cell(0, 3), game.cell(5, 3), game.cell(6, 3), game.cell(0, 7)),
        (Some(0), Some(1), None, None)
    );
    // The position seven rows up in column 2 is not the bottom of column 3.
    assert_eq!((game.cell(7, 2), game.cell(0, 200), game.cell(200, 0)), (None, None, None));
}

#[test]
fn hex_sizes_are_2_to_19() {
    for size in 0..=u8::MAX {
        let error = Hex::new(size).err().map(|error| error.to_string());
        let expected = || format!("Hex::size is {size}; it must be from 2 to 19");
        assert_eq!(error, (!(2..=19).contains(&size)).then(expected));
    }
}

#[test]
fn player_0_of_hex_joins_top_and_bottom_and_player_1_left_and_right() {
    for size in Hex::SIZES {
        let down: Vec<String> = (1..=size).map(|row| format!("a{row}")).collect();
        let beside: Vec<String> = (1..=size).map(|row| format!("b{row}")).collect();
        let order: Vec<String> =
            down.iter().zip(&beside).flat_map(|(own, other)| [own.clone(), other.clone()]).collect();
        let game = play(hex(size), &order[..order.len() - 1].join(" "));
        assert_eq!((game.winner(), game.winning_chain().len()), (Some(0), usize::from(size)));
        let across: Vec<String> = (0..size).map(|column| format!("{}1", char::from(b'a' + column))).collect();
        let below: Vec<String> = (0..size).map(|column| format!("{}2", char::from(b'a' + column))).collect();
        // Player 0 plays in the row below, which on the smallest board would win, so that size is left out.
        if size > 2 {
            let order: Vec<String> =
                below.iter().zip(&across).flat_map(|(own, other)| [own.clone(), other.clone()]).collect();
            let game = play(hex(size), &order.join(" "));
            assert_eq!((game.winner(), game.reward(0), game.reward(1)), (Some(1), 0.0, 1.0));
            let chain: Vec<String> = game.winning_chain().iter().map(ToString::to_string).collect();
            assert_eq!(chain, across);
        }
    }
}

#[test]
fn cells_of_hex_touch_along_one_diagonal_only() {
    assert_eq!(play(hex(2), "b1 b2 a2").winner(), Some(0), "b1 and a2 touch");
    assert_eq!(play(hex(2), "a1 a2 b2").winner(), None, "a1 and b2 do not");
}

#[test]
fn stones_connected_to_no_side_are_outside_the_winning_chain() {
    let game = play(hex(4), "b1 c1 b2 c2 d1 c3 b3 d3 a4");
    let chain: Vec<String> = game.winning_chain().iter().map(ToString::to_string).collect();
    assert_eq!(chain, ["b1", "b2", "b3", "a4"]);
}

#[test]
fn a_winning_chain_contains_all_connected_stones() {
    for rows in [
        // In turn, the chain has a stone above two stones of the last row; a stone between two that the flood
        // reaches at once; and a stone left of one and above another.
        ["1 O X O .", "2 O X O .", "3 . X . .", "4 X X . ."],
        ["1 O X O O", "2 O X O O", "3 . X X X", "4 X . . X"],
        ["1 O O O X", "2 O X X O", "3 . X X .", "4 . . X ."],
    ] {
        let game: Hex = format!("a b c d\n{}", rows.join("\n")).parse().expect("a board");
        let cells = (0..4).flat_map(|row| (0..4).map(move |column| (row, column)));
        let own: Vec<(u8, u8)> = cells.filter(|&(row, column)| game.cell(row, column) == Some(0)).collect();
        let chain = game.winning_chain().iter().map(|cell| (cell.row(), cell.column())).collect::<Vec<_>>();
        assert_eq!(chain, own, "{game}");
    }
}

#[test]
fn a_swap_mirrors_the_stone_and_gives_it_to_player_1() {
    let before = play(hex(5).with_swap(), "b4");
    assert!(before.is_legal(HexAction::Swap));
    assert_eq!(before.actions().into_iter().count(), 25);
    let after = play(before.clone(), "swap");
    assert_eq!((after.cell(3, 1), after.cell(1, 3), mover(&after)), (None, Some(1), 0));
    assert_eq!(after.actions().into_iter().count(), 24);
    // Player 1 continues from there: d2 joins the sides with a2 b2 c2 e2.
    let won = play(after, "a1 c2 b1 b2 c1 a2 d1 e2");
    assert_eq!(won.winner(), Some(1), "{won}");
}

#[test]
fn a_swap_is_legal_only_as_the_second_action_with_the_rule() {
    let refuses = |mut game: Hex| reason(game.play(HexAction::Swap)) == Some(IllegalReason::NoSwap);
    assert!(refuses(play(hex(5), "b4")), "the rule is off by default");
    assert!(refuses(hex(5).with_swap()), "there is nothing to swap");
    assert!(refuses(play(hex(5).with_swap(), "b4 a1")), "the second action was a stone");
    assert!(refuses(play(hex(5).with_swap(), "b4 swap")), "it has been swapped");
    assert!(refuses(play(hex(5).with_swap(), "b4 swap a1")), "it has been swapped");
}

#[test]
fn a_pass_of_hex_declines_the_swap_and_gives_the_turn_away() {
    let first = play(hex(3).with_swap(), "b1");
    assert_eq!(first.clone().with_turn(1), first, "it is player 1's turn already");
    assert_eq!(first.clone().with_turn(2), first, "there is no such player");
    let passed = first.clone().with_turn(0);
    assert_eq!((mover(&passed), passed.is_legal(HexAction::Swap)), (0, false));
    assert!(!passed.with_turn(1).is_legal(HexAction::Swap), "it has been declined");
    // Player 1 may begin. Then player 0 swaps.
    let swapped = play(hex(3).with_swap().with_turn(1), "b1 swap");
    assert_eq!((swapped.cell(1, 0), swapped.cell(0, 1), mover(&swapped)), (Some(0), None, 1));
    assert!(!swapped.is_legal("a2".parse().expect("a cell")) && swapped.actions().into_iter().count() == 8);
    // Player 0 alone joins top and bottom.
    let mut alone = hex(3);
    for cell in ["b1", "b2", "b3"] {
        alone = play(alone.with_turn(0), cell);
    }
    assert_eq!((alone.winner(), alone.turn()), (Some(0), Turn::Over));
}

#[test]
fn a_swapped_and_a_placed_stone_differ_in_the_turn() {
    let swapped = play(hex(3).with_swap(), "b2 swap a1");
    let placed = play(hex(3).with_swap(), "a1 b2");
    assert_eq!((mover(&swapped), mover(&placed)), (1, 0));
    assert_ne!(swapped, placed);
}

#[test]
fn the_cell_played_names_the_next_board() {
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        let mut game = play(SudoTicTacToe::new(mode), "5.1");
        assert_eq!(game.next_board(), Some(0));
        assert_eq!(legal(&game), (1..=9).map(|cell| format!("1.{cell}")).collect::<Vec<_>>());
        assert_eq!(reason(game.play(sudo("5.2"))), Some(IllegalReason::OtherBoard { board: 0 }));
        assert_eq!((game.cell(3, 3), game.cell(0, 0), game.cell(9, 0)), (Some(0), None, None));
        // A mark may send the opponent to the board in which it was made.
        assert_eq!(play(game, "1.1").next_board(), Some(0));
    }
}

#[test]
fn in_mode_1_the_first_row_in_any_board_wins() {
    let game = play(SudoTicTacToe::new(Mode::LocalWin), "1.2 2.1 1.1 1.4 4.1 1.5 5.1 1.6");
    assert_eq!((game.turn(), game.winner(), game.board_winner(0)), (Turn::Over, Some(1), Some(1)));
    assert_eq!((game.reward(0), game.reward(1), game.next_board()), (0.0, 1.0, None));
    assert_eq!([1, 8, 9, 16, 255].map(|board| game.board_winner(board)), [None; 5]);
    assert_eq!(game.actions().into_iter().count(), 0);
}

#[test]
fn in_mode_2_one_won_board_does_not_end_the_game() {
    let game = play(SudoTicTacToe::new(Mode::Ultimate), "1.2 2.1 1.1 1.4 4.1 1.5 5.1 1.6");
    assert_eq!((game.turn(), game.winner(), game.board_winner(0)), (Turn::Player(0), None, Some(1)));
    assert_eq!(game.next_board(), Some(5));
}

#[test]
fn in_mode_2_a_won_board_is_closed_and_gives_a_free_choice() {
    let mut game = play(SudoTicTacToe::new(Mode::Ultimate), "1.2 2.1 1.1 1.4 4.1 1.5 5.1 1.6 6.1");
    assert_eq!((mover(&game), game.next_board()), (1, None));
    assert!(legal(&game).iter().all(|action| !action.starts_with('1')));
    assert_eq!(game.actions().into_iter().count(), 81 - 9 - 4);
    assert_eq!(reason(game.play(sudo("1.3"))), Some(IllegalReason::BoardClosed));
    assert_eq!(reason(game.play(sudo("1.1"))), Some(IllegalReason::CellTaken));
    // The mark of the free choice belongs to the player who chooses.
    game = play(game, "9.5");
    assert_eq!((game.cell(7, 7), game.next_board(), mover(&game)), (Some(1), Some(4), 0));
}

#[test]
fn in_mode_1_a_full_board_gives_a_free_choice() {
    let mut choices = 0;
    for game in &states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO)[1..81] {
        if game.next_board().is_none() {
            choices += 1;
            let free = (0..81).filter(|i| game.cell(i / 9, i % 9).is_none()).count();
            assert_eq!(game.actions().into_iter().count(), free, "{game}");
        } else {
            assert!(
                game.actions().into_iter().all(|action| Some(action.board()) == game.next_board()),
                "{game}"
            );
        }
    }
    assert_eq!(choices, 4);
}

#[test]
fn in_mode_1_81_cells_without_a_row_are_a_draw() {
    let games = states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO);
    assert!(games[..81].iter().all(|game| game.turn() != Turn::Over));
    assert_eq!((games[81].turn(), games[81].reward(0), games[81].reward(1)), (Turn::Over, 0.5, 0.5));
    assert_eq!((games[81].winner(), games[81].actions().into_iter().count()), (None, 0));
}

#[test]
fn in_mode_2_three_boards_in_a_row_win() {
    let mut rng = Rng::seeded(13);
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..300 {
        let last = random_game(&SudoTicTacToe::new(Mode::Ultimate), &mut rng, |_| {});
        let of = |player| {
            (0..9).filter(move |&board| last.board_winner(board) == Some(player)).collect::<Vec<u8>>()
        };
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
        let row = |player| lines.iter().any(|line| line.iter().all(|board| of(player).contains(board)));
        assert_eq!((row(0), row(1)), (last.winner() == Some(0), last.winner() == Some(1)), "{last}");
        if last.winner().is_some() { wins += 1 } else { draws += 1 }
    }
    assert!(wins > 100 && draws > 30, "{wins} {draws}");
}

#[test]
fn a_finished_game_has_no_legal_action() {
    assert_eq!(
        reason(play(TicTacToe::new(), "1 4 2 5 3").play("6".parse().expect("a cell"))),
        Some(IllegalReason::GameOver)
    );
    assert_eq!(
        reason(play(Connect4::new(), "0 1 0 1 0 1 0").play("1".parse().expect("a column"))),
        Some(IllegalReason::GameOver)
    );
    assert_eq!(
        reason(play(hex(2), "b1 b2 a2").play("a1".parse().expect("a cell"))),
        Some(IllegalReason::GameOver)
    );
    let mut sudo_game = play(SudoTicTacToe::new(Mode::LocalWin), "1.2 2.1 1.1 1.4 4.1 1.5 5.1 1.6");
    assert_eq!(reason(sudo_game.play(sudo("6.1"))), Some(IllegalReason::GameOver));
}

#[test]
fn an_illegal_action_is_an_error_with_a_message() {
    for (error, words) in [
        (IllegalReason::GameOver, "the game is over"),
        (IllegalReason::ColumnFull, "this column is full"),
        (IllegalReason::CellTaken, "this cell is taken"),
        (IllegalReason::OffTheBoard { size: 5 }, "off the board, which is 5 by 5"),
        (IllegalReason::OtherBoard { board: 0 }, "sends you to board 1; choose a cell 1.1 to 1.9"),
        (IllegalReason::BoardClosed, "this board is already won"),
        (IllegalReason::NoSwap, "a swap may only be the second action"),
    ] {
        assert!(error.to_string().contains(words), "{error}");
    }
    let error = play(hex(3), "b2").play("b2".parse().expect("a cell")).expect_err("it is taken");
    assert_eq!(error.to_string(), "b2 is not legal: this cell is taken; choose a free one");
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn hex_rejects_cells_off_the_board_and_taken_cells() {
    let mut game = play(hex(3), "b2");
    assert_eq!(
        reason(game.play("d1".parse().expect("a cell"))),
        Some(IllegalReason::OffTheBoard { size: 3 })
    );
    assert_eq!(
        reason(game.play("a19".parse().expect("a cell"))),
        Some(IllegalReason::OffTheBoard { size: 3 })
    );
    assert_eq!(reason(game.play("b2".parse().expect("a cell"))), Some(IllegalReason::CellTaken));
    assert_eq!(game, play(hex(3), "b2"));
    assert_eq!((game.cell(1, 1), game.cell(3, 3), game.cell(200, 200)), (Some(0), None, None));
}

#[test]
fn an_action_is_legal_if_and_only_if_it_is_listed() {
    fn check<G: GameState + std::fmt::Debug>(start: &G) {
        let all: Vec<G::Action> = start.actions().into_iter().collect();
        let mut rng = Rng::seeded(12);
        for _ in 0..10 {
            random_game(start, &mut rng, |game| {
                let listed: Vec<G::Action> = game.actions().into_iter().collect();
                for action in &all {
                    assert_eq!(
                        game.is_legal(action.clone()),
                        listed.contains(action),
                        "{action:?} in {game:?}"
                    );
                }
            });
        }
    }
    check(&TicTacToe::new());
    check(&Connect4::new());
    check(&hex(4));
    check(&SudoTicTacToe::new(Mode::LocalWin));
    check(&SudoTicTacToe::new(Mode::Ultimate));
}

/// A search copies a state in every iteration.
#[test]
fn states_are_small() {
    assert!(size_of::<TicTacToe>() <= 8);
    assert!(size_of::<Connect4>() <= 24);
    assert!(size_of::<SudoTicTacToe>() <= 48);
    assert!(size_of::<Hex>() <= 1880);
}

#[test]
fn positions_are_equal_however_they_were_reached() {
    fn same<G: GameState + Eq + Hash + std::fmt::Debug>(one: &G, other: &G) {
        let hash = |game: &G| {
            let mut hasher = DefaultHasher::new();
            game.hash(&mut hasher);
            hasher.finish()
        };
        assert_eq!(one, other);
        assert_eq!(hash(one), hash(other));
    }
    same(&play(TicTacToe::new(), "1 2 3"), &play(TicTacToe::new(), "3 2 1"));
    same(&play(Connect4::new(), "0 1 2"), &play(Connect4::new(), "2 1 0"));
    same(&play(hex(5), "c1 a3 c2 b3 c3 d3"), &play(hex(5), "c3 d3 c2 b3 c1 a3"));
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        let start = SudoTicTacToe::new(mode);
        same(&play(start, "5.1 1.2 2.1 1.4 4.1 1.3"), &play(start, "5.1 1.4 4.1 1.2 2.1 1.3"));
        assert_ne!(play(start, "5.1 1.2 2.1 1.4"), play(start, "5.1 1.4 4.1 1.2"));
    }
}

#[test]
fn action_indices_are_dense_and_distinct() {
    fn indices<G: ActionIndex>(game: &G) -> HashSet<usize> {
        let indices: Vec<usize> = game.actions().into_iter().map(G::action_index).collect();
        assert!(indices.iter().all(|&index| index < G::ACTION_COUNT));
        let distinct: HashSet<usize> = indices.iter().copied().collect();
        assert_eq!(distinct.len(), indices.len());
        distinct
    }
    assert_eq!(indices(&TicTacToe::new()).len(), TicTacToe::ACTION_COUNT);
    assert_eq!(indices(&Connect4::new()).len(), Connect4::ACTION_COUNT);
    assert_eq!(indices(&SudoTicTacToe::new(Mode::LocalWin)).len(), SudoTicTacToe::ACTION_COUNT);
    assert_eq!((indices(&hex(19)).len(), Hex::ACTION_COUNT), (361, 362));
    assert!(indices(&play(hex(19).with_swap(), "a1")).contains(&361));
    assert!(indices(&hex(3)).is_subset(&indices(&hex(19))));
}

fn hex(size: u8) -> Hex {
    Hex::new(size).expect("a valid size")
}

fn sudo(text: &str) -> sudo_tic_tac_toe::Cell {
    text.parse().expect("a cell")
}
