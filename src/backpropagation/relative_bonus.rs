//! Bonuses for quick wins and slow losses.

use super::{Backprop, Decorated, Decorator, Step};
use crate::game::{GameState, MAX_PLAYERS, Player, Rewards};
use crate::math;
use crate::parameter::ParameterError;
use core::cell::Cell;

/// Adds the *relative bonus* to the rewards that `B` sees: an iteration shorter than others with the same
/// winner gives more to the winner and less to the others. A longer iteration has the opposite effect.
///
/// `d` is the length of the iteration from the root to its end, including actions of chance. `D` and `σ` are
/// the mean and the sample standard deviation of the lengths so far with the same winner. With `λ = (D - d) /
/// σ` and `b(λ) = -1 + 2 / (1 + exp(-k λ))`, a reward `r` becomes `r + sgn(r) a b(λ)` on the scale of the
/// paper, where a win is 1 and a loss -1. To return to our scale, [-1 - a, 1 + a] is shrunk to [0, 1]. So
/// draws stay 1/2, rewards keep their order, and exploration bonuses weigh `1 + a` times as much as before.
///
/// The winner is the player with the greatest reward, if it is above 1/2 and above all others. The lengths of
/// iterations without a winner are kept together. There is no bonus before 50 lengths are known. There is
/// also no bonus where a proof cuts the iteration short or a player takes a certain reward, because the
/// length of the game is then not known.
///
/// Put decorators that prove outside, as in `Solver<RelativeBonus<Average>>`. Outside, rewards stay those of
/// the game. When a certain reward is compared with a mean, it counts without a bonus, on the scale of the
/// recorded rewards. The wrong order does not compile:
///
/// ```compile_fail
/// use ramure::prelude::*;
/// use ramure::backpropagation::RelativeBonus;
/// let backprop = RelativeBonus::new(1.4, 0.25, Solver::new(Average));
/// Mcts::new(ramure_games::TicTacToe::new()).backprop(backprop).run(Budget::iterations(1));
/// ```
///
/// **Use it** where a rollout that ends quickly depends more on the actions that were searched. It has little
/// effect where all games are equally long.
///
/// **Parameters:** `k`, finite and above 0, the steepness of the bonus; `a`, in [0, 1], its size. The
/// defaults, 1.4 and 0.25, are those that the game system Ludii uses for the sibling of this bonus. The paper
/// also shows how to estimate `a` during the search, which is not done here. **Stores** what `B` stores.
/// **Cost:** rollouts must count their actions, so they cannot use the game's shortcut; an exponential per
/// iteration.
///
/// **Source:** Pepels, Tak, Lanctot and Winands, *Quality-based Rewards for Monte-Carlo Tree Search
/// Simulations*, 2014, on the relative bonus. The scale of rewards, the 50 lengths and more than two players
/// are ours. This value keeps the lengths for its lifetime, from one root to the next.
pub type RelativeBonus<B> = Decorated<LengthBonus, B>;

/// The decorator of a [`RelativeBonus`].
#[derive(Clone, PartialEq, Debug)]
pub struct LengthBonus {
    pub(super) k: f32,
    pub(super) a: f32,
    /// The lengths by winner; the last entry is for iterations without a winner.
    pub(super) lengths: [Cell<Lengths>; MAX_PLAYERS + 1],
    /// The mapping at the latest step of the current iteration.
    latest: Cell<Option<Mapped>>,
}

/// Rewards on the scale of the game, and the rewards that the steps above see in their place.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Mapped {
    rewards: Rewards,
    shown: Rewards,
}

/// The number of lengths below which their standard deviation is unreliable.
const FEW: u64 = 50;

/// The lengths so far: their number, mean, and sum of squared deviations (Welford 1962).
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Lengths {
    pub count: u64,
    pub mean: f64,
    pub squares: f64,
}

impl Lengths {
    fn with(self, length: f64) -> Self {
        let count = self.count + 1;
        let mean = self.mean + (length - self.mean) / count as f64;
        Lengths { count, mean, squares: self.squares + (length - self.mean) * (length - mean) }
    }

    /// Returns the bonus of a length, in [-1, 1].
    fn bonus(self, length: f64, k: f64) -> f64 {
        if self.count < FEW || self.squares <= 0.0 {
            return 0.0;
        }
        let deviation = (self.squares / (self.count - 1) as f64).sqrt();
        2.0 / (1.0 + math::exp(-k * (self.mean - length) / deviation)) - 1.0
    }
}

impl<B> RelativeBonus<B> {
    /// Creates a backpropagation with the steepness `k`, above 0, and the size `a`, in [0, 1], of the bonus.
    pub fn new(k: f32, a: f32, inner: B) -> Self {
        let decorator = LengthBonus { k, a, ..LengthBonus::default() };
        Decorated { decorator, inner }
    }
}

impl Default for LengthBonus {
    fn default() -> Self {
        LengthBonus { k: 1.4, a: 0.25, lengths: Default::default(), latest: Cell::new(None) }
    }
}

