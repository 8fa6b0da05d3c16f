//! How iterations are made: one at a time (`one_leaf`), in windows (`window`), by several trees (`forest`),
//! or with a tree for each player (`seats`). `panics` says what becomes of a panic on several threads.
//!
//! This file has the traits that each engine implements, and `Alone`, a tree that a run drives by itself. An
//! engine uses the rest of `search`, and all layers below it; a forest uses no other engine but by these
//! traits.

pub(crate) mod forest;
pub(crate) mod one_leaf;
mod panics;
pub(crate) mod seats;
pub(crate) mod window;

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::game::Turn;
use crate::iteration::FedBy;
use crate::iteration::expansion::Expansion;
use crate::iteration::root_actions::RootActions;
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Every, StopReason};
use crate::run::clock::{Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, Report};
use crate::search::one_tree::OneTree;
use crate::search::run::{Driver, Until};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::tree::ROOT;

/// How a search makes iterations: [`OneLeaf`](one_leaf::OneLeaf), a [`Window`](crate::search::Window), a
/// [`Forest`](crate::search::Forest) or [`PlayerTrees`](crate::search::PlayerTrees). Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot make iterations with these policies",
    label = "this search cannot use one of these policies"
)]
pub trait Engine<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>: Sealed {
    /// The trees, and what the engine keeps between two runs.
    #[doc(hidden)]
    type Trees: Trees<S, P, R>;
}

/// An engine with one tree, which a [`Forest`](crate::search::Forest) can have several of. Sealed.
#[diagnostic::on_unimplemented(
    message = "`parallel` needs a search with one tree",
    label = "this search has several trees"
)]
pub trait Single<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>:
    Engine<S, P, R, B> + Sized
{
    /// The backpropagation of the tree.
    #[doc(hidden)]
    type Backprop: Backprop<S::Game>;

    /// Takes the tree, and finishes pending iterations.
    #[doc(hidden)]
    fn into_tree(trees: Self::Trees) -> (Self, OneTree<S, P, R, Self::Backprop>);
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

/// The trees of an engine of which the first shows what the search has found.
#[diagnostic::on_unimplemented(
    message = "a search with a tree for each player has no tree that shows all",
    label = "which player's tree?",
    note = "`strategy` and `actions_after` say what the trees have found"
)]
pub trait View<S: Space, P: TreePolicy<S::Game>, R>: Trees<S, P, R, Space = S> {}

/// The trees of an engine, with their settings and policies.
pub trait Trees<S: Space, P: TreePolicy<S::Game>, R> {
    /// What each tree searches.
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

    /// Empties the trees. Pending iterations are dropped, and trees that can join again.
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

/// How many leaves each tree holds at a time: [`OneLeaf`](one_leaf::OneLeaf), or those of a
/// [`Window`](crate::search::Window). Sealed.
pub trait Pace<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>:
    Copy + Send + Sync + Sealed
{
    /// What the loop keeps between two calls.
    #[doc(hidden)]
    type State;

    /// Returns the settings on which results depend, as files and other ranks have them. The number of
    /// threads is none of them.
    #[doc(hidden)]
    fn setting(self) -> String;

    /// Checks the settings.
    #[doc(hidden)]
    fn check(self) -> Result<(), ParameterError>;

    /// Returns the number of iterations between two looks at the stop conditions, if nothing else ends it.
    #[doc(hidden)]
    fn leaves(self) -> u64;

    /// Begins a run.
    #[doc(hidden)]
    fn begin(self, search: &OneTree<S, P, R, B>) -> Self::State;

    /// Makes iterations until a stop condition holds. Returns `None` if there is no room for all children of
    /// the root.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn iterate(
        self,
        state: &mut Self::State,
        search: &mut OneTree<S, P, R, B>,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<Option<StopReason>, SearchError>;

    /// Returns the number of actions from the root to the state of the latest simulation, as far as it is
    /// known.
    #[doc(hidden)]
    fn ply(self, state: &Self::State) -> u32;

    /// Takes back what is pending after a panic.
    #[doc(hidden)]
    fn recover(self, state: &mut Self::State, search: &mut OneTree<S, P, R, B>, turn: Turn);
}

/// A search on its own.
pub(crate) struct Alone<
    'a,
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    L: Pace<S, P, R, B>,
> {
    pub search: &'a mut OneTree<S, P, R, B>,
    pub pace: L,
    pub state: &'a mut L::State,
    pub bytes: usize,
}

impl<S, P, R, B, L> Driver<S, P, R, B> for Alone<'_, S, P, R, B, L>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    fn search(&mut self) -> &mut OneTree<S, P, R, B> {
        self.search
    }

    fn leaves(&self) -> u64 {
        self.pace.leaves()
    }

    #[inline(always)]
    fn iterate(
        &mut self,
        turn: Turn,
        iterations: u64,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<StopReason, SearchError> {
        let until = Until { iterations, bytes: self.bytes };
        let stop = self.pace.iterate(self.state, self.search, turn, until, deadline, tally)?;
        reason(self.search, stop)
    }
}

/// Returns why a loop stopped, or the error if the root's children do not fit into the memory.
pub(crate) fn reason<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>(
    search: &OneTree<S, P, R, B>,
    stop: Option<StopReason>,
) -> Result<StopReason, SearchError> {
    stop.filter(|_| search.root_link() != ROOT).ok_or(SearchError::MemoryLimit { limit: search.memory_limit })
}

/// Returns what each of `trees` trees may take of `limit` bytes. Trees that take more already keep what they
/// have, and the others share the rest. `sizes` are the bytes of the trees that there are.
pub(crate) fn share_of(limit: usize, trees: usize, sizes: impl Iterator<Item = usize>) -> usize {
    let mut sizes: Vec<usize> = sizes.collect();
    sizes.sort_unstable();
    let (mut left, mut others) = (limit, trees.max(1));
    while let Some(greatest) = sizes.pop()
        && greatest > left / others
    {
        left = left.saturating_sub(greatest);
        others -= 1;
        if others == 0 {
            return 0;
        }
    }
    left / others
}

#[cfg(test)]
mod tests {
    use super::share_of;

    #[test]
    fn trees_above_their_share_leave_the_rest_to_the_others() {
        for (limit, trees, sizes, expected) in [
            (100, 4, vec![], 25),
            (100, 4, vec![25, 10], 25),
            (100, 4, vec![40], 20),
            (100, 4, vec![21, 40], 19),
            (100, 3, vec![40, 40, 10], 20),
            (100, 2, vec![140], 0),
            (100, 2, vec![60, 70], 0),
        ] {
            assert_eq!(share_of(limit, trees, sizes.iter().copied()), expected, "{sizes:?}");
        }
    }
}
