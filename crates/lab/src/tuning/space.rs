//! The settings of a search that texts can name, as points of a grid.

use crate::registry::{Abilities, Asked, code, is_reserved, with_parameter};
use crate::{ReadError, Recipe, Registry};
use ramure::GameState;
use std::collections::HashMap;

/// A setting: for each dimension the number of a value. 0 is the default.
pub type Point = Vec<u8>;

/// The parts of a search, and the agent itself: an agent that the program added may have parameters, too.
const PARTS: [&str; 4] = ["policy", "rollout", "backprop", ""];

/// How many parameters of each part are tuned.
const KNOBS: usize = 4;

/// The dimensions of a part: its word, and its parameters.
const OF_PART: usize = 1 + KNOBS;

/// The settings besides the parts: their values, and the number of the part that decides which of these apply
/// and are not the default.
const OTHERS: [(&str, &[&str], usize); 5] = [
    ("solver", &["no", "yes"], 2),
    ("expand", &["1", "2", "4", "8"], 0),
    ("fpu", &["0", "0.25", "0.5", "0.75", "1", "mean-0", "mean-0.1", "mean-0.25"], 0),
    ("final", &["robust", "max", "secure"], 0),
    ("order", &["listed", "prior"], 0),
];

/// Reads an agent, and the parameters that its text may have.
type Read<G> = Box<dyn Fn(&str) -> Result<(Recipe<G>, Vec<Asked>), ReadError>>;

/// All settings that a registry can read for an agent such as `mcts:1000`.
///
/// Each part has a dimension for its word, and one each for its first parameters. A parameter is tuned if it
/// has a default: a number by factors of two around it, a choice over all its options. So a new word of the
/// registry is searched, too.
pub struct Space<G: GameState> {
    /// The default agent.
    pub(super) default: Recipe<G>,
    base: String,
    read: Read<G>,
    parts: [Vec<Word>; 4],
    /// The names of the parameters of some words together; `None` if the registry rejects these.
    names: HashMap<[u8; 4], Option<[Vec<String>; 4]>>,
}

/// A word, and the values other than the default.
struct Word {
    word: String,
    /// Of its parameters.
    knobs: Vec<Vec<String>>,
    /// Of those of the [`OTHERS`] that its part decides.
    others: [Vec<String>; OTHERS.len()],
}

impl<G: GameState<Action: Send + Sync> + Send + 'static> Space<G> {
    /// Reads the words of the registry. `base` is the default agent.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Registry::read`] for `base`.
    pub fn new<A: Abilities<G>>(known: &Registry<G, A>, base: &str) -> Result<Self, ReadError> {
        let (words, known) = (known.words(), known.clone());
        let read: Read<G> = Box::new(move |text| known.read_asked(text));
        let default = read(base)?.0;
        let words = [words.policies, words.rollouts, words.backprops, vec![String::new()]];
        let part = |number: usize| {
            let words = words[number].iter().enumerate();
            words
                .filter_map(|(index, word)| Word::read(&read, base, PARTS[number], word, index == 0))
                .collect()
        };
        let parts = [0, 1, 2, 3].map(part);
        Ok(Space { base: base.into(), default, parts, read, names: HashMap::new() })
    }
}

impl<G: GameState> Space<G> {
    /// Returns the number of values of each dimension.
    pub fn sizes(&self) -> Vec<usize> {
        let most = |lists: &mut dyn Iterator<Item = Option<&Vec<String>>>| {
            1 + lists.flatten().map(Vec::len).max().unwrap_or(0)
        };
        let of_part = |words: &Vec<Word>| {
            let knob = |knob| most(&mut words.iter().map(|word| word.knobs.get(knob)));
            [vec![words.len()], (0..KNOBS).map(knob).collect()].concat()
        };
        let other = |other: usize| {
            let words = &self.parts[OTHERS[other].2];
            most(&mut words.iter().map(|word: &Word| word.others.get(other)))
        };
        self.parts.iter().flat_map(of_part).chain((0..OTHERS.len()).map(other)).collect()
    }

    /// Returns the point with the values that do not apply replaced by the default; `None` if the registry
    /// rejects it.
    pub fn canonical(&mut self, mut point: Point) -> Option<Point> {
        let words = [0, 1, 2, 3].map(|part| point[part * OF_PART]);
        self.names_of(words)?;
        let within = |values: Option<&Vec<String>>, value: &mut u8| {
            if usize::from(*value) > values.map_or(0, Vec::len) {
                *value = 0;
            }
        };
        for (part, &word) in words.iter().enumerate() {
            let word = &self.parts[part][usize::from(word)];
            for knob in 0..KNOBS {
                within(word.knobs.get(knob), &mut point[part * OF_PART + 1 + knob]);
            }
        }
        for (other, (_, _, part)) in OTHERS.iter().enumerate() {
            let word = &self.parts[*part][usize::from(words[*part])];
            within(word.others.get(other), &mut point[PARTS.len() * OF_PART + other]);
        }
        Some(point)
    }

