//! The game, which you replace with yours: Chomp. Two players bite off a bar of chocolate. A bite takes a piece
//! and all pieces below it and to its right. The player who eats the poisoned piece at the top left loses.

use ramure::Picture;
use ramure::prelude::*;
use std::fmt;

const ROWS: u8 = 5;
const COLUMNS: u8 = 7;

/// A position of Chomp.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chomp {
    /// The number of pieces left in each row.
    left: [u8; ROWS as usize],
    player: Player,
}

/// A bite at a row and a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bite(u8, u8);

impl fmt::Debug for Bite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.1), self.0 + 1)
    }
}

impl Chomp {
    /// Returns the whole bar.
    pub fn new() -> Self {
        Chomp { left: [COLUMNS; ROWS as usize], player: 0 }
    }
}

impl Default for Chomp {
    fn default() -> Self {
        Chomp::new()
    }
}

impl GameState for Chomp {
    type Action = Bite;

    fn turn(&self) -> Turn {
        if self.left[0] == 0 { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Bite> {
        (0..ROWS).zip(self.left).flat_map(|(row, left)| (0..left).map(move |column| Bite(row, column)))
    }

    fn apply(&mut self, Bite(row, column): Bite) {
        for left in &mut self.left[usize::from(row)..] {
            *left = column.min(*left);
        }
        self.player = 1 - self.player;
    }

    fn reward(&self, player: Player) -> f64 {
        // The player to move has not eaten the poison.
        f64::from(player == self.player)
    }
}

impl Picture for Chomp {
    fn picture(&self, _: Option<Bite>) -> String {
        let (width, height) = (40 * u32::from(COLUMNS), 40 * u32::from(ROWS));
        let mut svg =
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n");
        for (row, left) in (0..ROWS).zip(self.left) {
            for column in 0..COLUMNS {
                let (x, y) = (40 * u32::from(column) + 2, 40 * u32::from(row) + 2);
                let fill = if (row, column) == (0, 0) { "#2e7d32" } else { "#8d5524" };
                // The page plays the action that a click on `data-action` names.
                let rest = if column < left {
                    format!("fill=\"{fill}\" class=\"cell\" data-action=\"{:?}\"", Bite(row, column))
                } else {
                    "fill=\"currentColor\" fill-opacity=\"0.06\"".into()
                };
                svg += &format!("<rect x=\"{x}\" y=\"{y}\" width=\"36\" height=\"36\" rx=\"5\" {rest}/>\n");
            }
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
ramure_rules::laws!(mod chomp, super::Chomp::new(); hash, constant_sum = 1.0);
