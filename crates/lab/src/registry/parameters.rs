//! The parameters of a text, asked for one by one.

use super::error::ReadError;
use super::range;
use super::text::{self, Limit, Parts};
use core::ops::RangeBounds;
use ramure::search::{Budget, Bytes};

/// The parameters of a text, handed to whoever makes an agent or a policy of them.
///
/// Each is asked for once, with all that there is to say of it: its name, what it is, its default and its range. What was
/// asked for is what the text may have, what [`Registry::help`](super::Registry::help) shows, and the order in the canonical
/// form. Whatever is in the text and was not asked for is an error.
///
/// ```
/// use ramure::agents::Random;
/// use ramure_lab::Registry;
/// use ramure::games::TicTacToe;
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
    /// What of the text was not asked for yet.
    parts: Parts,
    /// What stood without a name, as it is written in the name.
    first: Option<String>,
    asked: Vec<Asked>,
    /// Whose parameters are asked for now, if it is a part that another parameter chose: as `rollout`.
    part: Option<&'static str>,
}

/// Names that no part may have for a parameter of its own.
const RESERVED: [&str; 16] = [
    "policy", "rollout", "backprop", "solver", "final", "patience", "a", "t", "order", "expand", "widen",
    "exponent", "fpu", "memory", "reuse", "early",
];

/// A parameter that was asked for.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub name: String,
    pub about: String,
    /// What its values are, in words.
    pub values: String,
    pub default: Option<String>,
    /// Whether it is the parameter of a policy that was chosen by another parameter.
    pub of_policy: bool,
    /// How it is written in the name, if it is not the default.
    written: Option<String>,
}

impl Parameters {
    pub(super) fn read(text: &str) -> Result<Self, ReadError> {
        Ok(Parameters::new(text::split(text)?))
    }

    fn new(parts: Parts) -> Self {
        Parameters { parts, first: None, asked: Vec::new(), part: None }
    }

    /// What `read` asks for if all parameters have their defaults.
    pub(super) fn sample(word: &str, read: impl FnOnce(&mut Self) -> Option<ReadError>) -> Vec<Asked> {
        // Something without a name may be needed, and 1 is a number of anything.
        let parts = Parts { word: word.to_owned(), first: Some("1".into()), named: Vec::new() };
        let mut parameters = Parameters::new(parts);
        // If that was no good, there is still what was asked for before.
        let _ = read(&mut parameters);
        parameters.asked
    }

    /// Notes that what `read` asks for are the parameters of the `part` of a search.
    pub(super) fn of_part<T>(&mut self, part: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.part = Some(part);
        let result = read(self);
        self.part = None;
        result
    }

    /// What a parameter is called: if another one is called so already, with the part before it, as in `rollout-epsilon`.
    fn called(&self, name: &str) -> String {
        match self.part {
            Some(part) if RESERVED.contains(&name) || self.asked.iter().any(|asked| asked.name == name) => {
                format!("{part}-{name}")
            }
            _ => name.into(),
        }
    }

    /// The word before the colon.
    pub fn word(&self) -> &str {
        &self.parts.word
    }

