//! [`check_observations`]: a simulator whose state is not seen draws observations as its likelihood says.

use core::error::Error;
use core::fmt;
use ramure::{Belief, PartiallyObserved, Rng, take_failure};

/// The lines of play, and the most steps of each.
const LINES: usize = 50;
const STEPS: usize = 20;

/// The observations that are drawn for two states.
const DRAWS: usize = 200;

/// At most 1 000 pairs of states are compared, by two sums, each time by themselves and together with all before. So
/// there are 4 000 comparisons, which together fail by chance with a probability of at most one in a billion if none fails with
/// more than 2 exp(-29.8).
const EXPONENT: f64 = 29.8;

/// Checks that `likelihood` is right about what `observe` draws, on random lines of play from the states of a belief.
/// Returns how many of the drawn observations told two states apart.
///
/// It takes two states to which the same action has led, and draws observations in both. By the rule of Bayes, the
/// likelihoods say how probable it is that an observation comes from the first of the two. What is counted may differ
/// from these probabilities by chance, but not by more than the inequality of Bernstein allows. A correct simulator
/// fails with a probability of at most one in a billion. Densities are judged in the same way, because only the ratios
/// of likelihoods count. The check also finds a generator of their own that observations are drawn from.
///
/// ```
/// use ramure::{Belief, PartiallyObserved, Rng, Simulator};
///
/// /// A door is open or not. To look at it is right with probability 0.9.
/// #[derive(Clone)]
/// struct Door { is_open: bool }
///
/// impl Simulator for Door {
///     type Action = ();
///     type Reward = f64;
///
///     fn actions(&self) -> impl IntoIterator<Item = ()> {
///         [()]
///     }
///     fn step(&mut self, _: (), _: &mut Rng) -> f64 {
///         0.0
///     }
/// }
///
/// impl PartiallyObserved for Door {
///     type Observation = bool;
///
///     fn observe(&self, _: &(), rng: &mut Rng) -> bool {
///         self.is_open == (rng.unit() < 0.9)
///     }
///     fn likelihood(&self, _: &(), looks_open: &bool) -> Option<f64> {
///         Some(if self.is_open == *looks_open { 0.9 } else { 0.2 }) // they do not sum to 1
///     }
/// }
///
/// let belief = Belief::new([true, false].map(|is_open| Door { is_open })).unwrap();
/// let fault = ramure_rules::check_observations(&belief).unwrap_err();
/// assert!(fault.to_string().contains("`likelihood` is wrong"));
/// ```
///
/// # Errors
///
/// Returns an [`ObservationFault`] if `likelihood` is wrong, negative or not finite, 0 for an observation that was drawn,
/// or known in some states only; if `observe` does not take its randomness from the generator; if a call
/// [fails](ramure::fail); and if no observation tells two states apart, so that nothing was checked.
pub fn check_observations<M: PartiallyObserved>(belief: &Belief<M>) -> Result<u32, ObservationFault> {
    let mut rng = Rng::seeded(0);
    let mut total = Sums::default();
    for _ in 0..LINES {
        let [mut one, mut other] = [belief.draw(&mut rng).clone(), belief.draw(&mut rng).clone()];
        for _ in 0..STEPS {
            if one.is_over() || other.is_over() {
                break;
            }
            let theirs = Vec::from_iter(other.actions());
            let both = Vec::from_iter(one.actions().into_iter().filter(|action| theirs.contains(action)));
            if both.is_empty() {
                break;
            }
            let action = both[rng.below(both.len())].clone();
            one.step(action.clone(), &mut rng);
            other.step(action.clone(), &mut rng);
            if one.is_over() || other.is_over() {
                break;
            }
            let judged = judge([&one, &other], &action, &mut total, &mut rng);
            let judged = take_failure().map_or(judged, |error| Err(format!("the simulator failed: {error}")));
            judged.map_err(|what| ObservationFault { action: format!("{action:?}"), what })?;
        }
    }
    match total.told_apart {
        0 => Err(ObservationFault {
            action: "every action".to_owned(),
            what: "no observation tells two states apart, so there is nothing to check: begin with a belief of different states".to_owned(),
        }),
        count => Ok(count),
    }
}

