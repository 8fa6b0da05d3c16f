//! Games with typical mistakes, each at one place in the code. They test that the rules kit catches these
//! mistakes. The games without a mistake (`Mistake::None`) test that it reports nothing else.
//!
//! A game in this folder is complete by itself, and shares no rule with the games of the crate.

#![allow(dead_code, reason = "no test file uses all of it")]

/// The mistakes of one game, each in the words of an author who admits it.
macro_rules! mistakes {
    ($($(#[$confession:meta])+ $mistake:ident,)+) => {
        /// The mistake of the game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Mistake {
            /// No mistake.
            None,
            $($(#[$confession])+ $mistake,)+
        }

        impl Mistake {
            /// All mistakes, in the order of their numbers, which start with 1.
            pub const ALL: &[Mistake] = &[$(Mistake::$mistake),+];

            /// Returns the mistake with this number, or `None` for 0 and for numbers without a mistake.
            pub const fn numbered(number: usize) -> Self {
                if number == 0 || number > Self::ALL.len() { Mistake::None } else { Self::ALL[number - 1] }
            }
        }
    };
}

pub mod chomp;
pub mod connect4;
pub mod hex;
pub mod knapsack;
pub mod nim;
pub mod pig;
pub mod sticks;
pub mod sudo;
pub mod tic_tac_toe;

use ramure::Player;

/// The lines of three by three cells.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Returns the player who owns all cells of one of the lines.
fn owner_of_a_line(cells: &[Option<Player>; 9], lines: &[[usize; 3]]) -> Option<Player> {
    let line = lines
        .iter()
        .find(|line| cells[line[0]].is_some() && line.iter().all(|&i| cells[i] == cells[line[0]]));
    line.and_then(|line| cells[line[0]])
}

/// A text that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("this is not a position")
    }
}

impl std::error::Error for Unreadable {}

/// `.`, `X` or `O`.
fn mark(cell: Option<Player>) -> char {
    cell.map_or('.', |player| if player == 0 { 'X' } else { 'O' })
}

/// Returns the player of a mark.
fn owner(mark: char) -> Result<Option<Player>, Unreadable> {
    match mark {
        '.' => Ok(None),
        'X' => Ok(Some(0)),
        'O' => Ok(Some(1)),
        _ => Err(Unreadable),
    }
}
