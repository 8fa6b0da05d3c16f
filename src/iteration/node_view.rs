//! The view of a node that the search gives to its tree policy.

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::game::{Player, Turn};
use crate::iteration::expansion::{Expansion, Order};
use crate::iteration::nodes::{home, is_possible, shut};
use crate::iteration::path::{BlockOf, FamilyOf, NodeOf, StepOf, TreeOf};
use crate::iteration::root_actions::{Mask, hidden};
use crate::math;
use crate::selection::{Child, Choice, FirstPlay, Moment, Node, Spread, TreePolicy};
use crate::space::{ActionOf, Space};
use crate::tree::{Block, Family, FamilyNodes, LANES, LEAST, NodeRef, Tree, greatest};

/// A node as the tree policy sees it: the one that step number `depth` of `path` led to.
pub(crate) struct Selecting<'a, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> {
    pub tree: &'a TreeOf<S, P, B>,
    /// The steps of the path. Only those up to `depth` are meaningful.
    pub path: &'a [StepOf<'a, S, P, B>],
    pub depth: usize,
    pub player: Player,
    pub visits: u32,
    /// The last block of the children: its id and the block itself.
    pub link: u32,
    pub last: BlockOf<'a, S, P, B>,
    /// The number of children shown.
    pub shown: usize,
    /// Whether the policy may choose a child that is not shown.
    pub more: bool,
    /// What hides children, if this is a masked root.
    pub mask: Option<&'a Mask<ActionOf<S>>>,
    /// Whether closed children may be chosen like others.
    pub closed_too: bool,
    pub first_play: FirstPlay,
    pub expansion: &'a Expansion,
    /// The number of the current iteration.
    pub iteration: u32,
    pub spread: &'a Spread,
}

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Clone for Selecting<'_, S, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Copy for Selecting<'_, S, P, B> {}

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Selecting<'_, S, P, B> {
    /// Returns the child that `choice` names, if it is a child of this node.
    #[inline(always)]
    pub(crate) fn child(&self, choice: Choice) -> Option<NodeOf<'_, S, P, B>> {
        let block = family_block(self.tree, self.link, choice, self.moment())?;
        (choice.lane() < block.used()).then(|| block.node(choice.lane()))
    }

    /// Returns the children that are shown.
    #[inline(always)]
    fn family(&self) -> FamilyOf<'_, S, P, B> {
        Family::new(self.tree, self.link, self.last, self.shown)
    }

    /// Returns a bit for each child of `block` that is hidden.
    #[inline(always)]
    fn hidden(&self, block: BlockOf<'_, S, P, B>) -> u8 {
        self.mask.map_or(0, |mask| hidden::<S, P, B>(mask, block))
    }

    #[inline(always)]
    fn moment(&self) -> Moment {
        Moment::new(self.iteration, self.depth)
    }

    /// Returns the value of an unvisited child, where one child represents all of them.
    #[inline(always)]
    fn untried(&self, value: &impl Fn(Child<'_, ActionOf<S>, P::Stats>) -> f32) -> f32 {
        match self.first_play {
            FirstPlay::Infinite => f32::INFINITY,
            FirstPlay::Value(number) => number,
            FirstPlay::BelowMean(_) => value(self.tree.stand_in().child()),
        }
    }

    /// Returns the greatest value and its child, or [`LEAST`] if there is none.
    #[inline(always)]
    fn best(&self, value: &impl Fn(Child<'_, ActionOf<S>, P::Stats>) -> f32) -> (f32, Choice) {
        if self.last.is_settled() || self.last.next() == self.link {
            let (greatest, lane) = self.best_of(self.last, self.shown.min(self.last.used()), value);
            // The last block needs no check that it belongs to this family.
            return (greatest, Choice::new(self.link, lane, Moment::NEVER));
        }
        let mut best = (LEAST, Choice::UNTRIED);
        for (id, block, shown) in self.family() {
            let (greatest, lane) = self.best_of(block, shown, value);
            if greatest > best.0 {
                best = (greatest, Choice::new(id, lane, self.moment()));
            }
        }
        best
    }

    #[inline(always)]
    fn best_of(
        &self,
        block: BlockOf<'_, S, P, B>,
        shown: usize,
        value: &impl Fn(Child<'_, ActionOf<S>, P::Stats>) -> f32,
    ) -> (f32, usize) {
        let child = block.eight();
        // Written out so that the compiler vectorizes it: it does not unroll a loop with roots and divisions.
        let [a, b, c, d, e, f, g, h] =
            [child(0), child(1), child(2), child(3), child(4), child(5), child(6), child(7)];
        let values: [f32; LANES] =
            [value(a), value(b), value(c), value(d), value(e), value(f), value(g), value(h)];
        greatest(values, shown, shut::<S, P, B>(block, self.closed_too) | self.hidden(block))
    }
}

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Sealed for Selecting<'_, S, P, B> {}

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Node<S::Game, P::Stats>
    for Selecting<'_, S, P, B>
{
    #[inline(always)]
    fn visits(self) -> f32 {
        (self.visits as i32 as f32).max(1.0)
    }

    #[inline(always)]
    fn is_in_order(self) -> bool {
        self.expansion.tries() == Order::AsListed
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
    fn spread(&self) -> &Spread {
        self.spread
    }

    #[inline(always)]
    fn is_root(self) -> bool {
        self.depth == 0
    }

    #[inline(always)]
    fn stats(self) -> P::Stats {
        self.path[self.depth].node().stats()
    }

    #[inline(always)]
    fn width(self) -> usize {
        match self.mask {
            None => self.shown.min(self.last.start() + self.last.used()),
            Some(mask) => self.family().nodes().filter(|&node| !mask.hides(node)).count(),
        }
    }

    #[inline(always)]
    fn starving(self) -> Option<Choice> {
        if !self.visits.is_multiple_of(8) {
            return None;
        }
        let Selecting { tree, link, shown, mask, closed_too, visits, .. } = self;
        rarest::<S, P, B>(tree, link, shown, mask, closed_too, visits)
            .map(|(block, lane)| Choice::new(block, lane, self.moment()))
    }

    fn stats_of(self, child: Choice) -> Option<P::Stats> {
        self.child(child).map(NodeRef::stats)
    }

    fn set_stats(self, child: Choice, stats: P::Stats) {
        if let Some(child) = self.child(child) {
            child.set_stats(stats);
        }
    }

    #[inline(always)]
    fn first_play(self) -> f32 {
        match self.first_play {
            FirstPlay::Infinite => f32::INFINITY,
            FirstPlay::Value(number) => number,
            FirstPlay::BelowMean(reduction) => {
                below_mean(reduction, self.children().map(|child| (child.visits(), child.mean())))
            }
        }
    }

    #[inline(always)]
    fn untried_score(self, bonus: f32) -> f32 {
        match self.first_play {
            FirstPlay::BelowMean(_) => self.first_play() + bonus,
            FirstPlay::Infinite | FirstPlay::Value(_) => self.first_play(),
        }
    }

    #[inline(always)]
    fn has_untried(self) -> bool {
        self.more
    }

    #[inline(always)]
    fn argmax(self, value: impl Fn(Child<'_, ActionOf<S>, P::Stats>) -> f32) -> Choice {
        let (greatest, choice) = self.best(&value);
        let new_is_better = self.more && self.untried(&value) > greatest;
        if new_is_better || greatest == LEAST { Choice::UNTRIED } else { choice }
    }

    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, ActionOf<S>, P::Stats>)> {
        let all_closed = self.closed_too
            || self
                .family()
                .all(|(_, block, shown)| !(block.closed() | self.hidden(block)) & low_bits(shown) == 0);
        Choices { children: self.family().nodes(), moment: self.moment(), all_closed, mask: self.mask }
    }

    fn children(&self) -> impl Iterator<Item = Child<'_, ActionOf<S>, P::Stats>> {
        // (A filter that borrows the view would keep it in memory, at 4 % of the instructions of a search.)
        let mask = self.mask;
        let is_shown = move |node: &NodeOf<'_, S, P, B>| mask.is_none_or(|mask| !mask.hides(*node));
        self.family()
            .nodes()
            .filter(move |node| is_possible::<S, P, B>(*node) && is_shown(node))
            .map(NodeRef::child)
    }

    fn parent(self) -> Option<Self> {
        let above = &self.path[..self.depth];
        let depth = above.iter().rposition(|step| matches!(step.turn, Turn::Player(_)))?;
        let node = above[depth];
        let place = home::<S, P, B>(self.tree, node.node());
        let (visits, link) = (place.visit_count(), place.link());
        let player = match node.turn {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => node.chooser,
        };
        let last = self.tree.block(link);
        let shown = self.tree.family_len(link);
        Some(Selecting { depth, player, visits, link, last, shown, more: false, mask: None, ..self })
    }
}

/// Returns the place of the child with the fewest visits, if these are at least one and too few for one of the
/// children in `visits`. (With the view as its argument, that would be in memory, and a search takes 10 % more
/// instructions.)
#[cold]
#[inline(never)]
fn rarest<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    link: u32,
    shown: usize,
    mask: Option<&Mask<ActionOf<S>>>,
    closed_too: bool,
    visits: u32,
) -> Option<(u32, usize)> {
    let family = || Family::new(tree, link, tree.block(link), shown);
    let width: usize = match mask {
        None => family().map(|(_, _, shown)| shown).sum(),
        Some(mask) => family().nodes().filter(|&node| !mask.hides(node)).count(),
    };
    let enough = ((visits as f32).sqrt() / width as f32) as u32;
    let (mut rarest, mut fewest) = (None, enough);
    for (id, block, shown) in family().filter(|_| enough > 1) {
        let shut = shut::<S, P, B>(block, closed_too);
        for lane in (0..shown).filter(|lane| shut >> lane & 1 == 0) {
            let child = block.node(lane);
            if (1..fewest).contains(&child.visit_count()) && mask.is_none_or(|mask| !mask.hides(child)) {
                (rarest, fewest) = (Some((id, lane)), child.visit_count());
            }
        }
    }
    rarest
}

/// The children that may be chosen, as choices.
struct Choices<'a, A, P, B> {
    children: FamilyNodes<'a, A, P, B>,
    moment: Moment,
    /// Whether all children are closed, so that all of them may be chosen.
    all_closed: bool,
    mask: Option<&'a Mask<A>>,
}

