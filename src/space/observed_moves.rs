//! [`ObservedMoves`]: a state as one player sees it, in which the tree does not know the hidden actions of
//! the others.

use super::information_set::agrees;
use super::sealed::Workings;
use super::{Nodes, Space, evaluates_the_real_state};
use crate::backpropagation::Average;
use crate::game::{
    GameFault, GameState, HiddenInformation, Player, Rng, Turn, forward_evaluation, forward_to_state,
};
use crate::selection::AvailabilityUcb1;

/// A state as `observer` sees it, in a tree of what that player sees: *SO-ISMCTS with partially observable
/// moves* (SO-ISMCTS+POM).
///
/// In the tree of an [`InformationSet`](crate::search::InformationSet), each action of another player has a
/// node, also if the observer will not see which action it was. So the search expects to know, later in the
/// game, what the others do in secret. Here actions that look the same to the observer
/// ([`HiddenInformation::observe`]) share a node, and a search of the same kind chooses among what can be
/// seen: `Some(action)`, or `None` if the observer sees nothing. An iteration that comes to such a node plays
/// one of its actions at random.
///
/// That is the weakness of this search: it expects the others to choose at random among actions that the
/// observer cannot tell apart. In [`PlayerTrees`](crate::search::PlayerTrees) they choose what is best for
/// them, at the cost of a tree for each player.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::HiddenInformation;
/// use ramure::search::ObservedMoves;
///
/// /// Player 0 takes .6, or else player 1 hides a coin in one of two hands, and player 0 wins by finding it.
/// #[derive(Clone)]
/// struct Coin { plays: Option<bool>, hand: Option<bool>, guess: Option<bool> }
///
/// impl GameState for Coin {
///     type Action = bool;
///     fn turn(&self) -> Turn {
///         match (self.plays, self.hand, self.guess) {
///             (None, ..) | (Some(true), Some(_), None) => Turn::Player(0),
///             (Some(true), None, _) => Turn::Player(1),
///             _ => Turn::Over,
///         }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = bool> {
///         [false, true].into_iter().filter(|_| self.turn() != Turn::Over)
///     }
///     fn apply(&mut self, action: bool) {
///         let choice = match (self.plays, self.hand) {
///             (None, _) => &mut self.plays,
///             (_, None) => &mut self.hand,
///             _ => &mut self.guess,
///         };
///         *choice = Some(action);
///     }
///     fn reward(&self, player: Player) -> f64 {
///         let own = if self.plays == Some(false) { 0.6 } else { f64::from(u8::from(self.guess == self.hand)) };
///         if player == 0 { own } else { 1.0 - own }
///     }
/// }
///
/// impl HiddenInformation for Coin {
///     fn determinize(&mut self, observer: Player, rng: &mut Rng) {
///         if observer == 0 && self.hand.is_some() && self.guess.is_none() {
///             self.hand = Some(rng.below(2) == 1);
///         }
///     }
///     fn observe(&self, action: bool, observer: Player) -> Option<bool> {
///         if self.turn() == Turn::Player(1) && observer == 0 { None } else { Some(action) }
///     }
/// }
///
/// let state = Coin { plays: None, hand: None, guess: None };
/// let report = Mcts::new(ObservedMoves::new(state)).run(Budget::iterations(2_000))?;
/// assert_eq!(report.best_action(), Some(false)); // takes .6: the coin will be found half of the time
/// # Ok::<(), SearchError>(())
/// ```
///
/// The observer's own actions are `Some(action)`. The same policies go with it as with an
/// [`InformationSet`](crate::search::InformationSet), and the same settings. A policy that needs indices of
/// actions does not. An agent observes as the player to move.
/// [`PlayerTrees`](crate::search::PlayerTrees) do not compile with it: they show each player what it sees
/// anyway. To go on after an action of another player that looks like others, call
/// [`advance_to`](crate::Mcts::advance_to) with what the observer has seen and with the new state;
/// [`advance`](crate::Mcts::advance) returns
/// [`SearchError::IllegalAction`](crate::SearchError::IllegalAction).
///
/// **Source:** Cowling, Powley and Whitehouse, *Information Set Monte Carlo Tree Search*, 2012,
/// SO-ISMCTS+POM.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct ObservedMoves<G> {
    root: Observed<G>,
}

impl<G: HiddenInformation> ObservedMoves<G> {
    /// Creates the view of the player to move; of player 0 if chance is to move or the game is over.
    pub fn new(state: G) -> Self {
        let observer = if let Turn::Player(player) = state.turn() { player } else { 0 };
        ObservedMoves { root: Observed { state, observer, draws: None } }
    }

    /// Sets the player who observes.
    #[must_use]
    pub fn observer(mut self, observer: Player) -> Self {
        self.root.observer = observer;
        self
    }
}

