//! The prior probability of an action and the evaluator's value of the state.

use super::{KeepsPrior, Prior, Statistics};
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Player, Rewards};
use crate::simulation::{Position, Priors};
use smallvec::SmallVec;

/// The [`Prior`] of an action, and the evaluator's value `v̂` of the state in which it can be chosen, for the
/// player who chooses. 8 bytes per child; siblings hold the same value.
///
/// Written when the node is expanded. A rollout policy that gives priors without values
/// ([`WithPriors`](crate::simulation::WithPriors)) leaves the value empty.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct ValuedPrior {
    pub(crate) prior: f32,
    /// Negative if there is no value.
    pub(crate) value: f32,
}

impl KeepsPrior for ValuedPrior {
    #[inline(always)]
    fn prior(self) -> f32 {
        self.prior
    }

    #[inline(always)]
    fn with_prior(self, prior: f32) -> Self {
        ValuedPrior { prior, ..self }
    }

    #[inline(always)]
    fn value(self) -> Option<f32> {
        (self.value >= 0.0).then_some(self.value)
    }
}

impl<G: GameState, R: Priors<G>> Statistics<G, R> for ValuedPrior {
    priors_of_rollouts!();

    fn initialize(
        rollout_policy: &R,
        player: Player,
        priors: &[f32],
        value: Option<&Rewards>,
        stats: &mut [Self],
    ) -> Result<(), GameFault> {
        let mut normalized: SmallVec<[Prior; 64]> = SmallVec::from_elem(Prior::default(), stats.len());
        <Prior as Statistics<G, R>>::initialize(rollout_policy, player, priors, value, &mut normalized)?;
        let of_mover = value.and_then(|rewards| rewards.as_slice().get(usize::from(player)).copied());
        // The simulation reports a value out of range as an error.
        let value = of_mover.filter(|value| (0.0..=1.0).contains(value)).unwrap_or(-1.0);
        for (stats, &Prior(prior)) in stats.iter_mut().zip(&normalized) {
            *stats = ValuedPrior { prior, value };
        }
        Ok(())
    }

    fn prior(self) -> Option<f32> {
        Some(self.prior)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_zero_is_a_value() {
        assert_eq!(
            [-1.0, 0.0, 0.5].map(|value| ValuedPrior { prior: 0.5, value }.value()),
            [None, Some(0.0), Some(0.5)]
        );
    }
}
