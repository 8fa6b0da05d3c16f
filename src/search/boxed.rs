//! Implements [`Search`] for boxed and borrowed searches.

use super::{
    ActionReport, Budget, Bytes, Every, Expansion, ReportOf, RootDecision, Search, SearchError, StopHandle,
};
use crate::game::GameState;

type ActionOf<S> = <<S as Search>::Game as GameState>::Action;

macro_rules! search_behind {
    ($pointer:ty) => {
        impl<S: Search + ?Sized> Search for $pointer {
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
            fn set_seed(&mut self, seed: u64) {
                (**self).set_seed(seed);
            }
            fn set_memory_limit(&mut self, limit: Bytes) {
                (**self).set_memory_limit(limit);
            }
            fn set_expansion(&mut self, expansion: Expansion) {
                (**self).set_expansion(expansion);
            }
            fn set_root_decision(&mut self, decision: RootDecision) {
                (**self).set_root_decision(decision);
            }
        }
    };
}

search_behind!(Box<S>);
search_behind!(&mut S);
