//! Paints marks as SVG or PNG, with plotters.
//!
//! plotters counts whole pixels. So an SVG is painted ten times as large, with a first line that scales it
//! back; a PNG is painted up to four times as large, and each pixel is the average of its parts.

use super::PictureError;
use super::drawing::{Drawing, Mark, Place, Text};
use super::font::{EMS, FAMILY, clean, register, style};
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontTransform, RGBColor, TextStyle};
use std::fs::File;
use std::io::{BufWriter, ErrorKind};
use std::path::Path;

/// How a backend positions texts.
struct Way {
    /// Pixels of the backend per pixel of the picture.
    scale: f64,
    /// The length that the backend takes for one em.
    ems: f64,
    /// The distance of the baseline below the top of a text, as the backend sees it, in ems.
    foot: f64,
    /// Whether lines are painted here, piece by piece, because wide lines of plotters have holes at sharp
    /// corners.
    in_pieces: bool,
}

/// plotters writes `dy="0.76em"` and a size divided by 1.24.
const SVG: Way = Way { scale: 10.0, ems: 1.24, foot: 0.76, in_pieces: false };
/// The parts along the side of a pixel, for pictures of up to this many pixels: few enough to paint in 120
/// MB.
const PARTS: [(u32, u64); 4] = [(4, 2_500_000), (3, 4_400_000), (2, 10_000_000), (1, u64::MAX)];

pub(super) fn svg(drawing: &Drawing) -> Result<String, PictureError> {
    register()?;
    let (width, height) = drawing.size;
    let scale = SVG.scale as u32;
    let mut text = String::new();
    let mut backend = SVGBackend::with_string(&mut text, (width * scale, height * scale));
    paint(&mut backend, drawing, &SVG).ok_or(PictureError::Drawing)?;
    backend.present().map_err(|_| PictureError::Drawing)?;
    drop(backend);
    let (_, rest) = text.split_once('\n').ok_or(PictureError::Drawing)?;
    let (inner_width, inner_height) = (width * scale, height * scale);
    Ok(format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {inner_width} {inner_height}\" xmlns=\"http://www.w3.org/2000/svg\">\n{rest}"
    ))
}

pub(super) fn png(drawing: &Drawing, path: &Path) -> Result<(), PictureError> {
    register()?;
    let (width, height) = drawing.size;
    let pixels = u64::from(width) * u64::from(height);
    let parts = PARTS.iter().find(|(_, most)| pixels <= *most).map_or(1, |part| part.0);
    let (fine_width, fine_height) = (width * parts, height * parts);
    let mut fine = vec![255; fine_width as usize * fine_height as usize * 3];
    let mut backend = BitMapBackend::with_buffer(&mut fine, (fine_width, fine_height));
    let way = Way { scale: f64::from(parts), ems: EMS, foot: EMS / 2.0, in_pieces: true };
    paint(&mut backend, drawing, &way).ok_or(PictureError::Drawing)?;
    drop(backend);

    let coarse = averaged(&fine, fine_width as usize, parts as usize);
    let failed = |kind| PictureError::File { path: path.into(), kind };
    write_png(path, drawing.size, &coarse).map_err(failed)
}

/// Writes pixels of three bytes each.
fn write_png(path: &Path, (width, height): (u32, u32), pixels: &[u8]) -> Result<(), ErrorKind> {
    let file = File::create(path).map_err(|error| error.kind())?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
    encoder.set_color(png::ColorType::Rgb);
    let failed = |error| match error {
        png::EncodingError::IoError(error) => error.kind(),
        _ => ErrorKind::Other,
    };
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(pixels).map_err(failed)?;
    writer.finish().map_err(failed)
}

/// Averages each square of `parts` by `parts` pixels into one pixel.
fn averaged(fine: &[u8], fine_width: usize, parts: usize) -> Vec<u8> {
    let mut coarse = Vec::with_capacity(fine.len() / (parts * parts));
    let count = (parts * parts) as u32;
    let mut sums = vec![0u32; fine_width / parts * 3];
    for rows in fine.chunks_exact(fine_width * 3 * parts) {
        sums.fill(0);
        for row in rows.chunks_exact(fine_width * 3) {
            for (square, sum) in row.chunks_exact(3 * parts).zip(sums.chunks_exact_mut(3)) {
                for pixel in square.chunks_exact(3) {
                    sum.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u32::from(*part));
                }
            }
        }
        coarse.extend(sums.iter().map(|sum| ((sum + count / 2) / count) as u8));
    }
    coarse
}

/// Paints the drawing; `None` if the backend fails.
fn paint<B: DrawingBackend>(backend: &mut B, drawing: &Drawing, way: &Way) -> Option<()> {
    let at = |(x, y): Place| ((x * way.scale).round() as i32, (y * way.scale).round() as i32);
    for mark in &drawing.marks {
        match mark {
            Mark::Polygon { corners, fill, alpha } => {
                backend.fill_polygon(corners.iter().copied().map(at), &fill.mix(*alpha)).ok()?;
            }
            Mark::Line { points, colour, width } if way.in_pieces => {
                pieces(backend, points, *colour, *width / 2.0, at)?;
            }
            Mark::Line { points, colour, width } => {
                let width = (width * way.scale).round().max(1.0) as u32;
                let style = colour.stroke_width(width);
                backend.draw_path(points.iter().copied().map(at), &style).ok()?;
            }
            Mark::Circle { centre, radius, fill } => {
                let radius = (radius * way.scale).round().max(1.0) as u32;
                backend.draw_circle(at(*centre), radius, &fill.filled(), true).ok()?;
            }
            Mark::Text(text) => write(backend, text, way, at)?,
        }
    }
    Some(())
}

/// Paints a line as a rectangle for each piece and a disc at each joint.
fn pieces<B: DrawingBackend>(
    backend: &mut B,
    points: &[Place],
    colour: RGBColor,
    half: f64,
    at: impl Fn(Place) -> (i32, i32),
) -> Option<()> {
    for pair in points.windows(2) {
        let [(left, top), (right, foot)] = [pair[0], pair[1]];
        let (across, down) = (right - left, foot - top);
        let length = (across * across + down * down).sqrt();
        if length > 0.0 {
            let (x, y) = (-down / length * half, across / length * half);
            let corners =
                [(left + x, top + y), (right + x, foot + y), (right - x, foot - y), (left - x, top - y)];
            backend.fill_polygon(corners.map(&at), &colour).ok()?;
        }
    }
    let radius = at((half, 0.0)).0.max(1) as u32;
    for joint in points.iter().skip(1).rev().skip(1) {
        backend.draw_circle(at(*joint), radius, &colour.filled(), true).ok()?;
    }
    Some(())
}

fn write<B: DrawingBackend>(
    backend: &mut B,
    text: &Text,
    way: &Way,
    at: impl Fn(Place) -> (i32, i32),
) -> Option<()> {
    let (turn, (x, y)) = if text.upwards {
        (FontTransform::Rotate270, (text.place.0 - way.foot * text.size, text.place.1))
    } else {
        (FontTransform::None, (text.place.0, text.place.1 - way.foot * text.size))
    };
    let size = text.size * way.scale * way.ems;
    let font = FontDesc::new(FontFamily::Name(FAMILY), size, style(text.bold)).transform(turn);
    let style = TextStyle::from(font).color(&text.colour).pos(Pos::new(text.anchor, VPos::Top));
    backend.draw_text(&clean(&text.text), &style, at((x, y))).ok()
}
