//! Messages between ranks: a line of JSON, and what follows it.

use super::RanksError;
use serde::{Deserialize, Serialize};

/// The first line of a message.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Message {
    /// To the first rank: give me so many jobs.
    Ask { step: Step, count: usize },
    /// To the first rank: the result of a job follows.
    Result { number: usize },
    /// To the first rank: a job failed, for this reason.
    JobFailed { number: usize, reason: String },
    /// To the first rank: the user wants to stop.
    Stop,
    /// To the first rank: I have ended all jobs.
    Done,
    /// To the first rank: the program is over here, with this error. From the first rank: it is over here,
    /// without one.
    Over { error: Option<String> },
    /// From the first rank: do these jobs.
    Jobs { numbers: Vec<usize> },
    /// From the first rank: there are no more jobs in the step of this number.
    End { step: u64, rest: Rest },
    /// From the first rank: this rank failed, so end the program.
    Failed { rank: usize, error: String },
    /// From the first rank: all ranks have ended the program.
    AllOver,
    /// From the first rank: the result of a step follows.
    Shared { step: Step },
    /// From the first rank: there is no result of a step, because this rank failed.
    NotShared { step: Step, rank: usize, error: String },
}

/// The fate of jobs that have been handed out when there are no more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Rest {
    /// All are done.
    Done,
    /// Those that have begun are done.
    Finished,
    /// None is needed.
    Dropped,
}

/// A step of the program that the ranks take together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The number of the step, from 1.
    pub number: u64,
    /// The purpose.
    pub what: String,
}

/// Returns the bytes of a message.
pub fn write(message: &Message, rest: &[u8]) -> Vec<u8> {
    // These types have no values that JSON lacks.
    [&serde_json::to_vec(message).unwrap_or_default(), &b"\n"[..], rest].concat()
}

/// Reads a message of `rank`.
pub fn read(rank: usize, bytes: &[u8]) -> Result<(Message, &[u8]), RanksError> {
    let malformed = RanksError::Malformed { rank };
    let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else { return Err(malformed) };
    let message = serde_json::from_slice(&bytes[..end]).map_err(|_| malformed)?;
    Ok((message, &bytes[end + 1..]))
}
