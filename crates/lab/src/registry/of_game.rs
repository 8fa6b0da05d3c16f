//! [`OfGame`]: presents a search of a wrapped game as a search of the game itself.

use super::abilities::Abilities;
use super::able::{Able, Wish};
use ramure::search::{ActionOf, Space};
use ramure::{
    ActionReport, Budget, Bytes, Every, Expansion, GameState, Report, RootActions, RootDecision, Search,
    SearchError, StopHandle,
};

/// A search of a wrapped game, presented as a search of the game itself.
pub(super) struct OfGame<G, S: Search> {
    search: S,
    /// Returns the game itself.
    game: fn(&<S::Space as Space>::Real) -> &G,
    /// Wraps a state of the game.
    space: Box<dyn Fn(G) -> S::Space + Send>,
    needs_iterations: bool,
}

impl<G, S: Search<Space: Space<Real = G>>> OfGame<G, S> {
    /// A search that shares positions.
    pub fn new(search: S) -> Self {
        let space = Box::new(|state| S::Space::of(state, 0));
        OfGame { search, game: |state| state, space, needs_iterations: false }
    }
}

impl<G: GameState, A: Abilities<G>, S: Search<Space = Able<G, A>>> OfGame<G, S> {
    /// A search of an [`Able`] game.
    pub fn able(search: S, wish: Wish, needs_iterations: bool) -> Self {
        let space = Box::new(move |state| Able::new(state, wish));
        OfGame { search, game: |able| &able.game, space, needs_iterations }
    }
}

impl<G, S> Search for OfGame<G, S>
where
    G: GameState,
    S: Search<Space: Space<Game: GameState<Action = G::Action>>>,
{
    type Space = G;

    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<G>>),
    ) -> Result<Report<ActionOf<G>>, SearchError> {
        if self.needs_iterations && budget.iterations.is_none() {
            return Err(SearchError::NeedsIterations);
        }
        if self.needs_iterations && budget.stops_early {
            return Err(SearchError::CannotStopEarly);
        }
        if self.needs_iterations && budget.percent_if_unclear.is_some_and(|percent| percent > 0) {
            return Err(SearchError::CannotExceed);
        }
        self.search.run_with(budget, every, observer)
    }
    fn report(&self) -> Result<Report<ActionOf<G>>, SearchError> {
        self.search.report()
    }
    fn actions_after(&self, line: &[G::Action]) -> Vec<ActionReport<G::Action>> {
        self.search.actions_after(line)
    }
    fn memory_usage(&self) -> Bytes {
        self.search.memory_usage()
    }
    fn state(&self) -> &G {
        (self.game)(self.search.state())
    }
    fn space(&self) -> &G {
        self.state()
    }
    fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        self.search.advance(action)
    }
    fn reset(&mut self, state: G) {
        self.search.reset((self.space)(state));
    }
    fn continue_at(&mut self, state: G) {
        self.search.continue_at((self.space)(state));
    }
    fn stop_handle(&self) -> StopHandle {
        self.search.stop_handle()
    }
    fn set_seed(&mut self, seed: u64) {
        self.search.set_seed(seed);
    }
    fn set_memory_limit(&mut self, limit: Bytes) {
        self.search.set_memory_limit(limit);
    }
    fn set_expansion(&mut self, expansion: Expansion) {
        self.search.set_expansion(expansion);
    }
    fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        self.search.set_root_decision(decision);
    }
    fn set_root_actions(&mut self, actions: RootActions<G::Action>) {
        self.search.set_root_actions(actions);
    }
}

#[cfg(test)]
mod tests {
    use super::super::abilities::Rules;
    use super::super::able::{Able, Wish};
    use super::OfGame;
    use ramure::{Budget, Mcts, Search, SearchError};
    use ramure_games::TicTacToe;

    #[test]
    fn a_search_that_plans_ahead_needs_an_iteration_budget() {
        let wish = Wish::default();
        let search = Mcts::new(Able::<_, Rules>::new(TicTacToe::new(), wish));
        let mut search = OfGame::able(search, wish, true);
        assert_eq!(search.run(Budget::millis(5)).err(), Some(SearchError::NeedsIterations));
        let early = Budget::iterations(50).or_decided();
        assert_eq!(search.run(early).err(), Some(SearchError::CannotStopEarly));
        let longer = Budget::iterations(50).and_percent_if_unclear(50);
        assert_eq!(search.run(longer).err(), Some(SearchError::CannotExceed));
        let report = search.run(Budget::iterations(50)).unwrap();
        search.advance(report.best_action()).unwrap();
        search.reset(TicTacToe::new());
        assert_eq!(*search.state(), TicTacToe::new());
        search.needs_iterations = false;
        assert!(search.run(Budget::millis(1)).is_ok());
    }
}
