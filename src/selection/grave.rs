//! Rapid action value estimation, generalised.

use super::{Child, Choice, FirstPlay, Node, TreePolicy};
use crate::game::{ActionIndex, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Amaf;
use core::cell::RefCell;

/// GRAVE: `(1 - β) Q + β A`, where `A` is the all-moves-as-first mean of the action in the nearest node above (or this
/// one) with at least `reference` visits and the same player to move, and `β = p / (p + n + bias · p · n)` with `p` its
/// count there.
///
/// **Use it** where an action is worth much the same now and a little later (Hex, Go, Havannah), above all with few
/// iterations; it needs numbered actions, [`ActionIndex`]. **Parameters:** `reference`, 50 by default, and `bias`, 1e-5
/// by default, both from the paper's general settings; the smaller the bias, the longer AMAF values count. A child never
/// visited counts with its AMAF mean alone; one without even that comes before all others, unless the search's
/// first-play urgency says otherwise; among equals the least visited goes first. There is no exploration term: an action
/// that was unlucky may never be tried again, so combine it with [`Solver`](crate::backpropagation::Solver) where games are
/// short and sharp. **Stores** 12 bytes per child. **Cost:** per iteration, a look at all siblings
/// along the path. **Source:** Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015, section 3.3 and the
/// algorithm there; β after Silver's R-RAVE formula quoted in its section 3.2.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Grave;
/// let mut search = Mcts::new(ramure::games::Hex::new(7).unwrap()).tree_policy(Grave::default());
/// search.run(Budget::iterations(500))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grave {
    reference: f32,
    bias: f32,
    /// By action index, the AMAF values of the reference node, while a selection looks them up.
    looked_up: RefCell<Vec<Amaf>>,
}

impl Grave {
    /// With `reference` visits and `bias`, both finite and at least 0.
    pub const fn new(reference: f32, bias: f32) -> Self {
        Grave { reference, bias, looked_up: RefCell::new(Vec::new()) }
    }

    fn check_as(&self, names: [&'static str; 2]) -> Result<(), ParameterError> {
        for (name, value) in names.into_iter().zip([self.reference, self.bias]) {
            let fits = (0.0..f32::INFINITY).contains(&value);
            ParameterError::unless(fits, name, f64::from(value), "finite and at least 0")?;
        }
        Ok(())
    }

    #[inline(always)]
    fn score<A: Copy>(&self, child: Child<'_, A, Amaf>, amaf: Amaf, first_play: f32) -> f32 {
        let (n, p) = (child.visits(), amaf.visits);
        let beta = p / (p + n + self.bias * p * n);
        let mixed = child.mean() + beta * (amaf.mean.value() - child.mean()) + TIE / (1.0 + n);
        if n + p == 0.0 { first_play } else { mixed }
    }
}

/// Lets the least visited go first among equals, where the papers say nothing: without an exploration term the search would
/// follow the first of several lost actions for ever.
const TIE: f32 = 1e-6;

impl Default for Grave {
    fn default() -> Self {
        Grave::new(50.0, 1e-5)
    }
}

impl<G: ActionIndex> TreePolicy<G> for Grave {
    type Stats = Amaf;
    const FIRST_PLAY: Option<FirstPlay> = Some(FirstPlay::Infinite);
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, Amaf>, _: &mut Rng) -> Choice {
        let first_play = node.first_play();
        // The nearest with enough visits, or the topmost.
        let (mut source, mut above) = (node, node.parent());
        while source.visits() < self.reference
            && let Some(ancestor) = above
        {
            if ancestor.player() == node.player() {
                source = ancestor;
            }
            above = ancestor.parent();
        }
        if source.visits() <= node.visits() {
            return node.argmax(|child| self.score(child, child.stats(), first_play));
        }
        let mut table = self.looked_up.borrow_mut();
        table.resize(G::ACTION_COUNT, Amaf::default());
        // An index out of range is told when the action is played.
        source.children().for_each(|child| {
            if let Some(amaf) = table.get_mut(G::action_index(child.action())) {
                *amaf = child.stats();
            }
        });
        let choice = node.argmax(|child| {
            let above = table.get(G::action_index(child.action())).copied().unwrap_or_default();
            // An action that is new here was never an action there.
            let amaf = if above.visits == 0.0 { child.stats() } else { above };
            self.score(child, amaf, first_play)
        });
        source.children().for_each(|child| {
            if let Some(amaf) = table.get_mut(G::action_index(child.action())) {
                *amaf = Amaf::default();
            }
        });
        choice
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.check_as(["Grave::reference", "Grave::bias"])
    }
}

/// RAVE: GRAVE whose reference is always the node itself, its limit for `reference` 0.
///
/// **Use it** as the classic to compare with. **Parameter:** `bias`, at least 0, 1e-3 by default:
/// the smaller, the longer AMAF values count (the paper writes `b̃²` with `bias = 4 b̃²`). **Stores** 12 bytes per child.
/// **Source:** Gelly and Silver, *Monte-Carlo tree search and rapid action value estimation in computer Go*, 2011,
/// section 4.4, minimum mean squared error schedule, equation 14.
#[derive(Clone, Debug)]
pub struct Rave(Grave);

impl Rave {
    /// With `bias`, finite and at least 0.
    pub const fn new(bias: f32) -> Self {
        Rave(Grave::new(0.0, bias))
    }
}

impl Default for Rave {
    fn default() -> Self {
        Rave::new(1e-3)
    }
}

impl<G: ActionIndex> TreePolicy<G> for Rave {
    type Stats = Amaf;
    const FIRST_PLAY: Option<FirstPlay> = <Grave as TreePolicy<G>>::FIRST_PLAY;
    const SEES_UNVISITED: bool = true;

    #[inline]
    fn select(&self, node: impl Node<G, Amaf>, rng: &mut Rng) -> Choice {
        self.0.select(node, rng)
    }

    fn check(&self) -> Result<(), ParameterError> {
        self.0.check_as(["Rave, which has no reference", "Rave::bias"])
    }
}
