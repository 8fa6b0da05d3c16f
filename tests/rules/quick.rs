//! Checks with fewer games and states, which run quickly without optimisation.

use crate::common::sized;
use ramure::GameState;
use ramure::rules::Check;
use std::fmt::Debug;

pub trait Quick {
    /// Limits the check to so many games, and to twice as many states before them. The full size keeps the defaults.
    /// [`laws!`](ramure::rules::laws) takes this method as a setting.
    fn quick(self, games: u32) -> Self;
}

impl<G: GameState + Debug + 'static> Quick for Check<G> {
    fn quick(self, games: u32) -> Self {
        if sized(true, false) { self.games(games).states(2 * games as usize) } else { self }
    }
}
