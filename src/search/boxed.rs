//! A search in a box is a search.

use super::{Budget, ReportOf, Search, SearchError, StopHandle};
use crate::game::GameState;

impl<S: Search + ?Sized> Search for Box<S> {
    type Game = S::Game;

    fn run(&mut self, budget: Budget) -> Result<ReportOf<S::Game>, SearchError> {
        (**self).run(budget)
    }
    fn run_with(
        &mut self,
        budget: Budget,
        every: u64,
        observer: &mut dyn FnMut(&ReportOf<S::Game>),
    ) -> Result<ReportOf<S::Game>, SearchError> {
        (**self).run_with(budget, every, observer)
    }
    fn report(&self) -> Result<ReportOf<S::Game>, SearchError> {
        (**self).report()
    }
    fn state(&self) -> &S::Game {
        (**self).state()
    }
    fn advance(&mut self, action: <S::Game as GameState>::Action) -> Result<(), SearchError> {
        (**self).advance(action)
    }
    fn reset(&mut self, state: S::Game) {
        (**self).reset(state);
    }
    fn stop_handle(&self) -> StopHandle {
        (**self).stop_handle()
    }
}
