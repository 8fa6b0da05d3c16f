//! What a [`Pomdp`](super::pomdp::Pomdp) with few observations keeps of each history: weighted states.

use crate::game::{BeliefError, PartiallyObserved, Rng, draw_weighted};
use core::fmt;
use std::sync::{Mutex, PoisonError};

/// The most states that one history keeps.
const MOST_STATES: usize = 1_000;

/// The states that came to each history of a tree. A history is known by its place in the list. The first is the root,
/// whose states are those of the belief.
pub(super) struct Histories<M: PartiallyObserved>(Mutex<Vec<History<M>>>);

/// A history that ends with an observation.
#[derive(Clone)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "save",
    serde(bound(
        serialize = "M: serde::Serialize, M::Action: serde::Serialize, M::Observation: serde::Serialize",
        deserialize = "M: serde::Deserialize<'de>, M::Action: serde::Deserialize<'de>, M::Observation: serde::Deserialize<'de>"
    ))
)]
struct History<M: PartiallyObserved> {
    /// The states that came here, each with what its last step added to the return.
    states: Vec<(M, f64)>,
    /// The sum of their weights up to each state.
    sums: Vec<f64>,
    steps: Vec<Step<M>>,
}

/// An action after a history, and the observations that have a history.
#[derive(Clone)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "save",
    serde(bound(
        serialize = "M::Action: serde::Serialize, M::Observation: serde::Serialize",
        deserialize = "M::Action: serde::Deserialize<'de>, M::Observation: serde::Deserialize<'de>"
    ))
)]
struct Step<M: PartiallyObserved> {
    action: M::Action,
    visits: u32,
    seen: Vec<Seen<M::Observation>>,
}

#[derive(Clone)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
struct Seen<O> {
    observation: O,
    /// The history that ends with it.
    place: usize,
    /// How many states drew this observation.
    times: u32,
}

/// A state that has come to a history.
pub(super) struct Arrived<M: PartiallyObserved> {
    pub observation: M::Observation,
    pub place: usize,
    /// Another state that takes the place of the one that came, with what its last step added to the return.
    pub instead: Option<(M, f64)>,
}

impl<M: PartiallyObserved> Histories<M> {
    /// Takes in `state`, to which `action` has led from the history at `place`, where it added `gain` to the
    /// return, and which observes `observation`. There are at most `width` observations after so many visits.
    pub fn arrive(
        &self,
        place: usize,
        action: &M::Action,
        observation: &M::Observation,
        (state, gain): (&M, f64),
        width: impl Fn(u32) -> usize,
        rng: &mut Rng,
    ) -> Result<Arrived<M>, BeliefError> {
        let mut histories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = histories.len();
        let steps = &mut histories[place].steps;
        let number = steps.iter().position(|step| step.action == *action).unwrap_or(steps.len());
        if number == steps.len() {
            steps.push(Step { action: action.clone(), visits: 0, seen: Vec::new() });
        }
        let step = &mut steps[number];
        step.visits = step.visits.saturating_add(1);
        // Once there are as many as there may be, also a state whose observation is among them goes to one that is
        // drawn: the weights take the place of its own observation.
        let is_own = step.seen.len() < width(step.visits);
        let own = || step.seen.iter().position(|seen| seen.observation == *observation);
        let number = if is_own { own().unwrap_or(step.seen.len()) } else { step.draw(rng) };
        let observation = step.seen.get(number).map_or(observation, |seen| &seen.observation);
        let likelihood = state.likelihood(action, observation).ok_or(BeliefError::Unweighed)?;
        if !(0.0..f64::INFINITY).contains(&likelihood) {
            return Err(BeliefError::Likelihood { likelihood });
        }
        if is_own && likelihood == 0.0 {
            return Err(BeliefError::Impossible);
        }
        if number == step.seen.len() {
            step.seen.push(Seen { observation: observation.clone(), place: next, times: 0 });
        }
        let seen = &mut step.seen[number];
        seen.times = seen.times.saturating_add(u32::from(is_own));
        let (observation, place) = (seen.observation.clone(), seen.place);
        if place == next {
            histories.push(History::new());
        }
        let history = &mut histories[place];
        if likelihood > 0.0 && history.states.len() < MOST_STATES {
            history.states.push((state.clone(), gain));
            history.sums.push(history.sums.last().unwrap_or(&0.0) + likelihood);
        }
        let instead = (!is_own).then(|| history.states[draw_weighted(&history.sums, rng)].clone());
        Ok(Arrived { observation, place, instead })
    }
}

