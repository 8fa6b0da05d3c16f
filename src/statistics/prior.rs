//! The prior probability of an action.

use super::Statistics;
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Player, Rewards};
use crate::simulation::{Position, Priors};

/// The prior probability *P* of an action, in [0, 1]. The priors of siblings sum to one. 4 bytes per child.
///
/// A rollout policy that gives [`Priors`] writes it when the node is expanded.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Prior(pub f32);

impl<G: GameState, R: Priors<G>> Statistics<G, R> for Prior {
    priors_of_rollouts!();

    fn initialize(
        _: &R,
        _: Player,
        priors: &[f32],
        _: Option<&Rewards>,
        stats: &mut [Self],
    ) -> Result<(), GameFault> {
        for (index, &prior) in priors.iter().enumerate() {
            if !(0.0..f32::INFINITY).contains(&prior) {
                return Err(GameFault::Prior { index, prior: f64::from(prior) });
            }
        }
        let sum: f64 = priors.iter().map(|&prior| f64::from(prior)).sum();
        if sum == 0.0 {
            return Err(GameFault::NoPrior);
        }
        let scale = 1.0 / sum;
        for (stats, &prior) in stats.iter_mut().zip(priors) {
            *stats = Prior((f64::from(prior) * scale) as f32);
        }
        Ok(())
    }

    fn prior(self) -> Option<f32> {
        Some(self.0)
    }
}

/// Statistics that contain a prior probability: [`Prior`], and types that contain one among other numbers. In
/// a pair, the first must contain it.
///
/// **Who needs it:** root policies that read or change priors, whatever else the tree policy keeps.
#[diagnostic::on_unimplemented(
    message = "`{Self}`, which the tree policy keeps per child, has no prior probability",
    label = "no prior",
    note = "use a tree policy that reads priors, such as `Puct`, below this root policy"
)]
pub trait KeepsPrior: Copy {
    /// Returns the prior probability.
    fn prior(self) -> f32;

    /// Returns these statistics with another prior.
    #[must_use]
    fn with_prior(self, prior: f32) -> Self;

    /// Returns the evaluator's value of the state in which the action can be chosen, for the player who
    /// chooses, if the statistics keep it. \[Default: `None`\]
    #[inline(always)]
    fn value(self) -> Option<f32> {
        None
    }
}

impl KeepsPrior for Prior {
    #[inline(always)]
    fn prior(self) -> f32 {
        self.0
    }

    #[inline(always)]
    fn with_prior(self, prior: f32) -> Self {
        Prior(prior)
    }
}

impl<A: KeepsPrior, B: Copy> KeepsPrior for (A, B) {
    #[inline(always)]
    fn prior(self) -> f32 {
        self.0.prior()
    }

    #[inline(always)]
    fn with_prior(self, prior: f32) -> Self {
        (self.0.with_prior(prior), self.1)
    }

    #[inline(always)]
    fn value(self) -> Option<f32> {
        self.0.value()
    }
}
