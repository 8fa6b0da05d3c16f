//! Selection: which child of a node to follow.
//!
//! Each file holds one policy. This file holds [`TreePolicy`], the trait that policies implement, and
//! [`Node`], their view of a node. All pages use the letters `N`, `n`, `Q`, `P`, `c` and `K` for the same
//! things, whatever letters the papers use, so that you can compare formulas. Other letters are those of the
//! papers. This module uses `game`, `statistics` and the [`Child`] view of `tree`, but never the store.

mod alpha_amaf;
mod at_root;
mod availability_ucb1;
mod bayes_uct;
mod boltzmann;
mod completed_values;
mod dirichlet;
mod epsilon_greedy;
mod exp3;
mod exploration;
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
mod regret_matching;
mod rounds;
#[cfg(feature = "save")]
mod saved;
mod sequential_halving;
mod shot;
mod single_player;
mod spread;
mod thompson;
mod ucb1;
mod ucb1_tuned;
mod ucb_v;
mod views;

pub use crate::tree::Child;
pub use alpha_amaf::AlphaAmaf;
pub use at_root::{AtRoot, RootPolicy};
pub use availability_ucb1::AvailabilityUcb1;
pub use bayes_uct::BayesUct;
pub use boltzmann::Boltzmann;
pub use completed_values::CompletedValues;
pub use dirichlet::Dirichlet;
pub use epsilon_greedy::EpsilonGreedy;
pub use exp3::Exp3;
pub use exploration::Exploration;
pub use gaussian_thompson::GaussianThompson;
pub use grave::Grave;
pub use gumbel::{Gumbel, GumbelRoot};
pub use kl_ucb::KlUcb;
pub use moss::Moss;
pub use progressive_bias::ProgressiveBias;
pub use progressive_history::ProgressiveHistory;
pub use puct::Puct;
pub use rave::Rave;
pub use regret_matching::RegretMatching;
pub use sequential_halving::SequentialHalving;
pub use shot::Shot;
pub use single_player::SinglePlayer;
#[cfg(feature = "save")]
pub(crate) use spread::Measured;
pub use spread::Spread;
pub use thompson::Thompson;
pub use ucb_v::UcbV;
pub use ucb1::Ucb1;
pub use ucb1_tuned::Ucb1Tuned;

use crate::__sealed::Sealed;
use crate::game::{GameState, Player, Rewards, Rng};
use crate::parameter::ParameterError;
use core::marker::PhantomData;
use views::Mapped;

/// A tree policy: selects which child of a node to follow.
///
/// **Who needs it:** every search has a tree policy; the default is [`Ucb1`]. Your own variant of UCB is a
/// formula in a closure. This example is the rule of SP-MCTS (Schadd et al. 2008), which needs the squares of
/// the rewards ([`SinglePlayer`] is this rule on any scale of rewards):
///
/// ```
/// use ramure::prelude::*;
///
/// struct Deviation { c: f32, d: f32 }
///
/// impl<G: GameState> TreePolicy<G> for Deviation {
///     type Stats = f32; // per child, the mean of the squared rewards
///
///     #[inline(always)] // inlines into the search loop, which is compiled for vector instructions
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
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(Deviation { c: 0.5, d: 0.1 });
/// assert_eq!(search.run(Budget::iterations(1_000))?.iterations, 1_000);
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tree policy for `{G}`",
    label = "not a tree policy for this game",
    note = "implement `TreePolicy<{G}>`: `type Stats` (`()` if visits and mean suffice) and `fn select`"
)]
pub trait TreePolicy<G: GameState> {
    /// The statistics that the policy keeps for every child besides visits and mean: plain numbers, or `()`
    /// for none. Statistics you do not declare take no memory.
    type Stats: Copy + Default + 'static;

    /// The default first-play urgency of unvisited children. `None` if this policy has its own way to treat
    /// them; setting a first-play urgency on the search is then an error.
    const FIRST_PLAY: Option<FirstPlay> = Some(FirstPlay::Infinite);

