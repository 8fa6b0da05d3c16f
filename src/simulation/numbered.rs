//! A history with checked action indices.

use super::{History, Trace};
use crate::game::{ActionIndex, GameFault, Player, Turn};

/// A [`History`] whose actions are known to have indices in range: a search that records them here checks
/// that.
#[derive(Clone, Debug)]
pub struct Numbered<A>(pub History<A>);

impl<A> Default for Numbered<A> {
    fn default() -> Self {
        Numbered(History::default())
    }
}

impl<G: ActionIndex> Trace<G> for Numbered<G::Action> {
    const NUMBERS: bool = true;

    fn restart(&mut self) {
        Trace::<G>::restart(&mut self.0);
    }

    #[inline]
    fn record(&mut self, state: &G, turn: Turn, action: &G::Action) -> Result<(), GameFault> {
        checked_index::<G>(action.clone())?;
        self.0.record(state, turn, action)
    }

    fn actions(&self) -> &[(Player, G::Action)] {
        self.0.actions()
    }
}

/// Returns the index of an action, if it is in range.
#[inline(always)]
pub(crate) fn checked_index<G: ActionIndex>(action: G::Action) -> Result<usize, GameFault> {
    let (index, count) = (G::action_index(action), G::ACTION_COUNT);
    if index < count { Ok(index) } else { Err(GameFault::ActionIndex { index, count }) }
}
