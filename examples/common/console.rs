//! Reading lines and writing text, with or without a terminal at either end.

use super::Pen;
use anstream::{AutoStream, ColorChoice};
use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Stdout, Write};

/// The terminal, or the pipes in its place.
pub struct Console {
    out: AutoStream<Stdout>,
    /// The pen that draws the boards.
    pub pen: Pen,
    /// Whether a terminal shows the output, so that a line can be wiped.
    live: bool,
    /// Whether to write the lines that are read, because no terminal shows them.
    echo: bool,
}

impl Console {
    pub fn new() -> Self {
        let stdout = io::stdout();
        let choice = AutoStream::choice(&stdout); // respects NO_COLOR, TERM=dumb and pipes
        Console {
            live: stdout.is_terminal(),
            pen: Pen { colours: choice != ColorChoice::Never },
            out: AutoStream::new(stdout, choice),
            echo: !io::stdin().is_terminal(),
        }
    }

    /// Writes a line.
    pub fn say(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Writes prose, broken into lines that fit every terminal.
    pub fn explain(&mut self, text: &str) -> io::Result<()> {
        const WIDTH: usize = 79;
        let mut column = 0;
        for word in text.split_whitespace() {
            let width = word.chars().count();
            if column > 0 {
                let fits = column + 1 + width <= WIDTH;
                write!(self.out, "{}", if fits { " " } else { "\n" })?;
                column = if fits { column + 1 } else { 0 };
            }
            write!(self.out, "{word}")?;
            column += width;
        }
        writeln!(self.out)
    }

    /// Writes a note that [`Console::wipe`] removes. Writes nothing if there is no terminal.
    pub fn say_for_now(&mut self, text: &str) -> io::Result<()> {
        if self.live {
            write!(self.out, "{text}")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Removes the `text` just written. (It writes spaces over it, which works on every terminal.)
    pub fn wipe(&mut self, text: &str) -> io::Result<()> {
        if self.live {
            // A Ctrl-C shows as ^C after the text, hence the 4 more columns.
            write!(self.out, "\r{:width$}\r", "", width = text.chars().count() + 4)?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Returns the next line typed, or `None` at the end of the input.
    pub fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let mut line = Vec::new();
        // Read bytes, because `read_line` fails on text that is not UTF-8.
        if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if self.echo {
            writeln!(self.out, "{}", printable(&line))?;
        }
        Ok(Some(line))
    }
}

/// Returns `text` without control characters, shortened to 40 characters.
pub fn printable(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text
        .chars()
        .take(MOST)
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}
