//! The record of an iteration while it is played.

use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Turn};

/// The most actions that are kept to tell how a search came to a fault.
pub(crate) const LONGEST_LINE: usize = 1_000;

/// How many of them are the last ones, if there are more.
pub(crate) const LAST_OF_LINE: usize = 10;

/// Leaves out actions in the middle of a line that is too long.
pub(crate) fn shorten_line<A>(actions: &mut Vec<A>) {
    let length = actions.len();
    if length > LONGEST_LINE {
        actions.drain(LONGEST_LINE - LAST_OF_LINE..length - LAST_OF_LINE);
    }
}

/// A record of the actions of an iteration, in the tree and in the rollout, for the policies that learn from
/// it.
///
/// `()` records nothing and compiles away; a pair records both.
pub trait Trace<G: GameState>: Clone + Default {
    /// Whether the trace records anything. If not, a rollout may skip the single actions; see
    /// [`GameState::random_rollout`].
    const NOTES: bool = true;

    /// Whether the trace or a policy that reads it uses the [indices](crate::ActionIndex) of actions.
    #[doc(hidden)]
    const NUMBERS: bool = false;

    /// Starts a new iteration at the root.
    #[inline(always)]
    fn restart(&mut self) {}

    /// Records `action`, which is about to be played in `state`, where it is the turn of `turn`.
    ///
    /// # Errors
    ///
    /// Returns a [`GameFault`] if the action is invalid.
    #[inline(always)]
    fn record(&mut self, state: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        let _ = (state, turn, action);
        Ok(())
    }

    /// Returns the actions of the players in this iteration, from the root on, if this trace keeps them: for
    /// [`Leaf::played`](super::Leaf::played) and [`TreePolicy::learn`](crate::selection::TreePolicy::learn).
    /// \[Default: empty\]
    #[inline(always)]
    fn actions(&self) -> &[(Player, G::Action)] {
        &[]
    }
}

impl<G: GameState> Trace<G> for () {
    const NOTES: bool = false;
}

impl<G: GameState, T: Trace<G>, U: Trace<G>> Trace<G> for (T, U) {
    const NOTES: bool = T::NOTES || U::NOTES;
    const NUMBERS: bool = T::NUMBERS || U::NUMBERS;

    #[inline(always)]
    fn restart(&mut self) {
        self.0.restart();
        self.1.restart();
    }

    #[inline(always)]
    fn record(&mut self, state: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        self.0.record(state, turn, action)?;
        self.1.record(state, turn, action)
    }

    #[inline(always)]
    fn actions(&self) -> &[(Player, G::Action)] {
        let first = self.0.actions();
        if first.is_empty() { self.1.actions() } else { first }
    }
}

/// A trace that also keeps all actions as texts, outcomes of chance included.
#[derive(Clone, Default)]
pub(crate) struct Retraced<T> {
    trace: T,
    pub actions: Vec<String>,
}

impl<G: GameState, T: Trace<G>> Trace<G> for Retraced<T> {
    // A rollout goes the same way as with the trace alone.
    const NOTES: bool = T::NOTES;

    fn restart(&mut self) {
        self.trace.restart();
        self.actions.clear();
    }

    fn record(&mut self, state: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        self.trace.record(state, turn, action)?;
        if self.actions.len() == LONGEST_LINE {
            self.actions.remove(LONGEST_LINE - LAST_OF_LINE);
        }
        self.actions.push(format!("{action:?}"));
        Ok(())
    }

    fn actions(&self) -> &[(Player, G::Action)] {
        self.trace.actions()
    }
}

/// The trace that keeps every action with its player, in order. Outcomes of chance are left out.
#[derive(Clone, Debug)]
pub struct History<A>(Vec<(Player, A)>);

impl<A> History<A> {
    /// Returns the actions of the iteration, root first, each with the player who chose it.
    pub fn actions(&self) -> &[(Player, A)] {
        &self.0
    }
}

impl<A> Default for History<A> {
    fn default() -> Self {
        History(Vec::new())
    }
}

impl<G: GameState> Trace<G> for History<G::Action> {
    fn restart(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn record(&mut self, state: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        if let Some(player) = mover(state, turn)? {
            self.0.push((player, action.clone()));
        }
        Ok(())
    }

    #[inline(always)]
    fn actions(&self) -> &[(Player, G::Action)] {
        &self.0
    }
}

/// Returns the player whose `turn` it is in `state`, or `None` if it is the turn of no player. Fails if the
/// player does not exist.
#[inline(always)]
pub(crate) fn mover<G: GameState>(state: &G, turn: Turn) -> Result<Option<Player>, GameFault> {
    match (turn, state.players()) {
        (Turn::Player(player), players) if player >= players => {
            Err(GameFault::UnknownPlayer { player, players })
        }
        (Turn::Player(player), players) if usize::from(player) >= MAX_PLAYERS => {
            Err(GameFault::Players { players })
        }
        (Turn::Player(player), _) => Ok(Some(player)),
        (Turn::Chance | Turn::Over, _) => Ok(None),
    }
}
