//! Beliefs: what a planner holds possible of a state that it does not see, as a list of states with weights.

use super::{Rng, Simulator, has_failed, take_failure};
use crate::custom_error::CustomError;
use crate::math;
use core::error::Error;
use core::fmt;
use std::collections::BTreeMap;

/// How often a rejection filter draws for each state that it wants.
const TRIES: usize = 100;

/// The most states that a filter aims at.
const MOST: usize = 1 << 24;

/// A simulator whose state the planner does not see: after each step it makes an observation.
///
/// **Who needs it:** [`Pomdp`](crate::search::Pomdp), which plans by a [`Belief`] of such states.
///
/// The state holds everything that decides what follows, also what is hidden. So here the last point of the
/// contract of a [`Simulator`] does not hold.
///
/// # The contract
///
/// - [`observe`](Self::observe) takes all its randomness from `rng`.
/// - The planner knows which actions are legal: all states that it holds possible have the same ones. (An
///   action that is illegal in a state counts as evidence against this state.)
/// - An end is seen: no step is observed that leads to one.
/// - If [`likelihood`](Self::likelihood) is given, it is the probability with which `observe` returns this
///   observation, or in proportion to it.
pub trait PartiallyObserved: Simulator {
    /// What the planner observes. Two observations are equal if and only if the planner cannot tell them
    /// apart. For real numbers, see [`Pomdp::observations`](crate::search::Pomdp::observations).
    type Observation: Clone + Eq + fmt::Debug + 'static;

    /// Draws what the planner observes in this state, to which `action` has led.
    fn observe(&self, action: &Self::Action, rng: &mut Rng) -> Self::Observation;

    /// Returns how probable `observation` is in this state, to which `action` has led: a finite number, 0 or
    /// more. Numbers in proportion to the probabilities serve as well, such as densities. Return it if you
    /// know it: each state of a belief then gets a weight, where otherwise those are kept that happen to
    /// observe the same. \[Default: `None`, unknown\]
    fn likelihood(&self, action: &Self::Action, observation: &Self::Observation) -> Option<f64> {
        let _ = (action, observation);
        None
    }

    /// Returns another state that would have given the same observations so far. A belief calls it for
    /// states that it has more than once, so that few states do not stand for all. For example, move a ship
    /// that nobody has hit. \[Default: `None`: copies stay copies\]
    fn reinvigorate(&self, rng: &mut Rng) -> Option<Self> {
        let _ = rng;
        None
    }
}

/// What a planner holds possible: states, called *particles*, with weights in proportion to their
/// probabilities.
///
/// ```
/// use ramure::Belief;
///
/// let even = Belief::from_fn(1_000, 7, |rng| rng.unit() < 0.5)?;
/// assert!((even.probability(|&is_left| is_left) - 0.5).abs() < 0.1);
/// let sure = Belief::weighted([(true, 3.0), (false, 1.0)])?;
/// assert_eq!(sure.probability(|&is_left| is_left), 0.75);
/// # Ok::<(), ramure::BeliefError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "save", serde(try_from = "Saved<M>", bound(deserialize = "M: serde::Deserialize<'de>")))]
pub struct Belief<M> {
    particles: Vec<M>,
    weights: Vec<f64>,
    /// The sum of the weights up to each particle.
    #[cfg_attr(feature = "save", serde(skip_serializing))]
    sums: Vec<f64>,
    /// How many particles a filter aims at.
    size: usize,
}

impl<M> Belief<M> {
    /// Creates a belief of states that are equally probable. The same state may come several times.
    ///
    /// # Errors
    ///
    /// Returns [`BeliefError::Empty`] if there are none.
    pub fn new(particles: impl IntoIterator<Item = M>) -> Result<Self, BeliefError> {
        Belief::weighted(particles.into_iter().map(|particle| (particle, 1.0)))
    }

