//! Curves over a logarithmic axis, each with its name next to its end.

use super::axis::Axis;
use super::{COLOURS, FAINT, FONT, INK, TEXT};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::path::Path;

pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

pub struct Picture {
    pub title: &'static str,
    pub across: &'static str,
    pub up: &'static str,
    pub up_is_log: bool,
    pub curves: Vec<Curve>,
}

const SIZE: (u32, u32) = (840, 480);
/// The room for the names at the right, and the least distance between two of them, in pixels.
const NAMES: i32 = 124;
const APART: i32 = 18;

impl Picture {
    pub fn draw(&self, file: &Path) -> Result<(), Box<dyn Error>> {
        let (across, up) = self.axes();
        let area = SVGBackend::new(file, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, (FONT, 20).into_font().color(&INK))
            .margin(12)
            .margin_right(NAMES)
            .x_label_area_size(52)
            .y_label_area_size(74)
            .build_cartesian_2d(across, up)?;
        chart
            .configure_mesh()
            .bold_line_style(FAINT)
            .light_line_style(FAINT)
            .axis_style(INK)
            .x_desc(self.across)
            .y_desc(self.up)
            .axis_desc_style((FONT, TEXT + 1).into_font().color(&INK))
            .label_style((FONT, TEXT).into_font().color(&INK))
            .draw()?;

        let right = chart.plotting_area().get_pixel_range().0.end + 14;
        let mut names = Vec::new();
        // Draws the first curve last, over the others.
        for (curve, colour) in self.curves.iter().zip(COLOURS).rev() {
            let points = &curve.points;
            chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
            if let Some(end) = points.last() {
                names.push((chart.backend_coord(end), &curve.name, colour));
            }
        }
        drop(chart);

        names.sort_by_key(|((_, height), ..)| *height);
        let middle = Pos::new(HPos::Left, VPos::Center);
        for ((end, name, colour), height) in
            names.iter().zip(spread(&names.iter().map(|name| name.0.1).collect::<Vec<_>>()))
        {
            let leader = vec![(end.0 + 6, end.1), (right - 10, end.1), (right - 2, height)];
            area.draw(&PathElement::new(leader, colour.mix(0.5)))?;
            let style = TextStyle::from((FONT, TEXT).into_font()).color(colour).pos(middle);
            area.draw(&Text::new(name.as_str(), (right, height), style))?;
        }
        area.present()?;
        Ok(())
    }

    fn axes(&self) -> (Axis, Axis) {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let ends = |of: fn(&(f64, f64)) -> f64| {
            let least = points().map(of).fold(f64::INFINITY, f64::min);
            (least, points().map(of).fold(0.0, f64::max))
        };
        let ((left, right), (low, high)) = (ends(|point| point.0), ends(|point| point.1));
        let up = if self.up_is_log { Axis::logarithmic(low, high) } else { Axis::linear(high) };
        (Axis::logarithmic(left, right), up)
    }
}

/// Moves sorted heights apart so that names do not overlap.
fn spread(heights: &[i32]) -> Vec<i32> {
    let mut apart = heights.to_vec();
    // First moves names down, then moves those that went too far halfway up again.
    for index in 1..apart.len() {
        apart[index] = apart[index].max(apart[index - 1] + APART);
    }
    let mut last = i32::MAX;
    for (place, wanted) in apart.iter_mut().zip(heights).rev() {
        *place = (*place - (*place - wanted) / 2).min(last.saturating_sub(APART));
        last = *place;
    }
    for index in 1..apart.len() {
        apart[index] = apart[index].max(apart[index - 1] + APART);
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_overlap() {
        for heights in [vec![10, 12, 14, 200], vec![100; 7], vec![5, 300], vec![50, 60, 61, 90, 91]] {
            let apart = spread(&heights);
            assert!(apart.windows(2).all(|pair| pair[1] - pair[0] >= APART), "{apart:?}");
        }
        assert_eq!(spread(&[5, 300]), [5, 300]);
    }
}
