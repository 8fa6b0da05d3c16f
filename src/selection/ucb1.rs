//! UCB1 applied to trees.

use super::{Choice, Event, Exploration, Node, RootPolicy, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;

/// UCB1: the mean plus a bonus for children that were tried little, `Q + c sqrt(ln N / n)`.
///
/// **Use it** first: it needs nothing from the game, and with a good `c` it is hard to beat. Avoid it if
/// there are too many actions to try each.
///
/// **Parameter:** `c`, an [`Exploration`]: a number from 0 to 1000, or a number of standard deviations of the
/// rewards. The default is one deviation, about 0.5 if rewards are wins and losses and the root has nine
/// actions, more among fewer and less among more; where you tune it, try 0.3 to 2. The textbooks' √2 (see [`Mcts::uct`](crate::Mcts::uct)) is the
/// value of the theorem for rewards in [0, 1], too large for most games. A constant from code with rewards
/// from -1 to 1 is half as large here.
///
/// **Stores** 4 bytes per child, `1 / sqrt(n)`, which saves a square root and a division per child and visit.
///
/// **Source:** Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002,
/// figure 1. In trees: Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning*, 2006, where `2 C_p` is our
/// `c`.
///
/// ```
/// use ramure::prelude::*;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(Ucb1::new(0.7));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ucb1 {
    pub(super) c: Exploration,
}

impl Ucb1 {
    /// Creates the policy with the exploration constant `c`, from 0 to 1000, or with
    /// [`Exploration::deviations`]. (Any other value is an error when the search runs.)
    pub fn new(c: impl Into<Exploration>) -> Self {
        Ucb1 { c: c.into() }
    }
}

impl Default for Ucb1 {
    fn default() -> Self {
        Ucb1::new(Exploration::deviations(1.0))
    }
}

impl<G: GameState> TreePolicy<G> for Ucb1 {
    type Stats = f32; // 1 / sqrt(n)
    const KEEPS_REWARDS: bool = false;

    #[inline(always)]
    fn select(&self, node: impl Node<G, f32>, _: &mut Rng) -> Choice {
        if let Some(starving) = self.c.starving(node) {
            return starving;
        }
        let bonus = self.c.constant(node.spread()) * node.sqrt_ln_visits();
        node.argmax(|child| child.mean() + bonus * child.stats())
    }

    #[inline(always)]
    fn update(&self, _: f32, visits: f32, _: f32) -> f32 {
        1.0 / visits.sqrt()
    }

    #[inline(always)]
    fn notice(&self, stats: f32, event: Event<f32>) -> f32 {
        match event {
            Event::Recounted(visits) if visits > 0.0 => 1.0 / visits.sqrt(),
            Event::Recounted(_) => 0.0,
            _ => stats,
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.c.check("Ucb1::c")
    }
}

/// UCB1 at the root, with another tree policy below it; see [`AtRoot`](super::AtRoot).
///
/// **Use it** to explore more at the root than below. Exploring below the root lowers the mean of the action that led
/// there; exploring at the root lowers no mean. A search of a [`Planning`](crate::search::Planning) does so by default.
/// If the policy below sees unvisited children, it chooses until all have been visited. **Stores** nothing.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::AtRoot;
/// let policy = AtRoot::new(Ucb1::new(1.0), Ucb1::new(0.5));
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(policy);
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// **Source:** that a root needs another rule than the nodes below it: Tolpin and Shimony, *MCTS Based on Simple
/// Regret*, 2012.
impl<G: GameState, S: Copy + Default + 'static> RootPolicy<G, S> for Ucb1 {
    /// Computes the bonus from the visits, because the policy below may keep other statistics.
    fn select<P: TreePolicy<G, Stats = S>>(&self, node: impl Node<G, S>, below: &P, rng: &mut Rng) -> Choice {
        if P::SEES_UNVISITED && node.choices().any(|(_, child)| child.visits() == 0.0) {
            return below.select(node, rng);
        }
        if let Some(starving) = self.c.starving(node) {
            return starving;
        }
        let bonus = self.c.constant(node.spread()) * node.sqrt_ln_visits();
        node.argmax(|child| child.mean() + bonus / child.visits().sqrt())
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.c.check("Ucb1::c")
    }
}
