//! The guide: chapters that explain the search, the policies and the reasons for their design.
//!
//! 1. [Ten minutes of Monte-Carlo tree search](introduction), with pictures
//! 2. [Your first game](first_game)
//! 3. [A search in your program](in_your_program)
//! 4. [Other kinds of games](other_games)
//! 5. [Test your rules](test_your_rules)
//! 6. [Budgets](budgets)
//! 7. [Reports](reports)
//! 8. [Looking at a tree](explorer): a page to open in a browser
//! 9. [Choosing policies](policies)
//! 10. [Writing a policy](writing_a_policy)
//! 11. [Using all cores](cores)
//! 12. [Many machines](machines)
//! 13. [Batches: many leaves at a time](batches)
//! 14. [Hidden information](hidden_information)
//! 15. [Simultaneous moves and bluffs](simultaneous_moves)
//! 16. [Chance and sampling](chance_and_sampling)
//! 17. [Planning and other problems](planning): rewards on the way
//! 18. [Positions met twice: graph search](transpositions)
//! 19. [Puzzles](puzzles)
//! 20. [Memory](memory)
//! 21. [Saved trees](saved_trees)
//! 22. [Architecture](architecture): the layers, the decisions and the reasons for them
//! 23. [Glossary](glossary)
//! 24. [References](references)
//!
//! More pages are in the folder `docs` of the package: `features.md` lists all features, `experiments.md`,
//! `benchmarks.md` and the folder `evidence` are measurements, and `mutants.md` says how well the tests find
//! mistakes. Links to them lead to docs.rs, so until the first release, read them in the repository.

// The chapters link to items of all features.
#![cfg_attr(not(all(feature = "explorer", feature = "save")), allow(rustdoc::broken_intra_doc_links))]

// This module exists only for rustdoc. Links in the chapters are links by name, and the end of a chapter
// gives each name a file. The two files included before a chapter give the same names targets in this
// documentation. The first definition of a name counts.
macro_rules! chapters {
    ($($chapter:ident if $code_compiles:meta,)*) => {$(
        #[cfg_attr(not(doctest), doc = include_str!("../docs/rustdoc/links.md"))]
        #[cfg_attr(not(doctest), doc = include_str!("../docs/rustdoc/pictures.md"))]
        #[cfg_attr(
            any(not(doctest), $code_compiles),
            doc = include_str!(concat!("../docs/", stringify!($chapter), ".md"))
        )]
        pub mod $chapter {}
    )*};
}

chapters! {
    introduction if all(),
    first_game if all(),
    in_your_program if all(),
    other_games if all(),
    test_your_rules if all(),
    budgets if all(),
    reports if all(),
    explorer if all(),
    policies if all(),
    writing_a_policy if all(),
    cores if all(),
    machines if all(),
    batches if all(),
    hidden_information if all(),
    simultaneous_moves if all(),
    chance_and_sampling if all(),
    planning if all(),
    transpositions if all(),
    puzzles if all(),
    memory if all(),
    saved_trees if all(),
    architecture if all(),
    glossary if all(),
    references if all(),
}

/// Runs the code of the README as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
