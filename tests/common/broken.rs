//! A game that breaks one of its promises, from a certain moment on, until it is mended.

use ramure::{ActionIndex, GameState, Player, Rng, StaticEvaluation, Turn};
use std::cell::Cell;
use std::rc::Rc;

/// Two actions in each of four states, then a draw; broken in one way or not at all.
#[derive(Clone, Debug)]
pub struct Broken {
    fault: Fault,
    /// How many actions were played.
    ply: u8,
    /// After how many the promise is broken.
    at: u8,
    trigger: Trigger,
    /// Whether it is broken in this very state, decided when the state is reached.
    broken: bool,
}

/// Which promise is broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// A running game without actions.
    NoActions,
    /// So many actions.
    Actions(u32),
    /// Actions whose index is this and more.
    Index(u32),
    /// It is the turn of this player.
    Turn(Player),
    /// This reward for player 1.
    Reward(f64),
    /// This evaluation for player 1.
    Evaluation(f64),
    /// A chance node with these weights.
    Weights([f64; 2]),
    /// A chance node where `random_action` draws something else.
    Outcome,
    /// The game goes on for ever.
    Endless,
}

/// Counts down to the moment from which on the promise is broken, in states that could break it; shared by all clones of a
/// game.
#[derive(Clone, Debug)]
pub struct Trigger(Rc<Cell<Option<u32>>>);

impl Trigger {
    /// The game behaves.
    pub fn disarm(&self) {
        self.0.set(None);
    }

    /// The game behaves in so many more of the states that matter.
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
    /// How long it is.
    pub const LENGTH: u8 = 4;

    /// Breaks after `at` actions, once it is armed.
    pub fn new(fault: Fault, at: u8) -> Self {
        Broken { fault, ply: 0, at, trigger: Trigger(Rc::new(Cell::new(None))), broken: false }
    }

    /// After how many actions it breaks.
    pub fn at(&self) -> u8 {
        self.at
    }

    /// What breaks and mends it.
    pub fn trigger(&self) -> Trigger {
        self.trigger.clone()
    }

    fn is_broken(&self) -> bool {
        self.broken || self.ply == 0 && self.at == 0 && self.trigger.fires()
    }

    fn is_chance(&self) -> bool {
        self.ply == self.at && matches!(self.fault, Fault::Weights(_) | Fault::Outcome)
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
    fn weight(&self, outcome: u32) -> f64 {
        match self.fault {
            Fault::Weights(weights) if self.is_broken() => weights[outcome as usize],
            _ => 0.5,
        }
    }
    fn random_action(&self, rng: &mut Rng) -> Option<u32> {
        if self.fault == Fault::Outcome && self.is_broken() {
            return Some(77);
        }
        let actions = Vec::from_iter(self.actions());
        if let Fault::Weights(_) = self.fault
            && self.is_chance()
        {
            // As the trait's own: nothing if the weights are no probabilities.
            let weights: Vec<f64> = actions.iter().map(|&action| self.weight(action)).collect();
            let sound = weights.iter().all(|weight| (0.0..=1.0).contains(weight));
            if !sound || (weights.iter().sum::<f64>() - 1.0).abs() > 1e-6 {
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
