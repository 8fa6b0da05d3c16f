//! Children weighted by how good they are.

use super::values::back_up;
use super::{Backprop, Step, Values};
use crate::game::{GameState, Rewards};
use crate::math;
use crate::parameter::ParameterError;

/// A node is worth the mean of its children, weighted by `exp(Q_i / τ)`: the Boltzmann softmax.
///
/// `Q = Σ Q_i exp(Q_i / τ) / Σ exp(Q_i / τ)` over the children tried, by the values of the player to move; the other players'
/// values are averaged with the same weights. Visits do not count. Where chance is to move the values of the outcomes are
/// averaged by visits.
///
/// **It does not converge to the exact value**, however long the search, as long as children differ and `tau` is not 0; and it may
/// prefer the worse of two actions for ever. **Use it** as a softer [`MaxBackup`](super::MaxBackup), where leaves
/// are valued: with single rollouts it believes the lucky children, not much less than that one does. **Parameter:** `tau`, the temperature, finite and above 0: near 0 it is the greatest child, large the
/// plain mean of all; the default, 0.1, makes a child that is better by a tenth count 2.7 times as much. **Stores** 32 bytes per
/// child. **Cost:** an exponential per child tried, for every step. **Source:** the operator "boltz" of Asadi and Littman,
/// *An Alternative Softmax Operator for Reinforcement Learning*, 2017, with `β = 1 / τ`, who show what is wrong with it; here for
/// the backups of a tree. (The softmax of maximum-entropy tree search, Xiao and others 2019, adds an entropy, and so leaves the
/// range of rewards: it is another one.)
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SoftmaxBackup {
    tau: f32,
}

impl SoftmaxBackup {
    /// With the temperature `tau`, finite and above 0. (Any other is an error when the search runs.)
    pub const fn new(tau: f32) -> Self {
        SoftmaxBackup { tau }
    }
}

impl Default for SoftmaxBackup {
    fn default() -> Self {
        SoftmaxBackup::new(0.1)
    }
}

impl<G: GameState> Backprop<G> for SoftmaxBackup {
    type Stats = Values;

    #[inline]
    fn update(&self, step: impl Step<G, Values>, rewards: &mut Rewards) {
        back_up(step, rewards, |mover| {
            let greatest = step.tried().map(|child| child.stats.exactly(mover)).fold(0.0, f64::max);
            let tau = f64::from(self.tau);
            // Less the greatest, so that no weight is too large for a number.
            let weight = |values: Values| math::exp((values.exactly(mover) - greatest) / tau);
            Values::mean(rewards.players(), step.tried().map(|child| (weight(child.stats), child.stats)))
        });
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.tau > 0.0 && self.tau < f32::INFINITY;
        ParameterError::unless(fits, "SoftmaxBackup::tau", f64::from(self.tau), "finite and above 0")
    }
}
