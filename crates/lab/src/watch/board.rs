//! The boards of the games on a terminal: with frames and colours, and large where there is room.

use super::Colors;
use crate::commands::{AnyAction, AnyGame};
use core::iter::repeat_n;
use ramure::Player;
use ramure_games::hex::HexAction;
use ramure_games::sudo_tic_tac_toe::{Mode, SudoTicTacToe};
use ramure_games::{Hex, hex, sudo_tic_tac_toe, tic_tac_toe};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};

/// A cell of a board.
struct Piece {
    /// The player whose stone it holds.
    player: Option<Player>,
    /// The content of a free cell.
    text: String,
    /// Whether the cell is brought out: the last action, or what won.
    is_out: bool,
}

/// A board before it is drawn.
struct Sketch {
    /// From the top.
    rows: Vec<Vec<Piece>>,
    /// The names above and below the columns.
    columns: Vec<String>,
    marks: [&'static str; 2],
    colours: [Color; 2],
    /// Whether each row starts half a cell to the right of the row above, as in Hex.
    is_slanted: bool,
    /// Whether lines divide the board into nine.
    has_thirds: bool,
}

/// The mark on the stones of each player.
pub fn marks(game: &AnyGame) -> [&'static str; 2] {
    match game {
        AnyGame::Connect4(_) | AnyGame::SmallConnect4(_) => ["R", "Y"],
        _ => ["X", "O"],
    }
}

/// Draws the board, large if it fits into this width and height. Brings out the line that won, or else the
/// action `last`.
pub fn board(game: &AnyGame, last: Option<AnyAction>, room: (u16, u16), colors: Colors) -> Text<'static> {
    let Some(sketch) = Sketch::of(game, last) else { return Text::from(game.to_string()) };
    let large = sketch.draw(true, colors);
    let fits = large.width() <= room.0.into() && large.height() <= room.1.into();
    if fits { large } else { sketch.draw(false, colors) }
}

/// Makes the cells of a board from the top left one on.
fn cells(rows: u8, columns: u8, piece: impl Fn(u8, u8) -> Piece) -> Vec<Vec<Piece>> {
    (0..rows).map(|row| (0..columns).map(|column| piece(row, column)).collect()).collect()
}

impl Sketch {
    fn of(game: &AnyGame, last: Option<AnyAction>) -> Option<Self> {
        let sketch = Sketch {
            rows: Vec::new(),
            columns: Vec::new(),
            marks: marks(game),
            colours: [Color::LightRed, Color::LightCyan],
            is_slanted: false,
            has_thirds: false,
        };
        Some(match (game, last) {
            (AnyGame::TicTacToe(game), last) => {
                let piece = |row, column| {
                    let cell = tic_tac_toe::Cell::new(row, column);
                    let is_last = cell.map(AnyAction::TicTacToe) == last;
                    let line = game.winning_line();
                    Piece {
                        player: game.cell(row, column),
                        text: cell.map_or_else(String::new, |cell| cell.to_string()),
                        is_out: line.map_or(is_last, |line| cell.is_some_and(|cell| line.contains(&cell))),
                    }
                };
                Sketch { rows: cells(3, 3, piece), ..sketch }
            }
            (AnyGame::Connect4(game), last) => {
                sketch.connect4((7, 6), |row, column| game.cell(row, column), game.winning_line(), last)
            }
            (AnyGame::SmallConnect4(game), last) => {
                sketch.connect4(game.shape(), |row, column| game.cell(row, column), game.winning_line(), last)
            }
            (AnyGame::Hex(game), last) => sketch.hex(game, last),
            (AnyGame::Sudo(game), last) => sketch.sudo(game, last),
            _ => return None,
        })
    }

