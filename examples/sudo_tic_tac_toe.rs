//! Sudo Tic-Tac-Toe at the terminal: `cargo run --release --example sudo_tic_tac_toe`.

mod common;

use clap::Parser;
use common::{Common, Pen, Playable, Shade};
use ramure::Bytes;
use ramure::prelude::*;
use ramure_games::sudo_tic_tac_toe::{Cell, Mode};
use ramure_games::{IllegalAction, SudoTicTacToe};
use std::process::ExitCode;

/// Sudo Tic-Tac-Toe against Monte-Carlo tree search.
///
/// Nine boards of nine cells: the cell that you mark names the board in which your opponent must play.
/// Without a terminal on standard input, and with no player named, two searches play one game and the program
/// prints every position.
#[derive(Parser)]
#[command(max_term_width = 80, after_help = format!("{EXAMPLES}\n\n{}", common::KEYS))]
struct Options {
    /// Choose what wins the game: 1 is three in a row in any board, 2 is three won boards in a row (Ultimate
    /// Tic-Tac-Toe)
    #[arg(long, value_name = "1|2", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    mode: u8,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "\
Examples:
  cargo run --release --example sudo_tic_tac_toe
  cargo run --release --example sudo_tic_tac_toe -- --mode 2 --second human
  cargo run --release --example sudo_tic_tac_toe -- --first mcts --second random";

fn main() -> ExitCode {
    let options = Options::parse();
    let mode = if options.mode == 1 { Mode::LocalWin } else { Mode::Ultimate };
    common::play(SudoTicTacToe::new(mode), &options.common)
}

impl Playable for SudoTicTacToe {
    const TITLE: &'static str = "Sudo Tic-Tac-Toe";
    const PLAYERS: [(&'static str, Shade); 2] = [("X", Shade::Red), ("O", Shade::Cyan)];

    fn rules(&self) -> String {
        let aim = match self.mode() {
            Mode::LocalWin => "Three in a row in any one of the nine boards win the game.",
            _ => {
                "Three in a row win a board; three won boards in a row win the game. A board that is won or full is \
                 closed."
            }
        };
        format!(
            "{aim} \
             The cell just marked names the board in which the opponent must play: after 5.1, board 1. If that board \
             has no legal action, you may play in any other board. \
             An action is board.cell, both 1 to 9 in reading order: 5.1 is the top left cell of the centre board. If \
             you must play in one board, you may type the cell alone. Cells that you may mark show their numbers."
        )
    }

    fn prompt(&self) -> String {
        match self.next_board().map(|board| board + 1) {
            Some(board) => format!("a cell in board {board} ({board}.1-{board}.9)"),
            None => "a cell in any open board (1.1-9.9)".into(),
        }
    }

    fn draw(&self, last: Option<Cell>, pen: &Pen) -> String {
        let sketch = Sketch { game: self, pen, last, line: winning_line(self) };
        let heavy = |left, middle, right| {
            let line = ["━".repeat(9), "━".repeat(9), "━".repeat(9)].join(middle);
            format!("  {}", pen.paint(Shade::Faint, format_args!("{left}{line}{right}")))
        };
        let mut rows = vec![heavy("┏", "┳", "┓")];
        for row in 0..9 {
            if row == 3 || row == 6 {
                rows.push(heavy("┣", "╋", "┫"));
            }
            rows.push(sketch.row(row));
        }
        rows.push(heavy("┗", "┻", "┛"));
        rows.join("\n")
    }

    fn try_play(&mut self, action: Cell) -> Result<(), IllegalAction<Cell>> {
        self.play(action)
    }

    fn search(self, seed: u64) -> Box<dyn Search<Space = Self>> {
        Box::new(Mcts::new(self).memory_limit(Bytes::gib(1)).seed(seed))
    }

    fn read(&self, text: &str) -> Option<Cell> {
        let whole = match (self.next_board(), text) {
            (Some(board), "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9") => {
                format!("{}.{text}", board + 1)
            }
            _ => text.to_owned(),
        };
        whole.parse().ok()
    }
}

/// The data that a drawing of the board needs.
struct Sketch<'a> {
    game: &'a SudoTicTacToe,
    pen: &'a Pen,
    last: Option<Cell>,
    line: Option<Line>,
}

impl Sketch<'_> {
    fn row(&self, row: u8) -> String {
        let edge = self.pen.paint(Shade::Faint, "┃");
        let boards = (0..3).map(|third| {
            let board = row / 3 * 3 + third;
            match self.big_mark(board, row % 3) {
                Some(mark) => mark,
                None => (0..3)
                    .filter_map(|column| Cell::new(board, row % 3 * 3 + column))
                    .map(|c| self.cell(c))
                    .collect(),
            }
        });
        format!("  {edge}{}{edge}", Vec::from_iter(boards).join(&edge))
    }

    /// In mode 2, a won board shows one big mark, because its cells no longer matter.
    fn big_mark(&self, board: u8, row: u8) -> Option<String> {
        let winner = self.game.board_winner(board).filter(|_| self.game.mode() != Mode::LocalWin)?;
        let picture = match winner {
            0 => ["  ╲   ╱  ", "    X    ", "  ╱   ╲  "],
            _ => ["  ╭───╮  ", "  │ O │  ", "  ╰───╯  "],
        };
        let (text, shade) = (picture[usize::from(row)], SudoTicTacToe::PLAYERS[usize::from(winner)].1);
        Some(match self.line {
            Some(Line::OfBoards(line)) if line.contains(&board) => self.pen.bring_out(shade, text),
            _ => self.pen.paint(shade, text),
        })
    }

    fn cell(&self, cell: Cell) -> String {
        match mark(self.game, cell) {
            Some(player) => {
                let (mark, shade) = SudoTicTacToe::PLAYERS[usize::from(player)];
                self.pen.cell(shade, mark, self.is_brought_out(cell))
            }
            None if self.game.is_legal(cell) => self.pen.cell(Shade::Open, cell.cell() + 1, false),
            None => self.pen.cell(Shade::Faint, "·", false),
        }
    }

    fn is_brought_out(&self, cell: Cell) -> bool {
        match self.line {
            Some(Line::OfCells(board, line)) => cell.board() == board && line.contains(&cell.cell()),
            _ => Some(cell) == self.last,
        }
    }
}

/// The line that won the game.
#[derive(Clone, Copy)]
enum Line {
    OfCells(u8, [u8; 3]),
    OfBoards([u8; 3]),
}

const LINES: [[u8; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn winning_line(game: &SudoTicTacToe) -> Option<Line> {
    let winner = Some(game.winner()?);
    if game.mode() != Mode::LocalWin {
        let won = |line: &[u8; 3]| line.iter().all(|&board| game.board_winner(board) == winner);
        return LINES.into_iter().find(won).map(Line::OfBoards);
    }
    let board = (0..9).find(|&board| game.board_winner(board) == winner)?;
    let marked = |&cell: &u8| Cell::new(board, cell).and_then(|cell| mark(game, cell)) == winner;
    let line = LINES.into_iter().find(|line| line.iter().all(marked))?;
    Some(Line::OfCells(board, line))
}

/// The player who marked a cell, or `None` if the cell is empty.
fn mark(game: &SudoTicTacToe, cell: Cell) -> Option<Player> {
    let row = cell.board() / 3 * 3 + cell.cell() / 3;
    game.cell(row, cell.board() % 3 * 3 + cell.cell() % 3)
}
