//! A few actions, then an evaluation.

use super::{Leaf, MAX_ROLLOUT, Priors, RolloutPolicy, Trace, Uniform};
use crate::game::{GameFault, Rewards, Rng, StaticEvaluation, Turn};
use crate::parameter::ParameterError;

/// Rollouts by `R` that end early: after a number of actions, at random, or once the evaluation is decided.
/// The game's [`StaticEvaluation`] then gives their value. A game that is over before that gives its own
/// rewards.
///
/// **Use it** where games are long and the evaluation is decent. With 0 actions, leaves are evaluated
/// directly.
///
/// **Parameters.** Each one that you set may end a rollout:
/// - *actions*, with [`new`](Self::new) and [`at_most`](Self::at_most): after this number of actions;
/// - a *probability* in [0, 1], with [`with_probability`](Self::with_probability): before each action, so
///   that the number of actions is geometrically distributed with the mean (1 - *p*) / *p*;
/// - a *margin* in [0, 1/2], with [`when_decided`](Self::when_decided): once the evaluation of some player is
///   at least 1/2 + *margin*, or, in a game for one player, at most 1/2 - *margin*. This counts as a win, 1,
///   for the players who are that far ahead, and as a loss, 0, for all others. It is checked before every
///   *k*-th action, first before action *k*. *k* is at least 1, which is the default; see
///   [`every`](Self::every).
///
/// **Cost:** one evaluation per player; with a margin, one per player for every *k* actions. **Stores**
/// nothing.
///
/// **Source:** a number of actions: Lorentz, *Amazons Discover Monte-Carlo*, 2008, section 3. At random:
/// Sutton and Barto, *Reinforcement Learning*, 2nd edition, section 5.8, on a discount as a probability of
/// termination. When decided: Winands and Björnsson, *Evaluation Function Based Monte-Carlo LOA*, 2009, the
/// strategy Evaluation Cut-Off, for two players. They check after the actions 2, 5, 8 and so on, which is
/// `every(3)` here.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::Cutoff;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).rollout_policy(Cutoff::new(8));
/// assert_eq!(search.run(Budget::iterations(500))?.iterations, 500);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cutoff<R = Uniform> {
    pub(super) actions: u32,
    pub(super) probability: f64,
    pub(super) margin: Option<f64>,
    pub(super) every: u32,
    pub(super) rollout_policy: R,
}

impl Cutoff {
    /// Plays at most `actions` random actions.
    pub fn new(actions: u32) -> Self {
        Cutoff { actions, probability: 0.0, margin: None, every: 1, rollout_policy: Uniform }
    }

    /// Plays random actions; before each action, the rollout ends with `probability`, in [0, 1].
    pub fn with_probability(probability: f64) -> Self {
        Cutoff { probability, ..Cutoff::new(u32::MAX) }
    }

    /// Plays random actions until some player's evaluation is at least 1/2 + `margin`, which counts as a win.
    /// `margin` is in [0, 1/2].
    pub fn when_decided(margin: f64) -> Self {
        Cutoff { margin: Some(margin), ..Cutoff::new(u32::MAX) }
    }
}

impl<R> Cutoff<R> {
    /// Plays at most `actions` actions. \[Default: no limit\]
    #[must_use]
    pub fn at_most(self, actions: u32) -> Self {
        Cutoff { actions, ..self }
    }

    /// Checks the margin every `k` actions, at least 1, first before action `k`. \[Default: 1\]
    #[must_use]
    pub fn every(self, k: u32) -> Self {
        Cutoff { every: k, ..self }
    }

    /// Chooses the actions by `rollout_policy`. \[Default: [`Uniform`]\]
    pub fn rollouts<Q>(self, rollout_policy: Q) -> Cutoff<Q> {
        let Cutoff { actions, probability, margin, every, .. } = self;
        Cutoff { actions, probability, margin, every, rollout_policy }
    }
}

impl<G: StaticEvaluation, R: RolloutPolicy<G>> RolloutPolicy<G> for Cutoff<R> {
    type Trace = R::Trace;

    #[inline(always)]
    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        self.rollout_policy.choose(leaf, rng)
    }

    #[inline]
    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Rewards, GameFault> {
        // Plays all actions at once, unless there is something to check in between.
        let stride = if self.probability > 0.0 || self.margin.is_some() { 1 } else { self.actions };
        let mut played = 0;
        while leaf.turn() != Turn::Over {
            if let Some(margin) = self.margin
                && (played + 1) % self.every.max(1) == 0
                && let Some(rewards) = decided(&Rewards::evaluated(leaf.state())?, margin as f32)
            {
                return Ok(rewards);
            }
            if played >= self.actions || self.probability > 0.0 && rng.unit() < self.probability {
                return Rewards::evaluated(leaf.state());
            }
            if played >= MAX_ROLLOUT {
                return Err(GameFault::Endless { limit: MAX_ROLLOUT });
            }
            let stride = stride.min(MAX_ROLLOUT);
            leaf.play_on(stride, rng, |leaf, rng| self.rollout_policy.choose(leaf, rng))?;
            played += stride;
        }
        Rewards::of(leaf.state())
    }

    #[inline(always)]
    fn learn(&mut self, trace: &R::Trace, rewards: &Rewards) {
        self.rollout_policy.learn(trace, rewards);
    }

    fn learns(&self) -> bool {
        self.rollout_policy.learns()
    }

    fn check(&self) -> Result<(), ParameterError> {
        let (probability, margin) = (self.probability, self.margin.unwrap_or(0.0));
        let fits = (0.0..=1.0).contains(&probability);
        ParameterError::unless(fits, "Cutoff::probability", probability, "in [0, 1]")?;
        ParameterError::unless((0.0..=0.5).contains(&margin), "Cutoff::margin", margin, "in [0, 0.5]")?;
        ParameterError::unless(self.every > 0, "Cutoff::every", f64::from(self.every), "at least 1")?;
        self.rollout_policy.check()
    }
}

impl<G: StaticEvaluation, R: Priors<G>> Priors<G> for Cutoff<R> {
    priors_of_inner!(rollout_policy);
}

/// The greatest error of an evaluation and a margin in single precision.
const ROUNDING: f32 = 1e-6;

/// Returns the rewards of a decided game: if some player is at least `margin` ahead, or the only player is
/// that far behind, up to rounding.
fn decided(values: &Rewards, margin: f32) -> Option<Rewards> {
    let is_ahead = |value: f32| value - 0.5 >= margin - ROUNDING;
    let is_lost = matches!(values.as_slice(), &[value] if 0.5 - value >= margin - ROUNDING);
    let decides = is_lost || values.as_slice().iter().any(|&value| is_ahead(value));
    decides.then(|| Rewards::new(values.players(), |player| f32::from(u8::from(is_ahead(values[player])))))
}
