//! Implements [`Search`] for boxed searches.

use super::{ActionReport, Budget, Bytes, Every, ReportOf, Search, SearchError, StopHandle};
use crate::game::GameState;

type ActionOf<S> = <<S as Search>::Game as GameState>::Action;

impl<S: Search + ?Sized> Search for Box<S> {
    type Game = S::Game;

    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<S::Game>),
    ) -> Result<ReportOf<S::Game>, SearchError> {
        (**self).run_with(budget, every, observer)
    }
    fn report(&self) -> Result<ReportOf<S::Game>, SearchError> {
        (**self).report()
    }
    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        (**self).actions_after(line)
    }
    fn memory_usage(&self) -> Bytes {
        (**self).memory_usage()
    }
    fn state(&self) -> &S::Game {
        (**self).state()
    }
    fn advance(&mut self, action: ActionOf<S>) -> Result<(), SearchError> {
        (**self).advance(action)
    }
    fn reset(&mut self, state: S::Game) {
        (**self).reset(state);
    }
    fn stop_handle(&self) -> StopHandle {
        (**self).stop_handle()
    }
}
