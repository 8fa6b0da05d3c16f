//! Tic-Tac-Toe, with turns of one mark or of two.

use ramure::{ActionIndex, GameState, Player, StaticEvaluation, Turn};

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Three in a row on three by three cells. With `TWICE`, the order of the marks is X OO XX OO XX.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rows<const TWICE: bool> {
    marks: [u16; 2],
}

/// Each player marks one cell a turn.
pub type TicTacToe = Rows<false>;
/// After the first mark, each player marks two cells per turn, so a player acts twice in a row.
pub type TwiceRunning = Rows<true>;

impl<const TWICE: bool> Rows<TWICE> {
    /// Reads a picture of the nine cells, `X`, `O` or `.`, in reading order. Skips all other characters.
    pub fn picture(picture: &str) -> Self {
        let mut marks = [0; 2];
        for (cell, mark) in picture.chars().filter(|mark| "XO.".contains(*mark)).enumerate() {
            match mark {
                'X' => marks[0] |= 1 << cell,
                'O' => marks[1] |= 1 << cell,
                _ => {}
            }
        }
        Rows { marks }
    }

    fn taken(&self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    fn mover(&self) -> Player {
        let count = self.taken().count_ones();
        (if TWICE { count.div_ceil(2) } else { count } % 2) as Player
    }

    fn has_row(&self, player: Player) -> bool {
        LINES.iter().any(|line| self.marks[usize::from(player)] & line == *line)
    }
}

impl<const TWICE: bool> GameState for Rows<TWICE> {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.has_row(0) || self.has_row(1) || self.taken() == 0o777 {
            Turn::Over
        } else {
            Turn::Player(self.mover())
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let (over, taken) = (self.turn() == Turn::Over, self.taken());
        (0..9).filter(move |cell| !over && taken >> cell & 1 == 0)
    }
    fn apply(&mut self, cell: u8) {
        self.marks[usize::from(self.mover())] |= 1 << cell;
    }
    fn reward(&self, player: Player) -> f64 {
        match (self.has_row(player), self.has_row(1 - player)) {
            (true, _) => 1.0,
            (_, true) => 0.0,
            _ => 0.5,
        }
    }
}

impl<const TWICE: bool> ActionIndex for Rows<TWICE> {
    const ACTION_COUNT: usize = 9;
    fn action_index(cell: u8) -> usize {
        usize::from(cell)
    }
}

impl<const TWICE: bool> StaticEvaluation for Rows<TWICE> {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}
