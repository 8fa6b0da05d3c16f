//! PUCT, the rule of AlphaGo Zero.

use super::{Choice, Exploration, FirstPlay, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;
use crate::statistics::Prior;

/// PUCT: `Q + c P sqrt(N) / (1 + n)`, where `P` is the prior probability of the action. AlphaZero's variant
/// replaces `c` by `C(N) = ln((1 + N + c_base) / c_base) + c_init`.
///
/// **Use it** with an evaluator, or where a heuristic distinguishes good actions from bad ones before they
/// are tried. It needs priors ([`Evaluate`](crate::simulation::Evaluate) or
/// [`WithPriors`](crate::simulation::WithPriors)); without good priors UCB1 is the better choice.
///
/// **Parameters:** `c`, an [`Exploration`]: a number from 0 to 1000, or a number of standard deviations of
/// the rewards. The default is 2.5 deviations, about 1.25 if rewards are wins and losses. Games and priors
/// differ, so tune it. A constant from code with values from -1 to 1 is half as large here. For
/// [`growing`](Self::growing), AlphaZero used a `c_init` of 1.25, from 0 to 1000, and a `c_base` of 19652,
/// above 0. With these values `C(N)` exceeds `c_init` by 0.1 at 2000 visits, and by 1.8 at 100 000. `N`
/// counts the evaluation of the node itself, as in the pseudocode; the papers use the sum of the `n`, which
/// is one less. **Stores** 4 bytes per child, the prior.
///
/// **Source:** Silver et al., *Mastering the game of Go without human knowledge*, 2017, methods, "Select";
/// after Rosin, *Multi-armed Bandits with Episode Context*, 2011. `C(N)` and its constants: Silver et al., *A
/// general reinforcement learning algorithm that masters chess, shogi, and Go through self-play*, 2018,
/// "Search" and the pseudocode published with it.
///
/// # First-play urgency
///
/// An unvisited child counts as a draw, 1/2, unless the search's first-play urgency says otherwise
/// ([`Expansion::first_play`](crate::Expansion::first_play)):
///
/// - [`FirstPlay::Value`] is absolute, like Leela Chess Zero's "absolute" strategy. `Value(0.0)`, a loss, is
///   what AlphaZero's pseudocode uses.
/// - [`FirstPlay::BelowMean`] is relative to the mean of the children visited so far, which stands for the
///   value of the node.
/// - [`fpu_reduction`](Self::fpu_reduction) subtracts `r sqrt(S)` from either, where `S` is the sum of the
///   priors of the visited children: the more of the promising children were tried, the lower the expectation
///   for the rest. With `BelowMean(0.0)` this is the "FPU reduction" of Leela Zero, of Leela Chess Zero and
///   of KataGo, whose `r` is 0.25, 0.165 and 0.1 on rewards in [0, 1]. Their value of the node also includes
///   its own evaluation.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::Expansion;
/// use ramure::selection::FirstPlay;
/// use ramure::selection::Puct;
/// use ramure::simulation::{Uniform, WithPriors};
/// use ramure_games::{Connect4, connect4::Column};
/// let centre = |_: &Connect4, action: Column| if action.to_string() == "3" { 2.0 } else { 1.0 };
/// let mut search = Mcts::new(Connect4::new())
///     .rollout_policy(WithPriors::new(Uniform, centre))
///     .tree_policy(Puct::growing(1.25, 19652.0).fpu_reduction(0.1))
///     .expansion(Expansion::default().first_play(FirstPlay::BelowMean(0.0)));
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Puct {
    pub(super) c: Exploration,
    /// `c_base`, if `c` grows.
    base: Option<f32>,
    fpu_reduction: f32,
    /// Whether `c` is constant and there is no FPU reduction.
    is_plain: bool,
}

impl Puct {
    /// Creates the policy with the exploration constant `c`, from 0 to 1000 or
    /// [in deviations](Exploration::deviations).
    pub fn new(c: impl Into<Exploration>) -> Self {
        Puct { c: c.into(), base: None, fpu_reduction: 0.0, is_plain: true }
    }

    /// Creates the policy with AlphaZero's exploration rate, which grows with the logarithm of the visits.
    /// `c_init` must be from 0 to 1000, or [in deviations](Exploration::deviations), and then what is added
    /// to it is in deviations, too. `c_base` must be finite and above 0.
    pub fn growing(c_init: impl Into<Exploration>, c_base: f32) -> Self {
        Puct { c: c_init.into(), base: Some(c_base), fpu_reduction: 0.0, is_plain: false }
    }

    /// Lowers first-play urgency by `reduction`, in [0, 1], times the square root of the sum of the priors of
    /// the visited children. \[Default: 0\]
    ///
    /// **Source:** Wu, *Accelerating Self-Play Learning in Go*, 2019; the source code of Leela Zero, 2018.
    #[must_use]
    pub const fn fpu_reduction(mut self, reduction: f32) -> Self {
        self.fpu_reduction = reduction;
        self.is_plain = self.is_plain && reduction == 0.0;
        self
    }

    /// Returns the exploration rate and the first-play urgency at a node, for settings that differ between
    /// nodes. Kept out of the loop so that plain PUCT does not pay for it.
    #[cold]
    #[inline(never)]
    fn settings<G: GameState>(&self, node: impl Node<G, Prior>) -> (f32, f32) {
        let growth = |base| math::ln64((1.0 + f64::from(node.visits()) + base) / base) as f32;
        let growth = self.base.map_or(0.0, |base| growth(f64::from(base)));
        let visited = node.children().filter(|child| child.visit_count() > 0);
        let seen: f32 = visited.map(|child| child.stats().0).sum();
        let c = self.c.constant_at_any_width(node.spread());
        (c + self.c.scaled(growth, c), node.first_play() - self.fpu_reduction * seen.sqrt())
    }
}

impl Default for Puct {
    fn default() -> Self {
        Puct::new(Exploration::deviations(2.5))
    }
}

impl<G: GameState> TreePolicy<G> for Puct {
    type Stats = Prior;
    const FIRST_PLAY: Option<FirstPlay> = Some(FirstPlay::Value(0.5));
    const SEES_UNVISITED: bool = true;

    #[inline(always)]
    fn select(&self, node: impl Node<G, Prior>, _: &mut Rng) -> Choice {
        let (rate, first_play) = if self.is_plain {
            (self.c.constant_at_any_width(node.spread()), node.first_play())
        } else {
            self.settings(node)
        };
        let bonus = rate * node.visits().sqrt();
        node.argmax(|child| child.mean_or(first_play) + bonus * child.stats().0 / (1.0 + child.visits()))
    }

    fn check(&self) -> Result<(), ParameterError> {
        let name = if self.base.is_some() { "Puct::c_init" } else { "Puct::c" };
        self.c.check(name)?;
        if let Some(base) = self.base {
            let fits = base > 0.0 && base < f32::INFINITY;
            ParameterError::unless(fits, "Puct::c_base", f64::from(base), "finite and above 0")?;
        }
        ParameterError::unless_in(0.0..=1.0, "Puct::fpu_reduction", self.fpu_reduction, "in [0, 1]")
    }
}
