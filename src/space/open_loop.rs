//! [`OpenLoop`]: a game whose chance events are no nodes of the tree.

use super::observed_moves::{Observed, ObservedMoves};
use super::sealed::Workings;
use super::{ActionOf, Nodes, RealAction, Space, evaluates_the_real_state};
use crate::backpropagation::Average;
use crate::game::player_action::PlayerAction;
use crate::game::{
    ActionIndex, GameFault, GameState, HiddenInformation, Player, Rng, StaticEvaluation, Turn,
    forward_to_state, try_apply,
};
use crate::selection::AvailabilityUcb1;

/// The most chance events that follow one action without a node of the tree.
const MOST_EVENTS: u32 = 10_000;

/// A game for open-loop search: the nodes of the tree stand for lines of the players' actions, whatever
/// chance does between them.
///
/// Without it, a search has a node for each outcome of chance. If there are many, such as thousands of deals,
/// most of these nodes are visited once and teach the search nothing. In an open loop, chance draws anew in
/// each iteration, and all outcomes share one node. The tree is as small as that of a game without chance.
///
/// **Use it** if chance has many outcomes, or if the right action depends little on the outcome. **What it
/// loses:** a plan cannot depend on what chance will do, because the search compares actions by their mean
/// over all outcomes. So it undervalues actions whose worth is that the player can react. Where chance has
/// few outcomes and few turns, the default search is better.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::search::{PlayerAction, OpenLoop};
/// # #[derive(Clone)]
/// # struct Dice { sum: u32, throws: u8, rolls: bool }
/// # impl GameState for Dice {
/// #     type Action = u32;
/// #     fn turn(&self) -> Turn {
/// #         if self.throws == 0 { Turn::Over } else if self.rolls { Turn::Chance } else { Turn::Player(0) }
/// #     }
/// #     fn actions(&self) -> impl IntoIterator<Item = u32> {
/// #         match self.turn() { Turn::Chance => 1..1001, Turn::Over => 0..0, _ => 0..2 }
/// #     }
/// #     fn apply(&mut self, action: u32) {
/// #         if self.rolls { self.sum += action; self.rolls = false; self.throws -= 1; }
/// #         else if action == 1 { self.rolls = true } else { self.throws = 0 }
/// #     }
/// #     fn reward(&self, _: Player) -> f64 { f64::from(self.sum) / 3000.0 }
/// #     fn players(&self) -> u8 { 1 }
/// #     fn probability(&self, _: u32) -> f64 { 0.001 }
/// # }
/// # let state = Dice { sum: 0, throws: 3, rolls: false };
/// let mut search = Mcts::new(OpenLoop::new(state));
/// let report = search.run(Budget::iterations(1_000))?;
/// let PlayerAction { action, .. } = report.best_action();
/// # assert_eq!(action, 1);
/// search.advance(report.best_action())?; // then advance by what chance draws in the real game
/// # assert_eq!(search.run(Budget::iterations(10)).unwrap_err(), SearchError::ChanceToMove);
/// search.advance(PlayerAction::by_chance(421))?;
/// # search.run(Budget::iterations(10))?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// # How it works
///
/// Each iteration has a generator of its own, seeded by that of the search. When an iteration plays an
/// action, it also plays all chance events after it. Only the actions that are then legal can be chosen. The
/// player to move may depend on what chance did, so the actions of the tree are [`PlayerAction`]: an action
/// and its player. Each has statistics of its own.
///
/// # What you can combine with it
///
/// The same as with an [`InformationSet`](crate::search::InformationSet): backpropagations that average
/// rewards, most rollout policies, and tree policies that see unvisited children and read no priors, such as
/// [`AvailabilityUcb1`](crate::selection::AvailabilityUcb1). Progressive widening is an
/// error of the run. `OpenLoop<InformationSet<G>>` works too.
///
/// At the root, chance must not be to move: a run returns
/// [`SearchError::ChanceToMove`](crate::SearchError::ChanceToMove). Advance the search by what chance drew,
/// in any order of calls that the game allows; this keeps the tree.
///
/// A [view of the tree](crate::Mcts::tree) shows the states after one way in which chance may go.
///
/// **Cost:** that of the chance events, and at each node on its path a comparison of the legal actions with
/// the stored ones, each with each.
///
/// **Source:** Perez, Dieskau, Hünermund, Mostaghim and Lucas, *Open Loop Search for General Video Game
/// Playing*, 2015.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenLoop<S: Space> {
    inner: S,
    root: Unrolled<S::Game>,
}

impl<S: Space> OpenLoop<S> {
    /// Creates an open loop from the root of `space`: a game, or the
    /// [`InformationSet`](crate::search::InformationSet) of one.
    pub fn new(space: S) -> Self {
        const {
            assert!(
                matches!(S::NODES, Nodes::Lines | Nodes::Guessed) && !S::SKIPS_CHANCE,
                "an `OpenLoop` goes around a game, an `InformationSet` or an `ObservedMoves`"
            );
        }
        OpenLoop { root: Unrolled { state: space.root().clone(), draws: None }, inner: space }
    }
}

/// The game with which the iterations of an [`OpenLoop`] play: chance acts by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrolled<G> {
    state: G,
    /// Draws the chance events in an iteration; `None` outside of iterations.
    draws: Option<Rng>,
}

impl<G: GameState> Unrolled<G> {
    #[inline(always)]
    fn player(&self) -> Option<Player> {
        if let Turn::Player(player) = self.state.turn() { Some(player) } else { None }
    }
}

