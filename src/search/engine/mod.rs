//! How iterations are made: by one search on its own ([`OneLeaf`]), in windows, by several trees, or with a
//! tree for each player.

pub(crate) mod forest;
pub(crate) mod seats;
pub(crate) mod window;

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::game::Turn;
use crate::iteration::LeafOf;
use crate::parameter::ParameterError;
use crate::run::budget::StopReason;
use crate::run::clock::{Deadline, WallClock};
use crate::run::error::SearchError;
use crate::search::mcts::Mcts;
use crate::search::run::{RunCounts, Until};
use crate::selection::TreePolicy;
use crate::simulation::{Leaf, RolloutPolicy};
use crate::space::Space;
use crate::statistics::Statistics;
use crate::tree::ROOT;

/// How many leaves each tree of a [`Forest`](crate::search::Forest) holds at a time: [`OneLeaf`] or
/// [`ManyLeaves`](crate::search::ManyLeaves). Sealed.
pub trait Pace<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>:
    Copy + Send + Sync + Sealed
where
    P::Stats: Statistics<S::Game, R>,
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
    fn begin(self, search: &Mcts<S, P, R, B>) -> Self::State;

    /// Makes iterations until a stop condition holds. Returns `None` if there is no room for all children of
    /// the root.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn iterate(
        self,
        state: &mut Self::State,
        search: &mut Mcts<S, P, R, B>,
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
    fn recover(self, state: &mut Self::State, search: &mut Mcts<S, P, R, B>, turn: Turn);
}

/// One leaf at a time, as [`Mcts`] searches.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct OneLeaf;

impl Sealed for OneLeaf {}

impl<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Pace<S, P, R, B>
    for OneLeaf
where
    P::Stats: Statistics<S::Game, R>,
{
    type State = LeafOf<S, P, R>;

    fn setting(self) -> String {
        "none".into()
    }

    fn check(self) -> Result<(), ParameterError> {
        Ok(())
    }

    fn leaves(self) -> u64 {
        1
    }

    fn begin(self, search: &Mcts<S, P, R, B>) -> Self::State {
        Leaf::new(search.root(), B::COUNTS)
    }

    #[inline(always)]
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn iterate(
        self,
        leaf: &mut Self::State,
        search: &mut Mcts<S, P, R, B>,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<Option<StopReason>, SearchError> {
        search.iterate_until(turn, until, deadline, leaf, tally).map_err(|fault| SearchError::at(leaf, fault))
    }

    fn ply(self, leaf: &Self::State) -> u32 {
        leaf.ply()
    }

    fn recover(self, _: &mut Self::State, _: &mut Mcts<S, P, R, B>, _: Turn) {}
}

/// Returns why a loop stopped, or the error if the root's children do not fit into the memory.
pub(crate) fn reason<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>(
    search: &Mcts<S, P, R, B>,
    stop: Option<StopReason>,
) -> Result<StopReason, SearchError> {
    stop.filter(|_| search.root_link() != ROOT).ok_or(SearchError::MemoryLimit { limit: search.memory_limit })
}
