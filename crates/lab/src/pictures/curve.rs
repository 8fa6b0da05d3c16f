//! One curve.

use super::axis::Scale;
use super::palette::Colour;
use super::{PictureError, check_order, check_some};
use crate::contest::Estimate;

/// A curve of [`Curves`](super::Curves): a name, and a figure at each of its x values.
///
/// ```
/// use ramure_lab::contest::Estimate;
/// use ramure_lab::pictures::{Colour, Curve};
///
/// let plain = Curve::new("bound", [(1.0, 10.0), (2.0, 14.0)]).colour(Colour::Black);
/// let figure = Estimate { value: 0.7, low: 0.6, high: 0.8 };
/// let measured = Curve::of_estimates("UCB1", [(1.0, figure), (2.0, figure)]).band();
/// # let _ = (plain, measured);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    pub(super) name: String,
    pub(super) points: Vec<(f64, Estimate)>,
    pub(super) intervals: Intervals,
    pub(super) colour: Option<Colour>,
}

/// How intervals are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Intervals {
    None,
    Bars,
    Band,
}

impl Curve {
    /// Creates a curve through points (x, y), in the order of rising x.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let certain = |(x, value)| (x, Estimate { value, low: value, high: value });
        let points = points.into_iter().map(certain).collect();
        Curve { name: name.into(), points, intervals: Intervals::None, colour: None }
    }

    /// Creates a curve through figures with intervals, drawn as error bars, in the order of rising x.
    ///
    /// On a logarithmic axis, an interval that reaches down to zero or below is drawn down to the foot of the
    /// plot.
    pub fn of_estimates(name: impl Into<String>, points: impl IntoIterator<Item = (f64, Estimate)>) -> Self {
        let points = points.into_iter().collect();
        Curve { name: name.into(), points, intervals: Intervals::Bars, colour: None }
    }

    /// Draws the intervals as one band, which is clearer for many points. \[Default: error bars\]
    pub fn band(mut self) -> Self {
        self.intervals = Intervals::Band;
        self
    }

    /// Sets the colour. \[Default: the next of vermilion, black, blue, bluish green, reddish purple, sky blue
    /// and orange\]
    pub fn colour(mut self, colour: Colour) -> Self {
        self.colour = Some(colour);
        self
    }

    /// Checks that the curve can be drawn on these axes.
    pub(super) fn check(&self, x_scale: Scale, y_scale: Scale) -> Result<(), PictureError> {
        let name = self.name.as_str();
        check_some(self.points.len(), &format!("points of the curve '{name}'"))?;
        let xs: Vec<f64> = self.points.iter().map(|point| point.0).collect();
        x_scale.check(name, xs.iter().copied())?;
        check_order(name, &xs)?;
        y_scale.check(name, self.points.iter().map(|point| point.1.value))?;
        check_intervals(name, self.points.iter().map(|point| &point.1))
    }

    /// All values that the y axis must cover; of intervals, those that fit the scale.
    pub(super) fn heights(&self, y_scale: Scale) -> impl Iterator<Item = f64> {
        let positive = y_scale != Scale::Linear;
        let heights = self.points.iter().flat_map(|(_, point)| [point.value, point.low, point.high]);
        heights.filter(move |height| !positive || *height > 1e-100)
    }
}

/// Checks that figures lie in their intervals.
pub(super) fn check_intervals<'a>(
    name: &str,
    estimates: impl Iterator<Item = &'a Estimate>,
) -> Result<(), PictureError> {
    for (index, estimate) in estimates.enumerate() {
        Scale::Linear.check(name, [estimate.low, estimate.high]).map_err(|error| match error {
            PictureError::Number { name, value, .. } => PictureError::Number { name, index, value },
            other => other,
        })?;
        if estimate.low > estimate.value || estimate.value > estimate.high {
            return Err(PictureError::Interval { name: name.into(), index, estimate: *estimate });
        }
    }
    Ok(())
}
