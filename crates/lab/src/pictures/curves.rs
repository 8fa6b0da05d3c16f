//! Curves over a parameter.

use super::axis::{Axis, Scale, Tick};
use super::curve::{Curve, Intervals};
use super::drawing::{Draw, Drawing, Place};
use super::frame::{self, MARGIN, Plot};
use super::key::Key;
use super::palette::{DIM, OF_CURVES};
use super::{PictureError, check_some, marker};
use plotters::style::RGBColor;

/// Curves over a parameter, with bands or error bars: for example strength over time, regret over plays, or
/// the share of the best action over iterations.
///
/// Each curve has its name beside its end, and a marker and dashes that distinguish it without colour.
///
/// ```
/// use ramure_lab::contest::Estimate;
/// use ramure_lab::pictures::{Curve, Curves, Picture, Scale};
///
/// let figure = |value: f64| Estimate { value, low: value - 0.05, high: value + 0.05 };
/// let picture = Curves::new("Connect 4: strength over time")
///     .x_label("time per action [ms]")
///     .x_scale(Scale::Log10)
///     .y_label("mean reward")
///     .y_percent()
///     .curve(Curve::of_estimates("mcts", [(1.0, figure(0.6)), (10.0, figure(0.8)), (100.0, figure(0.9))]))
///     .curve(Curve::new("mc", [(1.0, 0.5), (10.0, 0.6), (100.0, 0.7)]))
///     .guide(0.5, "even");
/// assert!(picture.svg()?.contains("even"));
/// # Ok::<(), ramure_lab::pictures::PictureError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Curves {
    title: String,
    x_label: String,
    y_label: String,
    x_scale: Scale,
    y_scale: Scale,
    y_percent: bool,
    y_within: Option<(f64, f64)>,
    curves: Vec<Curve>,
    guides: Vec<(f64, String)>,
    size: (u32, u32),
}

/// The length of the line and marker beside a name.
const SAMPLE: f64 = 28.0;
/// Half the length of the cap of an error bar.
const CAP: f64 = 4.0;
/// Points at least this far apart have a marker each; of points closer together, some have one.
const MARKERS_APART: f64 = 16.0;
const FEW_MARKERS: usize = 8;

impl Curves {
    /// Creates an empty picture with a title.
    pub fn new(title: impl Into<String>) -> Self {
        Curves {
            title: title.into(),
            x_label: String::new(),
            y_label: String::new(),
            x_scale: Scale::Linear,
            y_scale: Scale::Linear,
            y_percent: false,
            y_within: None,
            curves: Vec::new(),
            guides: Vec::new(),
            size: (800, 480),
        }
    }

    setters! {
        /// Sets what x is, with its unit, as in `"time per action [ms]"`. \[Default: none\]
        x_label(label: impl Into<String>) => x_label = label.into();

        /// Sets what y is, with its unit. \[Default: none\]
        y_label(label: impl Into<String>) => y_label = label.into();

        /// Sets how the x axis is divided. On a logarithmic axis, every x must be positive. \[Default:
        /// [`Scale::Linear`]\]
        x_scale(scale: Scale) => x_scale = scale;

        /// Sets how the y axis is divided. On a logarithmic axis, every figure must be positive: leave out
        /// those that are zero. \[Default: [`Scale::Linear`]\]
        y_scale(scale: Scale) => y_scale = scale;

        /// Writes y as a percentage: 0.5 as 50 %. \[Default: as a number\]
        y_percent() => y_percent = true;

        /// Extends the y axis at least from `low` to `high`. \[Default: the range of the data, and zero if it
        /// is near\]
        y_within(low: f64, high: f64) => y_within = Some((low, high));
    }

    /// Adds a curve. Earlier curves are drawn over later ones.
    pub fn curve(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    /// Adds a dashed horizontal line at this height, with its name beside it, such as `"50 %"` or `"bound"`.
    pub fn guide(mut self, y: f64, name: impl Into<String>) -> Self {
        self.guides.push((y, name.into()));
        self
    }

    /// Sets the width and height in pixels, each in 200 to 8000. \[Default: 800, 480\]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    fn check(&self) -> Result<(), PictureError> {
        frame::check_size(self.size)?;
        check_some(self.curves.len(), "curves")?;
        self.curves.iter().try_for_each(|curve| curve.check(self.x_scale, self.y_scale))?;
        self.y_scale.check("guides", self.guides.iter().map(|guide| guide.0))?;
        self.y_scale.check("y_within", self.y_within.into_iter().flat_map(|(low, high)| [low, high]))
    }