    fn connect4(
        self,
        (columns, rows): (u8, u8),
        stone: impl Fn(u8, u8) -> Option<Player>,
        line: Option<[(u8, u8); 4]>,
        last: Option<AnyAction>,
    ) -> Self {
        let last = match last {
            Some(AnyAction::Connect4(column) | AnyAction::SmallConnect4(column)) => Some(column.number()),
            _ => None,
        };
        let is_top = |row, column| row + 1 == rows || stone(row + 1, column).is_none();
        let piece = |down: u8, column| {
            let row = rows - 1 - down;
            let is_last = Some(column) == last && is_top(row, column) && stone(row, column).is_some();
            Piece {
                player: stone(row, column),
                text: "·".into(),
                is_out: line.map_or(is_last, |line| line.contains(&(row, column))),
            }
        };
        Sketch {
            rows: cells(rows, columns, piece),
            columns: (0..columns).map(|column| column.to_string()).collect(),
            colours: [Color::LightRed, Color::LightYellow],
            ..self
        }
    }

    fn hex(self, game: &Hex, last: Option<AnyAction>) -> Self {
        let chain = game.winning_chain();
        let piece = |row, column| {
            let is_last = |cell| match last {
                _ if !chain.is_empty() => chain.contains(&cell),
                Some(AnyAction::Hex(HexAction::Place(last))) => last == cell,
                // After a swap there is only one stone on the board.
                Some(AnyAction::Hex(HexAction::Swap)) => game.cell(row, column).is_some(),
                _ => false,
            };
            Piece {
                player: game.cell(row, column),
                text: "·".into(),
                is_out: hex::Cell::new(row, column).is_some_and(is_last),
            }
        };
        Sketch {
            rows: cells(game.size(), game.size(), piece),
            columns: ('a'..).take(game.size().into()).map(String::from).collect(),
            is_slanted: true,
            ..self
        }
    }

    fn sudo(self, game: &SudoTicTacToe, last: Option<AnyAction>) -> Self {
        let piece = |row, column| {
            let board = row / 3 * 3 + column / 3;
            let cell = sudo_tic_tac_toe::Cell::new(board, row % 3 * 3 + column % 3);
            let is_open = cell.is_some_and(|cell| ramure::GameState::is_legal(game, cell));
            // The winner of a small board owns all of its cells.
            let owner = game.board_winner(board).filter(|_| game.mode() != Mode::LocalWin);
            Piece {
                player: owner.or(game.cell(row, column)),
                text: match cell {
                    Some(cell) if is_open => (cell.cell() + 1).to_string(),
                    _ => "·".into(),
                },
                is_out: cell.map(AnyAction::Sudo) == last,
            }
        };
        Sketch { rows: cells(9, 9, piece), has_thirds: true, ..self }
    }

    fn draw(&self, is_large: bool, colors: Colors) -> Text<'static> {
        let (wide, high) = match (is_large, self.is_slanted) {
            (true, _) => (6, 3),
            (false, true) => (2, 1),
            (false, false) => (3, 1),
        };
        let (down, across) = (self.rows.len(), self.rows.first().map_or(0, Vec::len));
        let third = |index: usize| if self.has_thirds { index / 3 } else { 0 };
        let shift = |row: usize| if self.is_slanted { row * (wide / 2) } else { 0 };
        // Names and an edge stand before the first cell.
        let (left, top) =
            if self.is_slanted { (5, 2) } else { (1, usize::from(!self.columns.is_empty()) + 1) };
        let x = |row: usize, column: usize| left + shift(row) + column * wide + third(column);
        let y = |row: usize| top + row * high + third(row);
        let (right, foot) = (x(0, across - 1) + wide, y(down - 1) + high);
        // Bright black is invisible on some terminals.
        let faint =
            if colors == Colors::Yes { Style::new().add_modifier(Modifier::DIM) } else { Style::new() };
        let of = |player: usize| colors.of(self.colours[player]);
        let mut canvas = Canvas(Vec::new());

