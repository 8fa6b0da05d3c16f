//! Searches with the settings of a visitor.

use crate::error::PageError;
use crate::policies::{Backup, Distinguishing, Rewarded, backup};
use crate::settings::{Policy, Settings};
use core::fmt::Debug;
use ramure::selection::{TreePolicy, Ucb1};
use ramure::simulation::RolloutPolicy;
use ramure::statistics::Statistics;
use ramure::{ActionIndex, Picture};
use ramure::{Bytes, Mcts, Search};
use ramure_explorer::{Explorer, RootHistory};
#[cfg(not(feature = "networks"))]
use ramure_games::{Connect4, Hex};
use ramure_games::{SudoTicTacToe, TicTacToe};

/// The most memory that a tree takes. A page has up to two of them.
pub(crate) const MEMORY: Bytes = Bytes::mib(256);

/// The most nodes of an explorer's page.
const PAGE_NODES: usize = 10_000;

/// The abilities that the page needs of a game.
pub trait OnPage: Picture<Action: Debug> + ActionIndex + 'static {
    /// Creates a search with a network of this game and board; `None` if there is none.
    fn with_network(self, settings: &Settings, k: f32) -> Option<Box<dyn Explored<Space = Self>>> {
        let _ = (settings, k);
        None
    }
}

impl OnPage for TicTacToe {}
impl OnPage for SudoTicTacToe {}
#[cfg(not(feature = "networks"))]
impl OnPage for Connect4 {}
#[cfg(not(feature = "networks"))]
impl OnPage for Hex {}

/// A search that also writes its tree as a page.
pub trait Explored: Search {
    /// Returns the explorer's page.
    fn page(&self, title: &str, players: [&str; 2], history: &RootHistory) -> String;
}

impl<G: OnPage, P: TreePolicy<G>, R: RolloutPolicy<G>> Explored for Mcts<G, P, R, Backup>
where
    P::Stats: Statistics<G, R> + Debug,
{
    fn page(&self, title: &str, players: [&str; 2], history: &RootHistory) -> String {
        let explorer = Explorer::new(self.tree()).title(title).players(players).nodes(PAGE_NODES);
        explorer.pictures().statistics().history(history).to_string()
    }
}

/// Creates a search from settings.
///
/// # Errors
///
/// Returns an error if the settings are wrong.
pub fn search<G: OnPage>(state: G, settings: &Settings) -> Result<Box<dyn Explored<Space = G>>, PageError> {
    settings.check()?;
    let search = Mcts::new(state.clone())
        .rollout_policy(settings.rollout_policy()?)
        .backprop(backup(settings.proves))
        .memory_limit(MEMORY)
        .seed(settings.seed);
    Ok(match settings.tree_policy()? {
        Policy::Network(k) => state.with_network(settings, k).ok_or(PageError::NoNetwork)?,
        Policy::Ucb1(policy) => Box::new(search.tree_policy::<Ucb1>(policy)),
        Policy::Rewarded(policy) => Box::new(search.tree_policy::<Rewarded>(policy)),
        Policy::Distinguishing(policy) => Box::new(search.tree_policy::<Distinguishing>(policy)),
    })
}
