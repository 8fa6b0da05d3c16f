//! How much a policy explores: by a constant, or in units of the spread of the rewards.

use super::{Choice, Node, Spread};
use crate::game::GameState;
use crate::parameter::ParameterError;
use core::fmt;

/// An exploration constant: a fixed number, or a multiple of the standard deviation of the rewards.
///
/// A bonus such as `c sqrt(ln N / n)` is added to a mean reward, so a good `c` is in proportion to how far
/// the rewards lie apart. With [`deviations`](Self::deviations) the search measures that and sets `c`:
/// rewards that are all halved give the same search, and a game whose rewards lie close together needs no
/// other constant than one of wins and losses. A fixed constant, an `f32`, is used as it is.
///
/// The deviation is that of the rewards with which iterations end: of each player about their own mean, and
/// the root of the mean of the players' variances. `c` is `k` times the greatest deviation met so far; see
/// [`Spread`]. Until the first is measured, and while all rewards are equal, `c` is 1000, so that all actions
/// are tried alike, or in proportion to their priors.
///
/// The more actions the root has, the fewer visits there are for each, and the less it pays to explore. With
/// `K` actions, two or more, `c` is (9 / K)^¼ of that: 1.5 with 2 actions, 1 with 9, 0.6 with 69. So `k = 1`
/// suits Connect 4 and Hex alike. A search counts the legal actions when a run begins, also those that
/// [`root_actions`](crate::Mcts::root_actions) leaves out. It does not count actions that are sampled, and
/// outcomes of chance.
/// ([`Puct`](crate::selection::Puct) and
/// [`AvailabilityUcb1`](crate::selection::AvailabilityUcb1) explore by `k` deviations whatever `K` is. The
/// priors of `Puct` sum to 1, so each is smaller where there are more actions.)
///
/// **No action starves.** What is measured of the actions that a search prefers says nothing of the others. So
/// every eighth visit of a node goes to the action with the fewest visits, if it has fewer than √N / K, rounded
/// down, where the node has `N` visits and `K` actions. An action whose first rewards were unlucky is found in
/// the end, and of `N` visits, at most √N go by this rule. (An action without a visit follows the
/// [`FirstPlay`](crate::selection::FirstPlay). `AvailabilityUcb1` obeys the rule at each visit, and its `N` are the
/// visits in which the action could have been chosen. `Puct` has no such rule: an action with a prior above 0 gets a
/// number of visits in proportion to √N from its formula.)
///
/// If the first rewards are far from all others, explore less, or set a fixed `c`: their deviation is never
/// forgotten, so the search explores too much.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Exploration;
/// let search = Mcts::new(ramure_games::Connect4::new());
/// let mut search = search.tree_policy(Ucb1::new(Exploration::deviations(0.7)));
/// search.run(Budget::iterations(1_000))?;
/// let mut search = search.tree_policy(Ucb1::new(0.35)); // where rewards are 0 and 1, much the same
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// # In a policy of your own
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Exploration;
///
/// struct Polynomial { c: Exploration }
///
/// impl<G: GameState> TreePolicy<G> for Polynomial {
///     type Stats = ();
///     fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
///         if let Some(starving) = self.c.starving(node) {
///             return starving;
///         }
///         let bonus = self.c.constant(node.spread()) * node.visits().powf(0.25);
///         node.argmax(|child| child.mean() + bonus / child.visits().sqrt())
///     }
/// }
///
/// let policy = Polynomial { c: Exploration::deviations(1.0) };
/// Mcts::new(ramure_games::Connect4::new()).tree_policy(policy).run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Exploration {
    /// The constant, or how many deviations it is.
    number: f32,
    is_fixed: bool,
}

impl Exploration {
    /// The constant while all rewards are equal, and the greatest that is allowed.
    const MOST: f32 = 1000.0;

    /// Returns the constant `c`.
    pub(super) const fn fixed(c: f32) -> Self {
        Exploration { number: c, is_fixed: true }
    }

    /// Returns `k` standard deviations of the rewards; `k` is from 0 to 1000. (Any other value is an error
    /// when the search runs.)
    pub const fn deviations(k: f32) -> Self {
        Exploration { number: k, is_fixed: k == 0.0 }
    }

    /// Returns the exploration constant at this moment of a search whose rewards have this
    /// [spread](crate::selection::Node::spread).
    #[inline(always)]
    pub fn constant(&self, spread: &Spread) -> f32 {
        self.times(spread.share(), spread)
    }

    /// Returns the constant for a policy that explores alike whatever the number of actions at the root.
    #[inline(always)]
    pub fn constant_at_any_width(&self, spread: &Spread) -> f32 {
        self.times(1.0, spread)
    }

    #[inline(always)]
    fn times(&self, share: f32, spread: &Spread) -> f32 {
        if self.is_fixed {
            self.number
        } else {
            (share * self.number * spread.deviation()).min(Exploration::MOST)
        }
    }

    /// Returns the child of `node` that [starves](Node::starving), if this visit is for it: none if the constant
    /// is fixed.
    #[inline(always)]
    pub fn starving<G: GameState, T: 'static>(&self, node: impl Node<G, T>) -> Option<Choice> {
        if self.is_fixed { None } else { node.starving() }
    }

    /// Returns whether `visits` are too few for one of `width` actions in `of` visits, where that matters.
    #[inline(always)]
    pub(super) fn are_few(&self, visits: f32, of: f32, width: usize) -> bool {
        !self.is_fixed && visits + 1.0 <= of.sqrt() / width as f32
    }

    /// Returns `c` in units of this exploration, whose constant is `constant`: unchanged, or `c` deviations.
    pub(super) fn scaled(&self, c: f32, constant: f32) -> f32 {
        if self.is_fixed { c } else { (c * (constant / self.number)).min(Exploration::MOST) }
    }

    /// Checks that the constant, or the number of deviations, is from 0 to 1000.
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] with this `name` if it is not.
    pub fn check(&self, name: &'static str) -> Result<(), ParameterError> {
        ParameterError::unless_constant(name, self.number.into())
    }
}

impl From<f32> for Exploration {
    /// Returns the constant `c`, from 0 to 1000. (Any other value is an error when the search runs.)
    fn from(c: f32) -> Self {
        Exploration::fixed(c)
    }
}

/// Shows the setting: `0.7`, or `0.7 deviations`.
impl fmt::Debug for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.number)?;
        if self.is_fixed { Ok(()) } else { f.write_str(" deviations") }
    }
}
