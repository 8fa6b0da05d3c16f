//! Runs the programs of the README, of the chapters and of the crates' READMEs as doctests: `cargo test -p ramure-docs`.

/// Includes pages in their order, so that rustdoc finds their programs.
macro_rules! pages {
    ($($page:ident: $file:literal,)*) => {$(
        #[cfg(doctest)]
        #[doc = include_str!(concat!("../", $file))]
        mod $page {}
    )*};
}

pages! {
    readme: "../README.md",
    readme_of_agents: "../crates/agents/README.md",
    readme_of_explorer: "../crates/explorer/README.md",
    readme_of_games: "../crates/games/README.md",
    readme_of_puzzles: "../crates/puzzles/README.md",
    readme_of_rules: "../crates/rules/README.md",
}

pages! {
    introduction: "introduction.md",
    first_game: "first_game.md",
    in_your_program: "in_your_program.md",
    other_games: "other_games.md",
    test_your_rules: "test_your_rules.md",
    budgets: "budgets.md",
    reports: "reports.md",
    explorer: "explorer.md",
    policies: "policies.md",
    writing_a_policy: "writing_a_policy.md",
    cores: "cores.md",
    machines: "machines.md",
    batches: "batches.md",
    hidden_information: "hidden_information.md",
    simultaneous_moves: "simultaneous_moves.md",
    chance_and_sampling: "chance_and_sampling.md",
    planning: "planning.md",
    transpositions: "transpositions.md",
    puzzles: "puzzles.md",
    memory: "memory.md",
    saved_trees: "saved_trees.md",
    architecture: "architecture.md",
    glossary: "glossary.md",
    references: "references.md",
}
