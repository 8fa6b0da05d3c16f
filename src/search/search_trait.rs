//! [`Search`]: the trait of all searches.

use crate::iteration::expansion::Expansion;
use crate::iteration::root_actions::RootActions;
use crate::run::budget::{Budget, Bytes, Every};
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, Report};
use crate::run::stop_handle::StopHandle;
use crate::space::{ActionOf, Space};

/// A search, whatever its policies. Use this trait as the bound of a function that accepts any search, or box
/// a search as a `Box<dyn Search<Space = G>>`:
///
/// ```
/// use ramure::prelude::*;
/// use ramure::search::ActionOf;
/// use ramure::selection::Thompson;
/// use ramure_games::TicTacToe;
///
/// fn think<S: Search>(search: &mut S) -> Result<ActionOf<S::Space>, SearchError> {
///     search.run(Budget::iterations(500))?.try_best_action()
/// }
///
/// /// Holds any search, chosen at run time; can be sent to a thread.
/// struct Boxed {
///     search: Box<dyn Search<Space = TicTacToe> + Send>,
/// }
///
/// think(&mut Mcts::new(TicTacToe::new()).tree_policy(Thompson))?;
/// for draws in [false, true] {
///     let search = Mcts::new(TicTacToe::new());
///     let mut boxed = match draws {
///         true => Boxed { search: Box::new(search.tree_policy(Thompson)) },
///         false => Boxed { search: Box::new(search) },
///     };
///     boxed.search.run(Budget::millis(2))?;
/// }
/// # Ok::<(), SearchError>(())
/// ```
///
/// A function that needs the policies themselves names them. It also requires that the game and the rollout
/// policy can feed the statistics of the tree policy:
///
/// ```
/// use ramure::backpropagation::Backprop;
/// use ramure::prelude::*;
/// use ramure::statistics::Statistics;
///
/// /// Returns the tree policy's statistics of the root.
/// fn think<G, P, R, B>(search: &mut Mcts<G, P, R, B>) -> Result<Option<P::Stats>, SearchError>
/// where
///     G: GameState,
///     P: TreePolicy<G>,
///     P::Stats: Statistics<G, R>,
///     R: RolloutPolicy<G>,
///     B: Backprop<G>,
/// {
///     search.run(Budget::iterations(500))?;
///     Ok(search.tree().root().map(|root| root.stats()))
/// }
///
/// think(&mut Mcts::new(ramure_games::Connect4::new()))?;
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a search that can run",
    label = "this search cannot run",
    note = "if it is an `Mcts`, call `.run(..)` on it: the compiler then says which policy lacks which trait"
)]
pub trait Search {
    /// The searched space: a game, or a wrapper around it.
    type Space: Space;

    /// Searches within `budget`; see [`Mcts::run`](crate::Mcts::run).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run`](crate::Mcts::run).
    fn run(&mut self, budget: Budget) -> Result<Report<ActionOf<Self::Space>>, SearchError> {
        self.run_with(budget, Every::Iterations(u64::MAX), &mut |_| {})
    }

