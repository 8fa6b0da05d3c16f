//! The help of the program, as a terminal of 80 columns shows it.

use std::process::Command;

/// Returns the long help of a command of the program.
fn help(command: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_ramure-lab")).args(command).arg("--help").output();
    String::from_utf8(run.expect("the program starts").stdout).expect("text")
}

#[test]
fn no_line_of_help_is_wider_than_80_columns_and_no_example_is_broken() {
    let all = help(&[]);
    let commands = all.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let mut commands: Vec<Vec<&str>> =
        commands.filter_map(|line| Some(vec![line.split_whitespace().next()?])).collect();
    assert!(commands.len() > 10 && commands.contains(&vec!["play"]), "{all}");
    commands.retain(|command| command != &["help"]);
    commands.extend(["knockout-whist", "goofspiel", "2048"].map(|game| vec!["play", game]));
    for command in commands {
        let text = help(&command);
        let wide = text.lines().find(|line| line.chars().count() > 80);
        assert!(!text.is_empty() && wide.is_none(), "{command:?}: {wide:?}");
        // A line that is too long goes on at the same indentation.
        let examples = text.lines().skip_while(|line| *line != "Examples:").skip(1);
        for line in examples.take_while(|line| !line.is_empty()) {
            let begins =
                ["  ramure-lab ", "  printf ", "        "].iter().any(|start| line.starts_with(start));
            assert!(begins, "{command:?}: {line}");
        }
    }
}
