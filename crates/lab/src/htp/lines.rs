//! Reads commands line by line, and writes answers.

use super::Engine;
use super::commands::written;
use std::io::{self, BufRead, ErrorKind, Write};

/// The most bytes of a line. A longer one is skipped, and takes no more memory.
pub const LONGEST_LINE: usize = 4096;

/// A line of input.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Answers commands until `quit`, or until the input or the output ends.
///
/// # Errors
///
/// Returns an error if the input cannot be read or the output cannot be written. An output that is closed is
/// no error.
pub fn serve(engine: &mut Engine, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    while let Some(line) = next_line(&mut input)? {
        let (text, quits) = match line {
            Line::TooLong => {
                (written(Err(format!("the line is longer than {LONGEST_LINE} bytes")), ""), false)
            }
            Line::Text(bytes) => match core::str::from_utf8(&bytes) {
                Err(_) => (written(Err("syntax error: the line is not UTF-8".into()), ""), false),
                Ok(line) => match engine.answer(line) {
                    Some(answer) => (answer.text, answer.quits),
                    None => continue,
                },
            },
        };
        match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
        if quits {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns the next line, without its end; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    let mut has_read = false;
    loop {
        let (used, ends) = {
            let bytes = match input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read?,
            };
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            is_too_long |= line.len() + part.len() > LONGEST_LINE;
            if !is_too_long {
                line.extend_from_slice(part);
            }
            has_read |= !bytes.is_empty();
            (part.len() + usize::from(end.is_some()), end.is_some() || bytes.is_empty())
        };
        input.consume(used);
        if ends {
            let line = if is_too_long { Line::TooLong } else { Line::Text(line) };
            return Ok(has_read.then_some(line));
        }
    }
}
