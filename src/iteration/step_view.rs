//! The view of one step of an iteration that the search gives to its backpropagation.

use crate::__sealed::Sealed;
use crate::backpropagation::{Backprop, Step, StepChild};
use crate::game::{Player, Rewards, Turn};
use crate::iteration::FedBy;
use crate::iteration::expansion::Expansion;
use crate::iteration::nodes::{home, is_of_step, is_possible, known};
use crate::iteration::path::{BlockOf, NodeOf, StepOf, TreeOf};
use crate::selection::{Event, TreePolicy};
use crate::space::{NodeKind, Space};
use crate::statistics::Statistics;
use core::cell::Cell;
use core::marker::PhantomData;

/// The number of actions of an iteration. The highest bit says whether the iteration was cut short: it ended
/// at certain rewards before the end of the game. (A separate field would be one more value to carry through
/// the backpropagation.)
#[derive(Clone, Copy)]
pub(crate) struct Length(u32);

impl Length {
    const CUT: u32 = 1 << 31;

    #[inline(always)]
    pub fn new(actions: u32, is_cut_short: bool) -> Self {
        Length(actions & !Length::CUT | u32::from(is_cut_short) << 31)
    }
}

/// The reward that a backpropagation recorded at a position.
#[derive(Clone, Copy, Default)]
pub(crate) struct Record {
    pub reward: Option<f32>,
    /// The sum of the rewards in units of 2^-24, if the reward was added to it.
    pub units: Option<f64>,
    pub spread: Option<f32>,
}

/// One step of the path as the backpropagation sees it.
pub(crate) struct Updating<'a, S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>> {
    pub tree: &'a TreeOf<S, P, B>,
    /// The node that records the rewards: that of the step, or the position that it leads to.
    pub node: NodeOf<'a, S, P, B>,
    /// The node with the statistics of the backpropagation, and with the children, if the step leads to a
    /// position.
    pub home: NodeOf<'a, S, P, B>,
    /// The visits of the node, including the current one.
    pub visits: u32,
    pub path: &'a [StepOf<'a, S, P, B>],
    /// The index of the step in the path, and the step itself.
    pub depth: usize,
    pub step: &'a StepOf<'a, S, P, B>,
    pub tree_policy: &'a P,
    pub backprop: &'a B,
    pub expansion: &'a Expansion,
    pub trace: &'a <P::Stats as Statistics<S::Game, R>>::Trace,
    /// The number of actions of the iteration.
    pub length: Length,
    /// In a graph: receives what was recorded at a position, for the action that leads there.
    pub record: &'a Cell<Record>,
    /// In a graph: the rewards of the iteration itself. The statistics of the tree policy learn from them,
    /// because the rewards that move a mean are differences.
    pub own_rewards: &'a Cell<Rewards>,
    /// In a graph: a reward that moves the mean of the chooser. When it is recorded, the statistics of the
    /// tree policy receive that of `own_rewards`.
    pub mean_reward: Option<f32>,
    /// The next step of the path, after its update. (To look it up in the path again would take 4 % of a
    /// search with proofs.)
    pub followed: Option<StepChild<B::Stats>>,
    /// Receives a reward that is not in [0, 1].
    pub wrong: &'a Cell<Option<(Player, f32)>>,
    pub fed_by: PhantomData<fn(R)>,
}

/// Gives a visit without a reward the mean of the visits before it. (With `Updating` as its argument, that
/// would be in memory, and a search takes 3 to 13 % more instructions.)
#[cold]
#[inline(never)]
pub(super) fn keep_mean<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    node: NodeOf<'_, S, P, B>,
    visits: u32,
) {
    node.record_with_mean(visits, node.mean());
}

impl<S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>> Clone for Updating<'_, S, P, R, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>> Copy for Updating<'_, S, P, R, B> {}

impl<'a, S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>> Updating<'a, S, P, R, B> {
    /// Returns whether `reward` is in [0, 1]. If it is not, stores it in `wrong`.
    #[inline(always)]
    fn is_right(&self, reward: f32) -> bool {
        let fits = (0.0..=1.0).contains(&reward);
        if !fits {
            self.wrong.set(Some((self.step.chooser, reward)));
        }
        fits
    }

    /// Updates the tree policy's statistics at the node with a reward.
    #[inline(always)]
    fn update(&self, node: NodeOf<'_, S, P, B>, reward: f32) {
        let stats = self.tree_policy.update(node.stats(), self.visits as i32 as f32, reward);
        node.set_stats(stats);
        if P::Stats::CREDITS
            && is_of_step(self)
            && let Some(parent) = self.depth.checked_sub(1)
        {
            credit::<S, P, R, B>(
                self.tree,
                self.trace,
                parent,
                &self.path[parent],
                self.step.chooser,
                reward,
            );
        }
    }
}

