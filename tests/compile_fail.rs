//! Invalid programs do not compile, and our notes in the compiler's message say what to add.
//!
//! Each file of `tests/compile_fail` is a small program. All its `//! expect:` lines must appear in the
//! compiler's message, and a `//! unsaid: ` line must not. With `//! errors: 1` there is one error. The file
//! `sound.rs` must compile, and so must every piece of code in the compiler's notes. They are checked without
//! the network, in their own crate below the build folder.

use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The game of the fixtures.
const GAME: &str = include_str!("common/sticks.rs");

/// Creates a crate with every fixture as its own program.
fn fixtures() -> (PathBuf, Vec<(String, String)>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_fail");
    let programs = folder.join("src/bin");
    let _ = fs::remove_dir_all(&programs);
    fs::create_dir_all(&programs).expect("a folder to write in");
    let manifest = format!(
        "[package]\nname = \"fixtures\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nramure = {{ path = {:?}, default-features = false }}\nramure-agents = {{ path = {:?} }}\n\
         ramure-explorer = {{ path = {:?} }}\nramure-puzzles = {{ path = {:?} }}\n",
        root.display().to_string(),
        root.join("crates/agents").display().to_string(),
        root.join("crates/explorer").display().to_string(),
        root.join("crates/puzzles").display().to_string()
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a folder to write in");
    let _ = fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"));
    fs::create_dir_all(folder.join("src/common")).expect("a folder to write in");
    fs::write(folder.join("src/common/sticks.rs"), GAME).expect("a folder to write in");
    let mut all = Vec::new();
    for entry in fs::read_dir(root.join("tests/compile_fail")).expect("the fixtures") {
        let path = entry.expect("a fixture").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a program");
        fs::write(programs.join(format!("{name}.rs")), &text).expect("a folder to write in");
        all.push((name, text));
    }
    let hints = hints();
    fs::write(programs.join("hints.rs"), &hints).expect("a folder to write in");
    all.push(("hints".to_owned(), hints));
    all.sort();
    (folder, all)
}

/// Collects the notes of all `#[diagnostic::on_unimplemented]` in `folder`, with the types of a game `Sticks`
/// filled in.
fn notes(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            notes(&path, all);
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it is text");
        for attribute in text.split("#[diagnostic::on_unimplemented(").skip(1) {
            let attribute = attribute.split("\n)]").next().expect("it ends");
            let asks = text.contains("pub trait Priors<");
            let lines = attribute.lines().filter_map(|line| line.trim().strip_prefix("note = \""));
            for line in lines {
                let note = line.trim_end_matches(',').trim_end_matches('"');
                let of = if asks { "Uniform" } else { "Sticks" };
                let note = note.replace("{Self}", of).replace("{G}", "Sticks").replace("{A}", "u8");
                all.push(note.replace("{{", "{").replace("}}", "}"));
            }
        }
    }
}

