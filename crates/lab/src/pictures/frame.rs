//! The parts that all pictures share: title, plot, axes, grid.

use super::axis::{Axis, Tick};
use super::drawing::{Drawing, Place, Text};
use super::font::{self, shortened, wrapped};
use super::palette::{FAINT, INK};
use super::{MAX_SIZE, MIN_SIZE, PictureError};
use plotters::style::text_anchor::HPos;

/// Sizes of text, and distances, in pixels.
pub(super) const TEXT: f64 = 14.0;
const TITLE: f64 = 18.0;
const TICK_TEXT: f64 = 13.0;
pub(super) const MARGIN: f64 = 16.0;
const TICK: f64 = 5.0;
/// The least distance of two labels side by side; that of two labels one above the other follows.
const APART: f64 = 10.0;
const LINES: f64 = 34.0;
/// The least side of a plot: a smaller one is not readable.
const LEAST: f64 = 20.0;

pub(super) fn check_size((width, height): (u32, u32)) -> Result<(), PictureError> {
    let range = MIN_SIZE..=MAX_SIZE;
    let fits = range.contains(&width) && range.contains(&height);
    if fits { Ok(()) } else { Err(PictureError::Size { width, height }) }
}

/// The rectangle within the axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plot {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub foot: f64,
}

impl Plot {
    pub fn x(&self, axis: &Axis, value: f64) -> f64 {
        self.left + axis.share(value) * (self.right - self.left)
    }

    pub fn y(&self, axis: &Axis, value: f64) -> f64 {
        self.foot - axis.share(value) * (self.foot - self.top)
    }

    /// Checks that the plot is large enough.
    pub fn check(&self, (width, height): (u32, u32)) -> Result<(), PictureError> {
        let fits = self.right - self.left >= LEAST && self.foot - self.top >= LEAST;
        if fits { Ok(()) } else { Err(PictureError::NoRoom { what: "the plot", width, height }) }
    }

    /// Returns the approximate number of ticks of the y axis.
    pub fn lines(&self) -> usize {
        (((self.foot - self.top) / LINES / 1.6) as usize).clamp(2, 8)
    }
}

/// Draws the title at the left, and returns the height below it.
pub(super) fn title(drawing: &mut Drawing, title: &str) -> Result<f64, PictureError> {
    let room = f64::from(drawing.size.0) - 2.0 * MARGIN;
    let mut foot = MARGIN - 4.0;
    for line in wrapped(title, TITLE, true, room, 3)? {
        foot += TITLE * 1.25;
        let text = Text::new(line, (MARGIN, foot - 0.3 * TITLE), HPos::Left, TITLE);
        drawing.text(Text { bold: true, ..text });
    }
    Ok(foot + 12.0)
}

/// The height that the x axis takes below the plot.
pub(super) fn below(x_label: &str) -> f64 {
    let label = if x_label.is_empty() { 0.0 } else { TEXT + 10.0 };
    TICK + 5.0 + TICK_TEXT + label + MARGIN - 4.0
}

/// The width that the y axis takes to the left of the plot.
pub(super) fn beside(y_label: &str, ticks: &[Tick]) -> Result<f64, PictureError> {
    let label = if y_label.is_empty() { 0.0 } else { TEXT + 10.0 };
    let widest = font::widest(ticks.iter().map(|tick| &*tick.label), TICK_TEXT)?;
    Ok(MARGIN + label + widest + TICK + 4.0)
}

/// Returns whether labels side by side do not touch.
pub(super) fn fit_across(plot: &Plot, axis: &Axis, ticks: &[Tick]) -> Result<bool, PictureError> {
    let mut last = f64::NEG_INFINITY;
    for tick in ticks {
        let (middle, half) = (plot.x(axis, tick.value), font::room(&tick.label, TICK_TEXT, false)? / 2.0);
        if middle - half < last + APART {
            return Ok(false);
        }
        last = middle + half;
    }
    Ok(true)
}

/// The ticks of a y axis.
pub(super) fn ticks_up(plot: &Plot, axis: &Axis) -> Result<Vec<Tick>, PictureError> {
    axis.ticks(plot.lines() + 2, |ticks| {
        let heights: Vec<f64> = ticks.iter().map(|tick| plot.y(axis, tick.value)).collect();
        Ok(ticks.len() > 1 && heights.windows(2).all(|pair| pair[0] - pair[1] >= LINES))
    })
}

/// The ticks of an x axis.
pub(super) fn ticks_across(plot: &Plot, axis: &Axis) -> Result<Vec<Tick>, PictureError> {
    axis.ticks(10, |ticks| fit_across(plot, axis, ticks))
}

/// Draws the x axis: grid, line, ticks, numbers, label.
pub(super) fn draw_x(
    drawing: &mut Drawing,
    plot: &Plot,
    axis: &Axis,
    ticks: &[Tick],
    label: &str,
) -> Result<(), PictureError> {
    let foot = plot.foot;
    drawing.line(vec![(plot.left, foot), (plot.right, foot)], INK, 1.0);
    for tick in ticks {
        let x = plot.x(axis, tick.value);
        drawing.line(vec![(x, foot), (x, foot + TICK)], INK, 1.0);
        let place = (x, foot + TICK + 5.0 + 0.75 * TICK_TEXT);
        drawing.text(Text::new(tick.label.as_str(), place, HPos::Center, TICK_TEXT));
    }
    let place: Place = ((plot.left + plot.right) / 2.0, foot + TICK + 5.0 + TICK_TEXT + 9.0 + 0.75 * TEXT);
    // The label is centred below the plot, and may be as wide as the nearer edge of the picture allows.
    let room = 2.0 * place.0.min(f64::from(drawing.size.0) - place.0) - MARGIN;
    drawing.text(Text::new(shortened(label, TEXT, false, room)?, place, HPos::Center, TEXT));
    Ok(())
}

/// Draws the y axis: line, ticks, numbers, label.
pub(super) fn draw_y(
    drawing: &mut Drawing,
    plot: &Plot,
    axis: &Axis,
    ticks: &[Tick],
    label: &str,
) -> Result<(), PictureError> {
    drawing.line(vec![(plot.left, plot.foot), (plot.left, plot.top)], INK, 1.0);
    for tick in ticks {
        let y = plot.y(axis, tick.value);
        drawing.line(vec![(plot.left - TICK, y), (plot.left, y)], INK, 1.0);
        let place = (plot.left - TICK - 4.0, y);
        drawing.text(Text::centred(tick.label.as_str(), place, HPos::Right, TICK_TEXT));
    }
    let middle = (plot.top + plot.foot) / 2.0;
    let room = 2.0 * middle.min(f64::from(drawing.size.1) - middle) - MARGIN;
    let place = (MARGIN + 0.75 * TEXT, middle);
    let text = Text::new(shortened(label, TEXT, false, room)?, place, HPos::Center, TEXT);
    drawing.text(Text { upwards: true, ..text });
    Ok(())
}

/// Draws the grid behind a plot.
pub(super) fn draw_grid(drawing: &mut Drawing, plot: &Plot, across: (&Axis, &[Tick]), up: (&Axis, &[Tick])) {
    for tick in across.1 {
        let x = plot.x(across.0, tick.value);
        drawing.line(vec![(x, plot.foot), (x, plot.top)], FAINT, 1.0);
    }
    for tick in up.1 {
        let y = plot.y(up.0, tick.value);
        drawing.line(vec![(plot.left, y), (plot.right, y)], FAINT, 1.0);
    }
}
