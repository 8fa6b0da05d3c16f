//! What policies see of the twin: [`Selecting`] is a node as a tree policy sees it, and [`Updating`] is a step as a backpropagation does.

use super::{Id, NodeOf, Step, Twin};
use crate::__sealed::Sealed;
use crate::backpropagation::{self, Backprop, StepChild};
use crate::game::{Player, Rewards, Turn};
use crate::iteration::expansion::{Expansion, Order};
use crate::iteration::node_view::below_mean;
use crate::iteration::root_actions::Mask;
use crate::iteration::{FedBy, LeafOf};
use crate::math;
use crate::selection::{Child, Choice, Event, FirstPlay, Moment, Node, Spread, TreePolicy};
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
use core::cell::Cell;

/// A node as a tree policy sees it.
pub(super) struct Selecting<'a, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> {
    pub nodes: &'a [NodeOf<S, P, B>],
    pub path: &'a [Step],
    pub depth: usize,
    pub player: Player,
    pub visits: u32,
    /// The node with the children.
    pub node: Id,
    /// How many children are shown, and whether the policy may choose one that is not.
    pub shown: usize,
    pub more: bool,
    /// What hides children, if this is a masked root.
    pub mask: Option<&'a Mask<ActionOf<S>>>,
    pub closed_too: bool,
    pub first_play: FirstPlay,
    pub stand_in: Option<&'a NodeOf<S, P, B>>,
    pub expansion: &'a Expansion,
    pub spread: &'a Spread,
}

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Clone for Selecting<'_, S, P, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Copy for Selecting<'_, S, P, B> {}
impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Sealed for Selecting<'_, S, P, B> {}

impl<'a, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Selecting<'a, S, P, B> {
    fn shown_children(&self) -> impl Iterator<Item = Id> + Clone + use<'a, S, P, B> {
        let (nodes, mask) = (self.nodes, self.mask);
        let is_shown = move |child: &Id| mask.is_none_or(|mask| mask.shows(&nodes[*child].child.action));
        nodes[self.node].children.iter().take(self.shown).copied().filter(is_shown)
    }

    fn view(&self, child: Id) -> Child<'a, ActionOf<S>, P::Stats> {
        let node = &self.nodes[child];
        node.child.child(node.stats.get())
    }

    fn child(&self, choice: Choice) -> Option<&'a NodeOf<S, P, B>> {
        let id = choice.block as usize;
        self.nodes[self.node].children.contains(&id).then(|| &self.nodes[id])
    }
}

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Node<S::Game, P::Stats>
    for Selecting<'_, S, P, B>
{
    fn visits(self) -> f32 {
        (self.visits as f32).max(1.0)
    }
    fn ln_visits(self) -> f32 {
        math::ln(self.visits)
    }
    fn sqrt_ln_visits(self) -> f32 {
        math::sqrt_ln(self.visits)
    }
    fn player(self) -> Player {
        self.player
    }
    fn spread(&self) -> &Spread {
        self.spread
    }
    fn is_root(self) -> bool {
        self.depth == 0
    }
    fn has_untried(self) -> bool {
        self.more
    }
    fn is_in_order(self) -> bool {
        self.expansion.tries() == Order::AsListed
    }
    fn width(self) -> usize {
        self.shown_children().count()
    }
    fn stats(self) -> P::Stats {
        self.nodes[self.path[self.depth].node].stats.get()
    }
    fn starving(self) -> Option<Choice> {
        let is_shut = |child: &Id| {
            (S::ARE_GUESSED || B::PROVES && !self.closed_too) && self.nodes[*child].is_closed.get()
        };
        let visits = |child: &Id| self.nodes[*child].visits();
        let enough = ((self.visits as f32).sqrt() / self.width() as f32) as u32;
        let open =
            self.shown_children().filter(|child| !is_shut(child) && (1..enough).contains(&visits(child)));
        open.min_by_key(visits).filter(|_| self.visits.is_multiple_of(8)).map(choice)
    }
    fn stats_of(self, child: Choice) -> Option<P::Stats> {
        self.child(child).map(|child| child.stats.get())
    }
    fn set_stats(self, child: Choice, stats: P::Stats) {
        if let Some(child) = self.child(child) {
            child.stats.set(stats);
        }
    }
    fn first_play(self) -> f32 {
        match self.first_play {
            FirstPlay::Infinite => f32::INFINITY,
            FirstPlay::Value(value) => value,
            FirstPlay::BelowMean(reduction) => {
                below_mean(reduction, self.children().map(|child| (child.visits(), child.mean())))
            }
        }
    }
    fn untried_score(self, bonus: f32) -> f32 {
        let exploration = if matches!(self.first_play, FirstPlay::BelowMean(_)) { bonus } else { 0.0 };
        self.first_play() + exploration
    }

    fn argmax(self, value: impl Fn(Child<'_, ActionOf<S>, P::Stats>) -> f32) -> Choice {
        let (mut greatest, mut best) = (f32::MIN, Choice::UNTRIED);
        for child in self.shown_children() {
            let is_shut =
                (S::ARE_GUESSED || B::PROVES && !self.closed_too) && self.nodes[child].is_closed.get();
            let value = value(self.view(child));
            if !is_shut && value > greatest {
                (greatest, best) = (value, choice(child));
            }
        }
        let untried = match self.first_play {
            FirstPlay::Infinite => f32::INFINITY,
            FirstPlay::Value(value) => value,
            FirstPlay::BelowMean(_) => {
                self.stand_in.map_or(f32::MIN, |stand_in| value(stand_in.child.child(stand_in.stats.get())))
            }
        };
        if self.more && untried > greatest { Choice::UNTRIED } else { best }
    }

    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, ActionOf<S>, P::Stats>)> {
        let is_closed = |child: Id| self.nodes[child].is_closed.get();
        let all_closed = self.closed_too || self.shown_children().all(is_closed);
        let open = self.shown_children().filter(move |&child| all_closed || !is_closed(child));
        open.map(|child| (choice(child), self.view(child)))
    }
    fn children(&self) -> impl Iterator<Item = Child<'_, ActionOf<S>, P::Stats>> {
        let is_possible = |child: &Id| !S::ARE_GUESSED || !self.nodes[*child].is_closed.get();
        self.shown_children().filter(is_possible).map(|child| self.view(child))
    }

    fn parent(self) -> Option<Self> {
        let depth = self.path[..self.depth].iter().rposition(|step| matches!(step.turn, Turn::Player(_)))?;
        let step = self.path[depth];
        let node = self.nodes[step.node].position.map_or(step.node, |(position, _)| position);
        let player = if let Turn::Player(player) = step.turn { player } else { step.chooser };
        let visits = self.nodes[node].visits();
        Some(Selecting { depth, player, visits, node, shown: usize::MAX, more: false, mask: None, ..self })
    }
}

