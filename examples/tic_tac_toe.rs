//! Tic-Tac-Toe at the terminal: `cargo run --release --example tic_tac_toe`.

mod common;

use clap::Parser;
use common::{Common, Pen, Playable, Shade};
use ramure::prelude::*;
use ramure_games::tic_tac_toe::Cell;
use ramure_games::{IllegalAction, TicTacToe};
use std::process::ExitCode;

/// Tic-Tac-Toe against Monte-Carlo tree search, which never loses.
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
  cargo run --release --example tic_tac_toe
  cargo run --release --example tic_tac_toe -- --second human
  cargo run --release --example tic_tac_toe -- --first mcts --second random";

fn main() -> ExitCode {
    common::play(TicTacToe::new(), &Options::parse().common)
}

impl Playable for TicTacToe {
    const TITLE: &'static str = "Tic-Tac-Toe";
    const PLAYERS: [(&'static str, Shade); 2] = [("X", Shade::Red), ("O", Shade::Cyan)];

    fn rules(&self) -> String {
        "Three in a row win: across, down or diagonally. An action is the number shown in a free cell.".into()
    }

    fn prompt(&self) -> String {
        "a cell (1-9)".into()
    }

    fn draw(&self, last: Option<Cell>, pen: &Pen) -> String {
        let line = self.winning_line();
        let brought_out = |cell| line.map_or(Some(cell) == last, |line| line.contains(&cell));
        let rows = (0..3).map(|row| {
            let cells = (0..3).filter_map(|column| Cell::new(row, column)).map(|cell| {
                match self.cell(cell.row(), cell.column()) {
                    Some(player) => {
                        let (mark, shade) = Self::PLAYERS[usize::from(player)];
                        pen.cell(shade, mark, brought_out(cell))
                    }
                    None => pen.cell(Shade::Faint, cell, false),
                }
            });
            format!("  {}", Vec::from_iter(cells).join(&pen.paint(Shade::Faint, "│")))
        });
        Vec::from_iter(rows).join(&pen.paint(Shade::Faint, "\n  ───┼───┼───\n"))
    }

    fn try_play(&mut self, action: Cell) -> Result<(), IllegalAction<Cell>> {
        self.play(action)
    }

    fn search(self, seed: u64) -> Box<dyn Search<Space = Self>> {
        Box::new(Mcts::new(self).seed(seed))
    }
}