impl<'a, A: Clone + PartialEq, P: Copy + Default, B: Copy + Default> Iterator for Choices<'a, A, P, B> {
    type Item = (Choice, Child<'a, A, P>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (id, lane, node) = self.children.next_lane()?;
            let is_hidden = self.mask.is_some_and(|mask| mask.hides(node));
            if (self.all_closed || !node.is_closed()) && !is_hidden {
                return Some((Choice::new(id, lane, self.moment), node.child()));
            }
        }
    }
}

/// Returns the block of `choice` if it belongs to the family `link`. A choice made at this node in this
/// iteration always does; for any other the family is searched.
#[inline(always)]
pub(crate) fn family_block<'t, A, P, B>(
    tree: &'t Tree<A, P, B>,
    link: u32,
    choice: Choice,
    now: Moment,
) -> Option<Block<'t, A, P, B>>
where
    A: Clone,
    P: Copy + Default,
    B: Copy + Default,
{
    if choice.was_given(now) || is_among(tree, link, choice.block) { tree.find(choice.block) } else { None }
}

/// Returns whether the family `link` has a block with this id.
#[cold]
#[inline(never)]
fn is_among<A, P, B>(tree: &Tree<A, P, B>, link: u32, id: u32) -> bool
where
    A: Clone,
    P: Copy + Default,
    B: Copy + Default,
{
    tree.family(link).any(|(block, _, _)| block == id)
}

/// Returns the mean reward over children with these visits and means, less `reduction`.
#[inline(always)]
pub(crate) fn below_mean(reduction: f32, children: impl Iterator<Item = (f32, f32)>) -> f32 {
    let (sum, visits) = children.fold((0.0, 0.0), |(sum, visits), (n, mean)| (sum + n * mean, visits + n));
    if visits == 0.0 { 0.5 - reduction } else { sum / visits - reduction }
}

fn low_bits(count: usize) -> u8 {
    ((1u16 << count) - 1) as u8
}
