//! Phantom Tic-Tac-Toe: the marks of the other player are hidden.

use super::sets::{draw, members};
use ramure::{GameState, HiddenInformation, Player, Rng, Turn};
use ramure_games::tic_tac_toe::Cell;
use std::fmt;

/// An action of phantom Tic-Tac-Toe.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PhantomAction {
    /// The player tries to mark a cell.
    Try(Cell),
    /// The referee says that the cell was free. It is marked now, and it is the other player's turn.
    Free,
    /// The referee says that the cell is taken. The player tries another one.
    Taken,
}

/// A position of phantom Tic-Tac-Toe.
///
/// The rules are those of Tic-Tac-Toe, but a player does not see the marks of the other one. A player who
/// tries a cell that is taken learns that it is taken, and tries again; the other player does not learn of
/// it. This is the *classical* form, as in the chess variant Kriegspiel. (In the *abrupt* form, the turn is
/// over after the first try.) We chose it because it is the form in the literature on information set search,
/// and the default of OpenSpiel.
///
/// The referee is chance: after each try there is an outcome with probability 1, which the player who tried
/// observes.
///
/// # Guesses
///
/// A guess has the probability that it has if the other player has tried random cells, each time among those
/// that it did not know to be taken. Given what the observer knows, each set of free cells without three in a
/// row is equally likely then.
///
/// **Source:** Auger, *Multiple tree for partially observable Monte-Carlo tree search*, 2011; Lisý, Lanctot
/// and Bowling 2015.
///
/// ```
/// use ramure::GameState;
/// use ramure_lab::games::PhantomTicTacToe;
///
/// let mut game = PhantomTicTacToe::new();
/// for place in [4, 0, 4, 0, 0, 0] {
///     let action = game.actions().into_iter().nth(place).expect("so many actions");
///     game.apply(action); // 5, free, 5, taken, 1, free
/// }
/// assert_eq!(game.to_string(), "O..\n.X.\n...\nX to play");
/// assert_eq!(game.view(0), "...\n.X.\n...");
/// assert_eq!(game.view(1), "O..\n.X.\n...");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PhantomTicTacToe {
    /// The cells of each player.
    marks: [u16; 2],
    /// The cells of the other player that each player has found.
    found: [u16; 2],
    /// For each cell, the number of marks that its owner had made before, in three bits.
    made: u32,
    /// For each cell that was found, the number of marks that its finder had made before, in three bits.
    found_at: u32,
    /// The cell that was tried, until the referee has answered.
    tried: Option<u8>,
    player: Player,
}

const ALL: u16 = 0x1FF;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn has_line(set: u16) -> bool {
    LINES.iter().any(|line| set & line == *line)
}

/// The cell with this number, 0 to 8 in reading order.
fn cell(number: u8) -> Cell {
    Cell::new(number / 3, number % 3).expect("the number of a cell")
}

fn bit(cell: u8) -> u16 {
    1 << cell
}

fn get(numbers: u32, cell: u8) -> u32 {
    numbers >> (3 * cell) & 7
}

fn set(numbers: &mut u32, cell: u8, number: u32) {
    *numbers = *numbers & !(7 << (3 * cell)) | number << (3 * cell);
}

impl PhantomTicTacToe {
    /// Creates the empty board.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the winner; `None` if the game is not over or is a draw.
    pub fn winner(&self) -> Option<Player> {
        // The marks of the player to move did not change since it was that player's turn before.
        (0..2).find(|&player| has_line(self.marks[usize::from(player)]))
    }

    /// Returns the cells that `player` knows, as text in three lines: its own and those of the other player
    /// that it has found.
    pub fn view(&self, player: Player) -> String {
        let own = usize::from(player & 1);
        let mut known = [0; 2];
        (known[own], known[1 - own]) = (self.marks[own], self.found[own]);
        board(known)
    }

