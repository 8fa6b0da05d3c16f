//! Searches with the settings of a visitor.

use crate::policies::{Backup, Distinguishing, Rewarded, Rollouts, backup};
use crate::settings::{Policy, Settings, SettingsError};
use core::fmt::Debug;
use ramure::game::{ActionIndex, Picture};
use ramure::search::{Bytes, Mcts, RootHistory, Search};
use ramure::selection::{TreePolicy, Ucb1};
use ramure::statistics::Statistics;

/// The most memory that a tree takes. A page has up to two of them.
const MEMORY: Bytes = Bytes::mib(256);

/// The most nodes of an explorer's page.
const PAGE_NODES: usize = 10_000;

/// What a game needs for the page.
pub trait OnPage: Picture<Action: Debug> + ActionIndex + 'static {}

impl<G: Picture<Action: Debug> + ActionIndex + 'static> OnPage for G {}

/// A search that also writes its tree as a page.
pub trait Explored: Search {
    /// Returns the explorer's page.
    fn page(&self, title: &str, players: [&str; 2], history: &RootHistory) -> String;
}

impl<G: OnPage, P: TreePolicy<G>> Explored for Mcts<G, P, Rollouts, Backup>
where
    P::Stats: Statistics<G, Rollouts> + Debug,
{
    fn page(&self, title: &str, players: [&str; 2], history: &RootHistory) -> String {
        let tree = self.tree();
        let explorer = tree.explorer().title(title).players(players).nodes(PAGE_NODES);
        explorer.pictures().statistics().history(history).to_string()
    }
}

/// Creates a search from settings.
///
/// # Errors
///
/// Returns an error if the settings are wrong.
pub fn search<G: OnPage>(
    state: G,
    settings: &Settings,
) -> Result<Box<dyn Explored<Game = G>>, SettingsError> {
    settings.check()?;
    let search = Mcts::new(state)
        .rollout_policy(settings.rollout_policy()?)
        .backprop(backup(settings.proves))
        .memory_limit(MEMORY)
        .seed(settings.seed);
    Ok(match settings.tree_policy()? {
        Policy::Ucb1(policy) => Box::new(search.tree_policy::<Ucb1>(policy)),
        Policy::Rewarded(policy) => Box::new(search.tree_policy::<Rewarded>(policy)),
        Policy::Distinguishing(policy) => Box::new(search.tree_policy::<Distinguishing>(policy)),
    })
}