/// Credits the children of `parent`, at `depth` of the path, with what the trace records of their actions.
/// (The view of the step is not passed on: it would have to be written to memory.)
fn credit<S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    trace: &<P::Stats as Statistics<S::Game, R>>::Trace,
    depth: usize,
    parent: &StepOf<'_, S, P, B>,
    chooser: Player,
    reward: f32,
) {
    // Block by block, because this loop costs more than all else.
    for (_, block, _) in tree.family(home::<S, P, B>(tree, parent.node()).link()) {
        for node in block.nodes() {
            node.set_stats(node.stats().credit(trace, depth, chooser, node.action(), reward));
        }
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>> Sealed for Updating<'_, S, P, R, B> {}

impl<'a, S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>> Step<S::Game, B::Stats>
    for Updating<'a, S, P, R, B>
{
    #[inline(always)]
    fn chooser(self) -> Player {
        self.step.chooser
    }

    #[inline(always)]
    fn turn(self) -> Turn {
        self.step.turn
    }

    #[inline(always)]
    fn visits(self) -> u32 {
        self.visits
    }

    #[inline(always)]
    fn length(self) -> u32 {
        self.length.0 & !Length::CUT
    }

    #[inline(always)]
    fn is_cut_short(self) -> bool {
        self.length.0 & Length::CUT != 0
    }

    #[inline(always)]
    fn record(self, reward: f32) {
        if self.is_right(reward) {
            let node = self.node;
            let units = node.record(self.visits, reward);
            let is_for_mean = self.mean_reward == Some(reward);
            self.update(node, if is_for_mean { self.own_rewards.get()[self.step.chooser] } else { reward });
            self.record.set(Record { reward: Some(reward), units: Some(units), ..self.record.get() });
        } else {
            keep_mean::<S, P, B>(self.node, self.visits);
        }
    }

    #[inline(always)]
    fn record_with_mean(self, reward: f32, mean: f32) {
        if self.is_right(reward) && self.is_right(mean) {
            let node = self.node;
            node.record_with_mean(self.visits, mean);
            self.update(node, reward);
            self.record.set(Record { reward: Some(reward), ..self.record.get() });
        } else {
            keep_mean::<S, P, B>(self.node, self.visits);
        }
    }

    #[inline(always)]
    fn spread(self, deviation: f32) {
        let node = self.node;
        node.set_stats(self.tree_policy.notice(node.stats(), Event::Deviation(deviation)));
        self.record.set(Record { spread: Some(deviation), ..self.record.get() });
    }

    #[inline(always)]
    fn stats(self) -> B::Stats {
        self.home.backprop()
    }

    #[inline(always)]
    fn set_stats(self, stats: B::Stats) {
        self.home.set_backprop(stats);
    }

    #[inline(always)]
    fn followed(self) -> Option<StepChild<B::Stats>> {
        self.followed
    }

    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = B::Stats> + Clone {
        let (tree, link) = (self.tree, self.home.link());
        let missing = self.tree.family(link).last().is_some_and(|(_, last, _)| !last.is_complete());
        let stored = self.tree.children_of(link).map(move |node| known::<S, P, B>(tree, node).backprop());
        stored.chain(missing.then(B::Stats::default))
    }

    fn tried(&self) -> impl Iterator<Item = StepChild<B::Stats>> + Clone {
        let tree = self.tree;
        let visited = move |node: NodeOf<'a, S, P, B>| {
            // In a graph, the mean and the statistics of an action are those of its position, as fresh as
            // they are there.
            let known = known::<S, P, B>(tree, node);
            let (mean, stats) = (known.mean(), known.backprop());
            let visits = node.visit_count();
            if visits == 0 || !is_possible::<S, P, B>(node) {
                return None;
            }
            // A window takes away the pending visits that the statistics name: those of the position, not of
            // the action.
            let visits = visits - B::pending(node.backprop()) + B::pending(stats);
            Some(StepChild { visits, mean, stats })
        };
        self.tree.children_of(self.home.link()).filter_map(visited)
    }

    fn has_untried(self) -> bool {
        let (tree, link) = (self.tree, self.home.link());
        let is_considered = |node: &NodeOf<'_, S, P, B>| {
            let proof = || match self.step.turn {
                Turn::Player(mover) => self.backprop.certain(known::<S, P, B>(tree, *node).backprop(), mover),
                _ => None,
            };
            node.visit_count() > 0 && !node.is_closed() && proof().is_none()
        };
        // A width that never grows hides the other children for good.
        if let Some(width) = self.expansion.constant_width()
            && tree.children_of(link).filter(is_considered).count() >= width
        {
            return false;
        }
        let is_new = |node: NodeOf<'_, S, P, B>| node.visit_count() == 0 && !node.is_closed();
        let lacks_children = |(_, last, _): (u32, BlockOf<'_, S, P, B>, usize)| !last.is_complete();
        S::ARE_EXACT && tree.family(link).last().is_some_and(lacks_children)
            || tree.children_of(link).any(is_new)
    }

    fn prune(self, hopeless: impl Fn(B::Stats) -> bool) {
        let children = self.tree.children_of(self.home.link());
        let stats = |node: &NodeOf<'a, S, P, B>| known::<S, P, B>(self.tree, *node).backprop();
        children.filter(|node| hopeless(stats(node))).for_each(|node| node.close());
    }
}
