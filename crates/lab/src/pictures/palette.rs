//! The colours.

use plotters::style::RGBColor;

/// A colour of the palette of Okabe and Ito (2008), which colour-blind readers can distinguish, or grey.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Colour {
    /// A red that colour-blind readers can distinguish from the green.
    Vermilion,
    /// A light yellow: for areas, too pale for lines.
    Yellow,
    /// A medium grey: for results that are neither, such as ties.
    Grey,
    /// A dark blue.
    Blue,
    /// A green that colour-blind readers can distinguish from vermilion.
    BluishGreen,
    /// A pink.
    ReddishPurple,
    /// A light blue.
    SkyBlue,
    /// Between vermilion and yellow.
    Orange,
    /// Black.
    Black,
}

use Colour::{Black, Blue, BluishGreen, Grey, Orange, ReddishPurple, SkyBlue, Vermilion, Yellow};

impl Colour {
    pub(super) fn rgb(self) -> RGBColor {
        match self {
            Vermilion => RGBColor(213, 94, 0),
            Yellow => RGBColor(240, 228, 66),
            Grey => RGBColor(170, 170, 170),
            Blue => RGBColor(0, 114, 178),
            BluishGreen => RGBColor(0, 158, 115),
            ReddishPurple => RGBColor(204, 121, 167),
            SkyBlue => RGBColor(86, 180, 233),
            Orange => RGBColor(230, 159, 0),
            Black => RGBColor(0, 0, 0),
        }
    }

    /// The text colour that is legible on this colour.
    pub(super) fn ink_on(self) -> RGBColor {
        match self {
            Blue | Black => WHITE,
            _ => INK,
        }
    }
}

/// The colours of areas, in order: neighbours also differ in lightness.
pub(super) const OF_AREAS: [Colour; 8] =
    [Vermilion, Yellow, Grey, Blue, Orange, BluishGreen, SkyBlue, ReddishPurple];

/// The colours of curves, in order: without yellow, which is pale on white.
pub(super) const OF_CURVES: [Colour; 7] =
    [Vermilion, Black, Blue, BluishGreen, ReddishPurple, SkyBlue, Orange];

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// Guides.
pub(super) const DIM: RGBColor = RGBColor(120, 120, 120);
/// The grid.
pub(super) const FAINT: RGBColor = RGBColor(225, 225, 225);
/// The line from the end of a curve to its name.
pub(super) const LEADER: RGBColor = RGBColor(190, 190, 190);
pub(super) const WHITE: RGBColor = RGBColor(255, 255, 255);
