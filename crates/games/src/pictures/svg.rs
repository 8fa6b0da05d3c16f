//! Common parts of the pictures: lines of SVG, and the marks of Tic-Tac-Toe.

use core::fmt::{self, Write};
use ramure::Player;

/// The colours of the players: colours of Okabe and Ito (2008), which colour-blind readers can distinguish.
pub(super) const COLOURS: [&str; 2] = ["#d55e00", "#0072b2"];

/// A picture that is being written, line by line.
pub(super) struct Svg(String);

impl Svg {
    pub(super) fn new(width: u32, height: u32) -> Self {
        Svg(format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\">\n"))
    }

    pub(super) fn line(&mut self, elements: impl fmt::Display) {
        // Writing to a text never fails.
        let _ = writeln!(self.0, "{elements}");
    }

    /// Writes the background of the board.
    pub(super) fn board(&mut self, x: u32, y: u32, width: u32, height: u32) {
        self.line(format_args!(
            "<rect class=\"board\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"currentColor\" fill-opacity=\".06\"/>"
        ));
    }

    /// Writes a small text with its centre at a point.
    pub(super) fn label(&mut self, x: impl fmt::Display, y: impl fmt::Display, text: impl fmt::Display) {
        self.line(format_args!(
            "<text class=\"label\" x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\" dominant-baseline=\"central\" fill=\"currentColor\" fill-opacity=\".7\">{text}</text>"
        ));
    }

    pub(super) fn finish(mut self) -> String {
        self.0 += "</svg>\n";
        self.0
    }
}

/// Returns the attribute that names a legal action.
pub(super) fn action(action: Option<impl fmt::Debug>) -> String {
    action.map_or_else(String::new, |action| format!(" data-action=\"{action:?}\""))
}

/// Returns the classes of a stone.
pub(super) fn stone_classes(player: Player, is_last: bool, wins: bool) -> String {
    format!("p{player}{}{}", if is_last { " last" } else { "" }, if wins { " win" } else { "" })
}

/// Returns the mark of a player, an X or an O, in the square cell of 40 units at a point.
pub(super) fn mark(x: u32, y: u32, size: u32, player: Player, is_last: bool, wins: bool) -> String {
    let classes = stone_classes(player, is_last, wins);
    let colour = COLOURS[usize::from(player & 1)];
    let width = f64::from(size) * if wins { 0.16 } else { 0.1 };
    let edge = size / 4;
    let (left, top, right, bottom) = (x + edge, y + edge, x + size - edge, y + size - edge);
    let shape = if player == 0 {
        format!(
            "<path class=\"{classes}\" d=\"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}\""
        )
    } else {
        let (centre_x, centre_y, radius) = (x + size / 2, y + size / 2, size / 2 - edge);
        format!("<circle class=\"{classes}\" cx=\"{centre_x}\" cy=\"{centre_y}\" r=\"{radius}\"")
    };
    let mark = format!(
        "{shape} fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\"/>"
    );
    if !is_last {
        return mark;
    }
    let inset = size / 12;
    let side = size - 2 * inset;
    format!(
        "{mark}<rect class=\"last\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"3\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".5\"/>",
        x + inset,
        y + inset,
    )
}
