//! Searches that share positions, by the setting `transpositions`. Their game is another type than that of
//! the other searches, so each needs a loop of its own. There are only four: UCB1 with uniform rollouts and
//! averages, with and without mirror images, with and without a window.

use super::of_game::OfGame;
use super::settings::Settings;
use ramure::backpropagation::{Average, Decorated, ProofsIf};
use ramure::search::Space;
use ramure::selection::Ucb1;
use ramure::{GameState, Mcts, Search};

/// Creates a search that shares positions, from the game itself. The function is stored in a registry, and no
/// type depends on it: so only the loops of these searches are compiled for a game with keys, and not all
/// others again.
pub(super) type MakeGraph<G> = fn(&Graph, G) -> Box<dyn Search<Space = G> + Send>;

/// A search that shares positions, without its state.
#[derive(Debug)]
pub(super) struct Graph {
    pub ucb1: Ucb1,
    pub settings: Settings,
    pub seed: u64,
}

impl Graph {
    /// Creates the search.
    pub fn search<G, S>(&self, space: S) -> Box<dyn Search<Space = G> + Send>
    where
        G: GameState<Action: Send + Sync> + 'static,
        S: Space<Real = G, Game: GameState<Action = G::Action> + Send> + Send + 'static,
    {
        let search = Mcts::new(space).tree_policy(self.ucb1);
        let search = search.backprop(Decorated::by(ProofsIf(self.settings.solver), Average));
        match self.settings.window {
            None => Box::new(OfGame::new(self.settings.set(search, self.seed))),
            Some(window) => Box::new(OfGame::new(self.settings.set_window(window, search, self.seed))),
        }
    }
}