    /// Returns the cells of `player`, in the order in which it marked them.
    pub fn marks(&self, player: Player) -> Vec<Cell> {
        let mut cells = Vec::from_iter(members(self.marks.get(usize::from(player)).copied().unwrap_or(0)));
        cells.sort_by_key(|&cell| get(self.made, cell));
        cells.into_iter().map(cell).collect()
    }

    /// Returns the cells of the other player that `player` has found, in reading order.
    pub fn found(&self, player: Player) -> impl Iterator<Item = Cell> {
        members(self.found.get(usize::from(player)).copied().unwrap_or(0)).map(cell)
    }

    /// Returns the cell that `player` has tried, if the referee has not answered yet.
    pub fn tried(&self, player: Player) -> Option<Cell> {
        self.tried.filter(|_| player == self.player).map(cell)
    }

    /// The cells that the player to move does not know to be taken.
    fn open(&self) -> u16 {
        let own = usize::from(self.player);
        ALL & !(self.marks[own] | self.found[own])
    }

    fn taken(&self) -> u16 {
        self.marks[0] | self.marks[1]
    }
}

impl GameState for PhantomTicTacToe {
    type Action = PhantomAction;

    #[inline]
    fn turn(&self) -> Turn {
        if self.tried.is_some() {
            Turn::Chance
        } else if self.taken() == ALL || has_line(self.marks[usize::from(1 - self.player)]) {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = PhantomAction> {
        let answer = self.tried.map(|cell| {
            if self.taken() & bit(cell) == 0 { PhantomAction::Free } else { PhantomAction::Taken }
        });
        let open = if matches!(self.turn(), Turn::Player(_)) { self.open() } else { 0 };
        answer.into_iter().chain(members(open).map(|number| PhantomAction::Try(cell(number))))
    }

    fn apply(&mut self, action: PhantomAction) {
        let own = usize::from(self.player);
        let count = self.marks[own].count_ones();
        match (action, self.tried) {
            (PhantomAction::Try(cell), _) => self.tried = Some(3 * cell.row() + cell.column()),
            (PhantomAction::Free, Some(cell)) => {
                self.marks[own] |= bit(cell);
                set(&mut self.made, cell, count);
                (self.tried, self.player) = (None, 1 - self.player);
            }
            (_, Some(cell)) => {
                self.found[own] |= bit(cell);
                set(&mut self.found_at, cell, count);
                self.tried = None;
            }
            _ => {}
        }
    }

    fn reward(&self, player: Player) -> f64 {
        match self.winner() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == player)),
        }
    }

    fn probability(&self, _: PhantomAction) -> f64 {
        1.0
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<PhantomAction> {
        draw(self.open(), rng).map(|number| PhantomAction::Try(cell(number)))
    }
}

impl PhantomTicTacToe {
    /// Guesses what the other player has found: at each of its turns it tried random cells, until one was
    /// free.
    fn guess_found(&mut self, own: usize, rng: &mut Rng) {
        let other = 1 - own;
        let (mine, theirs, count) = (self.marks[own], self.marks[other], self.marks[other].count_ones());
        let is_their_turn = usize::from(self.player) == other;
        let is_others_try = self.tried.is_some() && is_their_turn;
        let (mut known, mut found_at) = (0_u16, self.found_at);
        for cell in members(ALL & !self.found[own]) {
            set(&mut found_at, cell, 0);
        }
        self.tried = if is_others_try { None } else { self.tried };
        for turn in 0..count + u32::from(is_their_turn) {
            let before = |cell: u8| {
                let made = get(self.made, cell);
                if own == 0 { made <= turn } else { made < turn }
            };
            let there = members(mine).filter(|&cell| before(cell)).fold(0, |set, cell| set | bit(cell));
            let earlier = members(theirs).filter(|&cell| get(self.made, cell) < turn);
            let free = ALL & !there & !earlier.fold(0, |set, cell| set | bit(cell));
            // In the current turn, the number of tries so far is not known, and neither is whether one more
            // is under way.
            if turn == count {
                if is_others_try {
                    self.tried = draw(free | there & !known, rng);
                }
                break;
            }
            while let Some(cell) = draw(free | there & !known, rng) {
                if free & bit(cell) != 0 {
                    break;
                }
                known |= bit(cell);
                set(&mut found_at, cell, turn);
            }
        }
        self.found[other] = known;
        self.found_at = found_at;
    }
}

