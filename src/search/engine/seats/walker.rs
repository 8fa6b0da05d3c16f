//! The way of one iteration through the tree of one player.

use crate::backpropagation::Average;
use crate::game::{GameFault, Player, Rewards, Turn};
use crate::iteration::path::{NodeOf, PathStep};
use crate::iteration::{CountNow, CurrentNode, FedBy, Iterations, LeafOf};
use crate::selection::{Event, Needs, TreePolicy};
use crate::simulation::RolloutPolicy;
use crate::space::seat::Seat;
use crate::space::{ActionOf, Space};
use crate::tree::ROOT;

/// A choice of the owner on the path.
struct OwnChoice {
    /// Where it is on the path.
    depth: usize,
    /// How many steps of the path after it say what others chose at the same time.
    others: usize,
}

/// The tree of one player, and where the iteration is in it.
pub(crate) struct Walker<'p, 's, S: Space, P: TreePolicy<S::Game>, R> {
    pub iterations: Iterations<'p, 's, Seat<S>, P, R, Average>,
    pub rollout_policy: &'s mut R,
    owner: Player,
    /// Whether the tree begins with what the owner knows in each guess.
    learns_what_it_knows: bool,
    /// The node; `None` if the iteration has left the tree.
    at: Option<CurrentNode<'s, Seat<S>, P, Average>>,
    choices: Vec<OwnChoice>,
}

/// A node of the tree of one player.
pub(crate) type TreeNode<'s, S, P> = NodeOf<'s, Seat<S>, P, Average>;

/// The node at which the owner, the player to move, decides.
pub(crate) struct Decision<'s, S: Space, P: TreePolicy<S::Game>> {
    pub node: TreeNode<'s, S, P>,
    /// Whether the node has just got its children.
    pub is_new: bool,
}

impl<'p, 's, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Walker<'p, 's, S, P, R> {
    pub fn new(
        iterations: Iterations<'p, 's, Seat<S>, P, R, Average>,
        rollout_policy: &'s mut R,
        owner: Player,
        observer_chooses: bool,
    ) -> Self {
        let learns_what_it_knows = iterations.space.learns_what_it_knows(observer_chooses);
        Walker { iterations, rollout_policy, owner, learns_what_it_knows, at: None, choices: Vec::new() }
    }

    /// Goes on to what the owner knows in this guess.
    pub fn know(&mut self, guess: &S::Game) -> Result<(), GameFault> {
        let mut result = Ok(());
        if self.learns_what_it_knows {
            S::known(guess, self.owner, &mut |action| {
                if result.is_ok() {
                    result = self.see(action, false);
                }
            });
        }
        result
    }

    /// Goes to the root of the tree.
    #[inline]
    pub fn start(&mut self) {
        self.at = Some(self.iterations.start());
        self.choices.clear();
    }

    /// Lets the tree choose an action of its owner, the player to move. Returns `None` if the iteration has
    /// left the tree.
    #[inline]
    pub fn choose(&mut self, leaf: &mut LeafOf<Seat<S>, P, R>) -> Result<Option<ActionOf<S>>, GameFault> {
        let Some(mut current) = self.at.take() else { return Ok(None) };
        if current.link == ROOT {
            if !self.iterations.expands(&current) || !self.expand(&mut current, leaf)? {
                return Ok(None);
            }
        } else if !self.iterations.open_guessed(&mut current, leaf)? {
            return Ok(None);
        }
        let this = &mut self.iterations;
        let child = this.follow(&current, self.owner, leaf)?;
        self.choices.push(OwnChoice { depth: this.path.len() - 1, others: 0 });
        self.go_to(child)?;
        Ok(Some(child.action()))
    }

    /// Gives a node its children. Returns whether there was room for them.
    fn expand(
        &mut self,
        current: &mut CurrentNode<'s, Seat<S>, P, Average>,
        leaf: &mut LeafOf<Seat<S>, P, R>,
    ) -> Result<bool, GameFault> {
        let link =
            self.iterations.expand(current.node, Turn::Player(self.owner), leaf, self.rollout_policy)?;
        current.link = link.unwrap_or(ROOT);
        Ok(link.is_some())
    }

