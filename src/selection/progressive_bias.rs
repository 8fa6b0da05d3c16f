//! UCB1 with a heuristic bias that fades.

use super::{Choice, Exploration, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Knowledge;

/// Progressive bias: `Q + c sqrt(ln N / n) + w H / (n + 1)`, where `H` is the heuristic value of the action.
///
/// **Use it** where a heuristic roughly distinguishes good actions from bad ones. The heuristic leads while
/// an action has few visits, and then fades. Avoid it where the heuristic is often wrong, because actions
/// that it rates low are tried late. Where the heuristic gives probabilities, try [`Puct`](super::Puct). `H`
/// comes from [`WithPriors`](crate::simulation::WithPriors) or [`Evaluate`](crate::simulation::Evaluate) and
/// is used unchanged; it may be any finite number.
///
/// **Parameters:** `c`, an [`Exploration`], one deviation of the rewards by default as in
/// [`Ucb1`](super::Ucb1), and the weight `w`, from 0 to 1000, 1 by default. The paper has no `w`; its `H`
/// includes the weight.
///
/// An unvisited child has an infinite bonus, so every child is tried once before any is tried twice, and
/// [`Order::Prior`](crate::Order::Prior) tries them in the order of `H`. A finite first-play urgency replaces
/// the UCB1 part, and `w H` stays. The paper leaves the first 30 visits of a node to the simulation strategy;
/// use [`Expansion::on_visit`](crate::Expansion::on_visit) for that.
///
/// **Stores** 4 bytes per child, `H`. **Source:** Chaslot et al., *Progressive Strategies for Monte-Carlo
/// Tree Search*, 2008, "Progressive bias".
///
/// ```
/// use ramure::prelude::*;
/// use ramure::{Expansion, Order};
/// use ramure::selection::ProgressiveBias;
/// use ramure::simulation::{Uniform, WithPriors};
/// use ramure_games::{Connect4, connect4::Column};
/// let centre = |_: &Connect4, action: Column| if action.to_string() == "3" { 0.5 } else { 0.0 };
/// let mut search = Mcts::new(Connect4::new())
///     .rollout_policy(WithPriors::new(Uniform, centre))
///     .tree_policy(ProgressiveBias::new(0.5, 1.0))
///     .expansion(Expansion::default().order(Order::Prior));
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProgressiveBias {
    pub(super) c: Exploration,
    weight: f32,
}

impl ProgressiveBias {
    /// Creates the policy with the exploration constant `c`, from 0 to 1000 or
    /// [in deviations](Exploration::deviations), and the `weight` of the heuristic, from 0 to 1000.
    pub fn new(c: impl Into<Exploration>, weight: f32) -> Self {
        ProgressiveBias { c: c.into(), weight }
    }
}

impl Default for ProgressiveBias {
    fn default() -> Self {
        ProgressiveBias::new(Exploration::deviations(1.0), 1.0)
    }
}

impl<G: GameState> TreePolicy<G> for ProgressiveBias {
    type Stats = Knowledge;
    const SEES_UNVISITED: bool = true;

    #[inline(always)]
    fn select(&self, node: impl Node<G, Knowledge>, _: &mut Rng) -> Choice {
        if let Some(starving) = self.c.starving(node) {
            return starving;
        }
        let root = self.c.constant(node.spread()) * node.sqrt_ln_visits();
        let untried = node.untried_score(root);
        node.argmax(|child| {
            let n = child.visits();
            let ucb1 = child.mean() + root / n.max(1.0).sqrt();
            let ucb1 = if n == 0.0 { untried } else { ucb1 };
            ucb1 + self.weight * child.stats().0 / (n + 1.0)
        })
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.c.check("ProgressiveBias::c")?;
        ParameterError::unless_constant("ProgressiveBias::weight", self.weight.into())
    }
}
