//! The commands of the README. (Its programs are doctests, and the first one is in `listings`.)

#[test]
fn the_readme_has_the_commands_that_the_checks_run() {
    let readme = include_str!("../../README.md");
    for command in ["cargo run --release --example connect4\n", "cargo test\n"] {
        assert!(readme.contains(command), "{command}");
    }
}
