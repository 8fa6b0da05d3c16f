//! The trace that keeps what else could have been played.

use super::{Trace, checked_index, mover};
use crate::game::{ActionIndex, GameFault, Player};

/// The trace that keeps, of every action of a player, also the actions that were legal beside it, by their indices: for
/// policies that compare what was played with what could have been.
///
/// To note an action takes a pass over all legal ones. It holds one iteration: 4 bytes for each legal action of each state in
/// it, so 260 KB for a whole game of Hex 19x19. The room is kept from one iteration to the next.
#[derive(Clone, Debug)]
pub struct Alternatives<A> {
    played: Vec<(Player, A)>,
    /// Where the legal actions of each state end.
    ends: Vec<usize>,
    legal: Vec<u32>,
}

impl<A: Copy> Alternatives<A> {
    /// Who played which action, root first, and the indices of all that were legal then, in the order of the game.
    pub fn steps(&self) -> impl Iterator<Item = (Player, A, &[u32])> {
        let mut start = 0;
        self.played.iter().zip(&self.ends).map(move |(&(player, action), &end)| {
            let legal = &self.legal[start..end];
            start = end;
            (player, action, legal)
        })
    }
}

impl<A> Default for Alternatives<A> {
    fn default() -> Self {
        Alternatives { played: Vec::new(), ends: Vec::new(), legal: Vec::new() }
    }
}

impl<G: ActionIndex> Trace<G> for Alternatives<G::Action> {
    fn restart(&mut self) {
        self.played.clear();
        self.ends.clear();
        self.legal.clear();
    }

    fn record(&mut self, state: &G, action: G::Action) -> Result<(), GameFault> {
        checked_index::<G>(action)?;
        let Some(player) = mover(state)? else { return Ok(()) };
        for legal in state.actions() {
            self.legal.push(checked_index::<G>(legal)? as u32);
        }
        self.played.push((player, action));
        self.ends.push(self.legal.len());
        Ok(())
    }

    fn actions(&self) -> &[(Player, G::Action)] {
        &self.played
    }
}
