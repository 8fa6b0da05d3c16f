//! Maximum-likelihood strengths from a table of results, with their covariance.

use super::elo::{ELO_PER_LOGIT, expected_score};
use super::matrix;
use crate::several::extent;

/// The points that entrants took from each other, including virtual ones: `points[i][j]` is what i took from
/// j.
pub(super) type Points = [Vec<f64>];

/// The strengths θ with mean 0 that maximise `Σ points[i][j] ln p(i, j)`, where `p(i, j) = 1 / (1 +
/// exp(θ[j] - θ[i]))`, and their covariance, from the observed information on the space of mean 0.
///
/// All entrants must be connected by pairs in which both have points. Returns `None` if numbers are too large
/// for double precision.
///
/// Uses Newton's method. Each step is shortened so that it increases the likelihood: by the factor `ln(1 + d)
/// / d`, where d is the greatest change of a difference of two strengths (the third derivative of the
/// logistic loss is at most its second: Bach, *Self-concordant analysis for logistic regression*, 2010).
pub(super) fn maximise(points: &Points) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let (mut strengths, mut settled) = (vec![0.0; points.len()], false);
    for _ in 0..ROUNDS {
        let (gradient, covariance) = derivatives(points, &strengths)?;
        if settled {
            return Some((strengths, covariance));
        }
        let step: Vec<f64> =
            covariance.iter().map(|row| row.iter().zip(&gradient).map(|(c, g)| c * g).sum()).collect();
        let (least, greatest) = extent(step.iter().copied());
        let change = greatest - least;
        let share = if change > 0.0 { libm::log(1.0 + change) / change } else { 1.0 };
        for (strength, step) in strengths.iter_mut().zip(step) {
            *strength += share * step;
        }
        // From here on each step squares the error, so this was the last step that matters.
        settled = change < 1e-6;
    }
    None
}

/// The gradient of the log-likelihood, and the inverse of its negated second derivative on the space of mean
/// 0.
fn derivatives(points: &Points, strengths: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let size = points.len();
    let mut gradient = vec![0.0; size];
    let mut information = vec![vec![0.0; size]; size];
    for i in 0..size {
        for j in (0..size).filter(|&j| j != i) {
            // Two functions instead of one and its complement: 1 - p has no digits left where p is nearly 1.
            let lead = ELO_PER_LOGIT * (strengths[i] - strengths[j]);
            let (win, loss) = (expected_score(lead), expected_score(-lead));
            let weight = (points[i][j] + points[j][i]) * win * loss;
            gradient[i] += points[i][j] * loss - points[j][i] * win;
            information[i][i] += weight;
            information[i][j] -= weight;
        }
    }
    // Adding the same number to all strengths changes nothing, so the matrix is singular. Adding c / k to
    // every element makes it invertible; the inverse is then the wanted one plus 1 / (c k) everywhere. For
    // accuracy, c has the magnitude of the matrix.
    let k = size as f64;
    let c = (0..size).map(|i| information[i][i]).sum::<f64>() / k;
    add(&mut information, c / k);
    let mut covariance = matrix::inverse(&information)?;
    add(&mut covariance, -1.0 / (c * k));
    Some((gradient, covariance))
}

fn add(matrix: &mut [Vec<f64>], term: f64) {
    matrix.iter_mut().flatten().for_each(|entry| *entry += term);
}

/// Newton's method takes about ten steps; the first ones are short if an entrant beats all others.
const ROUNDS: usize = 500;
