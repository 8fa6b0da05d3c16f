//! One iteration: selection, expansion, simulation and backpropagation. This layer knows the store, the
//! policies and what is searched. It knows nothing of runs, budgets and reports.

pub(crate) mod expand;
pub(crate) mod expansion;
pub(crate) mod node_view;
pub(crate) mod nodes;
pub(crate) mod order;
pub(crate) mod path;
pub(crate) mod step_view;

use crate::backpropagation::{Backprop, StepChild};
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Rewards, Rng, Turn};
use crate::iteration::expansion::Expansion;
use crate::iteration::node_view::{Selecting, below_mean, family_block};
use crate::iteration::nodes::{are_exact, guess, home, is_possible};
use crate::iteration::path::{BlockOf, NodeOf, Path, PathStep, TreeOf};
use crate::iteration::step_view::{Length, Told, Updating};
use crate::selection::{Choice, FirstPlay, Moment, TreePolicy};
use crate::simulation::{Leaf, RolloutPolicy, Trace, why_no_action};
use crate::space::transpositions::{transformation_of, unstored};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use crate::tree::ROOT;
use core::cell::Cell;
use core::marker::PhantomData;

/// The share of a full tree that is freed before it grows again. (In matches, a half beat both a fifth and
/// four fifths; see `docs/architecture.md`.)
const RECYCLED_SHARE: f64 = 0.5;

/// One iteration of so many plays its line in the tree a second time, to find chance that is hidden in
/// `apply`.
const REPLAYED: u32 = 128;

/// The number of blocks to free or examine per iteration while there is memory to reclaim. This takes a few
/// microseconds.
const WORK: usize = 128;

/// The records of an iteration that the tree policy's statistics and the rollout policy ask for.
pub(crate) type Traces<S, P, R> = (
    <<P as TreePolicy<<S as Space>::Game>>::Stats as Statistics<<S as Space>::Game, R>>::Trace,
    <R as RolloutPolicy<<S as Space>::Game>>::Trace,
);

/// The leaf of an iteration of a search.
pub(crate) type LeafOf<S, P, R> = Leaf<<S as Space>::Game, Traces<S, P, R>>;

/// The current position of an iteration: its node, the player who chose it, the turn there, and what the tree
/// stores of the node.
pub(crate) struct CurrentNode<'t, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> {
    pub node: NodeOf<'t, S, P, B>,
    pub chooser: Player,
    pub turn: Turn,
    /// The last block of the children.
    pub link: u32,
    /// The number of completed visits.
    pub visits: u32,
}

impl<'t, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> CurrentNode<'t, S, P, B> {
    #[inline(always)]
    pub fn new(node: NodeOf<'t, S, P, B>, chooser: Player, turn: Turn) -> Self {
        CurrentNode { node, chooser, turn, link: node.link(), visits: node.visit_count() }
    }
}

/// The end of a descent.
pub(crate) struct Reached<'t, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> {
    /// The leaf.
    pub node: NodeOf<'t, S, P, B>,
    /// The rewards, if they are certain: the game is over here, or all rewards are proven.
    pub certain: Option<Rewards>,
    /// Whether the rewards are certain although the game is not over.
    pub is_cut_short: bool,
}

/// How an iteration counts its visit at each node of its path when it is resolved.
pub(crate) trait CountVisits<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> {
    /// Returns the number of completed visits of `node`, including this one.
    fn count(&self, node: NodeOf<'_, S, P, B>) -> u32;

    /// Called after the node has been updated.
    #[inline(always)]
    fn counted(&self, node: NodeOf<'_, S, P, B>, tree_policy: &P) {
        let _ = (node, tree_policy);
    }
}

/// The visit is counted only now.
pub(crate) struct CountNow;

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> CountVisits<S, P, B> for CountNow {
    #[inline(always)]
    fn count(&self, node: NodeOf<'_, S, P, B>) -> u32 {
        node.count_visit()
    }
}

/// Whether a child could not be stored for lack of memory, and where.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shortage {
    #[default]
    None,
    BelowRoot,
    AtRoot,
}

