//! Numbers as text.

/// Three significant digits, or all digits before the point; `-` for an unknown number.
pub fn digits(number: f64) -> String {
    match number {
        _ if !number.is_finite() => "-".into(),
        10_000.0.. => with_spaces(number.round() as u64),
        100.0.. => format!("{number:.0}"),
        10.0..100.0 => format!("{number:.1}"),
        1.0..10.0 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// `1000000` as `1 000 000`, and `1000` as it is.
pub fn with_spaces(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len() > 4 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Returns the median, or NaN if there are no numbers.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    match numbers.len() {
        0 => f64::NAN,
        count => (numbers[(count - 1) / 2] + numbers[count / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let numbers = [0.1049, 1.304, 12.34, 329.4, f64::NAN];
        assert_eq!(numbers.map(digits), ["0.105", "1.30", "12.3", "329", "-"]);
        assert_eq!([7, 1_000, 1_000_000].map(with_spaces), ["7", "1000", "1 000 000"]);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![2.0, 1.0]), 1.5);
    }
}
