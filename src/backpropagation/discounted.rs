//! Discounted rewards: sooner is better.

use super::{Backprop, Step};
use crate::game::{GameState, Player, Rewards};
use crate::parameter::ParameterError;

/// Averages rewards that shrink towards 1/2 with every step up: an early win is worth more than a late one,
/// and a late loss more than an early one.
///
/// A reward `r` from `d` steps below counts as `1/2 + γ^d (r - 1/2)`. A proven reward counts as in the
/// iteration that proved it: of two certain losses the search plays the later one. Where a player takes a
/// certain reward in place of the result of the iteration, `d` is that of the iteration.
///
/// **Use it** where the search should finish a won game quickly, or prolong a lost one. Avoid it where 1/2 is
/// not the middle of the possible rewards. It is not the discount of Markov decision processes, which moves
/// the sum of the rewards on the way towards 0: here a game has one reward, at its end, and a reward below
/// 1/2 grows with the delay. For such a discount, let the state keep the discounted sum, and return it as the
/// reward.
///
/// **Parameter:** `gamma`, in (0, 1]; use values near 1. In texts of `ramure-lab`, it is 0.99, our guess.
/// With 1 this is [`Average`](super::Average). This is not discounted UCB, which forgets old rewards; for
/// that see [`RecencyWeighted`](super::RecencyWeighted). **Stores** 4 bytes per child, the factor.
/// **Source:** ours. It shrinks around the draw, so that the rewards of two players still sum to one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Discounted {
    gamma: f32,
}

impl Discounted {
    /// Creates a backpropagation that shrinks rewards by the factor `gamma`, in (0, 1], with every step.
    pub const fn new(gamma: f32) -> Self {
        Discounted { gamma }
    }
}

impl<G: GameState> Backprop<G> for Discounted {
    type Stats = f32; // the factor of the latest iteration, 0 before the first

    #[inline(always)]
    fn update(&self, step: impl Step<G, f32>, rewards: &mut Rewards) {
        let factor = match step.followed() {
            // Not 0, because 0 stands for no iteration.
            Some(below) => (self.gamma * below.stats).max(f32::MIN_POSITIVE),
            // The proof that ends the iteration here is as many steps away as in the iteration that found it.
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

/// Returns the factor stored for a node; 1 before its first iteration. A damaged file may hold any number.
#[inline(always)]
fn known(factor: f32) -> f32 {
    if factor == 0.0 { 1.0 } else { factor.clamp(0.0, 1.0) }
}

#[inline(always)]
fn discounted(reward: f32, factor: f32) -> f32 {
    0.5 + factor * (reward - 0.5)
}
