//! The value of the best child.

use super::values::derives_values;
use super::{Backprop, Step, Values};
use crate::game::{GameState, Player, Rewards};

/// Values a node by its best child: the *Max* operator, the minimax value of the tree.
///
/// `Q = max Q(child)` over the children tried, by the value for the player to move. The other players get the
/// values of the same child, as in max^n. Where chance moves, the values of the outcomes are averaged by
/// visits.
///
/// **Use it** where rollouts or evaluations give nearly the same value every time: deterministic, or with few
/// possible values. With noisy rollouts it overestimates the luckiest child, which is why its paper mixes it
/// with other operators. Its values are exact as soon as the tree reaches the ends of the game; averages only
/// approach them. Explore more than with averages: `c` of sqrt 2 to 3 in [`Ucb1`](crate::selection::Ucb1).
/// The value of a node hides all its children but one, and with a small constant the search may not come back
/// to see whether another is better, however long it runs (chapter `docs/policies.md`).
///
/// **Parameters:** none. **Stores** 32 bytes per child. **Cost:** a pass over all children tried, for every
/// step.
///
/// **Source:** Coulom, *Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search*, 2006, section
/// on value backup, "Max". The paper has two players, and visits all children.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct MaxBackup;

impl MaxBackup {
    #[inline]
    fn of<G: GameState>(self, step: impl Step<G, Values>, mover: Player, _: u8) -> Values {
        Values::best(mover, step.tried().map(|child| child.stats)).unwrap_or_default()
    }
}

impl<G: GameState> Backprop<G> for MaxBackup {
    derives_values! {}
}
