//! The greatest child.

use super::values::back_up;
use super::{Backprop, Step, Values};
use crate::game::{GameState, Rewards};

/// A node is worth what its best child is worth: the *Max* operator, the minimax of what the tree knows.
///
/// `Q = max Q(child)` over the children tried, by the value of the player to move; the other players' values are those of
/// the same child, as in max^n. Where chance is to move the values of the outcomes are averaged by visits.
///
/// **Use it** where rollouts or evaluations say nearly the same every time: deterministic values, few of them. With noisy
/// rollouts it believes the luckiest child, which is why its paper mixes it with others. Its values are exact as
/// soon as the tree reaches the ends of the game; averages only come near them. **Parameters:** none. **Stores** 32 bytes per
/// child. **Cost:** a look at all children tried, for every step. **Source:** Coulom, *Efficient Selectivity and Backup
/// Operators in Monte-Carlo Tree Search*, 2006, section on value backup, "Max". The paper has two players, and visits all
/// children.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct MaxBackup;

impl<G: GameState> Backprop<G> for MaxBackup {
    type Stats = Values;

    #[inline]
    fn update(&self, step: impl Step<G, Values>, rewards: &mut Rewards) {
        back_up(step, rewards, |mover| {
            let best = Values::best(mover, step.tried().map(|child| child.stats));
            best.unwrap_or_default()
        });
    }
}
