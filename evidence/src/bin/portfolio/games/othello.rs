//! Othello on a board of 6x6 or 8x8.

use super::result;
use ramure::{ActionIndex, GameState, Player, Turn};

/// A cell, in rows of eight also on the smaller board, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    On(u8),
    Pass,
}

/// The player to move places a disc that encloses discs of the opponent, which then change their owner. A
/// player without such a cell passes. The game ends if neither player has one. The player with more discs
/// wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Othello {
    /// The discs of the player to move, and those of the opponent.
    own: u64,
    other: u64,
    /// The cells of the board.
    cells: u64,
    player: Player,
}

/// The ways from a cell to its neighbours: the distance in bits, and the cells from which the step stays on
/// the board.
const WAYS: [(i32, u64); 8] = {
    const NOT_FIRST: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    [
        (8, u64::MAX),
        (-8, u64::MAX),
        (1, NOT_LAST),
        (-1, NOT_FIRST),
        (9, NOT_LAST),
        (7, NOT_FIRST),
        (-7, NOT_LAST),
        (-9, NOT_FIRST),
    ]
};

fn step(from: u64, (way, may): (i32, u64)) -> u64 {
    let from = from & may;
    if way > 0 { from << way } else { from >> -way }
}

impl Othello {
    /// Returns the start of a game on a board of `size` by `size` cells, 6 or 8.
    pub fn new(size: u32) -> Self {
        let row = (1_u64 << size) - 1;
        let cells = (0..size).fold(0, |cells, y| cells | row << (8 * y));
        let at = |y: u32, x: u32| 1_u64 << (8 * (size / 2 - 1 + y) + size / 2 - 1 + x);
        Othello { own: at(0, 1) | at(1, 0), other: at(0, 0) | at(1, 1), cells, player: 0 }
    }

    /// The cells where the owner of the discs `own` may place one.
    fn places(self, own: u64, other: u64) -> u64 {
        let mut places = 0;
        for way in WAYS {
            let mut line = step(own, way) & other;
            for _ in 0..5 {
                line |= step(line, way) & other;
            }
            places |= step(line, way);
        }
        places & self.cells & !(own | other)
    }

    /// The discs that turn over.
    fn turned(self, place: u64) -> u64 {
        let mut turned = 0;
        for way in WAYS {
            let (mut line, mut next) = (0, step(place, way));
            while next & self.other != 0 {
                line |= next;
                next = step(next, way);
            }
            if next & self.own != 0 {
                turned |= line;
            }
        }
        turned
    }
}

/// The cells of a set.
struct Cells(u64);

impl Iterator for Cells {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        let cell = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (cell < 64).then_some(Place::On(cell as u8))
    }
}

impl GameState for Othello {
    type Action = Place;

    fn turn(&self) -> Turn {
        let none = self.places(self.own, self.other) == 0 && self.places(self.other, self.own) == 0;
        if none { Turn::Over } else { Turn::Player(self.player) }
    }

    fn actions(&self) -> impl IntoIterator<Item = Place> {
        let places = self.places(self.own, self.other);
        Cells(places).chain((places == 0).then_some(Place::Pass))
    }

    fn apply(&mut self, place: Place) {
        if let Place::On(cell) = place {
            let turned = self.turned(1 << cell);
            self.own |= turned | 1 << cell;
            self.other &= !turned;
        }
        (self.own, self.other) = (self.other, self.own);
        self.player = 1 - self.player;
    }

    fn reward(&self, player: Player) -> f64 {
        let (own, other) = (self.own.count_ones(), self.other.count_ones());
        if player == self.player { result(own, other) } else { result(other, own) }
    }
}

impl ActionIndex for Othello {
    const ACTION_COUNT: usize = 65;

    fn action_index(place: Place) -> usize {
        if let Place::On(cell) = place { cell.into() } else { 64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramure_rules::{check, perft};

    /// The same game with an array.
    #[derive(Clone, Debug)]
    struct Plain {
        size: i32,
        board: Vec<Option<Player>>,
        player: Player,
    }

    impl Plain {
        fn new(size: i32) -> Self {
            let mut board = vec![None; 64];
            let middle = (size / 2 - 1) as usize;
            for (y, x, owner) in [(0, 0, 1), (1, 1, 1), (0, 1, 0), (1, 0, 0)] {
                board[8 * (middle + y) + middle + x] = Some(owner);
            }
            Plain { size, board, player: 0 }
        }

        fn turned(&self, player: Player, cell: u8) -> Vec<usize> {
            let (mut all, on) = (Vec::new(), |value: i32| (0..self.size).contains(&value));
            for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let (mut y, mut x) = (i32::from(cell) / 8 + down, i32::from(cell) % 8 + right);
                let mut line = Vec::new();
                while on(y) && on(x) {
                    let here = (8 * y + x) as usize;
                    match self.board[here] {
                        Some(owner) if owner == player => {
                            all.append(&mut line);
                            break;
                        }
                        Some(_) => line.push(here),
                        None => break,
                    }
                    (y, x) = (y + down, x + right);
                }
            }
            all
        }

        fn places(&self, player: Player) -> Vec<Place> {
            let on = |cell: &u8| i32::from(*cell) / 8 < self.size && i32::from(*cell) % 8 < self.size;
            let free = (0..64).filter(on).filter(|&cell| self.board[usize::from(cell)].is_none());
            free.filter(|&cell| !self.turned(player, cell).is_empty()).map(Place::On).collect()
        }
    }

    impl GameState for Plain {
        type Action = Place;

        fn turn(&self) -> Turn {
            let is_over = self.places(0).is_empty() && self.places(1).is_empty();
            if is_over { Turn::Over } else { Turn::Player(self.player) }
        }
        fn actions(&self) -> impl IntoIterator<Item = Place> {
            let places = self.places(self.player);
            if places.is_empty() { vec![Place::Pass] } else { places }
        }
        fn apply(&mut self, place: Place) {
            if let Place::On(cell) = place {
                for turned in self.turned(self.player, cell) {
                    self.board[turned] = Some(self.player);
                }
                self.board[usize::from(cell)] = Some(self.player);
            }
            self.player = 1 - self.player;
        }
        fn reward(&self, player: Player) -> f64 {
            let discs = |player| self.board.iter().filter(|cell| **cell == Some(player)).count();
            let (own, other) = (discs(player), discs(1 - player));
            if own > other {
                1.0
            } else if own == other {
                0.5
            } else {
                0.0
            }
        }
    }

    #[test]
    fn othello_keeps_the_laws_and_equals_its_twin() {
        for size in [6, 8] {
            check(Othello::new(size))
                .indices()
                .twin(Plain::new(size as i32))
                .games(100)
                .run()
                .expect("the laws");
        }
    }

    #[test]
    fn the_published_numbers_of_games_of_othello() {
        // Counted by many, for example by Aart Bik: perft of Othello.
        assert_eq!(perft(&Othello::new(8), 7).rows[6].lines, 55_092);
    }
}
