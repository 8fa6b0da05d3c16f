//! States and actions can be read back from their printed text. Unreadable or impossible texts get an error
//! that names the fault.

use crate::common::sized;
use crate::support::{self, DRAWN_SUDO, assert_one_reads_back, assert_reads_back, play, states};
use ramure::{GameState, ParameterError};
use ramure_games::connect4::ConnectFour;
use ramure_games::hex::{self, HexAction};
use ramure_games::sudo_tic_tac_toe::{self, Mode};
use ramure_games::{Connect4, Hex, ParseError, SudoTicTacToe, TicTacToe, connect4, tic_tac_toe};
use std::str::FromStr;

#[test]
fn every_state_and_action_of_random_games_is_read_back() -> Result<(), ParameterError> {
    assert_reads_back(&TicTacToe::new(), sized(50, 200));
    assert_reads_back(&Connect4::new(), sized(20, 100));
    assert_reads_back(&ConnectFour::<5, 4>::new(), sized(20, 100));
    let (sizes, games) = sized((&[2, 3, 9, 10][..], 1), (&[2, 3, 9, 10, 19], 2));
    for &size in sizes {
        assert_reads_back(&Hex::new(size)?, games);
        assert_reads_back(&Hex::new(size)?.with_swap(), games);
    }
    states(&Hex::new(19)?, "a1 s1 a19 s19").iter().for_each(assert_one_reads_back);
    for seed in 0..20u8 {
        // A swap is rare among many cells.
        let cell = format!("{}{}", char::from(b'a' + seed % 4), 1 + seed / 5);
        assert_reads_back(&play(Hex::new(4)?.with_swap(), &format!("{cell} swap")), 1);
    }
    for mode in [Mode::LocalWin, Mode::Ultimate] {
        assert_reads_back(&SudoTicTacToe::new(mode), sized(5, 50));
    }
    states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO).iter().for_each(assert_one_reads_back);
    Ok(())
}

#[test]
fn boards_print_in_the_usual_notation() -> Result<(), ParameterError> {
    assert_eq!(TicTacToe::new().to_string(), "...\n...\n...\nmoves: 0\nstatus: X to play");
    assert_eq!(
        play(Connect4::new(), "3 3 0").to_string(),
        "0123456\n.......\n.......\n.......\n.......\n...Y...\nR..R...\nmoves: 3\nstatus: Y to play"
    );
    assert_eq!(
        play(ConnectFour::<5, 2>::new(), "4 4 0").to_string(),
        "01234\n....Y\nR...R\nmoves: 3\nstatus: Y to play"
    );
    let drawn = play(ConnectFour::<2, 2>::new(), "0 0 1 1").to_string();
    assert_eq!(drawn, "01\nYY\nRR\nmoves: 4\nstatus: draw");
    assert_eq!(
        play(Hex::new(3)?, "c1 a2").to_string(),
        "  a b c\n1 . . X\n 2 O . .\n  3 . . .\nswap: off\nmoves: 2\nstatus: X to play"
    );
    let sudo = "...|...|...\n...|...|...\n...|...|...\n---+---+---\n...|.X.|...\n...|...|...\n...|...|...\n---+---+---\n\
                ...|...|...\n...|...|...\n...|...|...\nmode: ultimate\nnext: 2\nmoves: 1\nstatus: O to play";
    assert_eq!(play(SudoTicTacToe::new(Mode::Ultimate), "5.2").to_string(), sudo);
    assert_eq!(format!("{:?}", play(SudoTicTacToe::new(Mode::Ultimate), "5.2")), sudo);
    Ok(())
}

#[test]
fn boards_of_hex_leave_room_for_row_numbers_of_two_digits() -> Result<(), ParameterError> {
    let nine = Hex::new(9)?.to_string();
    assert!(nine.starts_with("  a b c d e f g h i\n1 . . . . . . . . .\n 2 . "), "{nine}");
    let ten = Hex::new(10)?.to_string();
    assert!(ten.starts_with("   a b c d e f g h i j\n 1 . . . . . . . . . .\n  2 . "), "{ten}");
    assert!(ten.contains("\n         10 . . . . . . . . . .\nswap:"), "{ten}");
    Ok(())
}

