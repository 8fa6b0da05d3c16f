//! The font, and the widths of texts.

use super::PictureError;
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};
use std::sync::OnceLock;

/// The fonts that SVG files ask for. Their letters have the widths of the embedded font, which also goes by
/// the first name.
pub(super) const FAMILY: &str = "Arimo, Liberation Sans, Arial, Helvetica, sans-serif";

/// `ab_glyph` measures a font from the top of its highest letter to the bottom of its lowest; this is that
/// height, in ems.
pub(super) const EMS: f64 = 2288.0 / 2048.0;

static REGULAR: &[u8] = include_bytes!("font/Arimo-Regular.ttf");
static BOLD: &[u8] = include_bytes!("font/Arimo-Bold.ttf");

/// Registers the font with plotters, once.
pub(super) fn register() -> Result<(), PictureError> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let done = DONE.get_or_init(|| {
        register_font(FAMILY, FontStyle::Normal, REGULAR).is_ok()
            && register_font(FAMILY, FontStyle::Bold, BOLD).is_ok()
    });
    if *done { Ok(()) } else { Err(PictureError::Drawing) }
}

/// The width of a text in pixels, at a size in pixels per em.
pub(super) fn width(text: &str, size: f64, bold: bool) -> Result<f64, PictureError> {
    register()?;
    // plotters returns whole pixels, so the text is measured at a large size.
    const LARGE: f64 = 1000.0;
    let font = FontDesc::new(FontFamily::Name(FAMILY), LARGE * EMS, style(bold));
    let ((left, _), (right, _)) = font.layout_box(&clean(text)).map_err(|_| PictureError::Drawing)?;
    Ok(f64::from(right - left) / LARGE * size)
}

pub(super) fn style(bold: bool) -> FontStyle {
    if bold { FontStyle::Bold } else { FontStyle::Normal }
}

/// The text in one line: control characters and others that XML forbids become spaces.
pub(super) fn clean(text: &str) -> String {
    let forbidden = |letter: char| letter.is_control() || matches!(letter, '\u{FFFE}' | '\u{FFFF}');
    text.chars().map(|letter| if forbidden(letter) { ' ' } else { letter }).collect()
}

/// The width to reserve for a text: without a font of these widths, a reader's font may be an eighth wider.
pub(super) fn room(text: &str, size: f64, bold: bool) -> Result<f64, PictureError> {
    Ok(width(text, size, bold)? * 1.13)
}

/// The greatest width to reserve for one of these texts.
pub(super) fn widest<'t>(texts: impl IntoIterator<Item = &'t str>, size: f64) -> Result<f64, PictureError> {
    texts.into_iter().try_fold(0.0, |widest: f64, text| Ok(widest.max(room(text, size, false)?)))
}

/// The text, or if it does not fit, as much of its beginning and end as fits around an ellipsis: names often
/// differ at the end.
pub(super) fn shortened(text: &str, size: f64, bold: bool, most: f64) -> Result<String, PictureError> {
    if room(text, size, bold)? <= most {
        return Ok(text.into());
    }
    let letters: Vec<char> = text.chars().collect();
    let kept = |count: usize| {
        let (begin, end) = (count.div_ceil(2), count / 2);
        let part = |letters: &[char]| letters.iter().collect::<String>();
        format!(
            "{}…{}",
            part(&letters[..begin]).trim_end(),
            part(&letters[letters.len() - end..]).trim_start()
        )
    };
    // No longer text fits into any picture.
    let (mut fits, mut not) = (0, letters.len().min(5000));
    while not - fits > 1 {
        let middle = fits.midpoint(not);
        if room(&kept(middle), size, bold)? <= most { fits = middle } else { not = middle }
    }
    Ok(kept(fits))
}

/// The text in lines that fit, at most this many; the last line is shortened.
pub(super) fn wrapped(
    text: &str,
    size: f64,
    bold: bool,
    most: f64,
    lines: usize,
) -> Result<Vec<String>, PictureError> {
    let mut wrapped: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match wrapped.pop() {
            None => wrapped.push(word.into()),
            Some(line) => {
                let longer = format!("{line} {word}");
                if wrapped.len() + 1 == lines || room(&longer, size, bold)? <= most {
                    wrapped.push(longer);
                } else {
                    wrapped.extend([line, word.into()]);
                }
            }
        }
    }
    wrapped.iter().map(|line| shortened(line, size, bold, most)).collect()
}

#[cfg(test)]
mod tests {
    use super::{EMS, room, shortened, width, wrapped};

    #[test]
    fn an_em_dash_is_one_em_wide_in_both_styles() {
        assert_eq!([false, true].map(|bold| width("—", 100.0, bold)), [Ok(100.0), Ok(100.0)]);
        assert!((EMS - 1.117).abs() < 1e-3);
    }

    #[test]
    fn digits_are_as_wide_as_those_of_arial() {
        // 1139 of 2048 units: the metrics of Arial.
        assert!((width("0123456789", 2048.0, false).unwrap_or(0.0) - 11390.0).abs() < 4.0);
    }

    #[test]
    fn letters_are_kerned() {
        let [a, v, both] = ["A", "V", "AV"].map(|text| width(text, 100.0, false).unwrap_or(0.0));
        assert!(both > 100.0 && both < a + v - 5.0, "{both} {a} {v}");
    }

    #[test]
    fn long_text_is_shortened_or_wrapped() {
        let name = "an agent with a name as long as a line, number 17";
        let short = shortened(name, 14.0, false, 150.0).unwrap_or_default();
        let (begin, end) = short.split_once('…').unwrap_or_default();
        assert!(
            name.starts_with(begin) && name.ends_with(end) && begin.len() > 5 && end.len() > 5,
            "{short}"
        );
        assert_eq!(shortened("short", 14.0, false, 100.0).as_deref(), Ok("short"));
        let lines = wrapped(name, 14.0, true, 100.0, 9).unwrap_or_default();
        assert_eq!(lines.join(" "), name);
        assert!(lines.len() > 2 && lines.iter().all(|line| room(line, 14.0, true).unwrap_or(1e9) <= 100.0));
        assert_eq!(wrapped(name, 14.0, true, 100.0, 2).unwrap_or_default().len(), 2);
    }
}
