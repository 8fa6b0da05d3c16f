//! Checks with fewer games and states, which run quickly without optimisation.

use crate::common::sized;
use ramure::GameState;
use ramure_rules::Check;
use std::fmt::Debug;

pub trait Quick {
    /// Limits the check to `games` games, and to twice as many states before them. The full size keeps the
    /// defaults. [`laws!`](ramure_rules::laws) takes this method as a setting.
    fn quick(self, games: u32) -> Self;
}

impl<G: GameState + Debug + 'static> Quick for Check<G> {
    fn quick(self, games: u32) -> Self {
        if sized(true, false) { self.games(games).states(2 * games as usize) } else { self }
    }
}

/// Returns a table of counts without the rows of `limit` or more lines, and without the rows below them.
pub fn shallow(table: &str, limit: u64) -> String {
    let mut is_deep = false;
    let is_shallow = |line: &&str| {
        let lines = line.split_whitespace().nth(1).and_then(|count| count.parse::<u64>().ok());
        is_deep = !line.starts_with("after") && (is_deep || lines.is_some_and(|lines| lines >= limit));
        !is_deep
    };
    Vec::from_iter(table.lines().filter(is_shallow)).join("\n")
}