/// The data that iterations read and write: the parts of a search, and the path of the current iteration.
pub(crate) struct Iterations<'p, 's, S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> {
    pub space: &'s S,
    pub players: u8,
    /// The turn at the root, and the player whose action led there.
    pub turn: Turn,
    pub chooser: Player,
    pub tree: &'s TreeOf<S, P, B>,
    pub tree_policy: &'s mut P,
    pub rollout_policy: &'s mut R,
    pub backprop: &'s B,
    pub expansion: Expansion,
    pub first_play: FirstPlay,
    pub memory_limit: usize,
    pub rng: &'s mut Rng,
    /// Determines the random order in which children are created.
    pub salt: u64,
    pub actions: &'s mut Vec<ActionOf<S>>,
    pub initial: &'s mut Vec<P::Stats>,
    pub path: Path<'p, 's, S, P, B>,
    /// The number of this iteration. It distinguishes the choices of this iteration from older ones.
    pub iteration: u32,
    /// Whether a child could not be stored in this iteration for lack of memory.
    pub shortage: Shortage,
    /// Whether no more memory can be reclaimed.
    pub is_full: bool,
    /// Whether this iteration ended because a position occurred on its path for the second time.
    pub repeats: bool,
    /// The positions on the path and of those before the root, as a set of their hashes.
    pub passed: [u64; 4],
}

