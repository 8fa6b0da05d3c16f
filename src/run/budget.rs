//! How long to search, and why a search stopped.

use crate::run::error::SearchError;
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Bytes(pub usize);

impl Bytes {
    /// Returns `count` kibibytes of 1024 bytes each.
    pub const fn kib(count: usize) -> Self {
        Bytes(count.saturating_mul(1 << 10))
    }

    /// Returns `count` mebibytes of 1024 kibibytes each.
    pub const fn mib(count: usize) -> Self {
        Bytes(count.saturating_mul(1 << 20))
    }

    /// Returns `count` gibibytes of 1024 mebibytes each.
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

/// How long to search.
///
/// A budget bounds the iterations, the wall time, the bytes of the tree, or several of these; the search ends
/// at the first bound that it reaches. With a budget without bounds, the search runs until a
/// [`StopHandle`](crate::StopHandle) stops it. A run makes at least one iteration, unless
/// the root is proven.
///
/// ```
/// use ramure::{Budget, Bytes};
/// use std::time::Duration;
/// let a_second = Budget::millis(1_000);
/// let a_second_at_most = Budget::iterations(1_000_000).and_time(Duration::from_secs(1)).and_bytes(Bytes::mib(100));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a budget does nothing until you pass it to a search"]
#[non_exhaustive]
pub struct Budget {
    /// The most iterations, if they are limited.
    pub iterations: Option<u64>,
    /// The wall time, if it is limited.
    pub time: Option<Duration>,
    /// The bytes of the tree, if they are limited.
    pub bytes: Option<Bytes>,
    /// Whether a search ends whose leader cannot be overtaken: see [`or_decided`](Self::or_decided).
    pub stops_early: bool,
    /// By how many percent a search may exceed the budget while its choice is unclear: see
    /// [`and_percent_if_unclear`](Self::and_percent_if_unclear).
    pub percent_if_unclear: Option<u32>,
}

impl Budget {
    const UNBOUNDED: Budget =
        Budget { iterations: None, time: None, bytes: None, stops_early: false, percent_if_unclear: None };

    /// Creates a budget of `count` iterations.
    pub const fn iterations(count: u64) -> Self {
        Budget { iterations: Some(count), ..Budget::UNBOUNDED }
    }

    /// Creates a budget of wall time.
    ///
    /// The search ends at most one iteration and one millisecond late. The exception is iterations that take
    /// less than a microsecond and suddenly become a thousand times longer: then up to sixteen of them may be
    /// made late (see `docs/budgets.md`).
    pub const fn time(time: Duration) -> Self {
        Budget { time: Some(time), ..Budget::UNBOUNDED }
    }

    /// Creates a budget of `millis` milliseconds of wall time.
    pub const fn millis(millis: u64) -> Self {
        Budget::time(Duration::from_millis(millis))
    }

    /// Creates a budget without bounds. The search ends when a [`StopHandle`](crate::StopHandle) stops it,
    /// when the root is proven, or when the root has 2^31 - 1 visits, the most that can be counted.
    pub const fn until_stopped() -> Self {
        Budget::UNBOUNDED
    }

    /// Adds a bound of `count` iterations. The smaller of two bounds applies.
    pub const fn and_iterations(mut self, count: u64) -> Self {
        self.iterations = Some(match self.iterations {
            Some(other) if other < count => other,
            _ => count,
        });
        self
    }

    /// Adds a bound on the wall time. The smaller of two bounds applies.
    pub const fn and_time(mut self, time: Duration) -> Self {
        self.time = Some(match self.time {
            Some(other) if other.as_nanos() < time.as_nanos() => other,
            _ => time,
        });
        self
    }

    /// Adds a bound on the bytes of the tree, not counting blocks that are free for reuse. The smaller of two
    /// bounds applies. (With a [memory limit](crate::Mcts::memory_limit) the search goes on at the limit
    /// instead.)
    pub const fn and_bytes(mut self, bytes: Bytes) -> Self {
        self.bytes = Some(match self.bytes {
            Some(other) if other.0 < bytes.0 => other,
            _ => bytes,
        });
        self
    }

