//! Whether handing leaves out to servers pays.

use crate::run::clock::{Clock, WallClock};
use core::time::Duration;

/// The least iterations of a trial, and those between the first two trials.
const TRIAL: u32 = 128;
const BETWEEN: u32 = 8_192;

/// The nanoseconds of an iteration from which on handing out pays for sure.
const SURE: f64 = 4_000.0;

/// Decides by the clock whether handing leaves out pays: where an iteration takes less than a microsecond, to pass its
/// leaf to another core may take longer. It tries both ways, and tries again after more and more iterations.
pub(super) struct HandingOut {
    is_on: bool,
    has_servers: bool,
    /// The nanoseconds of an iteration without and with it. 0 where nothing was measured.
    times: [f64; 2],
    is_trial: bool,
    between: u32,
    /// The iterations of this measurement, and its time in earlier runs.
    made: u32,
    before: Duration,
    /// The iterations that are not measured, after a change.
    skipped: u32,
    window: u32,
    /// Whether these runs go without a window if nothing is handed out.
    may_do_without: bool,
    clock: WallClock,
    since: Duration,
}

impl Default for HandingOut {
    fn default() -> Self {
        HandingOut {
            is_on: true,
            has_servers: false,
            times: [0.0; 2],
            is_trial: false,
            between: BETWEEN,
            made: 0,
            before: Duration::ZERO,
            skipped: 0,
            window: 1,
            may_do_without: false,
            clock: WallClock::start(),
            since: Duration::ZERO,
        }
    }
}

impl HandingOut {
    /// Begins a run with a window of this size.
    pub fn begin(&mut self, window: usize, has_servers: bool, may_do_without: bool) {
        if may_do_without != self.may_do_without {
            *self = HandingOut { may_do_without, ..HandingOut::default() };
        }
        (self.window, self.has_servers, self.since) = (window as u32, has_servers, self.clock.now());
        self.skipped = self.window; // until servers have started
    }

    /// Returns whether leaves are handed out.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.is_on && self.has_servers
    }

    /// Ends a run.
    pub fn end(&mut self) {
        if self.skipped == 0 {
            self.before += self.clock.now().saturating_sub(self.since);
        }
    }

    fn restart(&mut self) {
        (self.made, self.before, self.since) = (0, Duration::ZERO, self.clock.now());
    }

    /// Counts one iteration, and decides now and then.
    #[inline(always)]
    pub fn count(&mut self) {
        if self.skipped > 0 {
            self.skip();
            return;
        }
        self.made += 1;
        if self.made.is_multiple_of(16) && self.has_servers {
            self.decide();
        }
    }

    #[cold]
    #[inline(never)]
    fn skip(&mut self) {
        self.skipped -= 1;
        if self.skipped == 0 {
            self.since = self.clock.now();
        }
    }

    #[cold]
    #[inline(never)]
    fn decide(&mut self) {
        let spent = (self.before + self.clock.now().saturating_sub(self.since)).as_nanos() as f64;
        let (this, other) = (usize::from(self.is_on), usize::from(!self.is_on));
        let trial = TRIAL.max(4 * self.window);
        let most = if self.is_trial || self.times[this] == 0.0 { trial } else { self.between };
        // A trial that takes twice as long has shown enough.
        let is_worse = self.is_trial && spent > 2.0 * self.times[other] * f64::from(trial);
        // Iterations without it that have become slow need no longer wait for a trial.
        let slow = SURE.max(4.0 * self.times[0]);
        let is_slow = !self.is_on && !self.is_trial && spent > slow * f64::from(self.made);
        if self.made < most && !is_worse && !is_slow {
            return;
        }
        self.times[this] = spent / f64::from(self.made);
        if self.is_trial {
            let was_on = !self.is_on;
            (self.is_on, self.is_trial) = (self.times[1] <= self.times[0], false);
            self.between = if self.is_on == was_on { self.between.saturating_mul(2) } else { BETWEEN };
            self.skipped = self.window;
        } else if !self.is_on || self.times[1] < SURE {
            (self.is_on, self.is_trial) = (!self.is_on, true);
            self.skipped = self.window;
        }
        self.restart();
    }
}

#[cfg(test)]
mod tests {
    use super::HandingOut;
    use crate::run::clock::Clock;
    use core::time::Duration;

    /// Returns how many of the later half of the iterations are handed out if they take these nanoseconds without and
    /// with it.
    fn handed_out(times: [u64; 2]) -> usize {
        handed_out_after(times, times)
    }

    /// Does what [`handed_out`] does, if iterations took `before` in the earlier half.
    fn handed_out_after(before: [u64; 2], times: [u64; 2]) -> usize {
        let mut handing = HandingOut::default();
        handing.begin(8, true, false);
        let mut is_on = Vec::new();
        for number in 0..200_000 {
            let times = if number < 100_000 { before } else { times };
            // The clock stands still, and the measurement goes back instead.
            if handing.skipped == 0 {
                handing.before += Duration::from_nanos(times[usize::from(handing.is_on)]);
            }
            handing.since = handing.clock.now();
            handing.count();
            is_on.push(handing.is_on());
        }
        is_on[100_000..].iter().filter(|&&is_on| is_on).count()
    }

    #[test]
    fn what_is_quicker_is_done() {
        assert!(handed_out([500, 900]) < 2_000);
        assert!(handed_out([900, 500]) > 98_000);
        assert_eq!(handed_out([5_000, 9_000]), 100_000); // it is not even tried
    }

    #[test]
    fn a_game_that_becomes_slow_is_handed_out_soon() {
        assert!(handed_out_after([500, 900], [200_000, 50_000]) > 98_000);
        assert!(handed_out_after([500, 900], [200_000, 400_000]) < 20_000);
    }
}
