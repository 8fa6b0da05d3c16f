//! The error for a parameter out of its range.

use core::fmt;
use core::ops::RangeBounds;

/// A parameter of a policy or of a search is out of its range.
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ParameterError {
    /// The type and field of the parameter, such as `Ucb1::c`.
    pub name: &'static str,
    /// The value of the parameter.
    pub value: f64,
    /// The range, as words that follow "must be", such as `at least 0`.
    pub range: &'static str,
}

impl ParameterError {
    /// Checks a parameter: returns `Ok(())` if `fits` is true.
    ///
    /// # Errors
    ///
    /// Returns an error with `name`, `value` and `range` if `fits` is false.
    pub fn unless(fits: bool, name: &'static str, value: f64, range: &'static str) -> Result<(), Self> {
        if fits { Ok(()) } else { Err(ParameterError { name, value, range }) }
    }

    /// Checks a factor of selection values, such as an exploration constant: from 0 to 1000.
    ///
    /// Selection values have single precision and rewards are in [0, 1]. With much greater constants the
    /// means would not count, and with the greatest all values would be infinite.
    pub(crate) fn unless_constant(name: &'static str, value: f64) -> Result<(), Self> {
        ParameterError::unless_in(0.0..=1000.0, name, value, "from 0 to 1000")
    }

    /// Checks a parameter: returns `Ok(())` if `value` is in the range, which `words` describe.
    ///
    /// ```
    /// use ramure::ParameterError;
    ///
    /// let error = ParameterError::unless_in(0.0..=1.0, "Fair::chance", 1.5, "in [0, 1]").unwrap_err();
    /// assert_eq!(error.to_string(), "Fair::chance is 1.5; it must be in [0, 1]");
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error with `name`, `value` and `words` if `value` is not in the range.
    pub fn unless_in(
        range: impl RangeBounds<f64>,
        name: &'static str,
        value: impl Into<f64>,
        words: &'static str,
    ) -> Result<(), Self> {
        let value = value.into();
        ParameterError::unless(range.contains(&value), name, value, words)
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}; it must be {}", self.name, self.value, self.range)
    }
}

crate::debug_as_sentence!(ParameterError);

impl core::error::Error for ParameterError {}
