//! The oracle: the rewards of a game under best play by all, computed by brute force.

use ramure::{GameState, Turn};
use std::collections::HashMap;
use std::hash::Hash;

/// Values closer than this are equal.
const TOLERANCE: f64 = 1e-9;

/// Max^n with chance. Every player takes the action with that player's best result, the first of equals;
/// chance averages. With two players whose rewards sum to one, this is minimax; with one player, it is
/// exhaustive search.
pub struct Oracle<G> {
    known: HashMap<G, Vec<f64>>,
}

impl<G: GameState + Eq + Hash> Oracle<G> {
    /// Returns an oracle with an empty memory. It remembers every state it sees.
    pub fn new() -> Self {
        Oracle { known: HashMap::new() }
    }

    /// Returns the value for each player.
    pub fn values(&mut self, state: &G) -> Vec<f64> {
        if let Some(values) = self.known.get(state) {
            return values.clone();
        }
        let values = match state.turn() {
            Turn::Player(player) => {
                let best = |best: Vec<f64>, next: Vec<f64>| {
                    let player = usize::from(player);
                    if next[player] > best[player] + TOLERANCE { next } else { best }
                };
                self.successors(state).into_iter().map(|(_, values)| values).reduce(best).expect("actions")
            }
            Turn::Chance => {
                let mut mean = vec![0.0; usize::from(state.players())];
                for (outcome, values) in self.successors(state) {
                    let probability = state.probability(outcome);
                    mean.iter_mut().zip(values).for_each(|(mean, value)| *mean += probability * value);
                }
                mean
            }
            _ => (0..state.players()).map(|player| state.reward(player)).collect(),
        };
        self.known.insert(state.clone(), values.clone());
        values
    }

    /// Returns the value for `player`.
    pub fn value(&mut self, state: &G, player: u8) -> f64 {
        self.values(state)[usize::from(player)]
    }

    /// Returns each action with the players' values after it.
    pub fn successors(&mut self, state: &G) -> Vec<(G::Action, Vec<f64>)> {
        let actions = Vec::from_iter(state.actions());
        actions
            .into_iter()
            .map(|action| (action.clone(), self.values(&super::after(state, [action]))))
            .collect()
    }

    /// Returns all actions that are best for the player to move.
    pub fn best_actions(&mut self, state: &G) -> Vec<G::Action> {
        let player = usize::from(super::mover(state));
        let best = self.values(state)[player];
        let successors = self.successors(state).into_iter();
        successors.filter(|(_, values)| values[player] > best - TOLERANCE).map(|(action, _)| action).collect()
    }

    /// Returns the difference between the best action of the player to move and the best of those that are
    /// worse; 1 if all are best.
    pub fn lead(&mut self, state: &G) -> f64 {
        let player = usize::from(super::mover(state));
        let best = self.values(state)[player];
        let losses = self.successors(state).into_iter().map(|(_, values)| best - values[player]);
        losses.filter(|&loss| loss > TOLERANCE).fold(1.0, f64::min)
    }

    /// Returns the least [lead](Self::lead) in all states of players that can follow, including this one.
    pub fn least_lead(&mut self, state: &G) -> f64 {
        let own = if let Turn::Player(_) = state.turn() { self.lead(state) } else { 1.0 };
        let actions = Vec::from_iter(state.actions());
        actions
            .into_iter()
            .fold(own, |least, action| least.min(self.least_lead(&super::after(state, [action]))))
    }
}

/// Returns all results of best play, over all ways in which the players can break ties. Without chance, and
/// with two players whose rewards sum to one, there is only one result.
pub fn possible<G: GameState>(state: &G) -> Vec<Vec<f64>> {
    let successors = || {
        let actions = Vec::from_iter(state.actions());
        actions.into_iter().map(|action| (action.clone(), possible(&super::after(state, [action]))))
    };
    let mut all: Vec<Vec<f64>> = match state.turn() {
        // A child's result can be chosen if every other child can turn out to be no better.
        Turn::Player(player) => {
            let player = usize::from(player);
            let children: Vec<_> = successors().map(|(_, results)| results).collect();
            let least = |results: &Vec<Vec<f64>>| {
                results.iter().map(|result| result[player]).fold(f64::INFINITY, f64::min)
            };
            let least: Vec<f64> = children.iter().map(least).collect();
            let chosen = |index: usize, result: &[f64]| {
                (0..least.len()).all(|other| other == index || result[player] >= least[other] - TOLERANCE)
            };
            let chosen = |(index, results): (usize, Vec<Vec<f64>>)| {
                results.into_iter().filter(|result| chosen(index, result)).collect::<Vec<_>>()
            };
            children.into_iter().enumerate().flat_map(chosen).collect()
        }
        // Combine each result of an outcome with each result of the others.
        Turn::Chance => {
            let none = vec![vec![0.0; usize::from(state.players())]];
            successors().fold(none, |sums, (outcome, results)| {
                let probability = state.probability(outcome);
                let plus = |sum: &Vec<f64>, result: &Vec<f64>| {
                    sum.iter().zip(result).map(|(sum, value)| sum + probability * value).collect::<Vec<f64>>()
                };
                sums.iter().flat_map(|sum| results.iter().map(move |result| plus(sum, result))).collect()
            })
        }
        _ => vec![(0..state.players()).map(|player| state.reward(player)).collect()],
    };
    let rounded = |value: &f64| (value * 1e9).round() as i64;
    all.sort_by_key(|values| values.iter().map(rounded).collect::<Vec<_>>());
    all.dedup_by_key(|values| values.iter().map(rounded).collect::<Vec<_>>());
    all
}

/// Returns the players' values under best play, like [`Oracle`] but without memory, where `worth` maps each
/// result to its value.
pub fn values<G: GameState>(state: &G, worth: &impl Fn(Vec<f64>) -> Vec<f64>) -> Vec<f64> {
    let actions = Vec::from_iter(state.actions());
    let next = |action: G::Action| values(&super::after(state, [action]), worth);
    match state.turn() {
        Turn::Player(player) => {
            let player = usize::from(player);
            let best = |best: Vec<f64>, next: Vec<f64>| {
                if next[player] > best[player] + TOLERANCE { next } else { best }
            };
            actions.into_iter().map(next).reduce(best).expect("actions")
        }
        Turn::Chance => {
            let mut mean = vec![0.0; usize::from(state.players())];
            for action in actions {
                let probability = state.probability(action.clone());
                mean.iter_mut().zip(next(action)).for_each(|(mean, value)| *mean += probability * value);
            }
            mean
        }
        _ => worth((0..state.players()).map(|player| state.reward(player)).collect()),
    }
}
