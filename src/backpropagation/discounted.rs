//! Sooner is better.

use super::{Backprop, Step};
use crate::game::{GameState, Rewards};
use crate::parameter::ParameterError;

/// Averages rewards that shrink towards 1/2 with every step up: an early win is worth more than a late one, a late loss
/// more than an early one.
///
/// From `d` steps below, a reward `r` counts as `1/2 + γ^d (r - 1/2)`. **Use it** where the search should finish a won
/// game, or prolong a lost one. **Parameter:** `gamma`, in (0, 1]; near 1, as 0.99, which it is by text, a guess of ours: with 1 it is
/// [`Average`](super::Average). This is not discounted UCB, which forgets old rewards: see [`Recent`](super::Recent). **Not** where
/// 1/2 is not the middle of what may come. **Stores** nothing. **Source:** the discount of Markov decision processes, taken about
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
    type Stats = ();

    #[inline(always)]
    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(rewards[step.chooser()]);
        *rewards = Rewards::new(rewards.players(), |player| 0.5 + self.gamma * (rewards[player] - 0.5));
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.gamma > 0.0 && self.gamma <= 1.0;
        ParameterError::unless(fits, "Discounted::gamma", f64::from(self.gamma), "in (0, 1]")
    }
}
