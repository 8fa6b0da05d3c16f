//! Recipes: functions that create agents.

use core::fmt;
use ramure::GameState;
use ramure_agents::Agent;
use std::sync::Arc;

/// Creates any number of copies of an agent. Contests create a new one for each game, on the thread that
/// plays it.
///
/// ```
/// use ramure_agents::{MctsAgent, Random};
/// use ramure_lab::Recipe;
/// use ramure::prelude::*;
/// use ramure_games::Connect4;
///
/// let random: Recipe<Connect4> = Recipe::new(Random::default);
/// let mine = Recipe::new(|| {
///     MctsAgent::new("mine", Budget::iterations(100), |state: &Connect4, seed| Mcts::new(state.clone()).seed(seed))
/// });
/// assert_eq!([random.name(), mine.name()], ["random", "mine"]);
/// # Ok::<(), ramure::SearchError>(())
/// ```
#[derive(Clone)]
pub struct Recipe<G: GameState> {
    name: String,
    make: Arc<dyn Fn() -> Box<dyn Agent<G>> + Send + Sync>,
}

impl<G: GameState> Recipe<G> {
    /// Creates a recipe from a function that creates the agent. The recipe takes its name from an agent that
    /// is created at once.
    pub fn new<A: Agent<G> + 'static>(make: impl Fn() -> A + Send + Sync + 'static) -> Self {
        Recipe { name: make().name(), make: Arc::new(move || Box::new(make())) }
    }

    /// Renames the recipe; the agents that it creates stay the same.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The name of the agent in tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates an agent.
    pub fn make(&self) -> Box<dyn Agent<G>> {
        (self.make)()
    }
}

impl<G: GameState> fmt::Debug for Recipe<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipe").field("name", &self.name).finish_non_exhaustive()
    }
}