/// The game with which the iterations of an [`ObservedMoves`] play: its actions are what the observer sees.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Observed<G> {
    state: G,
    observer: Player,
    /// Draws the hidden actions in an iteration; `None` outside of iterations.
    draws: Option<Rng>,
}

impl<G: HiddenInformation> Observed<G> {
    /// Returns what the observer sees of `action`.
    #[inline]
    fn look(&self, action: G::Action) -> Option<G::Action> {
        let is_own = self.turn() == Turn::Player(self.observer);
        if is_own { Some(action) } else { self.state.observe(action, self.observer) }
    }

    /// Returns the actions that look like `seen`.
    fn alike(&self, seen: Option<G::Action>) -> impl Iterator<Item = G::Action> {
        self.state.actions().into_iter().filter(move |action| self.look(action.clone()) == seen)
    }

    /// Draws one of the actions that look like `seen`: uniformly for a player, by probability for chance.
    /// Without a generator, takes the first one.
    fn draw(&mut self, seen: Option<G::Action>) -> Option<G::Action> {
        let mut rng = self.draws.take();
        let (mut drawn, mut sum) = (None, 0.0);
        for action in self.alike(seen) {
            let weight =
                if self.turn() == Turn::Chance { self.state.probability(action.clone()) } else { 1.0 };
            sum += weight;
            // Each action replaces the one before with its share of the sum so far.
            if drawn.is_none() || rng.as_mut().is_some_and(|rng| rng.unit() * sum < weight) {
                drawn = Some(action);
            }
        }
        self.draws = rng;
        drawn
    }
}

#[diagnostic::do_not_recommend]
impl<G: HiddenInformation> GameState for Observed<G> {
    type Action = Option<G::Action>;

    forward_to_state! { turn reward players random_rollout random_rollouts is_simultaneous }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = Option<G::Action>> {
        let mut all: Vec<Option<G::Action>> = Vec::new();
        for action in self.state.actions() {
            let seen = self.look(action);
            if !all.contains(&seen) {
                all.push(seen);
            }
        }
        all
    }
    #[inline]
    fn apply(&mut self, seen: Option<G::Action>) {
        if let Some(action) = self.draw(seen) {
            self.state.apply(action);
        }
    }
    fn is_legal(&self, seen: Option<G::Action>) -> bool {
        self.alike(seen).next().is_some()
    }
    /// Returns NaN if one of the outcomes that look like this has no probability.
    fn probability(&self, seen: Option<G::Action>) -> f64 {
        let probabilities = self.alike(seen).map(|outcome| self.state.probability(outcome));
        probabilities.fold(0.0, |sum, p| if (0.0..=1.0).contains(&p) { sum + p } else { f64::NAN })
    }
    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<Option<G::Action>> {
        self.state.random_action(rng).map(|action| self.look(action))
    }
    #[inline]
    fn random_outcome(&self, rng: &mut Rng) -> Option<Option<G::Action>> {
        self.state.random_outcome(rng).map(|action| self.look(action))
    }
}

forward_evaluation!(Observed, HiddenInformation);

#[diagnostic::do_not_recommend]
impl<G: HiddenInformation> Space for ObservedMoves<G> {
    type Game = Observed<G>;
    type Real = G;
    type TreePolicy = AvailabilityUcb1;
    type Backprop = Average;

    fn of(state: G, player: Player) -> Self {
        ObservedMoves { root: Observed { state, observer: player, draws: None } }
    }
    fn real(state: &Observed<G>) -> &G {
        &state.state
    }
    #[inline(always)]
    fn root(&self) -> &Observed<G> {
        &self.root
    }
    fn to_real(seen: Option<G::Action>) -> Option<G::Action> {
        seen
    }
    fn of_real(&self, action: G::Action) -> Option<G::Action> {
        self.root.look(action)
    }
    fn observer(&self) -> Option<Player> {
        Some(self.root.observer)
    }
}

#[diagnostic::do_not_recommend]
impl<G: HiddenInformation> Workings<Observed<G>, G> for ObservedMoves<G> {
    const NODES: Nodes = Nodes::Guessed;
    const IS_OBSERVED: bool = true;

    fn set_root(&mut self, root: Observed<G>) {
        self.root = root;
    }
    fn play(&mut self, seen: Option<G::Action>) {
        self.root.apply(seen);
    }
    fn can_play(&self, _: &Observed<G>, seen: Option<G::Action>) -> bool {
        self.root.alike(seen).count() == 1
    }
    #[inline(always)]
    fn guess(&self, state: &mut Observed<G>, rng: &mut Rng) -> Result<(), GameFault> {
        state.state.determinize(self.root.observer, rng);
        if !agrees(&state.state, &self.root.state, self.root.observer) {
            return Err(GameFault::Determinization);
        }
        state.draws = Some(Rng::seeded(rng.bits()));
        Ok(())
    }
}

evaluates_the_real_state! { HiddenInformation, Observed<G>, ObservedMoves<G> }
