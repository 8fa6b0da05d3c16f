//! Connect 4 on bitboards: a column has seven bits, and the highest stays empty.

use ramure::{GameState, Player, Rng, Symmetric, Turn};
use ramure_games::connect4::Column;
use std::hash::{Hash, Hasher};

mistakes! {
    /// I gave a column six bits, because it has six cells. So a line that leaves it at the top continues in
    /// the next column.
    WrapsAround,
    /// I look along the rows and both diagonals, but forgot the columns.
    VerticalForgotten,
    /// I look only for the rising diagonal.
    DiagonalForgotten,
    /// I shift the pairs by one step instead of two, so that three stones make a line.
    ThreeSuffice,
    /// I check for a full board before I check for lines, so a line with the last stone is a draw.
    LastStoneIsADraw,
    /// I compare the height of a column with the number of its highest row, not with the number of rows.
    FullARowTooEarly,
    /// I list all seven columns, full or not.
    FullColumnsListed,
    /// My quick `is_legal` checks that the game is running, but forgets that the column may be full.
    LegalForgetsFullColumns,
    /// For speed, I draw any column, and take the next free one to its right.
    RandomTakesTheNextFree,
    /// For speed, I draw any column, and forgot that it may be full.
    RandomDrawsFullColumns,
    /// I return 1 for a win, and overlooked that the method names the player whose reward it wants.
    RewardForAnyWin,
    /// I give the 1 to the player to move, but the player who made the line moved before.
    RewardToThePlayerToMove,
    /// A quick win should be worth more than a slow one, but I got the sign wrong.
    SlowWinsAreWorthMore,
    /// I count the stones from one, so player 1 starts.
    SecondPlayerBegins,
    /// My `Hash` is derived and includes the last column; my `Eq` compares the stones.
    HashSeesTheLastColumn,
    /// I mirror the board, but forgot the column of the action.
    MirrorForgetsTheAction,
}

const ROWS: u32 = 6;
const COLUMNS: u8 = 7;

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Connect4 {
    stones: [u64; 2],
    played: u8,
    /// The last column, for the display.
    last: Option<Column>,
    mistake: Mistake,
}

impl Connect4 {
    /// Returns the empty board.
    pub fn new(mistake: Mistake) -> Self {
        Connect4 { stones: [0; 2], played: 0, last: None, mistake }
    }

    /// Returns the player with four in a row.
    pub fn winner(&self) -> Option<Player> {
        if self.mistake == Mistake::LastStoneIsADraw && self.played == 42 {
            return None;
        }
        (0..2).find(|&player| self.has_line(self.stones[usize::from(player)]))
    }

    /// Returns the number of bits of a column.
    fn bits(&self) -> u32 {
        if self.mistake == Mistake::WrapsAround { ROWS } else { ROWS + 1 }
    }

    fn has_line(&self, stones: u64) -> bool {
        let [right, up, falling, rising] = [self.bits(), 1, self.bits() - 1, self.bits() + 1];
        let directions = match self.mistake {
            Mistake::VerticalForgotten => vec![right, falling, rising],
            Mistake::DiagonalForgotten => vec![right, up, rising],
            _ => vec![right, up, falling, rising],
        };
        let steps = if self.mistake == Mistake::ThreeSuffice { 1 } else { 2 };
        directions.into_iter().any(|direction| {
            let pairs = stones & stones >> direction;
            pairs & pairs >> (steps * direction) != 0
        })
    }

    fn player(&self) -> Player {
        let first = u8::from(self.mistake == Mistake::SecondPlayerBegins);
        (self.played + first) % 2
    }

    fn height(&self, column: u8) -> u32 {
        let column =
            (self.stones[0] | self.stones[1]) >> (u32::from(column) * self.bits()) & ((1 << self.bits()) - 1);
        column.count_ones()
    }

    fn is_free(&self, column: u8) -> bool {
        self.height(column) < if self.mistake == Mistake::FullARowTooEarly { ROWS - 1 } else { ROWS }
    }
}

impl GameState for Connect4 {
    type Action = Column;

    fn turn(&self) -> Turn {
        if self.winner().is_some() || self.played == 42 { Turn::Over } else { Turn::Player(self.player()) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Column> {
        let running = self.turn() != Turn::Over;
        let all = self.mistake == Mistake::FullColumnsListed;
        (0..COLUMNS).filter(move |&column| running && (all || self.is_free(column))).filter_map(Column::new)
    }
    fn apply(&mut self, column: Column) {
        let bit = u32::from(column.number()) * self.bits() + self.height(column.number());
        self.stones[usize::from(self.player())] |= 1 << bit;
        self.played += 1;
        self.last = Some(column);
    }
    fn reward(&self, player: Player) -> f64 {
        let wins = |wins: bool| f64::from(u8::from(wins));
        match (self.winner(), self.mistake) {
            (None, _) => 0.5,
            (Some(_), Mistake::RewardForAnyWin) => 1.0,
            (Some(_), Mistake::RewardToThePlayerToMove) => wins(self.player() == player),
            (Some(winner), Mistake::SlowWinsAreWorthMore) => {
                let slow = f64::from(self.played) / 42.0;
                if winner == player { 0.5 + 0.5 * slow } else { 0.5 - 0.5 * slow }
            }
            (Some(winner), _) => wins(winner == player),
        }
    }
    fn random_action(&self, rng: &mut Rng) -> Option<Column> {
        let free = Vec::from_iter(self.actions());
        if free.is_empty() {
            return None;
        }
        let drawn = rng.below(usize::from(COLUMNS)) as u8;
        match self.mistake {
            Mistake::RandomTakesTheNextFree => {
                let mut to_the_right = (drawn..drawn + COLUMNS).map(|column| column % COLUMNS);
                to_the_right.find(|&column| self.is_free(column)).and_then(Column::new)
            }
            Mistake::RandomDrawsFullColumns => Column::new(drawn),
            _ => free.get(rng.below(free.len())).copied(),
        }
    }
    fn is_legal(&self, column: Column) -> bool {
        if self.mistake == Mistake::LegalForgetsFullColumns {
            return self.turn() != Turn::Over;
        }
        self.actions().into_iter().any(|listed| listed == column)
    }
}

impl Symmetric for Connect4 {
    const SYMMETRIES: usize = 1;

    fn transformed(&self, _: usize) -> Self {
        let column = (1 << self.bits()) - 1;
        let mirrored = |stones: u64| {
            let columns = (0..7).map(|i| (stones >> (i * self.bits()) & column) << ((6 - i) * self.bits()));
            columns.fold(0, |all, column| all | column)
        };
        Connect4 { stones: self.stones.map(mirrored), ..*self }
    }
    fn transformed_action(&self, column: Column, _: usize) -> Column {
        if self.mistake == Mistake::MirrorForgetsTheAction {
            return column;
        }
        Column::new(6 - column.number()).expect("on the board")
    }
}

impl PartialEq for Connect4 {
    fn eq(&self, other: &Self) -> bool {
        (self.stones, self.mistake) == (other.stones, other.mistake)
    }
}

impl Eq for Connect4 {}

impl Hash for Connect4 {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stones.hash(state);
        if self.mistake == Mistake::HashSeesTheLastColumn {
            self.last.hash(state);
        }
    }
}