    /// Whether [`select`](Self::select) distinguishes between unvisited children, by priors, AMAF values or
    /// chance.
    ///
    /// If so, `select` sees all of them. If not, it sees only visited children, and one child represents all
    /// the others, as [`FirstPlay`] describes. A node then stores only the children that were tried, and a
    /// few more.
    ///
    /// ```
    /// use ramure::selection::FirstPlay;
    /// use ramure::prelude::*;
    /// use ramure_games::TicTacToe;
    ///
    /// /// Selects a random child with this probability, and the child with the greatest mean otherwise.
    /// struct EpsilonGreedyTree(f64);
    ///
    /// impl<G: GameState> TreePolicy<G> for EpsilonGreedyTree {
    ///     type Stats = ();
    ///     const SEES_UNVISITED: bool = true; // all children are shown
    ///     const FIRST_PLAY: Option<FirstPlay> = None; // setting first-play urgency is an error
    ///
    ///     fn select(&self, node: impl Node<G, ()>, rng: &mut Rng) -> Choice {
    ///         let explores = rng.unit() < self.0;
    ///         let any = rng.below(node.choices().count());
    ///         match node.choices().nth(any) {
    ///             Some((choice, _)) if explores => choice,
    ///             _ => node.argmax(|child| if child.visits() > 0.0 { child.mean() } else { 1.0 }), // assume the best
    ///         }
    ///     }
    /// }
    ///
    /// let mut search = Mcts::new(TicTacToe::new()).tree_policy(EpsilonGreedyTree(0.1));
    /// search.run(Budget::iterations(1_000))?;
    /// # Ok::<(), SearchError>(())
    /// ```
    const SEES_UNVISITED: bool = false;

    /// Whether the statistics depend on rewards \[`true`\]. If they depend on visits alone, say `false`: the
    /// search of a [`Planning`](crate::search::Planning) then keeps its tree when it meets a return beyond all
    /// earlier ones. Otherwise it starts a new one, because the statistics have the old scale.
    const KEEPS_REWARDS: bool = true;

    /// What a search must have to use this policy \[nothing\].
    const NEEDS: Needs = Needs::Nothing;

    /// Returns the child to follow, usually `node.argmax(|child| ..)`.
    fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice;

    /// Returns the statistics of a child after one more `reward`; `visits` includes this visit. \[Default:
    /// unchanged\]
    #[inline(always)]
    fn update(&self, stats: Self::Stats, visits: f32, reward: f32) -> Self::Stats {
        let _ = (visits, reward);
        stats
    }

    /// Returns the statistics of a child after an [`Event`], something other than a reward. Most policies ignore
    /// events; each event says who needs it. \[Default: unchanged\]
    #[inline(always)]
    fn notice(&self, stats: Self::Stats, event: Event<Self::Stats>) -> Self::Stats {
        let _ = event;
        stats
    }

