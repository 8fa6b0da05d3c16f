//! A game that breaks one part of its contract from a certain moment on, until the test repairs it.

use ramure::{ActionIndex, GameState, Player, Rng, StaticEvaluation, Turn};
use std::cell::Cell;
use std::rc::Rc;

/// Two actions in each of four states, then a draw. It breaks one part of the contract, or none.
#[derive(Clone, Debug)]
pub struct Broken {
    fault: Fault,
    /// The number of actions played.
    ply: u8,
    /// The number of actions after which the contract is broken.
    at: u8,
    trigger: Trigger,
    /// Whether the contract is broken in this state, decided when the state is reached.
    broken: bool,
}

/// The part of the contract that is broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// An unfinished game without actions.
    NoActions,
    /// This number of actions.
    Actions(u32),
    /// Actions whose index is at least this number.
    Index(u32),
    /// The turn of this player.
    Turn(Player),
    /// This reward for player 1.
    Reward(f64),
    /// This evaluation for player 1.
    Evaluation(f64),
    /// A chance node with these probabilities.
    Probabilities([f64; 2]),
    /// A chance node where `random_action` draws an outcome that is not listed.
    Outcome,
    /// A game that never ends.
    Endless,
}

/// Counts the states that could break the contract, down to the first one that does. All clones of a game
/// share it.
#[derive(Clone, Debug)]
pub struct Trigger(Rc<Cell<Option<u32>>>);

impl Trigger {
    /// Makes the game correct.
    pub fn disarm(&self) {
        self.0.set(None);
    }

    /// Makes the game correct in `states` more states that could break the contract, and broken after that.
    pub fn arm(&self, states: u32) {
        self.0.set(Some(states));
    }

    fn fires(&self) -> bool {
        match self.0.get() {
            None => false,
            Some(0) => true,
            Some(left) => {
                self.0.set(Some(left - 1));
                false
            }
        }
    }
}

impl Broken {
    /// The number of actions in a game.
    pub const LENGTH: u8 = 4;

    /// Returns a game that breaks after `at` actions, once it is armed.
    pub fn new(fault: Fault, at: u8) -> Self {
        Broken { fault, ply: 0, at, trigger: Trigger(Rc::new(Cell::new(None))), broken: false }
    }

    /// Returns the number of actions after which the game breaks.
    pub fn at(&self) -> u8 {
        self.at
    }

    /// Returns the trigger that breaks the game and repairs it.
    pub fn trigger(&self) -> Trigger {
        self.trigger.clone()
    }

    fn is_broken(&self) -> bool {
        self.broken || self.ply == 0 && self.at == 0 && self.trigger.fires()
    }

    fn is_chance(&self) -> bool {
        self.ply == self.at && matches!(self.fault, Fault::Probabilities(_) | Fault::Outcome)
    }
}

impl GameState for Broken {
    type Action = u32;

    fn turn(&self) -> Turn {
        match self.fault {
            Fault::Turn(player) if self.is_broken() => Turn::Player(player),
            Fault::Endless if self.broken => Turn::Player(0),
            _ if self.ply == Self::LENGTH => Turn::Over,
            _ if self.is_chance() => Turn::Chance,
            _ => Turn::Player(self.ply % 2),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u32> {
        match self.fault {
            Fault::NoActions if self.is_broken() => 0..0,
            Fault::Actions(count) if self.is_broken() => 0..count,
            Fault::Index(first) if self.is_broken() => first..first + 2,
            Fault::Endless if self.broken => 0..2,
            _ if self.ply == Self::LENGTH => 0..0,
            _ => 0..2,
        }
    }
    fn apply(&mut self, _: u32) {
        self.ply = (self.ply + 1).min(Self::LENGTH);
        self.broken = self.ply == self.at && self.trigger.fires();
    }
    fn reward(&self, player: Player) -> f64 {
        match self.fault {
            Fault::Reward(reward) if player == 1 && self.is_broken() => reward,
            _ => 0.5,
        }
    }
    fn probability(&self, outcome: u32) -> f64 {
        match self.fault {
            Fault::Probabilities(probabilities) if self.is_broken() => probabilities[outcome as usize],
            _ => 0.5,
        }
    }
    fn random_outcome(&self, rng: &mut Rng) -> Option<u32> {
        if self.fault == Fault::Outcome && self.is_broken() {
            return Some(77);
        }
        let actions = Vec::from_iter(self.actions());
        if let Fault::Probabilities(_) = self.fault
            && self.is_chance()
        {
            // As in the trait: `None` if the probabilities are wrong.
            let probabilities: Vec<f64> = actions.iter().map(|&action| self.probability(action)).collect();
            let sound = probabilities.iter().all(|probability| (0.0..=1.0).contains(probability));
            if !sound || (probabilities.iter().sum::<f64>() - 1.0).abs() > 1e-6 {
                return None;
            }
        }
        actions.get(rng.below(actions.len())).copied()
    }
}

impl ActionIndex for Broken {
    const ACTION_COUNT: usize = 2;
    fn action_index(action: u32) -> usize {
        action as usize
    }
}

impl StaticEvaluation for Broken {
    fn evaluate(&self, player: Player) -> f64 {
        match self.fault {
            Fault::Evaluation(value) if player == 1 && self.is_broken() => value,
            _ => 0.5,
        }
    }
}
