//! How an agent is made.

use core::fmt;
use ramure::agents::Agent;
use ramure::game::GameState;
use std::sync::Arc;

/// How an agent is made, as often as one is needed: contests make a new one for each game, on whatever thread plays it.
///
/// ```
/// use ramure::agents::{MctsAgent, Random};
/// use ramure_lab::Recipe;
/// use ramure::games::Connect4;
/// use ramure::prelude::*;
///
/// let random: Recipe<Connect4> = Recipe::new(Random::default);
/// let mine = Recipe::new(|| {
///     MctsAgent::new("mine", Budget::iterations(100), |state: &Connect4, seed| Mcts::new(state.clone()).seed(seed))
/// });
/// assert_eq!([random.name(), mine.name()], ["random", "mine"]);
/// # Ok::<(), ramure::agents::AgentError>(())
/// ```
pub struct Recipe<G: GameState> {
    name: String,
    make: Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>,
}

impl<G: GameState> Recipe<G> {
    /// From a function that makes the agent. It is named after the first one made, here and now.
    pub fn new<A: Agent<G> + 'static>(make: impl Fn() -> A + Send + Sync + 'static) -> Self {
        Recipe { name: make().name(), make: Arc::new(move || Box::new(make())) }
    }

    /// The same agent under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// What it is called in tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes one.
    pub fn make(&self) -> Box<dyn Agent<G>> {
        (self.make)()
    }
}

impl<G: GameState> Clone for Recipe<G> {
    fn clone(&self) -> Self {
        Recipe { name: self.name.clone(), make: self.make.clone() }
    }
}

impl<G: GameState> fmt::Debug for Recipe<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipe").field("name", &self.name).finish_non_exhaustive()
    }
}
