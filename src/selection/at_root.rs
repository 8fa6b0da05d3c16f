//! Selection at the root by a separate policy.

use super::{Choice, Event, FirstPlay, Needs, Node, TreePolicy};
use crate::game::{GameState, Player, Rewards, Rng, forward_methods};
use crate::parameter::ParameterError;

/// A root policy: selects at the root, where only the choice of the final action matters. Examples are
/// schedules and noise. `S` is the type of the statistics that the tree policy below keeps per child.
///
/// **Who needs it:** searches that treat the root differently from the rest of the tree. Combine it with a
/// tree policy by [`AtRoot`]. It is called where a player moves at the root; it is not called at a chance
/// root, nor for the first visits of children that the tree policy does not distinguish. Keep the state of a
/// run in cells of the policy, and discard it when the next run [begins](Self::begin). You may keep a
/// [`Choice`] as long as the root shows as many children as before.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::{AtRoot, RootPolicy};
///
/// /// Gives every child of the root the same number of visits.
/// struct Evenly;
///
/// impl<G: GameState, S: Copy + Default + 'static> RootPolicy<G, S> for Evenly {
///     fn select<P>(&self, node: impl Node<G, S>, _: &P, _: &mut Rng) -> Choice
///     where
///         P: TreePolicy<G, Stats = S>,
///     {
///         node.argmax(|child| -child.visits())
///     }
/// }
///
/// let policy = AtRoot::new(Evenly, Ucb1::new(0.7));
/// let report = Mcts::new(ramure_games::TicTacToe::new()).tree_policy(policy).run(Budget::iterations(90))?;
/// assert!(report.actions.iter().all(|action| action.visits == 10));
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a root policy for `{G}` over a tree policy that keeps `{S}`",
    label = "not a root policy here",
    note = "noise and Gumbel search need a tree policy that keeps priors, such as `Puct`; sequential halving works with any"
)]
pub trait RootPolicy<G: GameState, S: Copy + Default + 'static> {
    /// What a search must have to use this policy \[nothing\].
    const NEEDS: Needs = Needs::Nothing;

    /// Returns the child of the root to follow. `below` is the tree policy of the other nodes, for root
    /// policies that only prepare what it sees and then delegate to it.
    fn select<P: TreePolicy<G, Stats = S>>(&self, node: impl Node<G, S>, below: &P, rng: &mut Rng) -> Choice;

    /// Prepares for a run of at most `iterations` iterations. `iterations` is `None` only if this
    /// policy does not [need](Self::NEEDS) it. Also called, with 0, when the actions of the root are restricted, and, with
    /// the rest of the run, when a simulator widens its scale and the tree begins anew: forget what names
    /// children of the root. \[Default: does nothing\]
    fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
        let _ = (iterations, rng);
    }

    /// Called after every iteration of the run, whether or not this policy was called in it. \[Default: does
    /// nothing\]
    #[inline(always)]
    fn iterated(&mut self) {}

    /// Returns the child to play when the search ends, if this policy has its own way to decide. If not, the
    /// tree policy below decides. `rng` draws among equal children. \[Default: `None`\]
    fn decide(&self, root: impl Node<G, S>, rng: &mut Rng) -> Option<Choice> {
        let _ = (root, rng);
        None
    }

    /// Returns the improved policy at the root, if this policy has one: a probability for each of
    /// [`Node::children`]. If not, the tree policy below is asked.
    ///
    /// The result appears in [`Report::improved_policy`](crate::Report::improved_policy); the search calls
    /// this once per report. `worths` has one entry per child, in the same order: what the proven rewards of
    /// the player to move are [worth](crate::backpropagation::Backprop::worth) on the scale of the means, or
    /// `None` if nothing is proven. \[Default: `None`\]
    fn improved_policy(&self, root: impl Node<G, S>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        let _ = (root, worths);
        None
    }

    /// Checks that the parameters are in their ranges. Called at the start of every run. \[Default: accepts
    /// all values\]
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if a parameter is out of range.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// Combines the root policy `Q` at the root with the tree policy `P` at all other nodes.
///
/// **Use it** to put a [`RootPolicy`] over any tree policy that keeps the statistics it needs.
/// **Parameters:** the two policies. **Stores** what `P` stores.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::{AtRoot, SequentialHalving};
/// let policy = AtRoot::new(SequentialHalving::new(), Ucb1::new(0.7));
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(policy);
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct AtRoot<Q, P> {
    pub(super) root: Q,
    pub(super) below: P,
}

impl<Q, P> AtRoot<Q, P> {
    /// Creates a policy that selects by `root` at the root and by `below` elsewhere.
    pub const fn new(root: Q, below: P) -> Self {
        AtRoot { root, below }
    }
}

impl<G: GameState, Q: RootPolicy<G, P::Stats>, P: TreePolicy<G>> TreePolicy<G> for AtRoot<Q, P> {
    type Stats = P::Stats;
    const FIRST_PLAY: Option<FirstPlay> = P::FIRST_PLAY;
    const SEES_UNVISITED: bool = P::SEES_UNVISITED;
    const NEEDS: Needs = match (Q::NEEDS, P::NEEDS) {
        (Needs::Nothing, needs) | (needs, Needs::Nothing) => needs,
        (Needs::Iterations, Needs::Iterations) => Needs::Iterations,
        (Needs::PlayerTrees, Needs::PlayerTrees) => Needs::PlayerTrees,
        _ => {
            panic!("one of these policies needs a number of iterations, and the other a tree for each player")
        }
    };
    const KEEPS_REWARDS: bool = P::KEEPS_REWARDS;

    #[inline(always)]
    fn select(&self, node: impl Node<G, P::Stats>, rng: &mut Rng) -> Choice {
        if node.is_root() { self.root.select(node, &self.below, rng) } else { self.below.select(node, rng) }
    }

    forward_methods! {
        &self.below:
        update(stats: P::Stats, visits: f32, reward: f32) -> P::Stats;
        notice(stats: P::Stats, event: Event<P::Stats>) -> P::Stats;
        skips_refuted() -> bool;
    }

    #[inline(always)]
    fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
        self.root.iterated();
        self.below.learn(actions, rewards);
    }

    fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
        self.root.begin(iterations, rng);
        self.below.begin(iterations, rng);
    }

    fn decide(&self, root: impl Node<G, P::Stats>, rng: &mut Rng) -> Option<Choice> {
        self.root.decide(root, rng).or_else(|| self.below.decide(root, rng))
    }

    fn improved_policy(&self, root: impl Node<G, P::Stats>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        self.root.improved_policy(root, worths).or_else(|| self.below.improved_policy(root, worths))
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.root.check()?;
        self.below.check()
    }
}
