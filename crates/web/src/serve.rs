//! Serves the files of a folder on this computer.
//!
//! Each of 64 threads answers one connection at a time. Limits of time keep a client that sends half a request,
//! or does not read, from holding up the others for long.

use std::error::Error;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// The most connections at a time. More wait.
const MOST_CONNECTIONS: usize = 64;
/// The most bytes of a request, without its body.
const MOST_BYTES: usize = 16 << 10;

/// The limits of time of a connection.
#[derive(Clone, Copy)]
struct Limits {
    /// The time to send a request.
    request: Duration,
    /// The time to read the answer.
    answer: Duration,
    /// The time to close the connection after that.
    close: Duration,
}

const LIMITS: Limits = Limits {
    request: Duration::from_secs(10),
    answer: Duration::from_secs(60),
    close: Duration::from_secs(2),
};

/// Serves until the program ends.
pub fn serve(folder: &Path, port: u16) -> Result<(), Box<dyn Error>> {
    if !folder.join("index.html").is_file() {
        return Err(format!(
            "{} has no index.html; leave out --no-build, or give another --folder",
            folder.display()
        )
        .into());
    }
    let listener = TcpListener::bind(("127.0.0.1", port))
        .map_err(|error| format!("cannot listen on port {port}: {error}; choose another one with --port"))?;
    let port = listener.local_addr()?.port();
    println!("Open http://127.0.0.1:{port}/ in a browser. Ctrl-C ends the server.");
    accept(&listener, &folder.canonicalize()?, LIMITS);
    Ok(())
}

/// Answers connections with the files of a folder, whose path has no links.
fn accept(listener: &TcpListener, folder: &Path, limits: Limits) {
    let answer_all = || {
        for connection in listener.incoming() {
            match connection {
                // If the client has gone, there is nobody to answer.
                Ok(connection) => drop(answer(&connection, folder, limits)),
                // The system may have no room for another connection now.
                Err(_) => thread::sleep(Duration::from_millis(10)),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..MOST_CONNECTIONS {
            // If the system refuses a thread, the others answer.
            let _ = thread::Builder::new().spawn_scoped(scope, answer_all);
        }
    });
}

/// A connection whose reads and writes end at a moment.
struct Until<'c> {
    connection: &'c TcpStream,
    end: Instant,
}

impl Until<'_> {
    fn rest(&self) -> io::Result<Option<Duration>> {
        let rest = self.end.saturating_duration_since(Instant::now());
        if rest.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(rest)) }
    }
}

impl Read for Until<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.connection.set_read_timeout(self.rest()?)?;
        self.connection.read(buffer)
    }
}

impl Write for Until<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.connection.set_write_timeout(self.rest()?)?;
        self.connection.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.connection.flush()
    }
}

/// Answers the one request of a connection.
fn answer(connection: &TcpStream, folder: &Path, limits: Limits) -> io::Result<()> {
    let until = |limit| Until { connection, end: Instant::now() + limit };
    let Limits { request, answer, close } = limits;
    let (head, body) = respond(&read_request(&mut until(request))?, folder);
    let mut client = until(answer);
    client.write_all(&head)?;
    client.write_all(&body)?;
    // A body that nobody has read would let the system discard the answer with the connection.
    connection.shutdown(Shutdown::Write)?;
    io::copy(&mut until(close).take(1 << 20), &mut io::sink())?;
    Ok(())
}

/// Reads a request up to its body, or as much of it as is allowed.
fn read_request(client: &mut impl Read) -> io::Result<Vec<u8>> {
    let (mut request, mut part) = (Vec::new(), [0; 1024]);
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < MOST_BYTES {
        match client.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => request.extend_from_slice(&part[..count]),
        }
    }
    Ok(request)
}

