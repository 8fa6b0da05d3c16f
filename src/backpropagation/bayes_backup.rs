//! The value of a node, as a distribution.

use super::{Backprop, Step, Values};
use crate::game::{GameState, MAX_PLAYERS, Player, Rewards, Turn};
use crate::math;
use crate::statistics::pack_structs;

/// Values a node by the expected maximum of its children's values, each of which is uncertain: Bayesian
/// inference instead of averages.
///
/// A leaf with `n` visits whose rewards sum to `W` has the mean and the variance of the posterior
/// `Beta(1 + W, 1 + n - W)`. The end of a game is certain.
///
/// Where a player moves, the values of the children tried are treated as independent normal variables. The
/// mean and the variance of their maximum are computed pairwise by Clark's formulas, in the order in which
/// the children were created. As long as there are children without visits, one variable with the prior
/// Beta(1, 1) stands for all of them. So a node is uncertain until all its children are known, and the search
/// comes back to it. (Children that a [widening](crate::Expansion::widening) with the exponent 0 hides for
/// good do not count.) The other players get the values of the children, weighted by the probability that
/// each is the greatest. The gain of the player to move from this choice is subtracted from the others in
/// equal parts; for two players whose rewards sum to one this is exact. Where chance moves, the outcomes
/// drawn are a sample, like the rollouts of a leaf, and each has its own uncertainty. Means are kept in [0,
/// 1].
///
/// **Use it** with [`BayesUct`](crate::selection::BayesUct), which receives the standard deviation. With
/// another tree policy it is still a mean that resists a few lucky rollouts and, with many visits, approaches
/// the value of the best child. Its paper warns that siblings must be independent, which they hardly are in
/// real games: in our matches averages were stronger.
///
/// **Parameters:** none. **Stores** 64 bytes per child. **Cost:** an error function and an exponential per
/// child tried, for every step. **Source:** Tesauro, Rajan and Segal, *Bayesian Inference in Monte-Carlo Tree
/// Search*, 2010, with the Gaussian approximation; Clark, *The Greatest of a Finite Set of Random Variables*,
/// 1961. The paper has two players and no chance, and adds all children of a node at once, each with its
/// prior.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct BayesBackup;

/// The statistics of [`BayesBackup`]: a mean and a variance of a node's value for every player. 64 bytes.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Belief {
    /// The means.
    pub means: Values,
    /// The variances, by player.
    pub variances: [f32; MAX_PLAYERS],
}

pack_structs! {
    Belief { means: Values, variances: [f32; MAX_PLAYERS] } => |belief| belief.variances.iter().all(|variance| (0.0..1e30).contains(variance));
}

impl<G: GameState> Backprop<G> for BayesBackup {
    type Stats = Belief;
    const DERIVES: bool = true;

    #[inline]
    fn update(&self, step: impl Step<G, Belief>, rewards: &mut Rewards) {
        let belief = match step.turn() {
            Turn::Over => Belief { means: Values::of_end(rewards), ..Belief::default() },
            _ => {
                follow(step, rewards.players()).unwrap_or_else(|| leaf(step.stats(), step.visits(), rewards))
            }
        };
        step.set_stats(belief);
        let chooser = step.chooser();
        step.record_with_mean(rewards[chooser], belief.means.of(chooser));
        step.spread(belief.variances[usize::from(chooser)].sqrt());
    }
}

/// Returns the belief that follows from those of the tried children, if there are any.
#[inline]
fn follow<G: GameState>(step: impl Step<G, Belief>, players: u8) -> Option<Belief> {
    match step.turn() {
        _ if step.tried().next().is_none() => None,
        Turn::Chance => {
            Some(sample(players, step.tried().map(|child| (f64::from(child.visits), child.stats))))
        }
        Turn::Player(mover) => {
            let tried = step.tried().map(|child| child.stats);
            let untried = step.has_untried().then(|| untried(players));
            tried.chain(untried).reduce(|a, b| greater(a, b, mover, players))
        }
        Turn::Over => None,
    }
}

