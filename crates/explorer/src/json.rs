//! JSON inside of a page.

use core::fmt::{self, Display, Formatter};

/// A text in quotation marks. It never ends the element of the page in which it stands.
pub(crate) struct Text<'a>(pub &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for character in self.0.chars() {
            match character {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                    write!(f, "\\u{:04x}", u32::from(character))?;
                }
                _ => write!(f, "{character}")?,
            }
        }
        f.write_str("\"")
    }
}

/// A number with at most four decimals; 0 if it is not finite.
pub(crate) struct Number(pub f32);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rounded = (f64::from(self.0) * 1e4).round() / 1e4;
        write!(f, "{}", if rounded.is_finite() { rounded } else { 0.0 })
    }
}

/// An array of what an iterator yields.
pub(crate) struct Array<I>(pub I);

impl<I: Iterator<Item: Display> + Clone> Display for Array<I> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (index, value) in self.0.clone().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{value}")?;
        }
        f.write_str("]")
    }
}
