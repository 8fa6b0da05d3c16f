//! One iteration: selection, expansion, simulation and backpropagation.
//!
//! This file has the four phases in their order: `Iterations::select_and_simulate` and `use_rewards`. `select` chooses a child, `expand`
//! gives a leaf its children as `expansion` and `order` say, `proofs` closes what is proven, and `error`
//! tells how an iteration came to a fault. `nodes` says what differs if a node stands for something else than
//! a line of play. `path` keeps the way from the root to the leaf, and `states` the states of nodes if the
//! game asks for it. `node_view` and `step_view` are what policies see of it.
//!
//! This layer uses the store, the policies and what is searched. It knows nothing of runs, budgets and
//! reports.

mod error;
pub(crate) mod expand;
pub(crate) mod expansion;
pub(crate) mod node_view;
pub(crate) mod nodes;
pub(crate) mod order;
pub(crate) mod path;
mod proofs;
pub(crate) mod root_actions;
mod select;
pub(crate) mod states;
pub(crate) mod step_view;

use crate::backpropagation::{Backprop, StepChild};
use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn, concluded, try_apply};
use crate::iteration::expansion::Expansion;
use crate::iteration::nodes::{Passed, guess, home, settle};
use crate::iteration::path::{NodeOf, Path, PathStep, TreeOf};
use crate::iteration::root_actions::Mask;
use crate::iteration::states::States;
use crate::iteration::step_view::{Length, Record, Updating};
use crate::selection::{FirstPlay, Spread, TreePolicy};
use crate::simulation::{Leaf, LeafError, RolloutPolicy, Trace};
use crate::space::transpositions::{transformation_of, unstored};
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::ROOT;
use core::cell::Cell;
use core::marker::PhantomData;
pub(crate) use proofs::{close_if_certain, root_proof};

/// The share of a full tree that is freed before it grows again. (In matches, a half beat both a fifth and
/// four fifths; see `docs/architecture.md`.)
const RECYCLED_SHARE: f64 = 0.5;

/// Every 128th iteration plays its line in the tree a second time, to find chance that is hidden in
/// `apply`.
pub(crate) const REPLAYED: u32 = 128;

/// The number of blocks to free or examine per iteration while there is memory to reclaim. This takes a few
/// microseconds.
const WORK: usize = 128;

