//! Games of the portfolio that no other part of this project has. Each has a plain second program of its
//! rules in its tests.

mod dots;
mod kalah;
mod othello;
mod tricks;

pub use dots::{Dots, Line};
pub use kalah::{House, Kalah};
pub use othello::{Othello, Place};
pub use tricks::{TrickAction, Tricks};

use std::cmp::Ordering;

/// Returns the reward of the player with `own` points against `other`.
fn result<T: Ord>(own: T, other: T) -> f64 {
    match own.cmp(&other) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}