fn choice(child: Id) -> Choice {
    Choice::new(child as u32, 0, Moment::NEVER)
}

/// What a backpropagation recorded at a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Record {
    pub reward: Option<f32>,
    pub spread: Option<f32>,
    /// The sum of the rewards, if the reward was added to it.
    pub sum: Option<f64>,
}

/// A step of the path as a backpropagation sees it.
pub(super) struct Updating<
    'a,
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
> {
    pub search: &'a Twin<S, P, R, B>,
    pub leaf: &'a LeafOf<S, P, R>,
    pub is_cut_short: bool,
    pub depth: usize,
    pub step: Step,
    /// The node that records the rewards: that of the step, or its position.
    pub node: &'a NodeOf<S, P, B>,
    /// The node with the children and with what the backpropagation stores. If `None`, this is `node`, and its children are hidden, because
    /// the iteration has come back to a position.
    pub home: Option<&'a NodeOf<S, P, B>>,
    /// The visits of `node`, this one included.
    pub visits: u32,
    pub record: &'a Cell<Record>,
    /// In a graph: the rewards of the iteration itself, which the statistics of the tree policy learn from, in place of `mean_reward`, a reward
    /// that moves the mean of an action to that of its position.
    pub own_rewards: &'a Cell<Rewards>,
    pub mean_reward: Option<f32>,
    /// The next step of the path, after its update.
    pub followed: Option<StepChild<B::Stats>>,
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Clone
    for Updating<'_, S, P, R, B>
{
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Copy
    for Updating<'_, S, P, R, B>
{
}
impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Sealed
    for Updating<'_, S, P, R, B>
{
}

impl<'a, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Updating<'a, S, P, R, B>
{
    /// Updates the statistics of the tree policy, and those of the siblings if they are credited.
    fn update(&self, reward: f32) {
        let Twin { nodes, path, tree_policy, .. } = self.search;
        self.node.stats.set(tree_policy.update(self.node.stats.get(), self.visits as f32, reward));
        let is_of_step = core::ptr::eq(self.node, &nodes[self.step.node]);
        if P::Stats::CREDITS && is_of_step && self.depth > 0 {
            let (trace, above) = (&self.leaf.trace().0, self.depth - 1);
            for &child in &nodes[self.search.home(path[above].node)].children {
                let (stats, action) = (&nodes[child].stats, nodes[child].child.action.clone());
                stats.set(stats.get().credit(trace, above, self.step.chooser, action, reward));
            }
        }
    }

    fn children_of_home(
        &self,
    ) -> impl Iterator<Item = (Id, &'a NodeOf<S, P, B>)> + Clone + use<'a, S, P, R, B> {
        let nodes = &self.search.nodes;
        self.home.map_or(&[][..], |home| &home.children).iter().map(|&child| (child, &nodes[child]))
    }

    /// Returns the node with what is known of `child`.
    fn known(&self, child: Id) -> &'a NodeOf<S, P, B> {
        &self.search.nodes[self.search.known(child)]
    }

    /// Returns whether more children may follow.
    fn lacks_children(&self) -> bool {
        self.home.is_some_and(|home| !home.children.is_empty() && !home.is_complete)
    }
}

impl<'a, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    backpropagation::Step<S::Game, B::Stats> for Updating<'a, S, P, R, B>
{
    fn chooser(self) -> Player {
        self.step.chooser
    }
    fn turn(self) -> Turn {
        self.step.turn
    }
    fn visits(self) -> u32 {
        self.visits
    }
    fn length(self) -> u32 {
        self.leaf.ply()
    }
    fn is_cut_short(self) -> bool {
        self.is_cut_short
    }
    fn record(self, reward: f32) {
        self.node.record(self.visits, reward);
        let is_for_mean = self.mean_reward == Some(reward);
        self.update(if is_for_mean { self.own_rewards.get()[self.step.chooser] } else { reward });
        self.record.set(Record { reward: Some(reward), sum: Some(self.node.sum.get()), ..self.record.get() });
    }
    fn record_with_mean(self, reward: f32, mean: f32) {
        self.node.set_mean(self.visits, mean);
        self.update(reward);
        self.record.set(Record { reward: Some(reward), ..self.record.get() });
    }
    fn spread(self, deviation: f32) {
        self.node
            .stats
            .set(self.search.tree_policy.notice(self.node.stats.get(), Event::Deviation(deviation)));
        self.record.set(Record { spread: Some(deviation), ..self.record.get() });
    }
    fn stats(self) -> B::Stats {
        self.home.unwrap_or(self.node).backprop.get()
    }
    fn set_stats(self, stats: B::Stats) {
        self.home.unwrap_or(self.node).backprop.set(stats);
    }
    fn followed(self) -> Option<StepChild<B::Stats>> {
        self.followed
    }
    fn children(&self) -> impl Iterator<Item = B::Stats> + Clone {
        let stored = self.children_of_home().map(|(id, _)| self.known(id).backprop.get());
        stored.chain(self.lacks_children().then(B::Stats::default))
    }
    fn tried(&self) -> impl Iterator<Item = StepChild<B::Stats>> + Clone {
        let is_tried = |&(_, child): &(Id, &'a NodeOf<S, P, B>)| {
            child.visits() > 0 && !(S::ARE_GUESSED && child.is_closed.get())
        };
        self.children_of_home().filter(is_tried).map(|(id, child)| {
            let known = self.known(id);
            let waiting = |node: &NodeOf<S, P, B>| B::pending(node.backprop.get());
            let visits = child.visits() - waiting(child) + waiting(known);
            StepChild { visits, mean: known.mean(), stats: known.backprop.get() }
        })
    }
    fn has_untried(self) -> bool {
        let proof = |id| match self.step.turn {
            Turn::Player(player) => self.search.backprop.certain(self.known(id).backprop.get(), player),
            Turn::Chance | Turn::Over => None,
        };
        let is_considered = |&(id, child): &(Id, &'a NodeOf<S, P, B>)| {
            child.visits() > 0 && !child.is_closed.get() && proof(id).is_none()
        };
        // A width that never grows hides the other children for good.
        if let Some(width) = self.search.expansion.constant_width()
            && self.children_of_home().filter(is_considered).count() >= width
        {
            return false;
        }
        let is_new = |(_, child): (Id, &NodeOf<S, P, B>)| child.visits() == 0 && !child.is_closed.get();
        S::ARE_EXACT && self.lacks_children() || self.children_of_home().any(is_new)
    }
    fn prune(self, hopeless: impl Fn(B::Stats) -> bool) {
        let hopeless = self.children_of_home().filter(|&(id, _)| hopeless(self.known(id).backprop.get()));
        hopeless.for_each(|(_, child)| child.is_closed.set(true));
    }
}
