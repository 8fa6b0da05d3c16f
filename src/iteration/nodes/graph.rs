//! Nodes that stand for positions: the search builds a graph.
//!
//! A node of the tree is then an *action*, and its link names the *position* that it leads to, a node of its
//! own. Selection reads the visits and the mean of the action. The position has the children and what the
//! backpropagation stores. On the way down, an iteration goes on from an action to its position
//! ([`arrive`](Iterations::arrive)). On the way back, it updates the position first, and then the action with
//! the reward that makes the means of the two equal ([`update_position`](Iterations::update_position)).

use crate::backpropagation::{Backprop, Step, StepChild};
use crate::game::{GameFault, Rewards, Turn, has_failed};
use crate::iteration::order::put_first;
use crate::iteration::path::{NodeOf, TreeOf};
use crate::iteration::step_view::{Record, Updating, keep_mean};
use crate::iteration::{CountVisits, CurrentNode, FedBy, Iterations, LeafOf, Shortage, close_if_certain};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, NodeKind, Space};
use crate::tree::{ROOT, Tree, is_same_position, transformation};

/// A reward of 1 in the units of the store.
const REWARD_UNITS: f64 = (1 << 24) as f64;

/// By how much the sum of the rewards of two players may differ from 1.
const TOLERANCE: f32 = 1e-6;

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    // The way down.

    /// In a graph, goes on from the last action of the path to its position, if it has one or is due for
    /// children. The state then becomes that of the position. Returns whether the position has occurred on
    /// this path before: the iteration then ends with the [rewards of a
    /// repetition](Self::rewards_of_repetition).
    #[inline(always)]
    pub fn arrive(&mut self, current: &mut CurrentNode<'s, S, P, B>, leaf: &mut LeafOf<S, P, R>) -> bool {
        if !S::ARE_POSITIONS {
            return false;
        }
        let node = current.node;
        if self.path.len() == 1 {
            self.repeats = false;
            self.passed.begin(self.tree.earlier_set());
        }
        if current.turn == Turn::Over || node.link() == ROOT && !self.find_position(current, leaf.state()) {
            current.link = ROOT; // with wrong keys, a finished game may have a position
            return self.repeats;
        }
        let link = node.link();
        leaf.transform(|state| S::transform(state, transformation(link)));
        self.repeats = self.is_passed(link);
        if !self.repeats {
            *current = CurrentNode::new(self.tree.position(link), current.chooser, current.turn);
        }
        self.repeats
    }

    /// If the last action of the path is due for children, links it to its position, which other actions may
    /// have led to before. Returns whether it has one now.
    ///
    /// Most iterations end at a node on its first visit. To look for its position there took 40 % of a long
    /// search, because each look waits for memory, and won no more games. Proofs came a sixth sooner, but
    /// `Expansion::on_visit(1)` gives them that.
    #[inline(never)]
    fn find_position(&mut self, current: &CurrentNode<'s, S, P, B>, state: &S::Game) -> bool {
        if !self.expands(current) {
            return false;
        }
        let (action, chooser) = (current.node, current.chooser);
        let Some(position @ (key, transformation)) = S::position(state) else { return false };
        if has_failed() {
            return false; // the key is none
        }
        if self.path.len() > 1 && self.tree.is_earlier(key) {
            self.repeats = true;
            return false;
        }
        if let Some(number) = self.tree.find_position(key, chooser) {
            self.tree.link_to(action, number, transformation);
            if B::pending(action.backprop()) > 0 {
                // They were not counted at this position.
                self.passed.linked.push(self.path.len() - 1);
            }
            return true;
        }
        let is_added = self.tree.add_position(action, position, chooser, self.room());
        if !is_added {
            let here = if self.path.len() == 1 { Shortage::AtRoot } else { Shortage::BelowRoot };
            self.shortage = self.shortage.max(here);
        }
        is_added
    }

    /// Returns whether an earlier action of the path leads to the position of this link, or the game has had
    /// it. Most positions are new, and their hashes say so.
    #[inline(always)]
    fn is_passed(&mut self, link: u32) -> bool {
        // The root itself is among those that the game has had.
        self.passed.add(link) && self.path.len() > 1 && self.is_on_path(link)
    }

    #[inline(never)]
    fn is_on_path(&mut self, link: u32) -> bool {
        let steps = self.path.steps();
        let is_on_path = self.passed.has(link, steps.len() - 1, |step| steps[step].node().link());
        if is_on_path {
            self.tree.note_cycle();
        }
        is_on_path || self.tree.is_earlier(self.tree.key_of(link).1)
    }

    /// Returns the rewards of a path that has returned to one of its positions.
    #[cold]
    #[inline(never)]
    pub fn rewards_of_repetition(&self, state: &S::Game) -> Result<Rewards, GameFault> {
        let fault = |player, reward| GameFault::Reward { player, reward };
        Rewards::try_new(self.players, |player| S::repeated(state, player), fault)
    }

    /// Returns the link of the last node of the path to its position, where positions are shared.
    #[inline(always)]
    pub fn position_of_end(&self) -> Option<u32> {
        if S::ARE_POSITIONS { Some(self.path.end().node().link()) } else { None }
    }

    // Children.

    /// Returns whether the last node of the path may have children: in a graph, it then leads to a position.
    #[inline(always)]
    pub fn has_position(&self) -> bool {
        !S::ARE_POSITIONS || self.path.end().node().link() != ROOT
    }

    /// In a graph, puts the actions of existing children first, if they are not. Two states of one position
    /// may list their actions in different orders, and then each state arranges them in its own order.
    pub fn keep_first(&mut self, link: u32) {
        if !S::ARE_POSITIONS {
            return;
        }
        let (made, mut listed) = (self.tree.children_of(link), self.actions.iter());
        if made.clone().any(|made| listed.next().is_some_and(|action| !made.has_action(action))) {
            let made: Vec<_> = made.collect();
            put_first(self.actions, made.len(), |place, action| made[place].has_action(action));
        }
    }

    // The way back.

    /// Returns the position that `action`, the node of the path at `depth`, leads to, if this iteration has
    /// visited it.
    #[inline(always)]
    pub fn position_at(&self, action: NodeOf<'_, S, P, B>, depth: usize) -> Option<NodeOf<'s, S, P, B>> {
        let is_visited =
            S::ARE_POSITIONS && action.link() != ROOT && !(self.repeats && depth + 1 == self.path.len());
        if is_visited { Some(self.tree.position(action.link())) } else { None }
    }

    /// If a step leads to a position of this iteration, updates the position, and then the action. Changes
    /// the rewards to those that the steps above receive. Returns what the step above sees of the position.
    #[inline(always)]
    pub fn update_position(
        &self,
        view: Updating<'_, S, P, R, B>,
        rewards: &mut Rewards,
        count: &impl CountVisits<S, P, B>,
    ) -> Option<StepChild<B::Stats>> {
        let (step, action) = (view.step, view.node);
        let position = self.position_at(action, view.depth)?;
        // If all visits of the position came through this action, both have the same rewards: the action
        // records, and the position takes the result over.
        let is_only_way = B::AVERAGES
            && position.has_rewards_of(action)
            && B::pending(position.backprop()) == B::pending(action.backprop());
        let (visits, visits_of_action) = (count.count(position), count.count(action));
        let node = if is_only_way { action } else { position };
        self.record_at(Updating { node, home: position, visits, ..view }, rewards);
        if !is_only_way {
            self.update_action(Updating { visits: visits_of_action, ..view }, position, visits, rewards);
        }
        let stats = position.backprop();
        if B::PROVES && self.backprop.certain(stats, step.chooser).is_some() {
            let closes = || self.closes_losses(view.depth);
            close_if_certain::<S, P, B>(self.backprop, action, visits_of_action, stats, step.chooser, closes);
            close_if_certain::<S, P, B>(self.backprop, position, visits, stats, step.chooser, || false);
        }
        if is_only_way {
            position.copy_rewards_of(action);
        }
        count.counted(position, self.tree_policy);
        count.counted(action, self.tree_policy);
        Some(StepChild { visits: position.visit_count(), mean: position.mean(), stats: position.backprop() })
    }

    /// Lets the backpropagation update a position.
    #[inline(always)]
    fn record_at(&self, view: Updating<'_, S, P, R, B>, rewards: &mut Rewards) {
        view.record.set(Record::default());
        let before = if B::AVERAGES && B::PROVES { Some(*rewards) } else { None };
        let mean_reward = B::AVERAGES.then(|| rewards[view.step.chooser]);
        self.backprop.update(Updating { mean_reward, ..view }, rewards);
        if before.is_some_and(|before| *rewards != before) {
            view.own_rewards.set(*rewards); // what is proven takes the place of the rewards
        }
    }

    /// Updates an action after the position that it leads to, which has `visits` completed visits: moves its
    /// mean to that of the position.
    #[inline(always)]
    fn update_action(
        &self,
        action: Updating<'_, S, P, R, B>,
        position: NodeOf<'_, S, P, B>,
        visits: u32,
        rewards: &mut Rewards,
    ) {
        if B::AVERAGES {
            // The sums of the rewards: that of the position, that of an action with the same mean, and that
            // of this action. (Each level waits for the reward of the level below. To compute the first sum
            // again from the mean would double the wait.)
            let of_position = action.record.get().units.unwrap_or_else(|| position.reward_units_of(visits));
            let target = of_position * (f64::from(action.visits) / f64::from(visits));
            let before = action.node.reward_units_of(action.visits - 1);
            let reward = ((target - before) / REWARD_UNITS).clamp(0.0, 1.0) as f32;
            set_reward(rewards, action.step.chooser, reward);
            Updating { mean_reward: Some(reward), ..action }.record(reward);
        } else {
            let Record { reward, spread, .. } = action.record.get();
            match reward {
                Some(reward) => action.record_with_mean(reward, position.mean()),
                None => keep_mean::<S, P, B>(action.node, action.visits),
            }
            if let Some(deviation) = spread {
                action.spread(deviation);
            }
        }
    }

    /// Returns the node with the statistics of an action that leads to no position of this iteration. If its
    /// position has occurred for the second time, the backpropagation must not see the children and
    /// statistics there. The result is then a stand-in that has the statistics of the action and no children.
    #[inline(always)]
    pub fn home_of_end(&self, node: NodeOf<'s, S, P, B>) -> NodeOf<'s, S, P, B> {
        if !S::ARE_POSITIONS || node.link() == ROOT {
            return node;
        }
        let nowhere = self.tree.stand_in();
        nowhere.set_backprop(node.backprop());
        nowhere
    }

    /// In a graph, takes over the statistics of the [home](Self::home_of_end) of a step after its update.
    #[inline(always)]
    pub fn copy_home(&self, step: Updating<'_, S, P, R, B>, rewards: &Rewards) {
        if S::ARE_POSITIONS {
            step.node.set_backprop(step.home.backprop());
            if B::PROVES {
                step.own_rewards.set(*rewards);
            }
        }
    }

    /// Returns how many steps from the root lead on to nodes that were visited before. In a tree, only the
    /// last two nodes of a path can be new: a leaf that gets children on its first visit, and its child. In a
    /// graph, any action of a position can.
    #[inline(always)]
    pub fn known_steps(&self) -> usize {
        if S::ARE_POSITIONS { 0 } else { self.path.len().saturating_sub(3) }
    }
}

/// If a panic ends an iteration on its way down, the actions that it has linked to positions are as before: their pending
/// visits have not been counted there.
impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Drop for Iterations<'_, '_, S, P, R, B> {
    #[inline(always)]
    fn drop(&mut self) {
        if S::ARE_POSITIONS {
            for &depth in &self.passed.linked {
                self.tree.unlink(self.path.steps()[depth].node());
            }
        }
    }
}

/// Returns whether the node that a view updates is that of the step, not a position, which has no siblings.
#[inline(always)]
pub(crate) fn is_of_step<S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>>(
    view: &Updating<'_, S, P, R, B>,
) -> bool {
    !S::ARE_POSITIONS || view.node.is_same_lane(view.step.node())
}

/// Returns the node that holds what is known of the position that `node` leads to: the node itself, unless
/// positions are shared. `node` is a child or the root, not a position.
#[inline(always)]
pub(crate) fn home<'t, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &'t TreeOf<S, P, B>,
    node: NodeOf<'t, S, P, B>,
) -> NodeOf<'t, S, P, B> {
    if S::ARE_POSITIONS { tree.home(node) } else { node }
}

