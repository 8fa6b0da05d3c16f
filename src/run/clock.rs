//! Wall time, and how often to read the clock.
//!
//! A bare WebAssembly module has no clock of its own. With the feature `web`, the browser's clock is read by
//! `wasm-bindgen`, which adds a dozen imports and glue. Without it, the module imports one function.

use core::time::Duration;

#[cfg(all(target_family = "wasm", target_os = "unknown", not(feature = "web")))]
use imported::Instant;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown", feature = "web"))]
use web_time::Instant;

/// The clock that the surroundings of a bare module provide.
#[cfg(all(target_family = "wasm", target_os = "unknown", not(feature = "web")))]
#[expect(unsafe_code, reason = "declares an import")]
mod imported {
    use core::time::Duration;

    #[link(wasm_import_module = "env")]
    // SAFETY: it takes nothing and returns a number, and whatever the number is, nothing unsafe depends on it.
    unsafe extern "C" {
        /// Returns the milliseconds since a fixed moment, as `performance.now()` does.
        safe fn ramure_now() -> f64;
    }

    #[derive(Debug)]
    pub(super) struct Instant(f64);

    impl Instant {
        pub fn now() -> Self {
            Instant(ramure_now())
        }

        /// Returns the time since this instant; zero if the clock went back.
        pub fn elapsed(&self) -> Duration {
            Duration::try_from_secs_f64((ramure_now() - self.0) / 1_000.0).unwrap_or_default()
        }
    }
}

/// A source of time.
pub(crate) trait Clock {
    /// Returns the time since a fixed moment in the past. Never goes back.
    fn now(&self) -> Duration;
}

/// Measures time with the monotonic clock that searches read, also on `wasm32-unknown-unknown`.
///
/// **Who needs it:** agents of your own that keep to a time. Give the time that a move took to
/// [`GameClock::spent`](crate::GameClock::spent).
///
/// ```
/// use ramure::WallClock;
/// let clock = WallClock::start();
/// let earlier = clock.elapsed();
/// assert!(clock.elapsed() >= earlier);
/// ```
#[derive(Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// Creates a clock that shows zero now.
    #[must_use]
    pub fn start() -> Self {
        WallClock(Instant::now())
    }

    /// Returns the time since the start. Never goes back.
    #[inline]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

impl Clock for WallClock {
    #[inline]
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Tells when a time limit is reached.
///
/// Reading the clock costs about 20 to 50 ns, as much as a tenth of a short iteration. The number of
/// iterations between two readings is therefore chosen so that reading takes at most a fortieth of their
/// time, judged by the earlier readings. It is at most [`MOST`], and 1 for iterations of a microsecond or
/// more. If iterations suddenly take a thousand times longer, at most that many of them are made before the
/// next reading.
pub(crate) struct Deadline<'c, C> {
    clock: &'c C,
    end: Duration,
    cost: Duration,
    last_look: Duration,
    since: u32,
    wait: u32,
}

/// Reading the clock takes at most one part in this many of the time.
const SHARE: u32 = 40;
/// The most iterations between two readings.
const MOST: u32 = 16;

