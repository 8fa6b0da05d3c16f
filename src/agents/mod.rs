//! Agents: a state in, an action out. Searches and the classics beside them, behind one trait, to be played against each
//! other. Uses `search` and all below it.

mod alpha_beta;
mod evaluation;
mod first;
mod flat_monte_carlo;
mod look_ahead;
mod mcts;
mod minimax;
mod random;

pub use alpha_beta::AlphaBeta;
pub use evaluation::{By, Evaluation, Static};
pub use first::First;
pub use flat_monte_carlo::{Allocation, FlatMonteCarlo};
pub use look_ahead::LookAhead;
pub use mcts::MctsAgent;
pub use minimax::{MOST_DEPTH, Minimax};
pub use random::Random;

use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Turn};
use crate::parameter::ParameterError;
use crate::search::SearchError;
use core::fmt;

/// Whoever plays: a state in, an action out.
///
/// **Who needs it:** programs that let players of different kinds play each other. A search alone needs none.
///
/// ```
/// use ramure::agents::{Agent, First, Random};
/// use ramure::games::Connect4;
/// use ramure::prelude::*;
///
/// let mut players: [Box<dyn Agent<Connect4>>; 2] = [Box::new(First), Box::new(Random::default())];
/// let mut game = Connect4::new();
/// while let Turn::Player(player) = game.turn() {
///     let action = players[usize::from(player)].choose(&game)?;
///     game.apply(action);
///     players.iter_mut().for_each(|agent| agent.played(action));
/// }
/// println!("{game}");
/// # Ok::<(), ramure::agents::AgentError>(())
/// ```
pub trait Agent<G: GameState> {
    /// What it is called in tables: short, with its parameters, as in `mcts:384`.
    fn name(&self) -> String;

    /// The action to play in `state`, where a player is to move.
    ///
    /// # Errors
    ///
    /// Why there is none: the game is over, or chance is to move, or something broke its contract.
    fn choose(&mut self, state: &G) -> Result<G::Action, AgentError>;

    /// Hears of an action that was just played, by this agent, another one or chance. An agent that keeps a tree follows
    /// it. Whoever calls this calls it for all actions of a game. \[Default: nothing\]
    fn played(&mut self, action: G::Action) {
        let _ = action;
    }

    /// Forgets the game before. `seed` fixes all that is random in the next one. \[Default: nothing\]
    fn new_game(&mut self, seed: u64) {
        let _ = seed;
    }

    /// What it thought when it last chose, which was in `state`; for people to read. \[Default: nothing\]
    fn thoughts(&self, state: &G) -> Option<String> {
        let _ = state;
        None
    }
}

impl<G: GameState, T: Agent<G> + ?Sized> Agent<G> for Box<T> {
    fn name(&self) -> String {
        (**self).name()
    }
    fn choose(&mut self, state: &G) -> Result<G::Action, AgentError> {
        (**self).choose(state)
    }
    fn played(&mut self, action: G::Action) {
        (**self).played(action);
    }
    fn new_game(&mut self, seed: u64) {
        (**self).new_game(seed);
    }
    fn thoughts(&self, state: &G) -> Option<String> {
        (**self).thoughts(state)
    }
}

/// Why an agent has no action.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum AgentError {
    /// What a search says; also that the game is over, that chance is to move, or that a parameter is out of range.
    Search(SearchError),
    /// The agent is for two players whose rewards sum to one, and this game is another.
    NotZeroSum,
    /// Any other reason, of an agent of yours.
    Failed(String),
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Search(error) => error.fmt(f),
            AgentError::NotZeroSum => f.write_str(
                "alpha-beta is for two players whose rewards and evaluations sum to one; `Minimax` is for any",
            ),
            AgentError::Failed(why) => f.write_str(why),
        }
    }
}

impl core::error::Error for AgentError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            AgentError::Search(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SearchError> for AgentError {
    fn from(error: SearchError) -> Self {
        AgentError::Search(error)
    }
}

impl From<ParameterError> for AgentError {
    fn from(error: ParameterError) -> Self {
        AgentError::Search(error.into())
    }
}

/// A game that broke its contract, so many actions after the state to be played in.
fn broken(fault: GameFault, ply: u32) -> AgentError {
    AgentError::Search(SearchError::Game { fault, ply })
}

/// The player to move, if it is a player's turn, and the number of players, which is at most [`MAX_PLAYERS`].
fn mover<G: GameState>(state: &G) -> Result<(Player, u8), AgentError> {
    let players = state.players();
    if players == 0 || usize::from(players) > MAX_PLAYERS {
        return Err(broken(GameFault::Players { players }, 0));
    }
    match state.turn() {
        Turn::Player(player) if player < players => Ok((player, players)),
        Turn::Player(player) => Err(broken(GameFault::UnknownPlayer { player, players }, 0)),
        Turn::Chance => Err(SearchError::ChanceToMove.into()),
        Turn::Over => Err(SearchError::GameOver.into()),
    }
}
