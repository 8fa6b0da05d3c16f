//! The parameters of a text, which words read one by one.

use super::error::ReadError;
use super::range;
use super::text::{self, Limit, Parts, TimeControl};
use core::ops::RangeBounds;
use core::time::Duration;
use ramure::{Budget, Bytes, GameClock};

/// The parameters of a text, passed to the function that creates an agent or a policy.
///
/// Ask for each parameter once, with its name, its description, its default and its range. The parameters
/// asked for are those that the text may have and that [`Registry::help`](super::Registry::help) shows, and
/// they give the order in the canonical form. A parameter in the text that is not asked for is an error.
///
/// ```
/// use ramure_agents::Random;
/// use ramure_games::TicTacToe;
/// use ramure_lab::Registry;
///
/// let known = Registry::<TicTacToe>::new().with("mine:N", "plays at random, after N draws", |parameters| {
///     let draws = parameters.first_count("N", 1..)?;
///     let extra = parameters.count("extra", "more draws", 3, 0..=10)?;
///     Ok(move || Random::seeded(draws + extra))
/// });
/// assert_eq!(known.read("mine:1e3, extra=5")?.name(), "mine:1000,extra=5");
/// let error = known.read("mine:8,extra=11").unwrap_err();
/// assert_eq!(error.to_string(), "extra is `11`; it must be a whole number from 0 to 10");
/// # Ok::<(), ramure_lab::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Parameters {
    /// The parts of the text that were not asked for yet.
    parts: Parts,
    /// The value without a name, as written in the name.
    first: Option<String>,
    asked: Vec<Asked>,
    /// The part whose parameters are asked for now, if another parameter selected it, as in `rollout`.
    part: Option<&'static str>,
}

/// Returns whether a setting has this name, so that no part may use it for a parameter of its own.
pub(crate) fn is_reserved(name: &str) -> bool {
    const SETTINGS: &str = "clock transpositions moves expected margin unclear policy rollout backprop solver final \
                            patience a t by opening order expand depth widen exponent fpu memory threads window \
                            unobserved reuse early";
    SETTINGS.split(' ').any(|setting| setting == name)
}

/// A parameter that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub name: String,
    pub about: String,
    /// A description of its values.
    pub values: String,
    /// The words to choose from, if it is a choice.
    pub options: Vec<String>,
    pub default: Option<String>,
    /// The part of a search that it belongs to, if another parameter selected that part, as in `rollout`.
    pub part: Option<&'static str>,
    /// The value as written in the name, if it is not the default.
    pub written: Option<String>,
}

impl Parameters {
    pub(super) fn read(text: &str) -> Result<Self, ReadError> {
        Ok(Parameters::new(text::split(text)?))
    }

    fn new(parts: Parts) -> Self {
        Parameters { parts, first: None, asked: Vec::new(), part: None }
    }

    /// The parameters that `read` asks for if all have their defaults.
    pub(super) fn sample(word: &str, read: impl FnOnce(&mut Self) -> Option<ReadError>) -> Vec<Asked> {
        // `read` may need a value without a name, and every kind of value accepts 1.
        let parts = Parts { word: word.to_owned(), first: Some("1".into()), named: Vec::new() };
        let mut parameters = Parameters::new(parts);
        // If `read` fails nevertheless, the parameters asked for so far remain.
        let _ = read(&mut parameters);
        parameters.asked
    }

    /// Treats the parameters that `read` asks for as those of the `part` of a search.
    pub(super) fn of_part<T>(&mut self, part: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.part = Some(part);
        let result = read(self);
        self.part = None;
        result
    }

    /// The full name of a parameter. If the name is taken, it is prefixed with the part, as in
    /// `rollout-epsilon`.
    fn called(&self, name: &str) -> String {
        match self.part {
            Some(part) if is_reserved(name) || self.asked.iter().any(|asked| asked.name == name) => {
                format!("{part}-{name}")
            }
            _ => name.into(),
        }
    }

    /// Returns the word before the colon.
    pub fn word(&self) -> &str {
        &self.parts.word
    }

