//! The messages of the ranks besides jobs: results of the first rank, errors, and the end.

use super::error::Shared;
use super::message::{self, Message, Step};
use super::{Ranks, RanksError};
use crate::Failure;
use core::cell::{Cell, RefCell};
use core::time::Duration;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::thread;

/// The pauses of a rank that waits for messages: short after one has come, then longer and longer. A rank
/// that waits without a pause would take a core from the threads that work.
pub const PAUSES: (Duration, Duration) = (Duration::from_micros(20), Duration::from_millis(1));

/// The most characters of an error that another rank is told, so that the message is short.
const LONGEST: usize = 500;

thread_local! {
    // The thread that runs the program also does everything with the link: MPI allows no other thread.
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
    static RANK: Cell<usize> = const { Cell::new(0) };
    static COUNT: Cell<usize> = const { Cell::new(1) };
}

/// The other ranks, and how far the program is.
pub struct Session {
    ranks: Box<dyn Ranks>,
    /// The number of steps so far.
    steps: u64,
    /// For each rank, whether its program is over, as far as the first rank knows.
    is_over: Vec<bool>,
}

/// Does something when it goes out of scope, on a panic too.
pub struct AtTheEnd<F: Fn()>(pub F);

impl<F: Fn()> Drop for AtTheEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Returns whether this is the rank that reads, prints and writes files: the first one, or the only one. Call
/// it on the thread that called [`run`].
pub fn is_first() -> bool {
    RANK.get() == 0
}

/// Returns the number of ranks that run the program together, at least 1. Call it on the thread that called
/// [`run`].
pub fn count() -> usize {
    COUNT.get()
}

/// Runs a program together with other ranks: jobs of contests and experiments are spread over them. All ranks
/// must call this with the same program.
///
/// # Errors
///
/// Returns the error of the program. If another rank failed, returns a [`RanksError`] with its number and its
/// message.
pub fn run(ranks: Box<dyn Ranks>, program: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let count = ranks.ranks();
    if count <= 1 {
        return program();
    }
    // If the program panics, the link is dropped in the panic, and can tell the other ranks.
    let _leave = AtTheEnd(|| {
        RANK.set(0);
        COUNT.set(1);
        drop(SESSION.take());
    });
    RANK.set(ranks.rank());
    COUNT.set(count);
    SESSION.set(Some(Session { ranks, steps: 0, is_over: vec![false; count] }));
    let result = program();
    match SESSION.take() {
        Some(session) => session.end(result),
        None => result,
    }
}