    /// Ends the search as soon as the action with the most visits cannot be overtaken in the rest of the
    /// budget. With only one legal action, the search ends at once.
    ///
    /// The rest of a time budget is converted to iterations by the greatest speed of the whole run and of its
    /// latest parts, times `1 + 256 / n` after `n` iterations, since the first ones may be slow: a network
    /// warms up.
    ///
    /// The action to play is then the one that the whole budget would have chosen, apart from later proofs
    /// and from a search that becomes faster still.
    ///
    /// This requires a bound on iterations or time, [`RootDecision::Robust`](crate::RootDecision::Robust),
    /// and a tree policy that does not plan for a fixed number of iterations. Otherwise the run returns
    /// [`SearchError::CannotStopEarly`]. If a tree policy of yours
    /// [decides](crate::selection::TreePolicy::decide) what to play, only a single legal action ends the
    /// search.
    ///
    /// **Source:** Baier and Winands, *Time Management for Monte-Carlo Tree Search in Go*, 2012, the strategy
    /// STOP without its safety factor.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::StopReason;
    /// use ramure_games::Connect4;
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

    /// Continues the search beyond the budget while it is unclear which action to play: while another action
    /// than the most visited one has the greatest mean. The search exceeds the iterations and the time of the
    /// budget by at most this many percent. It checks whether both agree at the end of the budget and then
    /// after each sixteenth of the iterations.
    ///
    /// Together with [`or_decided`](Self::or_decided) the search goes on only as long as the extra iterations
    /// can change the choice. The percentage replaces the share of
    /// [`RootDecision::MaxRobust`](crate::RootDecision::MaxRobust); 0 means no extra search.
    ///
    /// This requires a bound on iterations or time, and a tree policy that does not plan for a fixed number
    /// of iterations. Otherwise the run returns [`SearchError::CannotExceed`].
    ///
    /// **Source:** the search that is extended while the most visited action is not the one with the greatest
    /// mean: Huang, Coulom and Lin, *Time Management for Monte-Carlo Tree Search Applied to the Game of Go*,
    /// 2010, and UNST in Baier and Winands, *Time Management for Monte Carlo Tree Search*, 2016. The checks
    /// during the extra search are our own.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let mut search = Mcts::new(ramure_games::Connect4::new());
    /// let report = search.run(Budget::iterations(1_000).and_percent_if_unclear(50))?;
    /// assert!((1_000..=1_500).contains(&report.iterations));
    /// # Ok::<(), SearchError>(())
    /// ```
    pub const fn and_percent_if_unclear(mut self, percent: u32) -> Self {
        self.percent_if_unclear = Some(percent);
        self
    }

    /// Returns whether a run may exceed the budget.
    pub(crate) fn can_be_exceeded(&self) -> bool {
        self.percent_if_unclear.is_some_and(|percent| percent > 0)
    }

    pub(crate) fn check(&self) -> Result<(), SearchError> {
        let empty =
            self.iterations == Some(0) || self.time == Some(Duration::ZERO) || self.bytes == Some(Bytes(0));
        if empty {
            Err(SearchError::EmptyBudget)
        } else if self.can_be_exceeded() && self.iterations.is_none() && self.time.is_none() {
            Err(SearchError::CannotExceed)
        } else {
            Ok(())
        }
    }
}

/// How often an observer is shown a report; see [`Mcts::run_with`](crate::Mcts::run_with), which has an
/// example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Every {
    /// After every `n` iterations; 0 counts as 1. At the end of the run only if the number of iterations is a
    /// multiple of `n`.
    Iterations(u64),
    /// After this much wall time each time, and at the end of the run.
    Time(#[cfg_attr(feature = "serde", serde(with = "crate::run::seconds"))] Duration),
}

/// Why a search stopped. Stopping is never an error: the report contains everything found so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum StopReason {
    /// All iterations of the budget were made.
    Iterations,
    /// The time of the budget was used up.
    Time,
    /// The tree reached the bytes of the budget.
    Bytes,
    /// A [`StopHandle`](crate::StopHandle) stopped the search, or asked it to stop before it began.
    Stopped,
    /// The reward of the player to move is proven, so more iterations would change nothing.
    Proven,
    /// The action with the most visits could no longer be overtaken; see [`Budget::or_decided`].
    Decided,
    /// The root has 2^31 - 1 visits, the most that a node can count.
    CountFull,
    /// The report was made without a run.
    NotRun,
    /// The report was made between calls of [`Mcts::ask`](crate::Mcts::ask) and
    /// [`Mcts::tell`](crate::Mcts::tell).
    AskAndTell,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Iterations => "all iterations done",
            StopReason::Time => "time used up",
            StopReason::Bytes => "bytes used up",
            StopReason::Stopped => "stopped",
            StopReason::Proven => "proven",
            StopReason::Decided => "decided",
            StopReason::CountFull => "the root has as many visits as a node can count",
            StopReason::NotRun => "reported without a run",
            StopReason::AskAndTell => "by ask and tell",
        })
    }
}
