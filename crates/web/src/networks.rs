//! Searches with the networks that come with `ramure-nets`.

use crate::policies::backup;
use crate::searches::{Explored, MEMORY, OnPage};
use crate::settings::Settings;
use ramure::Mcts;
use ramure::selection::{Exploration, Puct};
use ramure::simulation::Evaluate;
use ramure_games::{Connect4, Hex};
use ramure_nets::{Network, Planes, trained};

/// Positions whose evaluation is kept, for when the search begins again.
const CACHE: usize = 20_000;

fn search<G: OnPage + Planes + ramure::Keyed>(
    state: G,
    network: &[u8],
    settings: &Settings,
    k: f32,
) -> Option<Box<dyn Explored<Space = G>>> {
    let network = Network::from_bytes(network, &state).ok()?.cache(CACHE);
    let search = Mcts::new(state)
        .tree_policy(Puct::new(Exploration::deviations(k)))
        .rollout_policy(Evaluate::new(network));
    Some(Box::new(search.backprop(backup(settings.proves)).memory_limit(MEMORY).seed(settings.seed)))
}

impl OnPage for Connect4 {
    fn with_network(self, settings: &Settings, k: f32) -> Option<Box<dyn Explored<Space = Self>>> {
        search(self, trained::CONNECT4, settings, k)
    }
}

impl OnPage for Hex {
    fn with_network(self, settings: &Settings, k: f32) -> Option<Box<dyn Explored<Space = Self>>> {
        if self.size() == 7 { search(self, trained::HEX7, settings, k) } else { None }
    }
}
