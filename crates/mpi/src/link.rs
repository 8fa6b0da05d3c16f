//! [`MpiLink`]: messages between ranks by MPI, for searches and for the jobs of contests.

use crate::MpiError;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, MatchedReceiveVec, Source};
use ramure::BoxError;
use ramure::search::Link;
use ramure_lab::ranks::Ranks;
use std::{hint, panic, thread};

/// The bytes of messages that may be under way from a rank to all others.
const BUFFER: usize = 1 << 28;
/// How many messages may be under way to each rank: those of two exchanges and the commands between them.
const UNDER_WAY: usize = 4;

/// The bytes of a packet. An MPI sends longer messages only while sender and receiver are both in one of its
/// functions, but a rank that has all it needs goes on searching. The shortest limit in use is 4096 bytes:
/// Open MPI over shared memory.
const PACKET: usize = 3072;
/// The bytes of the length at the start of a message.
const LENGTH: usize = 8;

/// How often a rank looks for a message before it gives way to other threads: some tens of microseconds.
const LOOKS: u32 = 200;
/// The pause between two looks, in hints to the processor.
const PAUSE: u32 = 16;

/// The processes of an MPI program. A process can start only one; MPI ends when it is dropped.
///
/// A panic on any rank ends all ranks, with its message and the exit status 1.
pub struct MpiLink {
    // The communicators must be dropped before MPI ends.
    world: SimpleCommunicator,
    /// For messages between two ranks, so that searches do not receive them.
    jobs: SimpleCommunicator,
    _universe: Universe,
    /// The most bytes of a message.
    most: usize,
}

impl MpiLink {
    /// Starts MPI. Call it on the main thread, before anything else, and run the searches on the same thread.
    ///
    /// # Errors
    ///
    /// Returns an [`MpiError`] if MPI runs already, or if it allows no threads.
    pub fn start() -> Result<Self, MpiError> {
        let (mut universe, threading) =
            mpi::initialize_with_threading(Threading::Funneled).ok_or(MpiError::Started)?;
        if threading < Threading::Funneled {
            return Err(MpiError::NoThreads);
        }
        universe.set_buffer_size(BUFFER);
        let (world, jobs) = (universe.world().duplicate(), universe.world().duplicate());
        let ranks = world.size() as usize;
        if ranks > 1 {
            let rank = world.rank();
            let print = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                // A policy or a game that panics on a worker thread is an error of the search, so only the
                // main thread ends all.
                eprintln!("rank {rank}:");
                print(info);
            }));
        }
        Ok(MpiLink { world, jobs, _universe: universe, most: BUFFER / (UNDER_WAY * ranks.max(2)) })
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

    /// Gives the `text` of the first rank to all ranks.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is too long for a message.
    pub fn share(&mut self, text: Option<String>) -> Result<String, BoxError> {
        if self.is_first() {
            let text = text.unwrap_or_default();
            Link::send(self, text.as_bytes())?;
            return Ok(text);
        }
        let mut message = Vec::new();
        Link::receive(self, 0, &mut message)?;
        Ok(String::from_utf8(message)?)
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

impl Link for MpiLink {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    fn send(&mut self, message: &[u8]) -> Result<(), BoxError> {
        if message.len() > self.most {
            return Err(MpiError::TooLong { bytes: message.len(), most: self.most }.into());
        }
        // The first packet begins with the length.
        let (start, rest) = message.split_at(message.len().min(PACKET - LENGTH));
        let first = [&(message.len() as u64).to_le_bytes(), start].concat();
        for rank in (0..self.world.size()).filter(|&rank| rank != self.world.rank()) {
            let to = self.world.process_at_rank(rank);
            to.buffered_send(&first[..]);
            rest.chunks(PACKET).for_each(|packet| to.buffered_send(packet));
        }
        Ok(())
    }

    fn receive(&mut self, from: usize, message: &mut Vec<u8>) -> Result<(), BoxError> {
        let first = self.packet_from(from);
        let (length, start) = first.split_first_chunk::<LENGTH>().ok_or("a packet without a length")?;
        let length = u64::from_le_bytes(*length) as usize;
        message.clear();
        message.extend_from_slice(start);
        while message.len() < length {
            message.extend_from_slice(&self.packet_from(from));
        }
        Ok(())
    }
}

impl Ranks for MpiLink {
    fn rank(&self) -> usize {
        Link::rank(self)
    }

    fn ranks(&self) -> usize {
        Link::ranks(self)
    }

    fn send(&mut self, to: usize, message: &[u8]) -> Result<(), BoxError> {
        let most = i32::MAX as usize; // MPI counts so far
        if message.len() > most {
            return Err(MpiError::TooLong { bytes: message.len(), most }.into());
        }
        self.jobs.process_at_rank(to as i32).send(message);
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, BoxError> {
        let arrived = self.jobs.any_process().immediate_matched_probe();
        Ok(arrived.map(|arrived| {
            let (message, status) = arrived.matched_receive_vec();
            (status.source_rank() as usize, message)
        }))
    }
}

impl MpiLink {
    /// Waits for the next packet of a rank.
    fn packet_from(&self, rank: usize) -> Vec<u8> {
        let source = self.world.process_at_rank(rank as i32);
        let mut looks = 0;
        loop {
            if let Some(arrived) = source.immediate_matched_probe() {
                return arrived.matched_receive_vec().0;
            }
            // MPI itself would look without a pause, which slows another rank on the same core.
            looks += 1;
            if looks < LOOKS {
                (0..PAUSE).for_each(|_| hint::spin_loop());
            } else {
                thread::yield_now();
            }
        }
    }
}