/// Returns the belief of a child without visits.
fn untried(players: u8) -> Belief {
    let mut belief = Belief { means: Values::new(players, |_| 0.5), ..Belief::default() };
    belief.variances[..usize::from(players)].fill(1.0 / 12.0);
    belief
}

/// Returns the belief of a leaf with `visits` visits, of which the last brought `rewards`.
fn leaf(known: Belief, visits: u32, rewards: &Rewards) -> Belief {
    // The mean of Beta(1 + W, 1 + n - W) is that of the n rewards and two more whose mean is 1/2.
    let before = if visits <= 1 { Values::new(rewards.players(), |_| 0.5) } else { known.means };
    let count = f64::from(visits) + 2.0;
    let mut belief = Belief { means: before.with(rewards, count), ..Belief::default() };
    for player in 0..rewards.players() {
        let mean = belief.means.exactly(player);
        belief.variances[usize::from(player)] = (mean * (1.0 - mean) / (count + 1.0)) as f32;
    }
    belief
}

/// Returns the belief of a chance node. Its probabilities are not known here: the outcomes drawn are a
/// sample, like the rollouts of a leaf. Outcomes that end the game with 0 or 1 have the same effect as such
/// rewards at a leaf.
fn sample(players: u8, outcomes: impl Iterator<Item = (f64, Belief)> + Clone) -> Belief {
    let count = 2.0 + outcomes.clone().map(|(visits, _)| visits).sum::<f64>();
    let mut belief = Belief::default();
    let mut means = [0.0; MAX_PLAYERS];
    for player in 0..players {
        // Start with two additional values, one of 0 and one of 1.
        let (mut sum, mut squares, mut within) = (1.0, 1.0, 0.0);
        for (visits, outcome) in outcomes.clone() {
            let mean = outcome.means.exactly(player);
            sum += visits * mean;
            squares += visits * mean * mean;
            within += visits * visits * f64::from(outcome.variances[usize::from(player)]);
        }
        let mean = sum / count;
        let between = (squares / count - mean * mean).max(0.0);
        belief.variances[usize::from(player)] = (between / (count + 1.0) + within / (count * count)) as f32;
        means[usize::from(player)] = mean;
    }
    Belief { means: Values::new(players, |player| means[usize::from(player)]), ..belief }
}

/// Returns the belief of the maximum of two, by their values for `mover`.
fn greater(a: Belief, b: Belief, mover: Player, players: u8) -> Belief {
    let variance = |belief: Belief, player: Player| f64::from(belief.variances[usize::from(player)]);
    let spread = (variance(a, mover) + variance(b, mover)).sqrt();
    let lead = a.means.exactly(mover) - b.means.exactly(mover);
    if spread == 0.0 {
        return if lead >= 0.0 { a } else { b };
    }
    let (first, density) = math::normal_law(lead / spread);
    let second = math::normal_law(-lead / spread).0;
    let bonus = spread * density;
    let share = |player: Player| {
        if player == mover { bonus } else { -bonus / (f64::from(players) - 1.0) }
    };
    let mut belief = Belief::default();
    let mean =
        |player: Player| a.means.exactly(player) * first + b.means.exactly(player) * second + share(player);
    belief.means = Values::new(players, mean);
    for player in 0..players {
        let (x, y) = (a.means.exactly(player), b.means.exactly(player));
        // Clark's second moment, less the square of the mean. It is computed about the midpoint to avoid
        // rounding errors.
        let middle = 0.5 * (x + y);
        let (x, y, mean) = (x - middle, y - middle, mean(player) - middle);
        let square = (x * x + variance(a, player)) * first + (y * y + variance(b, player)) * second;
        belief.variances[usize::from(player)] =
            (square + (x + y) * share(player) - mean * mean).max(0.0) as f32;
    }
    belief
}
