//! Serves the files of a folder on this computer.

use std::error::Error;
use std::fs;
use std::path::Path;
use tiny_http::{Header, Request, Response, Server};

/// Serves until the program ends.
pub fn serve(folder: &Path, port: u16) -> Result<(), Box<dyn Error>> {
    let server = Server::http(("127.0.0.1", port))
        .map_err(|error| format!("cannot listen on port {port}: {error}; choose another one with --port"))?;
    let port = server.server_addr().to_ip().map_or(port, |address| address.port());
    println!("Open http://127.0.0.1:{port}/ in a browser. Ctrl-C ends the server.");
    for request in server.incoming_requests() {
        // A browser that has closed the connection needs no answer.
        let _ = answer(folder, request);
    }
    Ok(())
}

fn answer(folder: &Path, request: Request) -> std::io::Result<()> {
    let found =
        file(request.url()).and_then(|name| Some((content_type(&name), fs::read(folder.join(&name)).ok()?)));
    match found {
        Some((content_type, bytes)) => {
            let header: Header = format!("Content-Type: {content_type}")
                .parse()
                .map_err(|()| std::io::ErrorKind::InvalidInput)?;
            request.respond(Response::from_data(bytes).with_header(header))
        }
        None => request.respond(Response::from_string("There is no such file.\n").with_status_code(404)),
    }
}

/// Returns the file that an address names, from the folder on. `None` if it could lead out of the folder.
fn file(address: &str) -> Option<String> {
    let path = address.split(['?', '#']).next()?.strip_prefix('/')?;
    let is_plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if !folder.is_empty() && !folder.split('/').all(is_plain) {
        return None;
    }
    match name {
        "" => Some(format!("{path}index.html")),
        name => is_plain(name).then(|| path.to_owned()),
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::file;

    #[test]
    fn addresses_name_files_of_the_folder_only() {
        for (address, expected) in [
            ("/", "index.html"),
            ("/page.js", "page.js"),
            ("/index.html?game=hex#connect4", "index.html"),
            ("/docs/memory.html", "docs/memory.html"),
            ("/play/", "play/index.html"),
        ] {
            assert_eq!(file(address).as_deref(), Some(expected), "{address}");
        }
        for address in [
            "",
            "x",
            "/../secret",
            "/a/../../secret",
            "/./a",
            "//etc/passwd",
            "/.git/config",
            "/a/.git",
            "/%2e%2e/a",
            "/a\\..\\b",
            "/a//b",
        ] {
            assert_eq!(file(address), None, "{address}");
        }
    }
}
