//! [`Search`]: the trait of all searches.

use super::{
    ActionReport, Budget, Bytes, Every, Expansion, Mcts, ReportOf, RootDecision, SearchError, StopHandle,
};
use crate::backpropagation::Backprop;
use crate::game::GameState;
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::statistics::Statistics;

/// A search, whatever its policies. Use this trait as the bound of a function that accepts any search, or box a
/// search as a `Box<dyn Search<Game = G>>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a search that can run",
    label = "this search cannot run",
    note = "if it is an `Mcts`, call `.run(..)` on it: the compiler then says which policy lacks which trait"
)]
pub trait Search {
    /// The game that is searched.
    type Game: GameState;

    /// Searches within `budget`; see [`Mcts::run`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run`].
    fn run(&mut self, budget: Budget) -> Result<ReportOf<Self::Game>, SearchError> {
        self.run_with(budget, Every::Iterations(u64::MAX), &mut |_| {})
    }

    /// Searches within `budget` and shows reports to `observer`; see [`Mcts::run_with`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run_with`].
    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<Self::Game>),
    ) -> Result<ReportOf<Self::Game>, SearchError>;

    /// Reports on the tree without searching; see [`Mcts::report`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::report`].
    fn report(&self) -> Result<ReportOf<Self::Game>, SearchError>;

    /// Reports on the actions after `line`; see [`Mcts::actions_after`]. \[Default: those of the
    /// [`report`](Self::report) if `line` is empty, and otherwise none\]
    fn actions_after(
        &self,
        line: &[<Self::Game as GameState>::Action],
    ) -> Vec<ActionReport<<Self::Game as GameState>::Action>> {
        self.report().ok().filter(|_| line.is_empty()).map_or_else(Vec::new, |report| report.actions)
    }

    /// Returns the number of bytes that the tree takes from the system; see [`Mcts::memory_usage`]. \[Default: as the
    /// [`report`](Self::report) says\]
    fn memory_usage(&self) -> Bytes {
        Bytes(self.report().map_or(0, |report| report.bytes))
    }

    /// Returns the root state; see [`Mcts::state`].
    fn state(&self) -> &Self::Game;

    /// Plays `action`; see [`Mcts::advance`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::advance`].
    fn advance(&mut self, action: <Self::Game as GameState>::Action) -> Result<(), SearchError>;

    /// Replaces the root state and empties the tree; see [`Mcts::reset`].
    fn reset(&mut self, state: Self::Game);

    /// Returns a handle that stops a run; see [`Mcts::stop_handle`].
    fn stop_handle(&self) -> StopHandle;

    /// Sets the seed of all randomness; see [`Mcts::set_seed`].
    fn set_seed(&mut self, seed: u64);

    /// Sets the most memory that the tree may take; see [`Mcts::set_memory_limit`].
    fn set_memory_limit(&mut self, limit: Bytes);

    /// Sets when nodes get children; see [`Mcts::set_expansion`]. Changing the order empties the tree.
    fn set_expansion(&mut self, expansion: Expansion);

    /// Sets how the action to play is chosen; see [`Mcts::set_root_decision`].
    fn set_root_decision(&mut self, decision: Option<RootDecision>);
}

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Search for Mcts<G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    type Game = G;

    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<G>),
    ) -> Result<ReportOf<G>, SearchError> {
        Mcts::run_with(self, budget, every, observer)
    }
    fn report(&self) -> Result<ReportOf<G>, SearchError> {
        Mcts::report(self)
    }
    fn actions_after(&self, line: &[G::Action]) -> Vec<ActionReport<G::Action>> {
        Mcts::actions_after(self, line)
    }
    fn memory_usage(&self) -> Bytes {
        Mcts::memory_usage(self)
    }
    fn state(&self) -> &G {
        Mcts::state(self)
    }
    fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        Mcts::advance(self, action)
    }
    fn reset(&mut self, state: G) {
        Mcts::reset(self, state);
    }
    fn stop_handle(&self) -> StopHandle {
        Mcts::stop_handle(self)
    }
    fn set_seed(&mut self, seed: u64) {
        Mcts::set_seed(self, seed);
    }
    fn set_memory_limit(&mut self, limit: Bytes) {
        Mcts::set_memory_limit(self, limit);
    }
    fn set_expansion(&mut self, expansion: Expansion) {
        Mcts::set_expansion(self, expansion);
    }
    fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        Mcts::set_root_decision(self, decision);
    }
}

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
            fn set_root_decision(&mut self, decision: Option<RootDecision>) {
                (**self).set_root_decision(decision);
            }
        }
    };
}

search_behind!(Box<S>);
search_behind!(&mut S);
