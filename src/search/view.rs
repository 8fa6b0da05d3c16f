//! The two views of a node that the search gives to its policies.

use crate::backpropagation::{Backprop, Step};
use crate::game::{GameState, Player, Turn};
use crate::selection::{Child, Choice, FirstPlay, Node, TreePolicy};
use crate::statistics::Statistics;
use crate::tree::{LANES, Tree, greatest};
use core::array::from_fn;
use core::marker::PhantomData;

/// One step of the path of an iteration: a lane of the tree, who chose it, and whose turn it is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathStep {
    pub block: u32,
    pub lane: u32,
    pub chooser: Player,
    pub turn: Turn,
}

pub(super) type TreeOf<G, P, B> =
    Tree<<G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

/// What a tree policy sees: the node at the end of `path`.
pub(super) struct Selecting<'a, G: GameState, P: TreePolicy<G>, B: Backprop<G>> {
    pub tree: &'a TreeOf<G, P, B>,
    pub path: &'a [PathStep],
    /// How many of the children are shown.
    pub shown: usize,
    /// Whether a child that is not shown may be tried.
    pub more: bool,
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
    #[inline(always)]
    fn here(&self) -> &PathStep {
        &self.path[self.path.len() - 1]
    }

    /// The children's blocks, with ids and the number of lanes shown.
    #[inline(always)]
    fn blocks(
        &self,
    ) -> impl Iterator<Item = (u32, &crate::tree::Block<G::Action, P::Stats, B::Stats>, usize)> + Clone {
        let here = self.here();
        let link = self.tree.block(here.block).link(here.lane as usize);
        let mut left = self.shown;
        self.tree.family(link).map_while(move |(id, block)| {
            let shown = left.min(block.used());
            left -= shown;
            (shown > 0).then_some((id, block, shown))
        })
    }

    /// The lanes that may be chosen.
    fn lanes(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, P::Stats>)> {
        let all_closed = self.blocks().all(|(_, block, shown)| !block.closed() & low_bits(shown) == 0);
        self.blocks().flat_map(move |(id, block, shown)| {
            let open = move |lane: &usize| all_closed || block.closed() >> lane & 1 == 0;
            let child = move |lane| (Choice { block: id, lane: lane as u32 }, block.child(lane));
            (0..shown).filter(open).map(child)
        })
    }

    /// The child of greatest score; lanes that are proven count only if `closed_too`.
    #[inline(always)]
    fn best(
        &self,
        score: &impl Fn(Child<'_, G::Action, P::Stats>) -> f32,
        closed_too: bool,
    ) -> Option<(f32, Choice)> {
        let mut best: Option<(f32, Choice)> = None;
        for (id, block, shown) in self.blocks() {
            let scores: [f32; LANES] = from_fn(|lane| score(block.child(lane)));
            let closed = if B::PROVES && !closed_too { block.closed() } else { 0 };
            let (greatest, lane) = greatest(scores, shown, closed);
            if greatest > best.map_or(f32::NEG_INFINITY, |(best, _)| best) {
                best = Some((greatest, Choice { block: id, lane: lane as u32 }));
            }
        }
        best
    }
}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Node<G, P::Stats> for Selecting<'_, G, P, B> {
    #[inline(always)]
    fn visits(self) -> f32 {
        let here = self.here();
        self.tree.block(here.block).child(here.lane as usize).visits().max(1.0)
    }

    #[inline(always)]
    fn player(self) -> Player {
        match self.here().turn {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => self.here().chooser,
        }
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
        let best = self.best(&score, false);
        if self.more && best.is_none_or(|(greatest, _)| self.first_play() > greatest) {
            return Choice::UNTRIED;
        }
        match best {
            Some((_, choice)) => choice,
            None => self.fallback(&score),
        }
    }

    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, P::Stats>)> {
        self.lanes()
    }

    fn children(&self) -> impl Iterator<Item = Child<'_, G::Action, P::Stats>> {
        self.blocks().flat_map(|(_, block, shown)| (0..shown).map(move |lane| block.child(lane)))
    }

    fn parent(self) -> Option<Self> {
        let path = self.path.split_last()?.1;
        (!path.is_empty()).then_some(Selecting { path, shown: usize::MAX, more: false, ..self })
    }
}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Selecting<'_, G, P, B> {
    /// The best if every child is proven, or no score is a number.
    #[cold]
    #[inline(never)]
    fn fallback(&self, score: &impl Fn(Child<'_, G::Action, P::Stats>) -> f32) -> Choice {
        let first = self.lanes().next().map(|(choice, _)| choice);
        self.best(score, true).map(|(_, choice)| choice).or(first).unwrap_or(Choice::UNTRIED)
    }
}

fn low_bits(count: usize) -> u8 {
    ((1u16 << count) - 1) as u8
}

/// What the backpropagation sees: the last step of `path`, and the child it was `followed` by.
pub(super) struct Updating<'a, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>>
where
    P::Stats: Statistics<G, R>,
{
    pub tree: &'a TreeOf<G, P, B>,
    pub path: &'a [PathStep],
    pub followed: Option<&'a PathStep>,
    pub tree_policy: &'a P,
    pub trace: &'a <P::Stats as Statistics<G, R>>::Trace,
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
    #[inline(always)]
    fn here(&self) -> &PathStep {
        &self.path[self.path.len() - 1]
    }

    /// Credits the step's siblings, and the step itself, with what the trace says of their actions.
    fn credit(&self, reward: f32) {
        let depth = self.path.len() - 2;
        let parent = &self.path[depth];
        let link = self.tree.block(parent.block).link(parent.lane as usize);
        for (_, block) in self.tree.family(link) {
            for lane in 0..block.used() {
                let child = block.child(lane);
                let chooser = self.here().chooser;
                let stats = child.stats().credit(self.trace, depth, chooser, child.action(), reward);
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
        self.here().chooser
    }

    #[inline(always)]
    fn turn(self) -> Turn {
        self.here().turn
    }

    #[inline(always)]
    fn record(self, reward: f32) {
        let &PathStep { block, lane, .. } = self.here();
        let (block, lane) = (self.tree.block(block), lane as usize);
        block.record(lane, reward);
        let child = block.child(lane);
        block.set_stats(lane, self.tree_policy.update(child.stats(), child.visits(), reward));
        if P::Stats::CREDITS && self.path.len() > 1 {
            self.credit(reward);
        }
    }

    #[inline(always)]
    fn stats(self) -> B::Stats {
        self.tree.block(self.here().block).backprop(self.here().lane as usize)
    }

    #[inline(always)]
    fn set_stats(self, stats: B::Stats) {
        self.tree.block(self.here().block).set_backprop(self.here().lane as usize, stats);
    }

    #[inline(always)]
    fn followed(self) -> Option<B::Stats> {
        self.followed.map(|step| self.tree.block(step.block).backprop(step.lane as usize))
    }

    fn children(&self) -> impl Iterator<Item = B::Stats> + Clone {
        let here = self.here();
        let link = self.tree.block(here.block).link(here.lane as usize);
        let stored = self.tree.family(link);
        let missing = stored.clone().last().is_some_and(|(_, last)| !last.is_complete());
        stored
            .flat_map(|(_, block)| (0..block.used()).map(move |lane| block.backprop(lane)))
            .chain(missing.then(B::Stats::default))
    }
}
