//! [`Link`]: how the processes that share a search talk to each other; and what a forest sends over it.

use crate::custom_error::{BoxError, CustomError};
use crate::run::budget::StopReason;
use crate::run::error::SearchError;
use crate::search::engine::forest::digest::Digest;
use crate::search::engine::forest::wire::{self, Malformed, Reader};
use crate::statistics::Pack;
use core::ops::Range;
use core::time::Duration;
use std::sync::{PoisonError, RwLock};

/// Connects processes that search together, for example over MPI. Each process is a *rank*.
///
/// **Who needs it:** authors of a transport, for
/// [`Mcts::run_linked`](crate::Mcts::run_linked). The member crate `ramure-mpi`
/// implements it over MPI.
///
/// Messages from one rank to another must arrive complete and in the order in which they were sent. A rank
/// may send several messages before another receives the first one, so `send` must not wait until a message
/// is received.
pub trait Link {
    /// Returns the number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Returns the number of ranks, at least 1.
    fn ranks(&self) -> usize;

    /// Starts to send `message` to all other ranks.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot be sent. The search then ends with [`SearchError::Link`].
    fn send(&mut self, message: &[u8]) -> Result<(), BoxError>;

    /// Waits for the next message of rank `from` and replaces the content of `message` by it.
    ///
    /// # Errors
    ///
    /// Returns an error if no message can come any more. The search then ends with [`SearchError::Link`].
    fn receive(&mut self, from: usize, message: &mut Vec<u8>) -> Result<(), BoxError>;
}

/// Two digests of each tree: one is written while others may still read the other one.
pub(crate) type Digests<P, B> = [[RwLock<Digest<P, B>>; 2]];

/// What the first rank tells the others to do next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Command {
    /// Iterate and exchange until there are so many iterations in this run, for at most so long.
    Perform { iterations: u64, time: Option<Duration> },
    /// The run is over, for this reason and after this time.
    End { stop: StopReason, time: Duration },
}

/// What the trees of one rank need of the others.
pub(crate) trait Carrier<P, B> {
    /// Tells the other ranks what to do. Only the first rank does.
    fn tell(&mut self, command: Command) -> Result<(), SearchError>;

    /// Waits until the first rank tells what to do.
    fn command(&mut self) -> Result<Command, SearchError>;

    /// Tells the other ranks, where they wait for this one, that it fails.
    fn fail(&mut self, error: &SearchError);

    /// Starts to send the digests of this rank's trees. Returns the bytes sent to each rank.
    fn send_digests(&mut self, digests: &Digests<P, B>, slot: usize) -> Result<u64, SearchError>;

    /// Waits for the digests of the other ranks.
    fn receive_digests(&mut self, digests: &Digests<P, B>, slot: usize) -> Result<(), SearchError>;
}

/// Returns which trees lie on a rank.
pub(crate) fn trees_of(rank: usize, ranks: usize, trees: usize) -> Range<usize> {
    trees * rank / ranks..trees * (rank + 1) / ranks
}

/// Sends digests over a link.
pub(crate) struct Linked<'l> {
    pub link: &'l mut dyn Link,
    pub trees: usize,
    pub message: Vec<u8>,
}

impl Linked<'_> {
    pub fn send(&mut self) -> Result<(), SearchError> {
        self.link.send(&self.message).map_err(broken)
    }

    /// Waits for a message of the rank `from`, unless that rank has failed.
    pub fn receive(&mut self, from: usize) -> Result<(), SearchError> {
        self.link.receive(from, &mut self.message).map_err(broken)?;
        match self.message.split_first() {
            Some((&FAILED, message)) => {
                let message = String::from_utf8_lossy(message).into();
                Err(SearchError::OtherRank { rank: from, message })
            }
            _ => Ok(()),
        }
    }

    /// Tells the other ranks that this one fails. If they cannot be told, the link itself ends them.
    pub fn fail(&mut self, error: &SearchError) {
        self.message.clear();
        self.message.push(FAILED);
        self.message.extend_from_slice(wire::with_sources(error).as_bytes());
        let _ = self.link.send(&self.message);
    }
}

/// Returns the error of a link.
pub(crate) fn broken(error: BoxError) -> SearchError {
    SearchError::Link { error: CustomError::new(error) }
}

