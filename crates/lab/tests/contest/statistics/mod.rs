//! The statistics of contests, compared with closed forms, brute force, published figures, and the laws they
//! promise.
#![allow(
    clippy::disallowed_methods,
    reason = "tests may use the platform's own functions, in double precision"
)]

mod estimate;
mod ratings;
mod sprt;

use ramure::Rng;
use ramure_lab::contest::Estimate;

/// The number of standard deviations about the mean that hold 95 % of a normal distribution.
const Z: f64 = 1.959_963_984_540_054;

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} and {b}");
}

fn covers(estimate: Estimate, truth: f64) -> bool {
    (estimate.low..=estimate.high).contains(&truth)
}

/// Draws the score of one game, which has this expected score and is a draw with a probability of `draws`.
fn game(rng: &mut Rng, score: f64, draws: f64) -> f64 {
    let (draw, unit) = (draws / 2.0, rng.unit());
    if unit < score - draw {
        1.0
    } else if unit < score + draw {
        0.5
    } else {
        0.0
    }
}
