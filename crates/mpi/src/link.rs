//! [`MpiLink`]: messages between ranks by MPI.

use crate::MpiError;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, MatchedReceiveVec, Source};
use ramure::BoxError;
use ramure_lab::ranks::Ranks;
use std::panic;

/// The processes of an MPI program. A process can start only one; MPI ends when it is dropped.
///
/// A panic on any rank ends all ranks, with its message and the exit status 1.
pub struct MpiLink {
    // The communicator must be dropped before MPI ends.
    world: SimpleCommunicator,
    _universe: Universe,
}

impl MpiLink {
    /// Starts MPI. Call it on the main thread, before anything else, and run the program on the same thread.
    ///
    /// # Errors
    ///
    /// Returns an [`MpiError`] if MPI runs already, or if it allows no threads.
    pub fn start() -> Result<Self, MpiError> {
        let (universe, threading) =
            mpi::initialize_with_threading(Threading::Funneled).ok_or(MpiError::Started)?;
        if threading < Threading::Funneled {
            return Err(MpiError::NoThreads);
        }
        let world = universe.world().duplicate();
        if world.size() > 1 {
            let rank = world.rank();
            let print = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                // A panic on a worker thread may be an error of one game, so only the main thread ends all.
                eprintln!("rank {rank}:");
                print(info);
            }));
        }
        Ok(MpiLink { world, _universe: universe })
    }

    /// Whether this is the rank that prints, reads and writes.
    pub fn is_first(&self) -> bool {
        self.world.rank() == 0
    }

    /// Ends all ranks at once, with this exit status. Use it after an error that the other ranks do not know
    /// of.
    pub fn abort(&self, status: i32) -> ! {
        self.world.abort(status)
    }

    /// Gives the `text` of the first rank to all ranks. Call it on all ranks, before
    /// [`ranks::run`](ramure_lab::ranks::run).
    ///
    /// # Errors
    ///
    /// Returns an error if the text is too long for a message.
    pub fn share(&mut self, text: String) -> Result<String, BoxError> {
        if !self.is_first() {
            let (message, _) = self.world.process_at_rank(0).receive_vec::<u8>();
            return Ok(String::from_utf8(message)?);
        }
        (1..self.ranks()).try_for_each(|rank| self.send(rank, text.as_bytes()))?;
        Ok(text)
    }
}

impl Drop for MpiLink {
    fn drop(&mut self) {
        // Other ranks would wait for the messages of this one for ever.
        if std::thread::panicking() && self.world.size() > 1 {
            self.abort(1);
        }
    }
}

impl Ranks for MpiLink {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    fn send(&mut self, to: usize, message: &[u8]) -> Result<(), BoxError> {
        let most = i32::MAX as usize; // MPI counts so far
        if message.len() > most {
            return Err(MpiError::TooLong { bytes: message.len(), most }.into());
        }
        self.world.process_at_rank(to as i32).send(message);
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, BoxError> {
        let arrived = self.world.any_process().immediate_matched_probe();
        Ok(arrived.map(|arrived| {
            let (message, status) = arrived.matched_receive_vec();
            (status.source_rank() as usize, message)
        }))
    }
}