impl<M: PartiallyObserved> Step<M> {
    /// Draws an observation in proportion to how many states drew it.
    fn draw(&self, rng: &mut Rng) -> usize {
        let times = || self.seen.iter().map(|seen| seen.times as usize);
        let mut left = rng.below(times().sum::<usize>().max(1));
        let drawn = times().position(|times| {
            let is_here = left < times;
            left = left.saturating_sub(times);
            is_here
        });
        drawn.unwrap_or(0)
    }
}

impl<M: PartiallyObserved> History<M> {
    fn new() -> Self {
        History { states: Vec::new(), sums: Vec::new(), steps: Vec::new() }
    }
}

/// The root alone.
impl<M: PartiallyObserved> Default for Histories<M> {
    fn default() -> Self {
        Histories(Mutex::new(vec![History::new()]))
    }
}

impl<M: PartiallyObserved> Clone for Histories<M> {
    fn clone(&self) -> Self {
        Histories(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

impl<M: PartiallyObserved> fmt::Debug for Histories<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.lock().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("Histories").field("count", &count).finish_non_exhaustive()
    }
}

#[cfg(feature = "save")]
impl<M: PartiallyObserved + serde::Serialize> serde::Serialize for Histories<M>
where
    M::Action: serde::Serialize,
    M::Observation: serde::Serialize,
{
    fn serialize<Out: serde::Serializer>(&self, serializer: Out) -> Result<Out::Ok, Out::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).serialize(serializer)
    }
}

#[cfg(feature = "save")]
impl<'de, M: PartiallyObserved + serde::Deserialize<'de>> serde::Deserialize<'de> for Histories<M>
where
    M::Action: serde::Deserialize<'de>,
    M::Observation: serde::Deserialize<'de>,
{
    fn deserialize<In: serde::Deserializer<'de>>(deserializer: In) -> Result<Self, In::Error> {
        let histories = Vec::<History<M>>::deserialize(deserializer)?;
        let count = histories.len();
        let is_sound = |(place, history): (usize, &History<M>)| {
            let has_states = place == 0 || !history.states.is_empty();
            let mut seen = history.steps.iter().flat_map(|step| &step.seen);
            has_states
                && history.states.len() == history.sums.len()
                && history.sums.is_sorted()
                && history.sums.iter().all(|sum| *sum > 0.0)
                && seen.all(|seen| (1..count).contains(&seen.place))
        };
        if histories.is_empty() || !histories.iter().enumerate().all(is_sound) {
            return Err(serde::de::Error::custom("the states of the histories do not fit together"));
        }
        Ok(Histories(Mutex::new(histories)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Simulator;

    /// A ball that is red or blue, and what its colour looks like: one of three things.
    #[derive(Clone)]
    struct Ball(usize);

    const LIKELIHOODS: [[f64; 3]; 2] = [[0.7, 0.1, 0.2], [0.1, 0.6, 0.3]];

    impl Simulator for Ball {
        type Action = ();
        type Reward = f64;

        fn actions(&self) -> impl IntoIterator<Item = ()> {
            [()]
        }
        fn step(&mut self, (): (), _: &mut Rng) -> f64 {
            0.0
        }
    }

    impl PartiallyObserved for Ball {
        type Observation = usize;

        fn observe(&self, (): &(), rng: &mut Rng) -> usize {
            let drawn = rng.unit();
            let [first, second, _] = LIKELIHOODS[self.0];
            usize::from(drawn >= first) + usize::from(drawn >= first + second)
        }
        fn likelihood(&self, (): &(), seen: &usize) -> Option<f64> {
            Some(LIKELIHOODS[self.0][*seen])
        }
    }

    /// Also if observations recur. The share varies by 0.015.
    #[test]
    fn the_states_of_a_history_are_weighed_as_bayes_says() {
        let (histories, mut rng) = (Histories::default(), Rng::seeded(1));
        for _ in 0..10_000 {
            let ball = Ball(rng.below(2));
            let seen = ball.observe(&(), &mut rng);
            histories.arrive(0, &(), &seen, (&ball, 0.0), |_| 2, &mut rng).expect("likelihoods");
        }
        let histories = histories.0.into_inner().expect("no panic");
        let [step] = &histories[0].steps[..] else { panic!("one action") };
        assert_eq!(step.seen.len(), 2);
        for seen in &step.seen {
            let History { states, sums, .. } = &histories[seen.place];
            let (mut reds, mut before) = (0.0, 0.0);
            for ((ball, _), sum) in states.iter().zip(sums) {
                reds += if ball.0 == 0 { sum - before } else { 0.0 };
                before = *sum;
            }
            let [red, blue] = LIKELIHOODS.map(|of| of[seen.observation]);
            assert!(
                (reds / before - red / (red + blue)).abs() < 0.05,
                "{}: {}",
                seen.observation,
                reds / before
            );
        }
    }
}
