//! UCB1 with a bonus that depends on the variance.

use super::{Choice, Event, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Moments;

/// UCB1-Tuned: `Q + c sqrt(ln N / n · min(1/4, V))`, where `V = s² + sqrt(2 ln N / n)` is an upper bound on
/// the variance of the child's rewards and `s²` is the observed variance.
///
/// **Use it** if you have no tuned constant for UCB1: it explores less where rewards vary little. Avoid it
/// where a child whose rewards were all alike may still turn out differently: it hardly tries such a child
/// again.
///
/// **Parameter:** `c`, from 0 to 1000; the default, 1, is the paper's. It takes no
/// [deviations](super::Exploration), because `s` is one already; but the bound is for rewards spread over
/// [0, 1], and explores too much where they lie close together. **Stores** 24 bytes per child: the
/// sums of the rewards and of their squares, and the values derived from them. The variance is always that of
/// the rewards, even if the backpropagation changes the mean.
///
/// **Source:** Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002,
/// section 4.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ucb1Tuned {
    c: f32,
}

impl Ucb1Tuned {
    /// Creates the policy with the paper's bonus multiplied by `c`, from 0 to 1000.
    pub const fn new(c: f32) -> Self {
        Ucb1Tuned { c }
    }
}

impl Default for Ucb1Tuned {
    fn default() -> Self {
        Ucb1Tuned::new(1.0)
    }
}

impl<G: GameState> TreePolicy<G> for Ucb1Tuned {
    type Stats = Moments;

    #[inline(always)]
    fn select(&self, node: impl Node<G, Self::Stats>, _: &mut Rng) -> Choice {
        let root = node.sqrt_ln_visits();
        let twice = core::f32::consts::SQRT_2 * root;
        let bonus = self.c * root;
        node.argmax(|child| {
            let (rare, variance) = (child.stats().rarity, child.stats().variance);
            child.mean() + bonus * rare * (variance + twice * rare).min(0.25).sqrt()
        })
    }

    #[inline(always)]
    fn update(&self, moments: Moments, visits: f32, reward: f32) -> Moments {
        moments.with(reward, visits)
    }

    #[inline(always)]
    fn notice(&self, moments: Moments, event: Event<Moments>) -> Moments {
        if let Event::Recounted(visits) = event { moments.recounted(visits) } else { moments }
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_constant("Ucb1Tuned::c", self.c.into())
    }
}
