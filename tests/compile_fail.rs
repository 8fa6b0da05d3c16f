//! What cannot work does not compile, and the compiler says in our words what to add.
//!
//! Each file of `tests/compile_fail` is a small program; its `//! expect:` lines must all be in what the compiler says.
//! The file `sound.rs` must compile. They are checked without the network, in a crate of their own under the build folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate with every fixture as a program of its own.
fn fixtures() -> (PathBuf, Vec<(String, String)>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_fail");
    let programs = folder.join("src/bin");
    let _ = fs::remove_dir_all(&programs);
    fs::create_dir_all(&programs).expect("a folder to write in");
    let manifest = format!(
        "[package]\nname = \"fixtures\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nramure = {{ path = {:?}, default-features = false }}\n",
        root.display().to_string()
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a folder to write in");
    let _ = fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"));
    let mut all = Vec::new();
    for entry in fs::read_dir(root.join("tests/compile_fail")).expect("the fixtures") {
        let path = entry.expect("a fixture").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a program");
        fs::write(programs.join(format!("{name}.rs")), &text).expect("a folder to write in");
        all.push((name, text));
    }
    all.sort();
    (folder, all)
}

/// Whether the program `name` compiles, and what the compiler says.
fn check(folder: &Path, name: &str) -> (bool, String) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["check", "--offline", "--quiet", "--color", "never", "--bin", name])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS")
        .env("CARGO_TERM_WIDTH", "400")
        .output()
        .expect("cargo runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn what_cannot_work_does_not_compile_and_the_compiler_says_what_to_add() {
    let (folder, all) = fixtures();
    assert!(all.len() >= 9, "{}", all.len());
    let mut wrong = String::new();
    for (name, text) in all {
        let (compiles, said) = check(&folder, &name);
        let expected = Vec::from_iter(text.lines().filter_map(|line| line.strip_prefix("//! expect: ")));
        assert_eq!(expected.is_empty(), name == "sound", "{name} expects nothing");
        let missing = Vec::from_iter(expected.iter().filter(|sentence| !said.contains(**sentence)));
        if compiles != (name == "sound") || !missing.is_empty() {
            wrong += &format!("{name}: compiles: {compiles}; not said: {missing:#?}\n{said}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
