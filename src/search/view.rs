//! The views of a node that the search gives to its policies: [`Selecting`] for the tree policy, [`Updating`] for the
//! backpropagation.

use crate::backpropagation::{Backprop, Step, Tried};
use crate::game::{GameState, Player, Turn};
use crate::math;
use crate::sealed::Sealed;
use crate::selection::{Child, Choice, FirstPlay, Moment, Node, TreePolicy};
use crate::statistics::Statistics;
use crate::tree::{Block, LANES, LEAST, PackedPlace, Place, Tree, greatest};
use bumpalo::Bump;
use core::cell::Cell;
use core::marker::PhantomData;

/// One step of the path of an iteration: a place in the tree, the player who chose it, and the turn there.
pub(super) struct PathStep<'t, G: GameState, P: TreePolicy<G>, B: Backprop<G>> {
    place: PackedPlace<'t, G::Action, P::Stats, B::Stats>,
    pub chooser: Player,
    pub turn: Turn,
}

impl<'t, G: GameState, P: TreePolicy<G>, B: Backprop<G>> PathStep<'t, G, P, B> {
    #[inline(always)]
    pub fn new(place: PlaceOf<'t, G, P, B>, chooser: Player, turn: Turn) -> Self {
        PathStep { place: PackedPlace::new(place), chooser, turn }
    }

    #[inline(always)]
    pub fn place(&self) -> PlaceOf<'t, G, P, B> {
        self.place.get()
    }
}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Clone for PathStep<'_, G, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Copy for PathStep<'_, G, P, B> {}

/// The steps of an iteration, root first. They are stored in a buffer of the caller, or in an arena if the buffer is
/// too short.
pub(super) struct Path<'p, 't, G: GameState, P: TreePolicy<G>, B: Backprop<G>> {
    steps: &'p mut [PathStep<'t, G, P, B>],
    len: usize,
    arena: &'p Bump,
}

impl<'p, 't, G: GameState, P: TreePolicy<G>, B: Backprop<G>> Path<'p, 't, G, P, B> {
    pub fn new(room: &'p mut [PathStep<'t, G, P, B>], arena: &'p Bump) -> Self {
        Path { steps: room, len: 0, arena }
    }

    /// Resets the path to this one step.
    #[inline(always)]
    pub fn begin(&mut self, root: PathStep<'t, G, P, B>) {
        self.len = 0;
        self.put(root);
    }

    #[inline(always)]
    fn put(&mut self, PathStep { place, chooser, turn }: PathStep<'t, G, P, B>) {
        if let Some(step) = self.steps.get_mut(self.len) {
            // Field by field: assigning the whole struct would store it in memory first and wait for that.
            step.place = place;
            step.chooser = chooser;
            step.turn = turn;
            self.len += 1;
        }
    }

    /// Adds a step. Returns `false` if the path is then longer than is possible in a tree of `nodes` nodes.
    #[inline(always)]
    #[must_use]
    pub fn push(&mut self, step: PathStep<'t, G, P, B>, nodes: impl FnOnce() -> usize) -> bool {
        if self.len == self.steps.len() {
            // Checked only here, where it costs nothing: so a path is never more than twice as long as it may be.
            if self.len > nodes() {
                return false;
            }
            self.move_out();
        }
        self.put(step);
        true
    }

    #[cold]
    #[inline(never)]
    fn move_out(&mut self) {
        let steps = self.arena.alloc_slice_fill_copy(2 * self.len, self.steps[0]);
        steps[..self.len].copy_from_slice(self.steps);
        self.steps = steps;
    }

    /// Returns the number of steps.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the whole buffer: the steps, followed by unused entries.
    #[inline(always)]
    pub fn room(&self) -> &[PathStep<'t, G, P, B>] {
        self.steps
    }

    #[inline(always)]
    pub fn steps(&self) -> &[PathStep<'t, G, P, B>] {
        &self.steps[..self.len]
    }
}

pub(super) type TreeOf<G, P, B> =
    Tree<<G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

