//! The result of an optimisation.

use core::fmt;
use core::time::Duration;

/// The best line that an [`Optimization`](crate::Optimization) has found, and what the run took.
///
/// `Display` prints the puzzle score, the number of actions, the rollouts, the passes, the time and the
/// reason for the end, and then the actions.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Solution<A> {
    /// The puzzle score of the line, exactly as the game gave it.
    pub score: f64,
    /// The actions of the line, from the root to the end of the game.
    pub actions: Vec<A>,
    /// The number of lines that this run played to their end. Each counts as an iteration of the budget.
    pub rollouts: u64,
    /// The number of passes of the algorithm that were completed in this run.
    pub passes: u64,
    /// The wall time of this run.
    pub time: Duration,
    /// Why the run ended.
    pub stop_reason: StopReason,
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// All rollouts that the budget allows were made: its iterations.
    Rollouts,
    /// The time of the budget was used up.
    Time,
    /// A [`StopHandle`](ramure::StopHandle) stopped the run, or asked it to stop before it began.
    Stopped,
    /// All [passes](crate::Optimization::passes) that were asked for were made.
    Passes,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Rollouts => "all rollouts done",
            StopReason::Time => "time used up",
            StopReason::Stopped => "stopped",
            StopReason::Passes => "all passes done",
        })
    }
}

impl<A: fmt::Debug> fmt::Display for Solution<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Solution { score, actions, rollouts, passes, time, stop_reason } = self;
        writeln!(
            f,
            "puzzle score {score} in {} actions; {rollouts} rollouts, {passes} passes, {:.3} s, {stop_reason}",
            actions.len(),
            time.as_secs_f64()
        )?;
        for (number, action) in actions.iter().enumerate() {
            write!(f, "{}{action:?}", if number == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}
