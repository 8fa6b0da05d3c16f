//! The analyst: a search that judges each position of a game, with the same effort for all.

use crate::error::PageError;
use crate::searches::{Explored, OnPage, search};
use crate::settings::{Effort, Settings};
use crate::view::{Judged, ReportView, report_view};
use core::time::Duration;
use ramure::{Budget, SearchError, StopReason, Turn};

/// The findings of the analyst in a position: the value for the first player, and the report.
struct Judgement {
    player: Option<usize>,
    value: f32,
    report: Option<ReportView>,
}

impl Judgement {
    fn best(&self) -> Option<&String> {
        self.report.as_ref()?.best.as_ref()
    }
}

/// The judgements of the positions of a game.
pub(crate) struct Review<G: OnPage> {
    analyst: Box<dyn Explored<Space = G>>,
    iterations: u64,
    /// One for each position, the first position first.
    judgements: Vec<Option<Judgement>>,
    /// The position that the analyst searches, the iterations that are left, and the time of those before.
    searched: Option<(usize, u64, Duration)>,
}

impl<G: OnPage> Review<G> {
    pub(crate) fn new(state: G, iterations: u64) -> Result<Self, PageError> {
        // Two proofs of the same result count as the same, so the analyst proves.
        let settings = Settings { effort: Effort::Iterations(iterations), ..Settings::default() };
        let analyst = search(state, &settings)?;
        Ok(Review { analyst, iterations, judgements: vec![None], searched: None })
    }

    /// Adds a position at the end of the game.
    pub(crate) fn push(&mut self) {
        self.judgements.push(None);
    }

    /// Forgets all positions but the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.judgements.truncate(count);
        self.searched = self.searched.filter(|&(ply, ..)| ply < count);
    }

    /// Returns the first position that is not judged.
    pub(crate) fn next(&self) -> Option<usize> {
        self.judgements.iter().position(Option::is_none)
    }

    /// Searches position `ply` of the game, `state`, for a slice.
    pub(crate) fn judge(&mut self, ply: usize, state: &G, slice: Duration) -> Result<(), SearchError> {
        let Turn::Player(player) = state.turn() else {
            self.judgements[ply] =
                Some(Judgement { player: None, value: state.reward(0) as f32, report: None });
            return Ok(());
        };
        let (rest, time) = match self.searched {
            Some((searched, rest, time)) if searched == ply => (rest, time),
            _ => {
                self.analyst.reset(state.clone());
                self.analyst.set_seed(Settings::default().seed);
                (self.iterations, Duration::ZERO)
            }
        };
        let report = self.analyst.run(Budget::iterations(rest).and_time(slice))?;
        let (rest, time) = (rest.saturating_sub(report.iterations), time + report.time);
        if rest > 0 && report.stop_reason == StopReason::Time {
            self.searched = Some((ply, rest, time));
            return Ok(());
        }
        let (iterations, seconds) = (self.iterations - rest, time.as_secs_f64());
        self.searched = None;
        let mean = report.proof.or_else(|| report.chosen_action().map(|chosen| chosen.mean)).unwrap_or(0.5);
        self.judgements[ply] = Some(Judgement {
            player: Some(usize::from(player)),
            value: if player == 0 { mean } else { 1.0 - mean },
            report: Some(ReportView { iterations, seconds, ..report_view(&report, &*self.analyst) }),
        });
        Ok(())
    }

    /// Returns the report on a position.
    pub(crate) fn report(&self, ply: usize) -> Option<ReportView> {
        self.judgements.get(ply)?.as_ref()?.report.clone()
    }

    /// Returns what the page shows of each position of the game with these actions.
    ///
    /// The value of a position falls a little with every action, because the search looks one action further.
    /// So the action that the analyst advises loses nothing. What is proven of an action holds for the position
    /// after it.
    pub(crate) fn judged(&self, moves: &[String]) -> Vec<Option<Judged>> {
        let proven = |ply: usize| {
            let before = self.judgements[ply.checked_sub(1)?].as_ref()?;
            let mut actions = before.report.as_ref()?.actions.iter();
            let reward = actions.find(|entry| entry.action == moves[ply - 1])?.proof?;
            Some(if before.player? == 0 { reward } else { 1.0 - reward })
        };
        let value = |ply: usize| {
            let own = self.judgements.get(ply)?.as_ref()?;
            Some(proven(ply).unwrap_or(own.value))
        };
        let judged = |(ply, judgement): (usize, &Option<Judgement>)| {
            let own = judgement.as_ref()?;
            let fall = value(ply).zip(value(ply + 1)).map(|(now, next)| now - next);
            let is_best = own.best().is_some() && own.best() == moves.get(ply);
            let loss = own.player.and_then(|player| match is_best {
                true => Some(0.0),
                false => fall.map(|fall| if player == 0 { fall } else { -fall }.max(0.0)),
            });
            Some(Judged { player: own.player, value: value(ply)?, best: own.best().cloned(), loss })
        };
        self.judgements.iter().enumerate().map(judged).collect()
    }
}