#[test]
fn a_draw_prints_as_a_draw() {
    let rows = "YYYRYYY\nRRRYRRR\n".repeat(3);
    let text = format!("0123456\n{rows}moves: 42\nstatus: draw");
    assert_eq!(text.parse().map(|game: Connect4| game.to_string()), Ok(text));
    let game = play(TicTacToe::new(), "1 2 3 5 4 6 8 7 9");
    assert_eq!(game.to_string(), "XOX\nXOO\nOXX\nmoves: 9\nstatus: draw");
    let games = states(&SudoTicTacToe::new(Mode::LocalWin), DRAWN_SUDO);
    assert!(games[81].to_string().ends_with("next: none\nmoves: 81\nstatus: draw"), "{}", games[81]);
    assert!(games[80].to_string().ends_with("next: any\nmoves: 80\nstatus: X to play"), "{}", games[80]);
}

#[test]
fn actions_print_as_their_names() {
    for number in 0..7 {
        assert_eq!(connect4::Column::new(number).map(connect4::Column::number), Some(number));
    }
    for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
        let cell = tic_tac_toe::Cell::new(row, column).expect("on the board");
        assert_eq!((cell.row(), cell.column()), (row, column));
    }
    for (row, column) in (0..19).flat_map(|row| (0..19).map(move |column| (row, column))) {
        let cell = hex::Cell::new(row, column).expect("on the board");
        assert_eq!((cell.row(), cell.column()), (row, column));
    }
    for (board, cell) in (0..9).flat_map(|board| (0..9).map(move |cell| (board, cell))) {
        let action = sudo_tic_tac_toe::Cell::new(board, cell).expect("on the board");
        assert_eq!((action.board(), action.cell()), (board, cell));
    }
}

#[test]
fn actions_are_named_in_reading_order() {
    assert_eq!("1".parse(), Ok(tic_tac_toe::Cell::new(0, 0).expect("on the board")));
    assert_eq!("6".parse(), Ok(tic_tac_toe::Cell::new(1, 2).expect("on the board")));
    assert_eq!("6".parse(), Ok(connect4::Column::new(6).expect("on the board")));
    assert_eq!("b3".parse(), Ok(hex::Cell::new(2, 1).expect("on the board")));
    assert_eq!("s19".parse(), Ok(HexAction::Place(hex::Cell::new(18, 18).expect("on the board"))));
    assert_eq!("swap".parse(), Ok(HexAction::Swap));
    assert_eq!("5.1".parse(), Ok(sudo_tic_tac_toe::Cell::new(4, 0).expect("on the board")));
    assert_eq!(" 5.1\n".parse(), Ok(sudo_tic_tac_toe::Cell::new(4, 0).expect("on the board")));
}

#[test]
fn text_that_is_not_an_action_gets_an_error() {
    fn refused<A: FromStr<Err = ParseError>>(texts: &[&str]) {
        for text in texts {
            let error = text.parse::<A>().err();
            assert!(matches!(error, Some(ParseError::Action { .. })), "{text}: {error:?}");
        }
    }
    refused::<tic_tac_toe::Cell>(&["", "0", "10", "a", "-1", "1.", "é", "１"]);
    refused::<connect4::Column>(&["", "7", "00", "a", "-0", "3 3", "é"]);
    refused::<HexAction>(&[
        "", "a", "1", "a0", "a20", "t1", "a01", "aa1", "a1b", "A1", "Swap", "swap!", "é1", "a1é",
    ]);
    refused::<hex::Cell>(&["swap", "", "a100"]);
    refused::<sudo_tic_tac_toe::Cell>(&["", "5", "5.", ".5", "0.1", "1.0", "10.1", "5,1", "5.1.1", "é.1"]);
}

#[test]
fn cells_off_the_board_are_none() {
    assert_eq!(tic_tac_toe::Cell::new(3, 0).or(tic_tac_toe::Cell::new(0, 3)), None);
    assert_eq!(connect4::Column::new(7), None);
    assert_eq!(hex::Cell::new(19, 0).or(hex::Cell::new(0, 19)).or(hex::Cell::new(255, 255)), None);
    assert_eq!(sudo_tic_tac_toe::Cell::new(9, 0).or(sudo_tic_tac_toe::Cell::new(0, 9)), None);
}

