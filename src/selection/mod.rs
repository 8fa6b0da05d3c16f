//! Selection: which child of a node to follow. One policy a file; this one has the trait they implement and the view
//! of a node that they are given. All pages write `N`, `n`, `Q`, `P`, `c` and `K` for the same things, whichever letters the papers
//! have, so that formulas can be compared; other letters are those of the papers. Uses `game`, `statistics` and the [`Child`] view of `tree`, never the store.

mod alpha_amaf;
mod at_root;
mod bayes_uct;
mod boltzmann;
mod completed_values;
mod dirichlet;
mod epsilon_greedy;
mod exp3;
mod gaussian_thompson;
mod grave;
mod gumbel;
mod halving;
mod kl_ucb;
mod moss;
mod progressive_bias;
mod progressive_history;
mod puct;
mod rave;
mod rounds;
mod sequential_halving;
mod shot;
mod thompson;
mod ucb1;
mod ucb1_tuned;
mod ucb_v;

pub use crate::tree::Child;
pub use alpha_amaf::AlphaAmaf;
pub use at_root::{AtRoot, RootPolicy};
pub use bayes_uct::BayesUct;
pub use boltzmann::Boltzmann;
pub use completed_values::CompletedValues;
pub use dirichlet::Dirichlet;
pub use epsilon_greedy::EpsilonGreedy;
pub use exp3::Exp3;
pub use gaussian_thompson::GaussianThompson;
pub use grave::Grave;
pub use gumbel::{Gumbel, GumbelRoot};
pub use kl_ucb::KlUcb;
pub use moss::Moss;
pub use progressive_bias::ProgressiveBias;
pub use progressive_history::ProgressiveHistory;
pub use puct::Puct;
pub use rave::Rave;
pub use sequential_halving::SequentialHalving;
pub use shot::Shot;
pub use thompson::Thompson;
pub use ucb_v::UcbV;
pub use ucb1::Ucb1;
pub use ucb1_tuned::Ucb1Tuned;

use crate::game::{GameState, Player, Rewards, Rng};
use crate::parameter::ParameterError;

/// Selection: which child of a node to follow.
///
/// **Who needs it:** every search has one; [`Ucb1`] unless told otherwise. Your own UCB variant is a formula in a
/// closure. This is the rule of SP-MCTS (Schadd et al. 2008), which needs the squares of the rewards:
///
/// ```
/// use ramure::prelude::*;
///
/// struct SinglePlayer { c: f32, d: f32 }
///
/// impl<G: GameState> TreePolicy<G> for SinglePlayer {
///     type Stats = f32; // per child, the mean of the squared rewards
///
///     #[inline(always)] // into the loop of the search, which has vector instructions
///     fn select(&self, node: impl Node<G, f32>, _: &mut Rng) -> Choice {
///         let bonus = self.c * node.sqrt_ln_visits();
///         node.argmax(|child| {
///             let variance = (child.stats() - child.mean() * child.mean()).max(0.0);
///             child.mean() + bonus / child.visits().sqrt() + (variance + self.d / child.visits()).sqrt()
///         })
///     }
///     #[inline(always)]
///     fn update(&self, mean_square: f32, visits: f32, reward: f32) -> f32 {
///         mean_square + (reward * reward - mean_square) / visits
///     }
/// }
///
/// let mut search = Mcts::new(ramure::games::Connect4::new()).tree_policy(SinglePlayer { c: 0.5, d: 0.1 });
/// assert_eq!(search.run(Budget::iterations(1_000))?.iterations, 1_000);
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree policy for `{G}`",
    label = "not a tree policy for this game",
    note = "implement `TreePolicy<{G}>`: `type Stats` (`()` if visits and mean suffice) and `fn select`"
)]
pub trait TreePolicy<G: GameState> {
    /// Plain numbers kept for every child besides visits and mean; `()` for none. What is not kept costs nothing.
    type Stats: Copy + Default + 'static;

    /// The first-play urgency of children never visited, unless the search is told otherwise. `None` if this policy
    /// has its own way with such children; telling the search is then an error.
    const FIRST_PLAY: Option<FirstPlay> = Some(FirstPlay::Infinite);

    /// Whether [`select`](Self::select) tells children never visited apart, by priors, AMAF values or chance. If so,
    /// it is shown all of them; if not, only those visited, and one child stands for all the others, as
    /// [`FirstPlay`] says. A node then stores only the children that were tried, and a few more.
    const SEES_UNVISITED: bool = false;

    /// Whether this policy plans ahead for the iterations of a run, so that a budget without a number of them is an error.
    const NEEDS_ITERATIONS: bool = false;

    /// The child to follow. Usually `node.argmax(|child| ..)`.
    fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice;

