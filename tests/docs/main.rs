//! Tests of the documentation.

mod chapters;
mod layers;
mod listings;
mod readme;
mod traits;
mod words;
