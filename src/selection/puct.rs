//! PUCT, the rule of AlphaGo Zero.

use super::{Choice, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Prior;

/// PUCT: `Q + c P sqrt(N) / (1 + n)`, where `P` is the prior probability of the action.
///
/// **Use it** with an evaluator, or where a heuristic tells good actions from bad before they are tried; it needs
/// priors ([`Evaluate`](crate::simulation::Evaluate) or [`WithPriors`](crate::simulation::WithPriors)), and without good
/// ones UCB1 is the better choice. **Parameters:** `c`, at least 0, 1.25 by default; games
/// and priors differ: tune it. A child never
/// visited counts as a draw, 1/2, unless the search's first-play urgency says otherwise. **Stores** 4 bytes per child,
/// the prior. **Source:** Silver et al., *Mastering the game of Go without human knowledge*, 2017, methods, "Select";
/// after Rosin, *Multi-armed Bandits with Episode Context*, 2011.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Puct {
    c: f32,
}

impl Puct {
    /// With the exploration constant `c`, at least 0.
    pub const fn new(c: f32) -> Self {
        Puct { c }
    }
}

impl Default for Puct {
    fn default() -> Self {
        Puct::new(1.25)
    }
}

impl<G: GameState> TreePolicy<G> for Puct {
    type Stats = Prior;
    const FIRST_PLAY: Option<FirstPlay> = Some(FirstPlay::Value(0.5));
    const SEES_UNVISITED: bool = true;

    #[inline(always)]
    fn select(&self, node: impl Node<G, Prior>, _: &mut Rng) -> Choice {
        let bonus = self.c * node.visits().sqrt();
        let first_play = node.first_play();
        node.argmax(|child| child.mean_or(first_play) + bonus * child.stats().0 / (1.0 + child.visits()))
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = (0.0..f32::INFINITY).contains(&self.c);
        ParameterError::unless(fits, "Puct::c", f64::from(self.c), "finite and at least 0")
    }
}
