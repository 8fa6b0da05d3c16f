//! [`Spread`]: how far the rewards of a search lie apart.

use crate::game::{MAX_PLAYERS, Rewards};

/// How far the rewards of a search lie apart, as far as its tree has measured them; see
/// [`Node::spread`](crate::selection::Node::spread).
///
/// The tree looks at the rewards with which iterations end, after 16, 32 and 64 iterations and then after
/// every 64. Measuring costs about 15 instructions an iteration and nothing per node. The spread is kept when
/// the search [advances](crate::Mcts::advance) to a node of its tree, and saved with it. It is forgotten when
/// a new tree begins: when the search advances to an action that the tree has no node for, and when it is
/// [reset](crate::Mcts::reset).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The iterations until the next refresh.
    left: u32,
    /// The weight of the rewards before the latest refresh, and the sum of their squared distances from the
    /// means of their players.
    weight: f32,
    squares: f32,
    /// The greatest variance at a refresh, and its root: infinity if the variance is 0.
    variance: f32,
    deviation: f32,
    /// The share of a deviation by which policies explore: the less, the more actions the root has.
    share: f32,
    /// The least and the greatest reward of the first player.
    least: f32,
    greatest: f32,
    /// The mean rewards at the latest refresh.
    means: [f32; MAX_PLAYERS],
    /// The sums over the iterations since then: of the distances from these means, and of their squares. With
    /// lanes for all players, a few vector instructions count them.
    recent: [f32; MAX_PLAYERS],
    recent_squares: [f32; MAX_PLAYERS],
}

impl Spread {
    /// The spread of no rewards.
    const NONE: Spread = Spread {
        left: 1,
        weight: 0.0,
        squares: 0.0,
        variance: 0.0,
        deviation: f32::INFINITY,
        share: 1.0,
        least: f32::INFINITY,
        greatest: f32::NEG_INFINITY,
        means: [0.0; MAX_PLAYERS],
        recent: [0.0; MAX_PLAYERS],
        recent_squares: [0.0; MAX_PLAYERS],
    };

    /// The iterations before the first deviation.
    const FEWEST: u32 = 16;

    /// The most iterations from one refresh to the next.
    const MOST: u32 = 64;

    /// The weight at which all weights are halved.
    const MEMORY: f32 = 4096.0;

    /// The number of actions at the root with which a search explores by whole deviations.
    const ACTIONS: f32 = 9.0;

    /// The greatest sum of squared distances.
    const MOST_SQUARES: f32 = Spread::MEMORY * MAX_PLAYERS as f32;

    /// The number of iterations from the latest refresh to the next. The first reward becomes the mean at
    /// once, so that the distances from it are exact if the rewards lie close together.
    fn interval(&self) -> u32 {
        match self.weight as u32 {
            0 => 1,
            weight if weight < Spread::FEWEST => Spread::FEWEST - weight,
            weight => weight.min(Spread::MOST),
        }
    }

    /// Returns the standard deviation of the rewards: of each player about their own mean, and the root of the
    /// mean of the players' variances. Rewards count less the older they are: after every 2048 iterations, all
    /// before have half the weight. This is the greatest deviation measured so far, because the deviation at
    /// the moment falls as the search settles on an action. Infinity before the first measurement, and while
    /// all rewards are equal.
    #[inline(always)]
    pub const fn deviation(&self) -> f32 {
        self.deviation
    }

    /// Returns (9 / K)^¼ for a root with K actions, two or more; see
    /// [`Exploration::deviations`](crate::selection::Exploration::deviations). 1 if the actions are not listed.
    #[inline(always)]
    pub const fn share(&self) -> f32 {
        self.share
    }

    /// Returns the least and the greatest reward of player 0; `None` before the first iteration.
    #[inline(always)]
    pub fn range(&self) -> Option<(f32, f32)> {
        (self.least <= self.greatest).then_some((self.least, self.greatest))
    }

