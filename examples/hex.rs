//! Hex at the terminal: `cargo run --release --example hex`.

mod common;

use clap::Parser;
use common::{Common, Pen, Playable, Shade};
use ramure::Bytes;
use ramure::prelude::*;
use ramure::selection::Rave;
use ramure_games::hex::{Cell, HexAction};
use ramure_games::{Hex, IllegalAction};
use std::process::ExitCode;

/// Hex against Monte-Carlo tree search.
///
/// X joins the top and bottom edges, O the left and right edges; there are no draws. Without a terminal on
/// standard input, and with no player named, two searches play one game and the program prints every
/// position.
#[derive(Parser)]
#[command(max_term_width = 80, after_help = format!("{EXAMPLES}\n\n{}", common::KEYS))]
struct Options {
    /// Set the rows and columns of the board, 2 to 19; tournaments use 11, 13, 14 and 19
    #[arg(long, value_name = "N", default_value_t = 11,
          value_parser = clap::value_parser!(u8).range(i64::from(*Hex::SIZES.start())..=i64::from(*Hex::SIZES.end())))]
    size: u8,

    /// Play with the swap (pie) rule: O's first action may be `swap`, which takes over X's stone, mirrored
    #[arg(long)]
    swap: bool,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  cargo run --release --example hex -- --size 7
  cargo run --release --example hex -- --swap --second human --seconds 5
  cargo run --release --example hex -- --size 5 --first mcts --second random";

fn main() -> ExitCode {
    let options = Options::parse();
    match Hex::new(options.size) {
        Ok(start) => common::play(if options.swap { start.with_swap() } else { start }, &options.common),
        Err(error) => {
            eprintln!("error: {error}"); // cannot happen: the range of `--size` excludes it
            ExitCode::FAILURE
        }
    }
}

impl Playable for Hex {
    const TITLE: &'static str = "Hex";
    const PLAYERS: [(&'static str, Shade); 2] = [("X", Shade::Red), ("O", Shade::Cyan)];

    fn rules(&self) -> String {
        "X joins the top and bottom edges by a chain of stones, O the left and right edges. A cell has six neighbours: \
         left and right; above, in the same column and in the next; below, in the same column and in the one before. \
         Stones never move. \
         An action is the letter of a column and the number of a row, as in b3; or swap, if the game has that rule."
            .into()
    }

    fn prompt(&self) -> String {
        let last = char::from(b'a' + self.size() - 1);
        let swap = if self.is_legal(HexAction::Swap) { ", or swap" } else { "" };
        format!("a cell (a1-{last}{}){swap}", self.size())
    }

    fn draw(&self, last: Option<HexAction>, pen: &Pen) -> String {
        Sketch { hex: self, pen, chain: self.winning_chain(), last }.board()
    }

    fn try_play(&mut self, action: HexAction) -> Result<(), IllegalAction<HexAction>> {
        self.play(action)
    }

    fn search(self, seed: u64) -> Box<dyn Search<Space = Self>> {
        Box::new(Mcts::new(self).tree_policy(Rave::default()).memory_limit(Bytes::gib(1)).seed(seed))
    }
}

/// The data that a drawing of the board needs.
struct Sketch<'a> {
    hex: &'a Hex,
    pen: &'a Pen,
    chain: Vec<Cell>,
    last: Option<HexAction>,
}

impl Sketch<'_> {
    /// A rhombus: each row starts one character to the right of the row above, which is half the distance
    /// between two cells.
    fn board(&self) -> String {
        let size = usize::from(self.hex.size());
        let letters: Vec<String> = ('a'..).take(size).map(String::from).collect();
        let letters = self.pen.paint(Shade::Faint, letters.join(" "));
        let edge = self.edge(0, &format!("{0}X{0}", "─".repeat(size)));
        let mut board = format!("       {letters}\n      {edge}");
        for row in 0..self.hex.size() {
            board += &format!("\n{:indent$}{}", "", self.row(row), indent = usize::from(row));
        }
        board + &format!("\n{:size$}         {edge}\n{:size$}          {letters}", "", "")
    }

    /// A piece of the edges that `player` joins.
    fn edge(&self, player: usize, text: &str) -> String {
        self.pen.paint(Hex::PLAYERS[player].1, text)
    }

    fn row(&self, row: u8) -> String {
        // Half way down, the letter of the player who joins these edges.
        let is_half_way = row == (self.hex.size() - 1) / 2;
        let (left, right) = if is_half_way { ("O", " O") } else { (" ", "") };
        let number = |text: String| self.pen.paint(Shade::Faint, text);
        let (before, after) = (number(format!("{:>2}", row + 1)), number(format!("{}", row + 1)));
        let mut line = format!("  {} {before} {}", self.edge(1, left), self.edge(1, "╲"));
        let mut left_is_out = false;
        for column in 0..=self.hex.size() {
            // Brackets stand in the gaps. There is no bracket between two highlighted cells.
            let here_is_out = Cell::new(row, column).is_some_and(|cell| self.is_brought_out(cell));
            line += match (left_is_out, here_is_out) {
                (false, true) => "[",
                (true, false) => "]",
                _ => " ",
            };
            left_is_out = here_is_out;
            if column < self.hex.size() {
                line += &self.stone(row, column, here_is_out);
            }
        }
        format!("{line}{} {after}{}", self.edge(1, "╲"), self.edge(1, right))
    }

    fn stone(&self, row: u8, column: u8, brought_out: bool) -> String {
        match self.hex.cell(row, column).map(|player| Hex::PLAYERS[usize::from(player)]) {
            None => self.pen.paint(Shade::Faint, "·"),
            Some((mark, shade)) if brought_out => self.pen.bring_out(shade, mark),
            Some((mark, shade)) => self.pen.paint(shade, mark),
        }
    }

    fn is_brought_out(&self, cell: Cell) -> bool {
        match self.last {
            _ if !self.chain.is_empty() => self.chain.contains(&cell),
            Some(HexAction::Place(last)) => last == cell,
            // After a swap there is only one stone on the board.
            Some(HexAction::Swap) => self.hex.cell(cell.row(), cell.column()).is_some(),
            None => false,
        }
    }
}
