//! The README and the chapters: every link leads somewhere, every picture is used, and all code is tested. (The
//! doctests run the code, see `chapters` in `src/lib.rs`.)

use std::collections::BTreeSet;
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

/// Returns the README, the changelog and the chapters, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut pages = vec![root().join("README.md"), root().join("CHANGELOG.md")];
    pages.extend(files("docs", "md"));
    pages.into_iter().map(|page| (page.clone(), fs::read_to_string(page).expect("it is text"))).collect()
}

/// The pages of the laboratory, if the whole repository is there.
fn pages_of_the_laboratory() -> Vec<(PathBuf, String)> {
    let pages = ["crates/lab/README.md", "crates/lab/docs/contests.md"].map(|page| root().join(page));
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
    for (page, text) in pages().into_iter().chain(pages_of_the_laboratory()) {
        for link in links(&text).iter().filter(|link| !link.starts_with("https://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
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
fn every_picture_is_used() {
    let shown: BTreeSet<_> = pages().iter().flat_map(|(_, text)| links(text)).collect();
    for picture in files("docs/pictures", "svg") {
        let name = picture.file_name().expect("it has a name").to_string_lossy();
        assert!(shown.contains(&format!("pictures/{name}")), "{name} is in no chapter");
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

#[test]
fn the_code_of_every_page_is_a_doctest() {
    let library = fs::read_to_string(root().join("src/lib.rs")).expect("it is text");
    for (page, text) in pages() {
        let name = page.strip_prefix(root()).expect("it is in the repository").display().to_string();
        let included = library.contains(&format!("include_str!(\"../{name}\")"));
        assert!(included || !text.contains("```rust"), "src/lib.rs does not include {name}");
        for block in text.split("```rust,ignore").skip(1) {
            let code = block.split("```").next().expect("the block ends");
            assert!(code.contains("use ramure_lab::"), "{name}: an ignored block does not use `ramure_lab`");
        }
    }
}
