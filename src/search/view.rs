//! The two views of a node that the search gives to its policies.

use crate::backpropagation::{Backprop, Step};
use crate::game::{GameState, Player, Turn};
use crate::math;
use crate::selection::{Child, Choice, FirstPlay, Node, TreePolicy};
use crate::statistics::Statistics;
use crate::tree::{Block, LANES, Tree, greatest};
use core::array::from_fn;
use core::cell::Cell;
use core::marker::PhantomData;

/// One step of the path of an iteration: a lane of the tree, who chose it, and whose turn it is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathStep {
    pub block: u32,
    pub lane: u32,
    pub chooser: Player,
    pub turn: Turn,
}

/// Where an iteration is: its latest step, and what the tree says of the node there.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub step: PathStep,
    /// The last block of the children.
    pub link: u32,
    /// The completed visits.
    pub visits: u32,
    /// Whether the result is proven for the player who chose the step.
    pub closed: bool,
}

pub(super) type TreeOf<G, P, B> =
    Tree<<G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

pub(super) type BlockOf<G, P, B> =
    Block<<G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

/// What a tree policy sees: the node at the end of `path`.
pub(super) struct Selecting<'a, G: GameState, P: TreePolicy<G>, B: Backprop<G>> {
    pub tree: &'a TreeOf<G, P, B>,
    pub path: &'a [PathStep],
    pub player: Player,
    pub visits: u32,
    /// The last block of the children, by its id and itself.
    pub link: u32,
    pub last: &'a BlockOf<G, P, B>,
    /// How many of the children are shown.
    pub shown: usize,
    /// Whether a child that is not shown may be tried.
    pub more: bool,
    /// Whether proven children count like others.
    pub closed_too: bool,
    pub first_play: FirstPlay,
}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Clone for Selecting<'_, G, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Copy for Selecting<'_, G, P, B> {}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Selecting<'_, G, P, B> {
    /// The children's blocks, with ids and the number of lanes shown.
    #[inline(always)]
    fn blocks(&self) -> impl Iterator<Item = (u32, &BlockOf<G, P, B>, usize)> + Clone {
        let (mut next, mut left) = (self.last.next(), self.shown);
        core::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let id = next;
            let block = if id == self.link { self.last } else { self.tree.block(id) };
            let shown = left.min(block.used());
            next = block.next();
            left = if id == self.link { 0 } else { left - shown };
            Some((id, block, shown))
        })
    }

    /// The lanes that may be chosen.
    fn lanes(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, P::Stats>)> {
        let all_closed =
            self.closed_too || self.blocks().all(|(_, block, shown)| !block.closed() & low_bits(shown) == 0);
        self.blocks().flat_map(move |(id, block, shown)| {
            let open = move |lane: &usize| all_closed || block.closed() >> lane & 1 == 0;
            let child = move |lane| (Choice { block: id, lane: lane as u32 }, block.child(lane));
            (0..shown).filter(open).map(child)
        })
    }

    /// The greatest score and its child; minus infinity if there is none.
    #[inline(always)]
    fn best(&self, score: &impl Fn(Child<'_, G::Action, P::Stats>) -> f32) -> (f32, Choice) {
        if self.last.next() == self.link {
            let (greatest, lane) = self.best_of(self.last, self.shown.min(self.last.used()), score);
            return (greatest, Choice { block: self.link, lane: lane as u32 });
        }
        let mut best = (f32::NEG_INFINITY, Choice::UNTRIED);
        for (id, block, shown) in self.blocks() {
            let (greatest, lane) = self.best_of(block, shown, score);
            if greatest > best.0 {
                best = (greatest, Choice { block: id, lane: lane as u32 });
            }
        }
        best
    }

    #[inline(always)]
    fn best_of(
        &self,
        block: &BlockOf<G, P, B>,
        shown: usize,
        score: &impl Fn(Child<'_, G::Action, P::Stats>) -> f32,
    ) -> (f32, usize) {
        let scores: [f32; LANES] = from_fn(|lane| score(block.child(lane)));
        greatest(scores, shown, if B::PROVES && !self.closed_too { block.closed() } else { 0 })
    }
}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Node<G, P::Stats> for Selecting<'_, G, P, B> {
    #[inline(always)]
    fn visits(self) -> f32 {
        (self.visits as i32 as f32).max(1.0)
    }

    #[inline(always)]
    fn ln_visits(self) -> f32 {
        math::ln(self.visits)
    }

    #[inline(always)]
    fn sqrt_ln_visits(self) -> f32 {
        math::sqrt_ln(self.visits)
    }

    #[inline(always)]
    fn player(self) -> Player {
        self.player
    }

    #[inline(always)]
    fn first_play(self) -> f32 {
        match self.first_play {
            FirstPlay::Infinite => f32::INFINITY,
            FirstPlay::Value(value) => value,
            FirstPlay::BelowMean(reduction) => {
                let (mut sum, mut visits) = (0.0, 0.0);
                for child in self.children() {
                    visits += child.visits();
                    sum += child.visits() * child.mean();
                }
                if visits == 0.0 { 0.5 - reduction } else { sum / visits - reduction }
            }
        }
    }

    #[inline(always)]
    fn argmax(self, score: impl Fn(Child<'_, G::Action, P::Stats>) -> f32) -> Choice {
        let (greatest, choice) = self.best(&score);
        let new_is_better = self.more && self.first_play() > greatest;
        if new_is_better || greatest == f32::NEG_INFINITY { Choice::UNTRIED } else { choice }
    }

    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, P::Stats>)> {
        self.lanes()
    }

    fn children(&self) -> impl Iterator<Item = Child<'_, G::Action, P::Stats>> {
        self.blocks().flat_map(|(_, block, shown)| (0..shown).map(move |lane| block.child(lane)))
    }

    fn parent(self) -> Option<Self> {
        let above = self.path.split_last()?.1;
        let index = above.iter().rposition(|step| matches!(step.turn, Turn::Player(_)))?;
        let (path, node) = (&above[..=index], above[index]);
        let block = self.tree.block(node.block);
        let (visits, link) = (block.child(node.lane as usize).visit_count(), block.link(node.lane as usize));
        let player = match node.turn {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => node.chooser,
        };
        let last = self.tree.block(link);
        let shown = self.tree.family_len(link);
        Some(Selecting { path, player, visits, link, last, shown, more: false, ..self })
    }
}

