//! Connect 4 at the terminal: `cargo run --release --example connect4`.

mod common;

use clap::Parser;
use common::{Common, Pen, Playable, Shade};
use ramure::Bytes;
use ramure::prelude::*;
use ramure_games::connect4::Column;
use ramure_games::{Connect4, IllegalAction};
use std::process::ExitCode;

/// Connect 4 against Monte-Carlo tree search.
///
/// Without a terminal on standard input, and with no player named, two searches play one game and the program
/// prints every position.
#[derive(Parser)]
#[command(max_term_width = 80, after_help = format!("{EXAMPLES}\n\n{}", common::KEYS))]
struct Options {
    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  cargo run --release --example connect4
  cargo run --release --example connect4 -- --second human --seconds 5
  cargo run --release --example connect4 -- --iterations 200   a weaker opponent
  cargo run --release --example connect4 -- --first mcts --second random";

fn main() -> ExitCode {
    common::play(Connect4::new(), &Options::parse().common)
}

impl Playable for Connect4 {
    const TITLE: &'static str = "Connect 4";
    const PLAYERS: [(&'static str, Shade); 2] = [("R", Shade::Red), ("Y", Shade::Yellow)];

    fn rules(&self) -> String {
        "Four in a row win: across, up or diagonally. A stone falls to the lowest free cell of its column. \
         An action is the number of a column, 0 to 6."
            .into()
    }

    fn prompt(&self) -> String {
        "a column (0-6)".into()
    }

    fn draw(&self, last: Option<Column>, pen: &Pen) -> String {
        let last = last.and_then(|column| Some((self.top(column)?, column.number())));
        let line = self.winning_line();
        let brought_out = |place| line.map_or(Some(place) == last, |line| line.contains(&place));
        let edge = pen.paint(Shade::Faint, "│");
        let numbers = pen.paint(Shade::Faint, "    0  1  2  3  4  5  6");
        let mut board = numbers.clone();
        for row in (0..6).rev() {
            let cells = (0..7).map(|column| match self.cell(row, column) {
                Some(player) => {
                    let (letter, shade) = Self::PLAYERS[usize::from(player)];
                    // Discs differ in colour alone.
                    pen.cell(shade, if pen.colours { "●" } else { letter }, brought_out((row, column)))
                }
                None => pen.cell(Shade::Faint, "·", false),
            });
            board += &format!("\n  {edge}{}{edge}", String::from_iter(cells));
        }
        let bottom = pen.paint(Shade::Faint, format_args!("└{}┘", "─".repeat(21)));
        format!("{board}\n  {bottom}\n{numbers}")
    }

    fn try_play(&mut self, action: Column) -> Result<(), IllegalAction<Column>> {
        self.play(action)
    }

    fn search(self, seed: u64) -> Box<dyn Search<Space = Self>> {
        Box::new(Mcts::new(self).memory_limit(Bytes::gib(1)).seed(seed))
    }
}

/// What only a drawing of the board needs.
trait Top {
    fn top(&self, column: Column) -> Option<u8>;
}

impl Top for Connect4 {
    /// The row of the topmost stone of a column.
    fn top(&self, column: Column) -> Option<u8> {
        (0..6).rev().find(|&row| self.cell(row, column.number()).is_some())
    }
}
