//! How long to search, and why a search stopped.

use super::error::SearchError;
use core::fmt;
use core::time::Duration;

/// A number of bytes.
///
/// ```
/// use ramure::Bytes;
/// assert_eq!(Bytes::mib(2), Bytes::kib(2048));
/// assert_eq!(Bytes::mib(2).to_string(), "2.0 MiB");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bytes(pub usize);

impl Bytes {
    /// So many kibibytes, 1024 bytes each.
    pub const fn kib(count: usize) -> Self {
        Bytes(count.saturating_mul(1 << 10))
    }

    /// So many mebibytes, 1024 kibibytes each.
    pub const fn mib(count: usize) -> Self {
        Bytes(count.saturating_mul(1 << 20))
    }

    /// So many gibibytes, 1024 mebibytes each.
    pub const fn gib(count: usize) -> Self {
        Bytes::mib(count.saturating_mul(1 << 10))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        match self.0 {
            0..1024 => write!(f, "{} bytes", self.0),
            1024..1_048_576 => write!(f, "{:.1} KiB", bytes / 1024.0),
            1_048_576..1_073_741_824 => write!(f, "{:.1} MiB", bytes / 1_048_576.0),
            _ => write!(f, "{:.2} GiB", bytes / 1_073_741_824.0),
        }
    }
}

/// How long to search: iterations, wall time, bytes, until told to stop, or several of these, whichever is reached
/// first. At least one iteration is made.
///
/// ```
/// use ramure::{Budget, Bytes};
/// use std::time::Duration;
/// let a_second = Budget::millis(1_000);
/// let a_second_at_most = Budget::iterations(1_000_000).and_time(Duration::from_secs(1)).and_bytes(Bytes::mib(100));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    pub(super) iterations: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) bytes: Option<Bytes>,
    pub(super) stops_early: bool,
}

impl Budget {
    const UNBOUNDED: Budget = Budget { iterations: None, time: None, bytes: None, stops_early: false };

    /// So many iterations.
    pub const fn iterations(count: u64) -> Self {
        Budget { iterations: Some(count), ..Budget::UNBOUNDED }
    }

    /// So much wall time. The search ends at most one iteration and a millisecond later; only iterations that last less
    /// than a microsecond and suddenly a thousand times as long may be up to sixteen (see `docs/budgets.md`).
    pub const fn time(time: Duration) -> Self {
        Budget { time: Some(time), ..Budget::UNBOUNDED }
    }

    /// So many milliseconds of wall time.
    pub const fn millis(millis: u64) -> Self {
        Budget::time(Duration::from_millis(millis))
    }

    /// Until a [`StopHandle`](crate::StopHandle) says so, the root is proven, or its visits cannot be counted any more.
    pub const fn until_stopped() -> Self {
        Budget::UNBOUNDED
    }

    /// And at most so many iterations.
    pub const fn and_iterations(mut self, count: u64) -> Self {
        self.iterations = Some(match self.iterations {
            Some(other) if other < count => other,
            _ => count,
        });
        self
    }

    /// And at most so much wall time.
    pub const fn and_time(mut self, time: Duration) -> Self {
        self.time = Some(match self.time {
            Some(other) if other.as_nanos() < time.as_nanos() => other,
            _ => time,
        });
        self
    }

    /// And only until the tree takes so many bytes, not counting what was given back to it. (A memory limit lets the search go on instead.)
    pub const fn and_bytes(mut self, bytes: Bytes) -> Self {
        self.bytes = Some(match self.bytes {
            Some(other) if other.0 < bytes.0 => other,
            _ => bytes,
        });
        self
    }

    /// And only until the action with the most visits cannot be overtaken within the rest of the iterations, or of the time
    /// judged by the iterations made; at once if there is only one action.
    ///
    /// The action is then the one that the whole budget would have led to, proofs and changes of speed apart.
    ///
    /// Works with [`RootDecision::Robust`](crate::RootDecision::Robust) only, and not with tree policies that plan ahead for the
    /// iterations of a run: else the run ends with [`SearchError::CannotStopEarly`]. **Source:** Baier and Winands, *Time
    /// Management for Monte-Carlo Tree Search in Go*, 2012, the strategy STOP without its safety factor.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::{StopReason, games::Connect4};
    /// let mut search = Mcts::new(Connect4::new()).tree_policy(Ucb1::new(0.3));
    /// let report = search.run(Budget::iterations(100_000).or_decided())?;
    /// assert_eq!(report.stop_reason, StopReason::Decided);
    /// assert!(report.iterations < 100_000);
    /// # Ok::<(), SearchError>(())
    /// ```
    pub const fn or_decided(mut self) -> Self {
        self.stops_early = true;
        self
    }

    /// Whether the budget ends a search whose leader cannot be overtaken: see [`or_decided`](Self::or_decided).
    pub fn stops_early(&self) -> bool {
        self.stops_early
    }

    /// Whether the budget limits the number of iterations.
    pub fn counts_iterations(&self) -> bool {
        self.iterations.is_some()
    }

    pub(super) fn check(&self) -> Result<(), SearchError> {
        let empty =
            self.iterations == Some(0) || self.time == Some(Duration::ZERO) || self.bytes == Some(Bytes(0));
        if empty { Err(SearchError::EmptyBudget) } else { Ok(()) }
    }
}

/// How often an observer is shown a report: see [`Mcts::run_with`](crate::Mcts::run_with). A number stands for so many
/// iterations, a [`Duration`] for so much wall time.
///
/// ```
/// use ramure::Every;
/// use std::time::Duration;
/// assert_eq!(Every::from(10_000), Every::Iterations(10_000));
/// assert_eq!(Every::from(Duration::from_millis(100)), Every::Time(Duration::from_millis(100)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Every {
    /// After so many iterations, at least 1; at the end of the run only if their number is a multiple.
    Iterations(u64),
    /// After so much wall time, and at the end of the run.
    Time(Duration),
}

impl From<u64> for Every {
    fn from(iterations: u64) -> Self {
        Every::Iterations(iterations)
    }
}

impl From<Duration> for Every {
    fn from(time: Duration) -> Self {
        Every::Time(time)
    }
}

/// Why a search stopped. Stopping is never an error: what was found so far is in the report.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// All iterations of the budget are made.
    Iterations,
    /// The time of the budget is used up.
    Time,
    /// The tree has the bytes of the budget.
    Bytes,
    /// A [`StopHandle`](crate::StopHandle) was used.
    Stopped,
    /// The reward of the player to move is proven: more iterations change nothing.
    Proven,
    /// The action with the most visits cannot be overtaken any more; see [`Budget::or_decided`].
    Decided,
    /// A node cannot count more visits (2^31 - 1).
    CountFull,
    /// The report was asked for without a run.
    NotRun,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Iterations => "all iterations made",
            StopReason::Time => "time used up",
            StopReason::Bytes => "bytes used up",
            StopReason::Stopped => "stopped",
            StopReason::Proven => "proven",
            StopReason::Decided => "decided",
            StopReason::CountFull => "visits cannot be counted any more",
            StopReason::NotRun => "not run",
        })
    }
}
