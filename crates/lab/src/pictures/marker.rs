//! The markers on curves, which distinguish curves without colour.

use super::drawing::{Drawing, Place};
use super::palette::WHITE;
use plotters::style::RGBColor;

/// The corners of markers, in radii. The first marker, a disc, has none. Each is about as large as the disc.
const CORNERS: [&[Place]; 7] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.25), (1.15, 0.8), (-1.15, 0.8)],
    &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    &[(0.0, 1.25), (1.15, -0.8), (-1.15, -0.8)],
    &[
        (-0.4, -1.2),
        (0.4, -1.2),
        (0.4, -0.4),
        (1.2, -0.4),
        (1.2, 0.4),
        (0.4, 0.4),
        (0.4, 1.2),
        (-0.4, 1.2),
        (-0.4, 0.4),
        (-1.2, 0.4),
        (-1.2, -0.4),
        (-0.4, -0.4),
    ],
    &[(0.0, -1.25), (1.19, -0.39), (0.73, 1.01), (-0.73, 1.01), (-1.19, -0.39)],
];
const RADIUS: f64 = 4.0;
/// The strokes and gaps of the first seven curves, of the next seven, and so on.
const DASHES: [Option<(f64, f64)>; 3] = [None, Some((9.0, 5.0)), Some((2.5, 4.0))];

/// Draws the `index`th marker, with a white rim.
pub(super) fn mark(drawing: &mut Drawing, index: usize, place: Place, colour: RGBColor) {
    for (radius, fill) in [(RADIUS + 1.3, WHITE), (RADIUS, colour)] {
        match CORNERS[index % CORNERS.len()] {
            [] => drawing.circle(place, radius, fill),
            corners => {
                let corners = corners.iter().map(|(x, y)| (place.0 + x * radius, place.1 + y * radius));
                drawing.polygon(corners.collect(), fill, 1.0);
            }
        }
    }
}

/// Draws the line of the `index`th curve.
pub(super) fn stroke(drawing: &mut Drawing, index: usize, points: Vec<Place>, colour: RGBColor) {
    match DASHES[index / CORNERS.len() % DASHES.len()] {
        None => drawing.line(points, colour, 2.0),
        Some(dash) => drawing.dashed(&points, dash, colour, 2.0),
    }
}
