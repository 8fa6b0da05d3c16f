//! The program on the README's first screen, verbatim.
#![cfg(feature = "games")]

use ramure::games::Connect4;
use ramure::prelude::*;

fn main() -> Result<(), SearchError> {
    let mut search = Mcts::new(Connect4::new()).backprop(Solver::new(Average)).seed(7);
    let report = search.run(Budget::millis(100))?; // or iterations, bytes, or until stopped
    println!("{report}"); // a table: visits, means, intervals, proofs, the best line
    search.advance(report.best_action())?; // plays it and keeps the subtree below it
    Ok(())
}

#[test]
fn the_program_on_the_first_screen_runs() -> Result<(), SearchError> {
    main()
}

#[test]
fn the_readme_contains_this_program() {
    let this = include_str!("readme.rs");
    let readme = include_str!("../../README.md");
    let program = this.split("\n\n").skip(1).take(2).collect::<Vec<_>>().join("\n\n");
    assert!(program.starts_with("use ") && program.ends_with('}'));
    assert!(readme.contains(&program), "README.md no longer has\n\n{program}");
    for command in ["cargo run --release --example connect4\n", "cargo test\n"] {
        assert!(readme.contains(command));
    }
}
