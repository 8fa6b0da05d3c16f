//! The ends of an axis, the positions of its lines, and the format of its numbers.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// An axis.
#[derive(Clone)]
pub struct Axis {
    range: Range<f64>,
    ticks: Vec<f64>,
    is_log: bool,
}

/// A round number, and the distance between the lines up to it.
const ROUND: [(f64, f64); 9] = [
    (1.0, 0.2),
    (1.5, 0.5),
    (2.0, 0.5),
    (3.0, 0.5),
    (4.0, 1.0),
    (5.0, 1.0),
    (6.0, 1.0),
    (8.0, 2.0),
    (10.0, 2.0),
];

impl Axis {
    /// Makes an axis from zero to a round number above the greatest.
    pub fn linear(greatest: f64) -> Self {
        let power = 10f64.powf(greatest.max(1e-9).log10().floor());
        let round = ROUND.into_iter().find(|(end, _)| end * power >= greatest * 1.02);
        let (end, step) = round.unwrap_or((15.0, 5.0));
        let ticks = (0..).map(|index| f64::from(index) * step * power);
        let range = 0.0..end * power;
        let ticks = ticks.take_while(|tick| *tick <= range.end * 1.001).collect();
        Axis { range, ticks, is_log: false }
    }

    /// Makes a logarithmic axis from the power of ten below the least number to the one above the greatest.
    pub fn logarithmic(least: f64, greatest: f64) -> Self {
        let least = (least.max(1e-9).log10() + 1e-9).floor() as i32;
        let greatest = ((greatest.max(1e-9).log10() - 1e-9).ceil() as i32).max(least + 1);
        let ticks = (least..=greatest).map(power_of_ten).collect();
        Axis { range: power_of_ten(least)..power_of_ten(greatest), ticks, is_log: true }
    }

    /// Makes a logarithmic axis from a little below the least to a little above the greatest number,
    /// including 1.
    pub fn of_ratios(least: f64, greatest: f64) -> Self {
        let range = (least * 0.9).min(0.8)..(greatest * 1.15).max(2.0);
        let ticks = (-3..=4).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power_of_ten(power)));
        let ticks = ticks.filter(|tick| range.contains(tick)).collect();
        Axis { range, ticks, is_log: true }
    }
}

/// Returns the power of ten, exactly where an `f64` can represent it.
fn power_of_ten(power: i32) -> f64 {
    if power < 0 { 1.0 / 10f64.powi(-power) } else { 10f64.powi(power) }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// Returns the pixel of a number.
    fn map(&self, number: &f64, (first, last): (i32, i32)) -> i32 {
        let place = |number: f64| if self.is_log { number.log10() } else { number };
        let (start, end) = (place(self.range.start), place(self.range.end));
        let share = (place(*number) - start) / (end - start);
        first + (share * f64::from(last - first)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(number: &f64) -> String {
        match *number {
            1e6.. => format!("1e{:.0}", number.log10()),
            1e4.. => format!("{:.0} {:03.0}", (number / 1e3).floor(), number % 1e3),
            1e-9.. => format!("{}", (number * 1e6).round() / 1e6),
            _ => "0".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        let ends = [1.0, 1.7, 740.0, 1380.0].map(|greatest| Axis::linear(greatest).range.end);
        assert_eq!(ends, [1.5, 2.0, 800.0, 1500.0]);
        assert_eq!(Axis::linear(1380.0).ticks, [0.0, 500.0, 1000.0, 1500.0]);
        assert_eq!(Axis::logarithmic(1e3, 1e7).ticks, [1e3, 1e4, 1e5, 1e6, 1e7]);
        assert_eq!(Axis::logarithmic(0.4, 42.0).range, 0.1..100.0);
        assert_eq!(Axis::of_ratios(0.95, 5.0).ticks, [1.0, 2.0, 5.0]);
        assert_eq!(Axis::logarithmic(1.0, 100.0).map(&10.0, (50, 150)), 100);
    }

    #[test]
    fn numbers_at_lines_are_short() {
        let numbers = [0.0, 0.1, 0.5, 1.0, 1e3, 1e4, 1e5, 1e7];
        let texts = numbers.map(|number| Axis::format(&number));
        assert_eq!(texts, ["0", "0.1", "0.5", "1", "1000", "10 000", "100 000", "1e7"]);
    }
}