    /// Returns the agent of a canonical point.
    ///
    /// # Errors
    ///
    /// Returns a [`ReadError`] if the registry rejects the point.
    pub fn recipe(&mut self, point: &[u8]) -> Result<Recipe<G>, ReadError> {
        Ok(self.read_point(point)?.0)
    }

    /// Returns the search of a canonical point as a line of Rust.
    pub fn code(&mut self, point: &[u8]) -> Option<String> {
        code(&self.read_point(point).ok()?.1)
    }

    fn read_point(&mut self, point: &[u8]) -> Result<(Recipe<G>, Vec<Asked>), ReadError> {
        let words = [0, 1, 2, 3].map(|part| point[part * OF_PART]);
        let names = self.names_of(words).cloned().unwrap_or_default();
        let chosen = [0, 1, 2, 3].map(|part| &self.parts[part][usize::from(words[part])]);
        let mut text = self.text_of(words);
        let mut set = |name: &str, values: &[String], value: u8| {
            if let Some(value) = usize::from(value).checked_sub(1) {
                text = with(&text, name, &values[value]);
            }
        };
        for (part, word) in chosen.iter().enumerate() {
            let knobs = names[part].iter().zip(&word.knobs).zip(&point[part * OF_PART + 1..]);
            knobs.for_each(|((name, values), &value)| set(name, values, value));
        }
        for ((other, (name, _, part)), &value) in
            OTHERS.iter().enumerate().zip(&point[PARTS.len() * OF_PART..])
        {
            set(name, &chosen[*part].others[other], value);
        }
        (self.read)(&text)
    }

    /// The default agent with these words.
    fn text_of(&self, words: [u8; 4]) -> String {
        let mut text = self.base.clone();
        for ((part, word), all) in PARTS.iter().zip(words).zip(&self.parts) {
            if word > 0 {
                text = with(&text, part, &all[usize::from(word)].word);
            }
        }
        text
    }

    /// The names of the tuned parameters of some words, as they are called when these are together.
    fn names_of(&mut self, words: [u8; 4]) -> Option<&[Vec<String>; 4]> {
        if !self.names.contains_key(&words) {
            let asked = (self.read)(&self.text_of(words)).map(|(_, asked)| asked);
            let of = |asked: &Vec<Asked>| {
                PARTS.map(|part| tuned(asked, part).map(|asked| asked.name.clone()).collect())
            };
            self.names.insert(words, asked.ok().as_ref().map(of));
        }
        self.names[&words].as_ref()
    }
}

/// The text with another parameter.
fn with(text: &str, name: &str, value: &str) -> String {
    with_parameter(text, &format!("{name}={value}"))
}

/// The parameters of a part that are tuned.
fn tuned<'a>(asked: &'a [Asked], part: &'a str) -> impl Iterator<Item = &'a Asked> {
    let of_part = asked.iter().filter(move |asked| match part {
        "" => asked.part.is_none() && !is_reserved(&asked.name),
        part => asked.part == Some(part),
    });
    of_part.filter(|asked| !asked.options.is_empty() || number(asked).is_some()).take(KNOBS)
}

fn number(asked: &Asked) -> Option<f64> {
    asked.default.as_ref()?.parse().ok()
}

impl Word {
    /// Reads a word and its parameters; `None` if the registry rejects it. The `first` word of a part is the
    /// default, which texts leave out.
    fn read<G: GameState>(read: &Read<G>, base: &str, part: &str, word: &str, first: bool) -> Option<Self> {
        let plain = if first { base.to_owned() } else { with(base, part, word) };
        let (recipe, asked) = read(&plain).ok()?;
        // Keeps the values that make other agents.
        let changing = |name: &str, values: &mut dyn Iterator<Item = String>| {
            let mut known = vec![recipe.name().to_owned()];
            values
                .filter(|value| match read(&with(&plain, name, value)) {
                    Ok((recipe, _)) if !known.iter().any(|known| known == recipe.name()) => {
                        known.push(recipe.name().to_owned());
                        true
                    }
                    _ => false,
                })
                .collect()
        };
        let knobs = tuned(&asked, part).map(|asked| changing(&asked.name, &mut values(asked).into_iter()));
        let others = OTHERS.map(|(name, values, decides)| {
            let values = if PARTS[decides] == part { values } else { &[] };
            changing(name, &mut values.iter().map(|&value| value.into()))
        });
        Some(Word { word: word.into(), knobs: knobs.collect(), others })
    }
}

/// The values to try of a parameter: all options; 1/4, 1/2, 2 and 4 times a number, and of its distance from
/// 1 if it lies between 1/2 and 1; four numbers up to 1 in place of 0.
fn values(asked: &Asked) -> Vec<String> {
    let Some(default) = number(asked).filter(|_| asked.options.is_empty()) else {
        return asked.options.clone();
    };
    let value = |factor: f64| match default {
        0.0 => factor / 4.0,
        0.5..1.0 if default > 0.5 => 1.0 - (1.0 - default) * factor,
        _ => default * factor,
    };
    // Three digits are enough.
    let rounded = |value: f64| format!("{value:.2e}").parse().unwrap_or(value);
    [0.25, 0.5, 2.0, 4.0].iter().map(|&factor| rounded(value(factor)).to_string()).collect()
}
