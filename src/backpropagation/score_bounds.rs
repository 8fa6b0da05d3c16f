//! Bounds on the rewards of every player, from finished games upwards.

use super::{Backprop, Bounds, Decorated, Decorator, Step};
use crate::game::{GameFault, GameState, Player, Rewards, Turn};
use core::cell::Cell;

/// Keeps lower and upper bounds on the reward of each player for every node, proves the reward where they
/// meet, and leaves the averages to `B`.
///
/// The player to move gets at least the greatest lower (*pessimistic*) bound of the children, and at most the
/// greatest upper (*optimistic*) bound. A child not tried counts as [0, 1]. The bounds of the other players
/// come from the children that the player to move might choose: those whose upper bound for that player is
/// not below the node's lower bound. Children that cannot exceed that lower bound are pruned, and not
/// searched while others are open. (Certain losses stay open, as for [`Solver`](super::Solver).) At a chance
/// node the bounds are those of the worst and the best outcome, whatever their probabilities.
///
/// If an iteration goes through a child whose mean is less than the lower bound of the player to move, that
/// player takes the bound, and the averages of this node and those above it use the rewards of the child that
/// secures it. A root whose bounds meet ends the search.
///
/// [`new`](Self::new) assumes that the players are rivals: no two of them get more than 1 together, so the
/// certain reward of one player limits the others. This holds in games that are won, drawn or lost, with any
/// number of players, and where a prize is divided. With two players it gives the cuts of the paper. Other
/// games need [`general`](Self::general), which has to search more of the tree. [`new`](Self::new) reports an
/// error in such a game ([`GameFault::Rivals`]).
///
/// The backpropagation inside must keep the order of rewards. [`Contempt`](super::Contempt) does not, and
/// goes outside, as in `Contempt<ScoreBounds<Average>>`. The wrong order does not compile:
///
/// ```compile_fail
/// use ramure::prelude::*;
/// use ramure::backpropagation::{Contempt, ScoreBounds};
/// let backprop = ScoreBounds::new(Contempt::new(0.3, Average));
/// Mcts::new(ramure_games::TicTacToe::new()).backprop(backprop).run(Budget::iterations(1));
/// ```
///
/// **Use it** where games have more results than win, draw and loss. It proves whatever
/// [`Solver`](super::Solver) proves. Rewards are known exactly if they are multiples of 1/65520, such as 1/4,
/// 1/3 or 3/7. Bounds of other rewards are rounded outwards, and never meet.
///
/// **Parameters:** none. (The paper's biases of the selection are left to tree policies.) **Stores** 32 bytes
/// per child and what `B` stores. **Source:** Cazenave and Saffidine, *Score Bounded Monte-Carlo Tree
/// Search*, 2010. The paper has two players and no chance, and does not replace rewards.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::backpropagation::ScoreBounds;
/// let mut search = Mcts::new(ramure_games::TicTacToe::new()).backprop(ScoreBounds::new(Average));
/// assert_eq!(search.run(Budget::iterations(200_000))?.proof, Some(0.5));
/// # Ok::<(), SearchError>(())
/// ```
pub type ScoreBounds<B> = Decorated<KeepBounds, B>;

/// The decorator of [`ScoreBounds`].
#[derive(Clone, PartialEq, Debug)]
pub struct KeepBounds {
    pub(super) rivals: bool,
    /// The end of a game whose rewards prove that the players are not rivals.
    pub(super) shared: Cell<Option<GameFault>>,
}

impl<B> ScoreBounds<B> {
    /// Adds bounds to `inner`, for games in which no two players get more than 1 together.
    pub const fn new(inner: B) -> Self {
        Decorated { decorator: KeepBounds { rivals: true, shared: Cell::new(None) }, inner }
    }

    /// Adds bounds to `inner`, for games with any rewards.
    pub const fn general(inner: B) -> Self {
        Decorated { decorator: KeepBounds { rivals: false, shared: Cell::new(None) }, inner }
    }
}

impl Default for KeepBounds {
    fn default() -> Self {
        KeepBounds { rivals: true, shared: Cell::new(None) }
    }
}

impl<G: GameState> Decorator<G> for KeepBounds {
    type Stats = Bounds;
    const PROVES: bool = true;
    const AVERAGES: bool = true;

    #[inline(always)]
    fn look(&self, _: &G, bounds: Bounds) -> Result<Bounds, GameFault> {
        self.shared.get().map_or(Ok(bounds), Err)
    }