    /// Creates a belief of `size` states that `draw` draws with a generator of this `seed`.
    ///
    /// # Errors
    ///
    /// Returns [`BeliefError::Empty`] if `size` is 0.
    pub fn from_fn(size: usize, seed: u64, mut draw: impl FnMut(&mut Rng) -> M) -> Result<Self, BeliefError> {
        let mut rng = Rng::seeded(seed);
        Belief::new((0..size).map(|_| draw(&mut rng)))
    }

    /// Creates a belief of states with weights, numbers in proportion to the probabilities. States of weight
    /// 0 are left out.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no states, if a weight is negative or not finite, or if all are 0.
    pub fn weighted(particles: impl IntoIterator<Item = (M, f64)>) -> Result<Self, BeliefError> {
        let (mut kept, mut weights, mut index) = (Vec::new(), Vec::new(), 0);
        for (particle, weight) in particles {
            if !(0.0..f64::INFINITY).contains(&weight) {
                return Err(BeliefError::Weight { index, weight });
            }
            if weight > 0.0 {
                kept.push(particle);
                weights.push(weight);
            }
            index += 1;
        }
        match Belief::of(kept, weights) {
            Some(belief) => Ok(belief),
            None if index == 0 => Err(BeliefError::Empty),
            None => Err(BeliefError::NoWeight),
        }
    }

    /// Returns the belief with these weights above 0; `None` if there are none.
    fn of(particles: Vec<M>, weights: Vec<f64>) -> Option<Self> {
        // Divided by the greatest, the weights have a finite sum, and those that vanish count for nothing.
        let greatest = weights.iter().fold(0.0, |greatest: f64, &weight| greatest.max(weight));
        let divided = weights.into_iter().map(|weight| weight / greatest);
        let (particles, weights): (Vec<M>, Vec<f64>) =
            particles.into_iter().zip(divided).filter(|&(_, weight)| weight > 0.0).unzip();
        let mut total = 0.0;
        let sums = weights.iter().map(|weight| {
            total += weight;
            total
        });
        let (sums, size) = (sums.collect(), particles.len().min(MOST));
        (size > 0).then_some(Belief { particles, weights, sums, size })
    }

    /// Returns the states with their weights. The greatest weight is 1.
    pub fn particles(&self) -> impl ExactSizeIterator<Item = (&M, f64)> + Clone {
        self.particles.iter().zip(self.weights.iter().copied())
    }

    /// Returns the number of particles.
    #[expect(clippy::len_without_is_empty, reason = "no belief is empty")]
    pub fn len(&self) -> usize {
        self.particles.len()
    }

    fn total(&self) -> f64 {
        self.sums[self.sums.len() - 1]
    }

    /// Returns the effective sample size: how many states of equal weight say as much, (Σw)² / Σw².
    pub fn effective_size(&self) -> f64 {
        let squares: f64 = self.weights.iter().map(|weight| weight * weight).sum();
        self.total() * self.total() / squares
    }

    /// Returns the probability of the states that satisfy `holds`.
    pub fn probability(&self, holds: impl Fn(&M) -> bool) -> f64 {
        let those = self.particles().filter(|(particle, _)| holds(particle));
        those.map(|(_, weight)| weight).sum::<f64>() / self.total()
    }

    /// Returns the entropy in bits of what `key` says of a state: 0 if all say the same, 1 if two values are
    /// equally probable.
    pub fn entropy<K: Ord>(&self, key: impl Fn(&M) -> K) -> f64 {
        let mut sums = BTreeMap::new();
        for (particle, weight) in self.particles() {
            *sums.entry(key(particle)).or_insert(0.0) += weight / self.total();
        }
        let nats: f64 = sums.values().map(|&p| -p * math::ln64(p)).sum();
        (nats / core::f64::consts::LN_2).max(0.0)
    }

    /// Draws a state.
    pub fn draw(&self, rng: &mut Rng) -> &M {
        &self.particles[self.draw_index(rng)]
    }

