//! Commands of the laboratory over the ranks of MPI.

use crate::MpiLink;
use ramure_lab::Failure;
use ramure_lab::contest::in_full;
use ramure_lab::ranks::{self, RanksError};
use std::process::ExitCode;

/// Runs a program whose games and searches are spread over the ranks, and returns the exit code of this rank.
/// If the program fails, the first rank prints the error.
pub fn spread(link: MpiLink, program: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    let is_first = link.is_first();
    match ranks::run(Box::new(link), program) {
        Ok(()) => ExitCode::SUCCESS,
        // The first rank says what went wrong, also on another one. `mpirun` ends all ranks when one has
        // failed, so no other rank fails before the first one has said so.
        Err(error) if is_first || matches!(error.downcast_ref(), Some(RanksError::Link(_))) => {
            eprintln!("error: {}", in_full(&*error));
            ExitCode::FAILURE
        }
        Err(_) => ExitCode::SUCCESS,
    }
}
