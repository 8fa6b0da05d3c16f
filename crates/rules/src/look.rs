//! A look: everything that the methods of `GameState` return for a state.

use super::list::list;
use super::outcome::{Players, winners};
use super::probe::{Breach, Probe};
use core::fmt::Debug;
use ramure::{GameState, MAX_PLAYERS, Player, Turn};

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Look<A> {
    pub players: u8,
    pub turn: Turn,
    pub actions: Vec<A>,
    /// The probability of each outcome, if it is chance's turn.
    pub probabilities: Vec<f64>,
    /// The reward of each player, if the game is over.
    pub rewards: Vec<f64>,
}

impl<A: Clone + Eq + Debug> Look<A> {
    pub fn at<G: GameState<Action = A>>(state: &G, probe: &Probe) -> Result<Self, Breach> {
        let players = probe.players(state)?;
        let turn = probe.turn(state)?;
        // What is listed after the end does not count.
        let actions = if turn == Turn::Over { Vec::new() } else { probe.actions(state)? };
        let (mut probabilities, mut rewards) = (Vec::new(), Vec::new());
        match turn {
            Turn::Chance => {
                for outcome in &actions {
                    probabilities.push(probe.probability(state, outcome)?);
                }
            }
            Turn::Over => {
                for player in 0..players.min(MAX_PLAYERS as Player) {
                    rewards.push(probe.reward(state, player)?);
                }
            }
            Turn::Player(_) => {}
        }
        Ok(Look { players, turn, actions, probabilities, rewards })
    }

    pub fn is_over(&self) -> bool {
        self.turn == Turn::Over
    }

    /// The winners according to the rewards.
    pub fn winners(&self) -> Players {
        winners(self.rewards.len() as Player, |player| self.rewards[usize::from(player)])
    }

    /// The difference, as the middle of a sentence that starts by naming the two states.
    pub fn difference(&self, other: &Self) -> Option<String> {
        self.difference_but_for_order(other).or_else(|| {
            let both =
                || format!("the actions are {} here and {} there", list(&self.actions), list(&other.actions));
            (self.actions != other.actions).then(both)
        })
    }

    /// The same, but ignoring the order of the actions.
    pub fn difference_but_for_order(&self, other: &Self) -> Option<String> {
        if self.players != other.players {
            return Some(format!("there are {} players here and {} there", self.players, other.players));
        }
        if self.turn != other.turn {
            return Some(format!("the turn is {:?} here and {:?} there", self.turn, other.turn));
        }
        if !same_numbers(&self.rewards, &other.rewards) {
            return Some(format!("the rewards are {:?} here and {:?} there", self.rewards, other.rewards));
        }
        if self.actions == other.actions {
            let same = same_numbers(&self.probabilities, &other.probabilities);
            return (!same).then(|| {
                format!(
                    "the probabilities are {:?} here and {:?} there",
                    self.probabilities, other.probabilities
                )
            });
        }
        // Actions implement neither `Ord` nor `Hash`.
        let only = |one: &Self, two: &Self| {
            Vec::from_iter(one.actions.iter().filter(|&action| !two.actions.contains(action)).cloned())
        };
        let (here, there) = (only(self, other), only(other, self));
        match (here.is_empty(), there.is_empty()) {
            (false, true) => Some(format!("{} can be played here and not there", list(&here))),
            (true, false) => Some(format!("{} can be played there and not here", list(&there))),
            (false, false) => Some(format!("{} can be played here, and {} there", list(&here), list(&there))),
            (true, true) => {
                self.actions.iter().zip(&self.probabilities).find_map(|(outcome, &probability)| {
                    let place = other.actions.iter().position(|action| action == outcome)?;
                    let there = other.probabilities.get(place)?;
                    let same = same_numbers(&[probability], &[*there]);
                    (!same).then(|| {
                        format!("the probability of {outcome:?} is {probability} here and {there} there")
                    })
                })
            }
        }
    }
}

/// Whether the numbers are equal to within rounding; NaN equals NaN.
fn same_numbers(ones: &[f64], others: &[f64]) -> bool {
    let same = |(one, other): (&f64, &f64)| {
        one == other || (one - other).abs() <= 1e-9 || one.is_nan() && other.is_nan()
    };
    ones.len() == others.len() && ones.iter().zip(others).all(same)
}