impl<'s, S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Runs one iteration. Returns whether there is room for the root's children, so that the search can go
    /// on. After an error of the game the statistics are unchanged, except for the availability of children
    /// in information sets. After a backpropagation that recorded an invalid reward, the visits of the
    /// iteration have been counted.
    #[inline(always)]
    pub fn iterate(&mut self, leaf: &mut LeafOf<S, P, R>) -> Result<bool, GameFault> {
        let reached = self.reach(leaf, |this, current, leaf| this.expand(current.node, current.turn, leaf));
        let reached = reached.inspect_err(|_| self.tell(leaf, None))?;
        // Simulation: a rollout or an evaluation.
        let rewards = match reached.certain {
            Some(rewards) => rewards,
            None => {
                self.look(reached.node, leaf).inspect_err(|_| self.tell(leaf, None))?;
                let before = self.rng.clone();
                let rewards = self.rollout_policy.simulate(leaf, self.rng);
                let checked = rewards.and_then(|rewards| rewards.checked(self.players));
                checked.inspect_err(|_| self.tell(leaf, Some(before)))?
            }
        };
        let resolved = self.resolve(leaf, rewards, reached.is_cut_short, CountNow);
        resolved.inspect_err(|_| self.tell(leaf, None))
    }

    /// Selects and expands: starts at the root and goes down to a leaf. `expand` gives a leaf that is due its
    /// children and returns the link to them, or `None` if the leaf itself is to be evaluated.
    #[inline(always)]
    pub fn reach(
        &mut self,
        leaf: &mut LeafOf<S, P, R>,
        mut expand: impl FnMut(
            &mut Self,
            &CurrentNode<'s, S, P, B>,
            &mut LeafOf<S, P, R>,
        ) -> Result<Option<u32>, GameFault>,
    ) -> Result<Reached<'s, S, P, B>, GameFault> {
        leaf.restart(self.space.root());
        let mut current = self.start();
        self.arrive(&mut current, leaf);
        guess(leaf, self.space, self.rng)?;
        let (mut certain, mut is_expanded) = (None, false);
        loop {
            // Expansion: a leaf that is due gets children. The iteration then goes on to the first of them,
            // or evaluates the leaf itself together with its priors.
            let is_new = current.link == ROOT;
            if is_new {
                if is_expanded || !self.expands(&current) || !self.has_position() {
                    break;
                }
                is_expanded = true;
                match expand(self, &current, leaf)? {
                    Some(link) if !P::Stats::INITIALIZES => current.link = link,
                    _ => break,
                }
            }
            if !is_new && !self.supply(&mut current, leaf)? {
                break;
            }
            // Selection: go down to a node without children, or to one whose rewards are certain.
            self.descend(&mut current, leaf)?;
            if self.arrive(&mut current, leaf) {
                certain = Some(self.rewards_of_repetition(leaf.state())?);
                break;
            }
            if B::PROVES && self.backprop.certain(current.node.backprop(), current.chooser).is_some() {
                certain = self.certain_rewards(current.node.backprop());
                if certain.is_some() {
                    break;
                }
            }
        }
        if are_exact::<S>() && self.iteration.is_multiple_of(REPLAYED) {
            self.replay()?;
        }
        let is_cut_short = certain.is_some() && current.turn != Turn::Over;
        if certain.is_none() && current.turn == Turn::Over {
            certain = Some(Rewards::of(leaf.state())?.checked(self.players)?);
        }
        Ok(Reached { node: current.node, certain, is_cut_short })
    }

    /// Uses the rewards of an iteration whose path and leaf are given: the policies learn from it, and the
    /// backpropagation goes from the leaf to the root. Returns whether there is room for the root's children.
    #[inline(always)]
    pub fn resolve(
        &mut self,
        leaf: &LeafOf<S, P, R>,
        rewards: Rewards,
        is_cut_short: bool,
        count: impl CountVisits<S, P, B>,
    ) -> Result<bool, GameFault> {
        self.rollout_policy.learn(&leaf.trace().1, &rewards);
        self.update_tree(leaf, rewards, is_cut_short, count)
    }

    /// Does what [`resolve`](Self::resolve) does, except for the rollout policy.
    #[inline(always)]
    pub fn update_tree(
        &mut self,
        leaf: &LeafOf<S, P, R>,
        rewards: Rewards,
        is_cut_short: bool,
        count: impl CountVisits<S, P, B>,
    ) -> Result<bool, GameFault> {
        self.tree_policy.learn(leaf.trace().0.actions(), &rewards);
        self.backpropagate(leaf, rewards, is_cut_short, count)?;
        Ok((self.shortage == Shortage::None && !self.tree.has_work()) || self.make_room())
    }

    /// Starts a new iteration at the root.
    #[inline(always)]
    pub fn start(&mut self) -> CurrentNode<'s, S, P, B> {
        self.iteration = self.iteration.wrapping_add(1);
        let root = self.tree.root();
        self.path.begin(PathStep::new(root, self.chooser, self.turn));
        CurrentNode::new(root, self.chooser, self.turn)
    }

    /// Returns whether the root has no children.
    #[inline(always)]
    pub fn root_is_leaf(&self) -> bool {
        home::<S, P, B>(self.tree, self.tree.root()).link() == ROOT
    }

    /// Returns whether the root is proven.
    #[inline(always)]
    pub fn root_is_proven(&self) -> bool {
        let stats = home::<S, P, B>(self.tree, self.tree.root()).backprop();
        B::PROVES && root_proof::<S, B>(self.backprop, stats, self.turn, self.chooser).is_some()
    }

    /// Reclaims memory for a while, and starts recycling if a child could not be stored. Returns whether the
    /// search can go on: it cannot if no memory is left to reclaim and the root's own children do not fit.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) -> bool {
        if self.shortage != Shortage::None && !self.is_full && !self.tree.is_recycling() {
            self.tree.begin_recycling(RECYCLED_SHARE);
        }
        if let Some(gave_up_any) = self.tree.work(WORK, |stats| B::pending(stats) > 0) {
            // Recycling again would free nothing either: the tree would have to grow first, and has no room
            // for that.
            self.is_full = !gave_up_any;
        }
        let shortage = core::mem::take(&mut self.shortage);
        !(self.is_full && shortage == Shortage::AtRoot)
    }

    /// Shows the state of a leaf to the backpropagation.
    #[inline(always)]
    pub fn look(&self, node: NodeOf<'s, S, P, B>, leaf: &LeafOf<S, P, R>) -> Result<(), GameFault> {
        node.set_backprop(self.backprop.look(leaf.state(), node.backprop())?);
        Ok(())
    }

    #[inline(always)]
    fn backpropagate(
        &mut self,
        leaf: &LeafOf<S, P, R>,
        mut rewards: Rewards,
        is_cut_short: bool,
        count: impl CountVisits<S, P, B>,
    ) -> Result<(), GameFault> {
        let (wrong, length) = (Cell::new(None), Length::new(leaf.ply(), is_cut_short));
        let (told, own) = (Cell::new(Told::default()), Cell::new(rewards));
        let (steps, mut below) = (self.path.steps(), None);
        for (depth, step) in steps.iter().enumerate().rev() {
            let node = step.node();
            let view = Updating::<S, P, R, B> {
                tree: self.tree,
                node,
                home: node,
                visits: 0,
                path: steps,
                depth,
                step,
                tree_policy: self.tree_policy,
                backprop: self.backprop,
                expansion: &self.expansion,
                trace: &leaf.trace().0,
                length,
                told: &told,
                own: &own,
                in_place: None,
                below,
                wrong: &wrong,
                fed_by: PhantomData,
            };
            if let Some(position) = self.update_position(view, &mut rewards, &count) {
                below = Some(position);
                continue;
            }
            let (visits, home) = (count.count(node), self.home_of_end(node));
            let view = Updating { home, visits, ..view };
            self.backprop.update(view, &mut rewards);
            self.copy_home(view, &rewards);
            if B::PROVES && self.backprop.certain(home.backprop(), step.chooser).is_some() {
                self.mark(node, visits, home.backprop(), depth);
            }
            count.counted(node, self.tree_policy);
            let (visits, stats) = (visits + B::pending(node.backprop()), node.backprop());
            below = Some(StepChild { visits, mean: node.mean(), stats });
        }
        match wrong.get() {
            None => Ok(()),
            Some((player, reward)) => {
                self.keep_means();
                Err(GameFault::Recorded { player, reward })
            }
        }
    }

    /// Marks a node of the path whose reward is certain for its chooser. Rarely called, so it is kept out of
    /// the loop.
    #[inline(never)]
    fn mark(&self, node: NodeOf<'_, S, P, B>, visits: u32, stats: B::Stats, depth: usize) {
        let chooser = self.path.steps()[depth].chooser;
        mark_if_certain::<S, P, B>(self.backprop, node, visits, stats, chooser, || self.closes_losses(depth));
    }

    /// Gives the visits of this iteration the means of the visits before them, because some of them have no
    /// reward.
    #[cold]
    #[inline(never)]
    fn keep_means(&self) {
        for step in self.path.steps() {
            let node = step.node();
            for node in [node, home::<S, P, B>(self.tree, node)] {
                node.record_with_mean(node.visit_count() - B::pending(node.backprop()), node.mean());
            }
        }
    }

    /// Returns whether certain losses are closed among the siblings of the path's step at `depth`: at the
    /// root, which has no siblings whose means its own must be comparable with; where no other child is open
    /// (if no child is open, all are); and where the tree policy follows what an action is worth elsewhere,
    /// so that it would visit a refuted child as often as a good one.
    #[inline(never)]
    pub fn closes_losses(&self, depth: usize) -> bool {
        if depth <= 1 || self.tree_policy.skips_refuted() {
            return true;
        }
        let steps = self.path.steps();
        let link = home::<S, P, B>(self.tree, steps[depth - 1].node()).link();
        let is_proven = |node: NodeOf<'_, S, P, B>| {
            let stats = home::<S, P, B>(self.tree, node).backprop();
            node.is_closed() || self.backprop.certain(stats, steps[depth].chooser).is_some()
        };
        self.tree.family(link).last().is_none_or(|(_, last, _)| last.is_complete())
            && self.tree.children_of(link).all(is_proven)
    }

    /// Descends one step. The tree policy chooses for a player; a chance node draws from the game's own
    /// probabilities.
    #[inline(always)]
    fn descend(
        &mut self,
        current: &mut CurrentNode<'s, S, P, B>,
        leaf: &mut LeafOf<S, P, R>,
    ) -> Result<(), GameFault> {
        let last = self.tree.block(current.link);
        let (choice, chooser) = match current.turn {
            Turn::Player(player) => (self.choose(current, last, player, leaf.state())?, player),
            // The node has children.
            Turn::Over => return Err(GameFault::Replay),
            Turn::Chance => (self.draw(current, leaf.state())?, current.chooser),
        };
        let block = if choice.block == current.link { last } else { self.other_block(choice, current.node)? };
        let lane = choice.lane();
        if lane >= block.used() {
            return Err(GameFault::ForeignChoice);
        }
        let node = block.node(lane);
        self.pass(current.link, node)?;
        leaf.play(current.turn, node.action())?;
        let (turn, tree) = (leaf.turn(), self.tree);
        if !self.path.push(PathStep::new(node, chooser, turn), || tree.children()) {
            return Err(GameFault::ForeignChoice);
        }
        if let Turn::Player(player) = turn
            && player >= self.players
        {
            return Err(GameFault::UnknownPlayer { player, players: self.players });
        }
        *current = CurrentNode::new(node, chooser, turn);
        Ok(())
    }

    /// Returns the child that the tree policy chooses for `player`, in a search with a tree for each player.
    /// (`descend` does the same in its own words: to call this there costs 2 % of the instructions of a
    /// search.)
    pub fn follow(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        player: Player,
        state: &S::Game,
    ) -> Result<NodeOf<'s, S, P, B>, GameFault> {
        let last = self.tree.block(current.link);
        let choice = self.choose(current, last, player, state)?;
        let block = if choice.block == current.link { last } else { self.other_block(choice, current.node)? };
        let lane = choice.lane();
        if lane >= block.used() {
            return Err(GameFault::ForeignChoice);
        }
        let node = block.node(lane);
        self.pass(current.link, node)?;
        Ok(node)
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
        node: NodeOf<'s, S, P, B>,
    ) -> Result<BlockOf<'s, S, P, B>, GameFault> {
        // The family may have grown and moved while this choice was made, so ask the node where it is now.
        family_block(self.tree, node.link(), choice, self.moment()).ok_or(GameFault::ForeignChoice)
    }

    #[inline(always)]
    fn choose(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        last: BlockOf<'s, S, P, B>,
        player: Player,
        state: &S::Game,
    ) -> Result<Choice, GameFault> {
        let (shown, more) = self.shown(current, last);
        if !(more && (self.first_play == FirstPlay::Infinite || shown == 0)) {
            if more && let FirstPlay::BelowMean(reduction) = self.first_play {
                self.prepare_stand_in(current.link, reduction);
            }
            let choice = self.ask(current, last, player, shown, more, false);
            if !choice.is_untried() {
                return Ok(choice);
            }
        }
        if more && let Some(untried) = self.untried(current, last, state)? {
            return Ok(untried);
        }
        Ok(self.choose_fallback(shown))
    }

    /// Returns how many children of a node the search considers.
    ///
    /// If the children of other trees have some of the node's visits, this is only the share of this tree, so
    /// that all trees together consider as many as one.
    #[inline(never)]
    pub fn widened(&self, link: u32, visits: u32) -> usize {
        let mut width = self.expansion.width(visits);
        if self.tree.has_adopted() {
            let children = self.tree.children_of(link);
            let own = 1.0 + children.map(|child| f64::from(child.visit_count())).sum::<f64>();
            width = (width as f64 * (own / f64::from(visits)).min(1.0)).ceil() as usize;
        }
        if B::PROVES { self.with_proven(link, width) } else { width }
    }

    /// Returns how many children of a family have been visited.
    #[inline(always)]
    pub fn visited(&self, link: u32, last: BlockOf<'s, S, P, B>) -> usize {
        if P::Stats::INITIALIZES {
            return self.tree.family(link).map(|(_, block, _)| block.visited()).sum();
        }
        // Children are stored as they are tried, so all blocks before the last have been visited.
        last.start() + last.visited()
    }

    /// Returns how many children of a family to show so that `width` of them are neither proven nor pruned.
    #[inline(never)]
    fn with_proven(&self, link: u32, width: usize) -> usize {
        let step = self.path.end();
        let player = if let Turn::Player(player) = step.turn { player } else { step.chooser };
        let mut open = 0;
        let fits = |node: &NodeOf<'_, S, P, B>| {
            let stats = home::<S, P, B>(self.tree, *node).backprop();
            open += usize::from(!node.is_closed() && self.backprop.certain(stats, player).is_none());
            open <= width
        };
        let fitting = self.tree.children_of(link).take_while(fits).count();
        // Children that are not stored yet are not proven.
        width.saturating_sub(open).saturating_add(fitting)
    }

    /// Writes the child that represents the unvisited children of this family: one visit with the mean less
    /// the reduction.
    #[cold]
    #[inline(never)]
    fn prepare_stand_in(&self, link: u32, reduction: f32) {
        let children = self.tree.children_of(link);
        let mean = below_mean(reduction, children.map(|child| (child.visit_count() as f32, child.mean())));
        let mean = mean.max(0.0);
        let stats = self.tree_policy.update(P::Stats::default(), 1.0, mean);
        self.tree.prepare_stand_in(self.tree.block(link).node(0), mean, stats);
    }

    /// Asks the tree policy for a choice.
    #[inline(always)]
    fn ask(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        last: BlockOf<'s, S, P, B>,
        player: Player,
        shown: usize,
        more: bool,
        closed_too: bool,
    ) -> Choice {
        let view = Selecting::<S, P, B> {
            tree: self.tree,
            path: self.path.room(),
            depth: self.path.len() - 1,
            player,
            visits: current.visits,
            link: current.link,
            last,
            shown,
            more,
            closed_too,
            first_play: self.first_play,
            iteration: self.iteration,
        };
        self.tree_policy.select(view, self.rng)
    }

    /// Chooses a child where the tree policy finds none: all children are proven, no score is a number, or
    /// there is no room for another child.
    #[cold]
    #[inline(never)]
    fn choose_fallback(&mut self, shown: usize) -> Choice {
        let step = self.path.steps()[self.path.len() - 1];
        let player = if let Turn::Player(player) = step.turn { player } else { step.chooser };
        let current = &CurrentNode::new(home::<S, P, B>(self.tree, step.node()), step.chooser, step.turn);
        for closed_too in [false, B::PROVES] {
            let choice = self.ask(current, self.tree.block(current.link), player, shown, false, closed_too);
            if !choice.is_untried() {
                return choice;
            }
        }
        self.first_possible(current.link)
    }

    /// Returns the next unvisited child in order; `None` if the tree is full.
    #[inline(always)]
    fn untried(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        last: BlockOf<'s, S, P, B>,
        state: &S::Game,
    ) -> Result<Option<Choice>, GameFault> {
        if P::Stats::INITIALIZES {
            // All children are stored, in blocks that are visited one after another.
            let mut family = self.tree.family(current.link);
            let open = family.find(|(_, block, _)| block.visited() < block.used());
            return Ok(open.map(|(id, block, _)| Choice::new(id, block.visited(), self.moment())));
        }
        if last.visited() < last.used() {
            return Ok(Some(Choice::new(current.link, last.visited(), Moment::NEVER)));
        }
        self.next_made(current.node, current.turn, state)
    }

    /// Draws an outcome of a chance node whose outcomes are listed.
    #[inline(never)]
    pub fn draw_listed(&mut self, link: u32, state: &S::Game) -> Result<Choice, GameFault> {
        let outcome = state.random_outcome(self.rng).ok_or_else(|| why_no_action(state))?;
        for (block, lanes, _) in self.tree.family(link) {
            if let Some(lane) = (0..lanes.used()).find(|&lane| {
                lanes.node(lane).has_action(&outcome) && is_possible::<S, P, B>(lanes.node(lane))
            }) {
                return Ok(Choice::new(block, lane, self.moment()));
            }
        }
        let is_listed = state.actions().into_iter().any(|listed| listed == outcome);
        Err(if is_listed { GameFault::Replay } else { GameFault::UnknownOutcome })
    }

    /// Plays the path a second time. Fails if it has other turns, or if its actions are not listed.
    #[cold]
    #[inline(never)]
    fn replay(&self) -> Result<(), GameFault> {
        let mut state = self.space.root().clone();
        let steps = self.path.steps();
        for pair in steps.windows(2) {
            let transformation = transformation_of::<S>(&state);
            let action = unstored::<S>(&state, transformation, pair[1].node().action());
            if state.turn() != pair[0].turn || state.actions().into_iter().all(|listed| listed != action) {
                return Err(GameFault::Replay);
            }
            state.apply(action);
        }
        if steps.last().is_some_and(|end| end.turn != state.turn()) { Err(GameFault::Replay) } else { Ok(()) }
    }

    /// Returns the rewards at a node if they are certain for all players. Rarely called, so it is kept out of
    /// the loop.
    #[inline(never)]
    fn certain_rewards(&self, stats: B::Stats) -> Option<Rewards> {
        let certain = |player| self.backprop.certain(stats, player);
        (0..self.players)
            .all(|player| certain(player).is_some())
            .then(|| Rewards::new(self.players, |player| certain(player).unwrap_or(0.0)))
    }
}

