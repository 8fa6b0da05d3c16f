//! Between the average and the best child.

use super::values::derives_values;
use super::{Backprop, Step, Values};
use crate::game::{GameState, Player, Rewards};
use crate::math;
use crate::parameter::ParameterError;

/// Values a node by the power mean of its children's values, weighted by visits: `Q = (Σ n_i / N ·
/// Q_i^p)^(1/p)`.
///
/// With `p` = 1 this is the average of the children. As `p` grows, it approaches the greatest of them
/// ([`MaxBackup`](super::MaxBackup)). This is the value for the player to move. The other players get the
/// average of the children, moved towards the best child by the same fraction as the value of the player to
/// move, so the values of two players whose rewards sum to one still do. Where chance moves, the values of
/// the outcomes are averaged by visits, as in the paper.
///
/// **Use it** where averages are slow to show that one action is good, above all in games of one player.
/// **Parameter:** `p`, finite and at least 1; the default, 2, is mild. **Stores** 32 bytes per child.
/// **Cost:** a power per child tried, for every step.
///
/// **Source:** Dam, Klink, D'Eramo, Peters and Pajarinen, *Generalized Mean Estimation in Monte-Carlo Tree
/// Search*, 2020 (Power-UCT). There too, visits of a node that did not reach its children do not count. The
/// paper has one player, and chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PowerMean {
    p: f32,
}

impl PowerMean {
    /// Creates a backpropagation with the exponent `p`, finite and at least 1. (Any other value is an error
    /// when the search runs.)
    pub const fn new(p: f32) -> Self {
        PowerMean { p }
    }

    /// Returns the values of a node where `mover` is the player to move and at least one child was tried.
    fn of<G: GameState>(self, step: impl Step<G, Values>, mover: Player, players: u8) -> Values {
        let p = f64::from(self.p);
        let average = Values::mean(players, step.tried().map(|child| (f64::from(child.visits), child.stats)));
        let best = Values::best(mover, step.tried().map(|child| child.stats)).unwrap_or_default();
        let (least, most) = (average.exactly(mover), best.exactly(mover));
        if p == 1.0 || least == most {
            return average;
        }
        let (mut sum, mut visits) = (0.0, 0.0);
        // Folded, not a `for` loop, as in `Values::mean`.
        step.tried().for_each(|child| {
            visits += f64::from(child.visits);
            // Divided by the greatest value, to prevent underflow.
            sum += f64::from(child.visits) * math::pow(child.stats.exactly(mover) / most, p);
        });
        let mean = most * math::pow(sum / visits, 1.0 / p);
        let share = ((mean - least) / (most - least)).clamp(0.0, 1.0);
        Values::new(players, |player| {
            let (from, to) = (average.exactly(player), best.exactly(player));
            from + share * (to - from)
        })
    }
}

impl Default for PowerMean {
    fn default() -> Self {
        PowerMean::new(2.0)
    }
}

impl<G: GameState> Backprop<G> for PowerMean {
    derives_values! {}

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_in(1.0..f64::INFINITY, "PowerMean::p", self.p, "finite and at least 1")
    }
}
