//! The pictures: SVG with text as text, on white, in colours that colour-blind readers can tell apart.

mod axis;
mod bars;
mod curves;

use crate::Measured;
use crate::tables::FIRST;
use curves::{Curve, Picture};
use plotters::prelude::RGBColor;
use std::error::Error;
use std::path::Path;

/// The palette of Okabe and Ito (2008), without the yellow, which is pale on white. The first colour is
/// ramure's.
const COLOURS: [RGBColor; 7] = [
    RGBColor(213, 94, 0),    // vermilion
    RGBColor(0, 0, 0),       // black
    RGBColor(0, 114, 178),   // blue
    RGBColor(0, 158, 115),   // bluish green
    RGBColor(204, 121, 167), // reddish purple
    RGBColor(86, 180, 233),  // sky blue
    RGBColor(230, 159, 0),   // orange
];

const INK: RGBColor = RGBColor(34, 34, 34);
const FAINT: RGBColor = RGBColor(225, 225, 225);
const FONT: &str = "sans-serif";
/// The size of the text at the axes and at the curves, in pixels.
const TEXT: i32 = 16;

/// Draws all pictures into the folder.
pub fn draw(measured: &Measured, folder: &Path) -> Result<(), Box<dyn Error>> {
    growth(measured, &folder.join("growth.svg"))?;
    first_result(measured, &folder.join("first_result.svg"))?;
    policies(measured, &folder.join("policies.svg"))
}

fn growth(measured: &Measured, file: &Path) -> Result<(), Box<dyn Error>> {
    let curves = measured.growth_runs.iter().map(|row| {
        let points = row.columns.iter().map(|column| (column.iterations as f64, column.median()));
        Curve { name: row.package.clone(), points: points.filter(|(_, time)| time.is_finite()).collect() }
    });
    let picture = Picture {
        title: "Connect 4: time per iteration over the length of the search",
        across: "iterations",
        up: "time per iteration [ns]",
        up_is_log: false,
        curves: curves.collect(),
    };
    picture.draw(file)
}

fn first_result(measured: &Measured, file: &Path) -> Result<(), Box<dyn Error>> {
    let curves = ["fresh", "warm"].map(|way| {
        let points = FIRST.iter().map(|&iterations| {
            let each = measured.benches.per_element("first result", way, &iterations.to_string());
            (iterations as f64, each * iterations as f64 / 1e3)
        });
        Curve { name: way.into(), points: points.filter(|(_, time)| time.is_finite()).collect() }
    });
    let picture = Picture {
        title: "Connect 4: time from a state to an action",
        across: "iterations",
        up: "time [µs]",
        up_is_log: true,
        curves: curves.into(),
    };
    picture.draw(file)
}

fn policies(measured: &Measured, file: &Path) -> Result<(), Box<dyn Error>> {
    let rows = &measured.policy_runs;
    let base = rows.first().and_then(|row| row.columns.last()).ok_or("no policies")?;
    let bars: Vec<_> = rows
        .iter()
        .filter_map(|row| Some((row.settings.replace('`', ""), row.columns.last()?.times(base))))
        .filter(|(_, times)| times.is_finite())
        .collect();
    bars::draw(
        file,
        "Connect 4: the cost of policies",
        "time per iteration, relative to Ucb1 with Average (logarithmic)",
        &bars,
    )
}
