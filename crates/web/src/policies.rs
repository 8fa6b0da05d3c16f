//! The policies that the page offers, in a few types: every search loop adds about 40 KB to what a visitor
//! loads.

use ramure::backpropagation::{Average, Decorated, ProofsIf};
use ramure::selection::{
    Boltzmann, Choice, EpsilonGreedy, Event, Grave, KlUcb, Node, Rave, Thompson, TreePolicy, Ucb1Tuned, UcbV,
};
use ramure::simulation::{Decisive, Leaf, RolloutPolicy, Trace, Uniform};
use ramure::statistics::{Amaf, Moments};
use ramure::{ActionIndex, GameFault, GameState, ParameterError, Rewards, Rng};

/// The policies that look at visited children only, except UCB1, which has a loop of its own.
#[derive(Clone, Debug)]
pub enum Rewarded {
    /// UCB1-Tuned.
    Ucb1Tuned(Ucb1Tuned),
    /// UCB-V.
    UcbV(UcbV),
    /// KL-UCB.
    KlUcb(KlUcb),
}

/// Shows a policy without statistics a node with some.
#[inline(always)]
fn without_stats<G: GameState, S: Copy + 'static>(node: impl Node<G, S>) -> impl Node<G, ()> {
    node.map_stats(|_| (), |stats, ()| stats)
}

/// None of the policies overrides a method that is not passed on here.
impl<G: GameState> TreePolicy<G> for Rewarded {
    type Stats = Moments;

    #[inline(always)]
    fn select(&self, node: impl Node<G, Moments>, rng: &mut Rng) -> Choice {
        match self {
            Rewarded::Ucb1Tuned(policy) => policy.select(node, rng),
            Rewarded::UcbV(policy) => policy.select(node, rng),
            Rewarded::KlUcb(policy) => policy.select(without_stats(node), rng),
        }
    }

    #[inline(always)]
    fn update(&self, stats: Moments, visits: f32, reward: f32) -> Moments {
        stats.with(reward, visits)
    }

    #[inline(always)]
    fn notice(&self, stats: Moments, event: Event<Moments>) -> Moments {
        if let Event::Recounted(visits) = event { stats.recounted(visits) } else { stats }
    }

    fn check(&self) -> Result<(), ParameterError> {
        match self {
            Rewarded::Ucb1Tuned(policy) => TreePolicy::<G>::check(policy),
            Rewarded::UcbV(policy) => TreePolicy::<G>::check(policy),
            Rewarded::KlUcb(policy) => TreePolicy::<G>::check(policy),
        }
    }
}

/// The policies that distinguish unvisited children.
#[derive(Clone, Debug)]
pub enum Distinguishing {
    /// RAVE.
    Rave(Rave),
    /// GRAVE.
    Grave(Grave),
    /// Thompson sampling.
    Thompson(Thompson),
    /// Epsilon-greedy.
    EpsilonGreedy(EpsilonGreedy),
    /// Boltzmann exploration.
    Boltzmann(Boltzmann),
}

/// None of the policies needs a method that is not passed on here: the exploration constant of RAVE is fixed.
impl<G: ActionIndex> TreePolicy<G> for Distinguishing {
    type Stats = Amaf;
    // Thompson sampling draws unvisited children as any other and never asks for the urgency.
    const SEES_UNVISITED: bool = true;

    #[inline(always)]
    fn select(&self, node: impl Node<G, Amaf>, rng: &mut Rng) -> Choice {
        match self {
            Distinguishing::Rave(policy) => policy.select(node, rng),
            Distinguishing::Grave(policy) => policy.select(node, rng),
            Distinguishing::Thompson(policy) => policy.select(without_stats(node), rng),
            Distinguishing::EpsilonGreedy(policy) => policy.select(without_stats(node), rng),
            Distinguishing::Boltzmann(policy) => policy.select(without_stats(node), rng),
        }
    }

    fn skips_refuted(&self) -> bool {
        matches!(self, Distinguishing::Rave(_) | Distinguishing::Grave(_))
    }

    fn check(&self) -> Result<(), ParameterError> {
        match self {
            Distinguishing::Rave(policy) => TreePolicy::<G>::check(policy),
            Distinguishing::Grave(policy) => TreePolicy::<G>::check(policy),
            Distinguishing::Thompson(policy) => TreePolicy::<G>::check(policy),
            Distinguishing::EpsilonGreedy(policy) => TreePolicy::<G>::check(policy),
            Distinguishing::Boltzmann(policy) => TreePolicy::<G>::check(policy),
        }
    }
}

/// Any rollout policy of the page.
#[derive(Clone, Debug)]
pub enum Rollouts {
    /// Random actions.
    Uniform(Uniform),
    /// Immediate wins, otherwise random actions.
    Decisive(Decisive),
}

impl<G: GameState> RolloutPolicy<G> for Rollouts {
    type Trace = ();

    #[inline(always)]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        match self {
            Rollouts::Uniform(policy) => policy.simulate(leaf, rng),
            Rollouts::Decisive(policy) => decisive(policy, leaf, rng),
        }
    }

    fn learns(&self) -> bool {
        false
    }
}

/// Apart from the loop, because a call costs little beside such a rollout.
#[inline(never)]
fn decisive<G: GameState>(
    policy: &Decisive,
    leaf: &mut Leaf<G, impl Trace<G>>,
    rng: &mut Rng,
) -> Result<Rewards, GameFault> {
    policy.simulate(leaf, rng)
}

/// Averages, with the proofs of MCTS-Solver if `ProofsIf(true)`.
pub type Backup = Decorated<ProofsIf, Average>;

/// Returns the backpropagation.
pub fn backup(proves: bool) -> Backup {
    Decorated::by(ProofsIf(proves), Average)
}