/// Returns the head and the body of the answer to a request.
fn respond(request: &[u8], folder: &Path) -> (Vec<u8>, Vec<u8>) {
    let line = request.split(|&byte| byte == b'\r').next().unwrap_or_default();
    let words: Vec<&str> = str::from_utf8(line).unwrap_or_default().split(' ').collect();
    let text = "text/plain; charset=utf-8";
    let (status, content_type, body) = match words[..] {
        ["GET" | "HEAD", address, version] if version.starts_with("HTTP/1.") => match read(folder, address) {
            Some((content_type, body)) => ("200 OK", content_type, body),
            None => ("404 Not Found", text, b"There is no such file.\n".to_vec()),
        },
        [_, _, version] if version.starts_with("HTTP/1.") => {
            ("405 Method Not Allowed", text, b"Files can be read only.\n".to_vec())
        }
        _ => ("400 Bad Request", text, b"This is not a request of HTTP/1.1.\n".to_vec()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nAllow: GET, HEAD\r\nConnection: close\r\n\r\n",
        body.len()
    );
    (head.into(), if words[0] == "HEAD" { Vec::new() } else { body })
}

/// Reads the file that an address names. `None` if there is none, or if a link leads out of the folder.
fn read(folder: &Path, address: &str) -> Option<(&'static str, Vec<u8>)> {
    let name = file(address)?;
    let path = folder.join(&name).canonicalize().ok()?;
    let is_inside = path.starts_with(folder) && path.is_file();
    Some((content_type(&name), is_inside.then(|| fs::read(path).ok())??))
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
    use super::{Limits, MOST_CONNECTIONS, accept, file};
    use std::fs;
    use std::io::{ErrorKind, Read, Write};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::path::PathBuf;
    use std::thread;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(600);
    const PATIENT: Limits = Limits { request: LONG, answer: LONG, close: LONG };

    /// More than the buffers of a connection hold.
    const LARGE: usize = 16 << 20;

    /// Returns a new folder with a page.
    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("ramure-web-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("site")).unwrap();
        fs::write(path.join("site/index.html"), "the page").unwrap();
        path
    }

    /// Serves a folder, by a thread that ends with the tests.
    fn served(folder: PathBuf, limits: Limits) -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let folder = folder.canonicalize().unwrap();
        thread::spawn(move || accept(&listener, &folder, limits));
        address
    }

    fn send(address: SocketAddr, bytes: &str) -> TcpStream {
        let mut client = TcpStream::connect(address).unwrap();
        client.set_read_timeout(Some(LONG)).unwrap();
        client.write_all(bytes.as_bytes()).unwrap();
        client
    }

    /// Returns everything that the server answers.
    fn ask(address: SocketAddr, request: &str) -> String {
        let mut text = String::new();
        send(address, request).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn files_are_served_and_nothing_else_is_done() {
        let folder = folder("answers");
        let address = served(folder.join("site"), PATIENT);
        let found = ask(address, "GET /?game=hex HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(
            found.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html")
                && found.ends_with("\r\n\r\nthe page")
        );
        let head = ask(address, "HEAD / HTTP/1.1\r\n\r\n");
        assert!(head.contains("Content-Length: 8\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        for (request, status) in [
            ("GET /other.html HTTP/1.1\r\n\r\n", "404"),
            ("GET /../index.html HTTP/1.1\r\n\r\n", "404"),
            ("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "405"),
            ("GET / HTTP/2\r\n\r\n", "400"),
            ("\r\n\r\n", "400"),
            (&"x".repeat(100_000), "400"),
        ] {
            let answer = ask(address, request);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    /// Limits of time are far away here: the threads alone help.
    #[test]
    fn a_client_that_sends_half_a_request_or_does_not_read_stops_nobody_else() {
        let folder = folder("stuck");
        fs::write(folder.join("site/large.wasm"), vec![0; LARGE]).unwrap();
        let address = served(folder.join("site"), PATIENT);
        let stuck = [
            "",
            "GET / HT",
            "POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nhalf",
            "GET / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nhalf",
            "GET /large.wasm HTTP/1.1\r\n\r\n",
        ]
        .map(|request| send(address, request));
        assert!(ask(address, "GET / HTTP/1.1\r\n\r\n").ends_with("the page"));
        drop(stuck);
        fs::remove_dir_all(folder).unwrap();
    }

    /// More clients than may be connected, all of them stuck: the limits of time let others in again.
    #[test]
    fn a_client_that_is_too_slow_is_left() {
        let folder = folder("slow");
        fs::write(folder.join("site/large.wasm"), vec![0; LARGE]).unwrap();
        let short = Duration::from_millis(50);
        let address = served(folder.join("site"), Limits { request: short, answer: short, close: short });
        let requests = [
            "GET / HT",
            "GET / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf",
            "GET /large.wasm HTTP/1.1\r\n\r\n",
        ];
        let stuck =
            Vec::from_iter((0..2 * MOST_CONNECTIONS).map(|number| send(address, requests[number % 3])));
        for mut client in stuck {
            // The server closes each connection; a read ends with whatever was sent before. A client that is
            // let in while it reads gets all.
            if let Err(error) = client.read_to_end(&mut Vec::new()) {
                assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
            }
        }
        // On a busy machine, the limits may be too short for this client, too.
        let mut text = String::new();
        while !text.ends_with("the page") {
            text.clear();
            let _ = send(address, "GET / HTTP/1.1\r\n\r\n").read_to_string(&mut text);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        use std::os::unix::fs::symlink;
        let folder = folder("links");
        fs::create_dir(folder.join("other")).unwrap();
        fs::write(folder.join("other/secret.html"), "secret").unwrap();
        let site = folder.join("site");
        symlink("../other", site.join("folder")).unwrap();
        symlink("../other/secret.html", site.join("file.html")).unwrap();
        symlink(folder.join("other/secret.html"), site.join("absolute.html")).unwrap();
        symlink("circle.html", site.join("circle.html")).unwrap();
        symlink("index.html", site.join("inside.html")).unwrap();
        // The folder itself may be a link.
        symlink("site", folder.join("link")).unwrap();
        let address = served(folder.join("link"), PATIENT);
        for name in ["folder/secret.html", "file.html", "absolute.html", "circle.html", "folder/", "folder"] {
            let answer = ask(address, &format!("GET /{name} HTTP/1.1\r\n\r\n"));
            assert!(answer.starts_with("HTTP/1.1 404") && !answer.contains("secret"), "{name}: {answer}");
        }
        assert!(ask(address, "GET /inside.html HTTP/1.1\r\n\r\n").ends_with("the page"));
        fs::remove_dir_all(folder).unwrap();
    }

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
