//! Pictures of the results of contests and experiments, as SVG and PNG. Uses `contest` and all layers below
//! it.
//!
//! - [`StackedAreas`]: shares over a parameter, such as wins of red, wins of yellow and ties.
//! - [`Curves`]: figures over a parameter, with bands or error bars, on linear or logarithmic axes.
//! - [`RatingsChart`]: one figure with its interval for each name.
//!
//! A picture is plain data. Fill it in with setters; then [`Picture::svg`] returns it as text, and
//! [`Picture::save`] writes it to a file. The data are checked then, and faults are returned as a
//! [`PictureError`].
//!
//! ```
//! use ramure_lab::pictures::{Picture, Scale, StackedAreas};
//!
//! let picture = StackedAreas::new("Connect 4: red searches, yellow plays flat Monte-Carlo")
//!     .x_label("iterations per action")
//!     .x_scale(Scale::Log2)
//!     .x_values([48.0, 96.0, 192.0])
//!     .area("red wins", [0.26, 0.40, 0.60])
//!     .area("yellow wins", [0.72, 0.58, 0.36])
//!     .area("ties", [0.02, 0.02, 0.04]);
//! assert!(picture.svg()?.contains("iterations per action"));
//! # let folder = std::env::temp_dir().join("ramure-doc-pictures");
//! # std::fs::create_dir_all(&folder)?;
//! picture.save(folder.join("red.png"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Appearance
//!
//! Pictures have a white background, a thin grid, and names beside what they name. The colours are those of
//! Okabe and Ito (2008), which colour-blind readers can distinguish. Curves also differ in markers and
//! dashes, areas in lightness. Names and labels that are too long get an ellipsis in the middle; titles are
//! wrapped into up to three lines.
//!
//! SVG files store text as text, and ask for Arial or a font of the same width. PNG files are drawn with an
//! embedded font, which has Latin and Greek letters, punctuation, superscripts, arrows and some mathematics;
//! other characters are drawn as empty boxes.
//!
//! The same data give the same SVG, byte for byte.

mod areas;
mod axis;
mod curve;
mod curves;
mod drawing;
mod error;
mod font;
mod frame;
mod key;
mod marker;
mod number;
mod paint;
mod palette;
mod ratings_chart;

pub use areas::StackedAreas;
pub use axis::Scale;
pub use curve::Curve;
pub use curves::Curves;
pub use error::PictureError;
pub use palette::Colour;
pub use ratings_chart::RatingsChart;

use drawing::Draw;
use std::path::Path;

/// The least and the greatest width and height, in pixels.
const MIN_SIZE: u32 = 200;
const MAX_SIZE: u32 = 8000;

/// A type that can be drawn: [`StackedAreas`], [`Curves`] or [`RatingsChart`]. The trait is sealed: other
/// types cannot implement it.
pub trait Picture: Draw {
    /// Returns the picture as the text of an SVG file.
    ///
    /// # Errors
    ///
    /// Returns [`PictureError`] if the data or the size break a condition that their setters state.
    fn svg(&self) -> Result<String, PictureError> {
        paint::svg(&self.drawing()?)
    }

    /// Writes the picture to a file: as SVG if its name ends in `.svg`, as PNG if it ends in `.png`. An
    /// existing file is replaced.
    ///
    /// A PNG of 800 by 480 pixels takes about 50 ms and 20 MB, a larger one up to a few seconds and 250 MB.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`svg`](Picture::svg), and [`PictureError`] if the name ends in anything else or
    /// if the file cannot be written.
    fn save(&self, path: impl AsRef<Path>) -> Result<(), PictureError> {
        let path = path.as_ref();
        let is =
            |extension: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
        if is("png") {
            return paint::png(&self.drawing()?, path);
        }
        if !is("svg") {
            return Err(PictureError::Format { path: path.into() });
        }
        let svg = self.svg()?;
        std::fs::write(path, svg)
            .map_err(|error| PictureError::File { path: path.into(), kind: error.kind() })
    }
}

impl Picture for StackedAreas {}
impl Picture for Curves {}
impl Picture for RatingsChart {}

/// Checks that x values rise.
fn check_order(name: &str, values: &[f64]) -> Result<(), PictureError> {
    match values.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(index) => Err(PictureError::Order { name: name.into(), index: index + 1 }),
        None => Ok(()),
    }
}

/// Checks that there is at least one.
fn check_some(count: usize, what: &str) -> Result<(), PictureError> {
    if count > 0 { Ok(()) } else { Err(PictureError::Empty { what: what.into() }) }
}