    /// What `reward`, which brings the child's visits to `visits`, makes of its statistics. \[Default: nothing\]
    #[inline(always)]
    fn update(&self, stats: Self::Stats, visits: f32, reward: f32) -> Self::Stats {
        let _ = (visits, reward);
        stats
    }

    /// What it makes of a child's statistics that the backpropagation gives `deviation` as the standard deviation of the
    /// child's value, after every reward. Averages never do. \[Default: nothing\]
    #[inline(always)]
    fn spread(&self, stats: Self::Stats, deviation: f32) -> Self::Stats {
        let _ = deviation;
        stats
    }

    /// Learns from a finished iteration, which ended with `rewards`: `actions` are those that the players played in the tree
    /// and in the rollout, if the trace of the [statistics](crate::statistics::Statistics::Trace) keeps them. \[Default:
    /// nothing\]
    #[inline(always)]
    fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
        let _ = (actions, rewards);
    }

    /// A run begins, of so many iterations at most; without a bound only if [`NEEDS_ITERATIONS`](Self::NEEDS_ITERATIONS) is
    /// not set. \[Default: nothing\]
    fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
        let _ = (iterations, rng);
    }

    /// The child of the root to play in the end, if this policy has its own way to decide; proofs, and a
    /// [`RootDecision`](crate::RootDecision) that was asked for, go first. \[Default: none\]
    fn decide(&self, root: impl Node<G, Self::Stats>) -> Option<Choice> {
        let _ = root;
        None
    }

    /// The improved policy at the root, a probability for each of [`Node::children`], if this policy has one: for
    /// [`Report::improved_policy`](crate::search::Report::improved_policy), and asked once a report. `worths` has, in the same
    /// order, what the proven rewards of the player to move are [worth](crate::Backprop::worth) on the scale of the means. \[Default: none\]
    fn improved_policy(&self, root: impl Node<G, Self::Stats>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        let _ = (root, worths);
        None
    }

    /// Whether the parameters are in their ranges: asked at the start of every run. \[Default: yes\]
    ///
    /// # Errors
    ///
    /// The parameter that is not.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// First-play urgency: when to try a child never visited.
///
/// **Source:** `Value` is that of Gelly and Wang, *Exploration exploitation in Go: UCT for Monte-Carlo Go*, 2006. `BelowMean` is
/// the "FPU reduction" of Leela Zero, Leela Chess Zero and KataGo, carried over to exploration terms that are infinite at
/// *n* = 0.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum FirstPlay {
    /// More than anything: every child is visited once before any is visited twice. The default of UCB policies.
    Infinite,
    /// This value, in [0, 1], is the whole score of a child never visited. It is compared with the scores of the others, their
    /// exploration terms included: a new child is tried when all scores have fallen below it. In [`Puct`], whose exploration
    /// term is finite at *n* = 0, the value replaces Q alone.
    Value(f32),
    /// The mean reward over the children visited so far, less this reduction, in [0, 1], replaces Q. The exploration term
    /// stays: that of *n* = 0 in [`Puct`], and that of one visit where it would be infinite. So in [`Ucb1`] and its kin a child
    /// never visited counts like one visited once, and every child is tried in the end. Where one such child stands for all,
    /// its mean is at least 0.
    ///
    /// A formula without an exploration term (`c` = 0, [`Grave`]) may leave children untried for ever.
    BelowMean(f32),
}

impl FirstPlay {
    /// Whether the value is in range.
    pub(crate) fn check(self) -> Result<(), ParameterError> {
        let value = match self {
            FirstPlay::Infinite => 0.0,
            FirstPlay::Value(value) | FirstPlay::BelowMean(value) => f64::from(value),
        };
        ParameterError::unless((0.0..=1.0).contains(&value), "FirstPlay", value, "in [0, 1]")
    }
}

/// A child that selection may follow: what [`Node::argmax`] and [`Node::choices`] give, and [`TreePolicy::select`] returns.
///
/// A choice is meant to be returned at once. One that you keep is good at the same node only, as long as the node keeps its children.
/// Returned at another node, it is an error ([`GameFault::ForeignChoice`](crate::GameFault::ForeignChoice)). Two choices are equal
/// if they are of the same child.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub(crate) block: u32,
    /// The lane, and above it when and where the choice was given.
    key: u32,
}

/// An iteration of a search and a depth in it, in short: what says that a choice is of the node that was asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment(u32);

impl Moment {
    /// No moment: the search looks for such a choice among the children.
    pub const NEVER: Moment = Moment(0);

    /// Two moments are equal if their depths are, and the last 23 bits of their iterations. A depth of 63 or more gives
    /// [`NEVER`](Self::NEVER).
    #[inline(always)]
    pub fn new(iteration: u32, depth: usize) -> Self {
        // Depths count from 1 here, so that no iteration at the root looks like `NEVER`.
        if depth < 63 { Moment((iteration << 6 | (depth as u32 + 1)) << 3) } else { Moment::NEVER }
    }
}

