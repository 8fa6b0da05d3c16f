//! Pig: roll a die as often as you dare.

use ramure::{GameState, Player, Turn};
use std::fmt;

/// An action of Pig.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PigAction {
    /// The player ends the turn and keeps its points.
    Hold,
    /// The player rolls the die.
    Roll,
    /// Chance: the die shows this face, 1 to 6.
    Face(u8),
}

/// A position of Pig, for two players.
///
/// In a turn, a player rolls a die as often as desired. A one ends the turn, and its points are lost. Any
/// other face adds to the points of the turn. A player who holds keeps these points. The first player whose
/// points, with those of the turn, reach the goal wins. Each turn begins with a roll.
///
/// With a goal of 100 and best play, player 0 wins with a probability of 0.5306.
///
/// **Source:** Neller and Presser, *Optimal Play of the Dice Game Pig*, 2004.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::Pig;
/// use ramure_lab::games::pig::PigAction::{Face, Hold, Roll};
///
/// let mut game = Pig::new(100);
/// for action in [Roll, Face(6), Roll, Face(3), Hold, Roll, Face(1)] {
///     game.apply(action);
/// }
/// assert_eq!(game.to_string(), "9 : 0, player 0 to roll with 0 points in this turn");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pig {
    points: [u16; 2],
    turn_points: u16,
    goal: u16,
    player: Player,
    is_rolling: bool,
}

impl Pig {
    /// Creates the start of a game to `goal` points.
    pub fn new(goal: u16) -> Self {
        Pig { points: [0; 2], turn_points: 0, goal, player: 0, is_rolling: false }
    }

    /// Creates a game in which `player` has `turn_points` points in this turn, on top of what both players
    /// have.
    pub fn at(goal: u16, points: [u16; 2], turn_points: u16, player: Player) -> Self {
        Pig { points, turn_points, goal, player, is_rolling: false }
    }

    /// Returns the points of `player`, without those of this turn.
    pub fn points(&self, player: Player) -> u16 {
        self.points[usize::from(player)]
    }

    /// Returns the points of this turn.
    pub fn turn_points(&self) -> u16 {
        self.turn_points
    }

    /// Returns the player who has won.
    pub fn winner(&self) -> Option<Player> {
        let reached = |player: &Player| {
            let turn_points = if *player == self.player { self.turn_points } else { 0 };
            self.points(*player) + turn_points >= self.goal
        };
        [0, 1].into_iter().find(reached)
    }

    fn end_turn(&mut self, points: u16) {
        self.points[usize::from(self.player)] += points;
        (self.turn_points, self.player) = (0, 1 - self.player);
    }
}

impl GameState for Pig {
    type Action = PigAction;

    fn turn(&self) -> Turn {
        match self.winner() {
            Some(_) => Turn::Over,
            None if self.is_rolling => Turn::Chance,
            None => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = PigAction> {
        let (choices, faces): (&[PigAction], u8) = match self.turn() {
            Turn::Chance => (&[], 6),
            Turn::Player(_) if self.turn_points == 0 => (&[PigAction::Roll], 0),
            Turn::Player(_) => (&[PigAction::Hold, PigAction::Roll], 0),
            _ => (&[], 0),
        };
        choices.iter().copied().chain((1..=faces).map(PigAction::Face))
    }
    fn apply(&mut self, action: PigAction) {
        match action {
            PigAction::Hold => self.end_turn(self.turn_points),
            PigAction::Roll => self.is_rolling = true,
            PigAction::Face(face) => {
                self.is_rolling = false;
                if face == 1 { self.end_turn(0) } else { self.turn_points += u16::from(face) }
            }
        }
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.winner() == Some(player)))
    }
}

impl fmt::Display for Pig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([first, second], points) = (self.points, self.turn_points);
        write!(f, "{first} : {second}, ")?;
        match self.winner() {
            Some(winner) => write!(f, "player {winner} has won"),
            None => write!(f, "player {} to roll with {points} points in this turn", self.player),
        }
    }
}