    /// Returns the text in its canonical form, as far as it was asked for: the parameters in the order in
    /// which they were asked for, without those at their default.
    pub fn name(&self) -> String {
        let set =
            self.asked.iter().filter_map(|asked| Some(format!("{}={}", asked.name, asked.written.as_ref()?)));
        let parts = Vec::from_iter(self.first.iter().cloned().chain(set));
        let colon = if parts.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.parts.word, parts.join(","))
    }

    /// Returns the whole number that has no name. `name` names it in the help and in errors.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if the number is missing, is not a whole number, or is out of `range`.
    pub fn first_count(&mut self, name: &str, range: impl RangeBounds<u64>) -> Result<u64, ReadError> {
        let read = |text: &str| text::count(text).filter(|count| range.contains(count));
        self.first(name, &whole(&range), read, u64::to_string)
    }

    /// Returns the budget that has no name: iterations as in `384`, a time as in `100ms` or `1.5s`, or both
    /// as in `10000+100ms`, whichever is reached first.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if the budget is missing, cannot be read, is zero, or has two counts or two
    /// times.
    pub fn first_budget(&mut self) -> Result<Budget, ReadError> {
        let values = "iterations from 1 as 384, a time up to 86400s as 100ms, or one of each as 10000+100ms";
        self.first("BUDGET", values, Limit::read, Limit::written).map(|limit| limit.budget())
    }

    pub(super) fn first<T>(
        &mut self,
        name: &str,
        values: &str,
        read: impl Fn(&str) -> Option<T>,
        write: impl Fn(&T) -> String,
    ) -> Result<T, ReadError> {
        let Some(text) = self.parts.first.take() else {
            return Err(ReadError::Missing {
                word: self.parts.word.clone(),
                name: name.into(),
                values: values.into(),
            });
        };
        let value = read(&text);
        self.first = value.as_ref().map(write);
        value.ok_or(ReadError::Value { name: name.into(), value: text, values: values.into() })
    }

    /// Returns a whole number; `default` if it is not set. The text may write it as `1e6` or `10k`.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if it is not a whole number, or is out of `range`.
    pub fn count(
        &mut self,
        name: &str,
        about: &str,
        default: u64,
        range: impl RangeBounds<u64>,
    ) -> Result<u64, ReadError> {
        let read = |text: &str| text::count(text).filter(|count| range.contains(count));
        Ok(self.ask(name, about, &whole(&range), Some(default), read, u64::to_string)?.unwrap_or(default))
    }

    /// Returns a whole number; `None` if it is not set.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if it is not a whole number, or is out of `range`.
    pub fn optional_count(
        &mut self,
        name: &str,
        about: &str,
        range: impl RangeBounds<u64>,
    ) -> Result<Option<u64>, ReadError> {
        let read = |text: &str| text::count(text).filter(|count| range.contains(count));
        self.ask(name, about, &whole(&range), None, read, u64::to_string)
    }

    /// Returns a finite number; `default` if it is not set.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if it is not a number, or is out of `range`.
    pub fn number(
        &mut self,
        name: &str,
        about: &str,
        default: f64,
        range: impl RangeBounds<f64>,
    ) -> Result<f64, ReadError> {
        let read = |text: &str| number(text).filter(|number| range.contains(number));
        let values = range::words("a number", &range);
        let write = |number: &f64| text::written(*number);
        Ok(self.ask(name, about, &values, Some(default), read, write)?.unwrap_or(default))
    }

    /// Returns a finite number; `None` if it is not set.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if it is not a number, or is out of `range`.
    pub fn optional_number(
        &mut self,
        name: &str,
        about: &str,
        range: impl RangeBounds<f64>,
    ) -> Result<Option<f64>, ReadError> {
        let read = |text: &str| number(text).filter(|number| range.contains(number));
        let values = range::words("a number", &range);
        self.ask(name, about, &values, None, read, |number| text::written(*number))
    }

    /// Returns a text, such as the path of a file; `None` if it is not set. A comma cannot be part of it.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if the text is empty.
    pub fn optional_text(
        &mut self,
        name: &str,
        about: &str,
        values: &str,
    ) -> Result<Option<String>, ReadError> {
        let read = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        self.ask(name, about, values, None, read, String::clone)
    }

    /// Returns one of `options`, which must not be empty; the first if it is not set.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if it is not one of them.
    pub fn choice<'o>(&mut self, name: &str, about: &str, options: &[&'o str]) -> Result<&'o str, ReadError> {
        let called = self.called(name);
        let given = self.parts.named.iter().find(|(other, _)| *other == called);
        if let Some((_, value)) = given.filter(|(_, value)| !options.contains(&value.as_str())) {
            let known = options.iter().map(|&option| option.into()).collect();
            return Err(ReadError::Unknown {
                what: format!("value for {called}"),
                word: value.clone(),
                known,
            });
        }
        let read = |text: &str| options.iter().copied().find(|&option| option == text);
        let default = options.first().copied();
        let value = self.ask(name, about, &options.join(", "), default, read, |option| option.to_string())?;
        if let Some(asked) = self.asked.last_mut() {
            asked.options = options.iter().map(|&option| option.into()).collect();
        }
        Ok(value.unwrap_or_default())
    }

    /// Returns whether the parameter is `yes` or `no`; `default` if it is not set.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if it is neither.
    pub fn flag(&mut self, name: &str, about: &str, default: bool) -> Result<bool, ReadError> {
        let options = if default { ["yes", "no"] } else { ["no", "yes"] };
        Ok(self.choice(name, about, &options)? == "yes")
    }

    /// Returns a number of bytes; `None` if it is not set.
    pub(super) fn bytes(&mut self, name: &str, about: &str) -> Result<Option<Bytes>, ReadError> {
        let values = "bytes above 0 as 64MiB, with KiB, MiB or GiB";
        self.ask(name, about, values, None, text::bytes, |&bytes| text::written_bytes(bytes))
    }

    /// Returns the clock of a whole game, without its rules for searches; `None` if it is not set.
    pub(super) fn clock(&mut self) -> Result<Option<GameClock>, ReadError> {
        let about = "the time of a whole game, in place of BUDGET; has moves, the moves to divide it among if they are \
                     known, or else expected=30, and margin=10ms";
        let values = "a time as 10s, with an increment as 10s+100ms, for each 40 moves as 40/10s";
        let control = self.ask("clock", about, values, None, TimeControl::read, TimeControl::written)?;
        let Some(control) = control else { return Ok(None) };
        let mut clock = control.clock();
        if control.moves.is_none() {
            let range = 1..=u64::from(u32::MAX);
            let about = "for clock, the moves to divide the time among";
            if let Some(moves) = self.optional_count("moves", about, range.clone())? {
                clock = clock.moves_to_go(moves as u32);
            } else {
                let default = u64::from(clock.moves_left());
                let about = "for clock, the further moves to expect at any time";
                clock = clock.expected_moves(self.count("expected", about, default, range)? as u32);
            }
        }
        let write = |margin: &Duration| format!("{margin:?}");
        let about = "for clock, the time that no search may use";
        let margin = self.ask("margin", about, "a time as 50ms", None, text::time, write)?;
        Ok(Some(margin.into_iter().fold(clock, GameClock::margin)))
    }

    /// Returns any value that `read` can read; `default` if it is not set.
    pub(super) fn ask<T>(
        &mut self,
        name: &str,
        about: &str,
        values: &str,
        default: Option<T>,
        read: impl Fn(&str) -> Option<T>,
        write: impl Fn(&T) -> String,
    ) -> Result<Option<T>, ReadError> {
        let name = self.called(name);
        let given = self.parts.named.iter().position(|(other, _)| *other == name);
        let given = given.map(|index| self.parts.named.remove(index).1);
        let value = given.as_deref().and_then(&read);
        if let (Some(text), None) = (&given, &value) {
            return Err(ReadError::Value { name, value: text.clone(), values: values.into() });
        }
        let default_text = default.as_ref().map(&write);
        let written = value.as_ref().map(&write).filter(|text| Some(text) != default_text.as_ref());
        self.asked.push(Asked {
            name,
            about: about.into(),
            values: values.into(),
            default: default_text,
            options: Vec::new(),
            part: self.part,
            written,
        });
        Ok(value.or(default))
    }

    /// Returns the name, and the parameters that were asked for; an error if the text has others.
    pub(super) fn finish(mut self) -> Result<(String, Vec<Asked>), ReadError> {
        let name = self.name();
        if self.parts.first.is_none() && self.parts.named.is_empty() {
            return Ok((name, self.asked));
        }
        let known = Vec::from_iter(self.asked.into_iter().map(|asked| asked.name));
        if let Some(value) = self.parts.first {
            return Err(ReadError::Nameless { value, of: name, known });
        }
        let (parameter, _) = self.parts.named.pop().unwrap_or_default();
        Err(ReadError::UnknownParameter { name: parameter, of: name, known })
    }
}

/// Reads a number that policies can compute with, also in single precision.
fn number(text: &str) -> Option<f64> {
    text::number(text).filter(|number| number.abs() <= f64::from(f32::MAX))
}

fn whole(range: &impl RangeBounds<u64>) -> String {
    range::words("a whole number", range)
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    #[test]
    fn a_shared_parameter_name_is_prefixed_with_the_second_part() {
        let mut parameters = Parameters::read("x:epsilon=0.1,rollout-epsilon=0.2,backprop-order=3").unwrap();
        let mut ask = |part, name| parameters.of_part(part, |p| p.number(name, "", 0.5, 0.0..).unwrap());
        assert_eq!(ask("policy", "epsilon"), 0.1);
        assert_eq!(ask("rollout", "epsilon"), 0.2);
        // A setting of all searches keeps its name.
        assert_eq!(ask("backprop", "order"), 3.0);
        assert_eq!(parameters.choice("order", "", &["random", "listed"]).unwrap(), "random");
        assert_eq!(parameters.finish().unwrap().0, "x:epsilon=0.1,rollout-epsilon=0.2,backprop-order=3");
    }
}
