//! EinStein würfelt nicht!: a die says which stone moves.

use ramure::{GameState, Player, Rng, Turn};
use std::fmt;

/// An action of EinStein würfelt nicht!.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EinsteinAction {
    /// Chance puts the stone with this number, 1 to 6, on the next cell of a start corner: the six cells of
    /// player 0, then those of player 1.
    Place(u8),
    /// Chance: the die shows this face, 1 to 6.
    Face(u8),
    /// The player moves the stone with this number one cell.
    Move(u8, Direction),
}

/// The direction of a move, always towards the corner of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Along the row: to the right for player 0, to the left for player 1.
    Horizontal,
    /// Along the column: down for player 0, up for player 1.
    Vertical,
    /// One cell along the row and one along the column.
    Diagonal,
}

use EinsteinAction::{Face, Move, Place};

const DIRECTIONS: [Direction; 3] = [Direction::Horizontal, Direction::Vertical, Direction::Diagonal];

/// The place of a stone that was captured or not yet placed.
const NOWHERE: u8 = 25;
/// The corner that a player must reach, counted from that player's own corner.
const GOAL: u8 = 24;
/// The cells on which a player starts, counted from that player's own corner.
const START: [u8; 6] = [0, 1, 2, 5, 6, 10];

/// A position of EinStein würfelt nicht!, for two players.
///
/// The board has five rows of five cells. Each player has six stones, numbered 1 to 6, on the six cells
/// around a corner: player 0 at the top left, player 1 at the bottom right. In each turn, a die says which
/// stone moves. If this stone was captured, the player moves the one with the next lower or the next higher
/// number that is still on the board. Player 0 moves one cell to the right, down, or diagonally down to the
/// right, and player 1 in the opposite directions. A stone on the target cell is captured, also an own one.
/// The first player whose stone reaches the opposite corner wins, and so does a player who captures all
/// stones of the other.
///
/// Chance places the stones, all orders equally likely, as in OpenSpiel. In the original rules, the players
/// place their own stones; use [`placed`](Self::placed) for that.
///
/// **Source:** Ingo Althöfer's game of 2004, with the rules as in Lorentz, *An MCTS Program to Play EinStein
/// Würfelt Nicht!*, 2011.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::Einstein;
/// use ramure_lab::games::einstein::{Direction::Diagonal, EinsteinAction::{Face, Move}};
///
/// let mut game = Einstein::placed([[1, 2, 3, 4, 5, 6]; 2]).expect("each number once");
/// for action in [Face(6), Move(6, Diagonal)] {
///     game.apply(action);
/// }
/// let lines = [
///     " 1  2  3  .  .",
///     " 4  5  .  .  .",
///     " .  .  .  . -6",
///     " .  6  . -5 -4",
///     " .  . -3 -2 -1",
///     "player 1 to roll the die",
/// ];
/// assert_eq!(game.to_string(), lines.join("\n"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Einstein {
    /// The cell of each stone of each player, row by row from that player's own corner, or [`NOWHERE`].
    stones: [[u8; 6]; 2],
    player: Player,
    /// The face of the die, or 0 before the roll.
    face: u8,
    /// The number of stones that chance has yet to place.
    due: u8,
}

impl Default for Einstein {
    fn default() -> Self {
        Einstein::new()
    }
}

impl Einstein {
    /// Creates the empty board. Chance places the stones.
    pub fn new() -> Self {
        Einstein { stones: [[NOWHERE; 6]; 2], player: 0, face: 0, due: 12 }
    }

    /// Creates the start of a game with these stones of each player. The order is row by row from the
    /// player's own corner: rows of three, two and one cells. Returns `None` if a player does not have each
    /// number from 1 to 6 once.
    pub fn placed(numbers: [[u8; 6]; 2]) -> Option<Self> {
        let mut game = Einstein::new();
        for number in numbers.into_iter().flatten() {
            if !game.can_place(number) {
                return None;
            }
            game.apply(Place(number));
        }
        Some(game)
    }

    /// Returns the stone on a cell: its player and its number.
    ///
    /// # Panics
    ///
    /// Panics if `row` or `column` is above 4.
    pub fn cell(&self, row: u8, column: u8) -> Option<(Player, u8)> {
        assert!(row < 5 && column < 5, "the board has five rows and columns");
        let of_first = 5 * row + column;
        [(0, of_first), (1, GOAL - of_first)].into_iter().find_map(|(player, cell)| {
            (1..=6).find(|&number| self.place(player, number) == cell).map(|number| (player, number))
        })
    }

    /// Returns the face of the die; `None` before it is rolled.
    pub fn face(&self) -> Option<u8> {
        (self.face > 0).then_some(self.face)
    }

    /// Returns the player who has won.
    pub fn winner(&self) -> Option<Player> {
        let has_won = |player: &Player| {
            let [own, other] = [*player, 1 - *player].map(|player| &self.stones[usize::from(player)]);
            own.contains(&GOAL) || other.iter().all(|&cell| cell == NOWHERE)
        };
        [0, 1].into_iter().filter(|_| self.due == 0).find(has_won)
    }

