//! Programs whose work is spread over several processes, the *ranks*. This module sees contests and
//! experiments only as numbered jobs with results.
//!
//! All ranks run the same program with the same arguments. Contests, and experiments over many seeds, consist
//! of numbered jobs. Within [`run`], the first rank hands them out to all ranks as these become free, and all
//! ranks get all results; so they take the same course. Files and the terminal belong to the first rank.
//! Outside of [`run`], the threads of this process do all jobs.
//!
//! A transport for the messages implements [`Ranks`]. The crate `ramure-mpi` does so over MPI.
//!
//! | file         | its job                                        |
//! |--------------|------------------------------------------------|
//! | `perform.rs` | jobs on the threads of one rank, or of all     |
//! | `session.rs` | what the ranks tell each other                 |
//! | `message.rs` | messages as bytes                              |
//! | `error.rs`   | [`RanksError`]                                 |

mod error;
mod message;
mod perform;
mod session;

pub use error::RanksError;
pub(crate) use perform::{Jobs, perform};
pub use session::{bytes_of_first, count, is_first, on_first, run};

/// Returns a hash of the file of this program, so that ranks can find out whether they run the same build.
/// Reads the whole file.
///
/// # Errors
///
/// Returns an error if the file cannot be read, for example because it was replaced.
pub fn build() -> std::io::Result<u64> {
    Ok(hash_key(&std::fs::read(std::env::current_exe()?)?) as u64)
}

/// Returns the number of threads that this machine can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

use ramure::{BoxError, hash_key};

/// The processes that share the work of a program, as one of them sees them.
///
/// **Who needs it:** authors of a transport. Messages from one rank to another must arrive complete and in
/// the order in which they were sent.
///
/// Messages to the first rank, and results of the first rank that all ranks get, can be long. `send` may wait
/// until such a message is received. All others have at most 2 KiB, and at most eight of them are under way
/// to a rank that does not receive. `send` must not wait for them.
pub trait Ranks {
    /// Returns the number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Returns the number of ranks, at least 1.
    fn ranks(&self) -> usize;

    /// Sends a message to the rank `to`.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot be sent. The program then ends.
    fn send(&mut self, to: usize, message: &[u8]) -> Result<(), BoxError>;

    /// Returns the next message and the rank that sent it, or `None` if no message has arrived. Does not
    /// wait.
    ///
    /// # Errors
    ///
    /// Returns an error if no message can arrive any more. The program then ends.
    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, BoxError>;
}