    /// Learns from a finished iteration, which ended with `rewards`.
    ///
    /// `actions` are the actions of the players in the tree and in the rollout, if the trace of the
    /// [statistics](crate::statistics::Statistics::Trace) keeps them. \[Default: does nothing\]
    #[inline(always)]
    fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
        let _ = (actions, rewards);
    }

    /// Prepares for a run of at most `iterations` iterations. `iterations` is `None` only if this
    /// policy does not [need](Self::NEEDS) it. Also called, with 0, when the actions of the root are restricted, and, with
    /// the rest of the run, when a simulator widens its scale and the tree begins anew: forget what names
    /// children of the root. \[Default: does nothing\]
    fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
        let _ = (iterations, rng);
    }

    /// Returns the child of the root to play when the search ends, if this policy has its own way to decide.
    /// Proofs take precedence, and so does a [`RootDecision`](crate::RootDecision) that you set. `rng` draws
    /// among equal children: it is the same whenever the search has the same seed and the same tree.
    /// \[Default: `None`\]
    fn decide(&self, root: impl Node<G, Self::Stats>, rng: &mut Rng) -> Option<Choice> {
        let _ = (root, rng);
        None
    }

    /// Returns the improved policy at the root, if this policy has one: a probability for each of
    /// [`Node::children`].
    ///
    /// The result appears in [`Report::improved_policy`](crate::Report::improved_policy); the search calls
    /// this once per report. `worths` has one entry per child, in the same order: what the proven rewards of
    /// the player to move are [worth](crate::backpropagation::Backprop::worth) on the scale of the means, or
    /// `None` if nothing is proven. \[Default: `None`\]
    fn improved_policy(&self, root: impl Node<G, Self::Stats>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        let _ = (root, worths);
        None
    }

    /// Returns whether a [`Solver`](crate::backpropagation::Solver) keeps this policy from children that are
    /// refuted, below the root, too, while others are open. Return `true` if the policy follows what an
    /// action is worth elsewhere, or gives every child a share: it would visit a refuted child too often.
    /// \[Default: `false`\]
    #[inline(always)]
    fn skips_refuted(&self) -> bool {
        false
    }

    /// Checks that the parameters are in their ranges. Called at the start of every run. \[Default: accepts
    /// all values\]
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if a parameter is out of range.
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// What a search must have to use a tree policy; see [`TreePolicy::NEEDS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Needs {
    /// Nothing: the policy works in every search that fits its other constants.
    Nothing,
    /// A number of iterations, because the policy plans ahead for it. A budget that does not limit the
    /// iterations is an error.
    Iterations,
    /// A tree for each player, whose search tells the policy [regrets](Event::Regret). Any search but one of
    /// [`PlayerTrees`](crate::search::PlayerTrees) does not compile.
    PlayerTrees,
}

/// Something other than a reward that happens to a child, for tree policies whose statistics depend on it; see
/// [`TreePolicy::notice`]. `S` is the type of the statistics.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event<S> {
    /// The number of visits changed to this, and the rewards stayed the same. For statistics that hold a
    /// function of the number of visits.
    ///
    /// In a search with a [window](crate::Mcts::window), visits count as soon as an iteration has come through
    /// a child, and the reward arrives later. The number is 0 if the only visit was taken back.
    Recounted(f32),
    /// A reward is about to arrive for an iteration that came through the child when its statistics were
    /// these. For a policy whose [`select`](TreePolicy::select) stores in a child what
    /// [`update`](TreePolicy::update) needs for the same iteration.
    ///
    /// In a search with a [window](crate::Mcts::window), other iterations may have come through the child
    /// meanwhile.
    Recalled(S),
    /// The child could have been chosen in an iteration. Happens only in a search of an
    /// [`InformationSet`](crate::search::InformationSet), after the choice: to the chosen child, and to each
    /// visited child that is legal in the guess of the iteration.
    Available,
    /// The value of the child has this standard deviation. Happens after every reward, if the
    /// backpropagation estimates a deviation; averages never do.
    Deviation(f32),
    /// An iteration that came through the parent has ended. Happens to all children that the player could have
    /// chosen, if the policy [needs](TreePolicy::NEEDS) a tree for each player.
    Regret {
        /// The reward that the player would have got for this child: `reward` for the chosen child; for any
        /// other, the mean reward of the iterations in which the other players chose the same at the same
        /// time, or else the mean of the child, or else `reward`.
        instead: f32,
        /// The reward of the iteration.
        reward: f32,
    },
}

impl<S> Event<S> {
    /// Returns the same event for a policy inside another one. `get` reads the statistics of the inner policy.
    #[inline(always)]
    pub fn map<T>(self, get: impl FnOnce(S) -> T) -> Event<T> {
        match self {
            Event::Recounted(visits) => Event::Recounted(visits),
            Event::Recalled(then) => Event::Recalled(get(then)),
            Event::Available => Event::Available,
            Event::Deviation(deviation) => Event::Deviation(deviation),
            Event::Regret { instead, reward } => Event::Regret { instead, reward },
        }
    }
}

