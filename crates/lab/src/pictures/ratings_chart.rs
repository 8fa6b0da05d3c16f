//! One figure with its interval for each name.

use super::axis::{Axis, Scale};
use super::curve::check_intervals;
use super::drawing::{Draw, Drawing, Text};
use super::font::{shortened, widest};
use super::frame::{self, MARGIN, Plot, TEXT};
use super::number::{exponent, fixed};
use super::palette::{Colour, DIM, FAINT, INK};
use super::{PictureError, check_some};
use crate::contest::Estimate;
use plotters::style::text_anchor::HPos;

/// Figures with their intervals, one row for each name, such as Elo ratings of agents. A row shows a dot on a
/// line, and the figures as numbers at the right. Rows keep the order in which they are given.
///
/// ```
/// use ramure_lab::contest::Estimate;
/// use ramure_lab::pictures::{Picture, RatingsChart};
///
/// let picture = RatingsChart::new("Connect 4: ratings")
///     .x_label("Elo")
///     .row("mcts:768", Estimate { value: 212.0, low: 180.0, high: 247.0 })
///     .row("random", Estimate { value: -212.0, low: -250.0, high: -177.0 })
///     .guide(0.0, "mean");
/// assert!(picture.svg()?.contains("mcts:768"));
/// # Ok::<(), ramure_lab::pictures::PictureError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct RatingsChart {
    title: String,
    x_label: String,
    rows: Vec<(String, Estimate)>,
    guides: Vec<(f64, String)>,
    size: Option<(u32, u32)>,
}

/// The preferred height of a row; the least follows.
const ROW: f64 = 28.0;
const LEAST_ROW: f64 = 10.0;
/// The greatest share of the width for names.
const MOST: f64 = 0.35;
const GUIDE_TEXT: f64 = 12.0;

impl RatingsChart {
    /// Creates an empty picture with a title.
    pub fn new(title: impl Into<String>) -> Self {
        RatingsChart {
            title: title.into(),
            x_label: String::new(),
            rows: Vec::new(),
            guides: Vec::new(),
            size: None,
        }
    }

    /// Sets what the figures are, with their unit. \[Default: none\]
    pub fn x_label(mut self, label: impl Into<String>) -> Self {
        self.x_label = label.into();
        self
    }

    /// Adds a row below the others.
    pub fn row(mut self, name: impl Into<String>, figure: Estimate) -> Self {
        self.rows.push((name.into(), figure));
        self
    }

    /// Adds a dashed vertical line at this figure, with its name above it.
    pub fn guide(mut self, x: f64, name: impl Into<String>) -> Self {
        self.guides.push((x, name.into()));
        self
    }

    /// Sets the width and height in pixels, each in 200 to 8000. \[Default: 800, and 28 for each row plus
    /// 110\]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = Some((width, height));
        self
    }

    fn pixels(&self) -> (u32, u32) {
        let height = 110.0 + ROW * self.rows.len() as f64;
        self.size.unwrap_or((800, height.clamp(200.0, 8000.0) as u32))
    }

    fn axis(&self) -> Axis {
        let figures = self.rows.iter().flat_map(|(_, figure)| [figure.value, figure.low, figure.high]);
        Axis::over(Scale::Linear, figures.chain(self.guides.iter().map(|guide| guide.0))).padded(0.04)
    }

    /// The figures as numbers, to about a hundredth of the axis.
    fn numbers(&self) -> Vec<String> {
        let axis = self.axis();
        let finest = exponent((axis.high - axis.low) / 100.0);
        let written = |value| fixed(value, finest);
        let row = |(_, figure): &(String, Estimate)| {
            format!("{} [{}, {}]", written(figure.value), written(figure.low), written(figure.high))
        };
        self.rows.iter().map(row).collect()
    }

    fn check(&self) -> Result<(), PictureError> {
        frame::check_size(self.pixels())?;
        check_some(self.rows.len(), "rows")?;
        Scale::Linear.check("guides", self.guides.iter().map(|guide| guide.0))?;
        for (name, figure) in &self.rows {
            Scale::Linear.check(name, [figure.value])?;
            check_intervals(name, [figure].into_iter())?;
        }
        Ok(())
    }
}

impl Draw for RatingsChart {
    fn drawing(&self) -> Result<Drawing, PictureError> {
        self.check()?;
        let size = self.pixels();
        let mut drawing = Drawing::new(size);
        let mut top = frame::title(&mut drawing, &self.title)?;
        if !self.guides.is_empty() {
            top += GUIDE_TEXT + 2.0;
        }
        let foot = f64::from(size.1) - frame::below(&self.x_label);
        let row = (foot - top) / self.rows.len() as f64;
        if row < LEAST_ROW {
            return Err(PictureError::NoRoom { what: "the rows", width: size.0, height: size.1 });
        }
        let text = TEXT.min(row * 0.85);
        let most = f64::from(size.0) * MOST;
        let numbers = self.numbers();
        let names = self.rows.iter().map(|(name, _)| shortened(name, text, false, most));
        let names = names.collect::<Result<Vec<_>, _>>()?;
        let [name, number] = [&names, &numbers].map(|texts| widest(texts.iter().map(String::as_str), text));
        let (left, right) = (MARGIN + name? + 10.0, f64::from(size.0) - MARGIN - number? - 16.0);
        let plot = Plot { left, right, top, foot };
        plot.check(size)?;
        let axis = self.axis();
        let ticks = frame::ticks_across(&plot, &axis)?;

        frame::draw_grid(&mut drawing, &plot, (&axis, &ticks), (&axis, &[]));
        for (value, name) in &self.guides {
            let x = plot.x(&axis, *value);
            drawing.dashed(&[(x, foot), (x, top)], (6.0, 4.0), DIM, 1.2);
            let room = 2.0 * x.min(f64::from(size.0) - x) - MARGIN;
            let name = shortened(name, GUIDE_TEXT, false, room)?;
            let label = Text::new(name, (x, top - 5.0), HPos::Center, GUIDE_TEXT);
            drawing.text(Text { colour: DIM, ..label });
        }
        frame::draw_x(&mut drawing, &plot, &axis, &ticks, &self.x_label)?;
        drawing.line(vec![(left, foot), (left, top)], INK, 1.0);
        let colour = Colour::Blue.rgb();
        for (index, ((_, figure), (name, numbers))) in
            self.rows.iter().zip(names.into_iter().zip(numbers)).enumerate()
        {
            let y = top + (index as f64 + 0.5) * row;
            drawing.line(vec![(left, y), (right, y)], FAINT, 1.0);
            let [low, value, high] =
                [figure.low, figure.value, figure.high].map(|value| plot.x(&axis, value));
            let cap = (row * 0.18).min(5.0);
            drawing.line(vec![(low, y), (high, y)], colour, 2.0);
            for end in [low, high] {
                drawing.line(vec![(end, y - cap), (end, y + cap)], colour, 2.0);
            }
            drawing.circle((value, y), (row * 0.2).min(5.0), colour);
            drawing.text(Text::centred(name, (left - 10.0, y), HPos::Right, text));
            drawing.text(Text::centred(numbers, (right + 16.0, y), HPos::Left, text));
        }
        Ok(drawing)
    }
}