impl LengthBonus {
    /// Returns the rewards with a bonus for the player with more than 1/2, on the scale of the recorded
    /// rewards.
    #[inline(always)]
    fn with_bonus(&self, rewards: &Rewards, bonus: f64) -> Rewards {
        Rewards::new(rewards.players(), |player| {
            let r = 2.0 * f64::from(rewards[player]) - 1.0;
            let sign = f64::from(i8::from(r > 0.0) - i8::from(r < 0.0));
            (0.5 + 0.5 * (r + sign * bonus) / (1.0 + f64::from(self.a))).clamp(0.0, 1.0) as f32
        })
    }

    /// Returns the bonus of an iteration that ended with these rewards after `length` actions, and adds the
    /// length to those known.
    fn take(&self, rewards: &Rewards, length: u32) -> f64 {
        if rewards.as_slice().iter().all(|&reward| reward == 0.5) {
            return 0.0;
        }
        let (lengths, length) = (&self.lengths[winner(rewards)], f64::from(length));
        let bonus = f64::from(self.a) * lengths.get().bonus(length, f64::from(self.k));
        lengths.set(lengths.get().with(length));
        bonus
    }
}

impl<G: GameState> Decorator<G> for LengthBonus {
    type Stats = ();
    const COUNTS: bool = true;

    #[inline(always)]
    fn update<B: Backprop<G>>(&self, inner: &B, step: impl Step<G, ((), B::Stats)>, rewards: &mut Rewards) {
        // The backpropagation inside sees a different bonus for the same end of a game every time.
        const {
            assert!(
                !B::PROVES,
                "`RelativeBonus` is around a backpropagation that proves results: put `Solver` or `ScoreBounds` around `RelativeBonus` instead"
            )
        };
        let is_leaf = step.followed().is_none();
        let mut shown = match self.latest.get() {
            Some(latest) if !is_leaf && latest.rewards == *rewards => latest.shown,
            // A player who takes a certain reward takes another game than the one played, whose length is not
            // known.
            _ if !is_leaf || step.is_cut_short() => self.with_bonus(rewards, 0.0),
            _ => self.with_bonus(rewards, self.take(rewards, step.length())),
        };
        inner.update(step.second(), &mut shown);
        self.latest.set(Some(Mapped { rewards: *rewards, shown }));
    }

    #[inline(always)]
    fn worth<B: Backprop<G>>(
        &self,
        inner: &B,
        stats: ((), B::Stats),
        rewards: &Rewards,
        player: Player,
    ) -> f32 {
        inner.worth(stats.1, &self.with_bonus(rewards, 0.0), player)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = self.k > 0.0 && self.k < f32::INFINITY;
        ParameterError::unless(fits, "RelativeBonus::k", f64::from(self.k), "finite and above 0")?;
        ParameterError::unless_in(0.0..=1.0, "RelativeBonus::a", self.a, "in [0, 1]")
    }
}

/// Returns the index into `lengths` for an iteration with these rewards.
fn winner(rewards: &Rewards) -> usize {
    let all = rewards.as_slice();
    let greatest = all.iter().copied().fold(0.5, f32::max);
    let mut winners = (0..all.len()).filter(|&player| greatest > 0.5 && all[player] == greatest);
    match (winners.next(), winners.next()) {
        (Some(winner), None) => winner,
        _ => MAX_PLAYERS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_one_action_in_one_game_gives_a_bonus() {
        // The squared deviations then sum to less than 1.
        let lengths = (0..60).map(|game| if game == 30 { 6.0 } else { 5.0 });
        let known = lengths.clone().fold(Lengths::default(), Lengths::with);
        let mean = lengths.clone().sum::<f64>() / 60.0;
        let deviation = (lengths.map(|length| (length - mean) * (length - mean)).sum::<f64>() / 59.0).sqrt();
        for length in [4.0, 5.0, 6.0] {
            let expected = 2.0 / (1.0 + libm::exp(-1.5 * (mean - length) / deviation)) - 1.0;
            let found = known.bonus(length, 1.5);
            assert!((found - expected).abs() < 1e-9 && found != 0.0, "{length}: {found}, not {expected}");
        }
    }

    #[test]
    fn only_a_player_above_one_half_and_above_all_others_wins() {
        for (rewards, expected) in [
            (&[1.0, 0.0][..], 0),
            (&[0.0, 1.0], 1),
            (&[0.6, 0.4], 0),
            (&[0.5, 0.25], MAX_PLAYERS),
            (&[0.5, 0.5], MAX_PLAYERS),
            (&[0.75, 0.75, 0.0], MAX_PLAYERS),
            (&[0.5, 0.0, 0.75], 2),
        ] {
            let rewards = Rewards::new(rewards.len() as u8, |player| rewards[usize::from(player)]);
            assert_eq!(winner(&rewards), expected, "{rewards:?}");
        }
    }
}
