//! UCB1 for information sets.

use super::{Choice, Event, Exploration, Node, RootPolicy, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;

/// UCB1 for [information sets](crate::search::InformationSet): `Q + c sqrt(ln N' / n)`, where `N'` is the
/// number of iterations in which the child could have been chosen.
///
/// In a game with hidden information, an action may be legal in few of the states that the observer holds
/// possible. If `N` were the visits of the parent, as in [`Ucb1`](super::Ucb1), such an action would be
/// explored too much. In any other search, `N'` is the visits of the parent, and this is UCB1.
/// (With [`Exploration::deviations`], it explores alike whatever the number of actions.)
///
/// **Use it** with [`InformationSet`](crate::search::InformationSet). **Parameter:** `c`, an [`Exploration`],
/// one deviation of the rewards by default; the source uses 0.7. **Stores** 4 bytes per child, `N'`.
///
/// Unvisited children are tried in random order, or with [`Order::AsListed`](crate::Order::AsListed) in that of
/// the list. Where actions become legal only in some guesses, those that were legal before come first.
///
/// **Source:** Cowling, Powley and Whitehouse, *Information Set Monte Carlo Tree Search*, 2012, SO-ISMCTS.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AvailabilityUcb1 {
    pub(super) c: Exploration,
}

impl AvailabilityUcb1 {
    /// Creates the policy with the exploration constant `c`, from 0 to 1000, or with
    /// [`Exploration::deviations`]. (Any other value is an error when the search runs.)
    pub fn new(c: impl Into<Exploration>) -> Self {
        AvailabilityUcb1 { c: c.into() }
    }
}

impl AvailabilityUcb1 {
    /// Returns the child with the greatest value. `passes_over` says whether to leave out an unvisited child,
    /// by the number of those so far.
    #[inline(always)]
    fn best<G: GameState>(
        &self,
        node: impl Node<G, u32>,
        mut passes_over: impl FnMut(usize) -> bool,
    ) -> Choice {
        let c = self.c.constant_at_any_width(node.spread());
        let urgency = node.untried_score(c * node.sqrt_ln_visits());
        let (mut best, mut greatest, mut untried) = (Choice::UNTRIED, f32::NEG_INFINITY, 0);
        for (choice, child) in node.choices() {
            let value = if child.visits() == 0.0 {
                untried += 1;
                if passes_over(untried) {
                    continue;
                }
                urgency
            } else {
                // Only a search of an information set counts availability. (The counts are at most `i32::MAX`;
                // only a damaged file has greater ones, which are negative here.)
                let counted = child.stats() as i32 > 0;
                let ln = if counted { math::ln(child.stats()) } else { node.ln_visits() };
                let available = if counted { child.stats() as f32 } else { node.visits() };
                if self.c.are_few(child.visits(), available, node.width()) {
                    f32::MAX / child.visits()
                } else {
                    child.mean() + c * (ln / child.visits()).sqrt()
                }
            };
            if value > greatest || value == greatest && child.visits() == 0.0 {
                (best, greatest) = (choice, value);
            }
        }
        best
    }

    /// Does what [`best`](Self::best) does, with the first of the unvisited children.
    #[cold]
    #[inline(never)]
    fn first_in_order<G: GameState>(&self, node: impl Node<G, u32>) -> Choice {
        self.best(node, |untried| untried > 1)
    }
}

impl Default for AvailabilityUcb1 {
    fn default() -> Self {
        AvailabilityUcb1::new(Exploration::deviations(1.0))
    }
}

impl<G: GameState> TreePolicy<G> for AvailabilityUcb1 {
    type Stats = u32; // N'
    const SEES_UNVISITED: bool = true;
    const KEEPS_REWARDS: bool = false;

    #[inline(always)]
    fn select(&self, node: impl Node<G, u32>, rng: &mut Rng) -> Choice {
        if node.is_in_order() {
            return self.first_in_order(node);
        }
        // Each of the unvisited children is equally likely.
        self.best(node, |untried| rng.below(untried) > 0)
    }

    #[inline(always)]
    fn notice(&self, available: u32, event: Event<u32>) -> u32 {
        if event == Event::Available { available.saturating_add(1) } else { available }
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.c.check("AvailabilityUcb1::c")
    }
}

/// UCB1 at the root of an information set, with the same rule and another constant below it; see
/// [`AtRoot`](super::AtRoot).
///
/// **Use it** to explore more at the root than below, as a search of a [`Pomdp`](crate::search::Pomdp) does by default.
/// **Stores** nothing.
impl<G: GameState> RootPolicy<G, u32> for AvailabilityUcb1 {
    fn select<P: TreePolicy<G, Stats = u32>>(&self, node: impl Node<G, u32>, _: &P, rng: &mut Rng) -> Choice {
        TreePolicy::select(self, node, rng)
    }

    fn check(&self) -> Result<(), ParameterError> {
        TreePolicy::<G>::check(self)
    }
}