    /// Sets the number of actions at the root.
    pub(crate) fn set_width(&mut self, width: usize) {
        let ratio = if width < 2 { 1.0 } else { Spread::ACTIONS / width as f32 };
        self.share = ratio.sqrt().sqrt();
    }

    /// Forgets all rewards.
    pub(crate) fn forget(&mut self) {
        *self = Spread { share: self.share, ..Spread::NONE };
    }

    /// Counts the rewards of an iteration.
    #[inline(always)]
    pub(crate) fn learn(&mut self, rewards: &Rewards) {
        let lanes = rewards.lanes();
        #[expect(clippy::needless_range_loop, reason = "four arrays in step, for vector instructions")]
        for player in 0..MAX_PLAYERS {
            let distance = lanes[player] - self.means[player];
            self.recent[player] += distance;
            self.recent_squares[player] += distance * distance;
        }
        (self.least, self.greatest) = (self.least.min(lanes[0]), self.greatest.max(lanes[0]));
        self.left -= 1;
        if self.left == 0 {
            self.refresh(rewards.players());
        }
    }

    /// Adds the recent rewards of `players` to the older ones.
    ///
    /// The means and squares of two samples are combined as in Chan, Golub and LeVeque, *Updating Formulae
    /// and a Pairwise Algorithm for Computing Sample Variances*, 1979.
    #[cold]
    #[inline(never)]
    fn refresh(&mut self, players: u8) {
        let count = self.interval() as f32;
        let all = self.weight + count;
        for player in 0..usize::from(players) {
            let distance = self.recent[player] / count;
            let own = self.recent_squares[player] - self.recent[player] * distance;
            self.squares += own.max(0.0) + distance * distance * (self.weight * count / all);
            // The bounds matter only after a damaged file.
            self.means[player] = (self.means[player] + distance * (count / all)).clamp(-0.01, 1.01);
        }
        self.squares = self.squares.min(Spread::MOST_SQUARES);
        if all >= Spread::FEWEST as f32 {
            self.variance = self.variance.max(self.squares / (all * f32::from(players))).min(1.0);
            self.set_deviation();
        }
        (self.recent, self.recent_squares, self.weight) = (Default::default(), Default::default(), all);
        if all >= Spread::MEMORY {
            (self.weight, self.squares) = (0.5 * all, 0.5 * self.squares);
        }
        self.left = self.interval();
    }

    /// Sets the deviation to what follows from the variance.
    fn set_deviation(&mut self) {
        self.deviation = if self.variance > 0.0 { self.variance.sqrt() } else { f32::INFINITY };
    }

    /// Returns whether rewards in [0, 1] can have this spread, up to rounding. If they can, the numbers stay
    /// in range however the search goes on.
    #[cfg(feature = "save")]
    fn is_possible(&self) -> bool {
        let done = 1.1 * self.interval().saturating_sub(self.left) as f32;
        let are_in = |lanes: &[f32], range: core::ops::RangeInclusive<f32>| {
            lanes.iter().all(|lane| range.contains(lane))
        };
        (0.0..=Spread::MEMORY).contains(&self.weight)
            && (1..=self.interval()).contains(&self.left)
            && (0.0..=Spread::MOST_SQUARES).contains(&self.squares)
            && (0.0..=1.0).contains(&self.variance)
            && self.range().is_none_or(|(least, greatest)| 0.0 <= least && greatest <= 1.0)
            && are_in(&self.means, -0.01..=1.01)
            && are_in(&self.recent, -done..=done)
            && are_in(&self.recent_squares, 0.0..=done)
    }
}

impl Default for Spread {
    fn default() -> Self {
        Spread::NONE
    }
}

/// What was measured, in a file.
#[cfg(feature = "save")]
pub(crate) type Measured = (u32, [f32; 3], Option<(f32, f32)>, [[f32; MAX_PLAYERS]; 3]);

