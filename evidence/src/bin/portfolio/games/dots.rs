//! Dots and Boxes on three by three boxes. The reward is the share of the boxes, so a game ends with one of
//! ten scores, and a player who closes a box plays again.

use ramure::{ActionIndex, GameState, Player, Turn};

/// A line: the twelve horizontal ones first, row by row, then the twelve vertical ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Line(pub u8);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dots {
    drawn: u32,
    boxes: [u8; 2],
    player: Player,
}

/// The lines around each box.
const AROUND: [u32; 9] = {
    let (mut around, mut number) = ([0; 9], 0);
    while number < 9 {
        let (row, column) = (number / 3, number % 3);
        let left = 12 + 4 * row + column;
        around[number] = 1 << number | 1 << (number + 3) | 1 << left | 1 << (left + 1);
        number += 1;
    }
    around
};

impl Dots {
    /// Returns the start of a game.
    pub fn new() -> Self {
        Dots { drawn: 0, boxes: [0; 2], player: 0 }
    }
}

impl GameState for Dots {
    type Action = Line;

    fn turn(&self) -> Turn {
        if self.drawn == (1 << 24) - 1 { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Line> {
        (0..24).filter(|line| self.drawn >> line & 1 == 0).map(Line)
    }

    fn apply(&mut self, Line(line): Line) {
        let closed = |drawn: u32| AROUND.iter().filter(|&&around| drawn & around == around).count() as u8;
        let before = closed(self.drawn);
        self.drawn |= 1 << line;
        let more = closed(self.drawn) - before;
        self.boxes[usize::from(self.player)] += more;
        if more == 0 {
            self.player = 1 - self.player;
        }
    }

    fn reward(&self, player: Player) -> f64 {
        f64::from(self.boxes[usize::from(player)]) / 9.0
    }
}

impl ActionIndex for Dots {
    const ACTION_COUNT: usize = 24;

    fn action_index(Line(line): Line) -> usize {
        line.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramure_rules::check;
    use std::collections::BTreeSet;

    /// The same game with a set of drawn lines, each named by its two dots.
    #[derive(Clone, Debug)]
    struct Plain {
        drawn: BTreeSet<[(u8, u8); 2]>,
        owners: Vec<((u8, u8), Player)>,
        player: Player,
    }

    fn dots(Line(line): Line) -> [(u8, u8); 2] {
        if line < 12 {
            [(line / 3, line % 3), (line / 3, line % 3 + 1)]
        } else {
            let line = line - 12;
            [(line / 4, line % 4), (line / 4 + 1, line % 4)]
        }
    }

    impl GameState for Plain {
        type Action = Line;

        fn turn(&self) -> Turn {
            if self.owners.len() == 9 { Turn::Over } else { Turn::Player(self.player) }
        }
        fn actions(&self) -> impl IntoIterator<Item = Line> {
            (0..24).map(Line).filter(|&line| !self.drawn.contains(&dots(line))).collect::<Vec<_>>()
        }
        fn apply(&mut self, line: Line) {
            self.drawn.insert(dots(line));
            let mut more = false;
            for row in 0..3 {
                for column in 0..3 {
                    let sides = [
                        [(row, column), (row, column + 1)],
                        [(row + 1, column), (row + 1, column + 1)],
                        [(row, column), (row + 1, column)],
                        [(row, column + 1), (row + 1, column + 1)],
                    ];
                    let is_new = self.owners.iter().all(|owner| owner.0 != (row, column));
                    if is_new && sides.iter().all(|side| self.drawn.contains(side)) {
                        self.owners.push(((row, column), self.player));
                        more = true;
                    }
                }
            }
            if !more {
                self.player = 1 - self.player;
            }
        }
        fn reward(&self, player: Player) -> f64 {
            self.owners.iter().filter(|owner| owner.1 == player).count() as f64 / 9.0
        }
    }

    #[test]
    fn dots_and_boxes_keeps_the_laws_and_equals_its_twin() {
        let twin = Plain { drawn: BTreeSet::new(), owners: Vec::new(), player: 0 };
        check(Dots::new()).indices().constant_sum(1.0).twin(twin).games(200).run().expect("the laws");
    }
}
