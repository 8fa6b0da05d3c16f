//! [`Delayed`]: a link with a longer way, to measure what a network costs.

use ramure::BoxError;
use ramure::search::Link;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Delays each message by a fixed time. Ranks on one machine then search as if a network lay between them.
///
/// A message carries the time at which it was sent, so the clocks of the ranks must agree.
pub struct Delayed<L> {
    link: L,
    delay: Duration,
}

impl<L: Link> Delayed<L> {
    /// Delays each message over `link` by `delay`.
    pub fn new(link: L, delay: Duration) -> Self {
        Delayed { link, delay }
    }

    /// Returns the link itself.
    pub fn get_mut(&mut self) -> &mut L {
        &mut self.link
    }
}

/// Returns the time since 1970.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

impl<L: Link> Link for Delayed<L> {
    fn rank(&self) -> usize {
        self.link.rank()
    }

    fn ranks(&self) -> usize {
        self.link.ranks()
    }

    fn send(&mut self, message: &[u8]) -> Result<(), BoxError> {
        if self.delay.is_zero() {
            return self.link.send(message);
        }
        let arrives = (now() + self.delay).as_nanos() as u64;
        self.link.send(&[&arrives.to_le_bytes(), message].concat())
    }

    fn receive(&mut self, from: usize, message: &mut Vec<u8>) -> Result<(), BoxError> {
        self.link.receive(from, message)?;
        if self.delay.is_zero() {
            return Ok(());
        }
        let (time, rest) = message.split_first_chunk().ok_or("a message without a time")?;
        let arrives = Duration::from_nanos(u64::from_le_bytes(*time));
        let rest = rest.to_vec();
        // A sleep can be a tenth of a millisecond too long, so only most of the time is slept.
        let margin = Duration::from_micros(200);
        if let Some(wait) = arrives.checked_sub(now()).and_then(|wait| wait.checked_sub(margin)) {
            thread::sleep(wait);
        }
        while now() < arrives {
            std::hint::spin_loop();
        }
        *message = rest;
        Ok(())
    }
}