    #[inline(always)]
    fn update<B: Backprop<G>>(
        &self,
        inner: &B,
        step: impl Step<G, (Bounds, B::Stats)>,
        rewards: &mut Rewards,
    ) {
        const {
            assert!(
                B::KEEPS_ORDER,
                "`ScoreBounds` is around a backpropagation that does not keep the order of rewards, such as `Contempt`: put it around `ScoreBounds` instead"
            )
        };
        let mut bounds = step.stats().0;
        // This node can learn something new only from the child on the path.
        if step.turn() == Turn::Over
            || step.followed().is_some_and(|child| child.stats.0 != Bounds::default())
        {
            bounds = self.learn(step, rewards);
        }
        if let Turn::Player(mover) = step.turn()
            && bounds.of(mover).0 > 0.0
            && let Some(secured) = secured_rewards::<G, B>(inner, step, bounds, rewards, mover)
        {
            *rewards = secured;
        }
        inner.update(step.second(), rewards);
    }

    #[inline(always)]
    fn certain(&self, bounds: Bounds, player: Player) -> Option<f32> {
        let sound = !self.rivals || self.shared.get().is_none();
        bounds.reward(player).filter(|_| sound)
    }

    fn begin_tree(&mut self) {
        self.shared.set(None);
    }

    fn knows(&self, bounds: Bounds, _: u8) -> bool {
        bounds != Bounds::default()
    }
}

impl KeepBounds {
    /// Updates the bounds of a step from its end or its children, and prunes the children that make no
    /// difference.
    #[inline(never)]
    fn learn<G: GameState, S: Copy>(&self, step: impl Step<G, (Bounds, S)>, rewards: &Rewards) -> Bounds {
        let (known, inner) = step.stats();
        let players = rewards.players();
        let mut bounds = match step.turn() {
            Turn::Over => Bounds::of_end(rewards),
            turn => Bounds::follow(turn, step.children().map(|(child, _)| child)),
        };
        bounds = known.and(bounds);
        if self.rivals {
            bounds = bounds.and(bounds.left_by_rivals(players));
            if step.turn() == Turn::Over && self.shared.get().is_none() {
                self.shared.set(not_rivals(rewards));
            }
        }
        step.set_stats((bounds, inner));
        if let Turn::Player(mover) = step.turn() {
            // A certain loss stays open; see `Backprop::certain`.
            step.prune(|(child, _)| !child.may_beat(bounds, mover) && child.reward(mover) != Some(0.0));
        }
        bounds
    }
}

/// Returns the rewards of the child that secures `mover` the lower bound of the node, if `mover` does better
/// to take it than to play what the iteration played. The means decide this, as in [`prove`](super::prove).
///
/// Rarely called, so it is kept out of the loop.
#[inline(never)]
fn secured_rewards<G: GameState, B: Backprop<G>>(
    inner: &B,
    step: impl Step<G, (Bounds, B::Stats)>,
    bounds: Bounds,
    rewards: &Rewards,
    mover: Player,
) -> Option<Rewards> {
    let (low, high) = bounds.of(mover);
    let child = step.followed()?;
    let within = |bounds: Bounds| {
        Rewards::new(rewards.players(), |player| {
            let (least, most) = bounds.of(player);
            if player == mover { low } else { rewards[player].min(most).max(least) }
        })
    };
    let is_better = || child.visits > 1 && child.mean < inner.worth(child.stats.1, &within(bounds), mover);
    if low < high && !is_better() {
        return None;
    }
    let secures = |child: &Bounds| child.of(mover).0 == low;
    Some(within(step.children().map(|(child, _)| child).find(secures).unwrap_or(bounds)))
}

/// Returns the fault of two players who get more than 1 together, if there are any.
fn not_rivals(rewards: &Rewards) -> Option<GameFault> {
    let pairs = (1..rewards.players()).flat_map(|b| (0..b).map(move |a| [a, b]));
    let sums =
        pairs.map(|players| (players, f64::from(rewards[players[0]]) + f64::from(rewards[players[1]])));
    sums.filter(|&(_, sum)| sum > 1.0 + 1e-6).map(|(players, sum)| GameFault::Rivals { players, sum }).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_whose_sum_exceeds_one_beyond_rounding_are_not_rivals() {
        let conflict = |rewards: &[f32]| {
            let rewards = Rewards::new(rewards.len() as u8, |player| rewards[usize::from(player)]);
            match not_rivals(&rewards) {
                Some(GameFault::Rivals { players, sum }) => Some((players, (sum * 1e9).round())),
                None => None,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(conflict(&[1.0, 0.0]), None);
        assert_eq!(conflict(&[0.3, 0.3, 0.7]), None);
        // The sum of 0.3 and 0.7, each rounded to an `f32`, may be slightly above 1.
        assert_eq!(conflict(&[0.5, 0.500_000_5]), None);
        assert!(conflict(&[0.5, 0.500_001_5]).is_some());
        assert_eq!(conflict(&[0.75, 0.5]), Some(([0, 1], 1.25e9)));
        assert_eq!(conflict(&[0.5, 0.25, 0.75]), Some(([0, 2], 1.25e9)));
        assert_eq!(conflict(&[0.0, 0.75, 0.0, 1.0]), Some(([1, 3], 1.75e9)));
        assert_eq!(conflict(&[1.0]), None);
    }
}