/// Checks each text, given with a part of its error message.
fn assert_refused<G: FromStr<Err = ParseError>>(table: &[(&str, &str)]) {
    for (text, complaint) in table {
        match text.parse::<G>() {
            Ok(_) => panic!("this was read:\n{text}"),
            Err(error) => assert!(error.to_string().contains(complaint), "{text}\n{error}\n{complaint}"),
        }
    }
}

#[test]
fn impossible_tic_tac_toe_gets_an_error() {
    assert_refused::<TicTacToe>(&[
        ("", "ends too early"),
        ("...\n...", "expected a row of three cells"),
        ("...\n..\n...", "line 2 is wrong"),
        ("...\n....\n...", "character 4 is '.'; expected the end of the line"),
        ("...\n.#.\n...", "line 2, character 2 is '#'; expected `.`, `X` or `O`"),
        ("...\n.x.\n...", "'x'"),
        ("XX.\n...\n...", "player 0 has 2 stones and player 1 has 0"),
        ("O..\n...\n...", "player 0 has 0 stones and player 1 has 1"),
        ("XXX\nOOO\n...", "both players have won"),
        ("XXX\nOO.\nO..", "over before the last stone"),
        ("OOO\nXX.\nX.X", "over before the last stone"),
        ("...\n...\n...\nmoves: 1", "line 4 does not match the board; write `moves: 0`"),
        ("...\n...\n...\nmoves: many", "line 4"),
        ("...\n...\n...\nstatus: O to play", "line 4 does not match the board"),
        ("...\n...\n...\nmoves: 0\nstatus: draw", "line 5 does not match the board"),
        ("...\n...\n...\nmoves: 0\nmoves: 0", "line 5 is wrong; expected the end of the text"),
    ]);
}

#[test]
fn impossible_connect4_gets_an_error() {
    // Writes the last rows, from the top, under the header; the rows above them are empty.
    let board = |rows: &[&str]| {
        let empty = vec!["......."; 6 - rows.len()];
        [vec!["0123456"], empty, rows.to_vec()].concat().join("\n")
    };
    assert_refused::<Connect4>(&[
        ("", "expected the header `0123456`"),
        (".......", "line 1 is wrong; expected the header `0123456`"),
        ("0123456\n.......\n.......", "expected a row of seven cells"),
        (&board(&["......"]), "line 7 is wrong; expected a longer line"),
        (&board(&["........"]), "line 7, character 8 is '.'; expected the end of the line"),
        (&board(&["...X..."]), "line 7, character 4 is 'X'; expected `.`, `R` or `Y`"),
        (&board(&["...R...", "......."]), "the stone at line 6, character 4 is above a free cell"),
        (&board(&["R......", ".......", "Y......"]), "the stone at line 5, character 1 is above"),
        (&board(&["RR....."]), "player 0 has 2 stones and player 1 has 0"),
        (&board(&["RRRR...", "YYYY..."]), "both players have won"),
        // R has won, but Y has placed a stone since.
        (&board(&["YYY....", "RRRR..Y"]), "over before the last stone"),
        // R's row and R's column start at the same cell, which is not the last one of the column.
        (&board(&["R......", "RY.....", "RYY....", "RRRRYYY"]), "over before the last stone"),
        // The last stone of R is in a column outside the line, and the stones of the line are covered.
        (&board(&["YYYR...", "RRRRY.."]), "over before the last stone"),
        // R has two lines without a common stone, so the first ended the game.
        (&board(&["RRRR...", "YYYRYY.", "RRRRYYY"]), "over before the last stone"),
        (&board(&["R......\nmoves: 2"]), "line 8 does not match the board; write `moves: 1`"),
        (&board(&["R......\nstatus: R to play"]), "line 8 does not match the board"),
    ]);
    assert_refused::<ConnectFour<5, 2>>(&[
        (&Connect4::new().to_string(), "line 1 is wrong; expected the header `01234`"),
        ("0123\n....\n....", "expected the header `01234`"),
        ("01234\n.....", "expected a row of five cells"),
        ("01234\n.....\n......", "line 3, character 6 is '.'; expected the end of the line"),
        ("01234\n.....\n.....\n.....", "line 4 is wrong; expected the end of the text"),
        ("01234\nYYY..\nRRRRY", "over before the last stone"),
        ("01234\n....R\n.....", "the stone at line 2, character 5 is above"),
    ]);
}

