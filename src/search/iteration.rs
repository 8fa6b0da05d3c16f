//! The loop. One iteration consists of selection, expansion, simulation and backpropagation.

use super::expansion::Expansion;
use super::view::{
    BlockOf, Length, Path, PathStep, PlaceOf, Selecting, TreeOf, Updating, below_mean, family_block,
};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn};
use crate::selection::{Choice, FirstPlay, Moment, TreePolicy};
use crate::simulation::{Leaf, RolloutPolicy, Trace, why_no_action};
use crate::statistics::Statistics;
use crate::tree::ROOT;
use core::cell::Cell;
use core::marker::PhantomData;

/// The share of a full tree that is freed before it grows again. (A fifth and four fifths both lost to a half; see
/// `docs/architecture.md`.)
const RECYCLED_SHARE: f64 = 0.5;

/// The number of blocks freed or examined per iteration while there is memory to reclaim. This takes a few
/// microseconds.
const WORK: usize = 128;

/// The records of an iteration that the tree policy's statistics and the rollout policy ask for.
pub(super) type Traces<G, P, R> =
    (<<P as TreePolicy<G>>::Stats as Statistics<G, R>>::Trace, <R as RolloutPolicy<G>>::Trace);

/// The current position of an iteration: its node, the player who chose it, the turn there, and what the tree stores
/// of the node.
struct At<'t, G: GameState, P: TreePolicy<G>, B: Backprop<G>> {
    place: PlaceOf<'t, G, P, B>,
    chooser: Player,
    turn: Turn,
    /// The last block of the children.
    link: u32,
    /// The number of completed visits.
    visits: u32,
    /// Whether the node is closed: its reward is proven for its chooser, or bounds have cut it off.
    closed: bool,
}

impl<'t, G: GameState, P: TreePolicy<G>, B: Backprop<G>> At<'t, G, P, B> {
    #[inline(always)]
    fn look(place: PlaceOf<'t, G, P, B>, chooser: Player, turn: Turn) -> Self {
        let closed = B::PROVES && place.is_closed();
        At { place, chooser, turn, link: place.link(), visits: place.child().visit_count(), closed }
    }
}

/// The data that iterations read and write: the parts of a search, and the path of the current iteration.
pub(super) struct Iterations<'p, 's, G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> {
    pub state: &'s G,
    pub players: u8,
    /// The turn at the root, and the player whose action led there.
    pub turn: Turn,
    pub chooser: Player,
    pub tree: &'s TreeOf<G, P, B>,
    pub tree_policy: &'s mut P,
    pub rollout_policy: &'s mut R,
    pub backprop: &'s B,
    pub expansion: Expansion,
    pub first_play: FirstPlay,
    pub memory_limit: usize,
    pub rng: &'s mut Rng,
    /// Determines the random order in which children are created.
    pub salt: u64,
    pub actions: &'s mut Vec<G::Action>,
    pub initial: &'s mut Vec<P::Stats>,
    pub path: Path<'p, 's, G, P, B>,
    /// The number of this iteration. It distinguishes the choices of this iteration from older ones.
    pub iteration: u32,
    /// Whether a child could not be stored for lack of memory, and whether it was a child of the root.
    pub is_starved: bool,
    pub root_starves: bool,
    /// Whether no more memory can be reclaimed.
    pub is_full: bool,
}