/// A tree policy whose statistics the game and the rollout policy `R` can feed: what a search needs to run.
pub trait FedBy<G: GameState, R>: TreePolicy<G, Stats: Statistics<G, R>> {}
impl<G: GameState, R, P: TreePolicy<G, Stats: Statistics<G, R>>> FedBy<G, R> for P {}

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
    /// The mask of the root, if its actions are restricted.
    pub mask: Option<&'s Mask<ActionOf<S>>>,
    pub tree: &'s TreeOf<S, P, B>,
    pub states: &'s mut States<S::Game>,
    pub tree_policy: &'s mut P,
    /// How far the rewards lie apart.
    pub spread: &'s mut Spread,
    pub backprop: &'s B,
    pub expansion: Expansion,
    pub first_play: FirstPlay,
    pub memory_limit: usize,
    pub rng: &'s mut Rng,
    /// Determines the random order in which children are created.
    pub salt: u64,
    pub actions: &'s mut Vec<ActionOf<S>>,
    pub initial: &'s mut Vec<P::Stats>,
    pub path: Path<'p, 's, ActionOf<S>, P::Stats, B::Stats>,
    /// The number of this iteration. It distinguishes the choices of this iteration from older ones.
    pub iteration: u32,
    /// Whether a child could not be stored in this iteration for lack of memory.
    pub shortage: Shortage,
    /// Whether no more memory can be reclaimed.
    pub is_full: bool,
    /// Whether this iteration ended because a position occurred on its path for the second time.
    pub repeats: bool,
    /// In a graph: the positions on the path and before the root.
    pub passed: Passed,
    /// The rollout policy is not among the parts, because several threads may share it.
    pub rollout_policy: PhantomData<fn(R)>,
}

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Runs one iteration. Returns whether there is room for the root's children, so that the search can go
    /// on. After an error of the game the statistics are unchanged, except for the availability of children
    /// in information sets. After a backpropagation that recorded an invalid reward, the visits of the
    /// iteration have been counted.
    #[inline(always)]
    pub fn iterate(
        &mut self,
        leaf: &mut LeafOf<S, P, R>,
        rollout_policy: &mut R,
    ) -> Result<bool, Box<LeafError>> {
        let (rewards, is_cut_short) = self.select_and_simulate(leaf, rollout_policy)?;
        if rollout_policy.learns() {
            rollout_policy.learn(&leaf.trace().1, &rewards);
        }
        self.use_rewards(leaf, rewards, is_cut_short)
    }

    /// The first part of an iteration: selection, expansion and simulation. Returns the rewards, and whether
    /// they are certain although the game is not over.
    #[inline(always)]
    pub fn select_and_simulate(
        &mut self,
        leaf: &mut LeafOf<S, P, R>,
        rollout_policy: &R,
    ) -> Result<(Rewards, bool), Box<LeafError>> {
        let mut before = None;
        let found = self.find_rewards(leaf, rollout_policy, &mut before);
        concluded(found)
            .map_err(|cause| self.error(cause, leaf, before.map(|before| (rollout_policy, before))))
    }

    /// Selects, expands and simulates. Leaves in `before` the generator from before the simulation, with
    /// which it can be played again.
    #[inline(always)]
    fn find_rewards(
        &mut self,
        leaf: &mut LeafOf<S, P, R>,
        rollout_policy: &R,
        before: &mut Option<Rng>,
    ) -> Result<(Rewards, bool), GameFault> {
        let reached = self.reach(leaf, |this, current, leaf| {
            this.expand(current.node, current.turn, leaf, rollout_policy)
        })?;
        let rewards = match reached.certain {
            Some(rewards) => rewards,
            None => {
                self.look(reached.node, leaf)?;
                *before = Some(self.rng.clone());
                rollout_policy.simulate(leaf, self.rng)?.checked(self.players)?
            }
        };
        Ok((rewards, reached.is_cut_short))
    }

    /// The second part of an iteration: backpropagation.
    #[inline(always)]
    pub fn use_rewards(
        &mut self,
        leaf: &LeafOf<S, P, R>,
        rewards: Rewards,
        is_cut_short: bool,
    ) -> Result<bool, Box<LeafError>> {
        let resolved = self.resolve(leaf, rewards, is_cut_short, CountNow);
        resolved.map_err(|fault| self.error(fault.into(), leaf, None))
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
        self.forget_freed();
        let mut current = self.start();
        self.arrive(&mut current, leaf);
        guess(leaf, self.space, self.rng)?;
        let (mut certain, mut is_expanded) = (None, false);
        loop {
            if self.path.is_full() && !self.goes_on()? {
                break;
            }
            // Expansion: a leaf that is due gets children. The iteration then goes on to the first of them,
            // or evaluates the leaf itself together with its priors.
            let is_new = current.link == ROOT;
            if is_new {
                if is_expanded || !self.expands(&current) || !self.has_position() {
                    break;
                }
                is_expanded = true;
                settle(leaf, self.space);
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
        if S::ARE_EXACT && self.iteration.is_multiple_of(REPLAYED) {
            self.replay()?;
        }
        let is_cut_short = certain.is_some() && current.turn != Turn::Over;
        if certain.is_none() && current.turn == Turn::Over {
            certain = Some(Rewards::of(leaf.state())?.checked(self.players)?);
        }
        Ok(Reached { node: current.node, certain, is_cut_short })
    }

    /// Makes room for a further step of a path that fills its buffer. Returns `false` if the path is at the
    /// greatest depth.
    #[cold]
    #[inline(never)]
    fn goes_on(&mut self) -> Result<bool, GameFault> {
        if self.path.is_at_end() {
            return Ok(false);
        }
        // Checked only here, where it costs nothing: so a path is never more than twice as long as it may be.
        if self.path.len() > self.tree.children() {
            return Err(GameFault::ForeignChoice);
        }
        self.path.lengthen();
        Ok(true)
    }

    /// Uses the rewards of an iteration whose path and leaf are given: the tree policy learns from it, and the
    /// backpropagation goes from the leaf to the root. Returns whether there is room for the root's children.
    #[inline(always)]
    pub fn resolve(
        &mut self,
        leaf: &LeafOf<S, P, R>,
        rewards: Rewards,
        is_cut_short: bool,
        count: impl CountVisits<S, P, B>,
    ) -> Result<bool, GameFault> {
        self.spread.learn(&rewards);
        self.tree_policy.learn(leaf.trace().0.actions(), &rewards);
        self.backpropagate(leaf, rewards, is_cut_short, count)?;
        Ok((self.shortage == Shortage::None && !self.tree.has_work()) || self.make_room())
    }

    /// Starts a new iteration at the root.
    #[inline(always)]
    pub fn start(&mut self) -> CurrentNode<'s, S, P, B> {
        const {
            assert!(
                !(S::IS_MIRRORED && <Traces<S, P, R> as Trace<S::Game>>::NUMBERS),
                "a policy that numbers actions cannot search `MirrorImages`, in which a number would stand for several actions: search `Transpositions`"
            );
        }
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
        let (record, own_rewards) = (Cell::new(Record::default()), Cell::new(rewards));
        let (steps, mut followed, mut is_undeclared) = (self.path.steps(), None, false);
        for depth in (0..steps.len()).rev() {
            let step = &steps[depth];
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
                record: &record,
                own_rewards: &own_rewards,
                mean_reward: None,
                followed,
                wrong: &wrong,
                fed_by: PhantomData,
            };
            if S::ARE_POSITIONS
                && let Some(position) = self.update_position(view, &mut rewards, &count)
            {
                is_undeclared |= !B::PROVES && self.backprop.certain(position.stats, step.chooser).is_some();
                followed = Some(position);
                continue;
            }
            let (visits, home) = (count.count(node), self.home_of_end(node));
            let view = Updating { home, visits, ..view };
            self.backprop.update(view, &mut rewards);
            self.copy_home(view, &rewards);
            if self.backprop.certain(home.backprop(), step.chooser).is_some() {
                if B::PROVES {
                    self.close_proven(node, visits, home.backprop(), depth);
                } else {
                    is_undeclared = true;
                }
            }
            count.counted(node, self.tree_policy);
            let (visits, stats) = (visits + B::pending(node.backprop()), node.backprop());
            followed = Some(StepChild { visits, mean: node.mean(), stats });
        }
        match wrong.get() {
            None if is_undeclared => Err(GameFault::Undeclared { method: "certain", constant: "PROVES" }),
            None => Ok(()),
            Some((player, reward)) => Err(GameFault::Recorded { player, reward }),
        }
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
            try_apply(&mut state, action)?;
        }
        if steps.last().is_some_and(|end| end.turn != state.turn()) { Err(GameFault::Replay) } else { Ok(()) }
    }
}
