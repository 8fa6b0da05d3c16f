//! [`InformationSet`]: a state as one player sees it, for searches that do not cheat. What the loop does with
//! its guesses is in `iteration/nodes/guessed.rs`.

use super::sealed::Workings;
use super::{Nodes, Space, plays_with_the_game, works_with_the_game};
use crate::backpropagation::Average;
use crate::game::{GameFault, GameState, HiddenInformation, Player, Rng, Turn};
use crate::selection::AvailabilityUcb1;

/// A state as `observer` sees it: a search of it does not use what is hidden from that player.
///
/// This is *single-observer information set Monte-Carlo tree search* (SO-ISMCTS). Each iteration first
/// replaces what the observer has not seen by a guess ([`HiddenInformation::determinize`]) and then plays
/// with the guess. All iterations share one tree, in which a node stands for all states that the actions may
/// have led to. Only the actions that are legal in the guess can be chosen. How often an action was legal,
/// its *availability*, differs between siblings, and [`AvailabilityUcb1`](crate::selection::AvailabilityUcb1)
/// takes that into account.
///
/// A search that looked at the real state would cheat. A search that averages the results of many searches,
/// each of one guess, would assume that the observer will soon know everything, and so would value actions
/// too highly that are good only with that knowledge (*strategy fusion*).
///
/// ```
/// use ramure::prelude::*;
/// use ramure::HiddenInformation;
/// use ramure::search::InformationSet;
/// # #[derive(Clone)]
/// # struct Guess { hidden: u8, guessed: Option<u8> }
/// # impl GameState for Guess {
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn { if self.guessed.is_none() { Turn::Player(0) } else { Turn::Over } }
/// #     fn actions(&self) -> impl IntoIterator<Item = u8> { (0..3).filter(|_| self.guessed.is_none()) }
/// #     fn apply(&mut self, guess: u8) { self.guessed = Some(guess); }
/// #     fn reward(&self, _: Player) -> f64 { f64::from(u8::from(self.guessed == Some(self.hidden))) }
/// #     fn players(&self) -> u8 { 1 }
/// # }
/// # impl HiddenInformation for Guess {
/// #     fn determinize(&mut self, _: Player, rng: &mut Rng) { self.hidden = rng.below(3) as u8; }
/// # }
/// # let state = Guess { hidden: 2, guessed: None };
/// let mut search = Mcts::new(InformationSet::new(state));
/// let report = search.run(Budget::iterations(1_000))?;
/// search.advance(report.best_action())?; // keeps the subtree
/// # assert!(report.actions.iter().all(|action| (action.mean - 1.0 / 3.0).abs() < 0.2), "{report}");
/// # Ok::<(), SearchError>(())
/// ```
///
/// # What you can combine with it
///
/// - Rollout policies, except [`BestLine`](crate::simulation::BestLine), whose lines belong to one guess
///   each.
/// - Backpropagations that average rewards: `Average`, `Discounted`, `RecencyWeighted`, `Contempt` and
///   `RelativeBonus`. The others do not compile. What is proven for one guess need not hold for another. An
///   action may be illegal in the next guess, and a game that is over in one guess may go on in another, so
///   the value of a node does not follow from those of its children.
/// - Tree policies that see unvisited children and read no priors:
///   [`AvailabilityUcb1`](crate::selection::AvailabilityUcb1), as in the source, and others such as
///   [`Thompson`](crate::selection::Thompson). Others do not compile.
/// - No progressive widening: it is an error of the run.
///
/// The state inside may be the real one, as in a contest, or any guess that agrees with what the observer has
/// seen, as in a program that sees only the player's side. While it is the observer's turn, the results are
/// the same. If the state is a guess, an action of another player may not be legal in it: call
/// [`advance_to`](crate::Mcts::advance_to) with the action and a new guess.
///
/// An information set is not a game. Agents that are not searches, such as
/// `FlatMonteCarlo`, would see its secrets, so they do not accept one. An
/// `MctsAgent` plays the game itself, and observes as the player to move. A
/// backpropagation that takes an end to have one value does not compile, because an end stands for many
/// states:
///
/// ```compile_fail
/// # use ramure::prelude::*;
/// # use ramure::{HiddenInformation, search::InformationSet};
/// use ramure::backpropagation::MaxBackup;
/// # #[derive(Clone)]
/// # struct Coin(bool, bool);
/// # impl GameState for Coin {
/// #     type Action = bool;
/// #     fn turn(&self) -> Turn { if self.1 { Turn::Over } else { Turn::Player(0) } }
/// #     fn actions(&self) -> impl IntoIterator<Item = bool> { [true, false] }
/// #     fn apply(&mut self, guess: bool) { *self = Coin(self.0 == guess, true) }
/// #     fn reward(&self, _: Player) -> f64 { f64::from(u8::from(self.0)) }
/// #     fn players(&self) -> u8 { 1 }
/// # }
/// # impl HiddenInformation for Coin {
/// #     fn determinize(&mut self, _: Player, rng: &mut Rng) { self.0 = rng.below(2) == 0; }
/// # }
/// # let state = Coin(true, false);
/// let mut search = Mcts::new(InformationSet::new(state)).backprop(MaxBackup);
/// let report = search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// **Cost:** at each node on its path, an iteration compares the legal actions with the stored ones, each
/// with each.
///
/// **Source:** Cowling, Powley and Whitehouse, *Information Set Monte Carlo Tree Search*, 2012, SO-ISMCTS.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct InformationSet<G> {
    state: G,
    observer: Player,
}

impl<G: HiddenInformation> InformationSet<G> {
    /// Creates the view of the player to move; of player 0 if chance is to move or the game is over.
    pub fn new(state: G) -> Self {
        let observer = if let Turn::Player(player) = state.turn() { player } else { 0 };
        InformationSet { state, observer }
    }

    /// Sets the player who observes.
    #[must_use]
    pub fn observer(mut self, observer: Player) -> Self {
        self.observer = observer;
        self
    }
}

#[diagnostic::do_not_recommend]
impl<G: HiddenInformation> Space for InformationSet<G> {
    plays_with_the_game! {}
    type TreePolicy = AvailabilityUcb1;
    type Backprop = Average;

    fn of(state: G, player: Player) -> Self {
        InformationSet { state, observer: player }
    }
    fn observer(&self) -> Option<Player> {
        Some(self.observer)
    }
}

#[diagnostic::do_not_recommend]
impl<G: HiddenInformation> Workings<G, G> for InformationSet<G> {
    works_with_the_game! {}
    const NODES: Nodes = Nodes::Guessed;

    #[inline(always)]
    fn seen(state: &G, action: G::Action, observer: Player) -> Option<G::Action> {
        state.observe(action, observer)
    }
    fn known(state: &G, player: Player, tell: &mut impl FnMut(G::Action)) {
        state.private_knowledge(player).into_iter().for_each(tell);
    }
    #[inline(always)]
    fn guess(&self, state: &mut G, rng: &mut Rng) -> Result<(), GameFault> {
        state.determinize(self.observer, rng);
        if agrees(state, &self.state, self.observer) { Ok(()) } else { Err(GameFault::Determinization) }
    }
}

/// Returns whether the turn, the players and, if it is the observer's turn, the actions of `guess` are those
/// of `state`.
#[inline(always)]
pub(crate) fn agrees<G: GameState>(guess: &G, state: &G, observer: Player) -> bool {
    let turn = state.turn();
    guess.turn() == turn
        && guess.players() == state.players()
        && (turn != Turn::Player(observer) || guess.actions().into_iter().eq(state.actions()))
}
