//! The ends of an axis, and the positions of its ticks.

use super::PictureError;
use super::number::{exponent, number, plain, power_of_ten, power_of_two};
use crate::several::extent;

/// How an axis is divided.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Scale {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Logarithmic, with ticks at powers of 2: equal ratios are equally far apart.
    Log2,
    /// Logarithmic, with ticks at powers of 10: equal ratios are equally far apart.
    Log10,
}

/// The greatest number on an axis; calculations with greater ones could overflow.
const GREATEST: f64 = 1e100;

impl Scale {
    /// Checks that these values can be drawn on this scale.
    pub(super) fn check(self, name: &str, values: impl IntoIterator<Item = f64>) -> Result<(), PictureError> {
        for (index, value) in values.into_iter().enumerate() {
            let name = || name.to_owned();
            if value.is_nan() || value.abs() > GREATEST {
                return Err(PictureError::Number { name: name(), index, value });
            }
            if self != Scale::Linear && value < 1.0 / GREATEST {
                return Err(PictureError::NotPositive { name: name(), index, value });
            }
        }
        Ok(())
    }

    /// The number that is proportional to the position on the axis.
    fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Log2 => libm::log2(value),
            Scale::Log10 => libm::log10(value),
        }
    }

    fn value(self, place: f64) -> f64 {
        match self {
            Scale::Linear => place,
            Scale::Log2 => libm::exp2(place),
            Scale::Log10 => libm::exp10(place),
        }
    }
}

/// A line across an axis, with its label.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

/// An axis without ticks, over checked values: `low` is at its start, `high` at its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Axis {
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
    /// Whether numbers are written as percentages.
    pub is_percent: bool,
}

impl Axis {
    /// From the least to the greatest of these values, or around the value if there is only one.
    pub fn over(scale: Scale, values: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = extent(values);
        let (first, last) = (scale.place(low), scale.place(high));
        let axis = Axis { scale, low, high, is_percent: false };
        // If the values were closer together, labels would have too many digits.
        let least = if scale == Scale::Linear { 1e-6 * low.abs().max(high.abs()) } else { 1e-3 };
        if last - first > least.max(1e-90) {
            return axis;
        }
        let half = match scale {
            Scale::Linear if low.abs() < 1e-80 => 0.5,
            Scale::Linear => 0.1 * low.abs().max(high.abs()),
            _ => 0.5,
        };
        Axis { low: scale.value(first - half), high: scale.value(last + half), ..axis }
    }

    /// Starts a linear axis at zero if zero is near: if the least value is at most `far` times the greatest.
    pub fn with_zero(mut self, far: f64) -> Self {
        if self.scale == Scale::Linear && self.low > 0.0 && self.low <= far * self.high {
            self.low = 0.0;
        }
        self
    }

    /// Extends the axis by this share of its length at both ends.
    pub fn padded(self, share: f64) -> Self {
        let (first, last) = (self.scale.place(self.low), self.scale.place(self.high));
        let more = (last - first) * share;
        let (low, high) = (self.scale.value(first - more), self.scale.value(last + more));
        Axis { low, high, ..self }
    }

    /// Extends the axis to round numbers, for about this many ticks.
    pub fn rounded(self, ticks: usize) -> Self {
        if self.scale == Scale::Linear {
            let step = step_above((self.high - self.low) / ticks as f64);
            let over = (self.high - self.low) * 0.04;
            // To a round number, unless most of a step would be empty.
            let outwards = |value: f64, side: f64| {
                let near = (value / step).round() * step;
                let round = (side * value / step).ceil() * step * side;
                match (round - value).abs() {
                    // A number that is round except for rounding errors stays.
                    _ if (value - near).abs() < 1e-6 * step => near,
                    gap if gap > 0.6 * step => value + side * over,
                    _ => round,
                }
            };
            return Axis { low: outwards(self.low, -1.0), high: outwards(self.high, 1.0), ..self };
        }
        if self.scale == Scale::Log2 {
            let low = libm::exp2((libm::log2(self.low) + 1e-9).floor());
            return Axis { low, high: libm::exp2((libm::log2(self.high) - 1e-9).ceil()), ..self };
        }
        let digits = |value: f64| [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power_of_ten(exponent(value)));
        let low = digits(self.low).into_iter().rev().find(|round| *round <= self.low * (1.0 + 1e-9));
        let high = digits(self.high).into_iter().find(|round| *round >= self.high * (1.0 - 1e-9));
        Axis { low: low.unwrap_or(self.low), high: high.unwrap_or(self.high), ..self }
    }

