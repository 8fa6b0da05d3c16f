//! A dice game: chance nodes whose outcomes are not equally likely.

use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Turn};

/// Pig with a loaded die of four faces and an end: the game is over after a number of turns, or when one
/// player has `GOAL` points, and the player with more points wins. In a turn, the player rolls as often as
/// desired. A one ends the turn and loses the points of that turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Pig {
    /// The points that each player has banked.
    pub banked: [u8; 2],
    /// The points of this turn so far.
    pub pot: u8,
    /// The player who rolls.
    pub player: Player,
    /// The number of turns left, including this one.
    pub turns: u8,
    /// Whether the die is rolling.
    pub rolling: bool,
}

/// The action that ends the turn and banks the pot.
pub const HOLD: u8 = 0;
/// The action that rolls the die. The faces are the outcomes `FACES`.
pub const ROLL: u8 = 1;
/// The outcome of chance for each face: face `f` is `1 + f`.
pub const FACES: core::ops::RangeInclusive<u8> = 2..=5;
/// A player with this many points cannot roll any more.
pub const GOAL: u8 = 12;

const WEIGHTS: [f64; 4] = [0.4, 0.3, 0.2, 0.1];

impl Pig {
    /// Returns the start of a game with `turns` turns.
    pub fn new(turns: u8) -> Self {
        Pig { banked: [0; 2], pot: 0, player: 0, turns, rolling: false }
    }

    fn end_turn(&mut self, brought: u8) {
        self.banked[usize::from(self.player)] += brought;
        (self.pot, self.player, self.turns) = (0, 1 - self.player, self.turns - 1);
    }
}

impl GameState for Pig {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.turns == 0 || self.banked.iter().any(|&points| points >= GOAL) {
            Turn::Over
        } else if self.rolling {
            Turn::Chance
        } else {
            Turn::Player(self.player)
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.turn() {
            Turn::Chance => FACES,
            Turn::Player(player) if self.banked[usize::from(player)] + self.pot < GOAL => HOLD..=ROLL,
            Turn::Player(_) => HOLD..=HOLD,
            #[expect(clippy::reversed_empty_ranges, reason = "no actions")]
            _ => 1..=0,
        }
    }
    fn apply(&mut self, action: u8) {
        match action {
            HOLD => self.end_turn(self.pot),
            ROLL => self.rolling = true,
            face => {
                self.rolling = false;
                if face == *FACES.start() { self.end_turn(0) } else { self.pot += face - ROLL }
            }
        }
    }
    fn reward(&self, player: Player) -> f64 {
        let (mine, yours) = (self.banked[usize::from(player)], self.banked[usize::from(1 - player)]);
        0.5 + 0.5 * f64::from(i8::from(mine > yours) - i8::from(mine < yours))
    }
    fn probability(&self, face: u8) -> f64 {
        WEIGHTS[usize::from(face - FACES.start())]
    }
}

impl ActionIndex for Pig {
    const ACTION_COUNT: usize = 6;
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

impl StaticEvaluation for Pig {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}
