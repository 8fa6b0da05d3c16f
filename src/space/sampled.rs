//! [`Sampled`]: a game whose actions are sampled, not listed; and the search of it, by double progressive
//! widening.

use super::sealed::Workings;
use super::{Nodes, Space, evaluates_the_real_state};
use crate::backpropagation::Average;
use crate::game::{
    ActionSampler, GameState, Player, Rng, forward_evaluation, forward_indices, forward_to_state,
};
use crate::selection::Ucb1;

/// A game whose actions and outcomes are sampled, for searches of games that cannot list them: real numbers,
/// big dice, thousands of deals.
///
/// The search is *double progressive widening*: at a node with `N` visits, it has at most `⌈k N^α⌉` children.
/// While there are fewer, each visit [samples](ActionSampler::sample_action) one more. So actions that look
/// good are visited often enough to compare them, and there are always new ones. Set `k` and `α` for the
/// actions of players with [`Expansion::widening`](crate::Expansion::widening) and for outcomes of chance
/// with [`Expansion::outcome_widening`](crate::Expansion::outcome_widening). \[Default: `2 N^0.5` actions and
/// `N^0.5` outcomes\]
///
/// ```
/// use ramure::ActionSampler;
/// use ramure::prelude::*;
/// use ramure::Expansion;
/// use ramure::search::Sampled;
/// # #[derive(Clone)]
/// # struct Dice { sum: u64, bets: Option<u64>, rolled: bool }
/// # impl GameState for Dice {
/// #     type Action = u64;
/// #     fn turn(&self) -> Turn {
/// #         if self.rolled { Turn::Over } else if self.bets.is_some() { Turn::Chance } else { Turn::Player(0) }
/// #     }
/// #     fn actions(&self) -> impl IntoIterator<Item = u64> { [] }
/// #     fn apply(&mut self, action: u64) {
/// #         if self.bets.is_none() { self.bets = Some(action) } else { self.sum = action; self.rolled = true }
/// #     }
/// #     fn reward(&self, _: Player) -> f64 {
/// #         if Some(self.sum) >= self.bets { self.bets.unwrap() as f64 / 1e6 } else { 0.0 }
/// #     }
/// #     fn players(&self) -> u8 { 1 }
/// # }
/// # impl ActionSampler for Dice {
/// #     fn sample_action(&self, rng: &mut Rng) -> Option<u64> { (!self.rolled).then(|| rng.below(1_000_000) as u64) }
/// # }
/// # let state = Dice { sum: 0, bets: None, rolled: false };
/// let expansion = Expansion::default().widening(1.0, 0.5).outcome_widening(10.0, 0.5);
/// let mut search = Mcts::new(Sampled::new(state)).expansion(expansion).seed(1);
/// let report = search.run(Budget::iterations(5_000))?;
/// println!("{report}"); // lists the actions that the search has sampled
/// # assert!(report.best_action() > 200_000 && report.best_action() < 800_000, "{report}");
/// search.advance(report.best_action())?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Outcomes of chance
///
/// At a chance node, each visit draws an outcome. If the tree has a node for it, the iteration goes there. If
/// not, and there is room for another child, it becomes one. Otherwise the iteration goes to the least
/// visited child. So few outcomes are visited by their probabilities, and of infinitely many, the stored ones
/// are visited equally often, as independent samples should be.
///
/// # What you can combine with it
///
/// - Any tree policy that reads no priors, any rollout policy that does not compare actions, any
///   backpropagation, a [window](crate::Mcts::window), a memory limit, early stops. `Solver` proves a
///   node with sampled actions only by a child that is a win.
/// - [`Mcts::advance`](crate::Mcts::advance) accepts the actions that the root has as children, and
///   those for which [`GameState::is_legal`] is true.
/// - A report lists the sampled actions, in the order in which they were sampled: none before the first run.
///
/// A sampler that proposes an action again adds no child, and the visit goes to an action that the node has.
///
/// **Cost:** while a node has room for more children, a visit looks at all of them. **Sources:** Couëtoux,
/// Hoock, Sokolovska, Teytaud and Bonnard, *Continuous Upper Confidence Trees*, 2011, for the number of
/// children; for the least visited outcome: Auger, Couëtoux and Teytaud, *Continuous Upper Confidence Trees
/// with Polynomial Exploration*, 2013.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Sampled<G> {
    root: SampledGame<G>,
}

impl<G: ActionSampler> Sampled<G> {
    /// Creates the space of `state` with sampled actions.
    pub fn new(state: G) -> Self {
        Sampled { root: SampledGame { state } }
    }
}

/// The game with which the iterations of a [`Sampled`] play: random actions are sampled, in rollouts, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct SampledGame<G> {
    state: G,
}

#[diagnostic::do_not_recommend]
impl<G: ActionSampler> GameState for SampledGame<G> {
    type Action = G::Action;

    forward_to_state! { KEEPS_STATES turn actions apply reward players probability random_rollout random_rollouts is_legal is_simultaneous }

    #[inline(always)]
    fn random_action(&self, rng: &mut Rng) -> Option<G::Action> {
        self.state.sample_action(rng)
    }
    #[inline(always)]
    fn random_outcome(&self, rng: &mut Rng) -> Option<G::Action> {
        self.state.sample_action(rng)
    }
}

forward_evaluation!(SampledGame, ActionSampler);
forward_indices!(SampledGame, ActionSampler);

#[diagnostic::do_not_recommend]
impl<G: ActionSampler> Space for Sampled<G> {
    type Game = SampledGame<G>;
    type Real = G;
    type TreePolicy = Ucb1;
    type Backprop = Average;

    fn of(state: G, _: Player) -> Self {
        Sampled::new(state)
    }
    fn real(state: &SampledGame<G>) -> &G {
        &state.state
    }
    #[inline(always)]
    fn root(&self) -> &SampledGame<G> {
        &self.root
    }
    fn to_real(action: G::Action) -> Option<G::Action> {
        Some(action)
    }
    fn of_real(&self, action: G::Action) -> G::Action {
        action
    }
}

#[diagnostic::do_not_recommend]
impl<G: ActionSampler> Workings<SampledGame<G>, G> for Sampled<G> {
    const NODES: Nodes = Nodes::Sampled;

    fn set_root(&mut self, root: SampledGame<G>) {
        self.root = root;
    }
    fn play(&mut self, action: G::Action) {
        self.root.state.apply(action);
    }
}

evaluates_the_real_state! { ActionSampler, SampledGame<G>, Sampled<G> }