/// Returns a program with every piece of code in the notes: the text between backticks, if it is more than a
/// name.
fn hints() -> String {
    let mut all = Vec::new();
    notes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let readme = include_str!("../README.md");
    let evaluate = include_str!("../src/simulation/evaluate.rs").replace("{Self}", "Uniform");
    for line in readme.lines().filter_map(|line| line.strip_prefix("error[E0277]: ")) {
        let message = format!("message = \"{line}\"");
        assert!(
            evaluate.contains(&message),
            "README.md shows an error that the compiler does not print: {line}"
        );
    }
    for line in readme.lines().filter_map(|line| line.strip_prefix("  = note: ")) {
        assert!(
            all.iter().any(|note| note == line),
            "README.md shows a note that the compiler does not print: {line}"
        );
    }
    let (mut items, mut calls) = (String::new(), String::new());
    let mut count = 0;
    for code in all.iter().flat_map(|note| note.split('`').skip(1).step_by(2)) {
        // Fill in what the notes leave to the reader. The bodies of closures use their arguments, so that
        // missing types are errors.
        let filled = code
            .replace("= ..;", "= 5;")
            .replace("{ .. }", "{ panic!() }")
            .replace("action| ..", "action| f32::from(state.0 + action.count_ones() as u8)")
            .replace(
                "priors| ..",
                "priors| { priors.fill(f32::from(actions[0])); Rewards::new(state.1, |_| 0.5) }",
            )
            .replace("run(..)", "run(Budget::iterations(1))")
            .replace(": ..", ": [(); 1]");
        let search = "Mcts::new(Sticks(7, 0))";
        match filled.split(|c: char| !c.is_alphanumeric()).next() {
            Some("impl") if filled.contains("Statistics") => {
                let _ = writeln!(items, "#[derive(Clone, Copy, Default)] struct Spread(f32);");
                let _ = writeln!(items, "{}", filled.replace("Sticks", "Spread"));
            }
            Some("impl") => {
                let _ = writeln!(items, "{filled}");
            }
            Some("where") => {
                let _ = writeln!(
                    items,
                    "fn over_any<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>>(search: &mut Mcts<G, P, R>) {filled} \
                     {{ let _ = search.run(Budget::iterations(1)); }}"
                );
            }
            Some("step") => {
                let _ = writeln!(
                    items,
                    "struct Last;\nimpl Backprop<Sticks> for Last {{ type Stats = (); \
                     fn update(&self, step: impl Step<Sticks, ()>, rewards: &mut Rewards) {{ \
                     let reward = rewards[step.chooser()]; {filled} }} }}"
                );
            }
            Some("") if filled.starts_with("((") => {
                let _ = writeln!(items, "fn kept<S: Statistics<Sticks, Uniform>>() {{}}");
                let _ = writeln!(calls, "kept::<{filled}>();");
            }
            Some("Decorated") => {
                let _ = writeln!(calls, "let _ = {search}.backprop({filled}).run(Budget::iterations(1));");
            }
            Some("") if filled.starts_with(".run") => {
                let _ = writeln!(calls, "let _ = {search}{filled};");
            }
            Some("") if filled.starts_with(".rollout_policy") => {
                let _ = writeln!(
                    calls,
                    "let _ = {search}.tree_policy(Puct::default()){filled}.run(Budget::iterations(1));"
                );
            }
            Some("Evaluate") => {
                let _ =
                    writeln!(calls, "let _ = {search}.rollout_policy({filled}).run(Budget::iterations(1));");
            }
            _ => {
                // The names of methods, types and traits are not code to compile.
                let is_name = |c: char| c.is_alphanumeric() || " _<>()".contains(c);
                assert!(
                    code.chars().all(is_name) && !code.contains("(."),
                    "`{code}` is in a note and not compiled"
                );
                continue;
            }
        }
        count += 1;
    }
    assert!(count >= 8, "{count} pieces of code");
    format!(
        "#![allow(unused, unreachable_code)]\nuse ramure::prelude::*;\nuse ramure::selection::Puct;\n\
         use ramure::backpropagation::{{Decorated, Decorator}};\n\
         use ramure::simulation::{{Evaluate, Evaluator, Position, WithPriors}};\nuse ramure::statistics::Statistics;\n\
         use ramure::{{ActionCode, ActionIndex, ActionSampler, BoxError, HiddenInformation, Keyed, Rewards, Scored, SkipTurn, StaticEvaluation, Symmetric}};\n\n{GAME}\n\
         #[derive(Clone, Copy)] struct Knows;\nimpl Evaluator<Sticks> for Knows {{\n    \
         fn evaluate(&self, batch: &mut [Position<'_, Sticks>]) -> Result<(), BoxError> {{ Ok(()) }}\n}}\n\
         struct Marks;\nimpl Decorator<Sticks> for Marks {{\n    type Stats = ();\n    \
         fn update<B: Backprop<Sticks>>(&self, inner: &B, step: impl Step<Sticks, ((), B::Stats)>, rewards: &mut Rewards) {{ \
         inner.update(step.second(), rewards) }}\n}}\n\
         {items}\nfn main() {{\nlet (my_evaluator, my_decorator) = (Knows, Marks);\n{calls}}}\n"
    )
}

/// Compiles all programs. Returns what the compiler says of each, and the names of those that compile.
fn check(folder: &Path) -> (HashMap<String, String>, HashSet<String>) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["check", "--offline", "--quiet", "--message-format", "json", "--bins", "--keep-going"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let (mut said, mut compiled) = (HashMap::<String, String>::new(), HashSet::new());
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let line: Value = serde_json::from_str(line).expect("a line of JSON");
        let name = || line["target"]["name"].as_str().unwrap_or_default().to_owned();
        match line["reason"].as_str() {
            Some("compiler-artifact") => drop(compiled.insert(name())),
            Some("compiler-message") => {
                *said.entry(name()).or_default() += line["message"]["rendered"].as_str().unwrap_or_default();
            }
            _ => {}
        }
    }
    assert!(!compiled.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (said, compiled)
}

#[test]
fn invalid_searches_do_not_compile_and_the_compiler_says_what_to_add() {
    let (folder, all) = fixtures();
    assert!(all.len() >= 9, "{}", all.len());
    let (mut said, compiled) = check(&folder);
    let mut wrong = String::new();
    for (name, text) in all {
        let (compiles, said) = (compiled.contains(&name), said.remove(&name).unwrap_or_default());
        let expected = Vec::from_iter(text.lines().filter_map(|line| line.strip_prefix("//! expect: ")));
        let is_right = name == "sound" || name == "hints";
        assert_eq!(expected.is_empty(), is_right, "{name} expects nothing");
        let missing = Vec::from_iter(expected.iter().filter(|sentence| !said.contains(**sentence)));
        let unsaid = text.lines().filter_map(|line| line.strip_prefix("//! unsaid: "));
        let too_much = Vec::from_iter(unsaid.filter(|sentence| said.contains(sentence)));
        let errors = said.lines().filter(|line| line.starts_with("error[")).count();
        let allowed = text.lines().find_map(|line| line.strip_prefix("//! errors: "));
        let is_short = allowed.is_none_or(|allowed| allowed == errors.to_string());
        if compiles != is_right || !missing.is_empty() || !too_much.is_empty() || !is_short {
            wrong += &format!(
                "{name}: compiles: {compiles}; not said: {missing:#?}; said: {too_much:#?}; {errors} errors\n{said}\n"
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
