//! Drawings: the marks of a picture and their positions, independent of what paints them.

use super::PictureError;
use super::palette::{INK, WHITE};
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

/// A picture that has marks. This trait seals `Picture`, because no other crate can name it.
pub trait Draw {
    fn drawing(&self) -> Result<Drawing, PictureError>;
}

/// A position in pixels, from the left and from the top.
pub type Place = (f64, f64);

/// A picture as marks, the first at the back.
pub struct Drawing {
    pub size: (u32, u32),
    pub marks: Vec<Mark>,
}

pub enum Mark {
    Polygon { corners: Vec<Place>, fill: RGBColor, alpha: f64 },
    Line { points: Vec<Place>, colour: RGBColor, width: f64 },
    Circle { centre: Place, radius: f64, fill: RGBColor },
    Text(Text),
}

/// A line of text.
pub struct Text {
    pub text: String,
    /// The position of its anchor, on the baseline.
    pub place: Place,
    /// The part of the text that is at its position.
    pub anchor: HPos,
    /// Pixels per em.
    pub size: f64,
    pub colour: RGBColor,
    pub bold: bool,
    /// Whether the text reads upwards.
    pub upwards: bool,
}

/// The height of a digit, in ems. A text's baseline is half of it below the middle.
pub const DIGIT: f64 = 0.716;

impl Text {
    pub fn new(text: impl Into<String>, place: Place, anchor: HPos, size: f64) -> Self {
        Text { text: text.into(), place, anchor, size, colour: INK, bold: false, upwards: false }
    }

    /// A text whose middle, not its baseline, is at this height.
    pub fn centred(text: impl Into<String>, (x, y): Place, anchor: HPos, size: f64) -> Self {
        Text::new(text, (x, y + DIGIT * size / 2.0), anchor, size)
    }
}

impl Drawing {
    pub fn new(size: (u32, u32)) -> Self {
        let (right, foot) = (f64::from(size.0), f64::from(size.1));
        let mut drawing = Drawing { size, marks: Vec::new() };
        drawing.polygon(vec![(0.0, 0.0), (right, 0.0), (right, foot), (0.0, foot)], WHITE, 1.0);
        drawing
    }

    pub fn polygon(&mut self, corners: Vec<Place>, fill: RGBColor, alpha: f64) {
        self.marks.push(Mark::Polygon { corners, fill, alpha });
    }

    pub fn line(&mut self, points: Vec<Place>, colour: RGBColor, width: f64) {
        self.marks.push(Mark::Line { points, colour, width });
    }

    pub fn circle(&mut self, centre: Place, radius: f64, fill: RGBColor) {
        self.marks.push(Mark::Circle { centre, radius, fill });
    }

    pub fn text(&mut self, text: Text) {
        self.marks.push(Mark::Text(text));
    }

    /// A dashed line. A stroke and the gap after it have these lengths in pixels.
    pub fn dashed(&mut self, points: &[Place], (stroke, gap): (f64, f64), colour: RGBColor, width: f64) {
        let (mut is_stroke, mut left) = (true, stroke);
        let mut dash: Vec<Place> = points.first().copied().into_iter().collect();
        for pair in points.windows(2) {
            let [(mut x, mut y), end] = [pair[0], pair[1]];
            loop {
                let (across, down) = (end.0 - x, end.1 - y);
                let length = (across * across + down * down).sqrt();
                if length <= left {
                    left -= length;
                    dash.push(end);
                    break;
                }
                (x, y) = (x + across * left / length, y + down * left / length);
                dash.push((x, y));
                if is_stroke {
                    self.line(core::mem::take(&mut dash), colour, width);
                }
                is_stroke = !is_stroke;
                left = if is_stroke { stroke } else { gap };
                dash = vec![(x, y)];
            }
        }
        if is_stroke && dash.len() > 1 {
            self.line(dash, colour, width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Drawing, Mark};
    use crate::pictures::palette::INK;

    #[test]
    fn dashes_continue_around_corners() {
        let mut drawing = Drawing::new((200, 200));
        drawing.dashed(&[(0.0, 0.0), (5.0, 0.0), (5.0, 10.0)], (8.0, 4.0), INK, 1.0);
        let lines: Vec<_> = drawing
            .marks
            .iter()
            .filter_map(|mark| if let Mark::Line { points, .. } = mark { Some(points.clone()) } else { None })
            .collect();
        let expected = [vec![(0.0, 0.0), (5.0, 0.0), (5.0, 3.0)], vec![(5.0, 7.0), (5.0, 10.0)]];
        assert_eq!(lines, expected);
    }
}
