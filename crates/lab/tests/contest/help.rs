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

/// A parameter of a part that has the name of a setting is written with a prefix, also in the help.
#[test]
fn the_help_names_parameters_as_they_are_read() {
    let text = help(&["compare"]);
    assert!(text.contains("rollout-margin=0.3"), "{text}");
    for (words, said) in [
        (
            &["tune", "connect4", "--file", "Cargo.toml", "--resume", "--csv", "Cargo.toml"][..],
            "are one file",
        ),
        (&["hidden", "phantom-tic-tac-toe", "--c=-1"], "--c is -1; it must be from 0 to 1000"),
        (&["bandit", "--policy", "ucb1:expand=3"], "contradict each other"),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_ramure-lab")).args(words).output().expect("it starts");
        let error = String::from_utf8(run.stderr).expect("text");
        assert!(!run.status.success() && error.contains(said), "{words:?}: {error}");
    }
}
