//! [`InformationSet`]: a state as one player sees it, for searches that do not cheat; and what the loop does with its guesses.

use super::Mcts;
use super::iteration::{CurrentNode, Iterations, Traces};
use super::path::NodeOf;
use crate::backpropagation::Backprop;
use crate::game::{
    GameFault, GameState, HiddenInformation, Player, Rng, Turn, forward_evaluation, forward_indices,
    forward_to_state,
};
use crate::selection::{AvailabilityUcb1, TreePolicy};
use crate::simulation::{Leaf, RolloutPolicy, check_probabilities};
use crate::statistics::Statistics;

/// A state as `observer` sees it: a search of it does not use what is hidden from that player.
///
/// This is *single-observer information set Monte-Carlo tree search* (SO-ISMCTS). Each iteration first replaces what the
/// observer has not seen by a guess ([`HiddenInformation::determinize`]) and then plays with the guess. All iterations share one tree, in which a node
/// stands for all states that the actions may have led to. Only the actions that are legal in the guess can be chosen. How
/// often an action was legal, its *availability*, differs between siblings, and [`AvailabilityUcb1`] takes that into account.
///
/// A search that looked at the real state would cheat. A search that averages the results of many searches, each of one guess, would assume that the
/// observer will soon know everything, and so would value actions too highly that are good only with that knowledge (*strategy fusion*).
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
/// let mut search = InformationSet::new(state).search(0.7);
/// let report = search.run(Budget::iterations(1_000))?;
/// search.advance(report.best_action())?; // keeps the subtree
/// # assert!(report.actions.iter().all(|action| (action.mean - 1.0 / 3.0).abs() < 0.2), "{report}");
/// # Ok::<(), SearchError>(())
/// ```
///
/// # What you can combine with it
///
/// - Rollout policies, except [`BestLine`](crate::simulation::BestLine), whose lines belong to one guess each.
/// - Backpropagations that average rewards: `Average`, `Discounted`, `RecencyWeighted`, `Contempt` and `RelativeBonus`. The others do not compile.
///   What is proven for one guess need not hold for another. An action may be illegal in the next guess, and a game that is over in one guess may
///   go on in another, so the value of a node does not follow from those of its children.
/// - Tree policies that see unvisited children and read no priors: [`AvailabilityUcb1`], as in the source, and others such as
///   [`Thompson`](crate::selection::Thompson). Others do not compile.
/// - One tree, without progressive widening. Anything else is an error of the run.
///
/// The state inside may be the real one, as in a contest, or any guess that agrees with what the observer has seen, as in a
/// program that sees only the player's side. While it is the observer's turn, the results are the same. If the state is a guess,
/// an action of another player may not be legal in it: call [`advance_to`](Mcts::advance_to) with the action and a new guess.
///
/// Only [`Mcts`] and what is built on it makes guesses. Other agents, and searches of a game of your own that wraps this one, see the state
/// inside. An [`MctsAgent`](crate::agents::MctsAgent) observes as the player to move.
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
/// let mut search = InformationSet::new(state).search(0.7).backprop(MaxBackup);
/// let report = search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// **Cost:** at each node on its path, an iteration compares the legal actions with the stored ones, each with each.
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

    /// Returns the state.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// Creates a search with [`AvailabilityUcb1`] and the exploration constant `c`.
    pub fn search(self, c: f32) -> Mcts<Self, AvailabilityUcb1> {
        Mcts::new(self).tree_policy(AvailabilityUcb1::new(c))
    }
}

#[diagnostic::do_not_recommend]
impl<G: HiddenInformation> GameState for InformationSet<G> {
    type Action = G::Action;
    const IS_GUESSED: bool = true;

    forward_to_state! { turn actions apply reward players probability random_action random_outcome random_rollout random_rollouts is_legal is_simultaneous }