    fn xs(&self) -> impl Iterator<Item = f64> {
        self.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0))
    }

    fn axes(&self) -> (Axis, Axis) {
        let heights = self.curves.iter().flat_map(|curve| curve.heights(self.y_scale));
        let others = self.guides.iter().map(|guide| guide.0);
        let within = self.y_within.into_iter().flat_map(|(low, high)| [low, high]);
        let up = Axis::over(self.y_scale, heights.chain(others).chain(within));
        let up = Axis { is_percent: self.y_percent, ..up };
        (Axis::over(self.x_scale, self.xs()).with_zero(0.1), up.with_zero(0.5))
    }

    /// At the values themselves, if these are few and on a logarithmic axis.
    fn ticks(&self, plot: &Plot, axis: &Axis) -> Result<Vec<Tick>, PictureError> {
        let mut values: Vec<f64> = self.xs().collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let own = axis.ticks_at(if values.len() <= 12 { &values } else { &[] });
        let fits = !own.is_empty() && (self.x_scale != Scale::Linear || own.len() == 1);
        if fits && frame::fit_across(plot, axis, &own)? {
            return Ok(own);
        }
        frame::ticks_across(plot, axis)
    }

    fn colour(&self, index: usize) -> RGBColor {
        self.curves[index].colour.unwrap_or(OF_CURVES[index % OF_CURVES.len()]).rgb()
    }

    fn draw_curve(&self, drawing: &mut Drawing, index: usize, points: Vec<Place>) {
        let (curve, colour) = (&self.curves[index], self.colour(index));
        let [first, last] = [points.first(), points.last()].map(|end| end.map_or(0.0, |place| place.0));
        let is_far_apart = last - first >= MARKERS_APART * (points.len() as f64 - 1.0);
        let marked: Vec<Place> = if is_far_apart {
            points.clone()
        } else {
            // Curves have their markers at different places, so that markers of overlapping curves are side
            // by side.
            let place = |step: usize| {
                first + (last - first) * (step as f64 + (index % 4) as f64 / 4.0) / FEW_MARKERS as f64
            };
            let nearest = |x: f64| points.iter().find(|point| point.0 >= x).copied();
            (0..FEW_MARKERS).filter_map(|step| nearest(place(step))).collect()
        };
        if curve.points.len() > 1 {
            marker::stroke(drawing, index, points, colour);
        }
        marked.into_iter().for_each(|place| marker::mark(drawing, index, place, colour));
    }
}

impl Draw for Curves {
    fn drawing(&self) -> Result<Drawing, PictureError> {
        self.check()?;
        let mut drawing = Drawing::new(self.size);
        let top = frame::title(&mut drawing, &self.title)?;
        let curves = self.curves.iter().map(|curve| curve.name.as_str());
        let names: Vec<&str> = curves.chain(self.guides.iter().map(|guide| guide.1.as_str())).collect();
        let key = Key::measured(&names, SAMPLE, self.size)?;
        let (across, up) = self.axes();
        let mut plot = Plot {
            left: MARGIN,
            right: f64::from(self.size.0) - key.width,
            top,
            foot: f64::from(self.size.1) - frame::below(&self.x_label),
        };
        plot.check(self.size)?;
        let up = up.rounded(plot.lines());
        let ticks_up = frame::ticks_up(&plot, &up)?;
        plot.left = frame::beside(&self.y_label, &ticks_up)?;
        plot.check(self.size)?;
        let ticks = self.ticks(&plot, &across)?;
        frame::draw_grid(&mut drawing, &plot, (&across, &ticks), (&up, &ticks_up));

        let place = |x: f64, y: f64| (plot.x(&across, x), plot.y(&up, y));
        for (index, curve) in self.curves.iter().enumerate() {
            if curve.intervals == Intervals::Band {
                let upper = curve.points.iter().map(|(x, point)| place(*x, point.high));
                let lower = curve.points.iter().rev().map(|(x, point)| place(*x, point.low));
                drawing.polygon(upper.chain(lower).collect(), self.colour(index), 0.18);
            }
        }
        for (y, _) in &self.guides {
            let y = plot.y(&up, *y);
            drawing.dashed(&[(plot.left, y), (plot.right, y)], (6.0, 4.0), DIM, 1.2);
        }
        frame::draw_x(&mut drawing, &plot, &across, &ticks, &self.x_label)?;
        frame::draw_y(&mut drawing, &plot, &up, &ticks_up, &self.y_label)?;
        for (index, curve) in self.curves.iter().enumerate().rev() {
            if curve.intervals == Intervals::Bars
                || (curve.intervals == Intervals::Band && curve.points.len() == 1)
            {
                for (x, point) in &curve.points {
                    let [low, high] = [point.low, point.high].map(|y| place(*x, y));
                    let colour = self.colour(index);
                    drawing.line(vec![low, high], colour, 1.2);
                    for (x, y) in [low, high] {
                        drawing.line(vec![(x - CAP, y), (x + CAP, y)], colour, 1.2);
                    }
                }
            }
        }
        for (index, curve) in self.curves.iter().enumerate().rev() {
            let points = curve.points.iter().map(|(x, point)| place(*x, point.value)).collect();
            self.draw_curve(&mut drawing, index, points);
        }

        let last = |curve: &Curve| curve.points.last().map(|(x, point)| place(*x, point.value));
        let ends = self.curves.iter().map(|curve| last(curve).unwrap_or((plot.right, plot.foot)));
        let guides = self.guides.iter().map(|(y, _)| (plot.right, plot.y(&up, *y)));
        let samples = key.draw(&mut drawing, &plot, &ends.chain(guides).collect::<Vec<_>>())?;
        for (index, (x, y)) in samples.into_iter().enumerate() {
            let line = vec![(x - SAMPLE / 2.0, y), (x + SAMPLE / 2.0, y)];
            if index < self.curves.len() {
                marker::stroke(&mut drawing, index, line, self.colour(index));
                marker::mark(&mut drawing, index, (x, y), self.colour(index));
            } else {
                drawing.dashed(&line, (6.0, 4.0), DIM, 1.2);
            }
        }
        Ok(drawing)
    }
}