impl HiddenInformation for PhantomTicTacToe {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        let (own, other) = (usize::from(observer & 1), usize::from(1 - (observer & 1)));
        let (mine, found) = (self.marks[own], self.found[own]);
        if self.turn() == Turn::Over {
            return; // nothing is hidden any more
        }
        let count = self.marks[other].count_ones();
        // A cell that the observer tries now may be taken or not.
        let unknown = ALL & !(mine | found);

        // The marks: those that were found, and any others without three in a row. The real ones are such, so
        // the loop ends.
        let theirs = loop {
            let mut theirs = found;
            while theirs.count_ones() < count {
                match draw(unknown & !theirs, rng) {
                    Some(cell) => theirs |= bit(cell),
                    None => return,
                }
            }
            if !has_line(theirs) {
                break theirs;
            }
        };
        self.marks[other] = theirs;

        // When they were made: before they were found, and otherwise in any order. Player 0 has made one mark
        // more than player 1 when player 1 makes its mark of the same number.
        let latest = |cell: u8| {
            if found & bit(cell) == 0 {
                count - 1
            } else if own == 0 {
                get(self.found_at, cell) - 1
            } else {
                get(self.found_at, cell)
            }
        };
        let (mut free, mut made) = ((1_u16 << count) - 1, self.made);
        for turn in 0..count {
            for cell in members(theirs).filter(|&cell| latest(cell) == turn) {
                // All marks before that must be made until `turn`.
                let Some(place) = draw(free & ((2 << turn) - 1), rng) else { return };
                free &= !(1 << place);
                set(&mut made, cell, place.into());
            }
        }
        for cell in members(unknown & !theirs) {
            set(&mut made, cell, 0);
        }
        self.made = made;

        self.guess_found(own, rng);
    }

    fn observe(&self, action: PhantomAction, observer: Player) -> Option<PhantomAction> {
        (observer == self.player).then_some(action)
    }
}

fn board(marks: [u16; 2]) -> String {
    let mark = |cell: u8| match marks.map(|set| set >> cell & 1) {
        [1, _] => 'X',
        [_, 1] => 'O',
        _ => '.',
    };
    let row = |row: u8| (3 * row..3 * row + 3).map(mark).collect::<String>();
    [0, 1, 2].map(row).join("\n")
}

impl fmt::Display for PhantomAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PhantomAction::Try(cell) => fmt::Display::fmt(cell, f),
            PhantomAction::Free => f.write_str("free"),
            PhantomAction::Taken => f.write_str("taken"),
        }
    }
}

impl fmt::Display for PhantomTicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = ['X', 'O'][usize::from(self.player)];
        writeln!(f, "{}", board(self.marks))?;
        match (self.turn(), self.winner()) {
            (Turn::Over, Some(winner)) => write!(f, "{} has won", ['X', 'O'][usize::from(winner)]),
            (Turn::Over, None) => f.write_str("a draw"),
            (Turn::Chance, _) => write!(f, "{name} has tried a cell"),
            _ => write!(f, "{name} to play"),
        }
    }
}

impl fmt::Debug for PhantomTicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for player in 0..2 {
            let found = members(self.found[usize::from(player)]);
            let found: Vec<_> = found.map(|number| (cell(number), get(self.found_at, number))).collect();
            write!(f, "{} {:?} found {found:?} ", ['X', 'O'][usize::from(player)], self.marks(player))?;
        }
        match self.tried.map(cell) {
            Some(cell) => write!(f, "tries {cell:?}"),
            None => Ok(()),
        }
    }
}
