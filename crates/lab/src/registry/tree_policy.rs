//! The building blocks of the lists of tree policies.

use super::able::{Full, Noted};
use super::error::ReadError;
use super::notes::Kept;
use super::packed::{Holds, begins_with_zeros};
use super::parameters::Parameters;
use super::rollouts::{AnyRollout, Initialize, initialize};
use super::settings::{ABOVE_0, Wants};
use ramure::Rng;
use ramure::selection::{Choice, Node, TreePolicy};
use ramure::simulation::EvaluationPriors;
use ramure::statistics::{Pack, Statistics};
use std::sync::Arc;

/// A tree policy that was read.
pub(super) struct Make<G: Full, A> {
    /// Creates the policy, wrapped in the enum over all of them.
    pub make: Arc<dyn Fn() -> A + Send + Sync>,
    pub wants: Wants,
    pub noted: Noted,
    /// For a policy that reads priors, the function that writes them, and their temperature.
    pub priors: Option<(Initialize<G>, f64)>,
}

impl<G: Full, A: 'static> Make<G, A> {
    pub fn of<P>(
        parameters: &mut Parameters,
        make: impl Fn() -> P + Send + Sync + 'static,
        wrap: fn(P) -> A,
    ) -> Result<Self, ReadError>
    where
        P: TreePolicy<G> + 'static,
        P::Stats: Pack + Statistics<G, EvaluationPriors<AnyRollout<G>>, Trace: Kept<G>>,
    {
        let mut priors = None;
        if P::Stats::INITIALIZES {
            let about = "the temperature of the priors, a softmax of evaluations";
            let temperature = parameters.number("prior-tau", about, 0.1, ABOVE_0)?;
            priors = Some((initialize::<G, P::Stats> as Initialize<G>, temperature));
        }
        make().check()?;
        debug_assert!(begins_with_zeros::<P::Stats>(), "the default statistics must pack to zeros");
        Ok(Make {
            make: Arc::new(move || wrap(make())),
            wants: Wants { priors: priors.is_some(), ..Wants::of::<G, P>() },
            noted: <P::Stats as Statistics<G, EvaluationPriors<AnyRollout<G>>>>::Trace::NOTED,
            priors,
        })
    }
}

/// Calls a policy outside the loop. Inside it, the code of a whole list would be repeated.
#[inline(never)]
pub(super) fn select_apart<G: Full, H: Holds, P: TreePolicy<G, Stats: Pack>>(
    policy: &P,
    node: impl Node<G, H>,
    rng: &mut Rng,
) -> Choice {
    select(policy, node, rng)
}

/// Returns a view of `node` with unpacked statistics, as a policy expects them.
#[inline(always)]
fn unpacked<G: Full, H: Holds, S: Pack + 'static>(node: impl Node<G, H>) -> impl Node<G, S> {
    node.map_stats(H::held::<S>, |_, stats| H::holding(stats))
}

/// Calls a policy inside the loop.
#[inline(always)]
pub(super) fn select<G: Full, H: Holds, P: TreePolicy<G, Stats: Pack>>(
    policy: &P,
    node: impl Node<G, H>,
    rng: &mut Rng,
) -> Choice {
    policy.select(unpacked(node), rng)
}

#[inline(never)]
pub(super) fn decide<G: Full, H: Holds, P: TreePolicy<G, Stats: Pack>>(
    policy: &P,
    root: impl Node<G, H>,
    rng: &mut Rng,
) -> Option<Choice> {
    policy.decide(unpacked(root), rng)
}

#[inline(never)]
pub(super) fn improved_policy<G: Full, H: Holds, P: TreePolicy<G, Stats: Pack>>(
    policy: &P,
    root: impl Node<G, H>,
    proofs: &[Option<f32>],
) -> Option<Vec<f32>> {
    policy.improved_policy(unpacked(root), proofs)
}

/// Implements `TreePolicy` for a list of policies with the statistics `$stats`.
macro_rules! tree_policy {
    ($name:ident matched by $each:ident, keeps $stats:ty, sees unvisited: $sees:literal) => {
        impl<G: Full> TreePolicy<G> for $name<G> {
            type Stats = $stats;
            const SEES_UNVISITED: bool = $sees;

            #[inline(always)]
            fn select(&self, node: impl Node<G, $stats>, rng: &mut Rng) -> Choice {
                $each!(self, policy => tree_policy::select_apart(policy, node, rng), hot => tree_policy::select(policy, node, rng))
            }
            #[inline(always)]
            fn update(&self, stats: $stats, visits: f32, reward: f32) -> $stats {
                $each!(self, policy => Holds::holding(TreePolicy::<G>::update(policy, stats.held(), visits, reward)))
            }
            #[inline(always)]
            fn notice(&self, stats: $stats, event: Event<$stats>) -> $stats {
                $each!(self, policy => Holds::holding(TreePolicy::<G>::notice(policy, stats.held(), event.map(Holds::held))))
            }
            #[inline(always)]
            fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
                $each!(self, policy => TreePolicy::<G>::learn(policy, actions, rewards));
            }
            fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
                $each!(self, policy => TreePolicy::<G>::begin(policy, iterations, rng));
            }
            fn decide(&self, root: impl Node<G, $stats>, rng: &mut Rng) -> Option<Choice> {
                $each!(self, policy => tree_policy::decide(policy, root, rng))
            }
            fn improved_policy(&self, root: impl Node<G, $stats>, proofs: &[Option<f32>]) -> Option<Vec<f32>> {
                $each!(self, policy => tree_policy::improved_policy(policy, root, proofs))
            }
            fn skips_refuted(&self) -> bool {
                $each!(self, policy => TreePolicy::<G>::skips_refuted(policy))
            }
            fn check(&self) -> Result<(), ParameterError> {
                $each!(self, policy => TreePolicy::<G>::check(policy))
            }
        }

        impl<G: Full> From<$name<G>> for AnyPolicy<G> {
            fn from(policy: $name<G>) -> Self {
                AnyPolicy::$name(policy)
            }
        }
    };
}
pub(super) use tree_policy;
