//! Searches of games with hidden information, against each other.

use super::Failure;
use crate::Recipe;
use crate::contest::{Conditions, RoundRobin, RoundRobinResult};
use crate::games::{KnockoutWhist, PhantomTicTacToe};
use clap::ValueEnum;
use ramure::HiddenInformation;
use ramure::agents::{Agent, AgentError, Determinized, MctsAgent, Random};
use ramure::prelude::*;
use ramure::search::{InformationSet, PlayerTrees};
use ramure::selection::AvailabilityUcb1;
use std::fmt;

/// A game of the round robin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Contest {
    /// For two players.
    KnockoutWhist,
    PhantomTicTacToe,
}

/// How much each agent searches for an action, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// The iterations for an action, in all.
    pub iterations: u64,
    /// The number of guesses among which a determinized search divides them.
    pub guesses: u32,
    /// The exploration constant.
    pub c: f32,
}

/// An agent that sees a game from one side, in games of the whole state.
///
/// It is not told what others play, because it may not see that. So it starts each action with an empty tree.
pub struct OneSided<A>(pub A);

impl<G: HiddenInformation, A: Agent<InformationSet<G>>> Agent<G> for OneSided<A> {
    fn name(&self) -> String {
        self.0.name()
    }
    fn choose(&mut self, state: &G) -> Result<G::Action, AgentError> {
        self.0.choose(&InformationSet::new(state.clone()))
    }
    fn new_game(&mut self, seed: u64) {
        self.0.new_game(seed);
    }
}

/// Creates an agent that searches by SO-ISMCTS.
pub fn single_observer<G: HiddenInformation + 'static>(budget: Budget, c: f32) -> impl Agent<G> {
    OneSided(MctsAgent::new("so-ismcts", budget, move |state: &InformationSet<G>, seed| {
        state.clone().search(c).seed(seed)
    }))
}

/// Creates an agent that searches by MO-ISMCTS.
pub fn multiple_observer<G: HiddenInformation + 'static>(budget: Budget, c: f32) -> impl Agent<G> {
    OneSided(MctsAgent::new("mo-ismcts", budget, move |state: &InformationSet<G>, seed| {
        PlayerTrees::new(state.clone()).tree_policy(AvailabilityUcb1::new(c)).seed(seed)
    }))
}

/// Creates an agent that searches the real state.
pub fn cheat<G: GameState + 'static>(budget: Budget, c: f32) -> impl Agent<G> {
    let agent = MctsAgent::new("cheating-uct", budget, move |state: &G, seed| {
        Mcts::new(state.clone()).tree_policy(Ucb1::new(c)).seed(seed)
    });
    agent.without_tree_reuse()
}

/// Creates an agent that searches guesses, each as if nothing were hidden.
pub fn determinized<G: HiddenInformation + 'static>(effort: Effort) -> impl Agent<G> {
    let Effort { iterations, guesses, c } = effort;
    let each = Budget::iterations((iterations / u64::from(guesses.max(1))).max(1));
    Determinized::new("pimc", guesses, each, move |guess: &G, seed| {
        Mcts::new(guess.clone()).tree_policy(Ucb1::new(c)).seed(seed)
    })
}

/// The agents, the weakest first, as the papers have it.
fn agents<G: HiddenInformation + 'static>(effort: Effort) -> Vec<Recipe<G>> {
    let budget = Budget::iterations(effort.iterations);
    vec![
        Recipe::new(Random::default),
        Recipe::new(move || determinized(effort)),
        Recipe::new(move || single_observer(budget, effort.c)),
        Recipe::new(move || multiple_observer(budget, effort.c)),
        Recipe::new(move || cheat(budget, effort.c)),
    ]
}

impl Contest {
    /// Plays all agents against each other. Two games with the same deal, one from each seat, make a pair.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`RoundRobin::run`].
    pub fn play(self, effort: Effort, conditions: Conditions) -> Result<RoundRobinResult, Failure> {
        let conditions = conditions.label(self.to_string());
        Ok(match self {
            Contest::KnockoutWhist => {
                let start = KnockoutWhist::new(2)?;
                // Fourteen cards and the trumps.
                RoundRobin::new(start, agents(effort)).run(&conditions.openings(15))?
            }
            Contest::PhantomTicTacToe => {
                RoundRobin::new(PhantomTicTacToe::new(), agents(effort)).run(&conditions)?
            }
        })
    }

    /// Returns what was published about such games.
    pub fn published(self) -> &'static str {
        match self {
            Contest::KnockoutWhist => {
                "Published: the tutorial code of Cowling, Powley and Whitehouse (2012) has this game without figures. In their games, \
                 searches of information sets \"outperform existing approaches\", which are determinized ones, and a search that sees everything is \
                 an upper bound."
            }
            Contest::PhantomTicTacToe => {
                "Published: for a phantom game on four by four cells, Cowling, Powley and Whitehouse (2012) introduced MO-ISMCTS, because with SO-ISMCTS the \
                 others seem to see the observer's hidden actions."
            }
        }
    }
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Contest::KnockoutWhist => "knockout-whist",
            Contest::PhantomTicTacToe => "phantom-tic-tac-toe",
        })
    }
}