/// First-play urgency: when to try an unvisited child.
///
/// **Source:** `Value` is that of Gelly and Wang, *Exploration exploitation in Go: UCT for Monte-Carlo
/// Go*, 2006. `BelowMean` is the "FPU reduction" of Leela Zero, Leela Chess Zero and KataGo, extended to
/// exploration terms that are infinite at *n* = 0.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum FirstPlay {
    /// An infinite value: every child is visited once before any is visited twice. The default of UCB
    /// policies.
    Infinite,
    /// This number, in [0, 1], is the whole value of an unvisited child.
    ///
    /// It is compared with the values of the other children, including their exploration terms, so the search
    /// tries a new child when all values have fallen below the number. In [`Puct`], whose exploration term is
    /// finite at *n* = 0, the number replaces only Q.
    Value(f32),
    /// Replaces Q by the mean reward over the children visited so far, less this reduction, in [0, 1].
    ///
    /// The exploration term stays: the term for *n* = 0 in [`Puct`], and the term for one visit where it
    /// would be infinite. So in [`Ucb1`] and related policies an unvisited child is valued like a child
    /// visited once, and the search tries every child eventually. Where one such child represents all, its
    /// mean is at least 0.
    ///
    /// A formula without an exploration term (`c` = 0, [`Grave`]) may never try some children.
    BelowMean(f32),
}

impl FirstPlay {
    /// Checks that the value is in range.
    pub(crate) fn check(self) -> Result<(), ParameterError> {
        let value = match self {
            FirstPlay::Infinite => 0.0,
            FirstPlay::Value(value) | FirstPlay::BelowMean(value) => f64::from(value),
        };
        ParameterError::unless_in(0.0..=1.0, "FirstPlay", value, "in [0, 1]")
    }
}

/// A child that selection may follow, as given by [`Node::argmax`] and [`Node::choices`] and returned by
/// [`TreePolicy::select`].
///
/// Return a choice at once. A choice that you keep is valid only at the same node, and only while the node
/// keeps its children. Returning it at another node is an error
/// ([`GameFault::ForeignChoice`](crate::GameFault::ForeignChoice)). Two choices are equal if they refer to
/// the same child.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub(crate) block: u32,
    /// The lane in the low bits; above it, when and where the choice was given.
    key: u32,
}

/// A short form of an iteration and a depth in it. It shows that a choice belongs to the node at which
/// `select` was called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment(u32);

impl Moment {
    /// No moment: the search looks for such a choice among the children.
    pub const NEVER: Moment = Moment(0);

    /// Two moments are equal if their depths and the last 23 bits of their iterations are equal. A depth of
    /// 63 or more gives [`NEVER`](Self::NEVER).
    #[inline(always)]
    pub fn new(iteration: u32, depth: usize) -> Self {
        // Depths count from 1 here, so that no iteration at the root looks like `NEVER`.
        if depth < 63 { Moment((iteration << 6 | (depth as u32 + 1)) << 3) } else { Moment::NEVER }
    }
}

impl Choice {
    /// The next untried child, whichever that is.
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

/// A node on the path of an iteration, as a tree policy sees it. `S` is the type of the policy's statistics
/// per child.
///
/// The search implements this trait, and you use it. It is sealed, so that it can get new methods.
pub trait Node<G: GameState, S: 'static>: Copy + Sealed {
    /// Returns the completed visits of this node, *N*, at least 1.
    fn visits(self) -> f32;

    /// Returns the player to move at this node. The statistics of the children are from this player's point
    /// of view.
    fn player(self) -> Player;

    /// Returns the value that stands for the mean of an unvisited child: infinity, the value that was set, or
    /// the mean of its siblings less the reduction that was set, which may be below 0.
    fn first_play(self) -> f32;

