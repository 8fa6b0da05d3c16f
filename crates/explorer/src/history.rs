//! [`RootHistory`]: the visits and means of the root's actions over time.

use core::fmt::Debug;
use ramure::Report;

/// The most moments that a history keeps.
const MOMENTS: usize = 400;

/// How the visits and means of the root's actions went over time, for
/// [`Explorer::history`](crate::Explorer::history).
///
/// Record the reports of a run in the observer of [`Mcts::run_with`](ramure::Mcts::run_with). If there are
/// more than 400, the history drops every other one, so its size is bounded. If the root changes, as after
/// [`Mcts::advance`](ramure::Mcts::advance), the history begins anew.
///
/// ```
/// use ramure::Every;
/// use ramure::prelude::*;
/// use ramure_explorer::RootHistory;
/// let mut search = Mcts::new(ramure_games::TicTacToe::new());
/// let mut history = RootHistory::new();
/// search.run_with(Budget::iterations(1_000), Every::Iterations(100), &mut |report| history.record(report))?;
/// assert_eq!(history.len(), 10);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RootHistory {
    actions: Vec<String>,
    moments: Vec<Moment>,
    /// The visits of the root before the run of the latest report.
    before: u64,
}

/// The numbers of a report at one moment.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Moment {
    /// The visits of the root.
    pub visits: u32,
    /// The visits and the mean of each action.
    pub actions: Vec<(u32, f32)>,
}

impl RootHistory {
    /// Creates an empty history.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what a report says.
    pub fn record<A: Debug>(&mut self, report: &Report<A>) {
        let actions: Vec<String> = report.actions.iter().map(|entry| format!("{:?}", entry.action)).collect();
        let moment = Moment {
            visits: report.root_visits,
            actions: report.actions.iter().map(|entry| (entry.visits, entry.mean)).collect(),
        };
        let before = u64::from(report.root_visits).saturating_sub(report.iterations);
        // A later run of the same root begins with all visits so far, and no action loses any.
        let goes_on = self.moments.last().is_none_or(|last| {
            (before == self.before || before >= last.visits.into())
                && last.visits <= moment.visits
                && last.actions.iter().zip(&moment.actions).all(|(last, now)| last.0 <= now.0)
        });
        if actions != self.actions || !goes_on {
            *self = RootHistory { actions, ..Self::default() };
        }
        self.before = before;
        if self.moments.last() == Some(&moment) {
            return;
        }
        self.moments.push(moment);
        if self.moments.len() > MOMENTS {
            let mut keeps = false;
            self.moments.retain(|_| {
                keeps = !keeps;
                keeps
            });
        }
    }

    /// Returns the number of moments.
    pub fn len(&self) -> usize {
        self.moments.len()
    }

    /// Returns whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    pub(crate) fn actions(&self) -> &[String] {
        &self.actions
    }

    pub(crate) fn moments(&self) -> &[Moment] {
        &self.moments
    }
}
