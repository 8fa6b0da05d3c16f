//! Shares over a parameter, as stacked areas.

use super::axis::{Axis, Scale, Tick};
use super::drawing::{DIGIT, Draw, Drawing, Place, Text};
use super::frame::{self, Plot, TEXT};
use super::key::Key;
use super::palette::{Colour, INK, OF_AREAS, WHITE};
use super::{PictureError, check_order, check_some, font};
use plotters::style::text_anchor::HPos;

/// Shares that sum to 1 over a parameter, as stacked areas: for example, the shares of the games of a sweep
/// that red wins, that yellow wins, and that are ties.
///
/// The first area is at the bottom. Put the most important areas first and last, because they can be read off
/// from the bottom and from the top. A dashed line marks 50 %. Ticks are at the x values if these are few
/// enough.
///
/// ```
/// use ramure_lab::pictures::{Colour, Picture, Scale, StackedAreas};
///
/// let picture = StackedAreas::new("Connect 4: exploration constants")
///     .x_label("exploration constant c")
///     .x_scale(Scale::Log2)
///     .x_values([0.25, 0.5, 1.0, 2.0])
///     .area("red wins", [0.5, 0.625, 0.75, 0.5])
///     .area_in(Colour::Grey, "ties", [0.125, 0.125, 0.0, 0.0])
///     .area_in(Colour::Yellow, "yellow wins", [0.375, 0.25, 0.25, 0.5])
///     .size(640, 400);
/// let svg = picture.svg()?;
/// assert!(svg.contains("red wins") && svg.contains("0.25") && svg.contains("50 %"));
/// # Ok::<(), ramure_lab::pictures::PictureError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct StackedAreas {
    title: String,
    x_label: String,
    x_scale: Scale,
    x_values: Vec<f64>,
    areas: Vec<Area>,
    size: (u32, u32),
}

#[derive(Clone, PartialEq, Debug)]
struct Area {
    name: String,
    colour: Colour,
    shares: Vec<f64>,
}

/// The tolerance of sums: shares are often written with three digits.
const TOLERANCE: f64 = 0.002;
/// The ticks of the y axis; a plot lower than this, in pixels, has ticks at the halves.
const LOW: f64 = 110.0;
const HALVES: [f64; 3] = [0.0, 0.5, 1.0];
const QUARTERS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The side of the square beside a name.
const SWATCH: f64 = 13.0;

impl StackedAreas {
    /// Creates an empty picture with a title.
    pub fn new(title: impl Into<String>) -> Self {
        StackedAreas {
            title: title.into(),
            x_label: String::new(),
            x_scale: Scale::Linear,
            x_values: Vec::new(),
            areas: Vec::new(),
            size: (800, 480),
        }
    }

    setters! {
        /// Sets what the x values are, with their unit, as in `"time per action [ms]"`. \[Default: none\]
        x_label(label: impl Into<String>) => x_label = label.into();

        /// Sets how the x axis is divided. \[Default: [`Scale::Linear`]\]
        x_scale(scale: Scale) => x_scale = scale;

        /// Sets the values of the parameter, rising; positive on a logarithmic axis. With a single value, the
        /// areas become a column.
        x_values(values: impl IntoIterator<Item = f64>) => x_values = values.into_iter().collect();
    }

    /// Adds an area on top of the others: its share in \[0, 1\] at each x value. Its colour is the next of
    /// vermilion, yellow, grey, blue, orange, bluish green, sky blue and reddish purple.
    pub fn area(self, name: impl Into<String>, shares: impl IntoIterator<Item = f64>) -> Self {
        let colour = OF_AREAS[self.areas.len() % OF_AREAS.len()];
        self.area_in(colour, name, shares)
    }

    /// Adds an area in a colour of your choice.
    pub fn area_in(
        mut self,
        colour: Colour,
        name: impl Into<String>,
        shares: impl IntoIterator<Item = f64>,
    ) -> Self {
        self.areas.push(Area { name: name.into(), colour, shares: shares.into_iter().collect() });
        self
    }

    /// Sets the width and height in pixels, each in 200 to 8000. \[Default: 800, 480\]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    fn check(&self) -> Result<(), PictureError> {
        frame::check_size(self.size)?;
        check_some(self.x_values.len(), "x values")?;
        check_some(self.areas.len(), "areas")?;
        self.x_scale.check("x", self.x_values.iter().copied())?;
        check_order("x", &self.x_values)?;
        for Area { name, shares, .. } in &self.areas {
            let (expected, found) = (self.x_values.len(), shares.len());
            if expected != found {
                return Err(PictureError::Length { name: name.clone(), expected, found });
            }
            Scale::Linear.check(name, shares.iter().copied())?;
            let outside = |share: &f64| !(-1e-9..=1.0 + 1e-9).contains(share);
            if let Some(index) = shares.iter().position(outside) {
                return Err(PictureError::Share { name: name.clone(), index, value: shares[index] });
            }
        }
        for (index, &x) in self.x_values.iter().enumerate() {
            let sum = self.sum(index);
            if (sum - 1.0).abs() > TOLERANCE {
                return Err(PictureError::Sum { x, sum });
            }
        }
        Ok(())
    }

    fn sum(&self, index: usize) -> f64 {
        self.areas.iter().map(|area| area.shares[index]).sum()
    }

    /// The height of the lower edge of each area at each x value; the last entry is the upper edge, one.
    fn heights(&self) -> Vec<Vec<f64>> {
        let mut height = vec![0.0; self.x_values.len()];
        let mut heights = vec![height.clone()];
        for area in &self.areas {
            for (index, height) in height.iter_mut().enumerate() {
                *height += area.shares[index].max(0.0) / self.sum(index);
            }
            heights.push(height.clone());
        }
        heights
    }

    fn ticks(&self, plot: &Plot, axis: &Axis) -> Result<Vec<Tick>, PictureError> {
        let own = axis.ticks_at(&self.x_values);
        if own.len() <= 16 && frame::fit_across(plot, axis, &own)? {
            return Ok(own);
        }
        frame::ticks_across(plot, axis)
    }
}

