//! The building blocks of the lists of backpropagations.

use super::able::Full;
use super::error::ReadError;
use super::packed::{Holds, begins_with_zeros};
use super::parameters::Parameters;
use core::marker::PhantomData;
use ramure::Rewards;
use ramure::backpropagation::{Backprop, Step};
use ramure::statistics::Pack;
use std::sync::Arc;

/// A backpropagation that was read.
pub(super) struct Make<G, A> {
    /// Creates the backpropagation, wrapped in the enum over all of them.
    pub make: Arc<dyn Fn() -> A + Send + Sync>,
    /// Whether it uses the length of games.
    pub counts: bool,
    game: PhantomData<fn(G)>,
}

impl<G: Full, A: 'static> Make<G, A> {
    pub fn of<B: Backprop<G, Stats: Pack> + 'static>(
        _: &mut Parameters,
        make: impl Fn() -> B + Send + Sync + 'static,
        wrap: fn(B) -> A,
    ) -> Result<Self, ReadError> {
        make().check()?;
        debug_assert!(begins_with_zeros::<B::Stats>(), "the default statistics must pack to zeros");
        Ok(Make { make: Arc::new(move || wrap(make())), counts: B::COUNTS, game: PhantomData })
    }
}

/// Calls a short backpropagation inside the loop.
#[inline(always)]
pub(super) fn update<G: Full, H: Holds, B: Backprop<G, Stats: Pack>>(
    backprop: &B,
    step: impl Step<G, H>,
    rewards: &mut Rewards,
) {
    backprop.update(step.map_stats(H::held::<B::Stats>, |_, stats| H::holding(stats)), rewards);
}

/// Calls a long backpropagation outside the loop. Inside it, the code of a whole list would be repeated.
#[inline(never)]
pub(super) fn update_apart<G: Full, H: Holds, B: Backprop<G, Stats: Pack>>(
    backprop: &B,
    step: impl Step<G, H>,
    rewards: &mut Rewards,
) {
    update(backprop, step, rewards);
}

/// Implements `Backprop` for a list of backpropagations with the statistics `$stats`.
macro_rules! backprop {
    ($name:ident matched by $each:ident, keeps $stats:ty, updated by $update:ident) => {
        impl<G: Full> Backprop<G> for $name<G> {
            type Stats = $stats;
            const PROVES: bool = true;
            // A policy of the list may not keep it.
            const KEEPS_ORDER: bool = false;

            #[inline(always)]
            fn look(&self, state: &G, stats: $stats) -> Result<$stats, GameFault> {
                $each!(self, policy => Backprop::<G>::look(policy, state, stats.held()).map(Holds::holding))
            }
            #[inline(always)]
            fn update(&self, step: impl Step<G, $stats>, rewards: &mut Rewards) {
                $each!(self, policy => backprop::$update(policy, step, rewards));
            }
            #[inline(always)]
            fn certain(&self, stats: $stats, player: Player) -> Option<f32> {
                $each!(self, policy => Backprop::<G>::certain(policy, stats.held(), player))
            }
            #[inline(always)]
            fn worth(&self, stats: $stats, rewards: &Rewards, player: Player) -> f32 {
                $each!(self, policy => Backprop::<G>::worth(policy, stats.held(), rewards, player))
            }
            fn check(&self) -> Result<(), ParameterError> {
                $each!(self, policy => Backprop::<G>::check(policy))
            }
            fn begin_tree(&mut self) {
                $each!(self, policy => Backprop::<G>::begin_tree(policy));
            }
            fn knows(&self, stats: $stats, players: u8) -> bool {
                $each!(self, policy => Backprop::<G>::knows(policy, stats.held(), players))
            }
        }

        impl<G: Full> From<$name<G>> for AnyBackprop<G> {
            fn from(policy: $name<G>) -> Self {
                AnyBackprop::$name(policy)
            }
        }
    };
}
pub(super) use backprop;