/// Returns the error for a message of `rank` that makes no sense.
pub(crate) fn malformed(rank: usize) -> impl Fn(Malformed) -> SearchError {
    move |_| SearchError::Link { error: format!("a message of rank {rank} is malformed").into() }
}

// What a message begins with.
const PERFORM: u8 = 0;
const END: u8 = 1;
const DIGESTS: u8 = 2;
const FAILED: u8 = 3;

/// Times in messages are whole microseconds. No time stands for no deadline.
const NO_TIME: u64 = u64::MAX;

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(NO_TIME)
}

fn write_command(to: &mut Vec<u8>, command: Command) {
    to.clear();
    match command {
        Command::Perform { iterations, time } => {
            to.push(PERFORM);
            wire::write_u64(to, iterations);
            wire::write_u64(to, time.map_or(NO_TIME, micros));
        }
        Command::End { stop, time } => {
            to.push(END);
            wire::write_stop(to, Some(stop));
            wire::write_u64(to, micros(time));
        }
    }
}

fn read_command(mut from: Reader<'_>) -> Result<Command, Malformed> {
    match from.u8()? {
        PERFORM => {
            let (iterations, time) = (from.u64()?, from.u64()?);
            Ok(Command::Perform { iterations, time: (time != NO_TIME).then(|| Duration::from_micros(time)) })
        }
        END => {
            let stop = from.stop()?.ok_or(Malformed)?;
            Ok(Command::End { stop, time: Duration::from_micros(from.u64()?) })
        }
        _ => Err(Malformed),
    }
}

impl<P: Pack, B: Pack> Carrier<P, B> for Linked<'_> {
    fn tell(&mut self, command: Command) -> Result<(), SearchError> {
        write_command(&mut self.message, command);
        self.send()
    }

    fn command(&mut self) -> Result<Command, SearchError> {
        self.receive(0)?;
        read_command(Reader(&self.message)).map_err(malformed(0))
    }

    fn fail(&mut self, error: &SearchError) {
        Linked::fail(self, error);
    }

    fn send_digests(&mut self, digests: &Digests<P, B>, slot: usize) -> Result<u64, SearchError> {
        let (own, ranks) = (self.link.rank(), self.link.ranks());
        self.message.clear();
        self.message.push(DIGESTS);
        for digest in &digests[trees_of(own, ranks, self.trees)] {
            wire::write(&mut self.message, &digest[slot].read().unwrap_or_else(PoisonError::into_inner));
        }
        self.send()?;
        Ok(self.message.len() as u64)
    }

    fn receive_digests(&mut self, digests: &Digests<P, B>, slot: usize) -> Result<(), SearchError> {
        let (own, ranks) = (self.link.rank(), self.link.ranks());
        for rank in (0..ranks).filter(|&rank| rank != own) {
            self.receive(rank)?;
            let mut reader = Reader(&self.message);
            if !matches!(reader.u8(), Ok(DIGESTS)) {
                return Err(malformed(rank)(Malformed));
            }
            for digest in &digests[trees_of(rank, ranks, self.trees)] {
                let mut digest = digest[slot].write().unwrap_or_else(PoisonError::into_inner);
                wire::read(&mut reader, rank, &mut digest).map_err(malformed(rank))?;
            }
            if !reader.0.is_empty() {
                return Err(malformed(rank)(Malformed));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_survives_its_message() {
        let second = Duration::from_secs(1);
        for command in [
            Command::Perform { iterations: u64::MAX, time: None },
            Command::Perform { iterations: 7, time: Some(second) },
            Command::End { stop: StopReason::Passes, time: second },
        ] {
            let mut message = Vec::new();
            write_command(&mut message, command);
            assert_eq!(read_command(Reader(&message)).ok(), Some(command));
            for len in 0..message.len() {
                assert!(read_command(Reader(&message[..len])).is_err());
            }
        }
    }

    #[test]
    fn each_tree_lies_on_one_rank() {
        for (trees, ranks) in [(1, 1), (4, 4), (7, 3), (64, 5)] {
            let all = Vec::from_iter((0..ranks).flat_map(|rank| trees_of(rank, ranks, trees)));
            assert_eq!(all, Vec::from_iter(0..trees));
            assert!((0..ranks).all(|rank| !trees_of(rank, ranks, trees).is_empty()));
        }
    }
}