impl Draw for StackedAreas {
    fn drawing(&self) -> Result<Drawing, PictureError> {
        self.check()?;
        let mut drawing = Drawing::new(self.size);
        let top = frame::title(&mut drawing, &self.title)?;
        let across = Axis::over(self.x_scale, self.x_values.iter().copied());
        let up = Axis { scale: Scale::Linear, low: 0.0, high: 1.0, is_percent: true };
        let foot = f64::from(self.size.1) - frame::below(&self.x_label);
        let ticks_up = up.ticks_at(if foot - top < LOW { &HALVES } else { &QUARTERS });
        let names: Vec<&str> = self.areas.iter().map(|area| area.name.as_str()).collect();
        let key = Key::measured(&names, SWATCH, self.size)?;
        let plot = Plot {
            left: frame::beside("", &ticks_up)?,
            right: f64::from(self.size.0) - key.width,
            top,
            foot,
        };
        plot.check(self.size)?;
        let ticks = self.ticks(&plot, &across)?;

        // A single x value gives a column in the middle.
        let mut xs: Vec<f64> = self.x_values.iter().map(|&value| plot.x(&across, value)).collect();
        let mut heights = self.heights();
        if let [x] = xs[..] {
            let quarter = (plot.right - plot.left) / 4.0;
            xs = vec![x - quarter, x + quarter];
            heights.iter_mut().for_each(|height| height.push(height[0]));
        }
        let lines: Vec<Vec<Place>> = heights
            .iter()
            .map(|height| xs.iter().zip(height).map(|(&x, &share)| (x, plot.y(&up, share))).collect())
            .collect();

        frame::draw_grid(&mut drawing, &plot, (&across, &[]), (&up, &ticks_up));
        for (area, edges) in self.areas.iter().zip(lines.windows(2)) {
            let corners = edges[0].iter().chain(edges[1].iter().rev()).copied().collect();
            drawing.polygon(corners, area.colour.rgb(), 1.0);
        }
        // A white line between neighbours separates them in grey prints too.
        for edge in &lines[1..lines.len() - 1] {
            drawing.line(edge.clone(), WHITE, 1.2);
        }
        let middle = plot.y(&up, 0.5);
        drawing.dashed(&[(plot.left, middle), (plot.right, middle)], (6.0, 4.0), INK, 1.2);
        for (area, edges) in self.areas.iter().zip(lines.windows(2)) {
            if let Some((place, text)) = label_within(&area.name, &edges[0], &edges[1], middle)? {
                let text = Text::centred(text, place, HPos::Center, TEXT);
                drawing.text(Text { colour: area.colour.ink_on(), ..text });
            }
        }
        frame::draw_x(&mut drawing, &plot, &across, &ticks, &self.x_label)?;
        frame::draw_y(&mut drawing, &plot, &up, &ticks_up, "")?;

        let end = |edge: &[Place]| edge.last().copied().unwrap_or((plot.right, plot.foot));
        let ends: Vec<Place> =
            lines.windows(2).map(|edges| (plot.right, (end(&edges[0]).1 + end(&edges[1]).1) / 2.0)).collect();
        for (area, (x, y)) in self.areas.iter().zip(key.draw(&mut drawing, &plot, &ends)?) {
            let half = SWATCH / 2.0;
            let corners =
                vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)];
            drawing.polygon(corners, area.colour.rgb(), 1.0);
        }
        Ok(drawing)
    }
}

/// Where a name has the most room between two edges, if it fits at all; never on the line at 50 %.
fn label_within(
    name: &str,
    foot: &[Place],
    top: &[Place],
    guide: f64,
) -> Result<Option<(Place, String)>, PictureError> {
    let half = font::room(name, TEXT, false)? / 2.0 + 6.0;
    let tall = DIGIT * TEXT / 2.0 + 7.0;
    let (Some(first), Some(last)) = (foot.first(), foot.last()) else { return Ok(None) };
    let (first, last) = (first.0 + half, last.0 - half);
    let mut best: Option<(f64, Place)> = None;
    for step in 0..=60 {
        let x = first + (last - first) * f64::from(step) / 60.0;
        let (low, high) =
            (outermost(foot, x - half, x + half, f64::min), outermost(top, x - half, x + half, f64::max));
        for (low, high) in [(low.min(guide), high), (low, high.max(guide))] {
            let room = low - high;
            // Among positions with equal room, prefer the middle.
            let score = room - (f64::from(step) - 30.0).abs() * 0.5;
            if last >= first && room >= 2.0 * tall && best.is_none_or(|(most, _)| score > most) {
                best = Some((score, (x, (low + high) / 2.0)));
            }
        }
    }
    Ok(best.map(|(_, place)| (place, name.to_owned())))
}

/// The extreme of an edge between two x: at these, and at the corners between them.
fn outermost(edge: &[Place], from: f64, to: f64, extreme: fn(f64, f64) -> f64) -> f64 {
    let at = |x: f64| {
        let pair = edge.windows(2).find(|pair| x <= pair[1].0).or_else(|| edge.windows(2).last());
        pair.map_or(0.0, |pair| {
            let share = (x - pair[0].0) / (pair[1].0 - pair[0].0);
            pair[0].1 + share.clamp(0.0, 1.0) * (pair[1].1 - pair[0].1)
        })
    };
    let between = edge.iter().filter(|place| place.0 > from && place.0 < to).map(|place| place.1);
    between.fold(extreme(at(from), at(to)), extreme)
}
