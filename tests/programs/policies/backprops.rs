//! Backpropagations chosen at run time. A list has those whose constants are the same.

use super::{Holds, Words, persist_list};
use crate::backpropagation::{
    Average, Backprop, Contempt, Discounted, MaxBackup, PowerMean, RecencyWeighted, ScoreBounds,
    SoftmaxBackup, Solver, Step,
};
use crate::game::{GameFault, GameState, Player, Rewards};
use crate::parameter::ParameterError;
use crate::statistics::{Merge, Merging};

macro_rules! backprops {
    (
        $(#[$about:meta])* $name:ident keeps $stats:ty, proves: $proves:literal, averages: $averages:literal, derives: $derives:literal, counts: $counts:literal;
        merged { $($merged:ident: $merged_policy:ty),+ $(,)? } alone { $($alone:ident: $alone_policy:ty),* $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub enum $name { $($merged($merged_policy),)+ $($alone($alone_policy),)* }

        impl<G: GameState> Backprop<G> for $name {
            type Stats = $stats;
            const PROVES: bool = $proves;
            const AVERAGES: bool = $averages;
            const DERIVES: bool = $derives;
            const COUNTS: bool = $counts;

            fn look(&self, state: &G, stats: $stats) -> Result<$stats, GameFault> {
                Ok(match self {
                    $( $name::$merged(policy) => stats.with(policy.look(state, stats.held())?), )+
                    $( $name::$alone(policy) => stats.with(policy.look(state, stats.held())?), )*
                })
            }
            fn update(&self, step: impl Step<G, $stats>, rewards: &mut Rewards) {
                match self {
                    $( $name::$merged(policy) => policy.update(step.map_stats(Holds::held, Holds::with), rewards), )+
                    $( $name::$alone(policy) => policy.update(step.map_stats(Holds::held, Holds::with), rewards), )*
                }
            }
            fn refresh(&self, step: impl Step<G, $stats>, players: u8) -> Option<f32> {
                match self {
                    $( $name::$merged(policy) => policy.refresh(step.map_stats(Holds::held, Holds::with), players), )+
                    $( $name::$alone(policy) => policy.refresh(step.map_stats(Holds::held, Holds::with), players), )*
                }
            }
            fn certain(&self, stats: $stats, player: Player) -> Option<f32> {
                match self {
                    $( $name::$merged(policy) => Backprop::<G>::certain(policy, stats.held(), player), )+
                    $( $name::$alone(policy) => Backprop::<G>::certain(policy, stats.held(), player), )*
                }
            }
            fn worth(&self, stats: $stats, rewards: &Rewards, player: Player) -> f32 {
                match self {
                    $( $name::$merged(policy) => Backprop::<G>::worth(policy, stats.held(), rewards, player), )+
                    $( $name::$alone(policy) => Backprop::<G>::worth(policy, stats.held(), rewards, player), )*
                }
            }
            fn check(&self) -> Result<(), ParameterError> {
                match self {
                    $( $name::$merged(policy) => Backprop::<G>::check(policy), )+
                    $( $name::$alone(policy) => Backprop::<G>::check(policy), )*
                }
            }
        }

        impl<G: GameState> Merge<G, $stats> for $name {
            fn merge(&self, node: Merging<$stats>) -> $stats {
                match self {
                    $( $name::$merged(policy) => merged::<G, $merged_policy>(policy, &node), )+
                    $( $name::$alone(_) => node.own, )*
                }
            }
        }

        persist_list! { $name; $($merged,)+ $($alone),* }
    };
}

fn merged<G: GameState, B>(backprop: &B, node: &Merging<Words<16>>) -> Words<16>
where
    B: Backprop<G> + Merge<G, B::Stats>,
    Words<16>: Holds<B::Stats>,
{
    node.own.with(backprop.merge(node.map(Holds::held)))
}

backprops! {
    /// Averages, with proofs or without.
    Averages keeps Words<16>, proves: true, averages: true, derives: false, counts: false;
    merged { Average: Average, Solver: Solver<Average>, Bounds: ScoreBounds<Average> } alone { }
}

backprops! {
    /// Values that follow from those of the children, with proofs or without.
    Derives keeps Words<16>, proves: true, averages: false, derives: true, counts: false;
    merged { Max: MaxBackup, SolvedMax: Solver<MaxBackup>, Power: PowerMean, Softmax: Solver<SoftmaxBackup> } alone { }
}

backprops! {
    /// What changes the rewards, and proves nothing.
    Lean keeps Words<16>, proves: false, averages: false, derives: false, counts: true;
    merged { Average: Average, Contempt: Contempt<Average> } alone { Discounted: Discounted, Recent: RecencyWeighted }
}
