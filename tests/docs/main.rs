//! Tests of the documentation.

mod chapters;
mod debug;
mod layers;
mod listings;
