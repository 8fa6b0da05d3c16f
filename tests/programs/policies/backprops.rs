//! Backpropagations chosen at run time. A list has those whose constants are the same.

use super::{Holds, Words, persist_list};
use crate::backpropagation::{
    Average, Backprop, Contempt, Discounted, MaxBackup, PowerMean, RecencyWeighted, ScoreBounds,
    SoftmaxBackup, Solver, Step,
};
use crate::game::{GameFault, GameState, Player, Rewards};
use crate::parameter::ParameterError;

macro_rules! backprops {
    (
        $(#[$about:meta])* $name:ident keeps $stats:ty, proves: $proves:literal, averages: $averages:literal, derives: $derives:literal, counts: $counts:literal;
        $($variant:ident: $policy:ty),+ $(,)?
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub enum $name { $($variant($policy),)+ }

        impl<G: GameState> Backprop<G> for $name {
            type Stats = $stats;
            const PROVES: bool = $proves;
            const AVERAGES: bool = $averages;
            const DERIVES: bool = $derives;
            const COUNTS: bool = $counts;

            fn look(&self, state: &G, stats: $stats) -> Result<$stats, GameFault> {
                Ok(match self {
                    $( $name::$variant(policy) => stats.with(policy.look(state, stats.held())?), )+
                })
            }
            fn update(&self, step: impl Step<G, $stats>, rewards: &mut Rewards) {
                match self {
                    $( $name::$variant(policy) => policy.update(step.map_stats(Holds::held, Holds::with), rewards), )+
                }
            }
            fn certain(&self, stats: $stats, player: Player) -> Option<f32> {
                match self {
                    $( $name::$variant(policy) => Backprop::<G>::certain(policy, stats.held(), player), )+
                }
            }
            fn worth(&self, stats: $stats, rewards: &Rewards, player: Player) -> f32 {
                match self {
                    $( $name::$variant(policy) => Backprop::<G>::worth(policy, stats.held(), rewards, player), )+
                }
            }
            fn check(&self) -> Result<(), ParameterError> {
                match self {
                    $( $name::$variant(policy) => Backprop::<G>::check(policy), )+
                }
            }
        }

        persist_list! { $name; $($variant),+ }
    };
}

backprops! {
    /// Averages, with proofs or without.
    Averages keeps Words<16>, proves: true, averages: true, derives: false, counts: false;
    Average: Average, Solver: Solver<Average>, Bounds: ScoreBounds<Average>
}

backprops! {
    /// Values that follow from those of the children, with proofs or without.
    Derives keeps Words<16>, proves: true, averages: false, derives: true, counts: false;
    Max: MaxBackup, SolvedMax: Solver<MaxBackup>, Power: PowerMean, Softmax: Solver<SoftmaxBackup>
}

backprops! {
    /// What changes the rewards, and proves nothing.
    Lean keeps Words<16>, proves: false, averages: false, derives: false, counts: true;
    Average: Average, Contempt: Contempt<Average>, Discounted: Discounted, Recent: RecencyWeighted
}
