//! Selection at the root by a policy of its own, and below by another.

use super::{Choice, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Player, Rewards, Rng};
use crate::parameter::ParameterError;

/// Selection at the root, where the action to play is found out and nothing else counts: schedules, noise. `S` is
/// what the tree policy below keeps per child.
///
/// **Who needs it:** who wants the root searched otherwise than the rest of the tree; put it there by [`AtRoot`]. It
/// is asked where a player moves at the root, not at a root of chance, and not for the first visits of children that
/// the tree policy does not tell apart. What is known of a run is kept here, in cells, and given up when the next one
/// [begins](Self::begin). A [`Choice`] may be kept as long as the root shows as many children as before.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::{AtRoot, RootPolicy};
///
/// /// The same number of visits for every child of the root.
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
/// let report = Mcts::new(ramure::games::TicTacToe::new()).tree_policy(policy).run(Budget::iterations(90))?;
/// assert!(report.actions.iter().all(|action| action.visits == 10));
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a root policy for `{G}` over a tree policy that keeps `{S}`",
    label = "not a root policy here",
    note = "noise and Gumbel search need a tree policy that keeps priors, such as `Puct`; sequential halving takes any"
)]
pub trait RootPolicy<G: GameState, S: Copy + Default + 'static> {
    /// Whether this policy plans ahead for the iterations of a run, so that a budget without a number of them is an
    /// error.
    const NEEDS_ITERATIONS: bool = false;

    /// The child of the root to follow; `below` is the tree policy of the other nodes, for those who only prepare
    /// what it sees.
    fn select<P: TreePolicy<G, Stats = S>>(&self, node: impl Node<G, S>, below: &P, rng: &mut Rng) -> Choice;

    /// A run begins, of so many iterations at most; without a bound only if
    /// [`NEEDS_ITERATIONS`](Self::NEEDS_ITERATIONS) is not set. \[Default: nothing\]
    fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
        let _ = (iterations, rng);
    }

    /// An iteration of the run is made, whether this policy was asked in it or not. \[Default: nothing\]
    #[inline(always)]
    fn iterated(&mut self) {}

    /// The child to play in the end, if this policy has its own way to decide; if not, the tree policy below is
    /// asked. \[Default: none\]
    fn decide(&self, root: impl Node<G, S>) -> Option<Choice> {
        let _ = root;
        None
    }

    /// The improved policy at the root, a probability for each of [`Node::children`], if this policy has one: for
    /// [`Report::improved_policy`](crate::search::Report::improved_policy), and asked once a report. `worths` has, in the same
    /// order, what the proven rewards of the player to move are [worth](crate::Backprop::worth) on the scale of the means. If there is none, the
    /// tree policy below is asked. \[Default: none\]
    fn improved_policy(&self, root: impl Node<G, S>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        let _ = (root, worths);
        None
    }

    /// Whether the parameters are in their ranges: asked at the start of every run. \[Default: yes\]
    ///
    /// # Errors
    ///
    /// The parameter that is not.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// The root policy `Q` at the root, the tree policy `P` elsewhere.
///
/// **Use it** to put a [`RootPolicy`] over any tree policy that keeps what it needs. **Parameters:** the two
/// policies. **Stores** what `P` stores.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::{AtRoot, SequentialHalving};
/// let policy = AtRoot::new(SequentialHalving::new(), Ucb1::new(0.7));
/// let mut search = Mcts::new(ramure::games::Connect4::new()).tree_policy(policy);
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct AtRoot<Q, P> {
    pub(super) root: Q,
    pub(super) below: P,
}

impl<Q, P> AtRoot<Q, P> {
    /// Selects by `root` at the root and by `below` elsewhere.
    pub const fn new(root: Q, below: P) -> Self {
        AtRoot { root, below }
    }
}

impl<G: GameState, Q: RootPolicy<G, P::Stats>, P: TreePolicy<G>> TreePolicy<G> for AtRoot<Q, P> {
    type Stats = P::Stats;
    const FIRST_PLAY: Option<FirstPlay> = P::FIRST_PLAY;
    const SEES_UNVISITED: bool = P::SEES_UNVISITED;
    const NEEDS_ITERATIONS: bool = Q::NEEDS_ITERATIONS || P::NEEDS_ITERATIONS;

    #[inline(always)]
    fn select(&self, node: impl Node<G, P::Stats>, rng: &mut Rng) -> Choice {
        if node.is_root() { self.root.select(node, &self.below, rng) } else { self.below.select(node, rng) }
    }

    #[inline(always)]
    fn update(&self, stats: P::Stats, visits: f32, reward: f32) -> P::Stats {
        self.below.update(stats, visits, reward)
    }

    #[inline(always)]
    fn spread(&self, stats: P::Stats, deviation: f32) -> P::Stats {
        self.below.spread(stats, deviation)
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

    fn decide(&self, root: impl Node<G, P::Stats>) -> Option<Choice> {
        self.root.decide(root).or_else(|| self.below.decide(root))
    }

    fn improved_policy(&self, root: impl Node<G, P::Stats>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        self.root.improved_policy(root, worths).or_else(|| self.below.improved_policy(root, worths))
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.root.check()?;
        self.below.check()
    }
}
