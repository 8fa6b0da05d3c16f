//! Games of the portfolio that no other part of this project has. Each has a plain second program of its rules in its tests.

#[path = "../../../breakthrough.rs"]
mod breakthrough;
mod dots;
mod kalah;
mod othello;
mod tricks;

pub use breakthrough::{Breakthrough, Step};
pub use dots::{Dots, Line};
pub use kalah::{House, Kalah};
pub use othello::{Othello, Place};
pub use tricks::{TrickAction, Tricks};
