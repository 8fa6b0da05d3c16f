//! Two-player games that are written out state by state. Their rewards sum to one.

use ramure::{GameState, Player, StaticEvaluation, Turn};
use std::sync::Arc;

/// The kind of a state: over, with the reward of player 0; a player's turn; or a chance node, with
/// probabilities.
#[derive(Debug)]
enum Script {
    End(f64),
    Player(Player, Vec<Scripted>),
    Chance(Vec<(f64, Scripted)>),
}

/// A state of such a game, with all states that can follow.
#[derive(Clone, Debug)]
pub struct Scripted(Arc<Script>);

/// Returns a terminal state in which player 0 gets `reward`.
pub fn end(reward: f64) -> Scripted {
    Scripted(Arc::new(Script::End(reward)))
}

/// Returns a state in which `player` chooses what follows.
pub fn choice<const N: usize>(player: Player, next: [Scripted; N]) -> Scripted {
    Scripted(Arc::new(Script::Player(player, next.into())))
}

/// Returns a chance node with these probabilities.
pub fn chance<const N: usize>(next: [(f64, Scripted); N]) -> Scripted {
    Scripted(Arc::new(Script::Chance(next.into())))
}

/// Returns `length` states in which `player` has only one action.
pub fn corridor(player: Player, length: u32, last: Scripted) -> Scripted {
    (0..length).fold(last, |next, _| choice(player, [next]))
}

impl GameState for Scripted {
    type Action = u8;

    fn turn(&self) -> Turn {
        match *self.0 {
            Script::End(_) => Turn::Over,
            Script::Player(player, _) => Turn::Player(player),
            Script::Chance(_) => Turn::Chance,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..match &*self.0 {
            Script::End(_) => 0,
            Script::Player(_, next) => next.len() as u8,
            Script::Chance(next) => next.len() as u8,
        }
    }
    fn apply(&mut self, action: u8) {
        let next = match &*self.0 {
            Script::End(_) => panic!("the game is over"),
            Script::Player(_, next) => next[usize::from(action)].clone(),
            Script::Chance(next) => next[usize::from(action)].1.clone(),
        };
        *self = next;
    }
    fn reward(&self, player: Player) -> f64 {
        match *self.0 {
            Script::End(reward) if player == 0 => reward,
            Script::End(reward) => 1.0 - reward,
            _ => f64::NAN,
        }
    }
    fn probability(&self, outcome: u8) -> f64 {
        match &*self.0 {
            Script::Chance(next) => next[usize::from(outcome)].0,
            _ => f64::NAN,
        }
    }
}

impl StaticEvaluation for Scripted {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}