impl Choice {
    /// A child that was never tried, whichever comes next.
    pub(crate) const UNTRIED: Choice = Choice::new(u32::MAX, 0, Moment::NEVER);

    #[inline(always)]
    pub(crate) const fn new(block: u32, lane: usize, given: Moment) -> Self {
        Choice { block, key: given.0 | lane as u32 }
    }

    #[inline(always)]
    pub(crate) fn lane(self) -> usize {
        (self.key & 7) as usize
    }

    #[inline(always)]
    pub(crate) fn was_given(self, then: Moment) -> bool {
        self.key & !7 == then.0 && then != Moment::NEVER
    }

    #[inline(always)]
    pub(crate) fn is_untried(self) -> bool {
        self.block == u32::MAX
    }
}

impl PartialEq for Choice {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        (self.block, self.lane()) == (other.block, other.lane())
    }
}

impl Eq for Choice {}

/// A node on the way down, as a tree policy sees it. `S` is what the policy keeps per child.
pub trait Node<G: GameState, S: 'static>: Copy {
    /// The completed visits of this node, *N*, at least 1.
    fn visits(self) -> f32;

    /// The player to move here, to whom the statistics of the children belong.
    fn player(self) -> Player;

    /// What stands for the mean of a child never visited: infinity, the value that was set, or the mean of its siblings less
    /// the reduction that was set, which may be below 0.
    fn first_play(self) -> f32;

    /// The score of a child never visited, for a policy that sees such children and whose exploration term is infinite at
    /// *n* = 0. `bonus` is that term for a child visited once: [`FirstPlay::BelowMean`] adds it to
    /// [`first_play`](Self::first_play), every other [`FirstPlay`] is the score itself.
    fn untried_score(self, bonus: f32) -> f32;

    /// Whether a child that is not shown may be tried: always false for a policy that sees children never visited.
    fn has_untried(self) -> bool;

    /// Whether this is the root of the search.
    fn is_root(self) -> bool;

    /// What the policy keeps for this node, as the child of its parent.
    fn stats(self) -> S;

    /// How many children are shown.
    fn width(self) -> usize;

    /// Replaces what the policy keeps for a child of this node: for what must be known again when the reward comes, such as the
    /// probability with which it was drawn. Nothing, if there is no such child.
    fn set_stats(self, child: Choice, stats: S);

    /// The child with the greatest score, the first among equals.
    ///
    /// `score` is worked out for several children at once, so keep it free of branches: `min`, `max` and `sqrt` are
    /// fine. It may also be called for places that hold no child, or one that is proven; what it says there is not
    /// used. A score that is not a number counts as the least.
    ///
    /// For a policy that does not see children never visited, one of them takes part. [`FirstPlay::Value`] is its score; with
    /// [`FirstPlay::BelowMean`] it is scored like a child visited once. It then has the action of one of its siblings.
    fn argmax(self, score: impl Fn(Child<'_, G::Action, S>) -> f32) -> Choice;

    /// The children that may be chosen, one by one, for what cannot be said by a score: those not proven, or all if
    /// all are. A policy that does not see children never visited finds only visited ones here: let it set
    /// `SEES_UNVISITED` if first-play urgency may be finite.
    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, S>)>;

    /// All children shown, proven or not.
    fn children(&self) -> impl Iterator<Item = Child<'_, G::Action, S>>;

    /// The nearest node above where a player chooses; `None` if there is none.
    fn parent(self) -> Option<Self>;

    /// The natural logarithm of [`visits`](Self::visits), true to 1e-5, the same on every platform, and quick.
    fn ln_visits(self) -> f32;

    /// The square root of that, true to 2e-4, and quicker still: a look into a table.
    fn sqrt_ln_visits(self) -> f32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_of_the_moment_in_which_it_was_given_and_of_no_other() {
        let moments = [(0, 0), (1, 0), (2, 0), (1, 1), (0, 62), (1, 62), (7, 5), ((1 << 23) - 1, 62)];
        for (iteration, depth) in moments {
            let choice = Choice::new(5, 7, Moment::new(iteration, depth));
            assert_eq!((choice.block, choice.lane(), choice.is_untried()), (5, 7, false));
            for (other, below) in moments {
                let same = (other, below) == (iteration, depth);
                assert_eq!(choice.was_given(Moment::new(other, below)), same, "{iteration} {depth}");
            }
        }
        // The search looks for a choice of a deep node.
        for never in [Moment::NEVER, Moment::new(1, 63), Moment::new(1, 64)] {
            assert_eq!(never, Moment::NEVER);
            assert!(!Choice::new(5, 7, never).was_given(never));
        }
        assert_eq!(Moment::new(1 << 23, 0), Moment::new(0, 0));
        assert_eq!(Choice::new(1, 2, Moment::new(3, 4)), Choice::new(1, 2, Moment::NEVER));
    }
}
