//! Proofs in a search: it closes a child that is proven, ends an iteration at a node whose
//! rewards are certain, and stops when the root is proven. How proofs follow from each other is in
//! `backpropagation/solver.rs` and `score_bounds.rs`.

use crate::backpropagation::Backprop;
use crate::game::{MAX_PLAYERS, Player, Rewards, Turn};
use crate::iteration::nodes::{home, known};
use crate::iteration::path::NodeOf;
use crate::iteration::{FedBy, Iterations};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::Space;

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Returns whether the root is proven, or, if it is restricted, what can be reached there.
    #[inline(always)]
    pub fn root_is_proven(&self) -> bool {
        let stats = home::<S, P, B>(self.tree, self.tree.root()).backprop();
        let certain = |player| self.backprop.certain(stats, player).is_some();
        B::PROVES
            && match (self.mask, self.turn) {
                (Some(mask), _) => self.masked_root_is_proven(mask),
                (None, Turn::Player(player)) => certain(player),
                (None, Turn::Chance | Turn::Over) => certain(self.chooser),
            }
    }

    /// Marks a node of the path whose reward is certain for its chooser. Rarely called, so it is kept out of
    /// the loop.
    #[inline(never)]
    pub fn close_proven(&self, node: NodeOf<'_, S, P, B>, visits: u32, stats: B::Stats, depth: usize) {
        let chooser = self.path.steps()[depth].chooser;
        close_if_certain::<S, P, B>(self.backprop, node, visits, stats, chooser, || {
            self.closes_losses(depth)
        });
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
            let stats = known::<S, P, B>(self.tree, node).backprop();
            node.is_closed() || self.backprop.certain(stats, steps[depth].chooser).is_some()
        };
        self.tree.family(link).last().is_none_or(|(_, last, _)| last.is_complete())
            && self.tree.children_of(link).all(is_proven)
    }

    /// Returns the rewards at a node if they are certain for all players. Rarely called, so it is kept out of
    /// the loop.
    #[inline(never)]
    pub fn certain_rewards(&self, stats: B::Stats) -> Option<Rewards> {
        let mut rewards = [0.0; MAX_PLAYERS];
        for player in 0..self.players {
            rewards[usize::from(player)] = self.backprop.certain(stats, player)?;
        }
        Some(Rewards::new(self.players, &|player| rewards[usize::from(player)]))
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
pub(crate) fn close_if_certain<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
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
