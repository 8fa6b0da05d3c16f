//! Softmax exploration.

use super::{Choice, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;

/// Boltzmann exploration, also called softmax: draws a child with a probability proportional to `exp(Q / τ)`.
///
/// **Use it** as a baseline, or where the shares of the visits should vary smoothly with the means. It
/// ignores how often a child was tried, so no fixed temperature makes it converge: a worse child always keeps
/// the share of draws that its mean gives it.
///
/// **Parameter:** `tau`, from 1e-6 to 1000, in units of reward. The default, 0.1, is our guess: a child worse
/// by 0.1 is then drawn 2.7 times less often. It takes no [deviations](super::Exploration): it does not balance
/// a bonus, but says which loss of reward matters. An unvisited child comes first, unless the search's
/// first-play urgency gives it a mean. **Stores** nothing. **Cost:** two logarithms per child and visit, for a Gumbel
/// draw: taking the greatest sum of `Q / τ` and a Gumbel draw selects with exactly these probabilities.
///
/// **Source:** Sutton and Barto, *Reinforcement Learning*, 1st edition, 1998, section 2.3. Cesa-Bianchi and
/// Fischer, *Finite-Time Regret Bounds for the Multiarmed Bandit Problem*, 1998, analyse temperatures that
/// fall; this one is constant.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Boltzmann;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(Boltzmann::new(0.05));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Boltzmann {
    tau: f64,
}

impl Boltzmann {
    /// Creates the policy with the temperature `tau`, from 1e-6 to 1000.
    pub const fn new(tau: f64) -> Self {
        Boltzmann { tau }
    }
}

impl Default for Boltzmann {
    fn default() -> Self {
        Boltzmann::new(0.1)
    }
}

impl<G: GameState> TreePolicy<G> for Boltzmann {
    type Stats = ();
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, ()>, rng: &mut Rng) -> Choice {
        let first_play = node.first_play();
        let (mut best, mut greatest) = (Choice::UNTRIED, f64::NEG_INFINITY);
        for (choice, child) in node.choices() {
            let value = child.mean_or(first_play);
            if value == f32::INFINITY {
                return choice;
            }
            let noisy = f64::from(value) / self.tau + math::gumbel(rng);
            if noisy > greatest {
                (best, greatest) = (choice, noisy);
            }
        }
        best
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_in(1e-6..=1000.0, "Boltzmann::tau", self.tau, "from 0.000001 to 1000")
    }
}
