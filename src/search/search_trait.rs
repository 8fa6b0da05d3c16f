//! [`Search`]: the trait of all searches.

use crate::backpropagation::Backprop;
use crate::game::GameState;
use crate::iteration::expansion::Expansion;
use crate::run::budget::{Budget, Bytes, Every};
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, ReportOf};
use crate::run::stop_handle::StopHandle;
use crate::search::mcts::Mcts;
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

    /// Returns a handle that stops the runs of this search; see [`Mcts::stop_handle`].
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

/// Implements [`Search`] by the methods of the same names of `$searches`, except `actions_after`.
macro_rules! search_by_methods_of {
    ($searches:ty, $game:ty) => {
        type Game = $game;

        fn run_with(
            &mut self,
            budget: $crate::run::budget::Budget,
            every: $crate::run::budget::Every,
            observer: &mut dyn FnMut(&$crate::run::report::ReportOf<$game>),
        ) -> Result<$crate::run::report::ReportOf<$game>, $crate::SearchError> {
            <$searches>::run_with(self, budget, every, observer)
        }
        fn report(&self) -> Result<$crate::run::report::ReportOf<$game>, $crate::SearchError> {
            <$searches>::report(self)
        }
        fn memory_usage(&self) -> $crate::run::budget::Bytes {
            <$searches>::memory_usage(self)
        }
        fn state(&self) -> &$game {
            <$searches>::state(self)
        }
        fn advance(
            &mut self,
            action: <$game as $crate::GameState>::Action,
        ) -> Result<(), $crate::SearchError> {
            <$searches>::advance(self, action)
        }
        fn reset(&mut self, state: $game) {
            <$searches>::reset(self, state);
        }
        fn stop_handle(&self) -> $crate::run::stop_handle::StopHandle {
            <$searches>::stop_handle(self)
        }
        fn set_seed(&mut self, seed: u64) {
            <$searches>::set_seed(self, seed);
        }
        fn set_memory_limit(&mut self, limit: $crate::run::budget::Bytes) {
            <$searches>::set_memory_limit(self, limit);
        }
        fn set_expansion(&mut self, expansion: $crate::Expansion) {
            <$searches>::set_expansion(self, expansion);
        }
        fn set_root_decision(&mut self, decision: Option<$crate::run::report::root_decision::RootDecision>) {
            <$searches>::set_root_decision(self, decision);
        }
    };
}
pub(crate) use search_by_methods_of;

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Search for Mcts<G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    search_by_methods_of!(Self, G);

    fn actions_after(&self, line: &[G::Action]) -> Vec<ActionReport<G::Action>> {
        Mcts::actions_after(self, line)
    }
}

type ActionOf<S> = <<S as Search>::Game as GameState>::Action;

impl<S: Search + ?Sized> Search for Box<S> {
    search_by_methods_of!(S, S::Game);

    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        S::actions_after(self, line)
    }
}

impl<S: Search + ?Sized> Search for &mut S {
    search_by_methods_of!(S, S::Game);

    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        S::actions_after(self, line)
    }
}
