//! `search(c)` of the spaces whose iterations begin with a guess: a search with the tree policy that serves
//! them.

use super::Mcts;
use crate::game::HiddenInformation;
use crate::selection::AvailabilityUcb1;
use crate::space::Space;
use crate::space::information_set::InformationSet;
use crate::space::observed_moves::ObservedMoves;
use crate::space::open_loop::OpenLoop;

impl<S: Space> OpenLoop<S> {
    /// Creates a search with [`AvailabilityUcb1`] and the exploration constant `c`.
    pub fn search(self, c: f32) -> Mcts<Self, AvailabilityUcb1> {
        Mcts::new(self).tree_policy(AvailabilityUcb1::new(c))
    }
}

impl<G: HiddenInformation> InformationSet<G> {
    /// Creates a search with [`AvailabilityUcb1`] and the exploration constant `c`.
    pub fn search(self, c: f32) -> Mcts<Self, AvailabilityUcb1> {
        Mcts::new(self).tree_policy(AvailabilityUcb1::new(c))
    }
}

impl<G: HiddenInformation> ObservedMoves<G> {
    /// Creates a search with [`AvailabilityUcb1`] and the exploration constant `c`.
    pub fn search(self, c: f32) -> Mcts<Self, AvailabilityUcb1> {
        Mcts::new(self).tree_policy(AvailabilityUcb1::new(c))
    }
}