    fn draw_index(&self, rng: &mut Rng) -> usize {
        draw_weighted(&self.sums, rng)
    }

    /// Leaves out states, but not all of them.
    pub(crate) fn retain(self, keeps: impl Fn(&M) -> bool) -> Self {
        if self.particles.iter().all(&keeps) || !self.particles.iter().any(&keeps) {
            return self;
        }
        let size = self.size;
        let kept = self.particles.into_iter().zip(self.weights).filter(|(particle, _)| keeps(particle));
        let (particles, weights) = kept.unzip();
        let belief = Belief::of(particles, weights).expect("one is kept");
        Belief { size, ..belief }
    }

    pub(crate) fn first(&self) -> &M {
        &self.particles[0]
    }
}

/// Shows the number of states, and the effective sample size.
///
/// ```
/// let belief = ramure::Belief::weighted([(true, 3.0), (false, 1.0)])?;
/// assert_eq!(belief.to_string(), "2 states, worth 1.6 of equal weight");
/// # Ok::<(), ramure::BeliefError>(())
/// ```
impl<M> fmt::Display for Belief<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states, worth {:.1} of equal weight", self.len(), self.effective_size())
    }
}

impl<M: PartiallyObserved> Belief<M> {
    /// Returns the belief after `action` and `observation`: each state takes the step, which is drawn by
    /// `rng`, and counts by how probable the observation is there.
    ///
    /// If the simulator gives its [`likelihood`](PartiallyObserved::likelihood), this multiplies the weights
    /// by it, and draws new particles by weight once their [effective size](Self::effective_size) is less
    /// than half of the number that the belief was made with. If it does not, this draws states and
    /// keeps those that observe the same, until it has as many as the belief was made with, or has drawn 100
    /// times as many. Those that it has more than once may be
    /// [reinvigorated](PartiallyObserved::reinvigorate), and so are states if none explains the observation.
    ///
    /// **Source:** the rejection filter: Silver and Veness, *Monte-Carlo Planning in Large POMDPs*, 2010,
    /// section 3.2; weights: Gordon, Salmond and Smith, *Novel Approach to Nonlinear/Non-Gaussian Bayesian
    /// State Estimation*, 1993; systematic drawing: Kitagawa, 1996.
    ///
    /// # Errors
    ///
    /// Returns [`BeliefError::Depleted`] if no state explains the observation, [`BeliefError::Likelihood`] if
    /// a likelihood is negative or not finite, and [`BeliefError::Failed`] if the simulator
    /// [fails](crate::fail).
    pub fn after(
        &self,
        action: &M::Action,
        observation: &M::Observation,
        rng: &mut Rng,
    ) -> Result<Self, BeliefError> {
        take_failure(); // of an earlier call
        let found = match self.weighed(action, observation, rng) {
            Ok(None) => self.rejected(action, observation, rng),
            Ok(Some(belief)) => Ok(belief),
            Err(error) => Err(error),
        };
        match take_failure() {
            Some(error) => Err(BeliefError::Failed(error.into())),
            None => found,
        }
    }

    /// Weighs all particles; `None` if the likelihood is unknown, or if no particle survives the step that it
    /// drew: others may.
    fn weighed(
        &self,
        action: &M::Action,
        observation: &M::Observation,
        rng: &mut Rng,
    ) -> Result<Option<Self>, BeliefError> {
        let (mut particles, mut weights, mut has_any) = (Vec::new(), Vec::new(), false);
        for (particle, weight) in self.particles() {
            let Some(next) = stepped(particle, action, rng) else { continue };
            has_any = true;
            let Some(likelihood) = next.likelihood(action, observation) else { return Ok(None) };
            if !(0.0..f64::INFINITY).contains(&likelihood) {
                return Err(BeliefError::Likelihood { likelihood });
            }
            if weight * likelihood > 0.0 {
                particles.push(next);
                weights.push(weight * likelihood);
            }
        }
        if !has_any {
            return Ok(None);
        }
        let belief = match Belief::of(particles, weights) {
            Some(belief) => Belief { size: self.size, ..belief },
            None => return self.anew(action, observation, self.len(), rng).map(Some),
        };
        Ok(Some(if 2.0 * belief.effective_size() < self.size as f64 { belief.redrawn(rng) } else { belief }))
    }

