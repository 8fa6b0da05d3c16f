//! The simplest agent.

use super::{Agent, AgentError, broken, mover};
use crate::game::{GameFault, GameState};

/// Plays the first legal action. The weakest baseline: any other agent must beat it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct First;

impl<G: GameState> Agent<G> for First {
    fn name(&self) -> String {
        "first".into()
    }

    fn choose(&mut self, state: &G) -> Result<G::Action, AgentError> {
        mover(state)?;
        state.actions().into_iter().next().ok_or(broken(GameFault::NoActions, 0))
    }
}
