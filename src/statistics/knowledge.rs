//! The heuristic value of an action.

use super::Statistics;
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, Player, Rewards};
use crate::simulation::{Position, Priors};

/// The heuristic value *H* of an action, unchanged: any finite number. 4 bytes per child.
///
/// A rollout policy that gives [`Priors`] writes it when the node is expanded. Unlike a
/// [`Prior`](super::Prior) it is not divided by the sum over the siblings, and it may be negative, or 0 for
/// all of them. The report does not show it as a prior, because it is not a probability, but you can have
/// children [tried in its order](crate::Order::Prior).
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Knowledge(pub f32);

impl<G: GameState, R: Priors<G>> Statistics<G, R> for Knowledge {
    priors_of_rollouts!();

    fn initialize(
        _: &R,
        _: Player,
        priors: &[f32],
        _: Option<&Rewards>,
        stats: &mut [Self],
    ) -> Result<(), GameFault> {
        for (index, (stats, &value)) in stats.iter_mut().zip(priors).enumerate() {
            if !value.is_finite() {
                return Err(GameFault::Heuristic { index });
            }
            *stats = Knowledge(value);
        }
        Ok(())
    }

    fn promise(self) -> Option<f32> {
        Some(self.0)
    }
}