    /// Draws as many particles by weight as the belief was made with, at equal distances along the sum of the
    /// weights.
    fn redrawn(&self, rng: &mut Rng) -> Self {
        let distance = self.total() / self.size as f64;
        let (mut place, mut index, mut last) = (rng.unit() * distance, 0, None);
        let mut particles = Vec::with_capacity(self.size);
        for _ in 0..self.size {
            while index + 1 < self.len() && self.sums[index] <= place {
                index += 1;
            }
            let particle = &self.particles[index];
            let is_copy = last == Some(index);
            particles.push(if is_copy { varied(particle, rng) } else { particle.clone() });
            (last, place) = (Some(index), place + distance);
        }
        let weights = vec![1.0; particles.len()];
        Belief::of(particles, weights).expect("a belief has a particle")
    }

    /// Keeps the drawn states that observe the same.
    fn rejected(
        &self,
        action: &M::Action,
        observation: &M::Observation,
        rng: &mut Rng,
    ) -> Result<Self, BeliefError> {
        let (mut particles, tries) = (Vec::new(), TRIES.saturating_mul(self.size));
        let mut was_kept = vec![false; self.len()];
        for _ in 0..tries {
            if particles.len() == self.size || has_failed() {
                break;
            }
            let index = self.draw_index(rng);
            let Some(next) = stepped(&self.particles[index], action, rng) else { continue };
            if next.observe(action, rng) == *observation {
                particles.push(if was_kept[index] { varied(&next, rng) } else { next });
                was_kept[index] = true;
            }
        }
        let found = particles.len();
        if found == 0 {
            return self.anew(action, observation, tries, rng);
        }
        while particles.len() < self.size {
            let copy = varied(&particles[rng.below(found)], rng);
            particles.push(copy);
        }
        let weights = vec![1.0; particles.len()];
        Ok(Belief::of(particles, weights).expect("a belief has a particle"))
    }
}

/// The tries of a belief that is made anew, for each state that it wants.
const TRIES_ANEW: usize = 10;

impl<M: PartiallyObserved> Belief<M> {
    /// Returns the belief of reinvigorated states, where none of those that were `tried` explains the observation.
    fn anew(
        &self,
        action: &M::Action,
        observation: &M::Observation,
        tried: usize,
        rng: &mut Rng,
    ) -> Result<Self, BeliefError> {
        let (mut particles, mut weights) = (Vec::new(), Vec::new());
        for _ in 0..TRIES_ANEW.saturating_mul(self.size) {
            if particles.len() == self.size || has_failed() {
                break;
            }
            let Some(other) = self.draw(rng).reinvigorate(rng) else { continue };
            let Some(next) = stepped(&other, action, rng) else { continue };
            let same = |next: &M, rng: &mut Rng| f64::from(next.observe(action, rng) == *observation);
            let likelihood = next.likelihood(action, observation).unwrap_or_else(|| same(&next, rng));
            if !(0.0..f64::INFINITY).contains(&likelihood) {
                return Err(BeliefError::Likelihood { likelihood });
            }
            if likelihood > 0.0 {
                particles.push(next);
                weights.push(likelihood);
            }
        }
        let belief = Belief::of(particles, weights).ok_or(BeliefError::Depleted { tried })?;
        Ok(Belief { size: self.size, ..belief })
    }
}

