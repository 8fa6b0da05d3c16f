//! Colours where the terminal has them, brackets everywhere: what matters can be seen without colours as well.
#![allow(dead_code, reason = "each game is a program of its own, and uses its own part of this file")]

use anstyle::{AnsiColor, Style};
use std::fmt::Display;

/// What something is, from which follows its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shade {
    Red,
    Yellow,
    Cyan,
    /// The board itself: frames and what is of little interest now.
    Faint,
    /// What may be played.
    Open,
    /// A title, a result.
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

/// Draws in colours, or without.
#[derive(Clone, Copy)]
pub struct Pen {
    pub colours: bool,
}

impl Pen {
    /// `text` in this shade.
    pub fn paint(&self, shade: Shade, text: impl Display) -> String {
        self.styled(shade.style(), text)
    }

    /// `text` in this shade, brought out: in colours dark on light.
    pub fn bring_out(&self, shade: Shade, text: impl Display) -> String {
        self.styled(shade.style().invert(), text)
    }

    fn styled(&self, style: Style, text: impl Display) -> String {
        if self.colours { format!("{style}{text}{style:#}") } else { text.to_string() }
    }

    /// A cell three characters wide; brackets and reversed colours bring it out.
    pub fn cell(&self, shade: Shade, mark: impl Display, brought_out: bool) -> String {
        if brought_out {
            self.bring_out(shade, format_args!("[{mark}]"))
        } else {
            self.paint(shade, format_args!(" {mark} "))
        }
    }
}
