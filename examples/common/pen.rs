//! Colours where the terminal has them, and brackets everywhere, so that a board can be read without colours.
#![allow(dead_code, reason = "each game is its own program and uses only a part of this file")]

use anstyle::{AnsiColor, Style};
use std::fmt::Display;

/// The role of a text on the screen, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shade {
    Red,
    Yellow,
    Cyan,
    /// Frames of the board, and what is of little interest now.
    Faint,
    /// A cell that may be played.
    Open,
    /// A title or a result.
    Bold,
}

impl Shade {
    fn style(self) -> Style {
        let colour = |colour: AnsiColor| colour.on_default();
        match self {
            Shade::Red => colour(AnsiColor::BrightRed).bold(),
            Shade::Yellow => colour(AnsiColor::BrightYellow).bold(),
            Shade::Cyan => colour(AnsiColor::BrightCyan).bold(),
            Shade::Faint => Style::new().dimmed(), // bright black is invisible on some terminals
            Shade::Open => colour(AnsiColor::BrightGreen),
            Shade::Bold => Style::new().bold(),
        }
    }
}

/// Draws with or without colours.
#[derive(Clone, Copy)]
pub struct Pen {
    pub colours: bool,
}

impl Pen {
    /// Returns `text` in this shade.
    pub fn paint(&self, shade: Shade, text: impl Display) -> String {
        self.styled(shade.style(), text)
    }

    /// Returns `text` in this shade, highlighted: with colours, dark on light.
    pub fn bring_out(&self, shade: Shade, text: impl Display) -> String {
        self.styled(shade.style().invert(), text)
    }

    fn styled(&self, style: Style, text: impl Display) -> String {
        if self.colours { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    /// Returns a cell three characters wide, which brackets and reversed colours can highlight.
    pub fn cell(&self, shade: Shade, mark: impl Display, brought_out: bool) -> String {
        if brought_out {
            self.bring_out(shade, format_args!("[{mark}]"))
        } else {
            self.paint(shade, format_args!(" {mark} "))
        }
    }
}
