//! How iterations are made: one at a time (`one_leaf`), in windows (`window`), or with a tree for each player
//! (`seats`). `panics` turns a panic on another thread into an error of the run.
//!
//! This file has the traits that each engine implements. An engine uses the rest of `search`, and all layers
//! below it.

pub(crate) mod one_leaf;
mod panics;
pub(crate) mod seats;
pub(crate) mod window;

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::iteration::expansion::Expansion;
use crate::iteration::root_actions::RootActions;
use crate::run::budget::{Budget, Every, StopReason};
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, Report};
use crate::search::one_tree::OneTree;
use crate::selection::TreePolicy;
use crate::space::{ActionOf, Space};
use crate::tree::ROOT;

/// How a search makes iterations: [`OneLeaf`](one_leaf::OneLeaf), a [`Window`](crate::search::Window) or
/// [`PlayerTrees`](crate::search::PlayerTrees). Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot make iterations with these policies",
    label = "this search cannot use one of these policies"
)]
pub trait Engine<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>: Sealed {
    /// The trees, and what the engine keeps between two runs.
    #[doc(hidden)]
    type Trees: Trees<S, P, R>;
}

/// The trees of an engine that can run with these policies.
#[diagnostic::on_unimplemented(
    message = "this search cannot run with these policies",
    label = "some policy lacks a trait that the search needs"
)]
pub trait Run<S: Space> {
    fn run(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError>;

    fn report(&self) -> Result<Report<ActionOf<S>>, SearchError>;

    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>>;
}

/// The trees of an engine whose root can move on: all except those of outcome sampling.
#[diagnostic::on_unimplemented(
    message = "this search always begins at the start of the game",
    label = "it cannot follow the game, and is no `Search`",
    note = "a search by `OutcomeSampling` takes the actions that were played as its `target`"
)]
pub trait Advance<S: Space> {
    /// Plays `action`. If `space` is given, it is what follows, and `action` is not checked.
    fn advance(&mut self, action: ActionOf<S>, space: Option<S>) -> Result<(), SearchError>;
}

/// The tree of an engine that has only one, which shows what the search has found.
#[diagnostic::on_unimplemented(
    message = "a search with a tree for each player has no tree that shows all",
    label = "which player's tree?",
    note = "`strategy` and `actions_after` say what the trees have found"
)]
pub trait View<S: Space, P: TreePolicy<S::Game>, R>: Trees<S, P, R, Space = S> {}

/// The trees of an engine, with their settings and policies.
pub trait Trees<S: Space, P: TreePolicy<S::Game>, R> {
    /// The state that each tree searches.
    type Space: Space<Game = S::Game>;

    /// The backpropagation of each tree.
    type Backprop: Backprop<S::Game>;

    /// Returns what is searched.
    fn space(&self) -> &S;

    /// Returns the first tree.
    fn first(&self) -> &OneTree<Self::Space, P, R, Self::Backprop>;

    /// Calls `set` with each tree.
    fn each(&mut self, set: impl FnMut(&mut OneTree<Self::Space, P, R, Self::Backprop>));

    /// Returns the number of bytes that all trees take from the system.
    fn bytes(&self) -> usize {
        self.first().bytes()
    }

    /// Empties the trees. Pending iterations are dropped.
    fn clear(&mut self) {
        self.each(|tree| tree.clear());
    }

    fn set_seed(&mut self, seed: u64) {
        self.each(|tree| tree.set_seed(seed));
    }

    fn set_memory_limit(&mut self, limit: usize) {
        self.each(|tree| tree.set_memory_limit(limit));
    }

    fn set_expansion(&mut self, expansion: Expansion) {
        self.each(|tree| tree.set_expansion(expansion));
    }

    fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        self.each(|tree| tree.decision = decision);
    }

    fn set_root_actions(&mut self, actions: RootActions<ActionOf<S>>) {
        self.each(|tree| tree.set_root_actions(actions.clone()));
    }

    /// Replaces what is searched, and empties the trees.
    fn reset(&mut self, space: S);
}

/// Returns why a loop stopped, or the error if the root's children do not fit into the memory.
pub(crate) fn reason<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>(
    search: &OneTree<S, P, R, B>,
    stop: Option<StopReason>,
) -> Result<StopReason, SearchError> {
    stop.filter(|_| search.root_link() != ROOT).ok_or(SearchError::MemoryLimit { limit: search.memory_limit })
}
