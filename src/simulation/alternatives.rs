//! The trace that also keeps the alternatives to each action.

use super::{Trace, checked_index, mover};
use crate::game::{ActionIndex, GameFault, Player, Turn};

/// A trace that keeps every action of a player together with the actions that were legal beside it, by their
/// indices: for policies that compare the action played with its alternatives.
///
/// Recording an action takes a pass over all legal actions. The trace holds one iteration: 4 bytes for each
/// legal action of each state in it, so 260 KB for a whole game of Hex 19x19. The memory is reused from one
/// iteration to the next.
#[derive(Clone, Debug)]
pub struct Alternatives<A> {
    played: Vec<(Player, A)>,
    /// The end of each state's legal actions in `legal`.
    ends: Vec<usize>,
    legal: Vec<u32>,
}

impl<A: Clone> Alternatives<A> {
    /// Returns an iterator over the actions played, root first: the player, the action, and the indices of
    /// all actions that were legal then, in the order of the game.
    pub fn steps(&self) -> impl Iterator<Item = (Player, A, &[u32])> {
        let mut start = 0;
        self.played.iter().zip(&self.ends).map(move |((player, action), &end)| {
            let legal = &self.legal[start..end];
            start = end;
            (*player, action.clone(), legal)
        })
    }
}

impl<A> Default for Alternatives<A> {
    fn default() -> Self {
        Alternatives { played: Vec::new(), ends: Vec::new(), legal: Vec::new() }
    }
}

impl<G: ActionIndex> Trace<G> for Alternatives<G::Action> {
    const NUMBERS: bool = true;

    fn restart(&mut self) {
        self.played.clear();
        self.ends.clear();
        self.legal.clear();
    }

    fn record(&mut self, state: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        checked_index::<G>(action.clone())?;
        let Some(player) = mover(state, turn)? else { return Ok(()) };
        for legal in state.actions() {
            self.legal.push(checked_index::<G>(legal)? as u32);
        }
        self.played.push((player, action.clone()));
        self.ends.push(self.legal.len());
        Ok(())
    }

    fn actions(&self) -> &[(Player, G::Action)] {
        &self.played
    }
}
