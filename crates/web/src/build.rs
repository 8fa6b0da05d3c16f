//! Compiles the crate for WebAssembly, writes its glue, and copies the page.

use ramure_web::games::first_picture;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// Writes the page into `folder`, with or without neural networks to play against.
pub fn build(folder: &Path, networks: bool) -> Result<(), Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    eprintln!("Compiling the engine for the browser. The first time, this takes some minutes.");
    let wasm = compile(package, networks)?;
    eprintln!("Writing the page.");
    fs::create_dir_all(folder).map_err(cannot("create", folder))?;
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .omit_default_module_path(false)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("engine")
        .generate(folder)
        .map_err(|error| format!("cannot write the glue of the engine: {error:#}"))?;
    let page = package.join("static");
    for file in fs::read_dir(&page).map_err(cannot("read", &page))? {
        let from = file?.path();
        let to = folder.join(from.file_name().unwrap_or_default());
        let text = fs::read_to_string(&from).map_err(cannot("read", &from))?;
        // A visitor sees a board at once.
        let board = format!("<div id=\"board\" class=\"connect4\">{}</div>", first_picture());
        let text = text.replace("<div id=\"board\"></div>", &board);
        fs::write(&to, without_comments(&text)).map_err(cannot("write", &to))?;
    }
    println!(
        "The page is in {}. Open it with a web server: a browser does not load it as a file.",
        folder.display()
    );
    Ok(())
}

/// Returns what says that something cannot be done with a file or folder.
fn cannot(doing: &str, path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("cannot {doing} {}: {error}", path.display())
}

/// Leaves out the lines that are comments alone: a visitor need not load them.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| {
        let line = line.trim();
        line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"))
    };
    text.split_inclusive('\n').filter(|line| !is_comment(line)).collect()
}

/// Returns the command that runs Cargo.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Compiles the library. Returns the path of the file.
fn compile(package: &Path, networks: bool) -> Result<PathBuf, Box<dyn Error>> {
    let target = package.join("../../target/web-build");
    let status = cargo()
        .current_dir(package)
        .args(["build", "--lib", "--profile", "web", "--target", TARGET, "--target-dir"])
        .arg(&target)
        .args(networks.then_some("--features=networks"))
        // Every browser since 2023 has these instructions.
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128,+bulk-memory")
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err(format!(
            "the engine did not compile; if the target is missing, run `rustup target add {TARGET}`"
        )
        .into());
    }
    Ok(target.join(TARGET).join("web").join("ramure_web.wasm"))
}