#[test]
fn impossible_hex_gets_an_error() {
    let many = "a b c d e f g h i j k l m n o p q r s t";
    assert_refused::<Hex>(&[
        ("", "the letters of the columns"),
        ("a\n1 .", "Hex::size is 1; it must be from 2 to 19"),
        (many, "Hex::size is 20;"),
        (&many.repeat(20), "Hex::size is 400;"),
        ("a c\n1 . .\n2 . .", "line 1, character 3 is 'c'"),
        ("a b\n1 . .", "expected a row of cells"),
        ("a b\n1 . .\n3 . .", "line 3 is wrong; expected the number of the row"),
        ("a b\n1 . .\n  2 . . .", "line 3, character 9 is '.'; expected the end of the line"),
        ("a b\n1 . .\n  2 .", "line 3 is wrong; expected a longer line"),
        ("a b\n1 . .\n  2 . Y", "line 3, character 7 is 'Y'"),
        ("a b\n1 X X\n2 . .", "player 0 has 2 stones"),
        ("a b\n1 O .\n2 . .", "player 0 has 0 stones and player 1 has 1"),
        ("a b\n1 X .\n2 . .\nswap: taken", "player 0 has 1 stones and player 1 has 0"),
        ("a b\n1 . .\n2 . .\nswap: taken", "player 0 has 0 stones and player 1 has 0"),
        (
            "a b\n1 . .\n2 . .\nswap: yes",
            "line 4 is wrong; expected `swap: off`, `swap: on` or `swap: taken`",
        ),
        ("a b c\n1 X O .\n2 X O .\n3 X O .", "over before the last stone"),
        ("a b c d\n1 X O X O\n2 X O X O\n3 X O X O\n4 X O X .", "over before the last stone"),
        ("a b\n1 . .\n2 . .\nmoves: 3", "write `moves: 0`"),
        ("a b\n1 . .\n2 . .\nstatus: draw", "line 4 does not match"),
        ("a b\n1 . .\n2 . .\npasses: -1", "line 4 is wrong; expected `passes:` and a number from 0 to 60000"),
        ("a b\n1 . .\n2 . .\npasses: 60001", "line 4 is wrong"),
        ("a b\n1 X X\n2 . .\npasses: 0", "player 0 has 2 stones"),
        ("a b\n1 O O\n2 . .\npasses: 1", "player 1 has 2, which is impossible"),
        // The pass after the first stone has declined the swap.
        ("a b\n1 X .\n2 . .\nswap: on\npasses: 1", "player 0 has 1 stones"),
        ("a b\n1 X X\n2 . .\nswap: on\npasses: 1", "player 0 has 2 stones"),
        // Player 1 cannot have had a stone to swap.
        ("a b\n1 X .\n2 . .\nswap: taken\npasses: 0", "player 0 has 1 stones"),
    ]);
}

#[test]
fn hex_positions_with_passes_are_read_back() -> Result<(), ParameterError> {
    let mut rng = ramure::Rng::seeded(9);
    for game in 0..sized(200, 2000) {
        let mut state = if game % 2 == 0 { Hex::new(4)? } else { Hex::new(3)?.with_swap() };
        loop {
            assert_one_reads_back(&state);
            if rng.below(4) == 0 {
                state = state.with_turn(rng.below(3) as u8);
                continue;
            }
            let Some(action) = state.random_action(&mut rng) else { break };
            state.apply(action);
        }
        let last = state.winner().expect("Hex has no draws");
        assert_eq!(state.clone().with_turn(last), state, "a game that is over stays over");
    }
    Ok(())
}