    /// Searches within `budget` and shows reports to `observer`; see
    /// [`Mcts::run_with`](crate::Mcts::run_with).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run_with`](crate::Mcts::run_with).
    #[expect(clippy::type_complexity, reason = "a name for it would be one more to learn")]
    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<Self::Space>>),
    ) -> Result<Report<ActionOf<Self::Space>>, SearchError>;

    /// Reports on the tree without searching; see [`Mcts::report`](crate::Mcts::report).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::report`](crate::Mcts::report).
    fn report(&self) -> Result<Report<ActionOf<Self::Space>>, SearchError>;

    /// Reports on the actions after `line`; see [`Mcts::actions_after`](crate::Mcts::actions_after).
    /// \[Default: those of the [`report`](Self::report) if `line` is empty, and otherwise none\]
    fn actions_after(&self, line: &[ActionOf<Self::Space>]) -> Vec<ActionReport<ActionOf<Self::Space>>> {
        self.report().ok().filter(|_| line.is_empty()).map_or_else(Vec::new, |report| report.actions)
    }

    /// Returns the number of bytes that the tree takes from the system; see
    /// [`Mcts::memory_usage`](crate::Mcts::memory_usage). \[Default: as the [`report`](Self::report) says\]
    fn memory_usage(&self) -> Bytes {
        Bytes(self.report().map_or(0, |report| report.bytes))
    }

    /// Returns the root state; see [`Mcts::state`](crate::Mcts::state).
    fn state(&self) -> &<Self::Space as Space>::Real;

    /// Returns what is searched; see [`Mcts::space`](crate::Mcts::space).
    fn space(&self) -> &Self::Space;

    /// Plays `action`; see [`Mcts::advance`](crate::Mcts::advance).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::advance`](crate::Mcts::advance).
    fn advance(&mut self, action: ActionOf<Self::Space>) -> Result<(), SearchError>;

    /// Replaces what is searched and empties the tree; see [`Mcts::reset`](crate::Mcts::reset).
    fn reset(&mut self, space: Self::Space);

    /// Goes on at `space`, a later state of the same game, and empties the tree. This is
    /// [`reset`](Self::reset), but a search that [recognises positions](crate::search::Transpositions) keeps
    /// its [earlier states](crate::Mcts::set_earlier_states), and adds the root state that it leaves.
    /// \[Default: `reset`\]
    fn continue_at(&mut self, space: Self::Space) {
        self.reset(space);
    }

    /// Returns a handle that stops the runs of this search; see
    /// [`Mcts::stop_handle`](crate::Mcts::stop_handle).
    fn stop_handle(&self) -> StopHandle;

    /// Sets the [`seed`](crate::Mcts::seed) between two runs. A search that is [reset](Self::reset) first
    /// gives the same results as a new one with this seed, unless its policies have learned.
    fn set_seed(&mut self, seed: u64);

    /// Sets the [`memory_limit`](crate::Mcts::memory_limit) between two runs. `Bytes(usize::MAX)` removes the
    /// limit.
    fn set_memory_limit(&mut self, limit: Bytes);

    /// Sets the [`expansion`](crate::Mcts::expansion) between two runs. Changing the order empties the tree.
    fn set_expansion(&mut self, expansion: Expansion);

    /// Sets the [`root_decision`](crate::Mcts::root_decision) between two runs. With `None`, the tree policy
    /// decides, as it does by default.
    fn set_root_decision(&mut self, decision: Option<RootDecision>);

    /// Sets the [`root_actions`](crate::Mcts::root_actions) between two runs. They hold until the root
    /// changes.
    fn set_root_actions(&mut self, actions: RootActions<ActionOf<Self::Space>>);
}

/// Implements [`Search`] by the methods of the same names of `$searches`, except for the settings.
macro_rules! search_by_methods_of {
    ($searches:ty, $space:ty) => {
        type Space = $space;

        fn run_with(
            &mut self,
            budget: $crate::run::budget::Budget,
            every: $crate::run::budget::Every,
            observer: &mut dyn FnMut(&$crate::run::report::Report<$crate::space::ActionOf<$space>>),
        ) -> Result<$crate::run::report::Report<$crate::space::ActionOf<$space>>, $crate::SearchError> {
            <$searches>::run_with(self, budget, every, observer)
        }
        fn report(
            &self,
        ) -> Result<$crate::run::report::Report<$crate::space::ActionOf<$space>>, $crate::SearchError> {
            <$searches>::report(self)
        }
        fn actions_after(
            &self,
            line: &[$crate::space::ActionOf<$space>],
        ) -> Vec<$crate::run::report::ActionReport<$crate::space::ActionOf<$space>>> {
            <$searches>::actions_after(self, line)
        }
        fn memory_usage(&self) -> $crate::run::budget::Bytes {
            <$searches>::memory_usage(self)
        }
        fn state(&self) -> &<$space as $crate::space::Space>::Real {
            <$searches>::state(self)
        }
        fn space(&self) -> &$space {
            <$searches>::space(self)
        }
        fn advance(&mut self, action: $crate::space::ActionOf<$space>) -> Result<(), $crate::SearchError> {
            <$searches>::advance(self, action)
        }
        fn reset(&mut self, space: $space) {
            <$searches>::reset(self, space);
        }
        fn stop_handle(&self) -> $crate::run::stop_handle::StopHandle {
            <$searches>::stop_handle(self)
        }
    };
}
pub(crate) use search_by_methods_of;

/// Implements [`Search`] for a pointer to a search.
macro_rules! search_behind {
    ($pointer:ty) => {
        impl<S: Search + ?Sized> Search for $pointer {
            search_by_methods_of!(S, S::Space);

            fn continue_at(&mut self, space: S::Space) {
                S::continue_at(self, space);
            }
            fn set_seed(&mut self, seed: u64) {
                S::set_seed(self, seed);
            }
            fn set_memory_limit(&mut self, limit: Bytes) {
                S::set_memory_limit(self, limit);
            }
            fn set_expansion(&mut self, expansion: Expansion) {
                S::set_expansion(self, expansion);
            }
            fn set_root_decision(&mut self, decision: Option<RootDecision>) {
                S::set_root_decision(self, decision);
            }
            fn set_root_actions(&mut self, actions: RootActions<ActionOf<S::Space>>) {
                S::set_root_actions(self, actions);
            }
        }
    };
}
search_behind!(Box<S>);
search_behind!(&mut S);
