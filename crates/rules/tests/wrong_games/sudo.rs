//! Sudo Tic-Tac-Toe in both modes: nine boards of nine cells, scanned completely after every mark.

use super::{LINES, Unreadable, mark, owner, owner_of_a_line};
use ramure::{GameState, Player, Rng, Turn};
use ramure_games::sudo_tic_tac_toe::{Cell, Mode};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

mistakes! {
    /// On a free choice, I place the mark of the player who sent the opponent there.
    FreeChoiceMarksForTheOther,
    /// In mode 2, I end the game as soon as one board is finished.
    OverWithTheFirstBoard,
    /// I send to a board that is won, as long as it has free cells.
    SentToAWonBoard,
    /// I send to any board, and forgot that it may have no legal action.
    SentToAClosedBoard,
    /// I send to the board of the last action, instead of the board that its cell names.
    SentToTheSameBoard,
    /// I forgot one diagonal in the table of lines of boards.
    LineOfBoardsForgotten,
    /// A drawn board counts for both players when I look for lines of boards.
    DrawnBoardIsAJoker,
    /// When all boards are closed, the player with more of them wins.
    MoreBoardsWin,
    /// I end the game when all 81 cells are full, also in mode 2, where the boards are closed before.
    OverWhenAllIsFull,
    /// My `Eq` compares the marks, but forgets the next board.
    EqForgetsTheNextBoard,
    /// I print the marks, but forgot the next board.
    TextForgetsTheNextBoard,
    /// I read row 1 as board 1, but it is the first row of boards 1 to 3.
    ReadsRowsAsBoards,
    /// On a free choice, I draw a board and then a cell in it, so a cell in a fuller board comes up more
    /// often.
    RandomDrawsTheBoardFirst,
    /// For speed, I draw any free cell of an open board, and forgot that the board may be prescribed.
    RandomForgetsTheNextBoard,
    /// My quick `is_legal` forgets that the board may be prescribed.
    LegalForgetsTheNextBoard,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Sudo {
    boards: [[Option<Player>; 9]; 9],
    /// The player who has a line in each board.
    owners: [Option<Player>; 9],
    /// The board to play in; any board if this one is closed, and at the start.
    next: Option<u8>,
    player: Player,
    mode: Mode,
    mistake: Mistake,
}

impl Sudo {
    /// Returns the empty boards.
    pub fn new(mode: Mode, mistake: Mistake) -> Self {
        Sudo { boards: [[None; 9]; 9], owners: [None; 9], next: None, player: 0, mode, mistake }
    }

    /// Returns the winner.
    pub fn winner(&self) -> Option<Player> {
        if self.mode == Mode::LocalWin {
            return self.owners.into_iter().flatten().next();
        }
        let lines = if self.mistake == Mistake::LineOfBoardsForgotten { &LINES[..7] } else { &LINES };
        let winner = match self.mistake {
            Mistake::DrawnBoardIsAJoker => (0..2).find(|&player| {
                let good =
                    |board: usize| self.is_closed(board) && self.owners[board].unwrap_or(player) == player;
                LINES.iter().any(|line| line.iter().all(|&board| good(board)))
            }),
            _ => owner_of_a_line(&self.owners, lines),
        };
        if self.mistake == Mistake::MoreBoardsWin && winner.is_none() && self.is_closed_everywhere() {
            let owned = |player| self.owners.iter().filter(|&&owner| owner == Some(player)).count();
            return (owned(0) != owned(1)).then_some(u8::from(owned(0) < owned(1)));
        }
        winner
    }

    fn is_full(&self, board: usize) -> bool {
        self.boards[board].iter().all(Option::is_some)
    }

    fn is_closed(&self, board: usize) -> bool {
        let won = self.mode == Mode::Ultimate && self.owners[board].is_some();
        won && !(self.mistake == Mistake::SentToAWonBoard && self.next == Some(board as u8))
            || self.is_full(board)
    }

    fn is_closed_everywhere(&self) -> bool {
        match self.mistake {
            Mistake::OverWithTheFirstBoard => (0..9).any(|board| self.is_closed(board)),
            Mistake::OverWhenAllIsFull => (0..9).all(|board| self.is_full(board)),
            _ => (0..9).all(|board| self.is_closed(board)),
        }
    }

    fn sends_to(&self, cell: Cell) -> Option<u8> {
        match self.mistake {
            Mistake::SentToTheSameBoard => Some(cell.board()).filter(|&board| !self.is_closed(board.into())),
            Mistake::SentToAWonBoard => Some(cell.cell()).filter(|&board| !self.is_full(board.into())),
            Mistake::SentToAClosedBoard => Some(cell.cell()),
            _ => Some(cell.cell()).filter(|&board| !self.is_closed(board.into())),
        }
    }

    fn mark(&mut self, board: usize, cell: usize, owner: Option<Player>) {
        self.boards[board][cell] = owner;
        self.owners[board] = owner_of_a_line(&self.boards[board], &LINES);
    }

    /// Returns the free cells of the open boards that `in_board` admits.
    fn free(&self, in_board: impl Fn(u8) -> bool) -> impl Iterator<Item = Cell> {
        let boards = (0..9).filter(move |&board| in_board(board) && !self.is_closed(board.into()));
        boards.flat_map(move |board| {
            let free =
                (0..9).filter(move |&cell| self.boards[usize::from(board)][usize::from(cell)].is_none());
            free.filter_map(move |cell| Cell::new(board, cell))
        })
    }

    /// The part that `Eq` and `Hash` use.
    fn key(&self) -> impl Hash + Eq {
        let next = if self.mistake == Mistake::EqForgetsTheNextBoard { None } else { self.next };
        (self.boards, next, self.player, self.mode, self.mistake)
    }
}

impl GameState for Sudo {
    type Action = Cell;

    fn turn(&self) -> Turn {
        if self.winner().is_some() || self.is_closed_everywhere() {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Cell> {
        let running = self.turn() != Turn::Over;
        self.free(move |board| running && self.next.is_none_or(|next| next == board))
    }
    fn apply(&mut self, cell: Cell) {
        let begins = self.boards.as_flattened().iter().all(Option::is_none);
        let chooses = self.next.is_none() && !begins;
        let marked = match self.mistake {
            Mistake::FreeChoiceMarksForTheOther if chooses => 1 - self.player,
            _ => self.player,
        };
        self.mark(cell.board().into(), cell.cell().into(), Some(marked));
        self.next = self.sends_to(cell);
        self.player = 1 - self.player;
    }
    fn reward(&self, player: Player) -> f64 {
        self.winner().map_or(0.5, |winner| f64::from(u8::from(winner == player)))
    }
    fn random_action(&self, rng: &mut Rng) -> Option<Cell> {
        let mut actions = Vec::from_iter(self.actions());
        if self.next.is_none() && self.mistake == Mistake::RandomDrawsTheBoardFirst {
            let mut boards = Vec::from_iter(actions.iter().map(|cell| cell.board()));
            boards.dedup();
            let drawn = *boards.get(rng.below(boards.len()))?;
            actions.retain(|cell| cell.board() == drawn);
        }
        if !actions.is_empty() && self.mistake == Mistake::RandomForgetsTheNextBoard {
            actions = self.free(|_| true).collect();
        }
        actions.get(rng.below(actions.len())).copied()
    }
    fn is_legal(&self, cell: Cell) -> bool {
        if self.mistake == Mistake::LegalForgetsTheNextBoard {
            return self.turn() != Turn::Over && self.free(|_| true).any(|free| free == cell);
        }
        self.actions().into_iter().any(|listed| listed == cell)
    }
}

impl PartialEq for Sudo {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Sudo {}

impl Hash for Sudo {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// Returns the board and the cell in it, from a row and a column of the whole.
fn place(row: usize, column: usize) -> (usize, usize) {
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

impl fmt::Display for Sudo {
    /// The text contains the mode and the variant, so that nothing is lost when it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..9 {
            let cells = (0..9).map(|column| place(row, column));
            writeln!(f, "{}", cells.map(|(board, cell)| mark(self.boards[board][cell])).collect::<String>())?;
        }
        let next = self.next.filter(|_| self.mistake != Mistake::TextForgetsTheNextBoard);
        let next = next.map_or("any".to_owned(), |board| board.to_string());
        let mode = if self.mode == Mode::LocalWin { 1 } else { 2 };
        write!(f, "{} {next} {mode} {}", mark(Some(self.player)), self.mistake as usize)
    }
}

impl FromStr for Sudo {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let (rows, end) = text.rsplit_once('\n').ok_or(Unreadable)?;
        let [player, next, mode, variant] = Vec::from_iter(end.split(' '))[..] else {
            return Err(Unreadable);
        };
        let mode = if mode == "1" { Mode::LocalWin } else { Mode::Ultimate };
        let mut read = Sudo::new(mode, Mistake::numbered(variant.parse().map_err(|_| Unreadable)?));
        read.player = u8::from(player == "O");
        read.next = next.parse().ok();
        for (row, line) in rows.lines().enumerate() {
            for (column, mark) in line.chars().enumerate() {
                let (board, cell) = if read.mistake == Mistake::ReadsRowsAsBoards {
                    (row, column)
                } else {
                    place(row, column)
                };
                read.mark(board, cell, owner(mark)?);
            }
        }
        Ok(read)
    }
}