    /// The position of a value: 0 at the start of the axis, 1 at its end. Values outside are moved to the
    /// nearer end.
    pub fn share(&self, value: f64) -> f64 {
        if value <= self.low {
            return 0.0;
        }
        let (first, last) = (self.scale.place(self.low), self.scale.place(self.high));
        ((self.scale.place(value) - first) / (last - first)).clamp(0.0, 1.0)
    }

    /// Ticks at these values.
    pub fn ticks_at(&self, values: &[f64]) -> Vec<Tick> {
        let written = |value: f64| match self.scale {
            Scale::Log2 => power_of_two(value),
            _ => plain(value),
        };
        self.labelled(values, written)
    }

    fn labelled(&self, values: &[f64], written: impl Fn(f64) -> String) -> Vec<Tick> {
        let label = |value| if self.is_percent { written(value * 100.0) + " %" } else { written(value) };
        values.iter().map(|&value| Tick { value, label: label(value) }).collect()
    }

    /// The first set of ticks that fits; the finest set has at most this many.
    pub fn ticks<E>(
        &self,
        most: usize,
        mut fits: impl FnMut(&[Tick]) -> Result<bool, E>,
    ) -> Result<Vec<Tick>, E> {
        for ticks in self.tick_sets(most) {
            if fits(&ticks)? {
                return Ok(ticks);
            }
        }
        Ok(Vec::new())
    }

    fn tick_sets(&self, most: usize) -> Vec<Vec<Tick>> {
        let logarithmic: Vec<Vec<f64>> = match self.scale {
            Scale::Linear => Vec::new(),
            Scale::Log2 => (1..=64).map(|stride| self.powers(&[1.0], stride)).collect(),
            Scale::Log10 if self.powers(&[1.0], 1).len() > 2 => {
                (1..=64).map(|stride| self.powers(&[1.0], stride)).collect()
            }
            Scale::Log10 => vec![self.powers(&[1.0, 2.0, 5.0], 1), self.powers(&[1.0, 3.0], 1)],
        };
        let enough = |ticks: &Vec<f64>| (3..=most.max(3)).contains(&ticks.len());
        let mut sets: Vec<_> =
            logarithmic.iter().filter(|ticks| enough(ticks)).map(|ticks| self.ticks_at(ticks)).collect();
        let mut step = step_above((self.high - self.low) / most as f64);
        for _ in 0..8 {
            sets.push(self.steps(step));
            step = step_above(step * 1.5);
        }
        sets.extend(logarithmic.iter().filter(|ticks| !ticks.is_empty()).map(|ticks| self.ticks_at(ticks)));
        sets.retain(|ticks| !ticks.is_empty());
        sets
    }

    /// The multiples of a step.
    fn steps(&self, step: f64) -> Vec<Tick> {
        let (first, last) = ((self.low / step - 1e-6).ceil(), (self.high / step + 1e-6).floor());
        let count = (last - first).clamp(-1.0, 100.0) as i32;
        let values: Vec<f64> = (0..=count).map(|index| (first + f64::from(index)) * step).collect();
        let finest = exponent(step * if self.is_percent { 100.0 } else { 1.0 });
        self.labelled(&values, |value| number(value, finest))
    }

