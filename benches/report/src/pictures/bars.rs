//! Bars of ratios, from 1 to the left or to the right, on a logarithmic axis. Each bar has its name and its
//! number.

use super::axis::Axis;
use super::{COLOURS, FAINT, FONT, INK, TEXT};
use crate::numbers::digits;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::path::Path;

const WIDTH: u32 = 840;
const BAR: u32 = 30;
/// Room for the names.
const NAMES: u32 = 210;

/// Draws a bar for each ratio. The others are compared with the first.
pub fn draw(file: &Path, title: &str, unit: &str, bars: &[(String, f64)]) -> Result<(), Box<dyn Error>> {
    let ratios = || bars.iter().map(|bar| bar.1);
    let axis = Axis::of_ratios(ratios().fold(1.0, f64::min), ratios().fold(1.0, f64::max));
    let count = bars.len() as f64;
    let area = SVGBackend::new(file, (WIDTH, 110 + BAR * bars.len() as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, (FONT, 20).into_font().color(&INK))
        .margin(12)
        .margin_right(60)
        .x_label_area_size(52)
        .y_label_area_size(NAMES)
        .build_cartesian_2d(axis, count..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .bold_line_style(FAINT)
        .light_line_style(FAINT)
        .axis_style(INK)
        .x_desc(unit)
        .axis_desc_style((FONT, TEXT + 1).into_font().color(&INK))
        .label_style((FONT, TEXT).into_font().color(&INK))
        .draw()?;
    let bar = |(index, (_, ratio)): (usize, &(String, f64))| {
        let (top, low, high) = (index as f64, ratio.min(1.0), ratio.max(1.0));
        Rectangle::new([(low, top + 0.18), (high, top + 0.82)], COLOURS[2].filled())
    };
    chart.draw_series(bars.iter().enumerate().map(bar))?;
    chart.draw_series([PathElement::new([(1.0, 0.0), (1.0, count)], INK.stroke_width(2))])?;
    let left = chart.plotting_area().get_pixel_range().0.start;
    let ends: Vec<_> = bars
        .iter()
        .enumerate()
        .map(|(index, bar)| chart.backend_coord(&(bar.1.max(1.0), index as f64 + 0.5)))
        .collect();
    drop(chart);
    let style =
        |side| TextStyle::from((FONT, TEXT).into_font()).color(&INK).pos(Pos::new(side, VPos::Center));
    for ((name, ratio), (right, height)) in bars.iter().zip(ends) {
        area.draw(&Text::new(name.as_str(), (left - 10, height), style(HPos::Right)))?;
        area.draw(&Text::new(digits(*ratio), (right + 8, height), style(HPos::Left)))?;
    }
    area.present()?;
    Ok(())
}
