//! Games of a few lines: one choice, no choice, very many choices.

use super::hashed::unit;
use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Turn};

/// One player, one choice: action `i` brings the reward `worth[i]`.
#[derive(Clone, Debug)]
pub struct OneStep {
    worth: &'static [f64],
    chosen: Option<u16>,
}

impl OneStep {
    /// Returns a choice between these rewards.
    pub const fn new(worth: &'static [f64]) -> Self {
        OneStep { worth, chosen: None }
    }
}

impl GameState for OneStep {
    type Action = u16;

    fn turn(&self) -> Turn {
        if self.chosen.is_some() { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u16> {
        0..if self.chosen.is_some() { 0 } else { self.worth.len() as u16 }
    }
    fn apply(&mut self, action: u16) {
        self.chosen = Some(action);
    }
    fn reward(&self, _: Player) -> f64 {
        self.chosen.map_or(f64::NAN, |action| self.worth[usize::from(action)])
    }
    fn players(&self) -> u8 {
        1
    }
}

/// One player climbs `steps` steps, going left or right on each. Only one way, given by the bits of `way`, is
/// worth 1. Any other way is worth more the later it leaves that way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Climb {
    way: u32,
    steps: u8,
    taken: u8,
    right: u8,
}

impl Climb {
    /// Returns `steps` steps, with the way in the bits of `way`, the lowest bit first.
    pub fn new(steps: u8, way: u32) -> Self {
        Climb { way, steps, taken: 0, right: 0 }
    }
}

impl GameState for Climb {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.taken == self.steps { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.taken == self.steps { 0 } else { 2 }
    }
    fn apply(&mut self, side: u8) {
        if self.right == self.taken && u32::from(side) == self.way >> self.taken & 1 {
            self.right += 1;
        }
        self.taken += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.right) / f64::from(self.steps)
    }
    fn players(&self) -> u8 {
        1
    }
}

impl ActionIndex for Climb {
    const ACTION_COUNT: usize = 2;
    fn action_index(side: u8) -> usize {
        usize::from(side)
    }
}

impl StaticEvaluation for Climb {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}

/// One legal action in every state, `left` times; then a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corridor {
    /// The number of actions left.
    pub left: u32,
}

impl GameState for Corridor {
    type Action = ();

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player((self.left % 2) as Player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = ()> {
        (self.left > 0).then_some(())
    }
    fn apply(&mut self, (): ()) {
        self.left -= 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

/// `width` actions in every state. The first player's first action decides most of the reward, the later
/// actions a little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wide {
    width: u16,
    left: u8,
    key: u64,
    first: Option<u16>,
}

impl Wide {
    /// Returns a game of `length` actions, each chosen from `width`.
    pub fn new(width: u16, length: u8) -> Self {
        Wide { width, left: length, key: 1, first: None }
    }

    /// Returns the best first action, worth .9 or more. All others are worth .5 or less.
    pub fn best(&self) -> u16 {
        self.width / 3 * 2
    }
}

impl GameState for Wide {
    type Action = u16;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.left % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u16> {
        0..if self.left == 0 { 0 } else { self.width }
    }
    fn apply(&mut self, action: u16) {
        self.first.get_or_insert(action);
        self.key = super::hashed::mix(self.key ^ u64::from(action));
        self.left -= 1;
    }
    fn reward(&self, player: Player) -> f64 {
        let base = if self.first == Some(self.best()) { 0.9 } else { 0.4 };
        let worth = base + 0.1 * unit(self.key);
        if player == 1 { worth } else { 1.0 - worth }
    }
}

impl ActionIndex for Wide {
    const ACTION_COUNT: usize = 5000;
    fn action_index(action: u16) -> usize {
        usize::from(action)
    }
}
