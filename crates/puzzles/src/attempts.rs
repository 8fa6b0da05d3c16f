//! The lines that an optimizer has played: keeps the best of them, counts them, and says when to stop.

use crate::error::PuzzleError;
use crate::solution::StopReason;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use ramure::{
    BoxError, GameFault, GameState, LineOfPlay, ParameterError, Player, Rng, Scored, SearchError, StopHandle,
    Turn, WallClock,
};

/// The lines of play that an [`Optimizer`](crate::Optimizer) plays in a run.
///
/// An optimizer plays copies of the [`root`](Self::root) to the end of the game, in any order, and hands each
/// of them to [`finish`](Self::finish), or lets [`rollout`](Self::rollout) do both. `Attempts` counts them,
/// keeps the best, and returns [`Ended`] as soon as the run must end. Pass that on with `?`: the best line is
/// not lost.
///
/// See [`Optimizer`](crate::Optimizer) for an example.
pub struct Attempts<'r, G: GameState> {
    pub(crate) root: &'r G,
    pub(crate) kept: &'r mut Kept<G::Action>,
    pub(crate) rollouts: u64,
    // When the run must end.
    pub(crate) most_rollouts: u64,
    pub(crate) clock: WallClock,
    pub(crate) time: Option<Duration>,
    pub(crate) stop: &'r StopHandle,
    /// Whether another search of this run has failed.
    pub(crate) failed: &'r AtomicBool,
}

/// The most actions of a line.
const LONGEST: u32 = 1_000_000;

/// The state of a search between two runs.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Kept<A> {
    pub rng: Rng,
    pub best: Option<(f64, Vec<A>)>,
}

/// Why an optimizer must end its pass: the budget is used up, or there was an error.
///
/// An optimizer gets it from [`Attempts`] and passes it on. It creates one itself only to report an error.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended(pub(crate) End);

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum End {
    Budget(StopReason),
    Error(SearchError),
}

impl From<SearchError> for Ended {
    fn from(error: SearchError) -> Self {
        Ended(End::Error(error))
    }
}

impl From<ParameterError> for Ended {
    fn from(error: ParameterError) -> Self {
        SearchError::from(error).into()
    }
}

impl<G: Scored> fmt::Debug for Attempts<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempts")
            .field("rollouts", &self.rollouts)
            .field("best_score", &self.best_score())
            .finish_non_exhaustive()
    }
}

/// Returns the error for what is wrong after `line`, the actions from the root: a [`GameFault`] or a
/// [`PuzzleError`]. If the game has reported an error, takes that in place of it.
#[cold]
pub(crate) fn fault(wrong: impl Into<BoxError>, line: impl ExactSizeIterator<Item: fmt::Debug>) -> Ended {
    ramure::fail::<(), _>(wrong); // an earlier error stays the first
    let ply = u32::try_from(line.len()).unwrap_or(u32::MAX);
    named(SearchError::game(GameFault::Failed, ply), line)
}

/// Returns the fault of a game of one player in which it is the turn of `player`.
pub(crate) fn unknown(player: Player) -> GameFault {
    GameFault::UnknownPlayer { player, players: 1 }
}

/// Adds the actions from the root to an error.
#[cold]
fn named(mut error: SearchError, line: impl ExactSizeIterator<Item: fmt::Debug>) -> Ended {
    if let SearchError::Game { line: place, .. } | SearchError::Failed { line: place, .. } = &mut error {
        place.actions = line.take(LineOfPlay::LONGEST).map(|action| format!("{action:?}")).collect();
    }
    error.into()
}

/// Returns an error if the game has reported one after `line`, the actions from the root.
#[inline(always)]
fn unless_failed(line: impl ExactSizeIterator<Item: fmt::Debug>) -> Result<(), Ended> {
    // The error is taken before the actions are printed, which may fail, too.
    SearchError::unless_failed(line.len() as u32).map_err(|error| named(error, line))
}

