//! The simplest agent.

use crate::{Agent, mover};
use ramure::{GameFault, GameState, SearchError};

/// Plays the first legal action. The weakest baseline: any other agent must beat it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct First;

impl<G: GameState> Agent<G> for First {
    fn name(&self) -> String {
        "first".into()
    }

    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        mover(state)?;
        let first = state.actions().into_iter().next();
        SearchError::unless_failed(0)?;
        first.ok_or_else(|| SearchError::game(GameFault::NoActions, 0))
    }
}
