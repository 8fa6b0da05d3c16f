//! Children weighted by their values.

use super::values::derives_values;
use super::{Backprop, Step, Values};
use crate::game::{GameState, Player, Rewards};
use crate::math;
use crate::parameter::ParameterError;

/// Values a node by the mean of its children's values, weighted by `exp(Q_i / τ)`: the Boltzmann softmax.
///
/// `Q = Σ Q_i exp(Q_i / τ) / Σ exp(Q_i / τ)` over the children tried, by the values for the player to move.
/// The other players' values are averaged with the same weights. Visits do not count. Where chance moves, the
/// values of the outcomes are averaged by visits.
///
/// **It does not converge to the exact value**, however long the search, as long as children differ and `tau`
/// is not 0, and it may always prefer the worse of two actions. **Use it** as a softer
/// [`MaxBackup`](super::MaxBackup), where leaves are evaluated, and explore as much as with that. With single
/// rollouts it overestimates lucky children almost as much as `MaxBackup` does.
///
/// **Parameter:** `tau`, the temperature, finite and above 0. A value near 0 gives the greatest child, a
/// large value the plain mean of all. With the default, 0.1, a child that is better by 0.1 counts 2.7 times
/// as much. **Stores** 32 bytes per child. **Cost:** an exponential per child tried, for every step.
///
/// **Source:** the operator "boltz" of Asadi and Littman, *An Alternative Softmax Operator for Reinforcement
/// Learning*, 2017, with `β = 1 / τ`; the paper shows its shortcomings. Here it is applied to the backups of
/// a tree. (The softmax of maximum-entropy tree search, Xiao and others 2019, is a different operator: it
/// adds an entropy, and so leaves the range of rewards.)
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SoftmaxBackup {
    tau: f32,
}

impl SoftmaxBackup {
    /// Creates a backpropagation with the temperature `tau`, finite and above 0. (Any other value is an error
    /// when the search runs.)
    pub const fn new(tau: f32) -> Self {
        SoftmaxBackup { tau }
    }

    /// Returns the values of a node where `mover` is the player to move and at least one child was tried.
    #[inline(always)]
    fn of<G: GameState>(self, step: impl Step<G, Values>, mover: Player, players: u8) -> Values {
        let greatest = step.tried().map(|child| child.stats.exactly(mover)).fold(0.0, f64::max);
        let tau = f64::from(self.tau);
        // Relative to the greatest value, to prevent overflow.
        let weight = |values: Values| math::exp((values.exactly(mover) - greatest) / tau);
        Values::mean(players, step.tried().map(|child| (weight(child.stats), child.stats)))
    }
}

impl Default for SoftmaxBackup {
    fn default() -> Self {
        SoftmaxBackup::new(0.1)
    }
}

impl<G: GameState> Backprop<G> for SoftmaxBackup {
    derives_values! {}

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.tau > 0.0 && self.tau < f32::INFINITY;
        ParameterError::unless(fits, "SoftmaxBackup::tau", f64::from(self.tau), "finite and above 0")
    }
}