fn low_bits(count: usize) -> u8 {
    ((1u16 << count) - 1) as u8
}

/// What the backpropagation sees: one step of the path.
pub(super) struct Updating<'a, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>>
where
    P::Stats: Statistics<G, R>,
{
    pub tree: &'a TreeOf<G, P, B>,
    pub block: &'a BlockOf<G, P, B>,
    pub lane: usize,
    pub chooser: Player,
    pub turn: Turn,
    /// The visits of the node, the present one included.
    pub visits: u32,
    /// The step below.
    pub followed: Option<(&'a BlockOf<G, P, B>, usize)>,
    pub path: &'a [PathStep],
    /// How many steps are above this one.
    pub depth: usize,
    pub tree_policy: &'a P,
    pub trace: &'a <P::Stats as Statistics<G, R>>::Trace,
    /// Where a reward that is not in [0, 1] is told.
    pub wrong: &'a Cell<Option<(Player, f32)>>,
    pub fed_by: PhantomData<fn(R)>,
}

impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Clone for Updating<'_, G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Copy for Updating<'_, G, P, R, B> where
    P::Stats: Statistics<G, R>
{
}

impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Updating<'_, G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    /// Credits the step's siblings, and the step itself, with what the trace says of their actions.
    fn credit(&self, depth: usize, parent: &PathStep, reward: f32) {
        let link = self.tree.block(parent.block).link(parent.lane as usize);
        for (_, block) in self.tree.family(link) {
            for lane in 0..block.used() {
                let child = block.child(lane);
                let stats = child.stats().credit(self.trace, depth, self.chooser, child.action(), reward);
                block.set_stats(lane, stats);
            }
        }
    }
}

impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Step<G, B::Stats> for Updating<'_, G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    #[inline(always)]
    fn chooser(self) -> Player {
        self.chooser
    }

    #[inline(always)]
    fn turn(self) -> Turn {
        self.turn
    }

    #[inline(always)]
    fn record(self, reward: f32) {
        let (block, lane) = (self.block, self.lane);
        if !(0.0..=1.0).contains(&reward) {
            self.wrong.set(Some((self.chooser, reward)));
            return;
        }
        block.record(lane, self.visits, reward);
        let stats = block.child(lane).stats();
        block.set_stats(lane, self.tree_policy.update(stats, self.visits as i32 as f32, reward));
        if P::Stats::CREDITS
            && let Some(parent) = self.depth.checked_sub(1)
        {
            self.credit(parent, &self.path[parent], reward);
        }
    }

    #[inline(always)]
    fn stats(self) -> B::Stats {
        self.block.backprop(self.lane)
    }

    #[inline(always)]
    fn set_stats(self, stats: B::Stats) {
        self.block.set_backprop(self.lane, stats);
    }

    #[inline(always)]
    fn followed(self) -> Option<B::Stats> {
        self.followed.map(|(block, lane)| block.backprop(lane))
    }

    fn children(&self) -> impl Iterator<Item = B::Stats> + Clone {
        let stored = self.tree.family(self.block.link(self.lane));
        let missing = stored.clone().last().is_some_and(|(_, last)| !last.is_complete());
        stored
            .flat_map(|(_, block)| (0..block.used()).map(move |lane| block.backprop(lane)))
            .chain(missing.then(B::Stats::default))
    }
}
