//! Reading a table of known counts.

use super::games::Named;
use ramure_games::TicTacToe;
use ramure_rules::perft_table;

#[test]
fn errors_name_the_text_that_cannot_be_read() {
    let wide = "line 1: expected at most 4 counts (lines, finished, wins of each of the 2 players), found 5";
    for (table, message) in [
        ("", "the table has no rows; add at least one"),
        ("\n# 1 7\n  \n", "the table has no rows; add at least one"),
        ("1 9\nafter 5 # 1 8\n\n", "line 2: this position has no rows; add at least one below it"),
        ("after 5\nafter 4\n1 8", "line 1: this position has no rows; add at least one below it"),
        ("1 9\n\nx 72", "line 3: expected a depth (a whole number from 1 on) or `after`, found \"x\""),
        ("0 1", "line 1: expected a depth (a whole number from 1 on) or `after`, found \"0\""),
        ("-1 1", "line 1: expected a depth (a whole number from 1 on) or `after`, found \"-1\""),
        ("- 9", "line 1: expected a depth (a whole number from 1 on) or `after`, found \"-\""),
        ("after5\n1 8", "line 1: expected a depth (a whole number from 1 on) or `after`, found \"after5\""),
        (
            "99999999999999999999 1",
            "line 1: expected a depth (a whole number from 1 on) or `after`, found \"99999999999999999999\"",
        ),
        ("2 72\n1 9", "line 2: depth 1 follows depth 2; depths must ascend"),
        ("1 9\n1 9", "line 2: depth 1 follows depth 1; depths must ascend"),
        ("1 9,", "line 1: lines: expected a whole number, or `-` if it is unknown, found \"9,\""),
        ("1 9 0 -1", "line 1: wins of 0: expected a whole number, or `-` if it is unknown, found \"-1\""),
        (
            "1 - 18446744073709551616",
            "line 1: finished: expected a whole number, or `-` if it is unknown, found \"18446744073709551616\"",
        ),
        ("1", "line 1: the row has no count; write the number of lines after the depth"),
        ("1 - - # 9", "line 1: the row has no count; write the number of lines after the depth"),
        ("1 9 0 0 0 0", wide),
        ("after\n1 9", "line 1: expected an action, as in `after 3; 3; 2`, found nothing"),
        ("after # 5\n1 9", "line 1: expected an action, as in `after 3; 3; 2`, found nothing"),
        ("after 5;\n1 8", "line 1: expected an action, as in `after 3; 3; 2`, found nothing"),
        ("after 5;; 4\n1 8", "line 1: expected an action, as in `after 3; 3; 2`, found nothing"),
        (
            "after 0\n1 8",
            "line 1: expected an action that is legal from the initial position, found \"0\"; \
            the legal actions are 1; 2; 3; 4; 5; 6; 7; 8; 9",
        ),
        (
            "after 1; 2; 3; 4; 5; 2\n1 8",
            "line 1: expected an action that is legal after 1; 2; 3; 4; 5, found \"2\"; \
            the legal actions are 6; 7; 8; 9",
        ),
        (
            "after 5 4\n1 8",
            "line 1: expected an action that is legal from the initial position, found \"5 4\"; \
            the legal actions are 1; 2; 3; 4; 5; 6; 7; 8; 9",
        ),
        (
            "after 1; 4; 2; 5; 3; 6\n1 8",
            "line 1: expected an action that is legal after 1; 4; 2; 5; 3, found \"6\"; \
            none is, because the game is over",
        ),
    ] {
        let error = perft_table(&TicTacToe::new(), table).expect_err(table);
        assert_eq!(error.to_string(), message, "{table:?}");
    }
}

#[test]
fn comments_blanks_and_unknown_counts_are_skipped() {
    let table = "# known\r\n\r\n\t1\t9 - 0 # one\r\n 5 - 1440\nafter\t5 ;1;  9  # two\n1 6#\n7 0\n";
    assert_eq!(perft_table(&TicTacToe::new(), table), Ok(5));
}

#[test]
fn an_action_is_found_by_its_whole_debug_text() {
    const TEXTS: [&str; 6] = ["1", "10", "a; b", "a", "b c", "#"];
    for (number, text) in TEXTS.into_iter().enumerate().take(5) {
        let left = 2 * number;
        let last = if left > 0 { format!("{left} 1") } else { String::new() };
        let table = format!("after {text}; {text} # a comment\n{last}\n{} 0\n", left + 1);
        let counts = perft_table(&Named { texts: &TEXTS, free: 2, left: 0 }, &table);
        assert!(counts.is_ok(), "{text}: {counts:?}");
    }
}

#[test]
fn actions_with_the_same_text_are_an_error() {
    let game = Named { texts: &["x", "y", "x"], free: 2, left: 0 };
    let error = perft_table(&game, "after y; x # z\n1 1").expect_err("there are two");
    let message = "line 1: \"x\" is the `Debug` text of two legal actions; each must have its own";
    assert_eq!(error.to_string(), message);
}