pub(super) type PlaceOf<'t, G, P, B> =
    Place<'t, <G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

pub(super) type BlockOf<'t, G, P, B> =
    Block<'t, <G as GameState>::Action, <P as TreePolicy<G>>::Stats, <B as Backprop<G>>::Stats>;

/// A node as the tree policy sees it: the one that step number `depth` of `path` led to.
pub(super) struct Selecting<'a, G: GameState, P: TreePolicy<G>, B: Backprop<G>> {
    pub tree: &'a TreeOf<G, P, B>,
    /// The steps of the path. Only those up to `depth` are meaningful.
    pub path: &'a [PathStep<'a, G, P, B>],
    pub depth: usize,
    pub player: Player,
    pub visits: u32,
    /// The last block of the children: its id and the block itself.
    pub link: u32,
    pub last: BlockOf<'a, G, P, B>,
    /// The number of children shown.
    pub shown: usize,
    /// Whether the policy may choose a child that is not shown.
    pub more: bool,
    /// Whether closed children may be chosen like others.
    pub closed_too: bool,
    pub first_play: FirstPlay,
    /// The number of the current iteration.
    pub iteration: u32,
}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Clone for Selecting<'_, G, P, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Copy for Selecting<'_, G, P, B> {}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Selecting<'_, G, P, B> {
    /// Returns the blocks of the children, each with its id and the number of lanes shown.
    #[inline(always)]
    fn blocks(&self) -> impl Iterator<Item = (u32, BlockOf<'_, G, P, B>, usize)> + Clone {
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

    #[inline(always)]
    fn moment(&self) -> Moment {
        Moment::new(self.iteration, self.depth)
    }

    /// Returns the lanes that may be chosen.
    fn lanes(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, P::Stats>)> {
        let all_closed =
            self.closed_too || self.blocks().all(|(_, block, shown)| !block.closed() & low_bits(shown) == 0);
        self.blocks().flat_map(move |(id, block, shown)| {
            let open = move |lane: &usize| all_closed || block.closed() >> lane & 1 == 0;
            let choice = move |lane| Choice::new(id, lane, self.moment());
            let child = move |lane| (choice(lane), block.child(lane).shown());
            (0..shown).filter(open).map(child)
        })
    }

    /// Returns the score of an unvisited child, where one child represents all of them.
    #[inline(always)]
    fn untried(&self, score: &impl Fn(Child<'_, G::Action, P::Stats>) -> f32) -> f32 {
        match self.first_play {
            FirstPlay::Infinite => f32::INFINITY,
            FirstPlay::Value(value) => value,
            FirstPlay::BelowMean(_) => score(self.tree.stand_in().shown()),
        }
    }

    /// Returns the greatest score and its child, or [`LEAST`] if there is none.
    #[inline(always)]
    fn best(&self, score: &impl Fn(Child<'_, G::Action, P::Stats>) -> f32) -> (f32, Choice) {
        if self.last.is_settled() || self.last.next() == self.link {
            let (greatest, lane) = self.best_of(self.last, self.shown.min(self.last.used()), score);
            // The last block needs no check that it belongs to this family.
            return (greatest, Choice::new(self.link, lane, Moment::NEVER));
        }
        let mut best = (LEAST, Choice::UNTRIED);
        for (id, block, shown) in self.blocks() {
            let (greatest, lane) = self.best_of(block, shown, score);
            if greatest > best.0 {
                best = (greatest, Choice::new(id, lane, self.moment()));
            }
        }
        best
    }

    #[inline(always)]
    fn best_of(
        &self,
        block: BlockOf<'_, G, P, B>,
        shown: usize,
        score: &impl Fn(Child<'_, G::Action, P::Stats>) -> f32,
    ) -> (f32, usize) {
        let child = block.eight();
        // Written out so that the compiler vectorizes it: it does not unroll a loop with roots and divisions.
        let [a, b, c, d, e, f, g, h] =
            [child(0), child(1), child(2), child(3), child(4), child(5), child(6), child(7)];
        let scores: [f32; LANES] =
            [score(a), score(b), score(c), score(d), score(e), score(f), score(g), score(h)];
        greatest(scores, shown, if B::PROVES && !self.closed_too { block.closed() } else { 0 })
    }
}

impl<G: GameState, P: TreePolicy<G>, B: Backprop<G>> Sealed for Selecting<'_, G, P, B> {}

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
    fn is_root(self) -> bool {
        self.depth == 0
    }

    #[inline(always)]
    fn stats(self) -> P::Stats {
        self.path[self.depth].place().child().stats()
    }

    #[inline(always)]
    fn width(self) -> usize {
        self.shown.min(self.last.start() + self.last.used())
    }

    fn set_stats(self, child: Choice, stats: P::Stats) {
        if let Some(block) = family_block(self.tree, self.link, child, self.moment())
            && child.lane() < block.used()
        {
            block.place(child.lane()).set_stats(stats);
        }
    }

    #[inline(always)]
    fn first_play(self) -> f32 {
        match self.first_play {
            FirstPlay::Infinite => f32::INFINITY,
            FirstPlay::Value(value) => value,
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
    fn argmax(self, score: impl Fn(Child<'_, G::Action, P::Stats>) -> f32) -> Choice {
        let (greatest, choice) = self.best(&score);
        let new_is_better = self.more && self.untried(&score) > greatest;
        if new_is_better || greatest == LEAST { Choice::UNTRIED } else { choice }
    }

    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, P::Stats>)> {
        self.lanes()
    }

    fn children(&self) -> impl Iterator<Item = Child<'_, G::Action, P::Stats>> {
        self.blocks().flat_map(|(_, block, shown)| (0..shown).map(move |lane| block.child(lane).shown()))
    }

    fn parent(self) -> Option<Self> {
        let above = &self.path[..self.depth];
        let depth = above.iter().rposition(|step| matches!(step.turn, Turn::Player(_)))?;
        let node = above[depth];
        let (visits, link) = (node.place().child().visit_count(), node.place().link());
        let player = match node.turn {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => node.chooser,
        };
        let last = self.tree.block(link);
        let shown = self.tree.family_len(link);
        Some(Selecting { depth, player, visits, link, last, shown, more: false, ..self })
    }
}

/// Returns the block of `choice` if it belongs to the family `link`. A choice made at this node in this iteration
/// always does; for any other the family is searched.
#[inline(always)]
pub(super) fn family_block<'t, A, P, B>(
    tree: &'t Tree<A, P, B>,
    link: u32,
    choice: Choice,
    now: Moment,
) -> Option<Block<'t, A, P, B>>
where
    A: Copy,
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
    A: Copy,
    P: Copy + Default,
    B: Copy + Default,
{
    tree.family(link).any(|(block, _)| block == id)
}

/// Returns the mean reward over children with these visits and means, less `reduction`.
#[inline(always)]
pub(super) fn below_mean(reduction: f32, children: impl Iterator<Item = (f32, f32)>) -> f32 {
    let (mut sum, mut visits) = (0.0, 0.0);
    for (n, mean) in children {
        visits += n;
        sum += n * mean;
    }
    if visits == 0.0 { 0.5 - reduction } else { sum / visits - reduction }
}

fn low_bits(count: usize) -> u8 {
    ((1u16 << count) - 1) as u8
}

/// The number of actions of an iteration. The highest bit says whether the iteration was cut short: it ended at
/// certain rewards before the end of the game. (A separate field would be one more value to carry through the
/// backpropagation.)
#[derive(Clone, Copy)]
pub(super) struct Length(u32);

impl Length {
    const CUT: u32 = 1 << 31;

    #[inline(always)]
    pub fn new(actions: u32, is_cut_short: bool) -> Self {
        Length(actions & !Length::CUT | u32::from(is_cut_short) << 31)
    }
}

/// One step of the path as the backpropagation sees it.
pub(super) struct Updating<'a, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>>
where
    P::Stats: Statistics<G, R>,
{
    pub tree: &'a TreeOf<G, P, B>,
    /// The visits of the node, including the current one.
    pub visits: u32,
    pub path: &'a [PathStep<'a, G, P, B>],
    /// The index of the step in the path, and the step itself.
    pub depth: usize,
    pub step: &'a PathStep<'a, G, P, B>,
    pub tree_policy: &'a P,
    pub trace: &'a <P::Stats as Statistics<G, R>>::Trace,
    /// The number of actions of the iteration.
    pub length: Length,
    /// Receives a reward that is not in [0, 1].
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
    /// Returns whether `reward` is in [0, 1]; if not, notes it in `wrong`.
    #[inline(always)]
    fn is_right(&self, reward: f32) -> bool {
        let fits = (0.0..=1.0).contains(&reward);
        if !fits {
            self.wrong.set(Some((self.step.chooser, reward)));
        }
        fits
    }

    /// Updates the tree policy's statistics at `place`, which is that of this step, with a reward.
    #[inline(always)]
    fn update(&self, place: PlaceOf<'_, G, P, B>, reward: f32) {
        let stats = self.tree_policy.update(place.child().stats(), self.visits as i32 as f32, reward);
        place.set_stats(stats);
        if P::Stats::CREDITS
            && let Some(parent) = self.depth.checked_sub(1)
        {
            self.credit(parent, &self.path[parent], reward);
        }
    }

    /// Credits the step and its siblings with what the trace records of their actions.
    fn credit(&self, depth: usize, parent: &PathStep<'_, G, P, B>, reward: f32) {
        let chooser = self.step.chooser;
        for (_, block) in self.tree.family(parent.place().link()) {
            for place in block.places() {
                let child = place.child();
                place.set_stats(child.stats().credit(self.trace, depth, chooser, child.action(), reward));
            }
        }
    }
}

impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Sealed for Updating<'_, G, P, R, B> where
    P::Stats: Statistics<G, R>
{
}

impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Step<G, B::Stats> for Updating<'_, G, P, R, B>
where
    P::Stats: Statistics<G, R>,
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
            let place = self.step.place();
            place.record(self.visits, reward);
            self.update(place, reward);
        }
    }

    #[inline(always)]
    fn record_with_mean(self, reward: f32, mean: f32) {
        if self.is_right(reward) && self.is_right(mean) {
            let place = self.step.place();
            place.record_with_mean(self.visits, mean);
            self.update(place, reward);
        }
    }

    #[inline(always)]
    fn spread(self, deviation: f32) {
        let place = self.step.place();
        place.set_stats(self.tree_policy.spread(place.child().stats(), deviation));
    }

    #[inline(always)]
    fn stats(self) -> B::Stats {
        self.step.place().backprop()
    }

    #[inline(always)]
    fn set_stats(self, stats: B::Stats) {
        self.step.place().set_backprop(stats);
    }

    #[inline(always)]
    fn followed(self) -> Option<B::Stats> {
        self.path.get(self.depth + 1).map(|step| step.place().backprop())
    }

    fn children(&self) -> impl Iterator<Item = B::Stats> + Clone {
        let link = self.step.place().link();
        let missing = self.tree.family(link).last().is_some_and(|(_, last)| !last.is_complete());
        let stored = self.tree.children_of(link).map(|place| place.backprop());
        stored.chain(missing.then(B::Stats::default))
    }

    fn tried(&self) -> impl Iterator<Item = Tried<B::Stats>> + Clone {
        let visited = |place: PlaceOf<'_, G, P, B>| {
            let (visits, mean) = (place.child().visit_count(), place.child().mean());
            (visits > 0).then(|| Tried { visits, mean, stats: place.backprop() })
        };
        self.tree.children_of(self.step.place().link()).filter_map(visited)
    }

    fn prune(self, hopeless: impl Fn(B::Stats) -> bool) {
        let children = self.tree.children_of(self.step.place().link());
        children.filter(|place| hopeless(place.backprop())).for_each(|place| place.close());
    }
}
