//! The names to the right of a plot, each beside the end of the curve or area that it names.

use super::PictureError;
use super::drawing::{Drawing, Place, Text};
use super::font::{shortened, widest};
use super::frame::{MARGIN, Plot, TEXT};
use super::palette::LEADER;
use plotters::style::text_anchor::HPos;

/// The greatest distance from one name to the next; the least follows.
const LINE: f64 = 19.0;
const LEAST_LINE: f64 = 11.0;
/// The distance from the plot to the samples; that from a sample to its name follows.
const BESIDE: f64 = 22.0;
const GAP: f64 = 7.0;
/// The greatest share of a picture's width for names.
const MOST: f64 = 0.34;

/// The names of a picture, measured.
pub(super) struct Key {
    /// The width that the names take, with the margin at the right.
    pub width: f64,
    names: Vec<String>,
    sample: f64,
}

impl Key {
    /// Measures names with samples of this width.
    pub fn measured(names: &[&str], sample: f64, size: (u32, u32)) -> Result<Self, PictureError> {
        let most = f64::from(size.0) * MOST - sample - GAP;
        let names: Vec<String> =
            names.iter().map(|name| shortened(name, TEXT, false, most)).collect::<Result<_, _>>()?;
        let widest = widest(names.iter().map(String::as_str), TEXT)?;
        Ok(Key { width: BESIDE + sample + GAP + widest + MARGIN, names, sample })
    }

    /// Draws the names, in the order in which they were measured, and returns the centres of their samples.
    pub fn draw(
        &self,
        drawing: &mut Drawing,
        plot: &Plot,
        ends: &[Place],
    ) -> Result<Vec<Place>, PictureError> {
        let mut order: Vec<usize> = (0..ends.len()).collect();
        order.sort_by(|&a, &b| ends[a].1.total_cmp(&ends[b].1));
        let wanted: Vec<f64> = order.iter().map(|&index| ends[index].1).collect();
        let line = LINE.min((plot.foot - plot.top + LINE) / ends.len() as f64);
        if line < LEAST_LINE {
            let (width, height) = drawing.size;
            return Err(PictureError::NoRoom { what: "the names", width, height });
        }
        let size = TEXT.min(line / 1.2);
        let heights = spread(&wanted, line, (plot.top, plot.foot));
        let left = plot.right + BESIDE;
        let mut samples = vec![(0.0, 0.0); ends.len()];
        for (&index, y) in order.iter().zip(heights) {
            let end = ends[index];
            let bend = (plot.right + 6.0, end.1);
            drawing.line(vec![(end.0 + 5.0, end.1), bend, (left - 4.0, y)], LEADER, 1.0);
            samples[index] = (left + self.sample / 2.0, y);
            let place = (left + self.sample + GAP, y);
            drawing.text(Text::centred(self.names[index].as_str(), place, HPos::Left, size));
        }
        Ok(samples)
    }
}

/// Moves sorted heights apart by at least a line, as little as possible, and keeps them in the range as far
/// as they fit.
fn spread(wanted: &[f64], line: f64, (top, foot): (f64, f64)) -> Vec<f64> {
    // Names that touch form a group. It is placed at the mean of the heights that its names want.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    let held = |(middle, count): (f64, usize)| {
        let half = (count - 1) as f64 * line / 2.0;
        (middle.min(foot - half).max(top + half), count)
    };
    for &height in wanted {
        let mut group = held((height, 1));
        while let Some(&above) = groups.last() {
            let half = |count: usize| (count - 1) as f64 * line / 2.0;
            if above.0 + half(above.1) + line <= group.0 - half(group.1) + 1e-9 {
                break;
            }
            groups.pop();
            let count = above.1 + group.1;
            group = held(((above.0 * above.1 as f64 + group.0 * group.1 as f64) / count as f64, count));
        }
        groups.push(group);
    }
    groups
        .into_iter()
        .flat_map(|(middle, count)| {
            (0..count).map(move |index| middle + (index as f64 - (count - 1) as f64 / 2.0) * line)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn names_do_not_overlap_and_stay_beside_the_plot() {
        for wanted in
            [vec![10.0, 12.0, 14.0, 200.0], vec![100.0; 7], vec![5.0, 300.0], vec![50.0, 60.0, 61.0, 90.0]]
        {
            let apart = spread(&wanted, 18.0, (0.0, 300.0));
            assert!(apart.windows(2).all(|pair| pair[1] - pair[0] >= 17.999), "{apart:?}");
            assert!(apart.iter().all(|height| (0.0..=300.0).contains(height)), "{apart:?}");
        }
        assert_eq!(spread(&[5.0, 300.0], 18.0, (0.0, 300.0)), [5.0, 300.0]);
        assert_eq!(spread(&[100.0, 100.0], 18.0, (0.0, 300.0)), [91.0, 109.0]);
    }
}
