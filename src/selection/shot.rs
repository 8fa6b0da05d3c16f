//! Sequential halving throughout the tree.

use super::rounds::targets;
use super::{Choice, FirstPlay, Needs, Node, TreePolicy};
use crate::game::{GameState, Player, Rewards, Rng};
use crate::statistics::VisitBudget;
use core::cell::Cell;
use smallvec::SmallVec;

/// SHOT, sequential halving applied to trees: every node distributes the visits that its parent assigned to
/// it among its children, by sequential halving.
///
/// A node that is to have `G` visits in the end, with `K` children, first visits each child once. Then there
/// are `⌈log2 K⌉` rounds. In each round, the `s` children that are left, the greatest mean first, are
/// assigned visits up to `Σ ⌊G / (s ⌈log2 K⌉)⌋` over the rounds so far, where each term is at least 1; then
/// the `⌈s/2⌉` children with the greatest means go on. A child is followed until it has used up its visits,
/// and distributes them in the same way. The root's `G` is its visits before the run plus the iterations.
///
/// **Use it** where only the final action matters. It plays the child that is left, unless the search has a
/// [`RootDecision`](crate::RootDecision). The worse children of a node get a share of its visits that does
/// not shrink, so averages below the root do not approach the value of best play. A budget that does not
/// limit the iterations is an error. **Parameters:** none; first-play urgency does not apply. **Stores** 12
/// bytes per child. **Cost:** a pass over the children per visit.
///
/// The paper's algorithm is recursive. Here iterations start at the root and continue from the numbers stored
/// in the nodes. The visits left over by rounding go to the better of the last two children; the paper does
/// so at the root only, and below it returns them to the parent. Below chance nodes, and where a node has
/// more visits than it was assigned, `G` is the next power of two above its visits, so the rounds restart
/// with each doubling. Proven children drop out.
///
/// **Source:** Cazenave, *Sequential Halving Applied to Trees*, 2015, the algorithm there.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Shot;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(Shot::new());
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Shot {
    /// The iterations of this run: the most there may be, and those made so far.
    pub(super) budget: u64,
    pub(super) made: u64,
    /// The visits that the root is to have in the end; 0 if not known yet.
    pub(super) goal: Cell<u32>,
}

/// A child that is still a contender, with its visits and their mean.
type Contender = (Choice, u32, f32);

impl Shot {
    /// Creates the policy. It plans each run separately.
    pub const fn new() -> Self {
        Shot { budget: 0, made: 0, goal: Cell::new(0) }
    }

    /// Returns the visits that a node with `visits` visits is to have in the end: more than it has.
    fn goal<G: GameState>(&self, node: impl Node<G, VisitBudget>, visits: u32) -> u32 {
        if node.is_root() && self.goal.get() == 0 {
            let goal = u64::from(visits).saturating_sub(self.made).saturating_add(self.budget);
            let goal = goal.min(u64::from(u32::MAX)) as u32;
            self.goal.set(goal);
            // Under another restriction, an earlier run may have had the same goal.
            for (choice, child) in node.choices() {
                if child.stats().of == goal {
                    node.set_stats(choice, VisitBudget::default());
                }
            }
        }
        let goal = if node.is_root() { self.goal.get() } else { node.stats().goal };
        if goal > visits { goal } else { (visits + 1).checked_next_power_of_two().unwrap_or(u32::MAX) }
    }
}

/// Returns the children that have reached the latest round on the way to `goal`, with visits and mean, the
/// greatest mean first, and that round.
fn furthest<G: GameState>(node: impl Node<G, VisitBudget>, goal: u32) -> (SmallVec<[Contender; 32]>, u32) {
    let (mut all, mut round) = (SmallVec::<[Contender; 32]>::new(), 0);
    for (choice, child) in node.choices() {
        let stats = child.stats();
        let reached = if stats.of == goal { stats.round } else { 0 };
        if reached > round {
            all.clear();
            round = reached;
        }
        if reached == round {
            all.push((choice, child.visit_count(), child.mean()));
        }
    }
    best_first(&mut all);
    (all, round)
}

/// Sorts by descending mean. It is a function, so that the sort is compiled once and not for each kind of
/// search.
fn best_first(contenders: &mut [Contender]) {
    contenders.sort_by(|a, b| b.2.total_cmp(&a.2));
}

impl<G: GameState> TreePolicy<G> for Shot {
    type Stats = VisitBudget;
    const FIRST_PLAY: Option<FirstPlay> = None; // every child is visited once first
    const NEEDS: Needs = Needs::Iterations;

    fn skips_refuted(&self) -> bool {
        true
    }

    fn select(&self, node: impl Node<G, VisitBudget>, _: &mut Rng) -> Choice {
        let visits = node.visits() as u32;
        let goal = self.goal(node, visits);
        for (choice, child) in node.choices() {
            let stats = child.stats();
            if stats.of == goal && child.visit_count() < stats.goal {
                return choice;
            }
        }
        let (mut left, mut round) = furthest(node, goal);
        if left.is_empty() {
            return Choice::UNTRIED;
        }
        let rest = goal - visits;
        let mut targets = targets(u64::from(goal), node.width(), |s| s.div_ceil(2)).skip(round as usize);
        loop {
            let target = if left.len() > 1 { targets.next() } else { Some(u32::MAX) };
            let missing = |child: &Contender| target.unwrap_or(0).saturating_sub(child.1);
            if let Some(place) = left.iter().position(|child| missing(child) > 0) {
                let (choice, visits, _) = left[place];
                let mut more = missing(&left[place]);
                if left.len() == 2 && place == 0 {
                    more = more.max(rest.saturating_sub(missing(&left[1])));
                }
                let goal_of_child = visits.saturating_add(more.min(rest));
                node.set_stats(choice, VisitBudget { goal: goal_of_child, of: goal, round });
                return choice;
            }
            round += 1;
            left.truncate(left.len().div_ceil(2));
            for &(choice, visits, _) in &left {
                node.set_stats(choice, VisitBudget { goal: visits, of: goal, round });
            }
        }
    }

    fn begin(&mut self, iterations: Option<u64>, _: &mut Rng) {
        *self = Shot { budget: iterations.unwrap_or(u64::MAX), ..Shot::new() };
    }

    #[inline(always)]
    fn learn(&mut self, _: &[(Player, G::Action)], _: &Rewards) {
        self.made += 1;
    }

    fn decide(&self, root: impl Node<G, VisitBudget>, rng: &mut Rng) -> Option<Choice> {
        let goal = self.goal.get();
        let is_of_this_run = goal > 0 && root.children().any(|child| child.stats().of == goal);
        let left = if is_of_this_run { furthest(root, goal).0 } else { return None };
        rng.greatest(0..left.len(), |index| left[index].2).map(|index| left[index].0)
    }
}