/// Draws in both states, and compares with what their likelihoods say.
fn judge<M: PartiallyObserved>(
    states: [&M; 2],
    action: &M::Action,
    total: &mut Sums,
    rng: &mut Rng,
) -> Result<(), String> {
    let mut here = Sums::default();
    for _ in 0..DRAWS {
        let (from, seed) = (rng.below(2), rng.bits());
        let [observation, again] = [(); 2].map(|()| states[from].observe(action, &mut Rng::seeded(seed)));
        if observation != again {
            return Err(format!(
                "`observe` returned {observation:?}, and then {again:?} with the same generator: take all randomness from `rng`"
            ));
        }
        let likelihood = |state: &M| match state.likelihood(action, &observation) {
            None => Err(
                "`likelihood` returned `None`: either implement it in all states, or leave out this check"
                    .to_owned(),
            ),
            Some(likelihood) if (0.0..f64::INFINITY).contains(&likelihood) => Ok(likelihood),
            Some(likelihood) => Err(format!(
                "`likelihood` returned {likelihood} for {observation:?}: it must be a finite number, 0 or more"
            )),
        };
        let likelihoods = [likelihood(states[0])?, likelihood(states[1])?];
        if likelihoods[from] == 0.0 {
            return Err(format!(
                "`likelihood` returned 0 for {observation:?}, which `observe` drew in this state: it must be above 0"
            ));
        }
        // Divided by the greater, their sum is finite.
        let greater = likelihoods[0].max(likelihoods[1]);
        let [first, second] = likelihoods.map(|likelihood| likelihood / greater);
        let probability = first / (first + second);
        for sums in [&mut here, &mut *total] {
            sums.add(from == 0, probability);
        }
    }
    match here.excess().or(total.excess()) {
        None => Ok(()),
        Some(excess) => Err(format!(
            "`likelihood` is wrong about what `observe` draws: of {} observations that two states may give, by their likelihoods {:.1} come from the more likely of the two, and {} do",
            excess.told_apart, excess.expected, excess.counted
        )),
    }
}

/// What is counted, and what the likelihoods say.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// The observations that told the two states apart, and those of them that came from the more likely one.
    told_apart: u32,
    counted: u32,
    expected: f64,
    /// The sum of the differences, for the first state and weighed by how sure the likelihoods are; each with its variance.
    sums: [(f64, f64); 2],
}

impl Sums {
    fn add(&mut self, is_first: bool, probability: f64) {
        let surer = probability - 0.5;
        if surer == 0.0 {
            return;
        }
        self.told_apart += 1;
        self.counted += u32::from(is_first == (surer > 0.0));
        self.expected += 0.5 + surer.abs();
        let (off, variance) = (f64::from(is_first) - probability, probability * (1.0 - probability));
        for ((sum, of), weight) in self.sums.iter_mut().zip([1.0, 2.0 * surer]) {
            *sum += weight * off;
            *of += weight * weight * variance;
        }
    }

    /// Returns the sums if chance does not explain them. No difference is greater than 1, so by Bernstein a sum
    /// with the variance v exceeds s with a probability of at most 2 exp(-s² / (2 v + 2 s / 3)).
    fn excess(&self) -> Option<Self> {
        let is_too_much =
            |&(sum, variance): &(f64, f64)| sum * sum > EXPONENT * (2.0 * variance + 2.0 / 3.0 * sum.abs());
        self.sums.iter().any(is_too_much).then_some(*self)
    }
}

/// Why [`check_observations`] fails.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObservationFault {
    /// The action after which it was found, as text.
    pub action: String,
    /// What was found.
    pub what: String,
}

impl fmt::Display for ObservationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {}: {}", self.action, self.what)
    }
}

impl fmt::Debug for ObservationFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ramure::__sentence(self, f)
    }
}

impl Error for ObservationFault {}
