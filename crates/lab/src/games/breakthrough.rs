//! Breakthrough and misère Breakthrough on a board of 5 by 5.

use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Turn};
use std::fmt;

/// The side of the board.
const SIDE: i8 = 5;

const CELLS: usize = (SIDE * SIDE) as usize;

/// A position of Breakthrough, for two players.
///
/// Each player has two rows of pawns. A pawn steps one cell ahead, straight or diagonally, and captures
/// diagonally. A player who reaches the far row, or captures the last pawn, wins; if the game is misère, that
/// player loses. There is always a legal step, because no pawn of its own stands before a player's most
/// advanced one.
///
/// **Source:** Dan Troyka, 2000; on this board: Cazenave, *Playout Policy Adaptation for Games*, 2015.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::Breakthrough;
///
/// let mut game = Breakthrough::new(false);
/// for step in ["7s", "16r"] {
///     let step = game.actions().into_iter().find(|action| action.to_string() == step);
///     game.apply(step.expect("a legal step"));
/// }
/// assert_eq!(game.to_string(), "XXXXX\nXX.XX\n..O..\nO.OOO\nOOOOO\n");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Breakthrough {
    pawns: [Option<Player>; CELLS],
    player: Player,
    is_over: bool,
    is_misere: bool,
}

/// A step of a pawn from a cell to the next row, straight or one column to the side. Its text is the number of
/// the cell, from 0 at the top left, and `l`, `s` or `r`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The number of the cell where the pawn stands.
    pub from: u8,
    /// -1, 0 or 1: how many columns the pawn moves to the right.
    pub aside: i8,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, ["l", "s", "r"][(self.aside + 1) as usize])
    }
}

impl Breakthrough {
    /// Creates the start of a game.
    pub fn new(is_misere: bool) -> Self {
        let rows = 2 * SIDE as usize;
        let owner = |cell: usize| match cell {
            _ if cell < rows => Some(0),
            _ if cell >= CELLS - rows => Some(1),
            _ => None,
        };
        Breakthrough { pawns: std::array::from_fn(owner), player: 0, is_over: false, is_misere }
    }

    /// Returns the player who has won.
    pub fn winner(&self) -> Option<Player> {
        self.is_over.then_some(if self.is_misere { 1 - self.player } else { self.player })
    }

    /// Returns whether the player wins who would lose otherwise.
    pub fn is_misere(&self) -> bool {
        self.is_misere
    }

    /// Returns the number of rows that a pawn on `cell` has advanced.
    fn gone(cell: usize, player: Player) -> i8 {
        let row = cell as i8 / SIDE;
        if player == 0 { row } else { SIDE - 1 - row }
    }

    /// Returns the cell where a step of the player to move ends, or `None` if it is off the board.
    fn end(&self, step: Step) -> Option<usize> {
        let ahead = if self.player == 0 { 1 } else { -1 };
        let (row, column) = (step.from as i8 / SIDE + ahead, step.from as i8 % SIDE + step.aside);
        let is_there = (0..SIDE).contains(&row) && (0..SIDE).contains(&column);
        is_there.then_some((row * SIDE + column) as usize)
    }

    fn may(&self, step: Step) -> bool {
        let fits = |end: usize| match self.pawns[end] {
            None => true,
            Some(owner) => owner != self.player && step.aside != 0,
        };
        !self.is_over
            && self.pawns[usize::from(step.from)] == Some(self.player)
            && self.end(step).is_some_and(fits)
    }
}

impl GameState for Breakthrough {
    type Action = Step;

    fn turn(&self) -> Turn {
        if self.is_over { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Step> {
        let steps = (0..CELLS as u8).flat_map(|from| [-1, 0, 1].map(|aside| Step { from, aside }));
        steps.filter(|&step| self.may(step))
    }

    fn apply(&mut self, step: Step) {
        let Some(end) = self.end(step) else { return };
        self.pawns[usize::from(step.from)] = None;
        self.pawns[end] = Some(self.player);
        let other = 1 - self.player;
        self.is_over = Self::gone(end, self.player) == SIDE - 1 || !self.pawns.contains(&Some(other));
        if !self.is_over {
            self.player = other;
        }
    }

    fn reward(&self, player: Player) -> f64 {
        if self.winner() == Some(player) { 1.0 } else { 0.0 }
    }
}

impl StaticEvaluation for Breakthrough {
    /// Counts the pawns, and how far they have advanced.
    fn evaluate(&self, player: Player) -> f64 {
        let worth = |(cell, owner): (usize, &Option<Player>)| {
            owner.map_or(0.0, |owner| {
                let worth = 1.0 + 0.3 * f64::from(Self::gone(cell, owner));
                if (owner == player) != self.is_misere { worth } else { -worth }
            })
        };
        let lead: f64 = self.pawns.iter().enumerate().map(worth).sum();
        1.0 / (1.0 + libm::exp(-lead / 3.0))
    }
}

impl ActionIndex for Breakthrough {
    const ACTION_COUNT: usize = 3 * CELLS;

    fn action_index(step: Step) -> usize {
        3 * usize::from(step.from) + (step.aside + 1) as usize
    }
}

impl fmt::Display for Breakthrough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.pawns.chunks(SIDE as usize) {
            let letters = row.iter().map(|pawn| pawn.map_or('.', |owner| if owner == 0 { 'X' } else { 'O' }));
            writeln!(f, "{}", String::from_iter(letters))?;
        }
        Ok(())
    }
}