impl<'s, G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Iterations<'_, 's, G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    /// Runs one iteration. Returns whether there is room for the root's children, so that the search can go on. After
    /// an error of the game the statistics are unchanged. After a backpropagation that recorded an invalid reward,
    /// the visits of the iteration have been counted.
    #[inline(always)]
    pub fn iterate(&mut self, leaf: &mut Leaf<G, Traces<G, P, R>>) -> Result<bool, GameFault> {
        let mut at = self.start(leaf);
        let (mut certain, mut is_expanded) = (None, false);
        while certain.is_none() {
            // Expansion: a leaf that is due gets children. The iteration then goes on to the first of them, or
            // evaluates the leaf itself together with its priors.
            if at.link == ROOT {
                if is_expanded || !self.expands(&at) {
                    break;
                }
                is_expanded = true;
                match self.expand(at.place, at.turn, leaf)? {
                    Some(link) if !P::Stats::INITIALIZES => at.link = link,
                    _ => break,
                }
            }
            // Selection: go down to a node without children, or to one whose rewards are certain.
            self.descend(&mut at, leaf)?;
            certain = self.certain_rewards(&at);
        }
        let is_cut_short = certain.is_some() && at.turn != Turn::Over;
        // Simulation: a rollout or an evaluation.
        let rewards = match certain {
            Some(rewards) => rewards,
            None if at.turn == Turn::Over => Rewards::of(leaf.state())?.checked(self.players)?,
            None => self.simulate(at.place, leaf)?,
        };
        self.rollout_policy.learn(&leaf.trace().1, &rewards);
        self.tree_policy.learn(leaf.trace().0.actions(), &rewards);
        // Backpropagation: from the leaf to the root.
        self.backpropagate(leaf, rewards, is_cut_short)?;
        Ok(!(self.is_starved | self.tree.has_work()) || self.make_room())
    }

    /// Starts a new iteration at the root.
    #[inline(always)]
    fn start(&mut self, leaf: &mut Leaf<G, Traces<G, P, R>>) -> At<'s, G, P, B> {
        leaf.restart(self.state);
        self.iteration = self.iteration.wrapping_add(1);
        let root = self.tree.root();
        self.path.begin(PathStep::new(root, self.chooser, self.turn));
        At::look(root, self.chooser, self.turn)
    }

    /// Returns whether the root is proven.
    #[inline(always)]
    pub fn root_is_proven(&self) -> bool {
        let stats = self.tree.root().backprop();
        B::PROVES && root_proof::<G, B>(self.backprop, stats, self.turn, self.chooser).is_some()
    }

    /// Reclaims memory for a while, and starts recycling if a child could not be stored. Returns whether the search
    /// can go on: it cannot if no memory is left to reclaim and the root's own children do not fit.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) -> bool {
        if self.is_starved && !self.is_full && !self.tree.is_recycling() {
            self.tree.begin_recycling(RECYCLED_SHARE);
        }
        if let Some(gave_up_any) = self.tree.work(WORK) {
            // Recycling again would free nothing either: the tree would have to grow first, and has no room for that.
            self.is_full = !gave_up_any;
        }
        let goes_on = !(self.is_full && self.root_starves);
        (self.is_starved, self.root_starves) = (false, false);
        goes_on
    }

    /// Simulates from a leaf, after the backpropagation has looked at its state if it wants to.
    #[inline(always)]
    fn simulate(
        &mut self,
        place: PlaceOf<'s, G, P, B>,
        leaf: &mut Leaf<G, Traces<G, P, R>>,
    ) -> Result<Rewards, GameFault> {
        if B::LOOKS {
            place.set_backprop(self.backprop.look(leaf.state(), place.backprop())?);
        }
        self.rollout_policy.simulate(leaf, self.rng)?.checked(self.players)
    }

    #[inline(always)]
    fn backpropagate(
        &mut self,
        leaf: &Leaf<G, Traces<G, P, R>>,
        mut rewards: Rewards,
        is_cut_short: bool,
    ) -> Result<(), GameFault> {
        let (wrong, length) = (Cell::new(None), Length::new(leaf.ply(), is_cut_short));
        for (depth, step) in self.path.steps().iter().enumerate().rev() {
            let visits = step.place().count_visit();
            let view = Updating::<G, P, R, B> {
                tree: self.tree,
                visits,
                path: self.path.steps(),
                depth,
                step,
                tree_policy: self.tree_policy,
                trace: &leaf.trace().0,
                length,
                wrong: &wrong,
                fed_by: PhantomData,
            };
            self.backprop.update(view, &mut rewards);
            if B::PROVES && self.backprop.certain(step.place().backprop(), step.chooser).is_some() {
                step.place().close();
            }
        }
        wrong.get().map_or(Ok(()), |(player, reward)| Err(GameFault::Recorded { player, reward }))
    }

    /// Descends one step. The tree policy chooses for a player; a chance node draws from the game's own
    /// probabilities.
    #[inline(always)]
    fn descend(
        &mut self,
        at: &mut At<'s, G, P, B>,
        leaf: &mut Leaf<G, Traces<G, P, R>>,
    ) -> Result<(), GameFault> {
        let last = self.tree.block(at.link);
        let (choice, chooser) = match at.turn {
            Turn::Player(player) => (self.choose(at, last, player, leaf.state())?, player),
            Turn::Chance | Turn::Over => (self.draw(at.link, leaf.state())?, at.chooser),
        };
        let block = if choice.block == at.link { last } else { self.other_block(choice, at.place)? };
        let lane = choice.lane();
        if lane >= block.used() {
            return Err(GameFault::ForeignChoice);
        }
        let place = block.place(lane);
        leaf.apply(place.child().action())?;
        let turn = leaf.state().turn();
        if let Turn::Player(player) = turn
            && player >= self.players
        {
            return Err(GameFault::UnknownPlayer { player, players: self.players });
        }
        let tree = self.tree;
        if !self.path.push(PathStep::new(place, chooser, turn), || tree.children()) {
            return Err(GameFault::ForeignChoice);
        }
        *at = At::look(place, chooser, turn);
        Ok(())
    }

    /// Returns the moment that marks a choice made at the end of the path.
    #[inline(always)]
    pub fn moment(&self) -> Moment {
        Moment::new(self.iteration, self.path.len() - 1)
    }

    /// Returns the block of a choice that is not in the last block of its family.
    #[inline(always)]
    fn other_block(
        &self,
        choice: Choice,
        node: PlaceOf<'s, G, P, B>,
    ) -> Result<BlockOf<'s, G, P, B>, GameFault> {
        // The family may have grown and moved while this choice was made, so ask the node where it is now.
        family_block(self.tree, node.link(), choice, self.moment()).ok_or(GameFault::ForeignChoice)
    }

    #[inline(always)]
    fn choose(
        &mut self,
        at: &At<'s, G, P, B>,
        last: BlockOf<'s, G, P, B>,
        player: Player,
        state: &G,
    ) -> Result<Choice, GameFault> {
        let (mut shown, mut more) = (usize::MAX, false);
        if self.expansion.is_widened() || !P::SEES_UNVISITED && !last.is_settled() && !last.is_exhausted() {
            let visited = last.start() + last.visited();
            let mut width = self.expansion.width(at.visits.max(1));
            if B::PROVES && self.expansion.is_widened() {
                width = self.with_closed(at.link, width);
            }
            (shown, more) = if P::SEES_UNVISITED {
                (width, false)
            } else {
                (visited, visited < width && !last.is_exhausted())
            };
        }
        if !(more && (self.first_play == FirstPlay::Infinite || shown == 0)) {
            if more && let FirstPlay::BelowMean(reduction) = self.first_play {
                self.prepare_stand_in(at.link, reduction);
            }
            let choice = self.ask(at, last, player, shown, more, false);
            if !choice.is_untried() {
                return Ok(choice);
            }
        }
        if more && let Some(untried) = self.untried(at, last, state)? {
            return Ok(untried);
        }
        Ok(self.make_do(shown))
    }

    /// Returns how many children of a family to show so that `width` of them are open.
    #[inline(never)]
    fn with_closed(&self, link: u32, width: usize) -> usize {
        let mut open = 0;
        let fits = |place: &PlaceOf<'_, G, P, B>| {
            open += usize::from(!place.is_closed());
            open <= width
        };
        let fitting = self.tree.children_of(link).take_while(fits).count();
        // Children that are not stored yet are open.
        width.saturating_sub(open).saturating_add(fitting)
    }

    /// Writes the child that represents the unvisited children of this family: one visit with the mean less the
    /// reduction.
    #[cold]
    #[inline(never)]
    fn prepare_stand_in(&self, link: u32, reduction: f32) {
        let children = self.tree.children_of(link).map(|place| place.child());
        let mean = below_mean(reduction, children.map(|child| (child.visit_count() as f32, child.mean())));
        let mean = mean.max(0.0);
        let stats = self.tree_policy.update(P::Stats::default(), 1.0, mean);
        self.tree.prepare_stand_in(self.tree.block(link).child(0).action(), mean, stats);
    }

    /// Asks the tree policy for a choice.
    #[inline(always)]
    fn ask(
        &mut self,
        at: &At<'s, G, P, B>,
        last: BlockOf<'s, G, P, B>,
        player: Player,
        shown: usize,
        more: bool,
        closed_too: bool,
    ) -> Choice {
        let view = Selecting::<G, P, B> {
            tree: self.tree,
            path: self.path.room(),
            depth: self.path.len() - 1,
            player,
            visits: at.visits,
            link: at.link,
            last,
            shown,
            more,
            closed_too,
            first_play: self.first_play,
            iteration: self.iteration,
        };
        self.tree_policy.select(view, self.rng)
    }

    /// Makes a choice where the tree policy finds none: all children are proven, no score is a number, or there is no
    /// room for another child.
    #[cold]
    #[inline(never)]
    fn make_do(&mut self, shown: usize) -> Choice {
        let step = self.path.steps()[self.path.len() - 1];
        let player = if let Turn::Player(player) = step.turn { player } else { step.chooser };
        let at = &At::look(step.place(), step.chooser, step.turn);
        for closed_too in [false, true] {
            let choice = self.ask(at, self.tree.block(at.link), player, shown, false, closed_too);
            if !choice.is_untried() {
                return choice;
            }
        }
        Choice::new(self.tree.block(at.link).next(), 0, self.moment())
    }

    /// Returns the next unvisited child in order; `None` if the tree is full.
    #[inline(always)]
    fn untried(
        &mut self,
        at: &At<'s, G, P, B>,
        last: BlockOf<'s, G, P, B>,
        state: &G,
    ) -> Result<Option<Choice>, GameFault> {
        if last.visited() < last.used() {
            return Ok(Some(Choice::new(at.link, last.visited(), Moment::NEVER)));
        }
        self.next_made(at.place, at.turn, state)
    }

    /// Draws an outcome of a chance node.
    #[inline(never)]
    fn draw(&mut self, link: u32, state: &G) -> Result<Choice, GameFault> {
        let outcome = state.random_action(self.rng).ok_or_else(|| why_no_action(state))?;
        for (block, lanes) in self.tree.family(link) {
            if let Some(lane) = (0..lanes.used()).find(|&lane| lanes.child(lane).action() == outcome) {
                return Ok(Choice::new(block, lane, self.moment()));
            }
        }
        Err(GameFault::UnknownOutcome)
    }

    /// Returns the rewards at a node if they are certain for all players.
    #[inline(always)]
    fn certain_rewards(&self, at: &At<'s, G, P, B>) -> Option<Rewards> {
        if !at.closed {
            return None;
        }
        let stats = at.place.backprop();
        let certain = |player| self.backprop.certain(stats, player);
        (0..self.players)
            .all(|player| certain(player).is_some())
            .then(|| Rewards::new(self.players, |player| certain(player).unwrap_or(0.0)))
    }

    /// Returns whether a leaf gets children on this visit.
    #[inline(always)]
    fn expands(&self, at: &At<'s, G, P, B>) -> bool {
        let visit = self.expansion.visit(if P::Stats::INITIALIZES { 1 } else { 2 });
        at.link == ROOT && at.turn != Turn::Over && (at.visits + 1 >= visit || self.path.len() == 1)
    }
}

/// Returns the reward of the player to move at the root, if it is certain; `stats` is what the backpropagation stores
/// for the root. At a chance node, this is the reward of `chooser`.
#[inline(always)]
pub(super) fn root_proof<G: GameState, B: Backprop<G>>(
    backprop: &B,
    stats: B::Stats,
    turn: Turn,
    chooser: Player,
) -> Option<f32> {
    match turn {
        Turn::Player(player) => backprop.certain(stats, player),
        Turn::Chance | Turn::Over => backprop.certain(stats, chooser),
    }
}
