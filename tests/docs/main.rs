//! Tests of the documentation.

mod chapters;
mod layers;
mod readme;
mod traits;