/// Returns the node that shows what `node`, a child, is worth and what is proven of it: its [`home`]. A child
/// that leads back to the root shows what it has itself. A line of play that comes back to the root ends
/// there as a repetition, so what is known of the root does not hold for it.
#[inline(always)]
pub(crate) fn known<'t, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &'t TreeOf<S, P, B>,
    child: NodeOf<'t, S, P, B>,
) -> NodeOf<'t, S, P, B> {
    if S::ARE_POSITIONS && !is_same_position(child.link(), tree.root().link()) {
        tree.home(child)
    } else {
        child
    }
}

/// Returns the last block of the children that `node` has, or that its position has, if its state may be
/// kept there. A state is kept as it is stored, so an action that leads to a mirror image is played.
#[inline(always)]
pub(crate) fn family_of_state<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    node: NodeOf<'_, S, P, B>,
) -> Option<u32> {
    let is_mirrored = S::ARE_POSITIONS && transformation(node.link()) != 0;
    let may_be_kept = S::HAVE_STATES && !is_mirrored;
    let family = if may_be_kept { home::<S, P, B>(tree, node).link() } else { ROOT };
    if family == ROOT { None } else { Some(family) }
}

/// Creates a tree without nodes.
pub(crate) fn empty_tree<S: Space, P: Copy + Default, B: Copy + Default>() -> Tree<ActionOf<S>, P, B> {
    let tree = Tree::new();
    if S::ARE_POSITIONS {
        tree.share();
    }
    tree
}

/// Replaces the reward of `player`. If the rewards of two players sum to 1, they still do.
#[inline(always)]
fn set_reward(rewards: &mut Rewards, player: u8, reward: f32) {
    if rewards.players() == 2 && (rewards[0] + rewards[1] - 1.0).abs() <= TOLERANCE {
        rewards[player ^ 1] = 1.0 - reward;
    }
    rewards[player] = reward;
}
