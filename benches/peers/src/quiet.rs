//! Whether other programs use the processors, on Linux. On other systems nothing is known, and every moment
//! counts as quiet.

use std::fs::read_to_string;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The greatest share of the processors that other programs may use.
pub const SHARE: f64 = 0.05;

/// The processor time since the start of the machine, in ticks.
#[derive(Clone, Copy)]
struct Ticks {
    idle: f64,
    all: f64,
    /// Of this program, and of its children that have ended.
    own: f64,
}

impl Ticks {
    fn now() -> Option<Self> {
        let numbers = |text: &str| -> Vec<f64> { text.split_whitespace().flat_map(str::parse).collect() };
        let machine = read_to_string("/proc/stat").ok()?;
        // user, nice, system, idle, iowait, irq, softirq, steal; the rest is counted twice.
        let machine = numbers(machine.lines().next()?.strip_prefix("cpu")?);
        let own = read_to_string("/proc/self/stat").ok()?;
        // The fields after the name, which may contain spaces: utime is the 12th of them, and cstime the
        // 15th.
        let own: Vec<_> = own.rsplit(')').next()?.split_whitespace().skip(11).take(4).collect();
        let own = numbers(&own.join(" "));
        Some(Ticks {
            idle: machine.get(3)? + machine.get(4)?,
            all: machine.get(..8)?.iter().sum(),
            own: own.iter().sum(),
        })
    }
}

/// A stretch of time.
pub struct Watch(Option<Ticks>);

impl Watch {
    pub fn start() -> Self {
        Watch(Ticks::now())
    }

    /// Returns the share of the processors that other programs have used since the start, if known.
    pub fn others(&self) -> Option<f64> {
        let (start, end) = (self.0?, Ticks::now()?);
        let (all, idle, own) = (end.all - start.all, end.idle - start.idle, end.own - start.own);
        (all > 0.0).then(|| ((all - idle - own) / all).max(0.0))
    }

    pub fn was_quiet(&self) -> bool {
        self.others().is_none_or(|share| share <= SHARE)
    }
}

/// The time that may be spent on waiting for a quiet moment, and on doing again what was disturbed.
pub struct Patience(pub Duration);

impl Patience {
    /// Waits until other programs leave the processors alone, or there is no time left.
    pub fn wait(&mut self) {
        while !self.0.is_zero() {
            let (start, watch) = (Instant::now(), Watch::start());
            sleep(Duration::from_millis(500));
            if watch.was_quiet() {
                return;
            }
            self.0 = self.0.saturating_sub(start.elapsed());
        }
    }
}