impl<'c, C: Clock> Deadline<'c, C> {
    /// Creates a deadline at this time of the clock.
    pub fn at(clock: &'c C, end: Duration) -> Self {
        let looks: [Duration; 4] = core::array::from_fn(|_| clock.now());
        let cost = looks.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).min().unwrap_or_default();
        Deadline { clock, end, cost, last_look: looks[3], since: 0, wait: 1 }
    }

    /// Moves the deadline to another time.
    pub fn moved_to(self, end: Duration) -> Self {
        Deadline { end, wait: 1, ..self }
    }

    /// Returns a function that looks whether the time is over, for other threads.
    pub fn watch(&self) -> impl Fn() -> bool + Copy + use<'c, C> {
        let (clock, end) = (self.clock, self.end);
        move || clock.now() >= end
    }

    /// Returns whether the time is over. Call it once after every iteration.
    #[inline(always)]
    pub fn is_over(&mut self) -> bool {
        self.since += 1;
        self.since >= self.wait && self.look()
    }

    #[inline(never)]
    fn look(&mut self) -> bool {
        let now = self.clock.now();
        let spent = now.saturating_sub(self.last_look).as_nanos() as u64;
        let iteration = (spent / u64::from(self.since)).max(1);
        let left = self.end.saturating_sub(now).as_nanos() as u64 / iteration;
        let affordable = (self.cost.as_nanos() as u64 * u64::from(SHARE)).div_ceil(iteration);
        self.wait = affordable.min(left).clamp(1, u64::from(MOST)) as u32;
        (self.last_look, self.since) = (now, 0);
        now >= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    /// A clock that advances by [`go_on`](Self::go_on), and by `cost` with every reading.
    struct FakeClock {
        now: Cell<Duration>,
        cost: Duration,
        looks: Cell<u32>,
    }

    impl FakeClock {
        fn new(cost: Duration) -> Self {
            FakeClock { now: Cell::new(Duration::from_secs(5)), cost, looks: Cell::new(0) }
        }

        fn go_on(&self, time: Duration) {
            self.now.set(self.now.get() + time);
        }
    }

    impl Clock for FakeClock {
        fn now(&self) -> Duration {
            self.looks.set(self.looks.get() + 1);
            self.go_on(self.cost);
            self.now.get()
        }
    }

    /// Returns by how much a run of `budget` overshoots if iteration number `i` takes `length(i)`, and the
    /// share of the time spent reading the clock.
    fn overshoot(clock: &FakeClock, budget: Duration, length: impl Fn(u64) -> Duration) -> (Duration, f64) {
        let start = clock.now.get();
        let mut deadline = Deadline::at(clock, clock.now() + budget);
        let mut iterations = 0;
        loop {
            clock.go_on(length(iterations));
            iterations += 1;
            if deadline.is_over() {
                break;
            }
        }
        let took = clock.now.get() - start;
        let looking = clock.cost * clock.looks.get();
        (took.saturating_sub(budget), looking.as_secs_f64() / took.as_secs_f64())
    }

    const MICRO: Duration = Duration::from_micros(1);
    const MILLI: Duration = Duration::from_millis(1);

    #[test]
    fn a_sudden_slowdown_overshoots_by_an_iteration_and_a_millisecond_at_most() {
        for jump in [1, 2, 3, 100, 9_998, 9_999, 10_000, 49_000, 49_990, 49_999] {
            let clock = FakeClock::new(Duration::from_nanos(25));
            let length = |i| if i < jump { MICRO } else { 20 * MILLI };
            let (over, _) = overshoot(&clock, 50 * MILLI, length);
            assert!(over <= 20 * MILLI + MILLI, "jump at {jump}: {over:?}");
        }
    }

    #[test]
    fn iterations_of_constant_length_overshoot_by_one_and_a_millisecond_at_most() {
        for nanos in [50, 300, 1_000, 30_000, 1_000_000, 40_000_000] {
            for cost in [0, 25, 1_000] {
                let length = Duration::from_nanos(nanos);
                let (over, _) =
                    overshoot(&FakeClock::new(Duration::from_nanos(cost)), 30 * MILLI, |_| length);
                assert!(over <= length + MILLI, "{nanos} ns, look {cost} ns: {over:?}");
            }
        }
    }

    #[test]
    fn reading_the_clock_takes_a_small_share_of_the_time() {
        for (nanos, most) in [(100, 0.03), (300, 0.03), (1_000, 0.03), (1_000_000, 0.03)] {
            let clock = FakeClock::new(Duration::from_nanos(25));
            let (_, share) = overshoot(&clock, 20 * MILLI, |_| Duration::from_nanos(nanos));
            assert!(share <= most, "{nanos} ns: {share}");
        }
    }

    /// It ends at the first look at which the clock shows the end, and looks after sixteen iterations at
    /// most.
    #[test]
    fn a_clock_that_goes_backwards_delays_the_end_until_it_shows_it() {
        let mut rng = crate::game::Rng::seeded(5);
        for trial in 0..1_000 {
            let clock = FakeClock::new(Duration::from_nanos(25));
            let mut deadline = Deadline::at(&clock, clock.now() + 30 * MILLI);
            let (mut iterations, mut late) = (0, 0);
            loop {
                let step = rng.below(300) as u32 * MICRO;
                if rng.below(4) == 0 {
                    clock.now.set(clock.now.get().saturating_sub(step));
                } else {
                    clock.go_on(step);
                }
                iterations += 1;
                late = if clock.now.get() >= deadline.end { late + 1 } else { 0 };
                if deadline.is_over() {
                    break;
                }
                assert!(
                    late < MOST && iterations < 10_000,
                    "trial {trial}: {iterations} iterations, {late} late"
                );
            }
        }
    }
}
