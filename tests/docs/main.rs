//! What is written about the crate.

mod chapters;
mod layers;
mod readme;
