//! A whole new game in one file: `cargo run --release --example your_own_game`.
//!
//! Dots and Boxes on three by three boxes. The players take turns to draw a line between two neighbouring
//! dots. A player who draws the fourth line of a box owns that box *and must draw another line*. The player
//! with more boxes at the end wins. There are nine boxes, so there is no draw.
//!
//! A search needs only the `impl GameState` below: one type and four methods, all of them required. Nothing
//! in it depends on trees.

use ramure::prelude::*;
use std::fmt;

/// Boxes in a row, and in a column.
const SIZE: u8 = 3;

/// An action. The search only copies and compares actions, so any small type will do: a readable enum, as
/// here, or a plain number. Reports print it with `Debug`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    /// The line above the box in this row and column; row 3 is the bottom of the board.
    Above(u8, u8),
    /// The line left of the box in this row and column; column 3 is the right edge of the board.
    LeftOf(u8, u8),
}

impl Line {
    fn all() -> impl Iterator<Item = Line> {
        let above = (0..=SIZE).flat_map(|row| (0..SIZE).map(move |column| Line::Above(row, column)));
        let left = (0..SIZE).flat_map(|row| (0..=SIZE).map(move |column| Line::LeftOf(row, column)));
        above.chain(left)
    }

    /// Each line has its own bit, so one number holds a whole board. See [`DotsAndBoxes::drawn`].
    fn bit(self) -> u32 {
        match self {
            Line::Above(row, column) => 1 << (SIZE * row + column),
            Line::LeftOf(row, column) => 1 << (SIZE * (SIZE + 1) + (SIZE + 1) * row + column),
        }
    }
}

/// A state. Every iteration of the search clones it, so keep it cheap to clone: prefer numbers and arrays to
/// a `Vec`. It must hold *everything* that decides what may happen next, here also the player to move.
#[derive(Clone)]
struct DotsAndBoxes {
    drawn: u32,
    owners: [[Option<Player>; SIZE as usize]; SIZE as usize],
    player: Player,
}

impl DotsAndBoxes {
    fn new() -> Self {
        DotsAndBoxes { drawn: 0, owners: Default::default(), player: 0 }
    }

    fn is_drawn(&self, line: Line) -> bool {
        self.drawn & line.bit() != 0
    }

    fn is_closed(&self, row: u8, column: u8) -> bool {
        let sides = [
            Line::Above(row, column),
            Line::Above(row + 1, column),
            Line::LeftOf(row, column),
            Line::LeftOf(row, column + 1),
        ];
        sides.into_iter().all(|line| self.is_drawn(line))
    }

    fn boxes(&self, player: Player) -> usize {
        self.owners.iter().flatten().filter(|owner| **owner == Some(player)).count()
    }
}

impl GameState for DotsAndBoxes {
    type Action = Line;

    /// The state says whose turn it is; the search never counts turns. So "must draw another line" needs no
    /// special case: after closing a box, the same player is still the player to move. This method alone
    /// decides when the game is over.
    fn turn(&self) -> Turn {
        if self.actions().into_iter().next().is_none() { Turn::Over } else { Turn::Player(self.player) }
    }

    /// Each legal action once, always in the same order. (The search shuffles them itself, so that the order
    /// does not bias it.) An iterator, not a `Vec`, because rollouts call this at every step.
    fn actions(&self) -> impl IntoIterator<Item = Line> {
        Line::all().filter(|&line| !self.is_drawn(line))
    }

    /// No undo is needed: the search replays actions from the root and stores no states.
    fn apply(&mut self, line: Line) {
        self.drawn |= line.bit();
        let mut closed_a_box = false;
        for row in 0..SIZE {
            for column in 0..SIZE {
                let closed = self.is_closed(row, column);
                let owner = &mut self.owners[usize::from(row)][usize::from(column)];
                if closed && owner.is_none() {
                    *owner = Some(self.player);
                    closed_a_box = true;
                }
            }
        }
        if !closed_a_box {
            self.player = 1 - self.player;
        }
    }

    /// Called for each player, and only when the game is over, so there is no sign to get wrong: 1 for a win,
    /// 0 for a loss, and 1/2 for a draw if this game had any. The search maximises this number. If it were
    /// the share of the boxes, the search would take boxes that it does not need to win.
    fn reward(&self, player: Player) -> f64 {
        if self.boxes(player) > self.boxes(1 - player) { 1.0 } else { 0.0 }
    }

    // That is all. To search this game faster, first override `random_action`: the default lists all actions,
    // but a few instructions on `drawn` can do the same.
}

/// For people; the search does not need it.
impl fmt::Display for DotsAndBoxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let across = |row| {
            let line = |column| if self.is_drawn(Line::Above(row, column)) { "---+" } else { "   +" };
            format!("  +{}", (0..SIZE).map(line).collect::<String>())
        };
        for row in 0..SIZE {
            write!(f, "{}\n  ", across(row))?;
            for column in 0..=SIZE {
                let side = if self.is_drawn(Line::LeftOf(row, column)) { '|' } else { ' ' };
                let owners = &self.owners[usize::from(row)];
                let owner = owners.get(usize::from(column)).copied().flatten();
                write!(f, "{side} {} ", owner.map_or(' ', name))?;
            }
            writeln!(f)?;
        }
        write!(f, "{}", across(SIZE))
    }
}

fn name(player: Player) -> char {
    char::from(b'A' + player)
}

/// A search's error says in words what is wrong with the game, so a program only needs to pass it on.
fn main() -> Result<(), SearchError> {
    let mut search = Mcts::new(DotsAndBoxes::new()).seed(1);
    println!("Dots and Boxes, A against B, 20 000 iterations per action.\n\n{}\n", search.state());

    // One search plays both sides, because the statistics of an action belong to the player who chooses it.
    while let Turn::Player(player) = search.state().turn() {
        let report = search.run(Budget::iterations(20_000))?;
        let line = report.best_action();
        let chosen = report.actions.iter().find(|action| action.action == line);
        let verdict = match (report.proof, chosen) {
            (Some(1.0), _) => "a forced win".to_owned(),
            (Some(_), _) => "a forced loss".to_owned(),
            (None, chosen) => format!("mean {:.2}", chosen.map_or(0.0, |chosen| chosen.mean)),
        };
        println!("{} draws {line:?}, {verdict}", name(player));

        search.advance(line)?; // keeps the subtree of this action
        // Print the board once per turn, not per line: a turn ends when the player to move changes.
        if search.state().turn() != Turn::Player(player) {
            println!("\n{}\n", search.state());
        }
    }

    let state = search.state();
    let [a, b] = [0, 1].map(|player| state.boxes(player));
    println!("A has {a} boxes, B has {b}: {} wins.", name(if a > b { 0 } else { 1 }));
    Ok(())
}
