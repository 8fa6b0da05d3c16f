//! The format of numbers on axes.

/// The exponent of the leading digit: 2 of 768, -1 of 0.5, 0 of 0.
pub(super) fn exponent(number: f64) -> i32 {
    if number == 0.0 {
        return 0;
    }
    let size = number.abs();
    let guess = libm::log10(size).floor() as i32;
    // The logarithm of a power of ten may be rounded either way.
    match guess {
        _ if power_of_ten(guess + 1) <= size => guess + 1,
        _ if power_of_ten(guess) > size => guess - 1,
        _ => guess,
    }
}

/// A power of ten, exact if it can be represented.
pub(super) fn power_of_ten(exponent: i32) -> f64 {
    let power = libm::exp10(f64::from(exponent.abs()));
    let power = if exponent.abs() < 16 { power.round() } else { power };
    if exponent < 0 { 1.0 / power } else { power }
}

/// A number to the digit of 10^`finest`, without trailing zeros; large and small numbers as a product with a
/// power of ten.
pub(super) fn number(number: f64, finest: i32) -> String {
    let rounded = if finest < 0 {
        (number * power_of_ten(-finest)).round() / power_of_ten(-finest)
    } else {
        (number / power_of_ten(finest)).round() * power_of_ten(finest)
    };
    if rounded == 0.0 {
        return "0".into();
    }
    let leading = exponent(rounded);
    if (-4..6).contains(&leading) {
        return signed(&grouped(&decimal(rounded, -finest)));
    }
    let digits = decimal(rounded / power_of_ten(leading), leading - finest);
    let power = superscript(leading);
    match digits.as_str() {
        "1" => format!("10{power}"),
        "-1" => format!("−10{power}"),
        _ => signed(&format!("{digits}·10{power}")),
    }
}

/// A number to the digit of 10^`finest`, with trailing zeros, for columns.
pub(super) fn fixed(value: f64, finest: i32) -> String {
    if !(-6..1).contains(&finest) || exponent(value) >= 6 {
        return number(value, finest);
    }
    let digits = format!("{value:.*}", -finest as usize);
    let is_zero = digits.chars().all(|letter| matches!(letter, '-' | '0' | '.'));
    signed(&grouped(if is_zero { digits.trim_start_matches('-') } else { &digits }))
}

/// A number by itself: four digits, or all digits of a whole number below a million.
pub(super) fn plain(value: f64) -> String {
    let leading = exponent(value);
    number(value, if leading < 6 { (leading - 3).min(0) } else { leading - 3 })
}

/// A power of two as a power, once it has many digits.
pub(super) fn power_of_two(value: f64) -> String {
    let power = libm::log2(value).round();
    let exact = libm::exp2(power) == value;
    if exact && !(1e-2..1e5).contains(&value) {
        format!("2{}", superscript(power as i32))
    } else {
        plain(value)
    }
}

fn decimal(number: f64, decimals: i32) -> String {
    let text = format!("{number:.*}", decimals.clamp(0, 15) as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

/// Separates thousands by spaces, from five digits on.
fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let places = whole.trim_start_matches('-').len();
    if places < 5 {
        return digits.into();
    }
    let (thousands, units) = whole.split_at(whole.len() - 3);
    format!("{thousands} {units}{rest}")
}

fn signed(text: &str) -> String {
    text.replace('-', "−")
}

fn superscript(power: i32) -> String {
    let raised = |letter| match letter {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + u32::from(digit) - u32::from('0')).unwrap_or(digit),
    };
    power.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::{exponent, fixed, number, plain, power_of_ten, power_of_two};

    #[test]
    fn numbers_are_short() {
        let values = [0.0, 0.1, 0.70714321, 5.0, 768.0, 1e4, 123_456.0, 1e6, 2.5e7, 1e-5, -3e-7, -12.5];
        let texts = [
            "0",
            "0.1",
            "0.7071",
            "5",
            "768",
            "10 000",
            "123 456",
            "10⁶",
            "2.5·10⁷",
            "10⁻⁵",
            "−3·10⁻⁷",
            "−12.5",
        ];
        assert_eq!(values.map(plain), texts);
        assert_eq!([1024.0, 65536.0, 1_048_576.0].map(power_of_two), ["1024", "65 536", "2²⁰"]);
    }

    #[test]
    fn numbers_in_a_column_have_equally_many_digits() {
        assert_eq!([0.4, -0.356, -0.001].map(|value| fixed(value, -2)), ["0.40", "−0.36", "0.00"]);
        assert_eq!(
            [312.4, -40.0, 12345.0, 3e7].map(|value| fixed(value, 0)),
            ["312", "−40", "12 345", "3·10⁷"]
        );
    }

    #[test]
    fn numbers_have_as_many_digits_as_the_step_needs() {
        assert_eq!(number(0.30000000000000004, -1), "0.3");
        assert_eq!(number(1_000_250.0, 1), "1.00025·10⁶");
        assert_eq!(number(1e-17, -1), "0");
        assert_eq!(number(9.9999999, -1), "10");
    }

    #[test]
    fn the_exponent_is_that_of_the_leading_digit() {
        for power in -99..=99 {
            let exact = power_of_ten(power);
            assert_eq!([exact, exact * 1.5, exact * 9.99].map(exponent), [power; 3], "{power}");
        }
        let powers: [f64; 6] = [1e3, 1e-3, 1e15, 1e22, 1e-5, 1.0];
        assert_eq!([3, -3, 15, 22, -5, 0].map(power_of_ten), powers);
    }
}
