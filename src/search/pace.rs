//! When to look up from the iterations, and whether to go on then: the bounds of a budget, the observer, the early stop, and
//! the patience of [`RootDecision::MaxRobust`].

use super::budget::{Budget, StopReason};
use super::clock::{Clock, Deadline};
use super::decision::{RootDecision, Standing};
use core::time::Duration;

/// Between two looks at an undecided root whose budget is spent, or which is bounded by time, the iterations grow by this part.
const PART: u64 = 16;

pub(super) struct Pace<'c, C> {
    clock: &'c C,
    /// The observer is told after so many iterations.
    every: u64,
    /// Iterations of this run.
    most: u64,
    time: Option<Duration>,
    pub deadline: Option<Deadline<'c, C>>,
    /// By how much of itself the budget may be exceeded, if that was not done yet.
    patience: Option<f32>,
    /// Why the run would have stopped, had it not gone on.
    spent: Option<StopReason>,
    /// When it is worth a look whether the run should stop.
    next: u64,
}

impl<'c, C: Clock> Pace<'c, C> {
    pub fn new(budget: Budget, decision: Option<RootDecision>, every: u64, clock: &'c C) -> Self {
        let patience = match decision {
            Some(RootDecision::MaxRobust(patience)) if patience > 0.0 => Some(patience),
            _ => None,
        };
        Pace {
            clock,
            every: every.max(1),
            most: budget.iterations.unwrap_or(u64::MAX),
            time: budget.time,
            deadline: budget.time.map(|time| Deadline::after(clock, time)),
            patience,
            spent: None,
            next: if budget.stops_early { 1 } else { u64::MAX },
        }
    }

    /// How many iterations of this run to make before the next look.
    pub fn until(&self, done: u64) -> u64 {
        let told = (done / self.every + 1).saturating_mul(self.every);
        self.most.min(told).min(self.next)
    }

    /// Whether the observer is to be told now.
    pub fn tells(&self, done: u64) -> bool {
        done > 0 && done.is_multiple_of(self.every)
    }

    /// Whether the run, which looked up because of its time or its iterations, ends; and why. `standing` says how the root
    /// stands, if it decides at all.
    pub fn ends(
        &mut self,
        stop: StopReason,
        done: u64,
        standing: impl FnOnce() -> Option<Standing>,
    ) -> Option<StopReason> {
        if stop == StopReason::Time || done >= self.most {
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
        let extra = self.time.map(|time| Duration::try_from_secs_f64(more(time.as_secs_f64())));
        // Longer than can be told is for ever.
        self.deadline = match extra {
            Some(Ok(extra)) => Some(Deadline::after(self.clock, extra)),
            _ => None,
        };
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