/// Returns the state after a step; `None` if the planner cannot be there: the action is not legal, or it led
/// to an end.
fn stepped<M: Simulator>(particle: &M, action: &M::Action, rng: &mut Rng) -> Option<M> {
    if particle.is_over() || particle.actions().into_iter().all(|legal| legal != *action) {
        return None;
    }
    let mut next = particle.clone();
    next.step(action.clone(), rng);
    (!has_failed() && !next.is_over()).then_some(next)
}

/// Draws an index by weights, of which these are the sums up to each.
pub(crate) fn draw_weighted(sums: &[f64], rng: &mut Rng) -> usize {
    let last = sums.len() - 1;
    let place = rng.unit() * sums[last];
    sums.partition_point(|&sum| sum <= place).min(last)
}

fn varied<M: PartiallyObserved>(particle: &M, rng: &mut Rng) -> M {
    particle.reinvigorate(rng).unwrap_or_else(|| particle.clone())
}

/// The saved form of a [`Belief`].
#[cfg(feature = "save")]
#[derive(serde::Deserialize)]
struct Saved<M> {
    particles: Vec<M>,
    weights: Vec<f64>,
    size: usize,
}

#[cfg(feature = "save")]
impl<M> TryFrom<Saved<M>> for Belief<M> {
    type Error = BeliefError;

    fn try_from(saved: Saved<M>) -> Result<Self, BeliefError> {
        let Saved { particles, weights, size } = saved;
        if particles.len() != weights.len() || !(1..=MOST).contains(&size) {
            return Err(BeliefError::Empty);
        }
        let belief = Belief::weighted(particles.into_iter().zip(weights))?;
        Ok(Belief { size, ..belief })
    }
}

/// Why there is no [`Belief`].
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum BeliefError {
    /// There are no states.
    Empty,
    /// All weights are 0.
    NoWeight,
    /// The weight of the state with this index is negative or not finite.
    Weight {
        /// The index, from 0.
        index: usize,
        /// The weight.
        weight: f64,
    },
    /// A [likelihood](PartiallyObserved::likelihood) is negative or not finite.
    Likelihood {
        /// The likelihood.
        likelihood: f64,
    },
    /// A [`Pomdp`](crate::search::Pomdp) with few observations needs the
    /// [likelihood](PartiallyObserved::likelihood), which is `None`.
    Unweighed,
    /// The [likelihood](PartiallyObserved::likelihood) of an observation that was drawn is 0.
    Impossible,
    /// No state explains the observation.
    Depleted {
        /// How many states were tried.
        tried: usize,
    },
    /// The simulator reported an error by [`fail`](crate::fail).
    Failed(CustomError),
}

impl fmt::Display for BeliefError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BeliefError::Empty => f.write_str("a belief needs a state: add particles"),
            BeliefError::NoWeight => f.write_str("all weights of the belief are 0: one must be above"),
            BeliefError::Weight { index, weight } => {
                write!(f, "the weight of particle {index} is {weight}: it must be a finite number, 0 or more")
            }
            BeliefError::Likelihood { likelihood } => {
                write!(f, "`likelihood` returned {likelihood}: it must be a finite number, 0 or more")
            }
            BeliefError::Unweighed => f.write_str(
                "`likelihood` returned `None`: a `Pomdp` with few observations needs it to weigh states, so implement it or leave out `Pomdp::observations`",
            ),
            BeliefError::Impossible => f.write_str(
                "`likelihood` returned 0 for an observation that `observe` drew in this state: it must be above 0, so make the two agree",
            ),
            BeliefError::Depleted { tried } => write!(
                f,
                "no state of the belief explains this observation after this action ({tried} were tried): give `likelihood`, use more particles or `reinvigorate` them, or check that `observe` can return it"
            ),
            BeliefError::Failed(_) => f.write_str("the simulator failed while the belief took a step"),
        }
    }
}

crate::debug_as_sentence!(BeliefError);

impl Error for BeliefError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BeliefError::Failed(error) => Some(error.get_ref()),
            _ => None,
        }
    }
}
