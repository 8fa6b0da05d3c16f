//! Errors of pictures.

use super::{MAX_SIZE, MIN_SIZE};
use crate::contest::Estimate;
use std::io;
use std::path::PathBuf;

/// Why a picture cannot be drawn or saved. Each `index` counts from 0, in the order in which the data were
/// given.
#[derive(thiserror::Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum PictureError {
    /// A picture or a curve has no data.
    #[error("the picture has no {what}; give it at least one")]
    Empty {
        /// The missing part: `"x values"`, `"areas"`, `"curves"`, `"rows"`, or the points of a curve.
        what: String,
    },
    /// A number is NaN, infinite, or beyond 1e100.
    #[error("number {index} of '{name}' is {value}; it must be finite and within 1e100 of zero")]
    Number {
        /// The series, row or axis.
        name: String,
        /// The index of the number.
        index: usize,
        /// The number.
        value: f64,
    },
    /// A number on a logarithmic axis is zero, negative, or below 1e-100.
    #[error(
        "number {index} of '{name}' is {value}; on a logarithmic axis it must be at least 1e-100; leave it \
         out or choose Scale::Linear"
    )]
    NotPositive {
        /// The series or axis.
        name: String,
        /// The index of the number.
        index: usize,
        /// The number.
        value: f64,
    },
    /// An x value is not greater than the one before it.
    #[error(
        "x value {index} of '{name}' is not greater than the one before it; sort them and remove duplicates"
    )]
    Order {
        /// The series or axis.
        name: String,
        /// The index of the x value.
        index: usize,
    },
    /// A series does not have one number for each x value.
    #[error("'{name}' has {found} shares for {expected} x values; give it one for each")]
    Length {
        /// The series.
        name: String,
        /// The number of x values.
        expected: usize,
        /// The number of numbers in the series.
        found: usize,
    },
    /// A share is below 0 or above 1.
    #[error("share {index} of '{name}' is {value}; it must be in [0, 1]")]
    Share {
        /// The series.
        name: String,
        /// The index of the share.
        index: usize,
        /// The share.
        value: f64,
    },
    /// The shares at an x value do not sum to 1, to within 0.002.
    #[error("the shares at x = {x} sum to {sum}; they must sum to 1")]
    Sum {
        /// The x value.
        x: f64,
        /// The sum.
        sum: f64,
    },
    /// An interval does not contain its figure.
    #[error("figure {index} of '{name}' is {estimate}; it must lie in its interval")]
    Interval {
        /// The series or row.
        name: String,
        /// The index of the figure.
        index: usize,
        /// The figure with its interval.
        estimate: Estimate,
    },
    /// The width or height of a picture is not in 200 to 8000 pixels.
    #[error("the picture is {width} x {height} pixels; both must be in {MIN_SIZE} to {MAX_SIZE}")]
    Size {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// A part does not fit into a picture of this size.
    #[error("no room for {what} in {width} x {height} pixels; make the picture larger")]
    NoRoom {
        /// The part that does not fit.
        what: &'static str,
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The name of a file does not end in `.svg` or `.png`.
    #[error("'{}' ends in neither .svg nor .png; choose one of them", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error("'{}' cannot be written: {kind}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        kind: io::ErrorKind,
    },
    /// plotters could not draw the picture. This is a fault of this crate; please report it.
    #[error("plotters could not draw the picture; please report it")]
    Drawing,
}

ramure::debug_as_sentence!(PictureError);
