//! How much there is to read. `cargo test --test docs words -- --nocapture` prints the count of each page.

use super::chapters::{docs, pages_of_other_crates, root};
use std::fs;

/// The most words of all pages for users together.
const WORDS: usize = 46_000;

/// The lines of a chapter, which one reads from top to bottom. Definitions of links do not count.
const LINES: usize = 250;

/// Pages for people who change the crate or check its claims.
const NOT_FOR_USERS: [&str; 6] = [
    "docs/architecture.md",
    "docs/evidence/",
    "docs/experiments.md",
    "docs/mutants.md",
    "docs/references.md",
    "crates/nets/networks/",
];

#[test]
fn a_chapter_can_be_finished() {
    let mut pages = vec![root().join("README.md")];
    pages.extend(docs());
    pages.extend(pages_of_other_crates().into_iter().map(|(page, _)| page));
    let mut all = 0;
    let mut too_long = Vec::new();
    for page in pages {
        let name =
            page.strip_prefix(root()).expect("it is in the repository").to_string_lossy().replace('\\', "/");
        if NOT_FOR_USERS.iter().any(|other| name.starts_with(other)) {
            continue;
        }
        let text = fs::read_to_string(&page).expect("it is text");
        let read = |line: &&str| !(line.starts_with('[') && line.contains("]: "));
        let (words, lines) = (text.split_whitespace().count(), text.lines().filter(read).count());
        println!("{words:>6} words {lines:>4} lines  {name}");
        all += words;
        if lines > LINES {
            too_long.push(format!("{name}: {lines} lines, at most {LINES}"));
        }
    }
    println!("{all:>6} words in all");
    assert!(too_long.is_empty(), "{}", too_long.join("\n"));
    assert!(all <= WORDS, "{all} words, at most {WORDS}");
}
