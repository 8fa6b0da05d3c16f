//! Small games for the tests of `rules::perft`.

use ramure::{GameState, Player, Turn};
use std::fmt;

/// The players take turns to make 1 to `sides` steps, or chance does if the sum is odd, until they have made
/// `goal` steps together. The player with more steps is better off. A single player should step beyond the
/// goal.
#[derive(Clone, Copy)]
pub struct Race {
    pub sides: u8,
    pub players: u8,
    pub dice: bool,
    pub goal: u32,
    pub made: [u32; 3],
    pub next: u8,
}

/// One player, one action in each state.
pub const RACE: Race = Race { sides: 1, players: 1, dice: false, goal: 6, made: [0; 3], next: 0 };

impl GameState for Race {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.made.iter().sum::<u32>() {
            sum if sum >= self.goal => Turn::Over,
            sum if self.dice && sum % 2 == 1 => Turn::Chance,
            _ => Turn::Player(self.next),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        1..=if self.turn() == Turn::Over { 0 } else { self.sides }
    }
    fn apply(&mut self, steps: u8) {
        self.made[usize::from(self.next)] += u32::from(steps);
        self.next = (self.next + 1) % self.players;
    }
    fn reward(&self, player: Player) -> f64 {
        (f64::from(self.made[usize::from(player)]) / f64::from(2 * self.goal)).min(1.0)
    }
    fn players(&self) -> u8 {
        self.players
    }
}

/// The rows of Tic-Tac-Toe.
pub const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// Tic-Tac-Toe that knows only these rows.
#[derive(Clone)]
pub struct PlainTicTacToe {
    pub rows: &'static [[usize; 3]],
    pub played: Vec<usize>,
}

impl PlainTicTacToe {
    fn winner(&self) -> Option<Player> {
        let has = |player, cell| self.played.iter().skip(player).step_by(2).any(|&own| own == cell);
        let won = |&player: &usize| self.rows.iter().any(|row| row.iter().all(|&cell| has(player, cell)));
        (0..2).find(won).map(|player| player as Player)
    }
}

impl GameState for PlainTicTacToe {
    type Action = usize;

    fn turn(&self) -> Turn {
        let over = self.played.len() == 9 || self.winner().is_some();
        if over { Turn::Over } else { Turn::Player((self.played.len() % 2) as Player) }
    }
    /// Numbers from 1 on, as [`ramure_games::TicTacToe`] prints them. The list is not empty when the game is
    /// over, which is a mistake.
    fn actions(&self) -> impl IntoIterator<Item = usize> {
        (1..=9).filter(|number| !self.played.contains(&(number - 1)))
    }
    fn apply(&mut self, number: usize) {
        self.played.push(number - 1);
    }
    fn reward(&self, player: Player) -> f64 {
        self.winner().map_or(0.5, |winner| f64::from(u8::from(winner == player)))
    }
}

/// The player takes a text twice. Then there are as many more actions as the sum of the texts' numbers,
/// counted from 0.
#[derive(Clone, Copy)]
pub struct Named {
    pub texts: &'static [&'static str],
    pub free: u8,
    pub left: usize,
}

/// A number and the text that it prints.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name(usize, &'static str);

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }
}

impl GameState for Named {
    type Action = Name;

    fn turn(&self) -> Turn {
        if self.free == 0 && self.left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = Name> {
        let count = if self.free > 0 { self.texts.len() } else { self.left.min(1) };
        self.texts.iter().enumerate().take(count).map(|(number, &text)| Name(number, text))
    }
    fn apply(&mut self, name: Name) {
        match self.free {
            0 => self.left -= 1,
            _ => (self.free, self.left) = (self.free - 1, self.left + name.0),
        }
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}
