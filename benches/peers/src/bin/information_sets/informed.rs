//! A search in which the other player knows what it has seen before the root.

use ramure::HiddenInformation;
use ramure::prelude::*;
use std::fmt::Debug;

/// A game of two in which one player has seen what the other one has not.
pub trait Secrets: HiddenInformation {
    /// What a player has seen.
    type Secret: Copy + Eq + Debug + 'static;

    fn secret(&self, player: Player) -> Self::Secret;
}

/// A game of two in which chance tells the other player, before its first choice after the root, what it has seen before the root.
///
/// A guess says what the other player has seen, but the trees begin at the root, and do not. Where the other player knows its own
/// cards, its answers must depend on them.
#[derive(Clone, Debug)]
pub struct Informed<G> {
    state: G,
    observer: Player,
    is_told: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Informing<A, S> {
    /// Chance tells the other player this.
    Tell(S),
    Play(A),
}

impl<G: Secrets> Informed<G> {
    /// Creates the state as `observer`, who is to move, sees it.
    pub fn new(state: G, observer: Player) -> Self {
        Informed { state, observer, is_told: false }
    }

    /// Whether chance tells the other player something now.
    fn is_telling(&self) -> bool {
        !self.is_told && self.state.turn() == Turn::Player(1 - self.observer)
    }
}

impl<G: Secrets> GameState for Informed<G> {
    type Action = Informing<G::Action, G::Secret>;

    fn turn(&self) -> Turn {
        if self.is_telling() { Turn::Chance } else { self.state.turn() }
    }

    fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
        let is_telling = self.is_telling();
        let told = is_telling.then(|| Informing::Tell(self.state.secret(1 - self.observer)));
        let played = self.state.actions().into_iter().map(Informing::Play);
        told.into_iter().chain(played.take(if is_telling { 0 } else { usize::MAX }))
    }

    fn apply(&mut self, action: Self::Action) {
        match action {
            Informing::Tell(_) => self.is_told = true,
            Informing::Play(action) => self.state.apply(action),
        }
    }

    fn reward(&self, player: Player) -> f64 {
        self.state.reward(player)
    }

    fn probability(&self, action: Self::Action) -> f64 {
        match action {
            Informing::Tell(_) => 1.0,
            Informing::Play(action) => self.state.probability(action),
        }
    }

    fn random_action(&self, rng: &mut Rng) -> Option<Self::Action> {
        if self.is_telling() {
            return Some(Informing::Tell(self.state.secret(1 - self.observer)));
        }
        self.state.random_action(rng).map(Informing::Play)
    }

    fn random_rollout(&mut self, rng: &mut Rng) {
        self.state.random_rollout(rng);
        self.is_told = true;
    }
}

impl<G: Secrets> HiddenInformation for Informed<G> {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        self.state.determinize(observer, rng);
    }

    fn observe(&self, action: Self::Action, observer: Player) -> Option<Self::Action> {
        match action {
            Informing::Tell(_) => (observer != self.observer).then_some(action),
            Informing::Play(action) => self.state.observe(action, observer).map(Informing::Play),
        }
    }
}
