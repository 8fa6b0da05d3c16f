//! The README and the chapters: every link leads somewhere, in the repository and on the site, and all code is
//! tested. (The doctests of `ramure-docs` run the code.)

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all files in `folder` with this extension.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == ending));
    files.sort();
    files
}

/// Returns the pages in `docs`: the chapters, and the evidence.
fn docs() -> Vec<PathBuf> {
    [files("docs", "md"), files("docs/evidence", "md")].concat()
}

/// Returns the README, the pages in `docs`, and those for people who work on the crate, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|page| root().join(page)).to_vec();
    pages.extend(docs());
    pages.into_iter().map(|page| (page.clone(), fs::read_to_string(page).expect("it is text"))).collect()
}

/// The pages of the other crates, if the whole repository is there.
fn pages_of_other_crates() -> Vec<(PathBuf, String)> {
    let pages = [
        "crates/agents/README.md",
        "crates/explorer/README.md",
        "crates/games/README.md",
        "crates/lab/README.md",
        "crates/lab/docs/contests.md",
        "crates/mpi/README.md",
        "crates/nets/README.md",
        "crates/nets/networks/README.md",
        "crates/puzzles/README.md",
        "crates/python/README.md",
        "crates/rules/README.md",
        "crates/web/README.md",
        "evidence/README.md",
    ];
    let pages = pages.map(|page| root().join(page));
    pages.into_iter().filter_map(|page| Some((page.clone(), fs::read_to_string(page).ok()?))).collect()
}

/// Returns the text without its code blocks.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// Returns the targets of a text's links.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let inline = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let listed =
        prose.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: ").map(|(_, link)| link));
    inline.chain(listed).map(str::to_owned).collect()
}

/// Returns the anchors of a page's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let name = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

#[test]
fn every_link_inside_the_repository_has_a_target() {
    for (page, text) in pages().into_iter().chain(pages_of_other_crates()) {
        for link in links(&text) {
            // Before the first release, the pages of docs.rs do not exist.
            let is_of_docs_rs = link.contains("docs.rs/ramure") || link.contains("docs.rs/crate/ramure");
            assert!(!is_of_docs_rs, "{}: {link}", page.display());
            if link.starts_with("https://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = page.parent().expect("a file is in a folder");
            let target = if file.is_empty() { page.clone() } else { folder.join(file) };
            assert!(target.exists(), "{}: {link}", page.display());
            if !anchor.is_empty() {
                let text = fs::read_to_string(&target).expect("it is text");
                assert!(anchors(&text).contains(anchor), "{}: {link}", page.display());
            }
        }
    }
}

#[test]
fn every_code_block_has_a_language_and_no_hidden_lines() {
    for (page, text) in pages() {
        let mut inside = false;
        for line in text.lines() {
            if let Some(language) = line.strip_prefix("```") {
                inside = !inside;
                // `rust,ignore` is for code of `ramure-lab`, whose own tests run it.
                let known = ["rust", "rust,no_run", "rust,compile_fail", "rust,ignore", "text", "sh", "toml"];
                assert_eq!(inside, known.contains(&language), "{}: {line}", page.display());
            }
            assert!(!(inside && line.starts_with("# ")), "{}: {line}", page.display());
        }
    }
}

/// Returns the names of the chapters, in the order in which `ramure-docs` lists them.
fn chapters() -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/src/lib.rs")).expect("it is text");
    let (_, list) = text.rsplit_once("\npages! {\n").expect("a list of chapters");
    let lines = list.lines().take_while(|line| *line != "}");
    lines.map(|line| line.split(':').next().expect("a name").trim().to_owned()).collect()
}

/// Returns the definitions of links in a text: their names and targets.
fn definitions(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
    lines.map(|(name, target)| (name.to_owned(), target.to_owned())).collect()
}

/// Returns the names of the links in a text that have a definition elsewhere: `[text][name]`.
fn named(text: &str) -> BTreeSet<String> {
    prose(text).split("][").skip(1).filter_map(|rest| rest.split(']').next()).map(str::to_owned).collect()
}

#[test]
fn the_code_of_every_page_is_a_doctest() {
    let chapters = chapters();
    for (page, text) in pages() {
        let name = page.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let is_included = name == "README" || chapters.contains(&name);
        assert!(is_included || !text.contains("```rust"), "docs/src/lib.rs does not include {name}");
        for block in text.split("```rust,ignore").skip(1) {
            let code = block.split("```").next().expect("the block ends");
            assert!(code.contains("use ramure_lab::"), "{name}: an ignored block does not use `ramure_lab`");
        }
    }
}

/// On the site, a link to a source file of a crate leads to the page of an item.
#[test]
fn every_link_of_a_chapter_has_a_name_and_every_source_file_stands_for_an_item() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect("it is text");
    let table = read("crates/web/site/items.txt");
    let rows = table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
    let items: BTreeMap<&str, &str> = rows.collect();
    let mut used = BTreeSet::new();
    for chapter in &chapters() {
        let text = read(&format!("docs/{chapter}.md"));
        let files = definitions(&text);
        assert_eq!(
            named(&text),
            files.keys().cloned().collect(),
            "{chapter}: links, and definitions of links"
        );
        for (name, file) in files.into_iter().filter(|(_, file)| !file.ends_with(".svg")) {
            assert_eq!(name, file, "{chapter}: the name of a link is its target");
            let source = name.strip_prefix("../").unwrap_or_default();
            if !source.contains("src/") {
                continue;
            }
            let (row, item) =
                items.get_key_value(source).unwrap_or_else(|| panic!("items.txt lacks {source}"));
            let declared = item.rsplit("::").next().unwrap_or_default();
            assert!(
                read(source).lines().map(str::trim).any(|line| line.starts_with("pub ")
                    && line.split(|c: char| !c.is_alphanumeric() && c != '_').nth(2) == Some(declared)),
                "{source} does not declare {declared}"
            );
            used.insert(*row);
        }
    }
    assert_eq!(items.into_keys().collect::<BTreeSet<_>>(), used, "items.txt has what no chapter uses");
}

/// A page grows by a sentence at a time, so the limits are just above what the pages have.
#[test]
fn the_pages_stay_short() {
    let words = |page: &PathBuf| fs::read_to_string(page).expect("it is text").split_whitespace().count();
    let limit = |what: &str, pages: &[PathBuf], most: usize| {
        let count = pages.iter().map(words).sum::<usize>();
        assert!(count <= most, "{what}: {count} words, and at most {most}");
    };
    let architecture = root().join("docs/architecture.md");
    let mut read_by_users = files("docs", "md");
    read_by_users.retain(|page| *page != architecture && !page.ends_with("mutants.md"));
    read_by_users.push(root().join("README.md"));
    limit("what users read", &read_by_users, 43_000);
    limit("the architecture", &[architecture], 6_000);
    limit("the evidence", &files("docs/evidence", "md"), 21_500);
}
