//! The program on contests in the README of `ramure`, verbatim.

use ramure::games::Connect4;
use ramure_lab::Registry;
use ramure_lab::contest::{Conditions, Match};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // You can also create agents in code, with any policies, for any game.
    let known = Registry::new();
    let agents = [known.read("mcts:100,c=0.5")?, known.read("mc:16")?];
    let result = Match::new(Connect4::new(), agents).run(&Conditions::games(100).seed(7))?;
    println!("{result}"); // wins, draws, losses, the score with its interval, the time per action
    Ok(())
}

#[test]
fn the_program_on_contests_runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}

#[test]
fn the_readme_contains_this_program() {
    let this = include_str!("readme.rs");
    let readme = include_str!("../../../../README.md");
    let program = this.split("\n\n").skip(1).take(2).collect::<Vec<_>>().join("\n\n");
    assert!(program.starts_with("use ") && program.ends_with('}'));
    assert!(readme.contains(&program), "README.md no longer has\n\n{program}");
}