    /// The text in its canonical form, as far as it was asked for: parameters in the order in which they were asked for, without
    /// those that have their default.
    pub fn name(&self) -> String {
        let set =
            self.asked.iter().filter_map(|asked| Some(format!("{}={}", asked.name, asked.written.as_ref()?)));
        let parts = Vec::from_iter(self.first.iter().cloned().chain(set));
        let colon = if parts.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.parts.word, parts.join(","))
    }

    /// The whole number that stands without a name, called `name` where it is missing.
    ///
    /// # Errors
    ///
    /// It is missing, is no whole number, or is out of `range`.
    pub fn first_count(&mut self, name: &str, range: impl RangeBounds<u64>) -> Result<u64, ReadError> {
        let read = |text: &str| text::count(text).filter(|count| range.contains(count));
        self.first(name, &whole(&range), read, u64::to_string)
    }

    /// The budget that stands without a name: iterations as `384`, a time as `100ms` or `1.5s`, or one of each,
    /// `10000+100ms`, whichever is reached first.
    ///
    /// # Errors
    ///
    /// It is missing, cannot be read, is empty, or names two of a kind.
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

    /// A whole number; `default` if it is not there. May be written as `1e6` or `10k`.
    ///
    /// # Errors
    ///
    /// It is no whole number, or is out of `range`.
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

    /// A whole number, or nothing if it is not there.
    ///
    /// # Errors
    ///
    /// It is no whole number, or is out of `range`.
    pub fn optional_count(
        &mut self,
        name: &str,
        about: &str,
        range: impl RangeBounds<u64>,
    ) -> Result<Option<u64>, ReadError> {
        let read = |text: &str| text::count(text).filter(|count| range.contains(count));
        self.ask(name, about, &whole(&range), None, read, u64::to_string)
    }

    /// A finite number; `default` if it is not there.
    ///
    /// # Errors
    ///
    /// It is no number, or is out of `range`.
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

    /// A finite number, or nothing if it is not there.
    ///
    /// # Errors
    ///
    /// It is no number, or is out of `range`.
    pub fn optional_number(
        &mut self,
        name: &str,
        about: &str,
        range: impl RangeBounds<f64>,
    ) -> Result<Option<f64>, ReadError> {
        let read = |text: &str| number(text).filter(|number| range.contains(number));
        self.optional(name, about, &range::words("a number", &range), read, |number| text::written(*number))
    }

    /// Anything that `read` can read, or nothing if it is not there.
    pub(super) fn optional<T>(
        &mut self,
        name: &str,
        about: &str,
        values: &str,
        read: impl Fn(&str) -> Option<T>,
        write: impl Fn(&T) -> String,
    ) -> Result<Option<T>, ReadError> {
        self.ask(name, about, values, None, read, write)
    }

    /// One of `options`, which are not empty; the first if it is not there.
    ///
    /// # Errors
    ///
    /// It is none of them.
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
        Ok(value.unwrap_or_default())
    }

    /// `yes` or `no`; `default` if it is not there.
    ///
    /// # Errors
    ///
    /// It is neither.
    pub fn flag(&mut self, name: &str, about: &str, default: bool) -> Result<bool, ReadError> {
        let options = if default { ["yes", "no"] } else { ["no", "yes"] };
        Ok(self.choice(name, about, &options)? == "yes")
    }

    /// A number of bytes, or nothing if it is not there.
    pub(super) fn bytes(&mut self, name: &str, about: &str) -> Result<Option<Bytes>, ReadError> {
        let values = "bytes above 0 as 64MiB, with KiB, MiB or GiB";
        self.ask(name, about, values, None, text::bytes, |&bytes| text::written_bytes(bytes))
    }

    fn ask<T>(
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
            of_policy: self.part.is_some(),
            written,
        });
        Ok(value.or(default))
    }

    /// The name, if nothing is left that was not asked for.
    pub(super) fn finish(mut self) -> Result<String, ReadError> {
        let (name, known) = (self.name(), Vec::from_iter(self.asked.into_iter().map(|asked| asked.name)));
        if let Some(value) = self.parts.first {
            return Err(ReadError::Nameless { value, of: name, known });
        }
        match self.parts.named.pop() {
            Some((parameter, _)) => Err(ReadError::UnknownParameter { name: parameter, of: name, known }),
            None => Ok(name),
        }
    }
}

/// A number that policies can compute with, in single precision too.
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
    fn what_two_parts_call_alike_has_the_part_before_it_for_the_second() {
        let mut parameters = Parameters::read("x:epsilon=0.1,rollout-epsilon=0.2,backprop-order=3").unwrap();
        let mut ask = |part, name| parameters.of_part(part, |p| p.number(name, "", 0.5, 0.0..).unwrap());
        assert_eq!(ask("policy", "epsilon"), 0.1);
        assert_eq!(ask("rollout", "epsilon"), 0.2);
        // A setting of all searches keeps its name.
        assert_eq!(ask("backprop", "order"), 3.0);
        assert_eq!(parameters.choice("order", "", &["random", "listed"]).unwrap(), "random");
        assert_eq!(parameters.finish().unwrap(), "x:epsilon=0.1,rollout-epsilon=0.2,backprop-order=3");
    }
}