#[test]
fn impossible_sudo_tic_tac_toe_gets_an_error() {
    let board = |rows: [&str; 9], rest: &str| {
        let [a, b, c, d, e, f, g, h, i] = rows;
        let line = "---+---+---";
        [a, b, c, line, d, e, f, line, g, h, i, rest].join("\n")
    };
    let none = "...|...|...";
    let empty = |rest: &str| board([none; 9], rest);
    let first = |row: &str, rest: &str| {
        let mut rows = [none; 9];
        rows[0] = row;
        board(rows, rest)
    };
    // X has won two local boards, and two rows of local boards.
    let twice = ["XXX|XXX|...", "OO.|OO.|O..", none, none, none, none, none, none, none];
    let (row, others) = ("XXX|XXX|XXX", "OO.|OO.|OO.");
    let two_rows = [row, others, none, "OO.|OO.|O..", none, none, row, others, none];
    assert_refused::<SudoTicTacToe>(&[
        (&board(twice, "mode: local win\nnext: none"), "over before the last stone"),
        (&board(two_rows, "mode: ultimate\nnext: none"), "over before the last stone"),
        ("", "expected a row of nine cells"),
        (&empty(""), "expected `mode:`"),
        (&empty("mode: 1"), "line 12 is wrong; expected `mode: local win` or `mode: ultimate`"),
        (&empty("mode: ultimate"), "expected `next:`"),
        (&empty("mode: ultimate\nnext: none"), "line 13 is wrong; expected `next: any`"),
        (&empty("mode: ultimate\nnext: 0"), "line 13 is wrong"),
        (&empty("mode: ultimate\nnext: 1"), "no stone of the player who acted last"),
        (&first("X..|...|...", "mode: ultimate\nnext: any"), "no stone of the player who acted last"),
        (&first("X..|...|...", "mode: ultimate\nnext: 2"), "no stone of the player who acted last"),
        (&first("O..|...|...", "mode: ultimate\nnext: 1"), "player 0 has 0 stones and player 1 has 1"),
        (&first("X..|......", "mode: ultimate\nnext: 1"), "line 1, character 8 is '.'"),
        (&first("XXX|...|OOO", "mode: local win\nnext: none"), "both players have won"),
        (&first("XXX|OO.|...", "mode: local win\nnext: any"), "line 13 is wrong; expected `next: none`"),
        (&first("XXX|OO.|...", "mode: local win\nnext: 4"), "line 13 is wrong; expected `next: none`"),
        (&first("XXX|OO.|...", "mode: local win\nnext: no"), "line 13 is wrong; expected `next: none`"),
        (&first("XXX|OO.|O..", "mode: local win\nnext: none"), "over before the last stone"),
        (&first("XXX|OO.|.O.", "mode: ultimate\nnext: 1"), "names a closed board"),
        (&first("X..|...|...", "mode: ultimate\nnext: 1\nmoves: 2"), "line 14 does not match"),
        (&empty("mode: ultimate\nnext: any").replace("---+---+---", "-----------"), "line 4 is wrong"),
    ]);
}

#[test]
fn garbage_gets_an_error_and_never_a_panic() {
    let mut rng = ramure::Rng::seeded(5);
    let seeds = [
        TicTacToe::new().to_string(),
        Connect4::new().to_string(),
        play(Hex::new(3).expect("a valid size").with_swap(), "b2 swap").to_string(),
        play(SudoTicTacToe::new(Mode::Ultimate), "5.1 1.1").to_string(),
    ];
    let characters: Vec<char> = "XORY.|-+0123456789abs:nextmoves\n é\u{301}".chars().collect();
    for seed in &seeds {
        for _ in 0..3000 {
            let mut text: Vec<char> = seed.chars().collect();
            for _ in 0..=rng.below(4) {
                let at = rng.below(text.len());
                match rng.below(3) {
                    0 => text[at] = characters[rng.below(characters.len())],
                    1 => text.insert(at, characters[rng.below(characters.len())]),
                    _ => drop(text.remove(at)),
                }
            }
            let text: String = text.into_iter().collect();
            // A text that can be read must be a state that obeys the rules.
            assert_sound::<TicTacToe>(&text);
            assert_sound::<Connect4>(&text);
            assert_sound::<Hex>(&text);
            assert_sound::<SudoTicTacToe>(&text);
        }
    }
}

fn assert_sound<G: GameState + FromStr + std::fmt::Display>(text: &str) {
    if let Ok(game) = text.parse::<G>() {
        let over = game.turn() == ramure::Turn::Over;
        assert_eq!(over, game.actions().into_iter().next().is_none(), "{text}");
        support::random_game(&game, &mut ramure::Rng::seeded(6), |_| {});
        assert!(game.to_string().parse::<G>().is_ok(), "{text}");
    }
}