/// Does `work` on the first rank, and returns its result on all of them. `what` says what it is for, in an
/// error if another rank does something else. The error is a `ContestError` or a `Failure`.
///
/// # Errors
///
/// Returns the error of `work`, on other ranks as a [`RanksError`].
pub fn on_first<T, E>(what: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E>
where
    T: Serialize + DeserializeOwned,
    E: Shared,
{
    let write = |value: &T| serde_json::to_vec(value).map_err(|error| error.to_string());
    share(what, work, write, |bytes| {
        serde_json::from_slice(&bytes).map_err(|_| RanksError::Malformed { rank: 0 })
    })
}

/// Does `work` on the first rank, and returns its result on all of them, as [`on_first`] does. Use it for
/// many bytes: they are sent as they are.
///
/// # Errors
///
/// Returns the error of `work`, on other ranks as a [`RanksError`].
pub fn bytes_of_first(
    what: &str,
    work: impl FnOnce() -> Result<Vec<u8>, Failure>,
) -> Result<Vec<u8>, Failure> {
    share(what, work, |bytes| Ok(bytes.clone()), Ok)
}

/// Does `work` on the first rank, and returns on all of them what can be written and read.
fn share<T, E: Shared>(
    what: &str,
    work: impl FnOnce() -> Result<T, E>,
    write: impl FnOnce(&T) -> Result<Vec<u8>, String>,
    read: impl FnOnce(Vec<u8>) -> Result<T, RanksError>,
) -> Result<T, E> {
    if SESSION.with_borrow(Option::is_none) {
        return work();
    }
    if is_first() {
        let result = work();
        let shared = result
            .as_ref()
            .map_err(|error| error.origin())
            .and_then(|value| write(value).map_err(|error| (0, format!("a result cannot be sent: {error}"))));
        with_session(|session| session.share(what, shared)).map_or(Ok(()), |shared| shared)?;
        return result;
    }
    let received = with_session(|session| session.receive_shared(what));
    Ok(read(received.unwrap_or_else(|| Ok(Vec::new()))?)?)
}

/// Does `work` with the session, if there is one. Within `work`, there is none: what it calls stays on this
/// rank.
pub fn with_session<T>(work: impl FnOnce(&mut Session) -> T) -> Option<T> {
    let mut session = SESSION.take()?;
    let result = work(&mut session);
    SESSION.set(Some(session));
    Some(result)
}

impl Session {
    pub fn is_first(&self) -> bool {
        self.ranks.rank() == 0
    }

    pub fn others(&self) -> core::ops::Range<usize> {
        1..self.ranks.ranks()
    }

    /// Begins a step.
    pub fn step(&mut self, what: &str) -> Step {
        self.steps += 1;
        Step { number: self.steps, what: what.into() }
    }

    pub fn send(&mut self, to: usize, message: &Message, rest: &[u8]) -> Result<(), RanksError> {
        self.ranks.send(to, &message::write(message, rest)).map_err(RanksError::Link)
    }

    /// Returns the next message, its sender and what follows its first line, if one has come.
    ///
    /// # Errors
    ///
    /// Returns an error if another rank has failed, or has ended the program before this one.
    pub fn receive(&mut self) -> Result<Option<(usize, Message, Vec<u8>)>, RanksError> {
        let Some((from, bytes)) = self.ranks.receive().map_err(RanksError::Link)? else { return Ok(None) };
        match message::read(from, &bytes)? {
            (Message::Failed { rank, error }, _) => Err(RanksError::OtherRank { rank, message: error }),
            (Message::Over { error }, _) => {
                self.is_over[from] = true;
                Err(match error {
                    Some(message) => RanksError::OtherRank { rank: from, message },
                    None => RanksError::Differ {
                        rank: from,
                        here: format!("is at step {}", self.steps),
                        there: "has ended".into(),
                    },
                })
            }
            (message, rest) => Ok(Some((from, message, rest.to_vec()))),
        }
    }

    /// Waits for the next message.
    fn wait(&mut self) -> Result<(usize, Message, Vec<u8>), RanksError> {
        let mut pause = PAUSES.0;
        loop {
            if let Some(message) = self.receive()? {
                return Ok(message);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// Sends a result of this rank to all others, which wait for it.
    fn share(&mut self, what: &str, result: Result<Vec<u8>, (usize, String)>) -> Result<(), RanksError> {
        let step = self.step(what);
        match result {
            Ok(bytes) => self.send_to_all(&Message::Shared { step }, &bytes),
            Err((rank, error)) => self.send_to_all(&Message::NotShared { step, rank, error }, &[]),
        }
    }

    /// Waits for a result of the first rank.
    fn receive_shared(&mut self, what: &str) -> Result<Vec<u8>, RanksError> {
        let step = self.step(what);
        let (from, message, bytes) = loop {
            match self.wait()? {
                // It came too late: this rank had ended the jobs of that step already.
                (_, Message::End { step: ended, .. }, _) if ended < step.number => {}
                other => break other,
            }
        };
        match message {
            Message::Shared { step: there } if there == step => Ok(bytes),
            Message::NotShared { step: there, rank, error } if there == step => {
                Err(RanksError::OtherRank { rank, message: error })
            }
            Message::Shared { step: there } | Message::NotShared { step: there, .. } => {
                Err(differ(0, &step, &there))
            }
            Message::End { step: there, .. } => {
                Err(differ(0, &step, &Step { number: there, what: "jobs".into() }))
            }
            _ => Err(RanksError::Malformed { rank: from }),
        }
    }

    /// Sends a message to all other ranks. All messages of a rank come from the first one, so they come in
    /// their order.
    fn send_to_all(&mut self, message: &Message, rest: &[u8]) -> Result<(), RanksError> {
        self.others().try_for_each(|rank| self.send(rank, message, rest))
    }

    /// Waits until the program has ended on all ranks, so that none waits for a message that never comes. If
    /// one failed, all do.
    fn end(mut self, result: Result<(), Failure>) -> Result<(), Failure> {
        if self.is_first() { self.end_all(result) } else { self.end_here(result) }
    }

    fn end_all(&mut self, mut result: Result<(), Failure>) -> Result<(), Failure> {
        if result.is_ok() {
            // A rank whose program goes on would wait for jobs for ever.
            self.send_to_all(&Message::Over { error: None }, &[])?;
        }
        let mut is_told = false;
        loop {
            if let (Err(error), false) = (&result, is_told) {
                let (rank, error) = error.origin();
                let failed = Message::Failed { rank, error: error.chars().take(LONGEST).collect() };
                self.send_to_all(&failed, &[])?;
                is_told = true;
            }
            if self.others().all(|rank| self.is_over[rank]) {
                break;
            }
            match self.wait() {
                // Jobs and results that came too late.
                Ok(_) | Err(RanksError::Differ { .. }) => {}
                Err(error @ RanksError::Link(_)) => return result.and(Err(error.into())),
                Err(error) if result.is_ok() => result = Err(error.into()),
                Err(_) => {}
            }
        }
        self.send_to_all(&Message::AllOver, &[])?;
        result
    }

    fn end_here(&mut self, mut result: Result<(), Failure>) -> Result<(), Failure> {
        let error = result.as_ref().err().map(Shared::in_words);
        self.send(0, &Message::Over { error }, &[])?;
        loop {
            match self.wait() {
                Ok((_, Message::AllOver, _)) => return result,
                // The program of the first rank has ended, too.
                Ok(_) | Err(RanksError::Differ { .. }) => {}
                Err(error @ RanksError::Link(_)) => return result.and(Err(error.into())),
                Err(error) if result.is_ok() => result = Err(error.into()),
                Err(_) => {}
            }
        }
    }
}

/// Returns the error for a rank that takes another step.
pub fn differ(rank: usize, here: &Step, there: &Step) -> RanksError {
    let text = |step: &Step| format!("is at step {}, {}", step.number, step.what);
    RanksError::Differ { rank, here: text(here), there: text(there) }
}
