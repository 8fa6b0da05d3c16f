//! The output and the end of a command: standard output, files, the exit code, Ctrl-C.

use crate::Failure;
use crate::contest::{Estimate, in_full};
use crate::ranks::{is_first, on_first};
use ramure::StopHandle;
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Writes to standard output, on the first rank. A reader that closed the pipe, as `head` does, is not an
/// error.
///
/// # Errors
///
/// Returns an error if writing fails for another reason.
pub fn say(text: impl Display) -> Result<(), Failure> {
    if !is_first() {
        return Ok(());
    }
    match writeln!(io::stdout(), "{}", text.to_string().trim_end()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes a file, on the first rank.
pub fn write(path: &Path, text: String) -> Result<(), Failure> {
    on_first("a file", || {
        fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()).into())
    })
}

/// Prints the error, if any, and returns the exit code for `main`.
pub fn ended(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", in_full(&*error));
            ExitCode::FAILURE
        }
    }
}

/// Returns a handle that the first Ctrl-C stops. The second Ctrl-C ends the program.
pub fn stop_by_ctrl_c() -> StopHandle {
    let handle = StopHandle::default();
    let (used, mut pressed) = (handle.clone(), false);
    // If the handler cannot be installed, Ctrl-C ends the program as usual.
    let _ = ctrlc::set_handler(move || {
        if pressed {
            std::process::exit(130);
        }
        pressed = true;
        used.stop();
        eprintln!("\nFinishing the games in progress. Press Ctrl-C again to end the program at once.");
    });
    handle
}

/// Returns the mean of the samples with its interval, which has no width if there is one sample.
pub fn mean(samples: &[f64]) -> Estimate {
    let value = samples.iter().sum::<f64>() / samples.len() as f64;
    Estimate::mean(samples).unwrap_or(Estimate { value, low: value, high: value })
}

/// Writes the mean of so many samples, with its interval: `0.52 [0.48, 0.56]`. A single sample has no
/// interval: `0.52`.
pub fn mean_in_words(mean: Estimate, samples: usize, digits: usize) -> String {
    match samples {
        1 => format!("{:.digits$}", mean.value),
        _ => format!("{mean:.digits$}"),
    }
}