/// Takes note of the reward of a node after `visits` visits, if it is certain for its chooser.
///
/// The node is closed, so that the search proves others. Only a loss stays open, unless `closes_losses` says
/// otherwise, with the mean that the loss is worth: the tree policy then visits it as rarely as any bad
/// child. If it were closed, the mean of its parent would leave out the losing actions that have been
/// refuted, while the means of the siblings of the parent include theirs, which have not; and then the search
/// avoids actions that leave one good reply.
#[inline(always)]
pub(crate) fn mark_if_certain<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    backprop: &B,
    node: NodeOf<'_, S, P, B>,
    visits: u32,
    stats: B::Stats,
    chooser: Player,
    closes_losses: impl FnOnce() -> bool,
) {
    match backprop.certain(stats, chooser) {
        Some(reward) if reward > 0.0 || closes_losses() => node.close(),
        Some(_) if visits > 0 => {
            node.record_with_mean(visits, worth_of_loss::<S, B>(backprop, stats, chooser))
        }
        _ => {}
    }
}

/// Returns what a certain loss is worth to `chooser`.
#[inline(never)]
fn worth_of_loss<S: Space, B: Backprop<S::Game>>(backprop: &B, stats: B::Stats, chooser: Player) -> f32 {
    let certain = |player| backprop.certain(stats, player).unwrap_or(0.0);
    backprop.worth(stats, &Rewards::new(MAX_PLAYERS as u8, certain), chooser).clamp(0.0, 1.0)
}

/// Returns the reward of the player to move at the root, if it is certain; `stats` is what the
/// backpropagation stores for the root. At a chance node, this is the reward of `chooser`.
#[inline(always)]
pub(crate) fn root_proof<S: Space, B: Backprop<S::Game>>(
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
