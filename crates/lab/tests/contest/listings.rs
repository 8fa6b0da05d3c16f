//! The listing of the chapter on contests is what its command prints. Listings of other pages are checked by
//! `tests/docs/listings.rs` of the crate `ramure`.

use crate::common::sized;
use std::process::Command;

/// Returns the rows of a table without the times, which are the last column.
fn without_times(table: &str) -> Vec<&str> {
    let time = |digit: char| digit.is_ascii_digit() || digit == '.';
    table.lines().map(|line| line.trim_end_matches(time).trim_end()).collect()
}

/// The small instance plays two games, and compares the titles and the agents.
#[test]
fn the_chapter_shows_what_its_first_command_prints() {
    let page = include_str!("../../docs/contests.md");
    let begin = "cargo run --release -p ramure-lab -- ";
    let command = page.lines().find_map(|line| line.strip_prefix(begin)).expect("the command");
    let games = sized("2", "300");
    let words = command.split_whitespace().map(|word| if word == "300" { games } else { word });
    let run =
        Command::new(env!("CARGO_BIN_EXE_ramure-lab")).args(words).output().expect("the program starts");
    let printed = String::from_utf8(run.stdout).expect("text");
    let listing =
        page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a listing");
    if games == "300" {
        assert_eq!(without_times(printed.trim()), without_times(listing.trim()));
        return;
    }
    let words = |table: &str, line: usize| {
        let line = table.lines().nth(line).unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words(&printed, 1), words(listing, 1), "{printed}");
    for agent in [2, 3] {
        assert!(listing.lines().skip(2).any(|row| row.starts_with(&words(&printed, agent)[0])), "{printed}");
    }
}
