//! The oracle: what the players of a game get if everybody plays best, worked out plainly.

use ramure::{GameState, Turn};
use std::collections::HashMap;
use std::hash::Hash;

/// Values closer than this are equal.
const TOLERANCE: f64 = 1e-9;

/// Max^n with chance: every player takes what is best for himself, the first among equals; chance averages. With two
/// players whose rewards sum to one this is minimax, with one player plain search.
pub struct Oracle<G> {
    known: HashMap<G, Vec<f64>>,
}

impl<G: GameState + Eq + Hash> Oracle<G> {
    /// One that has seen nothing yet. It remembers every state it sees.
    pub fn new() -> Self {
        Oracle { known: HashMap::new() }
    }

    /// What each player gets.
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
                    let weight = state.weight(outcome);
                    mean.iter_mut().zip(values).for_each(|(mean, value)| *mean += weight * value);
                }
                mean
            }
            _ => (0..state.players()).map(|player| state.reward(player)).collect(),
        };
        self.known.insert(state.clone(), values.clone());
        values
    }

    /// What `player` gets.
    pub fn value(&mut self, state: &G, player: u8) -> f64 {
        self.values(state)[usize::from(player)]
    }

    /// Each action with what the players get after it.
    pub fn successors(&mut self, state: &G) -> Vec<(G::Action, Vec<f64>)> {
        let actions = Vec::from_iter(state.actions());
        actions.into_iter().map(|action| (action, self.values(&super::after(state, [action])))).collect()
    }

    /// All actions that are best for the player to move.
    pub fn best_actions(&mut self, state: &G) -> Vec<G::Action> {
        let player = usize::from(super::mover(state));
        let best = self.values(state)[player];
        let successors = self.successors(state).into_iter();
        successors.filter(|(_, values)| values[player] > best - TOLERANCE).map(|(action, _)| action).collect()
    }

    /// By how much the best action of the player to move is better than the best of those that are not; 1 if all are best.
    pub fn lead(&mut self, state: &G) -> f64 {
        let player = usize::from(super::mover(state));
        let best = self.values(state)[player];
        let losses = self.successors(state).into_iter().map(|(_, values)| best - values[player]);
        losses.filter(|&loss| loss > TOLERANCE).fold(1.0, f64::min)
    }

    /// The least [lead](Self::lead) in all states of players that can follow, this one included.
    pub fn least_lead(&mut self, state: &G) -> f64 {
        let own = if let Turn::Player(_) = state.turn() { self.lead(state) } else { 1.0 };
        let actions = Vec::from_iter(state.actions());
        actions
            .into_iter()
            .fold(own, |least, action| least.min(self.least_lead(&super::after(state, [action]))))
    }
}

/// All that the players may get if everybody plays best, whichever way each of them breaks ties. Without chance, with
/// two players whose rewards sum to one, this is one list.
pub fn possible<G: GameState>(state: &G) -> Vec<Vec<f64>> {
    let successors = || {
        let actions = Vec::from_iter(state.actions());
        actions.into_iter().map(|action| (action, possible(&super::after(state, [action]))))
    };
    let mut all: Vec<Vec<f64>> = match state.turn() {
        // A result of one child is chosen if every other child may turn out no better.
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
        // Any result of each outcome together with any of the others.
        Turn::Chance => {
            let none = vec![vec![0.0; usize::from(state.players())]];
            successors().fold(none, |sums, (outcome, results)| {
                let weight = state.weight(outcome);
                let plus = |sum: &Vec<f64>, result: &Vec<f64>| {
                    sum.iter().zip(result).map(|(sum, value)| sum + weight * value).collect::<Vec<f64>>()
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

/// What the players get if everybody plays best, as [`Oracle`] but without memory, where results are worth what `worth` makes of
/// them.
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
                let weight = state.weight(action);
                mean.iter_mut().zip(next(action)).for_each(|(mean, value)| *mean += weight * value);
            }
            mean
        }
        _ => worth((0..state.players()).map(|player| state.reward(player)).collect()),
    }
}