impl<'r, G: Scored> Attempts<'r, G> {
    /// Returns the state from which all lines start.
    pub fn root(&self) -> &'r G {
        self.root
    }

    /// Returns the random generator of the run. Take all randomness from it, so that the seed fixes the
    /// result.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.kept.rng
    }

    /// Returns the greatest score so far, in all runs of this search.
    fn best_score(&self) -> Option<f64> {
        self.kept.best.as_ref().map(|(score, _)| *score)
    }

    /// Returns whether the game goes on in `state`, to which `line` leads: the actions from the root.
    ///
    /// # Errors
    ///
    /// Returns an error if it is the turn of chance or of a second player, or if the line is too long.
    #[inline(always)]
    pub fn goes_on(&self, state: &G, line: &[G::Action]) -> Result<bool, Ended> {
        unless_failed(line.iter())?;
        match state.turn() {
            Turn::Over => Ok(false),
            Turn::Player(0) if line.len() <= LONGEST as usize => Ok(true),
            turn => Err(Self::why_not(turn, line)),
        }
    }

    #[cold]
    fn why_not(turn: Turn, line: &[G::Action]) -> Ended {
        match turn {
            Turn::Chance => fault(PuzzleError::Chance, line.iter()),
            Turn::Player(player) if player > 0 => fault(unknown(player), line.iter()),
            _ => fault(GameFault::Endless { limit: LONGEST }, line.iter()),
        }
    }

    /// Replaces the contents of `actions` by the actions of `state`, to which `line` leads; by none if the
    /// game is over.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`goes_on`](Self::goes_on), and an error if a game that goes on has no action.
    #[inline]
    pub fn list(&self, state: &G, line: &[G::Action], actions: &mut Vec<G::Action>) -> Result<(), Ended> {
        actions.clear();
        if self.goes_on(state, line)? {
            actions.extend(state.actions());
            unless_failed(line.iter())?;
            if actions.is_empty() {
                return Err(fault(GameFault::NoActions, line.iter()));
            }
        }
        Ok(())
    }

    /// Plays random actions from `state` to the end of the game, appends them to `line`, and finishes that
    /// line. `line` holds the actions from the root to `state`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`list`](Self::list) and of [`finish`](Self::finish).
    #[inline]
    pub fn rollout(&mut self, state: &mut G, line: &mut Vec<G::Action>) -> Result<f64, Ended> {
        while self.goes_on(state, line)? {
            let Some(action) = state.random_action(&mut self.kept.rng) else {
                return Err(fault(GameFault::NoActions, line.iter()));
            };
            state.apply(action.clone());
            line.push(action);
        }
        self.finish(state, line)
    }

    /// Counts a `line` that led from the root to `end`, a finished game, and keeps it if its score is greater
    /// than all scores before. Returns the score.
    ///
    /// # Errors
    ///
    /// Returns [`Ended`] if this was the last line that the budget allows, after it was counted and kept; or
    /// an error if the score is not a finite number.
    #[inline]
    pub fn finish(&mut self, end: &G, line: &[G::Action]) -> Result<f64, Ended> {
        self.finish_by(end, line.iter().cloned())
    }

    /// Does what [`finish`](Self::finish) does, for a line that is not a slice of actions.
    #[inline]
    pub(crate) fn finish_by(
        &mut self,
        end: &G,
        line: impl ExactSizeIterator<Item = G::Action>,
    ) -> Result<f64, Ended> {
        let score = end.score();
        if let Err(error) = SearchError::unless_failed(line.len() as u32) {
            return Err(named(error, line));
        }
        if !score.is_finite() {
            return Err(fault(PuzzleError::Score { score }, line));
        }
        self.rollouts += 1;
        if self.best_score().is_none_or(|best| score > best) {
            self.keep(score, line);
        }
        if self.rollouts >= self.most_rollouts {
            return Err(Ended(End::Budget(StopReason::Rollouts)));
        }
        if self.stop.is_stopped() || self.failed.load(Ordering::Relaxed) {
            return Err(Ended(End::Budget(StopReason::Stopped)));
        }
        if self.time.is_some_and(|time| self.clock.elapsed() >= time) {
            return Err(Ended(End::Budget(StopReason::Time)));
        }
        Ok(score)
    }

    #[inline(never)]
    fn keep(&mut self, score: f64, line: impl Iterator<Item = G::Action>) {
        let (best, actions) = self.kept.best.get_or_insert_with(|| (score, Vec::new()));
        *best = score;
        actions.clear();
        actions.extend(line);
    }
}