    /// Returns the value of an unvisited child, for a policy that sees such children and whose exploration
    /// term is infinite at *n* = 0.
    ///
    /// `bonus` is the exploration term of a child visited once. [`FirstPlay::BelowMean`] adds it to
    /// [`first_play`](Self::first_play); every other [`FirstPlay`] is the value itself.
    fn untried_score(self, bonus: f32) -> f32;

    /// Returns `true` if the search may try a child that is not shown. Always `false` for a policy that sees
    /// unvisited children.
    fn has_untried(self) -> bool;

    /// Returns `true` if unvisited children are to be tried in the order in which they are shown:
    /// [`Order::AsListed`](crate::Order::AsListed). For policies that see them, and draw among equal ones.
    fn is_in_order(self) -> bool {
        false
    }

    /// Returns `true` if this is the root of the search.
    fn is_root(self) -> bool;

    /// Returns the policy's statistics for this node, as the child of its parent.
    fn stats(self) -> S;

    /// Returns the number of children shown.
    fn width(self) -> usize;

    /// Returns how far the rewards of this search lie apart, by which [`Exploration`] scales.
    fn spread(&self) -> &Spread;

    /// Returns the child with the fewest visits, if it starves and this visit is for it: the node has *N*
    /// visits and shows *K* children, the child has fewer visits than √*N* / *K*, rounded down, but one at least,
    /// and *N* is a multiple of eight. See [`Exploration`].
    fn starving(self) -> Option<Choice>;

    /// Returns the policy's statistics for a child of this node; `None` if there is no such child.
    fn stats_of(self, child: Choice) -> Option<S>;

    /// Replaces the policy's statistics for a child of this node. Does nothing if there is no such child.
    ///
    /// Use it to store what `update` needs when the reward arrives, such as the probability with which the
    /// child was drawn.
    fn set_stats(self, child: Choice, stats: S);

