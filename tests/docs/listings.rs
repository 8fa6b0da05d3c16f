//! The listings of the pages, which are their blocks of `text`: programs print them here, or they are parts
//! of files that are tested.
//!
//! After a change, `RAMURE_WRITE=1 cargo test --test docs` writes what the programs print into the pages.

use ramure::Report;
use ramure::prelude::*;
use ramure_games::Connect4;
use ramure_rules::{Check, Law};
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

thread_local! {
    /// What a program has printed.
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

// The programs print into a text.
macro_rules! print {
    ($($part:tt)*) => { super::print_text(&format!($($part)*)) };
}
macro_rules! println {
    () => { print!("\n") };
    ($($part:tt)*) => {{ print!($($part)*); print!("\n"); }};
}

fn print_text(text: &str) {
    PRINTED.with_borrow_mut(|all| all.push_str(text));
}

/// Includes a program of a page.
macro_rules! program {
    ($name:ident, $file:literal, $page:literal) => {
        mod $name {
            include!(concat!("programs/", $file));

            /// Runs the program, and returns what it prints.
            pub fn printed() -> String {
                let (program, page) =
                    (include_str!(concat!("programs/", $file)), include_str!(concat!("../../", $page)));
                // A page need not run what runs here.
                let is_there = |kind| page.contains(&format!("```{kind}\n{program}```\n"));
                assert!(
                    is_there("rust") || is_there("rust,no_run"),
                    "{} no longer has the program {}",
                    $page,
                    $file
                );
                super::PRINTED.take();
                main().expect("the program ends well");
                super::PRINTED.take()
            }
        }
    };
}

program!(introduction, "introduction.rs", "docs/introduction.md");
program!(json, "json.rs", "docs/reports.md");
program!(readme, "readme.rs", "README.md");
program!(summary, "summary.rs", "docs/test_your_rules.md");

/// What a listing must be.
enum Listing {
    /// This text.
    Is(String),
    /// The first lines of this text.
    Begins(String),
    /// Lines of this file, which other tests check.
    IsIn(&'static str),
}

use Listing::{Begins, Is, IsIn};

/// Returns the pages with listings, and their listings in order.
fn pages() -> Vec<(&'static str, Vec<Listing>)> {
    let [winner, twin] = broken_by_chomp();
    let test = |law: Law| format!("test chomp_rules::{} ... FAILED", law.to_string().replace(' ', "_"));
    vec![
        ("README.md", vec![Is(readme::printed()), IsIn("tests/compile_fail.rs")]),
        ("docs/reports.md", vec![Is(report().to_string()), Begins(json::printed())]),
        ("docs/introduction.md", vec![Is(introduction::printed())]),
        ("docs/saved_trees.md", vec![IsIn("src/saved/error.rs")]),
        (
            "docs/test_your_rules.md",
            vec![
                Is(format!("{}\n\n{winner}", test(Law::Winner))),
                Is(format!("{}\n\n{twin}", test(Law::Agreement))),
                Is(summary::printed()),
            ],
        ),
        ("crates/rules/src/violation.rs", vec![Is(twin)]),
        ("crates/rules/src/perft/table.rs", vec![IsIn("crates/rules/tests/perft/connect4.perft")]),
    ]
}

/// Returns the report of the chapter on reports.
fn report() -> Report<<Connect4 as GameState>::Action> {
    let mut position = Connect4::new();
    for column in ["3", "3", "2", "2", "2"] {
        position.play(column.parse().expect("a column")).expect("it is free");
    }
    let mut search = Mcts::new(position).tree_policy(Ucb1::new(0.7)).backprop(Solver::new(Average));
    search.run(Budget::iterations(20_000)).expect("a sound game")
}

/// Returns what the check prints of the broken law.
fn broken<G: GameState + std::fmt::Debug + 'static>(check: Check<G>, law: Law) -> String {
    let violation = check.only([law]).run().expect_err("a broken law");
    assert_eq!(violation.law, law);
    violation.to_string()
}

/// The mistakes of [`Chomp`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mistake {
    /// The reward is reversed.
    Reward,
    /// Eaten squares reappear below.
    Regrown,
}

thread_local! {
    /// A state shows no mistake.
    static MISTAKE: Cell<Mistake> = const { Cell::new(Mistake::Reward) };
}

/// The game of the chapter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Chomp {
    rows: [u8; 3],
    player: Player,
}

impl Chomp {
    fn winner(&self) -> Option<Player> {
        (self.rows[0] == 0).then_some(self.player)
    }
}

impl GameState for Chomp {
    type Action = (u8, u8);

    fn turn(&self) -> Turn {
        if self.rows[0] == 0 { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = (u8, u8)> {
        (0..3).flat_map(|row| (0..self.rows[usize::from(row)]).map(move |column| (row, column)))
    }
    fn apply(&mut self, (row, column): (u8, u8)) {
        for squares in self.rows.iter_mut().skip(row.into()) {
            *squares = column;
        }
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from((player == self.player) != (MISTAKE.get() == Mistake::Reward)))
    }
}

/// Its twin.
#[derive(Clone, Debug)]
struct Squares {
    left: Vec<(u8, u8)>,
    bites: u8,
}

impl GameState for Squares {
    type Action = (u8, u8);

