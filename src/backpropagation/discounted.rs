//! Sooner is better.

use super::{Backprop, Step};
use crate::game::{GameState, Player, Rewards};
use crate::parameter::ParameterError;

/// Averages rewards that shrink towards 1/2 with every step up: an early win is worth more than a late one, a late loss
/// more than an early one.
///
/// From `d` steps below, a reward `r` counts as `1/2 + γ^d (r - 1/2)`. A reward that is proven counts as in the iteration that proved it:
/// of two certain losses the later one is played. Where a player takes a reward that is certain instead of what the iteration
/// brings, the steps of the iteration count.
///
/// **Use it** where the search should finish a won
/// game, or prolong a lost one. **Parameter:** `gamma`, in (0, 1]; near 1, as 0.99, which it is by text, a guess of ours: with 1 it is
/// [`Average`](super::Average). This is not discounted UCB, which forgets old rewards: see [`Recent`](super::Recent). **Not** where
/// 1/2 is not the middle of what may come. **Stores** 4 bytes per child, the factor. **Source:** the discount of Markov decision processes, taken about
/// the draw so that no player gains by length alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Discounted {
    gamma: f32,
}

impl Discounted {
    /// Shrinks by the factor `gamma`, in (0, 1], with every step.
    pub const fn new(gamma: f32) -> Self {
        Discounted { gamma }
    }
}

impl<G: GameState> Backprop<G> for Discounted {
    type Stats = f32; // the factor of the latest iteration, 0 before the first

    #[inline(always)]
    fn update(&self, step: impl Step<G, f32>, rewards: &mut Rewards) {
        let factor = match step.followed() {
            // Not 0, which would stand for no iteration.
            Some(below) => (self.gamma * below).max(f32::MIN_POSITIVE),
            // The proof that ends the iteration here came from as far below as the iteration that found it.
            None if step.is_cut_short() => known(step.stats()),
            None => 1.0,
        };
        step.set_stats(factor);
        step.record(discounted(rewards[step.chooser()], factor));
    }

    #[inline(always)]
    fn worth(&self, factor: f32, rewards: &Rewards, player: Player) -> f32 {
        discounted(rewards[player], known(factor))
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.gamma > 0.0 && self.gamma <= 1.0;
        ParameterError::unless(fits, "Discounted::gamma", f64::from(self.gamma), "in (0, 1]")
    }
}

/// The factor that is kept for a node; 1 before its first iteration.
#[inline(always)]
fn known(factor: f32) -> f32 {
    if factor == 0.0 { 1.0 } else { factor }
}

#[inline(always)]
fn discounted(reward: f32, factor: f32) -> f32 {
    0.5 + factor * (reward - 0.5)
}
