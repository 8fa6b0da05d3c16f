//! Games written in Python of which a player does not see everything.

use crate::actions::PyAction;
use crate::any_search::{AnySearch, Deep, any, deep};
use crate::game::PyGame;
use crate::hooks::On;
use crate::language::Language;
use pyo3::prelude::*;
use ramure::backpropagation::Average;
use ramure::search::{InformationSet, PlayerTrees, Space};
use ramure::selection::{AvailabilityUcb1, RegretMatching};
use ramure::simulation::Uniform;
use ramure::{Mcts, Player, Report, SearchError};

/// The space of an object of the class `InformationSet` of Python.
type Hidden = InformationSet<PyGame>;

/// Returns the view that an object is.
fn view(
    object: &Bound<'_, PyAny>,
    game: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<PyGame>,
) -> PyResult<Hidden> {
    let set = InformationSet::new(game(&object.getattr("state")?)?);
    let observer: Option<Player> = object.getattr("observer")?.extract()?;
    Ok(observer.into_iter().fold(set, InformationSet::observer))
}

impl Language for Hidden {
    fn in_python(&self) -> Option<&PyGame> {
        Some(self.root())
    }
    fn action_to_python(&self, py: Python<'_>, action: &PyAction) -> PyResult<Py<PyAny>> {
        self.root().action_to_python(py, action)
    }
    fn action_from_python(&self, action: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        self.root().action_from_python(action)
    }
    fn state_to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.root().state_to_python(py)
    }
    fn at(&self, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        view(object, |state| self.root().at(state))
    }
}

deep!(Mcts<Hidden>: texts_by(|state| format!("{state:?}")));

/// A search with a tree for each player.
type Trees<P> = Mcts<Hidden, P, Uniform, Average, PlayerTrees>;

macro_rules! trees {
    ($($policy:ty),*) => {$(
        impl Deep for Trees<$policy> {
            fn report_of(&self, player: Player) -> Result<Report<PyAction>, SearchError> {
                Mcts::report_of(self, player)
            }
        }
    )*};
}

trees!(AvailabilityUcb1, RegretMatching);

/// Returns a search of guesses, with a tree for each player if `has_trees` says so: by regret matching if players
/// choose at the same time.
pub fn search(object: &Bound<'_, PyAny>, has_trees: bool, seed: u64) -> PyResult<Box<dyn AnySearch>> {
    let space = view(object, |state| PyGame::of(state, On::Search))?;
    let is_together = space.root().hooks.has("is_simultaneous");
    Ok(match has_trees {
        true if is_together => {
            any(Mcts::player_trees(space).tree_policy(RegretMatching::default()).seed(seed), None)
        }
        true => any(Mcts::player_trees(space).seed(seed), None),
        false => any(Mcts::new(space).seed(seed), None),
    })
}