    /// The cell of a stone, counted from the player's own corner, or [`NOWHERE`].
    fn place(&self, player: Player, number: u8) -> u8 {
        self.stones[usize::from(player)][usize::from(number) - 1]
    }

    fn can_place(&self, number: u8) -> bool {
        (1..=6).contains(&number) && self.due > 0 && self.place(self.placing(), number) == NOWHERE
    }

    /// The player whose stones are placed now.
    fn placing(&self) -> Player {
        Player::from(self.due <= 6)
    }

    /// The stones that may move: the one with the number of the face, or its neighbours among those on the
    /// board.
    fn movable(&self) -> impl Iterator<Item = u8> + use<> {
        let is_on = |number: &u8| self.place(self.player, *number) != NOWHERE;
        let face = self.face;
        let stones = if self.due > 0 || face == 0 {
            [None, None]
        } else if is_on(&face) {
            [Some(face), None]
        } else {
            [(1..face).rev().find(is_on), (face + 1..=6).find(is_on)]
        };
        stones.into_iter().flatten()
    }

    /// The cell after a move, counted from the player's own corner; `None` if it is not on the board.
    fn target(&self, number: u8, direction: Direction) -> Option<u8> {
        let cell = self.place(self.player, number);
        let (row, column) = (cell / 5, cell % 5);
        let (down, right) = match direction {
            Direction::Horizontal => (0, 1),
            Direction::Vertical => (1, 0),
            Direction::Diagonal => (1, 1),
        };
        (row + down < 5 && column + right < 5).then_some(cell + 5 * down + right)
    }

    fn moves(&self) -> impl Iterator<Item = EinsteinAction> {
        self.movable().flat_map(move |number| {
            let legal = DIRECTIONS.into_iter().filter(move |&to| self.target(number, to).is_some());
            legal.map(move |direction| Move(number, direction))
        })
    }
}

impl GameState for Einstein {
    type Action = EinsteinAction;

    fn turn(&self) -> Turn {
        if self.winner().is_some() {
            Turn::Over
        } else if self.face == 0 {
            Turn::Chance
        } else {
            Turn::Player(self.player)
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = EinsteinAction> {
        let is_roll = self.turn() == Turn::Chance && self.due == 0;
        let places = (1..=6).filter(|&number| self.can_place(number)).map(Place);
        let faces = (1..=6).filter(move |_| is_roll).map(Face);
        places.chain(faces).chain(self.moves())
    }
    fn apply(&mut self, action: EinsteinAction) {
        match action {
            Place(number) => {
                let (player, cell) = (self.placing(), START[usize::from(12 - self.due) % 6]);
                self.stones[usize::from(player)][usize::from(number) - 1] = cell;
                self.due -= 1;
            }
            Face(face) => self.face = face,
            Move(number, direction) => {
                let to = self.target(number, direction).expect("the move is legal");
                let [own, other] = [self.player, 1 - self.player].map(usize::from);
                for (player, cell) in [(own, to), (other, GOAL - to)] {
                    for place in &mut self.stones[player] {
                        *place = if *place == cell { NOWHERE } else { *place };
                    }
                }
                self.stones[own][usize::from(number) - 1] = to;
                (self.player, self.face) = (1 - self.player, 0);
            }
        }
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(self.winner() == Some(player)))
    }
    fn probability(&self, outcome: EinsteinAction) -> f64 {
        match outcome {
            Place(_) => 1.0 / f64::from((self.due - 1) % 6 + 1),
            _ => 1.0 / 6.0,
        }
    }
    fn random_action(&self, rng: &mut Rng) -> Option<EinsteinAction> {
        self.moves().nth(rng.below(self.moves().count()))
    }
    fn random_outcome(&self, rng: &mut Rng) -> Option<EinsteinAction> {
        if self.due == 0 {
            return Some(Face(rng.below(6) as u8 + 1));
        }
        let left = usize::from((self.due - 1) % 6 + 1);
        (1..=6).filter(|&number| self.can_place(number)).nth(rng.below(left)).map(Place)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Horizontal => "horizontal",
            Direction::Vertical => "vertical",
            Direction::Diagonal => "diagonal",
        })
    }
}

impl fmt::Display for EinsteinAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place(number) => write!(f, "place {number}"),
            Face(face) => write!(f, "die {face}"),
            Move(number, direction) => write!(f, "{number} {direction}"),
        }
    }
}

impl fmt::Display for Einstein {
    /// Prints the board, the stones of player 1 with a minus sign, and the turn.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..5 {
            for column in 0..5 {
                let space = if column == 0 { "" } else { " " };
                match self.cell(row, column) {
                    None => write!(f, "{space} .")?,
                    Some((player, number)) => {
                        write!(f, "{space}{}{number}", [' ', '-'][usize::from(player)])?
                    }
                }
            }
            writeln!(f)?;
        }
        match (self.winner(), self.face) {
            (Some(winner), _) => write!(f, "player {winner} has won"),
            (None, 0) if self.due > 0 => write!(f, "{} stones to place", self.due),
            (None, 0) => write!(f, "player {} to roll the die", self.player),
            (None, face) => write!(f, "player {} to move after a {face}", self.player),
        }
    }
}
