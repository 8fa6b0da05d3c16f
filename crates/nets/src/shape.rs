//! The shape of what a network reads.

use std::fmt;

/// The shape of the input of a network, for one position.
///
/// ```
/// use ramure_nets::Shape;
/// let shape = Shape::Planes { channels: 2, height: 6, width: 7 };
/// assert_eq!(shape.len(), 84);
/// assert_eq!(shape.to_string(), "2 planes of 6 x 7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Planes of the size of a board, for convolutions. The number for a cell is at `(channel * height +
    /// row) * width + column`.
    Planes {
        /// The number of planes.
        channels: usize,
        /// The number of rows.
        height: usize,
        /// The number of columns.
        width: usize,
    },
    /// A list of numbers.
    Features(usize),
}

impl Shape {
    /// Returns the number of numbers.
    #[expect(clippy::len_without_is_empty, reason = "no network has an empty input")]
    pub fn len(self) -> usize {
        match self {
            Shape::Planes { channels, height, width } => {
                channels.saturating_mul(height).saturating_mul(width)
            }
            Shape::Features(features) => features,
        }
    }

    /// Returns the dimensions, without that of the batch.
    pub(crate) fn dimensions(self) -> Vec<usize> {
        match self {
            Shape::Planes { channels, height, width } => vec![channels, height, width],
            Shape::Features(features) => vec![features],
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Planes { channels, height, width } => write!(f, "{channels} planes of {height} x {width}"),
            Shape::Features(features) => write!(f, "{features} numbers"),
        }
    }
}
