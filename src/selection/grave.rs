//! Generalised rapid action value estimation.

use super::rave::{blend, minimum_mse};
use super::{Child, Choice, Node, TreePolicy};
use crate::game::{ActionIndex, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Amaf;
use core::cell::RefCell;

/// GRAVE: `(1 - β) Q + β A`, where `A` is the all-moves-as-first mean of the action in the source node, and
/// `β = p / (p + n + bias · p · n)`, where `p` is the number of iterations behind `A`. Also HRAVE, where `A`
/// comes from the root.
///
/// The source is the nearest node on the path, this node included, that has more than `reference` visits and
/// the same player to move.
///
/// **Use it** where an action has a similar value now and a little later (Hex, Go, Havannah), above all with
/// few iterations. It needs numbered actions, [`ActionIndex`].
///
/// **Parameters:** `reference`, 50 by default, and `bias`, 1e-5 by default, both at least 0 and both from the
/// paper's general settings. The smaller the bias, the longer AMAF values count. [`hrave`](Self::hrave) has
/// an infinite `reference`: the topmost node is the source.
///
/// **Difference from the paper:** the paper keeps a table in every node for the actions of all players, and
/// passes the table of the nearest node with more than `reference` playouts to nodes of every player. Here a
/// node keeps values for its own children only, which are actions of the player to move there, because a
/// table for all players would multiply the memory and the cost of an update by the number of players. So
/// only nodes in which the same player moves can be the source. If none of them has more than `reference`
/// visits, the source is the topmost of them, which may be the node itself. In a game of two players who
/// alternate, this affects the nodes of the second player near the root: the replies at depth one use their
/// own values from the first visit on, as in [`Rave`](super::Rave), and not the root's table. At depth two
/// and below, the two rules differ only where the nearest node with enough visits is the other player's.
///
/// If an action is not legal in the source, its AMAF value in the node itself is used. The value of an
/// unvisited child is its AMAF mean alone. A child without an AMAF mean comes before all others, unless the
/// search's first-play urgency says otherwise. Among equal values, the least visited child goes first. The
/// formula has no exploration term: an action that was unlucky may never be tried again, so combine this
/// policy with [`Solver`](crate::backpropagation::Solver) in short, tactical games. It skips refuted children.
///
/// **Stores** 12 bytes per child, and 76 per action number. **Cost:** a pass over all siblings along the
/// path, per iteration. **Source:** Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015,
/// section 3.3 and the algorithm there; β after Silver's R-RAVE formula quoted in its section 3.2. HRAVE:
/// Sironi and Winands, *Comparison of Rapid Action Value Estimation Variants for General Game Playing*, 2016.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Grave;
/// let mut search = Mcts::new(ramure_games::Hex::new(7)?).tree_policy(Grave::default());
/// search.run(Budget::iterations(500))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grave {
    pub(super) reference: f32,
    pub(super) bias: f32,
    /// The AMAF values of the reference node by action index, while a selection looks them up.
    looked_up: RefCell<Vec<Amaf>>,
}

impl Grave {
    /// Creates GRAVE with `reference` visits, at least 0, and `bias`, finite and at least 0.
    pub const fn new(reference: f32, bias: f32) -> Self {
        Grave { reference, bias, looked_up: RefCell::new(Vec::new()) }
    }

    /// Creates HRAVE, history RAVE: the AMAF values of the root, and `bias`, finite and at least 0.
    pub const fn hrave(bias: f32) -> Self {
        Grave::new(f32::INFINITY, bias)
    }

    #[inline(always)]
    fn value<A: Clone>(&self, child: Child<'_, A, Amaf>, amaf: Amaf, first_play: f32) -> f32 {
        blend(child, amaf, minimum_mse(child.visits(), amaf.visits, self.bias), first_play)
    }
}

impl Default for Grave {
    fn default() -> Self {
        Grave::new(50.0, 1e-5)
    }
}

impl<G: ActionIndex> TreePolicy<G> for Grave {
    type Stats = Amaf;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, Amaf>, _: &mut Rng) -> Choice {
        let first_play = node.first_play();
        // The nearest node with enough visits, or the topmost.
        let (mut source, mut is_own, mut above) = (node, true, node.parent());
        while source.visits() <= self.reference
            && let Some(ancestor) = above
        {
            if ancestor.player() == node.player() {
                (source, is_own) = (ancestor, false);
            }
            above = ancestor.parent();
        }
        if is_own {
            return node.argmax(|child| self.value(child, child.stats(), first_play));
        }
        let mut table = self.looked_up.borrow_mut();
        table.resize(G::ACTION_COUNT, Amaf::default());
        // An index out of range is reported when the action is played.
        source.children().for_each(|child| {
            if let Some(amaf) = table.get_mut(G::action_index(child.action())) {
                *amaf = child.stats();
            }
        });
        let choice = node.argmax(|child| {
            let above = table.get(G::action_index(child.action())).copied().unwrap_or_default();
            // The source has no value for an action that was not legal there.
            let amaf = if above.visits == 0.0 { child.stats() } else { above };
            self.value(child, amaf, first_play)
        });
        source.children().for_each(|child| {
            if let Some(amaf) = table.get_mut(G::action_index(child.action())) {
                *amaf = Amaf::default();
            }
        });
        choice
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_in(0.0.., "Grave::reference", self.reference, "at least 0")?;
        ParameterError::unless_in(0.0..f64::INFINITY, "Grave::bias", self.bias, "finite and at least 0")
    }

    fn skips_refuted(&self) -> bool {
        true
    }
}