    /// Returns the child with the greatest value; of several with the same value, the first.
    ///
    /// `value` is computed for several children at once, so keep it free of branches: `min`, `max` and `sqrt`
    /// are fine. It may also be called for empty places and for proven children; those results are not used.
    /// A value of NaN counts as the lowest.
    ///
    /// For a policy that does not see unvisited children, one of them takes part. [`FirstPlay::Value`] is its
    /// value; with [`FirstPlay::BelowMean`] it is valued like a child visited once. It then has the action of
    /// one of its siblings.
    fn argmax(self, value: impl Fn(Child<'_, G::Action, S>) -> f32) -> Choice;

    /// Returns an iterator over the children that may be chosen, for rules that a value cannot express: the
    /// children that are not proven, or all of them if all are proven.
    ///
    /// A policy that does not see unvisited children finds only visited ones here. Set `SEES_UNVISITED` if
    /// first-play urgency may be finite.
    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, S>)>;

    /// Returns an iterator over all children shown, proven or not.
    fn children(&self) -> impl Iterator<Item = Child<'_, G::Action, S>>;

    /// Returns the nearest ancestor at which a player chooses, or `None` if there is none.
    fn parent(self) -> Option<Self>;

    /// Returns the natural logarithm of [`visits`](Self::visits), accurate to 1e-5 and the same on every
    /// platform. Fast.
    fn ln_visits(self) -> f32;

    /// Returns the square root of [`ln_visits`](Self::ln_visits), accurate to 2e-4. Faster still: it reads a
    /// table.
    fn sqrt_ln_visits(self) -> f32;

    /// Returns a view of this node with other statistics, which are kept somewhere in its own: `get` reads
    /// them, and `put` returns its own with new ones in place of them.
    ///
    /// **Who needs it:** tree policies that decorate another one and keep statistics of their own. Such a
    /// policy must pass on every method and constant of [`TreePolicy`], as this one does. (Losses depend on
    /// the scale of the rewards, so it leaves out [`KEEPS_REWARDS`](TreePolicy::KEEPS_REWARDS).)
    ///
    /// ```
    /// use ramure::prelude::*;
    /// use ramure::{ParameterError, Rewards};
    /// use ramure::selection::{Event, FirstPlay, Needs};
    ///
    /// /// Counts the losses of every child, and leaves the choice to `P`.
    /// struct Counting<P>(P);
    ///
    /// /// Shows the policy inside its own half of the statistics.
    /// fn inner<G: GameState, S: Copy + 'static>(node: impl Node<G, (u32, S)>) -> impl Node<G, S> {
    ///     node.map_stats(|(_, inner)| inner, |(losses, _), inner| (losses, inner))
    /// }
    ///
    /// impl<G: GameState, P: TreePolicy<G>> TreePolicy<G> for Counting<P> {
    ///     type Stats = (u32, P::Stats);
    ///
    ///     fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice {
    ///         self.0.select(inner(node), rng)
    ///     }
    ///     fn update(&self, (losses, stats): Self::Stats, visits: f32, reward: f32) -> Self::Stats {
    ///         (losses + u32::from(reward == 0.0), self.0.update(stats, visits, reward))
    ///     }
    ///
    ///     // The rest is passed on to `P`.
    ///     const FIRST_PLAY: Option<FirstPlay> = P::FIRST_PLAY;
    ///     const SEES_UNVISITED: bool = P::SEES_UNVISITED;
    ///     const NEEDS: Needs = P::NEEDS;
    ///
    ///     fn notice(&self, (losses, stats): Self::Stats, event: Event<Self::Stats>) -> Self::Stats {
    ///         (losses, self.0.notice(stats, event.map(|(_, then)| then)))
    ///     }
    ///     fn skips_refuted(&self) -> bool {
    ///         self.0.skips_refuted()
    ///     }
    ///     fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
    ///         self.0.learn(actions, rewards);
    ///     }
    ///     fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
    ///         self.0.begin(iterations, rng);
    ///     }
    ///     fn decide(&self, root: impl Node<G, Self::Stats>, rng: &mut Rng) -> Option<Choice> {
    ///         self.0.decide(inner(root), rng)
    ///     }
    ///     fn improved_policy(&self, root: impl Node<G, Self::Stats>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
    ///         self.0.improved_policy(inner(root), worths)
    ///     }
    ///     fn check(&self) -> Result<(), ParameterError> {
    ///         self.0.check()
    ///     }
    /// }
    ///
    /// let mut search = Mcts::new(ramure_games::TicTacToe::new()).tree_policy(Counting(Ucb1::new(0.7)));
    /// search.run(Budget::iterations(500))?;
    /// # Ok::<(), SearchError>(())
    /// ```
    #[inline(always)]
    fn map_stats<T: Copy + 'static>(
        self,
        get: impl Fn(S) -> T + Copy,
        put: impl Fn(S, T) -> S + Copy,
    ) -> impl Node<G, T>
    where
        S: Copy,
    {
        Mapped { node: self, get, put, types: PhantomData::<fn(G, S, T)> }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_valid_only_at_the_moment_it_was_given() {
        let moments = [(0, 0), (1, 0), (2, 0), (1, 1), (0, 62), (1, 62), (7, 5), ((1 << 23) - 1, 62)];
        for (iteration, depth) in moments {
            let choice = Choice::new(5, 7, Moment::new(iteration, depth));
            assert_eq!((choice.block, choice.lane(), choice.is_untried()), (5, 7, false));
            for (other, below) in moments {
                let same = (other, below) == (iteration, depth);
                assert_eq!(choice.was_given(Moment::new(other, below)), same, "{iteration} {depth}");
            }
        }
        // At such depths the search looks for the choice among the children.
        for never in [Moment::NEVER, Moment::new(1, 63), Moment::new(1, 64)] {
            assert_eq!(never, Moment::NEVER);
            assert!(!Choice::new(5, 7, never).was_given(never));
        }
        assert_eq!(Moment::new(1 << 23, 0), Moment::new(0, 0));
        assert_eq!(Choice::new(1, 2, Moment::new(3, 4)), Choice::new(1, 2, Moment::NEVER));
    }
}
