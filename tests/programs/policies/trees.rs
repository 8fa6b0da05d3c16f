//! Tree policies chosen at run time.

use super::{Holds, Words, persist_list};
use crate::game::{GameState, Player, Rewards, Rng};
use crate::parameter::ParameterError;
use crate::selection::{
    AtRoot, AvailabilityUcb1, Boltzmann, Choice, CompletedValues, Dirichlet, EpsilonGreedy, Event, Exp3,
    FirstPlay, GaussianThompson, Gumbel, KlUcb, Moss, Node, Puct, SequentialHalving, Thompson, TreePolicy,
    Ucb1, Ucb1Tuned, UcbV,
};
use crate::statistics::{Pack, ValuedPrior};

/// Returns a view of `node` with the statistics that a policy expects.
fn shown<G: GameState, H: Holds<S>, S: Copy + 'static>(node: impl Node<G, H>) -> impl Node<G, S> {
    node.map_stats(H::held, H::with)
}

macro_rules! tree_policies {
    (
        $(#[$about:meta])* $name:ident keeps $stats:ty, sees unvisited: $sees:literal, first play: $first:expr;
        $($variant:ident: $policy:ty),+ $(,)?
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub enum $name { $($variant($policy),)+ }

        impl<G: GameState> TreePolicy<G> for $name {
            type Stats = $stats;
            const SEES_UNVISITED: bool = $sees;
            const FIRST_PLAY: Option<FirstPlay> = $first;

            fn select(&self, node: impl Node<G, $stats>, rng: &mut Rng) -> Choice {
                match self {
                    $( $name::$variant(policy) => policy.select(shown(node), rng), )+
                }
            }
            fn update(&self, stats: $stats, visits: f32, reward: f32) -> $stats {
                match self {
                    $( $name::$variant(policy) => stats.with(TreePolicy::<G>::update(policy, stats.held(), visits, reward)), )+
                }
            }
            fn notice(&self, stats: $stats, event: Event<$stats>) -> $stats {
                match self {
                    $( $name::$variant(policy) => stats.with(TreePolicy::<G>::notice(policy, stats.held(), event.map(Holds::held))), )+
                }
            }
            fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
                match self {
                    $( $name::$variant(policy) => TreePolicy::<G>::learn(policy, actions, rewards), )+
                }
            }
            fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
                match self {
                    $( $name::$variant(policy) => TreePolicy::<G>::begin(policy, iterations, rng), )+
                }
            }
            fn decide(&self, root: impl Node<G, $stats>, rng: &mut Rng) -> Option<Choice> {
                match self {
                    $( $name::$variant(policy) => policy.decide(shown(root), rng), )+
                }
            }
            fn improved_policy(&self, root: impl Node<G, $stats>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
                match self {
                    $( $name::$variant(policy) => policy.improved_policy(shown(root), worths), )+
                }
            }
            fn skips_refuted(&self) -> bool {
                match self {
                    $( $name::$variant(policy) => TreePolicy::<G>::skips_refuted(policy), )+
                }
            }
            fn check(&self) -> Result<(), ParameterError> {
                match self {
                    $( $name::$variant(policy) => TreePolicy::<G>::check(policy), )+
                }
            }
        }

        persist_list! { $name; $($variant),+ }
    };
}

tree_policies! {
    /// Policies that are fed by rewards alone. Families grow as children are tried.
    Rewarded keeps Words<6>, sees unvisited: false, first play: Some(FirstPlay::Infinite);
    Ucb1: Ucb1, Ucb1Tuned: Ucb1Tuned, UcbV: UcbV, KlUcb: KlUcb, Moss: Moss, Halving: AtRoot<SequentialHalving, Ucb1>
}

tree_policies! {
    /// Policies that tell unvisited children apart.
    Seeing keeps Words<4>, sees unvisited: true, first play: Some(FirstPlay::Infinite);
    Thompson: Thompson, Gaussian: GaussianThompson, EpsilonGreedy: EpsilonGreedy, Boltzmann: Boltzmann, Exp3: Exp3,
    Available: AvailabilityUcb1
}

tree_policies! {
    /// Policies that read priors.
    Priors keeps ValuedPrior, sees unvisited: true, first play: Some(FirstPlay::Value(0.5));
    Puct: Puct, Noisy: AtRoot<Dirichlet, Puct>, Completed: CompletedValues, Gumbel: Gumbel
}

const _: () = assert!(<crate::statistics::Moments as Pack>::WORDS <= 6);
