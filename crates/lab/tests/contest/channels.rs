//! Ranks that are threads of this process. Channels connect them.

use ramure::BoxError;
use ramure_lab::Failure;
use ramure_lab::ranks::{self, Ranks};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A message and the rank that sent it.
type Sent = (usize, Vec<u8>);

/// The end of a channel to all other ranks.
struct Channels {
    rank: usize,
    to: Arc<Vec<Sender<Sent>>>,
    from: Receiver<Sent>,
    /// How long a rank waits for a message, so that a thousand threads do not look for one all the time.
    patience: Duration,
}

impl Ranks for Channels {
    fn rank(&self) -> usize {
        self.rank
    }
    fn ranks(&self) -> usize {
        self.to.len()
    }
    fn send(&mut self, to: usize, message: &[u8]) -> Result<(), BoxError> {
        Ok(self.to[to].send((self.rank, message.to_vec()))?)
    }
    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, BoxError> {
        match self.from.recv_timeout(self.patience) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Runs `program` on each of `count` ranks, and returns the results.
pub fn on_ranks(
    count: usize,
    program: impl Fn(usize) -> Result<(), Failure> + Sync,
) -> Vec<Result<(), String>> {
    let (to, from): (Vec<_>, Vec<_>) = (0..count).map(|_| channel()).unzip();
    let (to, patience) = (Arc::new(to), Duration::from_millis(if count > 10 { 20 } else { 0 }));
    std::thread::scope(|scope| {
        let started = from.into_iter().enumerate().map(|(rank, from)| {
            let (link, program) = (Channels { rank, to: Arc::clone(&to), from, patience }, &program);
            scope.spawn(move || {
                ranks::run(Box::new(link), || program(rank)).map_err(|error| error.to_string())
            })
        });
        let started = Vec::from_iter(started);
        started.into_iter().map(|rank| rank.join().expect("no rank panics")).collect()
    })
}