    #[inline(always)]
    fn seen(&self, action: G::Action, observer: Player) -> Option<G::Action> {
        self.state.observe(action, observer)
    }
    fn known(&self, player: Player, tell: &mut impl FnMut(G::Action)) {
        self.state.private_knowledge(player).into_iter().for_each(tell);
    }
    fn seen_from(&self) -> Option<Player> {
        Some(self.observer)
    }
    fn seen_by(self, player: Player) -> Self {
        self.observer(player)
    }
    fn guess(&mut self, real: &Self, rng: &mut Rng) -> Result<(), GameFault> {
        self.state.determinize(self.observer, rng);
        if agrees(&self.state, &real.state, self.observer) { Ok(()) } else { Err(GameFault::Determinization) }
    }
}

forward_evaluation!(InformationSet, HiddenInformation);
forward_indices!(InformationSet, HiddenInformation);

impl<'s, G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Iterations<'_, 's, G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    /// Refuses policies that do not work with guesses.
    pub const GUESSES: bool = {
        if G::IS_GUESSED {
            assert!(
                P::SEES_UNVISITED && !P::Stats::INITIALIZES,
                "a search of an `InformationSet`, an `ObservedMoves` or an `OpenLoop` needs a tree policy that sees unvisited children and reads no priors, such as `AvailabilityUcb1`"
            );
            assert!(
                !B::PROVES && !B::DERIVES,
                "a search of an `InformationSet`, an `ObservedMoves` or an `OpenLoop` averages rewards, because a node stands for many states: nothing is proven, and the value of a node does not follow from those of its children. Leave out `Solver`, `ScoreBounds`, `MaxBackup`, `PowerMean`, `SoftmaxBackup`, `BayesBackup` and `ImplicitMinimax`"
            );
        }
        assert!(
            !P::REGRETS || G::HAS_PLAYER_TREES,
            "this tree policy learns regrets, so it needs a tree for each player: use `PlayerTrees`"
        );
        G::IS_GUESSED
    };

    /// Lists the actions that are legal in the guess of this iteration, stores those as children that the node lacks, and closes all
    /// other children. (Nothing is proven in such a search, so children are closed for no other reason.)
    /// Returns whether the iteration can go on to a child: if the memory is full, none of the legal ones may be
    /// stored, or not all outcomes of chance.
    #[inline(never)]
    pub fn meet(
        &mut self,
        current: &mut CurrentNode<'s, G, P, B>,
        leaf: &Leaf<G, Traces<G, P, R>>,
    ) -> Result<bool, GameFault> {
        self.list(leaf.state())?;
        if current.turn == Turn::Chance {
            check_probabilities(leaf.state(), self.actions)?;
        }
        let mut stored = self.open_legal(current.link);
        if stored < self.actions.len() {
            let children = self.tree.children_of(current.link);
            let is_new = |action: &G::Action| children.clone().all(|child| child.action() != *action);
            let new: Vec<G::Action> = self.actions.iter().copied().filter(is_new).collect();
            self.add_children(current.node, new)?;
            current.link = current.node.link();
            stored = self.open_legal(current.link);
        }
        // Chance may draw any of its outcomes.
        Ok(if current.turn == Turn::Chance { stored == self.actions.len() } else { stored > 0 })
    }

    /// Opens the children whose actions are listed, and closes the others. Returns how many are open.
    fn open_legal(&self, link: u32) -> usize {
        let mut open = 0;
        for child in self.tree.children_of(link) {
            let is_legal = self.actions.contains(&child.action());
            child.set_closed(!is_legal);
            open += usize::from(is_legal);
        }
        open
    }

    /// Counts that `chosen` and the other visited children that are legal in this guess could have been chosen.
    #[inline(never)]
    pub fn count_available(&self, link: u32, chosen: G::Action) {
        let counts = |child: &NodeOf<'s, G, P, B>| {
            child.action() == chosen || child.visit_count() > 0 && !child.is_closed()
        };
        for child in self.tree.children_of(link).filter(counts) {
            child.set_stats(self.tree_policy.make_available(child.stats()));
        }
    }
}

/// Returns whether the turn, the players and, if it is the observer's turn, the actions of `guess` are those of `state`.
#[inline(always)]
pub(crate) fn agrees<G: GameState>(guess: &G, state: &G, observer: Player) -> bool {
    let turn = state.turn();
    guess.turn() == turn
        && guess.players() == state.players()
        && (turn != Turn::Player(observer) || guess.actions().into_iter().eq(state.actions()))
}