    /// These digits times every `stride`th power.
    fn powers(&self, digits: &[f64], stride: i32) -> Vec<f64> {
        let place = |value: f64| self.scale.place(value).floor() as i32;
        let power = |exponent| match self.scale {
            Scale::Log2 => libm::exp2(f64::from(exponent)),
            _ => power_of_ten(exponent),
        };
        let range = self.low * (1.0 - 1e-9)..=self.high * (1.0 + 1e-9);
        let exponents = (place(self.low)..=place(self.high) + 1).filter(|exponent| exponent % stride == 0);
        let ticks = exponents.flat_map(|exponent| digits.iter().map(move |digit| digit * power(exponent)));
        ticks.filter(|tick| range.contains(tick)).collect()
    }
}

/// The least of 1, 2 and 5 times a power of ten that is at least this number.
fn step_above(least: f64) -> f64 {
    let power = power_of_ten(exponent(least));
    [1.0, 2.0, 5.0, 10.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::{Axis, Scale, step_above};

    fn labels(axis: Axis, most: usize) -> Vec<String> {
        let ticks = axis.ticks(most, |_| Ok::<_, ()>(true)).unwrap_or_default();
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn axes_end_at_round_numbers() {
        let ends = |scale, values: [f64; 2]| {
            let axis = Axis::over(scale, values).with_zero(0.5).rounded(6);
            (axis.low, axis.high)
        };
        assert_eq!(ends(Scale::Linear, [12.0, 1380.0]), (0.0, 1500.0));
        assert_eq!(ends(Scale::Linear, [-31.0, 88.0]), (-40.0, 100.0));
        assert_eq!(ends(Scale::Linear, [-1.0, 99.0]), (-5.0, 100.0));
        assert_eq!(ends(Scale::Log10, [0.4, 42.0]), (0.2, 50.0));
        assert_eq!(ends(Scale::Log10, [1e3, 1e7]), (1e3, 1e7));
        assert_eq!(ends(Scale::Log2, [48.0, 768.0]), (32.0, 1024.0));
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(Axis::over(Scale::Linear, [0.0, 1.0]), 6), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        let percent = Axis { is_percent: true, ..Axis::over(Scale::Linear, [0.0, 1.0]) };
        assert_eq!(labels(percent, 2), ["0 %", "50 %", "100 %"]);
        assert_eq!(
            labels(Axis::over(Scale::Log10, [1e3, 1e7]), 9),
            ["1000", "10 000", "100 000", "10⁶", "10⁷"]
        );
        assert_eq!(labels(Axis::over(Scale::Log10, [0.9, 60.0]), 9), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels(Axis::over(Scale::Log2, [3.0, 70.0]), 9), ["4", "8", "16", "32", "64"]);
        assert_eq!(
            labels(Axis::over(Scale::Log2, [1.0, 1048576.0]), 6),
            ["1", "16", "256", "4096", "65 536", "2²⁰"]
        );
    }

    #[test]
    fn a_single_value_is_in_the_middle() {
        for scale in [Scale::Linear, Scale::Log2, Scale::Log10] {
            for value in [1e-90, 0.3, 1.0, 7e7, 1e90] {
                assert!((Axis::over(scale, [value]).share(value) - 0.5).abs() < 1e-6, "{scale:?} {value}");
            }
        }
        assert_eq!(Axis::over(Scale::Linear, [0.0]).share(0.0), 0.5);
    }

    #[test]
    fn equal_ratios_are_equally_far_apart_on_a_logarithmic_axis() {
        for scale in [Scale::Log2, Scale::Log10] {
            let axis = Axis::over(scale, [48.0, 768.0]);
            let shares = [48.0, 96.0, 192.0, 384.0, 768.0].map(|value| axis.share(value));
            assert!(
                shares
                    .iter()
                    .zip([0.0, 0.25, 0.5, 0.75, 1.0])
                    .all(|(share, exact)| (share - exact).abs() < 1e-12)
            );
        }
        assert_eq!([0.3, 2.0, 2.1, 51.0].map(step_above), [0.5, 2.0, 5.0, 100.0]);
    }
}
