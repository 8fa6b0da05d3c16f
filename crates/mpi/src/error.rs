//! The errors of a link over MPI.

use std::error::Error;
use std::fmt;

/// The error type of [`MpiLink`](crate::MpiLink). MPI itself ends all ranks if one of them dies.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MpiError {
    /// MPI runs already in this process.
    Started,
    /// The MPI of this machine allows no threads beside the one that calls it.
    NoThreads,
    /// The message is too long.
    TooLong {
        /// The length of the message in bytes.
        bytes: usize,
        /// The most bytes of a message.
        most: usize,
    },
}

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MpiError::Started => {
                f.write_str("MPI runs already in this process; start one link and use it for all searches")
            }
            MpiError::NoThreads => f.write_str(
                "this MPI allows no threads beside the one that calls it; install one built with thread support",
            ),
            MpiError::TooLong { bytes, most } => write!(
                f,
                "a message of {bytes} bytes is longer than the {most} bytes that fit; if a search sent it, exchange fewer \
                 nodes with `Exchange::share`, and otherwise divide the contest into several",
            ),
        }
    }
}

ramure::debug_as_sentence!(MpiError);

impl Error for MpiError {}
