//! The errors of a link over MPI.

/// The error type of [`MpiLink`](crate::MpiLink). MPI itself ends all ranks if one of them dies.
#[derive(thiserror::Error, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MpiError {
    /// MPI runs already in this process.
    #[error("MPI runs already in this process; start one link and use it for everything")]
    Started,
    /// The MPI of this machine allows no threads beside the one that calls it.
    #[error("this MPI allows no threads beside the one that calls it; install one built with thread support")]
    NoThreads,
    /// The message is too long.
    #[error(
        "a message of {bytes} bytes is longer than the {most} bytes that MPI sends at once; divide the contest into \
         several"
    )]
    TooLong {
        /// The length of the message in bytes.
        bytes: usize,
        /// The most bytes of a message.
        most: usize,
    },
}

ramure::debug_as_sentence!(MpiError);
