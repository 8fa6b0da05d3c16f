//! Rapid action value estimation.

use super::{Child, Choice, Exploration, Node, TreePolicy};
use crate::game::{ActionIndex, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Amaf;

/// RAVE, called MC-RAVE in the paper: `(1 - β) Q + β A`, where `A` is the all-moves-as-first mean of the
/// action in this node. Also UCT-RAVE: `(1 - β) Q + β A + c sqrt(ln N / n)`.
///
/// There are two schedules for `β`. [`new`](Self::new) uses the schedule of minimum mean squared error, `β =
/// p / (p + n + bias · p · n)`, where `p` is the number of iterations behind `A`.
/// [`hand_selected`](Self::hand_selected) uses `β = sqrt(k / (3N + k))`, where `N` is the number of visits of
/// the node and `k` the number at which `Q` and `A` have equal weights.
///
/// **Use it** as the classic baseline for [`Grave`](super::Grave). `A` may stay wrong however long the search
/// is. Without `c`, an action that is good now but bad when played later may never be tried again, and RAVE
/// then does not converge to the best action. With `c` above 0 it converges, provided that the schedule takes
/// β to 0 (a `bias` of 0 does not).
///
/// **Parameters:** `bias`, at least 0, 1e-3 by default: the smaller it is, the longer `A` counts (the paper
/// writes `b̃`, with `bias = 4 b̃²`). Or `k`, above 0: the paper's programs were strongest with 1000 or more.
/// And `c`, an [`Exploration`], 0 by default.
///
/// The value of an unvisited child is its AMAF mean alone. A child without an AMAF mean comes before all
/// others, unless the search's first-play urgency says otherwise. With `c` above 0 an unvisited child has an
/// infinite bonus: it comes before all visited ones, and among unvisited children the one with the greatest
/// AMAF mean comes first. With [`FirstPlay::Value`](super::FirstPlay::Value) it has no bonus, so an action
/// with a low AMAF mean may never be tried; with [`FirstPlay::BelowMean`](super::FirstPlay::BelowMean) it has
/// the bonus of one visit.
///
/// **Stores** 12 bytes per child. **Cost:** a pass over all siblings along the path, per iteration.
/// **Source:** Gelly and Silver, *Monte-Carlo tree search and rapid action value estimation in computer Go*,
/// 2011, "MC-RAVE", "UCT-RAVE", "Hand-selected schedule" and "Minimum MSE schedule": equations 12, 18, 19 and
/// 47 in the numbering of the authors' own version. The paper counts only the first action on a point in an
/// iteration; here an action counts for each player who plays it.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Rave;
/// let hex = ramure_games::Hex::new(7)?;
/// let mut search = Mcts::new(hex).tree_policy(Rave::hand_selected(1000.0).exploration(0.1));
/// search.run(Budget::iterations(500))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rave {
    schedule: Schedule,
    pub(super) c: Exploration,
}

/// The schedule by which the weight of AMAF values falls.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Schedule {
    MinimumMse { bias: f32 },
    HandSelected { k: f32 },
}

impl Rave {
    /// Creates the policy with the schedule of minimum mean squared error and `bias`, finite and at least 0.
    pub const fn new(bias: f32) -> Self {
        Rave { schedule: Schedule::MinimumMse { bias }, c: Exploration::fixed(0.0) }
    }

    /// Creates the policy with the hand-selected schedule: at `k` visits of the node, finite and above 0,
    /// both means have equal weights.
    pub const fn hand_selected(k: f32) -> Self {
        Rave { schedule: Schedule::HandSelected { k }, c: Exploration::fixed(0.0) }
    }

    /// Turns the policy into UCT-RAVE with the exploration constant `c`, from 0 to 1000 or
    /// [in deviations](Exploration::deviations). \[Default: 0, no exploration\]
    #[must_use]
    pub fn exploration(mut self, c: impl Into<Exploration>) -> Self {
        self.c = c.into();
        self
    }

    /// Returns the best child, with the weights `beta(n, p)`.
    #[inline(always)]
    fn best<G: ActionIndex>(&self, node: impl Node<G, Amaf>, beta: impl Fn(f32, f32) -> f32) -> Choice {
        if let Some(starving) = self.c.starving(node) {
            return starving;
        }
        let first_play = node.first_play();
        let c = self.c.constant(node.spread());
        if c == 0.0 {
            return node.argmax(|child| {
                let amaf = child.stats();
                blend(child, amaf, beta(child.visits(), amaf.visits), first_play)
            });
        }
        let root = c * node.sqrt_ln_visits();
        let lift =
            if first_play == f32::INFINITY { above_all(root) } else { node.untried_score(root) - first_play };
        node.argmax(|child| {
            let (n, amaf) = (child.visits(), child.stats());
            let bonus = if n == 0.0 { lift } else { root / n.max(1.0).sqrt() };
            blend(child, amaf, beta(n, amaf.visits), first_play) + bonus
        })
    }
}

/// Returns the mean of `child` mixed with that of `amaf` by the weight `beta`, or `first_play` if there is
/// neither.
#[inline(always)]
pub(super) fn blend<A: Clone>(child: Child<'_, A, Amaf>, amaf: Amaf, beta: f32, first_play: f32) -> f32 {
    let (n, p) = (child.visits(), amaf.visits);
    let mixed = child.mean() + beta * (amaf.mean.value - child.mean()) + TIE / (1.0 + n);
    if n + p == 0.0 { first_play } else { mixed }
}

/// The weight of the schedule of minimum mean squared error.
#[inline(always)]
pub(super) fn minimum_mse(n: f32, p: f32, bias: f32) -> f32 {
    p / (p + n + bias * p * n)
}

/// A bonus that lifts unvisited children above all others, whose bonus is `root / sqrt(n)`, and keeps their
/// own order.
#[inline(always)]
pub(super) fn above_all(root: f32) -> f32 {
    2.0 * (1.0 + root)
}

/// Lets the least visited child go first among equals, where the papers say nothing. Without an exploration
/// term the search would otherwise follow the first of several lost actions in every iteration.
pub(super) const TIE: f32 = 1e-6;

impl Default for Rave {
    fn default() -> Self {
        Rave::new(1e-3)
    }
}

impl<G: ActionIndex> TreePolicy<G> for Rave {
    type Stats = Amaf;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, Amaf>, _: &mut Rng) -> Choice {
        match self.schedule {
            Schedule::MinimumMse { bias } => self.best(node, |n, p| minimum_mse(n, p, bias)),
            Schedule::HandSelected { k } => {
                let beta = (k / (3.0 * node.visits() + k)).sqrt();
                // An unvisited child has only its AMAF mean.
                self.best(node, |n, _| if n == 0.0 { 1.0 } else { beta })
            }
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        match self.schedule {
            Schedule::MinimumMse { bias } => {
                ParameterError::unless_in(0.0..f64::INFINITY, "Rave::bias", bias, "finite and at least 0")?;
            }
            Schedule::HandSelected { k } => {
                let fits = k > 0.0 && k < f32::INFINITY;
                ParameterError::unless(fits, "Rave::k", f64::from(k), "finite and above 0")?;
            }
        }
        self.c.check("Rave::c")
    }

    fn skips_refuted(&self) -> bool {
        true
    }
}