        let dashes = "─".repeat(right - left);
        for (row, name_row, [start, end]) in
            [(top - 1, top.wrapping_sub(2), ["┌", "┐"]), (foot, foot + 1, ["└", "┘"])]
        {
            // The lower edge of a rhombus is as far to the right as its last row.
            let over = if row == foot { shift(down - 1) + usize::from(self.is_slanted) } else { 0 };
            match self.is_slanted {
                true => canvas.put(left + over, row, &format!("{dashes}─"), of(0)),
                false => canvas.put(left - 1, row, &format!("{start}{dashes}{end}"), faint),
            }
            for (column, name) in self.columns.iter().enumerate() {
                canvas.put(x(0, column) + over + wide / 2, name_row, name, faint);
            }
        }
        for line in top..foot {
            let row = ((line - top) / high).min(down - 1);
            if !self.is_slanted {
                canvas.put(left - 1, line, "│", faint);
                canvas.put(right, line, "│", faint);
            } else if (line - top) % high == high / 2 {
                let name = (row + 1).to_string();
                canvas.put(x(row, 0) - 4, line, &format!("{name:>2}"), faint);
                canvas.put(x(row, 0) - 1, line, "╲", of(1));
                canvas.put(x(row, across) + 1, line, "╲", of(1));
                canvas.put(x(row, across) + 3, line, &name, faint);
            }
        }
        if self.has_thirds {
            let rows = [3, 6].map(|row| y(row) - 1);
            for row in rows {
                canvas.put(left - 1, row, &format!("├{dashes}┤"), faint);
            }
            for column in [3, 6].map(|column| x(0, column) - 1) {
                for line in top..foot {
                    canvas.put(column, line, if rows.contains(&line) { "┼" } else { "│" }, faint);
                }
            }
        }
        for (row, pieces) in self.rows.iter().enumerate() {
            for (column, piece) in pieces.iter().enumerate() {
                let (x, y) = (x(row, column), y(row));
                let middle = (x + wide / 2, y + high / 2);
                let Some(player) = piece.player.map(usize::from) else {
                    canvas.put(middle.0, middle.1, &piece.text, faint);
                    continue;
                };
                let style = of(player);
                let style = if piece.is_out { style.add_modifier(Modifier::REVERSED) } else { style };
                if is_large {
                    canvas.put(x + 1, y, "╭───╮", style);
                    canvas.put(x + 1, y + 1, "│   │", style);
                    canvas.put(x + 1, y + 2, "╰───╯", style);
                }
                canvas.put(middle.0, middle.1, self.marks[player], style);
                if piece.is_out {
                    // Between two stones without a gap is one bracket too many.
                    let joins = wide == 2 && column > 0 && pieces[column - 1].is_out;
                    canvas.put(middle.0 - 1, middle.1, if joins { " " } else { "[" }, style);
                    canvas.put(middle.0 + 1, middle.1, "]", style);
                }
            }
        }
        canvas.text()
    }
}

/// Characters with their styles, in lines.
struct Canvas(Vec<Vec<(char, Style)>>);

impl Canvas {
    fn put(&mut self, x: usize, y: usize, text: &str, style: Style) {
        let lines = self.0.len();
        self.0.extend(repeat_n(Vec::new(), (y + 1).saturating_sub(lines)));
        let line = &mut self.0[y];
        let (length, end) = (line.len(), x + text.chars().count());
        line.extend(repeat_n((' ', Style::new()), end.saturating_sub(length)));
        text.chars().zip(&mut line[x..]).for_each(|(char, cell)| *cell = (char, style));
    }

    fn text(self) -> Text<'static> {
        let line = |cells: Vec<(char, Style)>| {
            let spans = cells.chunk_by(|one, other| one.1 == other.1);
            Line::from_iter(
                spans.map(|span| Span::styled(span.iter().map(|cell| cell.0).collect::<String>(), span[0].1)),
            )
        };
        Text::from_iter(self.0.into_iter().map(line))
    }
}
