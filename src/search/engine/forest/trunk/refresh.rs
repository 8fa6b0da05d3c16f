//! Values that follow from those of the children. After an exchange has merged the nodes, their values are
//! computed again, children before parents.

use crate::__sealed::Sealed;
use crate::backpropagation::{Backprop, Step, StepChild};
use crate::game::{GameFault, Player, Turn};
use crate::iteration::path::{BackpropStats, PolicyStats};
use crate::iteration::{FedBy, Iterations};
use crate::search::engine::forest::trunk::{NONE, NOWHERE, Spot, Trunk, TrunkNode};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use crate::tree::{NodeRef, Tree, mean_of, sum_of};
use core::cell::Cell;
use core::marker::PhantomData;

/// A node of the trunk.
type TrunkNodeOf<S, P, B> = TrunkNode<ActionOf<S>, PolicyStats<S, P>, BackpropStats<S, B>>;

/// Returns the visits to the children of a node.
pub(crate) fn visits_below<A: Clone, P: Copy + Default, B: Copy + Default>(
    tree: &Tree<A, P, B>,
    node: NodeRef<'_, A, P, B>,
) -> f64 {
    tree.children_of(node.link()).map(|child| f64::from(child.visit_count())).sum()
}

/// Computes the values of the nodes in `changed` again, the last first, and writes them to the nodes of this
/// tree.
pub(crate) fn refresh<S: Space, P, R: RolloutPolicy<S::Game>, B>(
    trunk: &mut Trunk<ActionOf<S>, P::Stats, B::Stats>,
    iterations: &Iterations<'_, '_, S, P, R, B>,
    changed: &[(u32, Spot)],
) -> Result<(), GameFault>
where
    P: FedBy<S::Game, R>,
    B: Backprop<S::Game>,
{
    for &(node, spot) in changed.iter().rev() {
        let TrunkNode { visits, parent, stats, backprop, .. } = trunk.nodes[node as usize];
        let chooser =
            if parent == NONE { iterations.chooser } else { trunk.families[parent as usize].chooser };
        let (spread, backprop) = (&Cell::new(None), &Cell::new(backprop));
        let step = trunk_step(trunk, iterations, node, chooser, spread, backprop);
        let mean = iterations.backprop.refresh(step, iterations.players).unwrap_or(f32::NAN);
        if !(0.0..=1.0).contains(&mean) {
            return Err(GameFault::Recorded { player: chooser, reward: mean });
        }
        let (deviation, backprop) = (spread.get(), backprop.get());
        let tree_policy = &*iterations.tree_policy;
        let spread = |stats| deviation.map_or(stats, |deviation| tree_policy.spread(stats, deviation));
        let shared = &mut trunk.nodes[node as usize];
        (shared.sum, shared.stats, shared.backprop) = (sum_of(visits, mean), spread(stats), backprop);
        if spot != NOWHERE {
            let own = iterations.tree.block(spot.0).node(spot.1 as usize);
            // The value of a tree that made iterations after it wrote its digest is newer.
            if own.visit_count() > visits {
                continue;
            }
            if visits > 0 {
                own.set_rewards(visits, shared.sum);
            }
            // They may hold more than the trees have told each other, such as credits.
            own.set_stats(spread(own.stats()));
            own.set_backprop(backprop);
        }
    }
    Ok(())
}

/// Checks that a backpropagation that does not say so derives no values.
pub(crate) fn check_undeclared<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B>(
    trunk: &Trunk<ActionOf<S>, P::Stats, B::Stats>,
    iterations: &Iterations<'_, '_, S, P, R, B>,
) -> Result<(), GameFault>
where
    B: Backprop<S::Game>,
{
    let (spread, backprop) = (&Cell::new(None), &Cell::new(trunk.nodes[0].backprop));
    let step = trunk_step(trunk, iterations, 0, iterations.chooser, spread, backprop);
    match iterations.backprop.refresh(step, iterations.players) {
        None => Ok(()),
        Some(_) => Err(GameFault::Undeclared { method: "refresh", constant: "DERIVES" }),
    }
}

/// Returns the view of a node of the trunk. `spread` and `backprop` receive what the backpropagation says.
fn trunk_step<'a, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>(
    trunk: &'a Trunk<ActionOf<S>, P::Stats, B::Stats>,
    iterations: &'a Iterations<'_, '_, S, P, R, B>,
    node: u32,
    chooser: Player,
    spread: &'a Cell<Option<f32>>,
    backprop: &'a Cell<B::Stats>,
) -> Refreshed<'a, S, P, B> {
    let TrunkNode { visits, family, .. } = trunk.nodes[node as usize];
    let family = trunk.families.get(family as usize);
    let children =
        family.map_or(0..0, |family| family.first as usize..(family.first + family.count) as usize);
    Refreshed {
        children: &trunk.nodes[children],
        chooser,
        turn: family.map_or(Turn::Over, |family| family.turn),
        visits,
        spread,
        backprop,
        rule: iterations.backprop,
        width: iterations.expansion.constant_width(),
        types: PhantomData,
    }
}

/// A node of the trunk as its backpropagation sees it. Without an iteration, there is nothing to record.
struct Refreshed<'a, S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> {
    children: &'a [TrunkNodeOf<S, P, B>],
    chooser: Player,
    turn: Turn,
    visits: u32,
    /// What the backpropagation tells the tree policy of the deviation.
    spread: &'a Cell<Option<f32>>,
    backprop: &'a Cell<B::Stats>,
    rule: &'a B,
    /// How many children the search considers, if this does not grow with the visits.
    width: Option<usize>,
    types: PhantomData<P>,
}

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Clone for Refreshed<'_, S, P, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Copy for Refreshed<'_, S, P, B> {}
impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Sealed for Refreshed<'_, S, P, B> {}

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> Step<S::Game, B::Stats>
    for Refreshed<'_, S, P, B>
{
    fn chooser(self) -> Player {
        self.chooser
    }

    fn turn(self) -> Turn {
        self.turn
    }

    fn visits(self) -> u32 {
        self.visits
    }

    fn length(self) -> u32 {
        0
    }

    fn record(self, _: f32) {}

    fn record_with_mean(self, _: f32, _: f32) {}

    fn spread(self, deviation: f32) {
        self.spread.set(Some(deviation));
    }

    fn stats(self) -> B::Stats {
        self.backprop.get()
    }

    fn set_stats(self, stats: B::Stats) {
        self.backprop.set(stats);
    }

    fn followed(self) -> Option<StepChild<B::Stats>> {
        None
    }

    fn children(&self) -> impl Iterator<Item = B::Stats> + Clone {
        self.children.iter().map(|child| child.backprop)
    }

    fn tried(&self) -> impl Iterator<Item = StepChild<B::Stats>> + Clone {
        let tried = self.children.iter().filter(|child| child.visits > 0);
        tried.map(|child| StepChild {
            visits: child.visits,
            mean: mean_of(child.visits, child.sum),
            stats: child.backprop,
        })
    }

    /// A family of the trunk has all children.
    fn has_untried(self) -> bool {
        let is_considered = |child: &&TrunkNodeOf<S, P, B>| {
            let is_open = |mover| self.rule.certain(child.backprop, mover).is_none();
            child.visits > 0 && matches!(self.turn, Turn::Player(mover) if is_open(mover))
        };
        if self.width.is_some_and(|width| self.children.iter().filter(is_considered).count() >= width) {
            return false;
        }
        self.children.iter().any(|child| child.visits == 0)
    }

    fn prune(self, _: impl Fn(B::Stats) -> bool) {}
}