#[diagnostic::do_not_recommend]
impl<G: GameState> GameState for Unrolled<G> {
    type Action = PlayerAction<G::Action>;

    forward_to_state! { turn reward players random_rollout random_rollouts is_simultaneous }

    #[inline(always)]
    fn actions(&self) -> impl IntoIterator<Item = PlayerAction<G::Action>> {
        let player = self.player();
        self.state.actions().into_iter().map(move |action| PlayerAction { player, action })
    }
    #[inline(always)]
    fn apply(&mut self, chosen: PlayerAction<G::Action>) {
        let mut applied = try_apply(&mut self.state, chosen.action);
        let Some(rng) = &mut self.draws else { return };
        for _ in 0..MOST_EVENTS {
            if applied.is_err() || self.state.turn() != Turn::Chance {
                return;
            }
            // If nothing can be drawn, the search finds out why at the chance node that stays.
            let Some(outcome) = self.state.random_outcome(rng) else { return };
            applied = try_apply(&mut self.state, outcome);
        }
        // A game with so many events in a row may have no end. From here on, they are nodes, and the limit on
        // rollouts counts them.
        self.draws = None;
    }
    #[inline(always)]
    fn probability(&self, outcome: PlayerAction<G::Action>) -> f64 {
        self.state.probability(outcome.action)
    }
    #[inline(always)]
    fn random_action(&self, rng: &mut Rng) -> Option<PlayerAction<G::Action>> {
        let player = self.player();
        self.state.random_action(rng).map(|action| PlayerAction { player, action })
    }
    #[inline(always)]
    fn random_outcome(&self, rng: &mut Rng) -> Option<PlayerAction<G::Action>> {
        self.state.random_outcome(rng).map(PlayerAction::by_chance)
    }
    #[inline(always)]
    fn is_legal(&self, chosen: PlayerAction<G::Action>) -> bool {
        chosen.player == self.player() && self.state.is_legal(chosen.action)
    }
}

impl<G: StaticEvaluation> StaticEvaluation for Unrolled<G> {
    #[inline(always)]
    fn evaluate(&self, player: Player) -> f64 {
        self.state.evaluate(player)
    }
}

impl<G: ActionIndex> ActionIndex for Unrolled<G> {
    const ACTION_COUNT: usize = G::ACTION_COUNT;

    #[inline(always)]
    fn action_index(chosen: PlayerAction<G::Action>) -> usize {
        G::action_index(chosen.action)
    }
}

#[diagnostic::do_not_recommend]
impl<S: Space> Space for OpenLoop<S> {
    type Game = Unrolled<S::Game>;
    type Real = S::Real;
    type TreePolicy = AvailabilityUcb1;
    type Backprop = Average;

    fn of(state: S::Real, player: Player) -> Self {
        OpenLoop::new(S::of(state, player))
    }
    fn real(state: &Self::Game) -> &S::Real {
        S::real(&state.state)
    }
    #[inline(always)]
    fn root(&self) -> &Self::Game {
        &self.root
    }
    fn to_real(chosen: ActionOf<Self>) -> Option<RealAction<S>> {
        S::to_real(chosen.action)
    }
    fn of_real(&self, action: RealAction<S>) -> ActionOf<Self> {
        PlayerAction { player: self.root.player(), action: self.inner.of_real(action) }
    }
    fn observer(&self) -> Option<Player> {
        self.inner.observer().or_else(|| self.root.player())
    }
}

#[diagnostic::do_not_recommend]
impl<S: Space> Workings<Unrolled<S::Game>, S::Real> for OpenLoop<S> {
    const NODES: Nodes = Nodes::Guessed;
    const SKIPS_CHANCE: bool = true;

    fn set_root(&mut self, root: Unrolled<S::Game>) {
        self.inner.set_root(root.state.clone());
        self.root = root;
    }
    fn play(&mut self, chosen: ActionOf<Self>) {
        self.inner.play(chosen.action);
        self.root.state.clone_from(self.inner.root());
    }
    #[inline(always)]
    fn guess(&self, state: &mut Unrolled<S::Game>, rng: &mut Rng) -> Result<(), GameFault> {
        self.inner.guess(&mut state.state, rng)?;
        state.draws = Some(Rng::seeded(rng.bits()));
        Ok(())
    }
    #[inline(always)]
    fn seen(state: &Unrolled<S::Game>, chosen: ActionOf<Self>, observer: Player) -> Option<ActionOf<Self>> {
        S::seen(&state.state, chosen.action, observer).map(|action| PlayerAction { action, ..chosen })
    }
    fn known(state: &Unrolled<S::Game>, player: Player, tell: &mut impl FnMut(ActionOf<Self>)) {
        S::known(&state.state, player, &mut |action| tell(PlayerAction::by_chance(action)));
    }
}

evaluates_the_real_state! { GameState, Unrolled<G>, OpenLoop<G> }
evaluates_the_real_state! { HiddenInformation, Unrolled<Observed<G>>, OpenLoop<ObservedMoves<G>> }

#[cfg(feature = "save")]
impl<S: Space + serde::Serialize> serde::Serialize for OpenLoop<S> {
    fn serialize<Z: serde::Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.inner.serialize(serializer)
    }
}

#[cfg(feature = "save")]
impl<'de, S: Space + serde::Deserialize<'de>> serde::Deserialize<'de> for OpenLoop<S> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        S::deserialize(deserializer).map(OpenLoop::new)
    }
}
