//! A history with checked action indices.

use super::{History, Trace};
use crate::game::{ActionIndex, GameFault, Player, Turn};

/// A [`History`] whose actions are known to have indices in range.
#[derive(Clone, Debug)]
pub struct Numbered<A>(History<A>);

impl<A> Numbered<A> {
    /// Returns the history.
    pub fn history(&self) -> &History<A> {
        &self.0
    }

    /// Returns the history, to record actions in it without a check of their indices.
    pub fn history_mut(&mut self) -> &mut History<A> {
        &mut self.0
    }
}

impl<A> Default for Numbered<A> {
    fn default() -> Self {
        Numbered(History::default())
    }
}

impl<G: ActionIndex> Trace<G> for Numbered<G::Action> {
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
