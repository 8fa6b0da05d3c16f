//! Builds the site: the chapters as a book, with the playground, trees and the reference of the API inside.
//!
//! The chapters have one source, the files of the repository. They keep their places, so that their links to
//! each other hold. `site` in this package has the table of contents and the pages that only the site has.

mod links;
mod texts;
mod trees;

use crate::build::{build, cargo};
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of mdBook that the site is tested with.
const MDBOOK: &str = "0.5.4";

type Done = Result<(), Box<dyn Error>>;

/// Writes the site into `folder`.
pub fn site(folder: &Path) -> Done {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = package.join("../..").canonicalize()?;
    // It is built in a new folder, because a file of an earlier build could hide a link that leads nowhere.
    let work = repository.join("target/site-build");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let out = work.join("out");
    book(&repository, &package.join("site"), &work)?;
    reference(&repository, &out.join("api"))?;
    build(&out.join("play"), false)?;
    trees::write(&out.join("tree"))?;
    let count = links::mend(&repository, &out)?;
    copy(&out, folder)?;
    println!("The site is in {}: {count} pages, and every link leads somewhere.", folder.display());
    Ok(())
}

/// Lets mdBook write the chapters.
fn book(repository: &Path, own: &Path, work: &Path) -> Done {
    let source = work.join("src");
    let summary = fs::read_to_string(own.join("SUMMARY.md"))?;
    let chapters = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for chapter in chapters {
        let from =
            [own, repository].map(|folder| folder.join(chapter)).into_iter().find(|file| file.exists());
        let from = from.ok_or_else(|| format!("SUMMARY.md: there is no file {chapter}"))?;
        let to = source.join(chapter);
        copy(&from, &to)?;
        // The pictures beside it; those of the chapters are in a folder of their own.
        let (from, to) = (from.with_file_name(""), to.with_file_name(""));
        for picture in
            fs::read_dir(&from)?.flatten().filter(|file| file.path().extension() == Some("svg".as_ref()))
        {
            copy(&picture.path(), &to.join(picture.file_name()))?;
        }
    }
    copy(&own.join("SUMMARY.md"), &source.join("SUMMARY.md"))?;
    copy(&repository.join("docs/pictures"), &source.join("docs/pictures"))?;
    for file in ["book.toml", "site.css"] {
        copy(&own.join(file), &work.join(file))?;
    }
    run(Command::new(mdbook(repository)?).arg("build").arg(work))
}

/// Returns the program mdBook; installs it in the target folder if it is missing or another version.
fn mdbook(repository: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let is_right = |program: &Path| {
        let output = Command::new(program).arg("--version").output();
        output
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == format!("mdbook v{MDBOOK}"))
    };
    let tools = repository.join("target/tools");
    let installed = tools.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    for program in [PathBuf::from("mdbook"), installed.clone()] {
        if is_right(&program) {
            return Ok(program);
        }
    }
    println!("Installing mdBook {MDBOOK} in {}; this takes some minutes, once.", tools.display());
    run(cargo()
        .args(["install", "--quiet", "--locked", "mdbook", "--version", MDBOOK])
        .args(["--no-default-features", "--features", "search", "--root"])
        .arg(&tools))?;
    Ok(installed)
}

/// Lets rustdoc write the reference.
fn reference(repository: &Path, folder: &Path) -> Done {
    let target = repository.join("target/web-build");
    let written = target.join("doc");
    // The list for its search would keep the crates of earlier builds.
    if written.exists() {
        fs::remove_dir_all(&written)?;
    }
    run(cargo()
        .current_dir(repository)
        .args(["doc", "--quiet", "--no-deps", "--all-features"])
        .args([
            "-p",
            "ramure",
            "-p",
            "ramure-agents",
            "-p",
            "ramure-explorer",
            "-p",
            "ramure-games",
            "-p",
            "ramure-puzzles",
            "-p",
            "ramure-rules",
            "-p",
            "ramure-lab",
            "--target-dir",
        ])
        .arg(&target))?;
    copy(&written, folder)?;
    // Rustdoc has no page for all crates, but some of its pages link to it.
    let index = "<!doctype html>\n<title>ramure</title>\n<meta http-equiv=\"refresh\" content=\"0; url=../reference.html\">\n\
        <a href=\"../reference.html\">Reference of the API</a>\n";
    Ok(fs::write(folder.join("index.html"), index)?)
}

fn run(command: &mut Command) -> Done {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("cannot run {name}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{name} failed ({status}); its messages are above").into())
    }
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Done {
    let failed = |error: io::Error| format!("cannot copy {} to {}: {error}", from.display(), to.display());
    if from.is_dir() {
        fs::create_dir_all(to).map_err(failed)?;
        for entry in fs::read_dir(from).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        fs::copy(from, to).map_err(failed)?;
    }
    Ok(())
}
