//! Games for trainings.

#[path = "../../../../tests/common/nim.rs"]
mod nim;

use nim::Nim;
use ramure::{ActionIndex, GameState, Player, Turn};
use ramure_nets::{Planes, Shape};

/// Two players take one, two or three of these sticks in turn. The player who takes the last one wins.
pub fn sticks(sticks: u8) -> Nim<2> {
    Nim { sticks, player: 0 }
}

impl Planes for Nim<2> {
    fn shape(&self) -> Shape {
        Shape::Features(13)
    }
    fn write(&self, input: &mut [f32]) {
        input[usize::from(self.sticks) - 1] = 1.0;
    }
    fn policy_size(&self) -> usize {
        3
    }
    fn policy_index(&self, taken: u8) -> usize {
        usize::from(taken) - 1
    }
}

/// Any number of players take one or two sticks in turn; chance may take another one. The player who takes
/// the last one wins.
#[derive(Clone, Debug)]
pub struct Pile {
    pub left: u8,
    pub player: Player,
    pub players: u8,
}

impl GameState for Pile {
    type Action = u8;
    fn turn(&self) -> Turn {
        match self.left {
            0 => Turn::Over,
            4 => Turn::Chance,
            _ => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=self.left.min(2)
    }
    fn apply(&mut self, taken: u8) {
        if self.left != 4 {
            self.player = (self.player + 1) % self.players;
        }
        self.left -= taken;
    }
    fn reward(&self, player: Player) -> f64 {
        if (player + 1) % self.players == self.player { 1.0 } else { 0.0 }
    }
    fn players(&self) -> u8 {
        self.players
    }
}

impl ActionIndex for Pile {
    const ACTION_COUNT: usize = 2;
    fn action_index(taken: u8) -> usize {
        usize::from(taken) - 1
    }
}

impl Planes for Pile {
    fn shape(&self) -> Shape {
        Shape::Features(7)
    }
    fn write(&self, input: &mut [f32]) {
        input[usize::from(self.left) - 1] = 1.0;
    }
}

/// A game that breaks what a training needs.
#[derive(Clone, Debug)]
pub struct Odd {
    pub kind: Kind,
    pub actions: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Both players win.
    TwoWinners,
    /// The game does not end.
    Endless,
    /// Both players move at once.
    Simultaneous,
    /// A reward is above 1.
    HighReward,
    /// The network would see infinity.
    Infinite,
    /// An action has no column.
    NoColumn,
    /// The game is over before it begins.
    Over,
}

impl GameState for Odd {
    type Action = u8;
    fn turn(&self) -> Turn {
        let is_over = match self.kind {
            Kind::Endless => false,
            Kind::Over => true,
            _ => self.actions == 2,
        };
        if is_over { Turn::Over } else { Turn::Player(self.actions % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..2
    }
    fn apply(&mut self, _: u8) {
        self.actions = if self.kind == Kind::Endless { 1 - self.actions } else { self.actions + 1 };
    }
    fn reward(&self, player: Player) -> f64 {
        match self.kind {
            Kind::TwoWinners => 1.0,
            Kind::HighReward => 1.5,
            _ => f64::from(player),
        }
    }
    fn is_simultaneous(&self) -> bool {
        self.kind == Kind::Simultaneous
    }
}

impl ActionIndex for Odd {
    const ACTION_COUNT: usize = 2;
    fn action_index(action: u8) -> usize {
        action.into()
    }
}

impl Planes for Odd {
    fn shape(&self) -> Shape {
        Shape::Features(1)
    }
    fn write(&self, input: &mut [f32]) {
        input[0] = if self.kind == Kind::Infinite { f32::INFINITY } else { self.actions.into() };
    }
    fn policy_index(&self, action: u8) -> usize {
        usize::from(action) + if self.kind == Kind::NoColumn { 1 } else { 0 }
    }
}
