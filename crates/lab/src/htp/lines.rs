//! Reads commands line by line, and writes answers.

use super::Engine;
use super::commands::written;
use std::io::{self, BufRead, ErrorKind, Read, Write};

/// The most bytes of a line. A longer one is skipped, and takes no more memory.
pub const LONGEST_LINE: usize = 4096;

/// Answers commands until `quit`, or until the input or the output ends.
///
/// # Errors
///
/// Returns an error if the input cannot be read or the output cannot be written. An output that is closed is
/// no error.
pub fn serve(engine: &mut Engine, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    while let Some(line) = next_line(&mut input)? {
        let line = line.and_then(|bytes| {
            String::from_utf8(bytes).map_err(|_| "syntax error: the line is not UTF-8".to_owned())
        });
        let (text, quits) = match line.map(|line| engine.answer(&line)) {
            Err(error) => (written(Err(error), ""), false),
            Ok(Some(answer)) => (answer.text, answer.quits),
            Ok(None) => continue,
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

/// Returns the next line, without its end, or an error if it is too long; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, String>>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read > LONGEST_LINE {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(format!("the line is longer than {LONGEST_LINE} bytes"))));
    }
    Ok((read > 0).then_some(Ok(line)))
}