    /// Returns the node at which the owner, the player to move, decides, and gives it its children. Returns
    /// `None` if the iteration has left the tree.
    #[inline]
    pub fn decision(
        &mut self,
        leaf: &mut LeafOf<Seat<S>, P, R>,
    ) -> Result<Option<Decision<'s, S, P>>, GameFault> {
        let Some(mut current) = self.at.take() else { return Ok(None) };
        let is_new = current.link == ROOT;
        let goes_on = if is_new { self.expand(&mut current, leaf)? } else { true };
        Ok(goes_on.then_some(Decision { node: current.node, is_new }))
    }

    /// Goes on to what the owner has seen: an action of another player, or an outcome of chance. `in_step`
    /// says that it was chosen at the same time as the owner's latest action.
    #[inline]
    pub fn see(&mut self, seen: ActionOf<S>, in_step: bool) -> Result<(), GameFault> {
        let Some(current) = self.at.take() else { return Ok(()) };
        let known = self.child(current.node, &seen);
        let child = match known {
            Some(child) => child,
            None => {
                self.iterations.add_children(current.node, core::slice::from_ref(&seen))?;
                let Some(child) = self.child(current.node, &seen) else { return Ok(()) };
                child
            }
        };
        child.set_closed(false);
        if in_step && let Some(choice) = self.choices.last_mut() {
            choice.others += 1;
        }
        self.go_to(child)
    }

    fn child(&self, node: TreeNode<'s, S, P>, action: &ActionOf<S>) -> Option<TreeNode<'s, S, P>> {
        let link = node.link();
        if link == ROOT {
            return None;
        }
        self.iterations.tree.children_of(link).find(|child| child.has_action(action))
    }

    /// Goes on to a child.
    #[inline]
    pub fn go_to(&mut self, child: TreeNode<'s, S, P>) -> Result<(), GameFault> {
        let turn = Turn::Player(self.owner);
        let tree = self.iterations.tree;
        // All rewards in this tree are those of its owner.
        if !self.iterations.path.push(PathStep::new(child, self.owner, turn), || tree.children()) {
            return Err(GameFault::ForeignChoice);
        }
        self.at = Some(CurrentNode::new(child, self.owner, turn));
        Ok(())
    }

    /// Learns from the rewards of the iteration. Returns whether there is room for the root's children.
    pub fn learn(&mut self, leaf: &LeafOf<Seat<S>, P, R>, rewards: &Rewards) -> Result<bool, GameFault> {
        if P::NEEDS == Needs::PlayerTrees {
            self.regret(rewards[self.owner]);
        }
        self.update_tree(leaf, rewards)
    }

    /// Records the rewards along the path. Returns whether there is room for the root's children.
    #[inline]
    pub fn update_tree(
        &mut self,
        leaf: &LeafOf<Seat<S>, P, R>,
        rewards: &Rewards,
    ) -> Result<bool, GameFault> {
        self.iterations.resolve(leaf, *rewards, false, CountNow)
    }

    /// Tells the tree policy what each action would have given in place of the chosen one: the mean reward of
    /// the iterations in which the others chose the same at the same time.
    fn regret(&mut self, reward: f32) {
        let this = &self.iterations;
        let steps = this.path.steps();
        for choice in &self.choices {
            let (node, after) = (steps[choice.depth].node(), choice.depth + 1);
            let chosen = steps[after].node().action();
            let others = &steps[after + 1..after + 1 + choice.others];
            for child in this.tree.children_of(node.link()).filter(|child| !child.is_closed()) {
                let instead = if child.has_action(&chosen) {
                    reward
                } else {
                    let same =
                        others.iter().try_fold(child, |node, step| self.child(node, &step.node().action()));
                    let known = same.into_iter().chain([child]).find(|node| node.visit_count() > 0);
                    known.map_or(reward, |node| node.mean())
                };
                child.set_stats(this.tree_policy.notice(child.stats(), Event::Regret { instead, reward }));
            }
        }
    }
}
