//! Matrix games: both players choose at the same time, once.

use ramure::{GameState, HiddenInformation, Player, Rng, Turn};
use std::fmt;
use std::sync::Arc;

/// A matrix game of two players: player 0 chooses a row and player 1 a column, at the same time.
///
/// An entry of the matrix is the reward of player 0. Player 1 gets the rest to 1.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::MatrixGame;
///
/// let mut game = MatrixGame::new(&[vec![0.0, 1.0], vec![0.75, 0.25]])?;
/// game.apply(1);
/// game.apply(0);
/// assert_eq!((game.reward(0), game.reward(1)), (0.75, 0.25));
/// # Ok::<(), ramure_lab::games::matrix::MatrixError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct MatrixGame {
    payoffs: Arc<[f64]>,
    columns: u16,
    row: Option<u16>,
    column: Option<u16>,
}

/// The greatest number of rows and of columns.
pub const MOST_CHOICES: usize = 1_000;

/// Why a matrix is not one of a [`MatrixGame`].
#[derive(thiserror::Error, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MatrixError {
    /// There are no rows or no columns, or more than [`MOST_CHOICES`].
    #[error("a matrix of {rows} rows and {columns} columns: both must be 1 to {MOST_CHOICES}")]
    Size {
        /// The number of rows.
        rows: usize,
        /// The number of columns of the first row.
        columns: usize,
    },
    /// A row has another number of columns than the first one.
    #[error("row {row} has {columns} columns, and the first row another number")]
    Ragged {
        /// The row.
        row: usize,
        /// Its number of columns.
        columns: usize,
    },
    /// A payoff is not in [0, 1].
    #[error("the payoff {payoff} in row {row}, column {column} is not in [0, 1]")]
    Payoff {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The payoff.
        payoff: f64,
    },
}

ramure::debug_as_sentence!(MatrixError);

impl MatrixGame {
    /// Creates a game from the rewards of player 0: one row for each of its choices.
    ///
    /// # Errors
    ///
    /// Returns a [`MatrixError`] if there are no choices or too many, if rows differ in length, or if a
    /// payoff is not in [0, 1].
    pub fn new(payoffs: &[Vec<f64>]) -> Result<Self, MatrixError> {
        let (rows, columns) = (payoffs.len(), payoffs.first().map_or(0, Vec::len));
        if !(1..=MOST_CHOICES).contains(&rows) || !(1..=MOST_CHOICES).contains(&columns) {
            return Err(MatrixError::Size { rows, columns });
        }
        for (row, entries) in payoffs.iter().enumerate() {
            if entries.len() != columns {
                return Err(MatrixError::Ragged { row, columns: entries.len() });
            }
            let wrong = entries.iter().enumerate().find(|(_, payoff)| !(0.0..=1.0).contains(*payoff));
            if let Some((column, &payoff)) = wrong {
                return Err(MatrixError::Payoff { row, column, payoff });
            }
        }
        Ok(MatrixGame { payoffs: payoffs.concat().into(), columns: columns as u16, row: None, column: None })
    }

    /// Creates a game whose payoffs are independent and uniform in [0, 1). `seed` fixes them.
    ///
    /// # Errors
    ///
    /// Returns [`MatrixError::Size`] if there are no rows or columns, or more than [`MOST_CHOICES`].
    pub fn random(rows: usize, columns: usize, seed: u64) -> Result<Self, MatrixError> {
        if rows > MOST_CHOICES || columns > MOST_CHOICES {
            return Err(MatrixError::Size { rows, columns });
        }
        let mut rng = Rng::seeded(seed);
        let rows: Vec<Vec<f64>> = (0..rows).map(|_| (0..columns).map(|_| rng.unit()).collect()).collect();
        MatrixGame::new(&rows)
    }

    /// Creates biased rock-paper-scissors. The choices are rock, paper and scissors in this order. Rock beats
    /// scissors by 50, paper beats rock by 25 and scissors beat paper by 5, where 0 is a draw and a reward of
    /// 1/2, and 50 is a reward of 1. In the only equilibrium both play (1/16, 10/16, 5/16).
    ///
    /// **Source:** Shafiei, Sturtevant and Schaeffer, *Comparing UCT versus CFR in simultaneous games*, 2009.
    pub fn biased_rock_paper_scissors() -> Self {
        let wins = [0.0, -25.0, 50.0, 25.0, 0.0, -5.0, -50.0, 5.0, 0.0];
        let payoffs = wins.map(|points| 0.5 + points / 100.0);
        MatrixGame { payoffs: payoffs.into(), columns: 3, row: None, column: None }
    }

    /// Returns the number of rows, which are the choices of player 0.
    pub fn rows(&self) -> usize {
        self.payoffs.len() / self.columns()
    }

    /// Returns the number of columns, which are the choices of player 1.
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// Returns the reward of player 0 if player 0 chooses `row` and player 1 `column`. Returns `None` if the
    /// matrix has no such entry.
    pub fn payoff(&self, row: usize, column: usize) -> Option<f64> {
        let is_inside = row < self.rows() && column < self.columns();
        is_inside.then(|| self.payoffs[row * self.columns() + column])
    }
}

impl GameState for MatrixGame {
    type Action = u16;

    #[inline]
    fn turn(&self) -> Turn {
        match (self.row, self.column) {
            (None, _) => Turn::Player(0),
            (_, None) => Turn::Player(1),
            _ => Turn::Over,
        }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = u16> {
        match self.turn() {
            Turn::Player(0) => 0..self.rows() as u16,
            Turn::Player(_) => 0..self.columns,
            _ => 0..0,
        }
    }

    #[inline]
    fn apply(&mut self, choice: u16) {
        if self.row.is_none() { self.row = Some(choice) } else { self.column = Some(choice) }
    }

    fn reward(&self, player: Player) -> f64 {
        let entry =
            self.row.zip(self.column).and_then(|(row, column)| self.payoff(row.into(), column.into()));
        let of_first = entry.unwrap_or(0.5);
        if player == 0 { of_first } else { 1.0 - of_first }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<u16> {
        match self.turn() {
            Turn::Player(0) => Some(rng.below(self.rows()) as u16),
            Turn::Player(_) => Some(rng.below(self.columns()) as u16),
            _ => None,
        }
    }

    #[inline]
    fn is_simultaneous(&self) -> bool {
        self.turn() != Turn::Over
    }
}

impl HiddenInformation for MatrixGame {
    /// Player 1 has not seen the row when it chooses. Each row is equally likely.
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 1 && self.row.is_some() && self.column.is_none() {
            self.row = Some(rng.below(self.rows()) as u16);
        }
    }
}

impl fmt::Display for MatrixGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, row) in self.payoffs.chunks(self.columns()).enumerate() {
            let is_chosen = self.row.map(usize::from) == Some(number);
            write!(f, "{}", if is_chosen { '>' } else { ' ' })?;
            for (column, payoff) in row.iter().enumerate() {
                let mark = if self.column.map(usize::from) == Some(column) { '<' } else { ' ' };
                write!(f, " {payoff:.3}{mark}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for MatrixGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = (self.rows(), self.columns());
        write!(f, "MatrixGame {rows} x {columns}, row {:?}, column {:?}", self.row, self.column)
    }
}
