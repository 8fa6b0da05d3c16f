//! Searches that share positions, by the setting `transpositions`. Their game is another type than that of
//! the other searches, so each needs a loop of its own. There are only four: UCB1 with uniform rollouts and
//! averages, with and without mirror images, with and without a window.

use super::settings::Settings;
use ramure::backpropagation::{Average, Decorated, ProofsIf};
use ramure::game::GameState;
use ramure::search::{
    ActionReport, Budget, Bytes, Every, Expansion, Mcts, ReportOf, RootDecision, Search, SearchError, Space,
    StopHandle,
};
use ramure::selection::Ucb1;

/// Creates a search that shares positions, from the game itself. The function is stored in a registry, and no
/// type depends on it: so only the loops of these searches are compiled for a game with keys, and not all
/// others again.
pub(super) type MakeGraph<G> = fn(&Graph, G) -> Box<dyn Search<Space = G> + Send>;

/// What is one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphOf {
    /// States with the same key.
    Positions,
    /// States with the same key, and their mirror images.
    MirrorImages,
}

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
        G: GameState<Action: Send + Sync>,
        S: Space<Real = G, Game: GameState<Action = G::Action> + Send + Sync> + Send + Sync + 'static,
    {
        let search = Mcts::new(space).tree_policy(self.ucb1);
        let search = search.backprop(Decorated::by(ProofsIf(self.settings.solver), Average));
        match self.settings.window {
            None => Box::new(Shared(self.settings.set_trees(search, self.seed))),
            Some(window) => Box::new(Shared(self.settings.set_window(window, search, self.seed))),
        }
    }
}

/// A search that shares positions, presented as a search of the game itself.
struct Shared<S>(S);

impl<G, S> Search for Shared<S>
where
    G: GameState,
    S: Search<Space: Space<Real = G, Game: GameState<Action = G::Action>>>,
{
    type Space = G;

    fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<G>),
    ) -> Result<ReportOf<G>, SearchError> {
        self.0.run_with(budget, every, observer)
    }
    fn report(&self) -> Result<ReportOf<G>, SearchError> {
        self.0.report()
    }
    fn actions_after(&self, line: &[G::Action]) -> Vec<ActionReport<G::Action>> {
        self.0.actions_after(line)
    }
    fn memory_usage(&self) -> Bytes {
        self.0.memory_usage()
    }
    fn state(&self) -> &G {
        self.0.state()
    }
    fn space(&self) -> &G {
        self.0.state()
    }
    fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        self.0.advance(action)
    }
    fn reset(&mut self, state: G) {
        self.0.reset(S::Space::of(state, 0));
    }
    fn stop_handle(&self) -> StopHandle {
        self.0.stop_handle()
    }
    fn set_seed(&mut self, seed: u64) {
        self.0.set_seed(seed);
    }
    fn set_memory_limit(&mut self, limit: Bytes) {
        self.0.set_memory_limit(limit);
    }
    fn set_expansion(&mut self, expansion: Expansion) {
        self.0.set_expansion(expansion);
    }
    fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        self.0.set_root_decision(decision);
    }
}