#[cfg(feature = "save")]
impl Spread {
    pub(crate) fn measured(&self) -> Measured {
        let Spread { left, weight, squares, variance, means, recent, recent_squares, .. } = *self;
        (left, [weight, squares, variance], self.range(), [means, recent, recent_squares])
    }

    /// Returns the spread that was measured; `None` if rewards in [0, 1] cannot have it.
    pub(crate) fn from_measured(measured: Measured) -> Option<Self> {
        let (left, [weight, squares, variance], range, [means, recent, recent_squares]) = measured;
        let (least, greatest) = range.unwrap_or((f32::INFINITY, f32::NEG_INFINITY));
        let fits = range.is_none_or(|(least, greatest)| least <= greatest);
        let mut spread = Spread {
            left,
            weight,
            squares,
            variance,
            least,
            greatest,
            means,
            recent,
            recent_squares,
            ..Spread::NONE
        };
        spread.set_deviation();
        (fits && spread.is_possible()).then_some(spread)
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;
    use crate::game::{MAX_PLAYERS, Player, Rewards, Rng};
    use crate::selection::Exploration;

    /// The root of the mean variance of the rewards of all players, each about their own mean, in the plainest way:
    /// `weights` says how much each counts.
    fn plain_deviation(all: &[Rewards], weights: &[f64]) -> f64 {
        let players = all[0].players();
        let sum = |value: &dyn Fn(&Rewards) -> f64| -> f64 {
            all.iter().zip(weights).map(|(rewards, weight)| weight * value(rewards)).sum()
        };
        let weight = sum(&|_| 1.0);
        let variance = |player: Player| {
            let mean = sum(&|rewards| f64::from(rewards[player])) / weight;
            sum(&|rewards| {
                let distance = f64::from(rewards[player]) - mean;
                distance * distance
            }) / weight
        };
        ((0..players).map(variance).sum::<f64>() / f64::from(players)).sqrt()
    }

    #[test]
    fn the_constant_is_that_many_times_the_greatest_deviation_of_the_rewards() {
        let mut rng = Rng::seeded(1);
        for players in [1, 2, 3, MAX_PLAYERS as Player] {
            for (middle, width) in [(0.5, 1.0), (0.5, 0.1), (0.9, 0.01), (0.001, 0.001), (0.7, 1e-4)] {
                let (mut learned, mut all, mut weights) = (Spread::default(), vec![], vec![]);
                let (mut total, mut greatest) = (0.0, 0.0_f64);
                for count in 1..=crate::sized(8_000, 50_000) {
                    // The rewards spread wider and then less wide, and more for some players than for others.
                    let wide = if count % 6_000 < 2_000 { 0.5 } else { 1.0 };
                    let rewards = Rewards::new(players, |player| {
                        (middle + width * wide * (rng.unit() - 0.5) / f64::from(player + 1)) as f32
                    });
                    learned.learn(&rewards);
                    all.push(rewards);
                    weights.push(1.0);
                    total += 1.0;
                    if ![16, 32].contains(&count) && count % 64 != 0 {
                        continue;
                    }
                    if count < 200 || count % 640 == 0 || total >= 4_096.0 {
                        greatest = greatest.max(plain_deviation(&all, &weights));
                        let found = f64::from(Exploration::deviations(0.7).constant(&learned));
                        // The greatest may have been between two of these. Rewards near 0.7 are multiples of 6e-8.
                        let error = found / (0.7 * greatest) - 1.0;
                        assert!(
                            (-2e-3..0.03).contains(&error),
                            "{players} {middle} {width} {count}: {error}"
                        );
                    }
                    if total >= 4_096.0 {
                        total /= 2.0;
                        weights.iter_mut().for_each(|weight| *weight /= 2.0);
                    }
                }
            }
        }
    }

    #[test]
    fn what_was_measured_is_forgotten_but_not_the_width() {
        let (mut spread, mut rng) = (Spread::default(), Rng::seeded(2));
        let c = Exploration::deviations(2.0);
        assert_eq!((c.constant(&spread), format!("{c:?}").as_str()), (1000.0, "2.0 deviations"));
        spread.set_width(144);
        (0..300).for_each(|_| spread.learn(&Rewards::new(2, |_| rng.unit() as f32)));
        assert!((spread.deviation() - 0.29).abs() < 0.01, "{spread:?}"); // sqrt(1 / 12)
        // Among 144 actions, policies explore by (9 / 144)^(1/4) of the deviations, which is one half exactly.
        assert_eq!(c.constant(&spread), spread.deviation());
        assert_eq!(c.constant_at_any_width(&spread), 2.0 * spread.deviation());
        for fixed in [Exploration::from(0.3), Exploration::deviations(0.0)] {
            assert_eq!(format!("{fixed:?}").parse().ok(), Some(fixed.constant(&spread)));
        }
        spread.forget();
        let mut new = Spread::default();
        new.set_width(144);
        assert_eq!(spread, new);
        for few in [0, 1, 9] {
            new.set_width(few);
            assert_eq!(new.share(), 1.0);
        }
        new.set_width(2);
        let square = new.share() * new.share();
        assert!((square * square - 4.5).abs() < 1e-5);
    }

    #[test]
    fn a_first_reward_far_from_the_rest_counts_as_one_of_sixteen_and_is_not_forgotten() {
        let mut spread = Spread::default();
        let mut rng = Rng::seeded(3);
        for count in 0..60_000 {
            let reward = if count == 0 { 1.0 } else { 0.3 + 0.001 * (rng.unit() as f32 - 0.5) };
            spread.learn(&Rewards::new(1, |_| reward));
        }
        // The deviation of the first 16: 0.7 sqrt(15) / 16.
        assert!((spread.deviation() - 0.169).abs() < 0.001, "{spread:?}");
    }

    /// A search refuses such rewards, but a policy of your own may pass them on.
    #[test]
    fn the_constant_is_a_number_whatever_the_rewards_are() {
        for wrong in [f32::NAN, f32::INFINITY, -1e30] {
            let mut spread = Spread::default();
            for count in 0..5_000 {
                spread.learn(&Rewards::new(
                    2,
                    |player| if count % 70 == 9 && player == 1 { wrong } else { 0.5 },
                ));
                let c = Exploration::deviations(2.0).constant(&spread);
                assert!((0.0..=1000.0).contains(&c), "{wrong}, {count}: {c}");
            }
        }
    }

    /// Whatever a damaged file says and the search accepts, the search can save later, too.
    #[cfg(feature = "save")]
    #[test]
    fn a_spread_that_is_accepted_stays_acceptable() {
        let mut rng = Rng::seeded(7);
        let mut accepted = 0;
        for case in 0..2_000 {
            let mut draw = |least: f32, most: f32| least + (most - least) * rng.unit() as f32;
            let weight = [draw(0.0, 40.0), draw(0.0, Spread::MEMORY)][case % 2].floor();
            let done = draw(0.0, 64.0);
            let measured: super::Measured = (
                draw(1.0, 65.0) as u32,
                [weight, draw(0.0, Spread::MOST_SQUARES), draw(0.0, 1.0)],
                Some((draw(0.0, 0.5), draw(0.4, 1.0))),
                [
                    core::array::from_fn(|_| draw(-0.01, 1.01)),
                    core::array::from_fn(|_| draw(-done, done)),
                    core::array::from_fn(|_| draw(0.0, done)),
                ],
            );
            let Some(mut spread) = Spread::from_measured(measured) else { continue };
            accepted += 1;
            for _ in 0..300 {
                spread.learn(&Rewards::new(2, |_| if rng.unit() < 0.5 { 0.0 } else { 1.0 }));
                assert!(Spread::from_measured(spread.measured()).is_some(), "case {case}: {measured:?}");
            }
        }
        assert!(accepted > 200, "{accepted}");
    }
}
