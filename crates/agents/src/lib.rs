//! Agents for [`ramure`]: players that, given a state, return an action. Searches and the classic algorithms
//! share one trait, [`Agent`], so that they can play each other.
//!
//! - [`MctsAgent`]: any search, with a budget for each action or a clock for the whole game.
//! - [`Minimax`], [`AlphaBeta`]: a full look-ahead to a depth, with an evaluation at the horizon.
//! - [`FlatMonteCarlo`], [`Random`], [`First`]: baselines.
//! - [`Determinized`]: searches of many guesses of what is hidden.
//!
//! An agent of your own can do what these do: all of them use only what is documented in `ramure`, except for
//! [`MctsAgent`], which follows hidden information by methods of `Space` that are not documented.

#![deny(missing_docs, unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::return_self_not_must_use)]

mod alpha_beta;
mod determinized;
mod evaluation;
mod first;
mod flat_monte_carlo;
mod look_ahead;
mod mcts;
mod minimax;
mod random;

pub use alpha_beta::{AlphaBeta, NotZeroSum};
pub use determinized::{Determinized, Vote};
pub use evaluation::Evaluation;
pub use first::First;
pub use flat_monte_carlo::FlatMonteCarlo;
pub use look_ahead::LookAhead;
pub use mcts::MctsAgent;
pub use minimax::Minimax;
pub use random::Random;

use ramure::{GameClock, GameFault, GameState, MAX_PLAYERS, Player, SearchError, Turn, take_failure};

/// A player: given a state, returns the action to play.
///
/// **Who needs it:** programs in which different kinds of players play each other. A search alone does not
/// need it.
///
/// ```
/// use ramure_agents::{Agent, First, Random};
/// use ramure_games::Connect4;
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
/// # Ok::<(), ramure::SearchError>(())
/// ```
///
/// An agent of your own implements two methods:
///
/// ```
/// use ramure::prelude::*;
/// use ramure::{GameFault, take_failure};
/// use ramure_agents::Agent;
///
/// /// Plays the action after which there are the fewest actions.
/// struct Cramping;
///
/// impl<G: GameState> Agent<G> for Cramping {
///     fn name(&self) -> String {
///         "cramping".into()
///     }
///     fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
///         if !matches!(state.turn(), Turn::Player(_)) {
///             return Err(SearchError::GameOver);
///         }
///         take_failure(); // of a call before this one
///         let mut best = None;
///         for action in state.actions() {
///             let mut next = state.clone();
///             next.apply(action.clone());
///             let replies = next.actions().into_iter().count();
///             // If the game has failed, its answers do not count.
///             SearchError::unless_failed(1).map_err(|error| error.after(0, &action))?;
///             if best.as_ref().is_none_or(|(least, _)| replies < *least) {
///                 best = Some((replies, action));
///             }
///         }
///         SearchError::unless_failed(0)?;
///         best.map(|(_, action)| action).ok_or_else(|| SearchError::game(GameFault::NoActions, 0))
///     }
/// }
///
/// assert_eq!(Cramping.choose(&ramure_games::TicTacToe::new())?.to_string(), "1");
/// # Ok::<(), SearchError>(())
/// ```
pub trait Agent<G: GameState> {
    /// The name of the agent in tables: short, with its parameters, as in `mcts:384`.
    fn name(&self) -> String;

    /// Returns the action to play in `state`. It must be a player's turn.
    ///
    /// # Errors
    ///
    /// Returns a [`SearchError`] if the game is over, if it is chance's turn, or if the game or the agent
    /// breaks its contract.
    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError>;

    /// Tells the agent about an action that was just played, by itself, by another agent or by chance. An
    /// agent that keeps a tree follows the action. Call this for every action of a game. \[Default: does
    /// nothing\]
    fn played(&mut self, action: G::Action) {
        let _ = action;
    }

    /// Forgets the previous game. `seed` fixes all random choices of the next one. \[Default: does nothing\]
    fn new_game(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Returns the agent's clock, if it plays on one: what it shows now, and how it goes on. A contest reads
    /// it at the start of a game, and keeps the time itself from then on. \[Default: `None`, the agent has no
    /// clock\]
    fn clock(&self) -> Option<GameClock> {
        None
    }

    /// Describes the agent's last choice, which was made in `state`, for people to read. \[Default: `None`\]
    fn thoughts(&self, state: &G) -> Option<String> {
        let _ = state;
        None
    }
}

/// Implements [`Agent`] for a pointer to an agent.
macro_rules! agent_behind {
    ($($pointer:ty),*) => { $(
        impl<G: GameState, T: Agent<G> + ?Sized> Agent<G> for $pointer {
            fn name(&self) -> String {
                (**self).name()
            }
            fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
                (**self).choose(state)
            }
            fn played(&mut self, action: G::Action) {
                (**self).played(action);
            }
            fn new_game(&mut self, seed: u64) {
                (**self).new_game(seed);
            }
            fn clock(&self) -> Option<GameClock> {
                (**self).clock()
            }
            fn thoughts(&self, state: &G) -> Option<String> {
                (**self).thoughts(state)
            }
        }
    )* };
}
agent_behind!(Box<T>, &mut T);

/// The player to move and the number of players, which is at most [`MAX_PLAYERS`]; an error unless it is a
/// player's turn.
fn mover<G: GameState>(state: &G) -> Result<(Player, u8), SearchError> {
    take_failure(); // of a call outside of agents
    let players = state.players();
    if players == 0 || usize::from(players) > MAX_PLAYERS {
        return Err(SearchError::game(GameFault::Players { players }, 0));
    }
    match state.turn() {
        Turn::Player(player) if player < players => Ok((player, players)),
        Turn::Player(player) => Err(SearchError::game(GameFault::UnknownPlayer { player, players }, 0)),
        Turn::Chance => Err(SearchError::ChanceToMove),
        Turn::Over => Err(SearchError::GameOver),
    }
}
