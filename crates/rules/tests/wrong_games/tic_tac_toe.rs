//! Tic-Tac-Toe: nine cells in an array, scanned completely after every mark.

use super::{LINES, Unreadable, mark, owner, owner_of_a_line};
use ramure::{GameState, Player, Rng, StaticEvaluation, Symmetric, Turn};
use ramure_games::tic_tac_toe::Cell;
use std::fmt;
use std::str::FromStr;

mistakes! {
    /// I forgot the second diagonal in the table of lines.
    DiagonalForgotten,
    /// I mistyped a line: cells 2, 5 and 9 instead of 2, 5 and 8.
    LineMistyped,
    /// After the mark, I pass the turn on and then check whether the player to move has a line.
    LooksForALineOfTheNextPlayer,
    /// I only check for lines: a full board without a line is not over.
    FullBoardRunsOn,
    /// I check whether the player has won, and if not, return 0, also for a draw.
    DrawIsALoss,
    /// A loss is worth -1, as in the textbook.
    LossIsMinusOne,
    /// `FromStr` reads the rows from the bottom to the top, as in Connect 4.
    ReadsUpsideDown,
    /// I add a quarter for each open line and subtract one for each of the opponent's, but forgot to stop at
    /// 0 and 1.
    EvaluationUnbounded,
    /// I turn the board clockwise, but the action counterclockwise.
    ActionsTurnBack,
    /// For speed, I draw from a list of the free cells, whose order depends on the order of play.
    DrawsInTheOrderOfPlay,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    cells: [Option<Player>; 9],
    player: Player,
    mistake: Mistake,
    list: List,
}

/// The free cells, the last of which takes the place of one that is marked. Equality ignores it.
#[derive(Clone, Copy, Debug)]
struct List {
    cells: [u8; 9],
    left: usize,
}

impl List {
    fn of(cells: &[Option<Player>; 9]) -> Self {
        let mut list = List { cells: [0; 9], left: 0 };
        for cell in (0..9).filter(|&cell| cells[usize::from(cell)].is_none()) {
            list.cells[list.left] = cell;
            list.left += 1;
        }
        list
    }
}

impl PartialEq for List {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for List {}

impl std::hash::Hash for List {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl TicTacToe {
    /// Returns the empty board.
    pub fn new(mistake: Mistake) -> Self {
        TicTacToe { cells: [None; 9], player: 0, mistake, list: List::of(&[None; 9]) }
    }

    /// Returns the player who has a line.
    pub fn winner(&self) -> Option<Player> {
        let mut lines = LINES;
        let lines = match self.mistake {
            Mistake::DiagonalForgotten => &lines[..7],
            Mistake::LineMistyped => {
                lines[4][2] = 8;
                &lines
            }
            _ => &lines[..],
        };
        let winner = owner_of_a_line(&self.cells, lines);
        if self.mistake == Mistake::LooksForALineOfTheNextPlayer {
            return winner.filter(|&winner| winner == self.player);
        }
        winner
    }

    fn is_full(&self) -> bool {
        self.mistake != Mistake::FullBoardRunsOn && self.cells.iter().all(Option::is_some)
    }

    /// Returns the lines in which only this player can still make three.
    fn open_lines(&self, player: Player) -> f64 {
        let open = |line: &&[usize; 3]| line.iter().all(|&i| self.cells[i] != Some(1 - player));
        LINES.iter().filter(open).count() as f64
    }
}

fn index(cell: Cell) -> usize {
    usize::from(3 * cell.row() + cell.column())
}

impl GameState for TicTacToe {
    type Action = Cell;

    fn turn(&self) -> Turn {
        if self.winner().is_some() || self.is_full() { Turn::Over } else { Turn::Player(self.player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Cell> {
        let free = (0..9u8).filter(move |&i| self.cells[usize::from(i)].is_none());
        free.filter_map(|i| Cell::new(i / 3, i % 3))
    }
    fn random_action(&self, rng: &mut Rng) -> Option<Cell> {
        let mut actions = Vec::from_iter(self.actions());
        if self.mistake == Mistake::DrawsInTheOrderOfPlay && self.turn() != Turn::Over {
            let free = self.list.cells[..self.list.left].iter();
            actions = free.filter_map(|&cell| Cell::new(cell / 3, cell % 3)).collect();
        }
        actions.get(rng.below(actions.len())).copied()
    }
    fn apply(&mut self, cell: Cell) {
        if let Some(place) =
            self.list.cells[..self.list.left].iter().position(|&free| usize::from(free) == index(cell))
        {
            self.list.left -= 1;
            self.list.cells[place] = self.list.cells[self.list.left];
        }
        self.cells[index(cell)] = Some(self.player);
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        match self.winner() {
            Some(winner) if winner == player => 1.0,
            None if self.mistake != Mistake::DrawIsALoss => 0.5,
            Some(_) if self.mistake == Mistake::LossIsMinusOne => -1.0,
            _ => 0.0,
        }
    }
    fn is_legal(&self, cell: Cell) -> bool {
        self.cells[index(cell)].is_none()
    }
}

/// Returns the place of a cell if the board is turned clockwise `times` times, and then mirrored if `times`
/// is four or more.
fn turned(cell: usize, times: usize) -> usize {
    let (row, column) = (0..times % 4).fold((cell / 3, cell % 3), |(row, column), _| (column, 2 - row));
    3 * row + if times < 4 { column } else { 2 - column }
}

impl Symmetric for TicTacToe {
    const SYMMETRIES: usize = 7;

    fn transformed(&self, symmetry: usize) -> Self {
        let mut next = *self;
        for (cell, &mark) in self.cells.iter().enumerate() {
            next.cells[turned(cell, symmetry + 1)] = mark;
        }
        next.list = List::of(&next.cells);
        next
    }
    fn transformed_action(&self, cell: Cell, symmetry: usize) -> Cell {
        let times = match symmetry + 1 {
            times @ 1..4 if self.mistake == Mistake::ActionsTurnBack => 4 - times,
            times => times,
        };
        let to = turned(index(cell), times) as u8;
        Cell::new(to / 3, to % 3).expect("on the board")
    }
}

impl StaticEvaluation for TicTacToe {
    fn evaluate(&self, player: Player) -> f64 {
        let ahead = self.open_lines(player) - self.open_lines(1 - player);
        let worth = 0.5 + 0.25 * ahead;
        if self.mistake == Mistake::EvaluationUnbounded { worth } else { worth.clamp(0.0, 1.0) }
    }
}

impl fmt::Display for TicTacToe {
    /// The text contains the variant, so that nothing is lost when it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(3) {
            writeln!(f, "{}", row.iter().map(|&cell| mark(cell)).collect::<String>())?;
        }
        write!(f, "{} to move, variant {}", mark(Some(self.player)), self.mistake as usize)
    }
}

impl FromStr for TicTacToe {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let (rows, end) = text.rsplit_once('\n').ok_or(Unreadable)?;
        let (player, variant) = end.split_once(" to move, variant ").ok_or(Unreadable)?;
        let player = player.parse().ok().and_then(|mark| owner(mark).ok()?).ok_or(Unreadable)?;
        let mut read = TicTacToe::new(Mistake::numbered(variant.parse().map_err(|_| Unreadable)?));
        read.player = player;
        let mut rows = Vec::from_iter(rows.lines());
        if read.mistake == Mistake::ReadsUpsideDown {
            rows.reverse();
        }
        for (cell, mark) in read.cells.iter_mut().zip(rows.concat().chars()) {
            *cell = owner(mark)?;
        }
        read.list = List::of(&read.cells);
        Ok(read)
    }
}
