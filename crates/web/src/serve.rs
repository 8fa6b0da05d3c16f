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
    let path = request.url().split(['?', '#']).next().unwrap_or_default();
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    // All files are in one folder, and no name leads out of it.
    let is_plain =
        !name.starts_with('.') && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    match fs::read(folder.join(name)) {
        Ok(bytes) if is_plain => {
            let header = format!("Content-Type: {}", content_type(name));
            let header: Header = header.parse().map_err(|()| std::io::ErrorKind::InvalidInput)?;
            request.respond(Response::from_data(bytes).with_header(header))
        }
        _ => request.respond(Response::from_string("There is no such file.\n").with_status_code(404)),
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
