//! [`Seat`]: a space as the tree of one player sees it.

use super::sealed::Workings;
use super::{ActionOf, Nodes, RealAction, Space};
use crate::backpropagation::Average;
use crate::game::{GameFault, GameState, Player, Rng, Turn};
use crate::selection::AvailabilityUcb1;

/// A space in the tree of one player of [`PlayerTrees`](crate::search::PlayerTrees).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Seat<S> {
    pub(crate) inner: S,
    pub(crate) owner: Player,
}

impl<S: Space> Seat<S> {
    /// Returns whether the owner chooses at the root.
    pub(crate) fn chooses(&self) -> bool {
        self.inner.root().turn() == Turn::Player(self.owner)
    }

    /// Returns whether the owner is told in each guess what it knows. The observer knows it. If another player
    /// chooses at the root and the observer does not, the report is about all guesses together.
    pub(crate) fn learns_what_it_knows(&self, observer_chooses: bool) -> bool {
        let has_other_observer = self.inner.observer().is_some_and(|observer| observer != self.owner);
        has_other_observer && (observer_chooses || !self.chooses())
    }
}

#[diagnostic::do_not_recommend]
impl<S: Space> Space for Seat<S> {
    type Game = S::Game;
    type Real = S::Real;
    type TreePolicy = AvailabilityUcb1;
    type Backprop = Average;

    fn of(state: S::Real, player: Player) -> Self {
        Seat { inner: S::of(state, player), owner: player }
    }
    fn real(state: &S::Game) -> &S::Real {
        S::real(state)
    }
    #[inline(always)]
    fn root(&self) -> &S::Game {
        self.inner.root()
    }
    fn to_real(action: ActionOf<S>) -> Option<RealAction<S>> {
        S::to_real(action)
    }
    fn of_real(&self, action: RealAction<S>) -> ActionOf<S> {
        self.inner.of_real(action)
    }
    fn observer(&self) -> Option<Player> {
        Some(self.owner)
    }
}

#[diagnostic::do_not_recommend]
impl<S: Space> Workings<S::Game, S::Real> for Seat<S> {
    const NODES: Nodes = Nodes::Guessed;
    const HAS_PLAYER_TREES: bool = true;

    fn set_root(&mut self, root: S::Game) {
        self.inner.set_root(root);
    }
    fn play(&mut self, action: ActionOf<S>) {
        self.inner.play(action);
    }
    #[inline(always)]
    fn guess(&self, state: &mut S::Game, rng: &mut Rng) -> Result<(), GameFault> {
        self.inner.guess(state, rng)
    }
    #[inline(always)]
    fn known(state: &S::Game, player: Player, tell: &mut impl FnMut(ActionOf<S>)) {
        S::known(state, player, tell);
    }
    #[inline(always)]
    fn seen(state: &S::Game, action: ActionOf<S>, observer: Player) -> Option<ActionOf<S>> {
        S::seen(state, action, observer)
    }
}
