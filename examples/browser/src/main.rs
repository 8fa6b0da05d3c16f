//! Compiles the game for the browser, and writes the page: one file, which needs no server.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = folder.join("target");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--lib", "--target", TARGET, "--target-dir"])
        .arg(&target)
        .current_dir(folder)
        .status()?;
    if !status.success() {
        return Err(format!(
            "the game did not compile; if the target is missing, run `rustup target add {TARGET}`"
        )
        .into());
    }
    let wasm =
        fs::read(target.join(TARGET).join("release").join(concat!(env!("CARGO_CRATE_NAME"), ".wasm")))?;
    let page = fs::read_to_string(folder.join("src/page.html"))?.replace("{wasm}", &base64(&wasm));
    let path = target.join("page.html");
    fs::write(&path, page)?;
    println!("Open {} in a browser.", path.display());
    Ok(())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |chunk: &[u8]| {
        let three = [0, 1, 2].map(|at| u32::from(chunk.get(at).copied().unwrap_or(0)));
        let bits = three[0] << 16 | three[1] << 8 | three[2];
        let digit = |at: usize| match at <= chunk.len() {
            true => char::from(DIGITS[(bits >> (18 - 6 * at) & 63) as usize]),
            false => '=',
        };
        [0, 1, 2, 3].map(digit)
    };
    bytes.chunks(3).flat_map(digits).collect()
}
