//! All moves as first, with a constant weight.

use super::rave::{TIE, above_all};
use super::{Choice, Exploration, Node, TreePolicy};
use crate::game::{ActionIndex, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Amaf;

/// α-AMAF: `α A + (1 - α) (Q + c sqrt(ln N / n))`, where `A` is the all-moves-as-first mean of the action in
/// this node. With `α = 1` it is plain AMAF, with `α = 0` UCB1.
///
/// **Use it** as a baseline, or for very few iterations. Unlike in [`Rave`](super::Rave), the weight of `A`
/// never falls: an error in `A` stays however long the search is, and with `α` above 0 the search need not
/// converge to the best action. It needs numbered actions, [`ActionIndex`].
///
/// **Parameters:** `alpha`, in [0, 1], 1/2 by default, and `c`, an [`Exploration`], one deviation of the
/// rewards by default as in [`Ucb1`](super::Ucb1). Tune both.
///
/// An unvisited child has an infinite bonus: it comes before all visited ones, and among unvisited children
/// the one with the greatest AMAF mean comes first. A finite first-play urgency replaces its UCB1 value; if
/// `α` is 1, the child's value is its AMAF mean. If it has no AMAF mean either, its value is the first-play
/// urgency, to which [`FirstPlay::BelowMean`](super::FirstPlay::BelowMean) adds `1 - α` times the bonus of
/// one visit. Among equal values, the least visited child goes first.
///
/// **Stores** 12 bytes per child. **Cost:** a pass over all siblings along the path, per iteration.
/// **Source:** Helmbold and Parker-Wood, *All-Moves-As-First Heuristics in Monte-Carlo Go*, 2009, "α-AMAF".
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::AlphaAmaf;
/// let mut search = Mcts::new(ramure_games::Hex::new(7)?).tree_policy(AlphaAmaf::new(0.5, 0.3));
/// search.run(Budget::iterations(500))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaAmaf {
    alpha: f32,
    pub(super) c: Exploration,
}

impl AlphaAmaf {
    /// Creates the policy with the weight `alpha` of AMAF means, in [0, 1], and the exploration constant `c`,
    /// from 0 to 1000 or [in deviations](Exploration::deviations).
    pub fn new(alpha: f32, c: impl Into<Exploration>) -> Self {
        AlphaAmaf { alpha, c: c.into() }
    }
}

impl Default for AlphaAmaf {
    fn default() -> Self {
        AlphaAmaf::new(0.5, Exploration::deviations(1.0))
    }
}

impl<G: ActionIndex> TreePolicy<G> for AlphaAmaf {
    type Stats = Amaf;
    const SEES_UNVISITED: bool = true;

    #[inline]
    fn select(&self, node: impl Node<G, Amaf>, _: &mut Rng) -> Choice {
        let (alpha, rest) = (self.alpha, 1.0 - self.alpha);
        if rest > 0.0
            && let Some(starving) = self.c.starving(node)
        {
            return starving;
        }
        let root = self.c.constant(node.spread()) * node.sqrt_ln_visits();
        // The UCB1 part of an unvisited child, and the whole value of a child with neither visits nor AMAF
        // values.
        let untried = match (rest, node.untried_score(root)) {
            (0.0, _) => 0.0,
            (_, f32::INFINITY) => above_all(root),
            (_, finite) => rest * finite,
        };
        let unknown = node.untried_score(rest * root);
        node.argmax(|child| {
            let (n, amaf) = (child.visits(), child.stats());
            let tried = rest * (child.mean() + root / n.max(1.0).sqrt());
            let ucb1 = if n == 0.0 { untried } else { tried };
            let mixed = alpha * amaf.mean.value + ucb1 + TIE / (1.0 + n);
            if n + amaf.visits == 0.0 { unknown } else { mixed }
        })
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_in(0.0..=1.0, "AlphaAmaf::alpha", self.alpha, "in [0, 1]")?;
        self.c.check("AlphaAmaf::c")
    }

    fn skips_refuted(&self) -> bool {
        true
    }
}
