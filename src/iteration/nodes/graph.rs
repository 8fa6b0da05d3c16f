//! What differs if a node stands for a position: the loop arrives at positions, and updates them and the
//! actions that lead to them.

use crate::backpropagation::{Backprop, Step, StepChild};
use crate::game::{GameFault, Rewards, Turn};
use crate::iteration::order::put_first;
use crate::iteration::path::{NodeOf, TreeOf};
use crate::iteration::step_view::{Told, Updating};
use crate::iteration::{CountVisits, CurrentNode, FedBy, Iterations, LeafOf, Shortage, close_if_certain};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Nodes, Space};
use crate::tree::{ROOT, Tree, is_same_position, position_number, transformation};

/// A reward of 1 in the units of the store.
const REWARD_UNITS: f64 = (1 << 24) as f64;

/// By how much the sum of the rewards of two players may differ from 1.
const TOLERANCE: f32 = 1e-6;

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// In a graph, goes on from the last node of the path to its position, if it has one or is due for
    /// children. The state then becomes that of the position. Returns whether the position has occurred on
    /// this path before: the iteration then ends with the [rewards of a
    /// repetition](Self::rewards_of_repetition).
    #[inline(always)]
    pub fn arrive(&mut self, current: &mut CurrentNode<'s, S, P, B>, leaf: &mut LeafOf<S, P, R>) -> bool {
        if !matches!(S::NODES, Nodes::Graph) {
            return false;
        }
        let node = current.node;
        if self.path.len() == 1 {
            (self.repeats, self.passed) = (false, self.tree.earlier_set());
        }
        if current.turn == Turn::Over || node.link() == ROOT && !self.find_position(current, leaf.state()) {
            // With wrong keys, a finished game may have a position.
            current.link = ROOT;
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

    /// Returns the rewards of a path that has returned to one of its positions.
    #[cold]
    #[inline(never)]
    pub fn rewards_of_repetition(&self, state: &S::Game) -> Result<Rewards, GameFault> {
        Rewards::try_new(self.players, |player| S::repeated(state, player))
            .map_err(|(player, reward)| GameFault::Reward { player, reward })
    }

    /// If the last node of the path is due for children, links it to its position, which others may have
    /// found. Returns whether it has one now.
    ///
    /// Most iterations end at a node on its first visit. To look for its position there took 40 % of a long
    /// search, because each look waits for memory, and won no more games. Proofs came a sixth sooner, but
    /// `Expansion::on_visit(1)` gives them that.
    #[inline(never)]
    fn find_position(&mut self, current: &CurrentNode<'s, S, P, B>, state: &S::Game) -> bool {
        if !self.expands(current) {
            return false;
        }
        let (node, chooser) = (current.node, current.chooser);
        let Some(position @ (key, transformation)) = S::position(state) else { return false };
        if self.path.len() > 1 && self.tree.is_earlier(key) {
            self.repeats = true;
            return false;
        }
        if let Some(number) = self.tree.find_position(key, chooser) {
            // Visits that wait for their rewards were not counted at this position.
            let is_settled = B::pending(node.backprop()) == 0;
            if is_settled {
                self.tree.link_to(node, number, transformation);
            }
            return is_settled;
        }
        let is_added = self.tree.add_position(node, position, chooser, self.memory_limit);
        if !is_added {
            let here = if self.path.len() == 1 { Shortage::AtRoot } else { Shortage::BelowRoot };
            self.shortage = self.shortage.max(here);
        }
        is_added
    }

    /// Returns whether an earlier node of the path leads to the position of this link, or the game had it
    /// before the root.
    #[inline(always)]
    fn is_passed(&mut self, link: u32) -> bool {
        let (word, bit) = place_of(link);
        let word = &mut self.passed[word];
        let may_be = *word & bit != 0;
        *word |= bit;
        may_be && self.is_on_path(link)
    }

    #[inline(never)]
    fn is_on_path(&self, link: u32) -> bool {
        let steps = self.path.steps();
        let is_on_path =
            steps[..steps.len() - 1].iter().any(|step| is_same_position(step.node().link(), link));
        if is_on_path {
            self.tree.note_cycle();
        }
        is_on_path || steps.len() > 1 && self.tree.is_earlier(self.tree.key_of(link).1)
    }

    /// Returns whether the last node of the path may have children: in a graph, it then leads to a position.
    #[inline(always)]
    pub fn has_position(&self) -> bool {
        !matches!(S::NODES, Nodes::Graph) || self.path.end().node().link() != ROOT
    }

    /// In a graph, puts the actions of existing children first, if they are not. States of one position may
    /// list their actions in different orders, and then another state arranges them in another order.
    pub fn keep_first(&mut self, link: u32) {
        let made = self.tree.children_of(link);
        if matches!(S::NODES, Nodes::Graph)
            && made.clone().zip(self.actions.iter()).any(|(made, action)| !made.has_action(action))
        {
            put_first(self.actions, &Vec::from_iter(made.map(|node| node.action())));
        }
    }

    /// Returns the link of the last node of the path to its position, where positions are shared.
    #[inline(always)]
    pub fn position_of_end(&self) -> Option<u32> {
        if matches!(S::NODES, Nodes::Graph) { Some(self.path.end().node().link()) } else { None }
    }

    /// Returns how many steps of the path have children that others have certainly visited. Only the last two
    /// nodes of a tree's path can be new: a leaf that gets children on its first visit, and its child.
    #[inline(always)]
    pub fn known_steps(&self) -> usize {
        if matches!(S::NODES, Nodes::Graph) { 0 } else { self.path.len().saturating_sub(3) }
    }

    /// Returns the node with the statistics of a step that leads to no position of this iteration. If a
    /// position has occurred for the second time there, the step must not see its children and statistics.
    /// The result is then a stand-in that has the step's own statistics and no children.
    #[inline(always)]
    pub fn home_of_end(&self, node: NodeOf<'s, S, P, B>) -> NodeOf<'s, S, P, B> {
        if !matches!(S::NODES, Nodes::Graph) || node.link() == ROOT {
            return node;
        }
        let nowhere = self.tree.stand_in();
        nowhere.set_backprop(node.backprop());
        nowhere
    }

    /// Returns the position that `node`, the node of the path at `depth`, leads to, if this iteration has
    /// visited it.
    #[inline(always)]
    pub fn position_at(&self, node: NodeOf<'_, S, P, B>, depth: usize) -> Option<NodeOf<'s, S, P, B>> {
        let is_visited = matches!(S::NODES, Nodes::Graph)
            && node.link() != ROOT
            && !(self.repeats && depth + 1 == self.path.len());
        if is_visited { Some(self.tree.position(node.link())) } else { None }
    }

    /// In a graph, takes over the statistics of the [home](Self::home_of_end) of a step after its update.
    #[inline(always)]
    pub fn copy_home(&self, step: Updating<'_, S, P, R, B>, rewards: &Rewards) {
        if matches!(S::NODES, Nodes::Graph) {
            step.node.set_backprop(step.home.backprop());
            if B::PROVES {
                step.own.set(*rewards);
            }
        }
    }

    /// If a step leads to a position of this iteration, updates the position, and then the step. Changes the
    /// rewards to those that the steps above receive. Returns what the step above sees of the position.
    #[inline(always)]
    pub fn update_position(
        &self,
        view: Updating<'_, S, P, R, B>,
        rewards: &mut Rewards,
        count: &impl CountVisits<S, P, B>,
    ) -> Option<StepChild<B::Stats>> {
        let (step, node) = (view.step, view.node);
        let position = self.position_at(node, view.depth)?;
        // If all visits of the position came this way, the numbers of the two stay equal.
        let is_only_way = B::AVERAGES
            && position.has_rewards_of(node)
            && B::pending(position.backprop()) == B::pending(node.backprop());
        let (visits, visits_of_step) = (count.count(position), count.count(node));
        let recorded_at = if is_only_way { node } else { position };
        view.told.set(Told::default());
        let before = if B::AVERAGES && B::PROVES { Some(*rewards) } else { None };
        let in_place = B::AVERAGES.then(|| rewards[step.chooser]);
        self.backprop
            .update(Updating { node: recorded_at, home: position, visits, in_place, ..view }, rewards);
        if before.is_some_and(|before| *rewards != before) {
            view.own.set(*rewards); // what is proven takes the place of the rewards
        }
        if !is_only_way {
            self.update_step(Updating { visits: visits_of_step, ..view }, position, visits, rewards);
        }
        let stats = position.backprop();
        if B::PROVES && self.backprop.certain(stats, step.chooser).is_some() {
            let closes = || self.closes_losses(view.depth);
            close_if_certain::<S, P, B>(self.backprop, node, visits_of_step, stats, step.chooser, closes);
            close_if_certain::<S, P, B>(self.backprop, position, visits, stats, step.chooser, || false);
        }
        if is_only_way {
            position.copy_rewards_of(node);
        }
        count.counted(position, self.tree_policy);
        count.counted(node, self.tree_policy);
        Some(StepChild { visits: position.visit_count(), mean: position.mean(), stats: position.backprop() })
    }

    /// Updates a step after the position that it leads to, which has `visits` completed visits.
    #[inline(always)]
    fn update_step(
        &self,
        of_step: Updating<'_, S, P, R, B>,
        position: NodeOf<'_, S, P, B>,
        visits: u32,
        rewards: &mut Rewards,
    ) {
        if B::AVERAGES {
            // The reward that moves the mean of the action to that of the position. Each level waits for the
            // reward of the level below, so the sum of the position is not computed again from its mean: that
            // would double the wait.
            let before = of_step.node.reward_units_of(of_step.visits - 1);
            let units = of_step.told.get().units.unwrap_or_else(|| position.reward_units_of(visits));
            let target = units * (f64::from(of_step.visits) / f64::from(visits));
            let reward = ((target - before) / REWARD_UNITS).clamp(0.0, 1.0) as f32;
            set_reward(rewards, of_step.step.chooser, reward);
            Updating { in_place: Some(reward), ..of_step }.record(reward);
        } else {
            let Told { reward, spread, .. } = of_step.told.get();
            if let Some(reward) = reward {
                of_step.record_with_mean(reward, position.mean());
            }
            if let Some(deviation) = spread {
                of_step.spread(deviation);
            }
        }
    }
}

/// Returns whether the node that a view updates is that of the step, not a position, which has no siblings.
#[inline(always)]
pub(crate) fn is_of_step<S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>>(
    view: &Updating<'_, S, P, R, B>,
) -> bool {
    !matches!(S::NODES, Nodes::Graph) || view.node.is_same_lane(view.step.node())
}

/// Returns the node that holds what is known of the position that `node` leads to: the node itself, unless
/// positions are shared. `node` is a child or the root, not a position.
#[inline(always)]
pub(crate) fn home<'t, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &'t TreeOf<S, P, B>,
    node: NodeOf<'t, S, P, B>,
) -> NodeOf<'t, S, P, B> {
    if let Nodes::Graph = S::NODES { tree.home(node) } else { node }
}

/// Creates a tree without nodes.
pub(crate) fn empty_tree<S: Space, P: Copy + Default, B: Copy + Default>() -> Tree<ActionOf<S>, P, B> {
    let tree = Tree::new();
    if let Nodes::Graph = S::NODES {
        tree.share();
    }
    tree
}

/// Returns whether nodes stand for positions.
pub(crate) const fn are_positions<S: Space>() -> bool {
    matches!(S::NODES, Nodes::Graph)
}

/// Returns the word and the bit of a position in a set of hashes.
#[inline(always)]
pub(crate) fn place_of(link: u32) -> (usize, u64) {
    let hash = position_number(link).wrapping_mul(0x9E37_79B9) >> 24;
    (hash as usize / 64, 1 << (hash % 64))
}

/// Replaces the reward of `player`. If the rewards of two players sum to 1, they still do.
#[inline(always)]
fn set_reward(rewards: &mut Rewards, player: u8, reward: f32) {
    if rewards.players() == 2 && (rewards[0] + rewards[1] - 1.0).abs() <= TOLERANCE {
        rewards[player ^ 1] = 1.0 - reward;
    }
    rewards[player] = reward;
}
