//! Mostly the best child so far, sometimes a random one.

use super::{Choice, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;

/// Epsilon-greedy: with probability `ε` a uniformly random child, otherwise the child with the greatest mean.
/// Ties are broken at random.
///
/// **Use it** as a baseline: it explores bad children as much as good ones.
///
/// **Parameters:** either [`new`](Self::new), a constant `ε` in [0, 1], 0.1 by default as in the book's
/// ten-armed testbed; or [`decreasing`](Self::decreasing), `ε = min(1, c K / (d² t))`, where `K` is the
/// number of children that may be chosen and `t` is `N` here. The sources say little about unvisited
/// children. Here they come first, unless the search's first-play urgency says otherwise (0 is the initial
/// estimate of the book). **Stores** nothing.
///
/// **Source:** Sutton and Barto, *Reinforcement Learning*, 2nd edition, sections 2.2 and 2.3. Decreasing:
/// Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002, figure 3.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::EpsilonGreedy;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(EpsilonGreedy::new(0.2));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EpsilonGreedy {
    schedule: Schedule,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Schedule {
    Constant { epsilon: f64 },
    Decreasing { c: f64, d: f64 },
}

impl EpsilonGreedy {
    /// Creates the policy with a constant `epsilon`, in [0, 1].
    pub const fn new(epsilon: f64) -> Self {
        EpsilonGreedy { schedule: Schedule::Constant { epsilon } }
    }

    /// Creates the paper's εₙ-greedy, which explores less and less. `c` is above 0, and `d` is between 0
    /// and 1. For the theorem to hold, `d` must be at most the gap between the best mean and the next, and
    /// `c` must be above 5.
    pub const fn decreasing(c: f64, d: f64) -> Self {
        EpsilonGreedy { schedule: Schedule::Decreasing { c, d } }
    }

    /// Returns the probability of a random child, for this number of children after this number of visits.
    fn epsilon(&self, children: usize, visits: f32) -> f64 {
        match self.schedule {
            Schedule::Constant { epsilon } => epsilon,
            Schedule::Decreasing { c, d } => c * children as f64 / (d * d * f64::from(visits)),
        }
    }
}

impl Default for EpsilonGreedy {
    fn default() -> Self {
        EpsilonGreedy::new(0.1)
    }
}

impl<G: GameState> TreePolicy<G> for EpsilonGreedy {
    type Stats = ();
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, ()>, rng: &mut Rng) -> Choice {
        let children = node.choices().count();
        if rng.unit() < self.epsilon(children, node.visits()) {
            let any = node.choices().nth(rng.below(children));
            return any.map_or(Choice::UNTRIED, |(choice, _)| choice);
        }
        let first_play = node.first_play();
        let (mut best, mut greatest, mut equals) = (Choice::UNTRIED, f32::NEG_INFINITY, 0);
        let mut has_unvisited = false;
        for (choice, child) in node.choices() {
            let (value, is_new) = (child.mean_or(first_play), child.visits() == 0.0);
            if value > greatest {
                (best, greatest, equals, has_unvisited) = (choice, value, 1, is_new);
            } else if value == greatest && !(is_new && has_unvisited && node.is_in_order()) {
                has_unvisited |= is_new;
                equals += 1;
                if rng.below(equals) == 0 {
                    best = choice;
                }
            }
        }
        best
    }

    fn check(&self) -> Result<(), ParameterError> {
        match self.schedule {
            Schedule::Constant { epsilon } => {
                ParameterError::unless_in(0.0..=1.0, "EpsilonGreedy::epsilon", epsilon, "in [0, 1]")
            }
            Schedule::Decreasing { c, d } => {
                let fits = c > 0.0 && c < f64::INFINITY;
                ParameterError::unless(fits, "EpsilonGreedy::c", c, "finite and above 0")?;
                let fits = d > 0.0 && d < 1.0;
                ParameterError::unless(fits, "EpsilonGreedy::d", d, "above 0 and below 1")
            }
        }
    }
}