    fn turn(&self) -> Turn {
        if self.left.contains(&(0, 0)) { Turn::Player(self.bites % 2) } else { Turn::Over }
    }
    fn actions(&self) -> impl IntoIterator<Item = (u8, u8)> {
        self.left.clone()
    }
    fn apply(&mut self, (row, column): (u8, u8)) {
        self.left.retain(|square| square.0 < row || square.1 < column);
        self.bites += 1;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == self.bites % 2 { 1.0 } else { 0.0 }
    }
}

/// Returns what the chapter's two broken laws print.
fn broken_by_chomp() -> [String; 2] {
    let squares = (0..3).flat_map(|row| (0..4).map(move |column| (row, column)));
    let twin = Squares { left: squares.collect(), bites: 0 };
    let check = || {
        let is_bar = |chomp: &Chomp| chomp.rows.is_sorted_by(|above, below| above >= below);
        let check = ramure_rules::check(Chomp { rows: [4; 3], player: 0 }).hash();
        check.winner(Chomp::winner).invariant(is_bar).twin(twin.clone())
    };
    let with = |mistake, law| {
        MISTAKE.set(mistake);
        broken(check(), law)
    };
    [with(Mistake::Reward, Law::Winner), with(Mistake::Regrown, Law::Agreement)]
}

/// Returns the place of the time and the speed in a report, which differ each time.
fn time(text: &str) -> Option<std::ops::Range<usize>> {
    let start = text.find(" iterations in ")?;
    Some(start..start + text[start..].find(" per second)")?)
}

/// Returns the listings of a page: the lines with their prefix, which starts comments in sources, and the
/// text.
fn found(page: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut inside = None;
    for line in page.lines() {
        let text = line.trim_start_matches("/// ").trim_start_matches("///");
        match inside {
            None if text == "```text" => {
                inside = Some(());
                all.push((String::new(), String::new()));
            }
            Some(()) if text == "```" => inside = None,
            None => {}
            Some(()) => {
                let (lines, listing) = all.last_mut().expect("it has begun");
                let _ = writeln!(lines, "{line}");
                let _ = writeln!(listing, "{text}");
            }
        }
    }
    all
}

/// Returns the rows of a table of counts for the initial position, without comments.
fn rows(table: &str) -> Vec<String> {
    let table = table.split("after").next().unwrap_or_default();
    let rows = table.lines().map(|row| row.split('#').next().unwrap_or_default());
    rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|row| !row.is_empty())
        .collect()
}

fn is_in(file: &str, listing: &str) -> bool {
    // Not every file is in the package.
    let Ok(text) = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)) else { return true };
    if file.ends_with(".perft") {
        let known = rows(&text);
        let is_known = |row: &String| match row.split_once(" - ") {
            Some((depth, _)) => known.iter().any(|known| known.starts_with(&format!("{depth} "))),
            None => known.iter().any(|known| known == row || known.starts_with(&format!("{row} "))),
        };
        return rows(listing).iter().all(is_known);
    }
    if file == "tests/compile_fail.rs" {
        return text.contains("README.md");
    }
    // In the page of the listing itself, in its code.
    let code: Vec<&str> = text.split("```rust\n").skip(usize::from(file.ends_with(".md"))).collect();
    let stripped: String =
        code.concat().lines().map(|line| format!("{}\n", line.trim_start_matches("//! ").trim())).collect();
    let parts: Vec<&str> = listing.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    parts.iter().all(|line| stripped.contains(line))
}

#[test]
fn every_listing_is_what_a_program_prints() {
    let write = std::env::var_os("RAMURE_WRITE").is_some();
    let mut wrong = String::new();
    for (name, expected) in pages() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let mut page = fs::read_to_string(&path).expect("the page");
        let listings = found(&page);
        assert_eq!(listings.len(), expected.len(), "{name}: a block of `text` is not known here, or is gone");
        let prefix = if name.ends_with(".rs") { "/// " } else { "" };
        for ((lines, listing), expected) in listings.into_iter().zip(expected) {
            let mut text = match expected {
                IsIn(file) if is_in(file, &listing) => continue,
                IsIn(file) => {
                    let _ = writeln!(wrong, "{name}: this is not in {file}:\n{listing}");
                    continue;
                }
                Is(text) => text,
                Begins(text) => {
                    text.lines().take(listing.lines().count()).map(|line| format!("{line}\n")).collect()
                }
            };
            text = format!("{}\n", text.trim_end());
            if let (Some(old), Some(new)) = (time(&listing), time(&text)) {
                text.replace_range(new, &listing[old]);
            }
            if text != listing {
                let _ = writeln!(wrong, "{name} has\n{listing}\nand a program prints\n{text}");
                let new: String =
                    text.lines().map(|line| format!("{}\n", format!("{prefix}{line}").trim_end())).collect();
                page = page.replacen(&lines, &new, 1);
            }
        }
        if write {
            fs::write(path, page).expect("it can be written");
        }
    }
    assert!(write || wrong.is_empty(), "{wrong}\nrun `RAMURE_WRITE=1 cargo test --test docs`");
}
