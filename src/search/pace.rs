//! When to look up from the iterations, and whether to go on then: the bounds of a budget, the observer, the early stop, and
//! the patience of [`RootDecision::MaxRobust`].

use super::budget::{Budget, Every, StopReason};
use super::clock::{Clock, Deadline};
use super::decision::{RootDecision, Standing};
use core::time::Duration;

/// Between two looks at an undecided root whose budget is spent, or which is bounded by time, the iterations grow by this part.
const PART: u64 = 16;

pub(super) struct Pace<'c, C> {
    clock: &'c C,
    /// How often the observer is told.
    every: Every,
    /// When the observer is to be told next, if that goes by time.
    next_told: Option<Duration>,
    /// Whether that time has come.
    is_due: bool,
    /// Iterations of this run.
    most: u64,
    time: Option<Duration>,
    /// When the time is over.
    end: Option<Duration>,
    /// The first of these two moments.
    pub deadline: Option<Deadline<'c, C>>,
    /// By how much of itself the budget may be exceeded, if that was not done yet.
    patience: Option<f32>,
    /// Why the run would have stopped, had it not gone on.
    spent: Option<StopReason>,
    /// When it is worth a look whether the run should stop.
    next: u64,
}

impl<'c, C: Clock> Pace<'c, C> {
    pub fn new(budget: Budget, decision: Option<RootDecision>, every: Every, clock: &'c C) -> Self {
        let patience = match decision {
            Some(RootDecision::MaxRobust(patience)) if patience > 0.0 => Some(patience),
            _ => None,
        };
        let mut pace = Pace {
            clock,
            every,
            next_told: None,
            is_due: false,
            most: budget.iterations.unwrap_or(u64::MAX),
            time: budget.time,
            end: budget.time.map(|time| clock.now().saturating_add(time)),
            deadline: None,
            patience,
            spent: None,
            next: if budget.stops_early { 1 } else { u64::MAX },
        };
        pace.plan_to_tell();
        pace
    }

    /// Plans when the observer is told next, if that goes by time.
    fn plan_to_tell(&mut self) {
        if let Every::Time(interval) = self.every {
            self.next_told = Some(self.clock.now().saturating_add(interval));
        }
        self.set_deadline();
    }

    /// Looks up at the end of the time, or when the observer is to be told, whichever comes first.
    fn set_deadline(&mut self) {
        let first = self.end.into_iter().chain(self.next_told).min();
        self.deadline = match (first, self.deadline.take()) {
            (Some(first), Some(deadline)) => Some(deadline.moved_to(first)),
            (Some(first), None) => Some(Deadline::at(self.clock, first)),
            (None, _) => None,
        };
    }

    /// How many iterations of this run to make before the next look.
    pub fn until(&self, done: u64) -> u64 {
        let told = match self.every {
            Every::Iterations(every) => (done / every.max(1) + 1).saturating_mul(every.max(1)),
            Every::Time(_) => u64::MAX,
        };
        self.most.min(told).min(self.next)
    }

    /// Whether the observer is to be told now, of a run that goes on.
    pub fn tells(&mut self, done: u64) -> bool {
        match self.every {
            Every::Iterations(every) => done > 0 && done.is_multiple_of(every.max(1)),
            Every::Time(_) => core::mem::take(&mut self.is_due),
        }
    }

    /// Whether the observer is to be told when the run has ended.
    pub fn tells_in_the_end(&mut self, done: u64) -> bool {
        matches!(self.every, Every::Time(_)) || self.tells(done)
    }

    /// Whether the run, which looked up because of its time or its iterations, ends; and why. `standing` says how the root
    /// stands, if it decides at all.
    pub fn ends(
        &mut self,
        stop: StopReason,
        done: u64,
        standing: impl FnOnce() -> Option<Standing>,
    ) -> Option<StopReason> {
        let now = if stop == StopReason::Time { self.clock.now() } else { Duration::ZERO };
        if self.next_told.is_some_and(|told| told <= now) {
            self.is_due = true;
            self.plan_to_tell();
        }
        let is_over = self.end.is_some_and(|end| end <= now);
        if is_over || done >= self.most {
            let stop = if is_over { StopReason::Time } else { StopReason::Iterations };
            let waits = self.patience.take().filter(|_| !standing().is_none_or(|root| root.agrees));
            return match waits {
                Some(patience) => {
                    self.wait(stop, done, patience);
                    None
                }
                None => Some(self.spent.unwrap_or(stop)),
            };
        }
        if done < self.next {
            return None;
        }
        let standing = standing();
        if self.spent.is_some() {
            self.next = done + (done / PART).max(1);
            return self.spent.filter(|_| standing.is_none_or(|root| root.agrees));
        }
        let left = self.left(done);
        let lead = standing.map_or(0, |root| root.lead);
        // The leader gains at most one visit in an iteration, while one is used up.
        let soonest = left.saturating_sub(lead) / 2;
        self.next = done + if self.time.is_some() { soonest.min(done / PART) } else { soonest }.max(1);
        standing.filter(|root| root.lead > left).map(|_| StopReason::Decided)
    }

    /// Goes on beyond the budget.
    fn wait(&mut self, stop: StopReason, done: u64, patience: f32) {
        let more = |bound: f64| bound * f64::from(patience);
        self.spent = Some(stop);
        self.most = self.most.saturating_add(more(self.most as f64) as u64);
        // A time too long for a number never ends.
        let extra = self.time.and_then(|time| Duration::try_from_secs_f64(more(time.as_secs_f64())).ok());
        self.end = extra.map(|extra| self.clock.now().saturating_add(extra));
        self.set_deadline();
        self.next = done + (done / PART).max(1);
    }

    /// How many iterations are left, judged by the time of those made if there is a bound of time.
    fn left(&self, done: u64) -> u64 {
        let by_time = self.time.map(|time| {
            let now = self.clock.now().as_secs_f64().max(1e-9);
            (done as f64 * (time.as_secs_f64() / now - 1.0)).max(0.0).ceil() as u64
        });
        (self.most - done).min(by_time.unwrap_or(u64::MAX))
    }
}
